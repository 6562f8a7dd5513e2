"""Internal indices once more, straight from the printed formulas, in loops.

Slow and literal, for tests only. ``X`` is a list of points (lists of floats), ``labels`` a list of the same
length; arrays are accepted. Numbers in brackets are the equations of the source:

- ``CLUSTERCRIT``: B. Desgraupes, Clustering Indices (2017), the document of the R package clusterCrit;
- ``VENDRAMIN``: Vendramin, Campello, Hruschka, Relative clustering validity criteria (2010);
- ``ZAKI``: Zaki and Meira, Data Mining and Machine Learning, chapter 17;
- ``SKLEARN``: the three internal scores of scikit-learn.

What a formula leaves undefined (0/0) is nan, x/0 is inf, log 0 is -inf. Centroids and scatter matrices are
exact fractions, so that a zero is a zero; distances between points are floats.
"""

import math
import statistics
from fractions import Fraction
from itertools import combinations, pairwise

NAN = math.nan


# Arithmetic that says nan where a formula says nothing


def divide(a, b):
    """Quotient a / b, with x/0 = inf and 0/0 = nan."""
    if math.isnan(a) or math.isnan(b):
        return NAN
    if b == 0:
        return math.copysign(math.inf, a) if a != 0 else NAN
    return NAN if math.isinf(a) and math.isinf(b) else a / b


def log(x, base=math.e):
    """Logarithm with log 0 = -inf."""
    if math.isnan(x) or x < 0:
        return NAN
    if x == 0:
        return -math.inf
    return math.log10(x) if base == 10 else math.log(x)


def mean(values):
    """Exact mean, rounded once; nan of nothing."""
    values = [float(value) for value in values]
    return statistics.mean(values) if values else NAN


def smallest(values):
    """Minimum; nan of nothing, nan if one is."""
    values = list(values)
    return NAN if not values or any(math.isnan(value) for value in values) else min(values)


def largest(values):
    """Maximum; nan of nothing, nan if one is."""
    values = list(values)
    return NAN if not values or any(math.isnan(value) for value in values) else max(values)


# Points, clusters, centroids


def as_list(values):
    return values.tolist() if hasattr(values, "tolist") else list(values)


def as_points(X):
    return [[float(value) for value in row] for row in as_list(X)]


def clusters(X, labels):
    """Clusters C_1 ... C_K as lists of points, in order of appearance."""
    groups = {}
    for point, label in zip(as_points(X), as_list(labels), strict=True):
        groups.setdefault(label, []).append(point)
    return list(groups.values())


def centroid(points):
    """Barycentre, exact: Desgraupes (1), (2)."""
    return [sum(map(Fraction, column)) / len(points) for column in zip(*points, strict=True)]


def squared(a, b):
    """Exact ||a - b||²."""
    return sum((Fraction(x) - Fraction(y)) ** 2 for x, y in zip(a, b, strict=True))


def far(a, g):
    """Distance ||a - g|| where one of the two is a centroid."""
    return math.sqrt(squared(a, g))


def dist(a, b):
    """Distance ||a - b|| of two points."""
    return math.dist(a, b)


def spread(points):
    """Exact squared distances of the points to their centroid."""
    g = centroid(points)
    return [squared(x, g) for x in points]


def radii(points):
    """Distances of the points to their centroid."""
    return [math.sqrt(value) for value in spread(points)]


def centroids(X, labels):
    return [centroid(points) for points in clusters(X, labels)]


def within_distances(X, labels):
    """All N_W distances between two points of one cluster."""
    return [dist(a, b) for points in clusters(X, labels) for a, b in combinations(points, 2)]


def between_distances(X, labels):
    """All N_B distances between two points of different clusters."""
    return [dist(a, b) for A, B in combinations(clusters(X, labels), 2) for a in A for b in B]


def all_distances(X):
    """All N_T = N(N-1)/2 distances."""
    return [dist(a, b) for a, b in combinations(as_points(X), 2)]


def centroid_distances(X, labels):
    """Distances between the centroids of two clusters, k < k'."""
    return [far(g, h) for g, h in combinations(centroids(X, labels), 2)]


# Scatter matrices, exact


def scatter(points):
    """Sum of (x - G)(x - G)^T: Desgraupes (3), (11)."""
    g = centroid(points)
    p = len(g)
    rows = [[Fraction(x) - y for x, y in zip(point, g, strict=True)] for point in points]
    return [[sum(row[i] * row[j] for row in rows) for j in range(p)] for i in range(p)]


def plus(A, B):
    return [[a + b for a, b in zip(row, other, strict=True)] for row, other in zip(A, B, strict=True)]


def total_scatter(X):
    """T: Desgraupes (3)."""
    return scatter(as_points(X))


def within_scatter(X, labels):
    """WG, the sum of the scatter matrices of the clusters: Desgraupes (14)."""
    first, *others = [scatter(points) for points in clusters(X, labels)]
    for other in others:
        first = plus(first, other)
    return first


def between_scatter(X, labels):
    """BG, b_ij = sum_k n_k (mu_i^k - mu_i)(mu_j^k - mu_j): Desgraupes (21)."""
    g = centroid(as_points(X))
    p = len(g)
    steps = [(len(points), [a - b for a, b in zip(centroid(points), g, strict=True)]) for points in clusters(X, labels)]
    return [[sum(n * step[i] * step[j] for n, step in steps) for j in range(p)] for i in range(p)]


def trace(A):
    return sum(A[i][i] for i in range(len(A)))


def determinant(A):
    """Exact, by elimination; a change of two rows changes the sign."""
    A = [list(row) for row in A]
    det = Fraction(1)
    for j in range(len(A)):
        pivot = next((i for i in range(j, len(A)) if A[i][j] != 0), None)
        if pivot is None:
            return Fraction(0)
        if pivot != j:
            A[j], A[pivot] = A[pivot], A[j]
            det = -det
        det *= A[j][j]
        for i in range(j + 1, len(A)):
            factor = A[i][j] / A[j][j]
            A[i] = [a - factor * b for a, b in zip(A[i], A[j], strict=True)]
    return det


def inverse(A):
    """Adjugate over determinant."""
    n = len(A)

    def cofactor(i, j):
        minor = [[A[r][c] for c in range(n) if c != j] for r in range(n) if r != i]
        return (-1) ** (i + j) * determinant(minor)

    return [[cofactor(j, i) / determinant(A) for j in range(n)] for i in range(n)]


def wgss(X, labels):
    """Sum of the squared distances to the own barycentre: Desgraupes (15), (16)."""
    return float(sum(sum(spread(points)) for points in clusters(X, labels)))


def bgss(X, labels):
    """Sum of n_k ||G_k - G||²: Desgraupes (23)."""
    g = centroid(as_points(X))
    return float(sum(len(points) * squared(centroid(points), g) for points in clusters(X, labels)))


# CLUSTERCRIT: Desgraupes, as printed


def ball_hall(X, labels):
    """Mean over clusters of the mean squared distance to the barycentre (30)."""
    return mean(mean(spread(points)) for points in clusters(X, labels))


def banfeld_raftery(X, labels):
    """Sum of n_k log(Tr(WG_k) / n_k) (31)."""
    return sum(len(points) * log(trace(scatter(points)) / len(points)) for points in clusters(X, labels))


def c_index(X, labels):
    """(S_W - S_min) / (S_max - S_min) (32)."""
    within = within_distances(X, labels)
    ordered = sorted(all_distances(X))
    s_w = math.fsum(within)
    s_min = math.fsum(ordered[: len(within)])
    s_max = math.fsum(ordered[len(ordered) - len(within) :])
    return divide(s_w - s_min, s_max - s_min)


def calinski_harabasz(X, labels):
    """BGSS/(K-1) over WGSS/(N-K) (33)."""
    n, k = len(as_points(X)), len(clusters(X, labels))
    return divide(divide(bgss(X, labels), k - 1), divide(wgss(X, labels), n - k))


def davies_bouldin(X, labels):
    """Mean of max (delta_k + delta_k') / Delta_kk', delta the mean distance to the barycentre (34), (35)."""
    G = centroids(X, labels)
    delta = [mean(radii(points)) for points in clusters(X, labels)]
    K = range(len(G))
    return mean(largest(divide(delta[k] + delta[m], far(G[k], G[m])) for m in K if m != k) for k in K)


def det_ratio(X, labels):
    """det(T) / det(WG) (36)."""
    return float(divide(determinant(total_scatter(X)), determinant(within_scatter(X, labels))))


def dunn(X, labels):
    """d_min / d_max (41); the diameter (39) of a singleton is 0."""
    d_min = smallest(between_distances(X, labels))
    d_max = max(within_distances(X, labels), default=0.0)
    return divide(d_min, d_max)


def s_plus(X, labels):
    """How often a within-cluster distance is smaller than a between-cluster distance (43)."""
    within = within_distances(X, labels)
    return sum(1 for between in between_distances(X, labels) for d in within if d < between)


def s_minus(X, labels):
    """How often a within-cluster distance is larger than a between-cluster distance (44)."""
    within = within_distances(X, labels)
    return sum(1 for between in between_distances(X, labels) for d in within if d > between)


def gamma(X, labels):
    """(s+ - s-) / (s+ + s-) (42)."""
    plus_, minus = s_plus(X, labels), s_minus(X, labels)
    return divide(plus_ - minus, plus_ + minus)


def g_plus(X, labels):
    """2 s- / (N_T (N_T - 1)) (56)."""
    n_t = len(all_distances(X))
    return divide(2 * s_minus(X, labels), n_t * (n_t - 1))


def tau(X, labels):
    """(s+ - s-) / sqrt(N_B N_W N_T (N_T - 1) / 2) (101)."""
    n_w, n_b, n_t = len(within_distances(X, labels)), len(between_distances(X, labels)), len(all_distances(X))
    return divide(s_plus(X, labels) - s_minus(X, labels), math.sqrt(n_b * n_w * n_t * (n_t - 1) / 2))


def diameter_1(points):
    """Largest distance of two points (47); 0 for a singleton."""
    return max((dist(a, b) for a, b in combinations(points, 2)), default=0.0)


def diameter_2(points):
    """Mean distance of two different points (48); 0 for a singleton."""
    return mean(dist(a, b) for a, b in combinations(points, 2)) if len(points) > 1 else 0.0


def diameter_3(points):
    """Twice the mean distance to the barycentre (49)."""
    return 2 * mean(radii(points))


def gap_1(A, B):
    """Single linkage (50)."""
    return min(dist(a, b) for a in A for b in B)


def gap_2(A, B):
    """Complete linkage (51)."""
    return max(dist(a, b) for a in A for b in B)


def gap_3(A, B):
    """Average linkage (52)."""
    return mean(dist(a, b) for a in A for b in B)


def gap_4(A, B):
    """Centroid linkage (53)."""
    return far(centroid(A), centroid(B))


def gap_5(A, B):
    """Mean distance of the points of both to their own barycentres (54), as printed."""
    return mean(radii(A) + radii(B))


def gap_6(A, B):
    """Hausdorff distance (55)."""
    from_a = max(min(dist(a, b) for b in B) for a in A)
    from_b = max(min(dist(a, b) for a in A) for b in B)
    return max(from_a, from_b)


DIAMETERS = {1: diameter_1, 2: diameter_2, 3: diameter_3}
GAPS = {1: gap_1, 2: gap_2, 3: gap_3, 4: gap_4, 5: gap_5, 6: gap_6}


def generalized_dunn(gap, diameter):
    """Smallest gap of two clusters over the largest diameter (46)."""

    def index(X, labels):
        groups = clusters(X, labels)
        return divide(
            smallest(gap(A, B) for A, B in combinations(groups, 2)),
            largest(diameter(points) for points in groups),
        )

    return index


def ksq_detw(X, labels):
    """K² det(WG) (57)."""
    return float(len(clusters(X, labels)) ** 2 * determinant(within_scatter(X, labels)))


def log_det_ratio(X, labels):
    """N log(det(T) / det(WG)), natural logarithm (58)."""
    return len(as_points(X)) * log(det_ratio(X, labels))


def log_ss_ratio(X, labels):
    """Log of BGSS / WGSS, natural logarithm (59)."""
    return log(divide(bgss(X, labels), wgss(X, labels)))


def mcclain_rao(X, labels):
    """Mean within-cluster distance over mean between-cluster distance (62)."""
    return divide(mean(within_distances(X, labels)), mean(between_distances(X, labels)))


def pbm(X, labels):
    """((1/K) (E_T / E_W) D_B)² (66)."""
    e_t = math.fsum(radii(as_points(X)))
    e_w = math.fsum(radius for points in clusters(X, labels) for radius in radii(points))
    return (divide(e_t, e_w) * largest(centroid_distances(X, labels)) / len(clusters(X, labels))) ** 2


def point_biserial(X, labels):
    """(S_W/N_W - S_B/N_B) sqrt(N_W N_B) / N_T (70): negative when good."""
    within, between = within_distances(X, labels), between_distances(X, labels)
    n_w, n_b = len(within), len(between)
    return divide((mean(within) - mean(between)) * math.sqrt(n_w * n_b), n_w + n_b)


def ray_turi(X, labels):
    """(1/N) WGSS over the smallest squared distance of two barycentres (76)."""
    return divide(wgss(X, labels) / len(as_points(X)), smallest(centroid_distances(X, labels)) ** 2)


def ratkowsky_lance(X, labels):
    """Root of (mean over columns of BGSS_j / TSS_j) / K (73), (74)."""
    B, T = between_scatter(X, labels), total_scatter(X)
    r = mean(divide(B[j][j], T[j][j]) for j in range(len(T)))
    return math.sqrt(r / len(clusters(X, labels)))


def scott_symons(X, labels):
    """Sum of n_k log det(WG_k / n_k) (77)."""
    total = 0.0
    for points in clusters(X, labels):
        n = len(points)
        total += n * log(determinant([[value / n for value in row] for row in scatter(points)]))
    return total


def variances(points):
    """Vector of the variances of the columns, denominator n (78), (79)."""
    S = scatter(points)
    return [S[j][j] / len(points) for j in range(len(S))]


def norm(vector):
    return math.sqrt(sum(value**2 for value in vector))


def sd_scat(X, labels):
    """Mean of the norms of the clusters' variances over the norm of all variances (80)."""
    return divide(mean(norm(variances(points)) for points in clusters(X, labels)), norm(variances(as_points(X))))


def sd_dis(X, labels):
    """D_max/D_min times the sum of 1 / (sum of the distances to the other barycentres) (83)."""
    G = centroids(X, labels)
    apart = centroid_distances(X, labels)
    ratio = divide(largest(apart), smallest(apart))
    return ratio * sum(divide(1.0, math.fsum(far(g, h) for h in G)) for g in G)


def sd(sweep):
    """Alpha S + D for each (X, labels), alpha being D of the partition with the most clusters (84)."""
    alpha = sd_dis(*max(sweep, key=lambda pair: len(clusters(*pair))))
    return [alpha * sd_scat(X, labels) + sd_dis(X, labels) for X, labels in sweep]


def s_dbw(X, labels):
    """S + mean of the density ratios R_kk' (85)-(88); the ball of radius sigma is open.

    Where no point is near either centre the ratio counts as 0 if none is near the midpoint, else nan.
    """
    groups = clusters(X, labels)
    K = len(groups)
    sigma = math.sqrt(math.fsum(norm(variances(points)) for points in groups)) / K * (1 - 1e-12)
    ratios = []
    for A, B in combinations(groups, 2):
        g, h = centroid(A), centroid(B)
        middle = [(a + b) / 2 for a, b in zip(g, h, strict=True)]
        at_g, at_h, at_middle = [sum(1 for x in A + B if far(x, centre) < sigma) for centre in (g, h, middle)]
        if max(at_g, at_h) > 0:
            ratios.append(at_middle / max(at_g, at_h))
        else:
            ratios.append(0.0 if at_middle == 0 else NAN)
    return sd_scat(X, labels) + divide(2 * sum(ratios), K * (K - 1))


def silhouette_widths(X, labels):
    """s(i) = (b(i) - a(i)) / max(a(i), b(i)) (89)-(92), cluster by cluster; 0 in a singleton."""
    groups = clusters(X, labels)
    widths = []
    for k, own in enumerate(groups):
        widths.append([])
        for i, x in enumerate(own):
            a = mean(dist(x, y) for j, y in enumerate(own) if j != i)
            b = smallest(mean(dist(x, y) for y in other) for m, other in enumerate(groups) if m != k)
            widths[k].append(divide(b - a, largest([a, b])) if len(own) > 1 else 0.0)
    return widths


def silhouette(X, labels):
    """Mean over clusters of the mean silhouette width of a cluster (93), (94)."""
    return mean(mean(widths) for widths in silhouette_widths(X, labels))


def trace_w(X, labels):
    """Tr(WG) (102)."""
    return float(trace(within_scatter(X, labels)))


def trace_wib(X, labels):
    """Tr(WG^-1 BG) (103); nan where WG has no inverse."""
    W, B = within_scatter(X, labels), between_scatter(X, labels)
    if determinant(W) == 0:
        return NAN
    V, p = inverse(W), len(W)
    return float(sum(V[i][j] * B[j][i] for i in range(p) for j in range(p)))


def wemmert_gancarski(X, labels):
    """(1/N) sum of n_k max(0, 1 - mean R(M)) (104)-(106)."""
    groups, G = clusters(X, labels), centroids(X, labels)
    total = 0.0
    for k, own in enumerate(groups):
        R = [divide(far(x, G[k]), smallest(far(x, G[m]) for m in range(len(G)) if m != k)) for x in own]
        total += len(own) * largest([0.0, 1 - mean(R)])
    return total / len(as_points(X))


def xie_beni(X, labels):
    """(1/N) WGSS over the smallest squared distance of two points of different clusters (109)."""
    return divide(wgss(X, labels) / len(as_points(X)), smallest(between_distances(X, labels)) ** 2)


CLUSTERCRIT = {
    "ball_hall": ball_hall,
    "banfeld_raftery": banfeld_raftery,
    "c_index": c_index,
    "calinski_harabasz": calinski_harabasz,
    "davies_bouldin": davies_bouldin,
    "det_ratio": det_ratio,
    "dunn": dunn,
    "gamma": gamma,
    "g_plus": g_plus,
    **{f"gdi{u}{v}": generalized_dunn(GAPS[u], DIAMETERS[v]) for u in GAPS for v in DIAMETERS},
    "ksq_detw": ksq_detw,
    "log_det_ratio": log_det_ratio,
    "log_ss_ratio": log_ss_ratio,
    "mcclain_rao": mcclain_rao,
    "pbm": pbm,
    "point_biserial": point_biserial,
    "ray_turi": ray_turi,
    "ratkowsky_lance": ratkowsky_lance,
    "scott_symons": scott_symons,
    "sd_scat": sd_scat,
    "sd_dis": sd_dis,
    "s_dbw": s_dbw,
    "silhouette": silhouette,
    "tau": tau,
    "trace_w": trace_w,
    "trace_wib": trace_wib,
    "wemmert_gancarski": wemmert_gancarski,
    "xie_beni": xie_beni,
}


# VENDRAMIN: Vendramin, Campello and Hruschka, as printed

EPSILON = 1e-6  # below (20)


def vendramin_gap_5(A, B):
    """Mean distance of the points of both to the centroid of the other (14)."""
    g, h = centroid(A), centroid(B)
    return mean([far(a, h) for a in A] + [far(b, g) for b in B])


VENDRAMIN_GAPS = {**GAPS, 5: vendramin_gap_5}  # (10)-(15); diameters (10), (16), (17) are those of Desgraupes


def a_and_b(X, labels):
    """For each point: its cluster's size, mean distance a to its own cluster and b to the nearest other."""
    groups = clusters(X, labels)
    rows = []
    for k, own in enumerate(groups):
        for i, x in enumerate(own):
            a = mean(dist(x, y) for j, y in enumerate(own) if j != i)
            b = smallest(mean(dist(x, y) for y in other) for m, other in enumerate(groups) if m != k)
            rows.append((len(own), a, b))
    return rows


def simplified_a_and_b(X, labels):
    """Size, a and b as distances to centroids (section 2.1.7)."""
    groups, G = clusters(X, labels), centroids(X, labels)
    rows = []
    for k, own in enumerate(groups):
        for x in own:
            b = smallest(far(x, G[m]) for m in range(len(G)) if m != k)
            rows.append((len(own), far(x, G[k]), b))
    return rows


def width(size, a, b):
    """(b - a) / max(a, b) (18); 0 in a singleton."""
    return divide(b - a, largest([a, b])) if size > 1 else 0.0


def alternative_width(size, a, b):
    """Quotient b / (a + epsilon) (20); 0 in a singleton."""
    return b / (a + EPSILON) if size > 1 else 0.0


def swc(X, labels):
    """Silhouette width criterion: mean over points (19)."""
    return mean(width(*row) for row in a_and_b(X, labels))


def aswc(X, labels):
    """Alternative silhouette (20)."""
    return mean(alternative_width(*row) for row in a_and_b(X, labels))


def sswc(X, labels):
    """Simplified silhouette (section 2.1.7)."""
    return mean(width(*row) for row in simplified_a_and_b(X, labels))


def asswc(X, labels):
    """Alternative simplified silhouette (section 2.1.8)."""
    return mean(alternative_width(*row) for row in simplified_a_and_b(X, labels))


def vendramin_point_biserial(X, labels):
    """(d_b - d_w) sqrt(w_d b_d / t²) / s_d, s_d with denominator t (30)."""
    within, between = within_distances(X, labels), between_distances(X, labels)
    w_d, b_d = len(within), len(between)
    t = w_d + b_d
    d_bar = mean(within + between)
    s_d = math.sqrt(mean((d - d_bar) ** 2 for d in within + between))
    return divide((mean(between) - mean(within)) * math.sqrt(divide(w_d * b_d, t**2)), s_d)


def c_sqrt_k(X, labels):
    """(1 / sqrt(k)) mean over columns of sqrt(SSB_q / SST_q), SSB = SST - SSW (31)-(34)."""
    T, W = total_scatter(X), within_scatter(X, labels)
    roots = [math.sqrt(divide(T[q][q] - W[q][q], T[q][q])) for q in range(len(T))]
    return mean(roots) / math.sqrt(len(clusters(X, labels)))


def trace_cov_w(X, labels):
    """Trace of W / (N - k) (39), (40)."""
    return divide(trace_w(X, labels), len(as_points(X)) - len(clusters(X, labels)))


def vendramin_log_det_ratio(X, labels):
    """N log10(|T| / |W|) (44)."""
    return len(as_points(X)) * log(det_ratio(X, labels), 10)


def vendramin_log_ss_ratio(X, labels):
    """log10(SSB / SSW), SSB the sum over pairs of clusters of ||.||² / (1/N_l + 1/N_m) (46)."""
    ssb = 0
    for A, B in combinations(clusters(X, labels), 2):
        ssb += squared(centroid(A), centroid(B)) / (Fraction(1, len(A)) + Fraction(1, len(B)))
    return log(divide(float(ssb), wgss(X, labels)), 10)


def vendramin_ball_hall(X, labels):
    """(1/N) sum of the distances, not squared, to the own centroid (47)."""
    return mean(radius for points in clusters(X, labels) for radius in radii(points))


def vendramin_mcclain_rao(X, labels):
    """B / (N² - sum N_l²) over W / (sum N_l² - N) (48)-(50)."""
    n = len(as_points(X))
    squares = sum(len(points) ** 2 for points in clusters(X, labels))
    b = divide(math.fsum(between_distances(X, labels)), n**2 - squares)
    w = divide(math.fsum(within_distances(X, labels)), squares - n)
    return divide(b, w)


VENDRAMIN = {
    "vrc": calinski_harabasz,  # (1)
    "db": davies_bouldin,  # (9)
    **{f"dunn{u}{v}": generalized_dunn(VENDRAMIN_GAPS[u], DIAMETERS[v]) for u in GAPS for v in DIAMETERS},
    "swc": swc,
    "aswc": aswc,
    "sswc": sswc,
    "asswc": asswc,
    "pbm": pbm,  # (21)
    "c_index": c_index,  # (22)
    "gamma": gamma,  # (24)
    "g_plus": g_plus,  # (27)
    "tau": tau,  # (28): t(t-1)/2 less the ties of the labels is w_d b_d
    "point_biserial": vendramin_point_biserial,
    "c_sqrt_k": c_sqrt_k,
    "trace_w": trace_w,  # (38)
    "trace_cov_w": trace_cov_w,
    "trace_wib": trace_wib,  # (42)
    "det_ratio": det_ratio,  # (43)
    "log_det_ratio": vendramin_log_det_ratio,
    "ksq_detw": ksq_detw,  # (45)
    "log_ss_ratio": vendramin_log_ss_ratio,
    "ball_hall": vendramin_ball_hall,
    "mcclain_rao": vendramin_mcclain_rao,
}


# ZAKI: Zaki and Meira, section 17.2 and 17.3, as printed


def weight(S, R):
    """W(S, R): sum of the distances from S to R; within one set every pair counts twice."""
    return math.fsum(dist(a, b) for a in S for b in R)


def cluster_weights(X, labels):
    """For each cluster W(C_i, C_i) and W(C_i, rest)."""
    groups = clusters(X, labels)
    rows = []
    for i, own in enumerate(groups):
        rest = [x for j, other in enumerate(groups) if j != i for x in other]
        rows.append((weight(own, own), weight(own, rest)))
    return rows


def beta_cv(X, labels):
    """(W_in / N_in) / (W_out / N_out)."""
    sizes = [len(points) for points in clusters(X, labels)]
    n_in = sum(math.comb(n, 2) for n in sizes)
    n_out = sum(n * m for n, m in combinations(sizes, 2))
    w_in = sum(own for own, _ in cluster_weights(X, labels)) / 2
    w_out = sum(rest for _, rest in cluster_weights(X, labels)) / 2
    return divide(divide(w_in, n_in), divide(w_out, n_out))


def normalized_cut(X, labels):
    """Sum of W(C_i, rest) / W(C_i, V)."""
    return sum(divide(rest, own + rest) for own, rest in cluster_weights(X, labels))


def modularity(X, labels):
    """Sum of W(C_i, C_i) / W(V, V) - (W(C_i, V) / W(V, V))²."""
    rows = cluster_weights(X, labels)
    everything = sum(own + rest for own, rest in rows)
    return sum(divide(own, everything) - divide(own + rest, everything) ** 2 for own, rest in rows)


def zaki_davies_bouldin(X, labels):
    """Mean of max (sigma_i + sigma_j) / delta(mu_i, mu_j), sigma the RMS distance to the mean."""
    G = centroids(X, labels)
    sigma = [math.sqrt(mean(spread(points))) for points in clusters(X, labels)]
    K = range(len(G))
    return mean(largest(divide(sigma[i] + sigma[j], far(G[i], G[j])) for j in K if j != i) for i in K)


def pairs_w_and_y(X, labels):
    """For each pair of points its distance and the distance of the means of the two clusters (17.28)."""
    labels = as_list(labels)
    points = as_points(X)
    means = {a: centroid([x for x, b in zip(points, labels, strict=True) if b == a]) for a in set(labels)}
    apart = {(a, b): far(means[a], means[b]) for a in means for b in means}
    pairs = list(combinations(range(len(points)), 2))
    return [dist(points[i], points[j]) for i, j in pairs], [apart[labels[i], labels[j]] for i, j in pairs]


def hubert(X, labels):
    """Mean of W(i, j) Y(i, j) over pairs (17.14), (17.28)."""
    w, y = pairs_w_and_y(X, labels)
    return mean(a * b for a, b in zip(w, y, strict=True))


def hubert_normalized(X, labels):
    """Correlation of W(i, j) and Y(i, j) over pairs (17.15), (17.28)."""
    w, y = pairs_w_and_y(X, labels)
    w_bar, y_bar = mean(w), mean(y)
    w, y = [a - w_bar for a in w], [b - y_bar for b in y]
    return divide(math.fsum(a * b for a, b in zip(w, y, strict=True)), norm(w) * norm(y))


ZAKI = {
    "beta_cv": beta_cv,
    "c_index": c_index,
    "normalized_cut": normalized_cut,
    "modularity": modularity,
    "dunn": dunn,
    "davies_bouldin": zaki_davies_bouldin,
    "silhouette": swc,  # (17.27), with 0 for a singleton, of which the chapter says nothing
    "hubert": hubert,
    "hubert_normalized": hubert_normalized,
    "calinski_harabasz": calinski_harabasz,
}


# SKLEARN


def silhouette_score(X, labels):
    """Mean over points of the silhouette width; 0 in a singleton and where a = b = 0 (Rousseeuw: a = b)."""
    return mean(0.0 if a == b == 0 else width(size, a, b) for size, a, b in a_and_b(X, labels))


SKLEARN = {
    "silhouette_score": silhouette_score,
    "calinski_harabasz_score": calinski_harabasz,
    "davies_bouldin_score": davies_bouldin,
}


# Decision rules over the values of a sweep, K = K_m ... K_M; positions from 0


def first_max(values):
    """Position of the first largest value; values that are nan are left out; None if none is left."""
    kept = [(value, -i) for i, value in enumerate(values) if not math.isnan(value)]
    return -max(kept)[1] if kept else None


def first_min(values):
    """Position of the first smallest value; values that are nan are left out; None if none is left."""
    return first_max([-value for value in values])


def second_differences(values):
    """V_i - V_(i-1) with V_i = Q_(i+1) - Q_i (110); nan at both ends, where it needs a value outside."""
    inner = [(c - b) - (b - a) for a, b, c in zip(values, values[1:], values[2:], strict=False)]
    return [NAN, *inner, NAN][: len(values)] if inner else [NAN] * len(values)


def max_diff(values):
    """Desgraupes (110): the largest second difference."""
    return first_max(second_differences(values))


def min_diff(values):
    """Smallest second difference, Table 2 of Desgraupes."""
    return first_min(second_differences(values))


RULES = {"max": first_max, "min": first_min, "max_diff": max_diff, "min_diff": min_diff}

MAX = [
    "calinski_harabasz",
    "dunn",
    "gamma",
    "pbm",
    "point_biserial",
    "ratkowsky_lance",
    "silhouette",
    "tau",
    "wemmert_gancarski",
]
MIN = [
    "banfeld_raftery",
    "c_index",
    "davies_bouldin",
    "g_plus",
    "mcclain_rao",
    "ray_turi",
    "scott_symons",
    "sd_scat",
    "sd_dis",
    "s_dbw",
    "xie_beni",
]
MAX_DIFF = ["ball_hall", "ksq_detw", "trace_w", "trace_wib"]
MIN_DIFF = ["det_ratio", "log_det_ratio", "log_ss_ratio"]

# Table 2 of Desgraupes as printed; max for point_biserial and gdi5v and max_diff for trace_wib mislead.
CLUSTERCRIT_RULES = {
    **dict.fromkeys(MAX, "max"),
    **dict.fromkeys([name for name in CLUSTERCRIT if name.startswith("gdi")], "max"),
    **dict.fromkeys(MIN, "min"),
    **dict.fromkeys(MAX_DIFF, "max_diff"),
    **dict.fromkeys(MIN_DIFF, "min_diff"),
}


def vendramin_35(values):
    """abs(C(k-1) - C(k)) (35); nan for the first."""
    return [NAN, *(abs(a - b) for a, b in pairwise(values))][: len(values)]


def vendramin_36(values):
    """abs(abs(C(k-1) - C(k)) - abs(C(k) - C(k+1))) (36); nan at both ends."""
    steps = vendramin_35(values)
    return [abs(a - b) for a, b in zip(steps, [*steps[1:], NAN], strict=False)]


def vendramin_37(values):
    """abs((C(k-1) - C(k)) / (C(k) - C(k+1))) (37); nan at both ends and for 0/0, inf for x/0."""
    steps = [a - b for a, b in pairwise(values)]
    before, after = [NAN, *steps][: len(values)], [*steps, NAN][: len(values)]
    return [abs(divide(a, b)) for a, b in zip(before, after, strict=True)]


VENDRAMIN_TRANSFORMS = {35: vendramin_35, 36: vendramin_36, 37: vendramin_37}
