"""Other internal indices and those of mixture models once more, straight from their formulas, in loops.

``X`` is a list of points, ``labels`` a list of the same length. What a formula leaves undefined (0/0) is nan, and so is
minus infinity (a volume or a variance of 0 under a logarithm); x/0 is inf.
"""

import math
from itertools import combinations

from naive import (
    NAN,
    as_points,
    centroid,
    clusters,
    determinant,
    dist,
    divide,
    far,
    inverse,
    mean,
    radii,
    scatter,
    spread,
)

# Distances to centres


def closest_centres(X, labels):
    """For each cluster the distance of its centre to the nearest other centre."""
    centres = [centroid(points) for points in clusters(X, labels)]
    return [min(far(g, h) for l, h in enumerate(centres) if l != k) for k, g in enumerate(centres)]


def ssw(X, labels):
    """Squared distances of the points to the centre of their cluster."""
    return sum(sum(spread(points)) for points in clusters(X, labels))


def ssb(X, labels):
    """Squared distances of the centres to the mean of all points, times the sizes of the clusters."""
    g = centroid(as_points(X))
    return sum(
        len(points) * sum((a - b) ** 2 for a, b in zip(centroid(points), g, strict=True))
        for points in clusters(X, labels)
    )


def score_function(X, labels):
    """1 - 1/exp(exp(bcd - wcd)), bcd = sum n_k ||c_k - g|| / (n K), wcd = sum of mean ||x - c_k||: Saitta (2007)."""
    groups, g = clusters(X, labels), centroid(as_points(X))
    bcd = sum(len(points) * far(centroid(points), g) for points in groups) / (len(X) * len(groups))
    wcd = sum(mean(radii(points)) for points in groups)
    return 1 - 1 / math.exp(min(math.exp(bcd - wcd), 700))


def sv(X, labels):
    """Sum of min_l ||c_k - c_l|| over the sum of the mean of the farthest ceil(0.1 n_k) ||x - c_k||."""
    spreads = []
    for points in clusters(X, labels):
        count = -(-len(points) // 10)
        spreads.append(mean(sorted(radii(points), reverse=True)[:count]))
    return divide(sum(closest_centres(X, labels)), sum(spreads))


def wb(X, labels):
    """K SSW / SSB: Zhao and Fränti (2014)."""
    return divide(float(len(clusters(X, labels)) * ssw(X, labels)), float(ssb(X, labels)))


def xu(X, labels):
    """Xu (1997): p log2 sqrt(SSW / (p n^2)) + ln K."""
    n, p, w = len(X), len(as_points(X)[0]), float(ssw(X, labels))
    return p * math.log2(math.sqrt(w / (p * n**2))) + math.log(len(clusters(X, labels))) if w > 0 else NAN


def i_index(X, labels, power=2):
    """((1/K) (E_1 / E_K) D_K)^P: Maulik and Bandyopadhyay (2002)."""
    groups = clusters(X, labels)
    whole = sum(radii(as_points(X)))
    within = sum(sum(radii(points)) for points in groups)
    widest = max(far(centroid(a), centroid(b)) for a, b in combinations(groups, 2))
    return divide(whole * widest, len(groups) * within) ** power


def davies_bouldin_star(X, labels):
    """(1/K) sum of max_l (S_k + S_l) / min_l d_kl, each over the other clusters: Kim and Ramakrishna (2005)."""
    S = [mean(radii(points)) for points in clusters(X, labels)]
    gaps = closest_centres(X, labels)
    terms = [divide(max(s + t for l, t in enumerate(S) if l != k), gaps[k]) for k, s in enumerate(S)]
    return NAN if any(math.isnan(term) for term in terms) else sum(terms) / len(S)


def xie_beni_star(X, labels):
    """max_k mean ||x - c_k||^2 / min ||c_k - c_l||^2: Kim and Ramakrishna (2005)."""
    widest = max(sum(spread(points)) / len(points) for points in clusters(X, labels))
    return divide(float(widest), min(closest_centres(X, labels)) ** 2)


# Distances between points


def cs(X, labels):
    """Sum of mean_x max_y d(x, y) inside clusters, over the sum of min_l ||c_k - c_l||: Chou (2004)."""
    farthest = [mean([max(dist(x, y) for y in points) for x in points]) for points in clusters(X, labels)]
    return divide(sum(farthest), sum(closest_centres(X, labels)))


def cop(X, labels):
    """(1/n) sum of sum d(x, c_k) / min over y outside of max over z inside of d(y, z): Gurrutxaga (2010)."""
    groups = clusters(X, labels)
    terms = []
    for k, points in enumerate(groups):
        outside = [y for l, others in enumerate(groups) if l != k for y in others]
        terms.append(divide(sum(radii(points)), min(max(dist(y, z) for z in points) for y in outside)))
    return NAN if any(math.isnan(term) for term in terms) else sum(terms) / len(X)


def aucc(X, labels):
    """Share of (within, between) comparisons in which the distance within is smaller, ties for a half."""
    groups = clusters(X, labels)
    within = [added(a, b) for points in groups for a, b in combinations(points, 2)]
    between = [added(a, b) for A, B in combinations(groups, 2) for a in A for b in B]
    wins = sum(w < b for w in within for b in between)
    ties = sum(w == b for w in within for b in between)
    return divide(wins + ties / 2, len(within) * len(between))


def added(a, b):
    """Distance with its squares added in the order of dimensions, as rounding makes and breaks ties."""
    return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))


def medoids(X, labels):
    """The position of the point of each cluster with the smallest sum of distances to its cluster; the first of equals.

    Sums are equal if only rounding parts them.
    """
    points, places = as_points(X), {}
    for i, label in enumerate(labels):
        places.setdefault(label, []).append(i)
    chosen = []
    for members in places.values():
        sums = [math.fsum(dist(points[i], points[j]) for j in members) for i in members]
        chosen.append(next(i for i, s in zip(members, sums, strict=True) if s <= min(sums) * (1 + 1e-12)))
    return chosen


def medoid_silhouettes(X, labels):
    """1 - d_1 / d_2, distances to the nearest two medoids; 0 if both are 0: Lenssen and Schubert (2022)."""
    points, centres = as_points(X), medoids(X, labels)
    values = []
    for x in points:
        first, second = sorted(dist(x, points[m]) for m in centres)[:2]
        values.append(1 - first / second if second > 0 else 0.0)
    return values


def medoid_silhouette(X, labels):
    return mean(medoid_silhouettes(X, labels))


def medoid_davies_bouldin(X, labels):
    """(1/K) sum of max_l (S_k + S_l) / d_kl, S the mean distance to a medoid: Davies and Bouldin (1979)."""
    points, centres = as_points(X), medoids(X, labels)
    S = [mean([dist(points[i], points[m]) for i in range(len(X)) if labels[i] == labels[m]]) for m in centres]
    terms = [
        divide(s + t, dist(points[m], points[o]))
        for s, m in zip(S, centres, strict=True)
        for t, o in zip(S, centres, strict=True)
        if m != o
    ]
    others = len(S) - 1
    worst = [max(terms[k * others : (k + 1) * others]) for k in range(len(S))]
    return NAN if any(math.isnan(term) for term in terms) else sum(worst) / len(S)


# Gaussian models


def negentropy_increment(X, labels):
    """Sum of pi_k (ln|S_k| / 2 - ln pi_k), less ln|S| / 2, S divided by n - 1: Lago-Fernández and Corbacho (2010)."""
    n, p = len(X), len(as_points(X)[0])
    whole = determinant(scatter(as_points(X))) / (n - 1) ** p
    total = -math.log(whole) / 2 if whole > 0 else NAN
    for points in clusters(X, labels):
        share, volume = len(points) / n, determinant(scatter(points)) / max(len(points) - 1, 1) ** p
        if volume == 0:
            return NAN
        total += share * (math.log(volume) / 2 - math.log(share))
    return total


def k_means_parameters(X, labels):
    """Number of parameters: q = (K - 1) + K p + 1."""
    k, p = len(clusters(X, labels)), len(as_points(X)[0])
    return (k - 1) + k * p + 1


def k_means_likelihood(X, labels):
    """Sum of n_k ln(n_k / n), less (n p / 2)(ln(2 pi s2) + 1) with s2 = W / (n p)."""
    n, p, w = len(X), len(as_points(X)[0]), float(ssw(X, labels))
    if w == 0:
        return NAN
    shares = sum(len(points) * math.log(len(points) / n) for points in clusters(X, labels))
    return shares - n * p / 2 * (math.log(2 * math.pi * w / (n * p)) + 1)


def kmeans_bic(X, labels):
    return -2 * k_means_likelihood(X, labels) + k_means_parameters(X, labels) * math.log(len(X))


def kmeans_aic(X, labels):
    return -2 * k_means_likelihood(X, labels) + 2 * k_means_parameters(X, labels)


def xmeans_bic(X, labels):
    """L - (q / 2) ln n, L as above with s2 = W / (p (n - K)): Pelleg and Moore (2000), with the 1/p they left out."""
    n, p, w, groups = len(X), len(as_points(X)[0]), float(ssw(X, labels)), clusters(X, labels)
    if w == 0:
        return NAN
    s2 = w / (p * (n - len(groups)))
    shares = sum(len(points) * math.log(len(points) / n) for points in groups)
    L = shares - n * p / 2 * math.log(2 * math.pi * s2) - w / (2 * s2)
    return L - k_means_parameters(X, labels) / 2 * math.log(n)


def mixture(X, labels):
    """Log-likelihood, number of parameters and responsibilities of the Gaussian mixture of the clusters.

    Component k has the share, the mean and the covariance (divided by n_k) of cluster k.
    """
    points, groups = as_points(X), clusters(X, labels)
    n, p, K = len(points), len(points[0]), len(groups)
    components = []
    for group in groups:
        S = [[value / len(group) for value in row] for row in scatter(group)]
        volume = determinant(S)
        if volume == 0:
            return NAN, NAN, None
        components.append((len(group) / n, centroid(group), inverse(S), volume))
    likelihood, responsibilities = 0.0, []
    for x in points:
        logs = []
        for share, g, precision, volume in components:
            away = [a - b for a, b in zip(map(type(g[0]), x), g, strict=True)]
            square = sum(away[i] * precision[i][j] * away[j] for i in range(p) for j in range(p))
            logs.append(math.log(share) - (p * math.log(2 * math.pi) + math.log(volume) + float(square)) / 2)
        top = max(logs)
        density = top + math.log(sum(math.exp(value - top) for value in logs))
        likelihood += density
        responsibilities.append([math.exp(value - density) for value in logs])
    return likelihood, (K - 1) + K * p + K * p * (p + 1) // 2, responsibilities


def gmm_bic(X, labels):
    L, q, _ = mixture(X, labels)
    return -2 * L + q * math.log(len(X))


def gmm_aic(X, labels):
    L, q, _ = mixture(X, labels)
    return -2 * L + 2 * q


def entropy(responsibilities, kind):
    """Hard: minus the sum of ln max_k t_ik. Soft: minus the sum of t_ik ln t_ik."""
    if kind == "hard":
        return -sum(math.log(max(row)) for row in responsibilities)
    return -sum(t * math.log(t) for row in responsibilities for t in row if t > 0)


def gmm_icl(X, labels, kind="hard"):
    """BIC + 2 entropy: Biernacki, Celeux and Govaert (2000)."""
    responsibilities = mixture(X, labels)[2]
    return NAN if responsibilities is None else gmm_bic(X, labels) + 2 * entropy(responsibilities, kind)


OTHERS = {
    function.__name__: function
    for function in (
        *(score_function, cs, wb, davies_bouldin_star, aucc, medoid_silhouette, negentropy_increment, i_index),
        medoid_davies_bouldin,
        *(cop, sv, xu, xie_beni_star, kmeans_bic, kmeans_aic, xmeans_bic, gmm_bic, gmm_aic, gmm_icl),
    )
}
