"""Indices of density and connectivity in plain loops, from their printed definitions."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist, exp, fsum, inf, nan, sqrt
from statistics import median, variance

NEARLY = 1 + 1e-12  # what is as far but for rounding


def clusters_of(labels):
    """Return the points of each cluster, by position; -1 is noise."""
    return [[i for i, l in enumerate(labels) if l == name] for name in sorted(set(labels) - {-1})]


def without_noise(X, labels):
    kept = [i for i, l in enumerate(labels) if l != -1]
    return [X[i] for i in kept], [labels[i] for i in kept]


def nearest(X, i, count):
    """The nearest other points of point i; of equals the first."""
    others = sorted((dist(X[i], X[j]), j) for j in range(len(X)) if j != i)
    return [j for _, j in others[:count]]


def connectivity(X, labels, neighbours=10):
    X, labels = without_noise(X, labels)
    total = 0.0
    for i in range(len(X)):
        for place, j in enumerate(nearest(X, i, neighbours), start=1):
            if labels[j] != labels[i]:
                total += 1 / place
    return total


def knn_consistency(X, labels, neighbours=3):
    X, labels = without_noise(X, labels)
    good = [all(labels[j] == labels[i] for j in nearest(X, i, neighbours)) for i in range(len(X))]
    return sum(good) / len(good)


def knn_purity(X, labels, neighbours=3):
    X, labels = without_noise(X, labels)
    if any(len(c) <= neighbours for c in clusters_of(labels)):
        return nan
    shares = [sum(labels[j] == labels[i] for j in nearest(X, i, neighbours)) / neighbours for i in range(len(X))]
    return sum(shares) / len(shares)


def cores(X, min_points):
    """Distance to the min_points-th nearest point, the point itself being the first."""
    return [sorted(dist(x, y) for y in X)[min(min_points, len(X)) - 1] for x in X]


def minimax(reach):
    """Smallest possible longest step between each two points (Floyd and Warshall)."""
    n = len(reach)
    d = [list(row) for row in reach]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i][j] = min(d[i][j], max(d[i][k], d[k][j]))
    return d


def disco(X, labels, min_points=5):
    n, groups = len(X), clusters_of(labels)
    core = cores(X, min_points)
    reach = [[0.0 if i == j else max(core[i], core[j], dist(X[i], X[j])) for j in range(n)] for i in range(n)]
    d = minimax(reach)
    noise = [i for i in range(n) if labels[i] == -1]
    if not groups:
        return -1.0
    if len(groups) == 1 and not noise:
        return 0.0
    scores = []
    for i in range(n):
        if labels[i] == -1:
            values = []
            for group in groups:
                m = max(core[j] for j in group)
                far = min(d[i][j] for j in group)
                values += [share(core[i], m), share(far, m)]
            scores.append(min(values))
            continue
        own = next(g for g in groups if i in g)
        others = [g for g in groups if g is not own] or [[j] for j in noise]
        if len(own) == 1:
            scores.append(0.0)
            continue
        a = sum(d[i][j] for j in own if j != i) / (len(own) - 1)
        b = min(sum(d[i][j] for j in g) / len(g) for g in others)
        scores.append((b - a) / max(a, b) if max(a, b) > 0 else 0.0)
    return sum(scores) / n


def share(x, m):
    return (x - m) / max(x, m) if max(x, m) > 0 else 0.0


def dbcv(X, labels, *, squared=True):  # noqa: C901 - the definition has as many steps
    """Ties of reach broken by distance, then by the pair of points (Kruskal)."""
    p = len(X[0])
    groups = [g for g in clusters_of(labels) if len(g) > 1]
    if len(groups) < 2:
        return nan

    def delta(i, j):
        return dist(X[i], X[j]) ** 2 if squared else dist(X[i], X[j])

    sparseness, inner, core = [], [], {}
    for group in groups:
        for i in group:
            terms = [delta(i, j) for j in group if j != i and delta(i, j) > 0]
            if not terms:
                core[i] = 0.0
                continue
            least = min(terms)
            core[i] = least * (sum((least / t) ** p for t in terms) / (len(group) - 1)) ** (-1 / p)
        edges = sorted((max(core[i], core[j], delta(i, j)), delta(i, j), i, j) for i, j in combinations(group, 2))
        part = {i: i for i in group}
        tree = []
        for r, _, i, j in edges:
            a, b = part[i], part[j]
            if a != b:
                tree.append((r, i, j))
                part = {x: (a if y == b else y) for x, y in part.items()}
        degree = {i: sum(i in (a, b) for _, a, b in tree) for i in group}
        inside = [i for i in group if degree[i] != 1] or list(group)
        lengths = [r for r, a, b in tree if degree[a] != 1 and degree[b] != 1] or [r for r, _, _ in tree]
        sparseness.append(max(lengths))
        inner.append(inside)
    total = 0.0
    for a, group in enumerate(groups):
        separation = inf
        for b in range(len(groups)):
            if b != a:
                for i in inner[a]:
                    for j in inner[b]:
                        separation = min(separation, max(core[i], core[j], delta(i, j)))
        larger = max(separation, sparseness[a])
        if larger == 0:
            return nan
        total += len(group) * (separation - sparseness[a]) / larger
    return total / len(X)


def length(x, y):
    """Distance with squares added up in the order of the columns, so that ties are those of the library."""
    return sqrt(square(x, y))


def square(x, y):
    return sum((a - b) * (a - b) for a, b in zip(x, y, strict=True))


def spanning_tree(points, X):
    """Edges of a minimum spanning tree, shortest first (Kruskal)."""
    part = {i: i for i in points}
    tree = []
    for l, i, j in sorted((length(X[i], X[j]), i, j) for i, j in combinations(points, 2)):
        a, b = part[i], part[j]
        if a != b:
            tree.append(l)
            part = {x: (a if y == b else y) for x, y in part.items()}
    return tree


def dcsi(X, labels, min_points=5, combine="mean"):
    groups = clusters_of(labels)
    if len(groups) < 2 or any(len(g) <= 2 * min_points for g in groups):
        return nan
    cores_of, connection = [], []
    for group in groups:
        near = {i: sorted(length(X[i], X[j]) for j in group if j != i) for i in group}
        epsilon = median(near[i][2 * min_points - 1] for i in group)
        core = [i for i in group if near[i][min_points - 1] <= epsilon]
        cores_of.append(core)
        connection.append(max(spanning_tree(core, X), default=0.0))
    ratios, gaps = [], []
    for a, b in combinations(range(len(groups)), 2):
        gaps.append(min(length(X[i], X[j]) for i in cores_of[a] for j in cores_of[b]))
        ratios.append(connected(gaps[-1], max(connection[a], connection[b])))
    if combine == "global":
        return connected(min(gaps), max(connection))
    return sum(ratios) / len(ratios)


def connected(separation, connectedness):
    """The share q / (1 + q) of q = separation / connectedness."""
    if connectedness == 0:
        return 1.0 if separation > 0 else nan
    q = separation / connectedness
    return q / (1 + q)


def cvdd(X, labels, neighbours=7):
    X, labels = without_noise(X, labels)
    n, groups = len(X), clusters_of(labels)
    den = [sum(length(X[i], X[j]) for j in nearest(X, i, neighbours)) / min(neighbours, n - 1) for i in range(n)]
    if min(den) == 0:
        return nan
    reach = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            if i != j:
                unlike = abs(den[i] / den[j] + den[j] / den[i] - 2)
                reach[i][j] = length(X[i], X[j]) + (den[i] + den[j]) * (1 - exp(-unlike))
    d = minimax(reach)
    separation = compactness = 0.0
    for group in groups:
        separation += min(
            d[i][j] * sqrt(den[i] / max(den) * den[j] / max(den)) for i in group for j in range(n) if j not in group
        )
        inside = minimax([[length(X[i], X[j]) for j in group] for i in group])
        entries = [v for row in inside for v in row]
        mean = sum(entries) / len(entries)
        if len(group) > 1:
            spread = sqrt(sum((v - mean) ** 2 for v in entries) / (len(entries) - 1))
            compactness += spread * mean / len(group)
    return separation / compactness if compactness > 0 else inf


def scott(X):
    """Bandwidth of a kernel estimate by Scott's rule, one for all columns."""
    n, p = len(X), len(X[0])
    return sqrt(sum(variance(column) for column in zip(*X, strict=True)) / p) * n ** (-1 / (p + 4))


def viasckde(X, labels, bandwidth=0.05):
    X, labels = without_noise(X, labels)
    h = scott(X) if bandwidth == "scott" else bandwidth
    if h == 0:
        return 0.0  # all points are equal
    scores = []
    for group in clusters_of(labels):
        density = {
            i: 1 + fsum(exp(-((length(X[i], X[j]) / h) ** 2) / 2) for j in range(len(X)) if j != i) for i in group
        }
        low, high = min(density.values()), max(density.values())
        for i in group:
            own = min((length(X[i], X[j]) for j in group if j != i), default=nan)
            other = min(length(X[i], X[j]) for j in range(len(X)) if j not in group)
            larger = max(own, other)
            if len(group) == 1 or larger == 0 or high - low <= 1e-12 * high:
                scores.append(0.0)
            else:
                scores.append((other - own) / larger * (density[i] - low) / (high - low))
    return sum(scores) / len(scores)


def dsi(X, labels):
    X, labels = without_noise(X, labels)
    values = []
    for group in clusters_of(labels):
        within = [length(X[i], X[j]) for i, j in combinations(group, 2)]
        between = [length(X[i], X[j]) for i in group for j in range(len(X)) if j not in group]
        if not within:
            return nan
        values.append(
            max(
                abs(sum(d <= x for d in within) / len(within) - sum(d <= x for d in between) / len(between))
                for x in within + between
            )
        )
    return sum(values) / len(values)


def cdbw(X, labels, representatives=10):
    """The index, and its parts: cohesion, separation and compactness."""
    X, labels = without_noise(X, labels)
    groups = clusters_of(labels)
    k, p = len(groups), len(X[0])
    if any(len(g) == 1 for g in groups) or sum(all(X[i] == X[g[0]] for i in g) for g in groups) > 1:
        return {"cdbw": nan}
    centres = [[sum(X[i][q] for i in g) / len(g) for q in range(p)] for g in groups]
    sigma = [sqrt(sum(length(X[i], c) ** 2 for i in g) / (len(g) - 1)) for g, c in zip(groups, centres, strict=True)]
    chosen = []
    for group, centre in zip(groups, centres, strict=True):
        farthest = max(length(X[i], centre) for i in group)
        reps = [next(i for i in group if length(X[i], centre) * NEARLY >= farthest)]
        while len(reps) < representatives:
            near = {i: min(square(X[i], X[j]) for j in reps) for i in group}
            if max(near.values()) == 0:
                break
            reps.append(max(group, key=lambda i: (near[i], -i)))
        chosen.append(reps)
    density, distance = {}, {}
    for a, b in combinations(range(k), 2):
        to = {i: min(chosen[b], key=lambda j: (square(X[i], X[j]), chosen[b].index(j))) for i in chosen[a]}
        back = {j: min(chosen[a], key=lambda i: (square(X[i], X[j]), chosen[a].index(i))) for j in chosen[b]}
        mutual = [(i, j) for i, j in to.items() if back[j] == i]
        radius = (sigma[a] + sigma[b]) / 2
        both = groups[a] + groups[b]
        total = 0.0
        for i, j in mutual:
            middle = [(x + y) / 2 for x, y in zip(X[i], X[j], strict=True)]
            near = sum(length(X[m], middle) <= radius * NEARLY for m in both)
            total += length(X[i], X[j]) / (2 * radius) * near / len(both)
        density[a, b] = density[b, a] = total / len(mutual)
        distance[a, b] = distance[b, a] = sum(length(X[i], X[j]) for i, j in mutual) / len(mutual)
    inter = sum(max(density[a, b] for b in range(k) if b != a) for a in range(k)) / k
    separation = sum(min(distance[a, b] for b in range(k) if b != a) for a in range(k)) / k / (1 + inter)
    intra = []
    for step in range(1, 9):
        total = 0.0
        for group, reps, centre, radius in zip(groups, chosen, centres, sigma, strict=True):
            for i in reps:
                moved = [x + step / 10 * (c - x) for x, c in zip(X[i], centre, strict=True)]
                total += sum(length(X[m], moved) <= radius * NEARLY for m in group) / len(group) / len(reps)
        intra.append(total / k / (sum(sigma) / k))
    compactness = sum(intra) / len(intra)
    change = sum(abs(b - a) for a, b in pairwise(intra)) / (len(intra) - 1)
    cohesion = compactness / (1 + change)
    return {
        "cdbw": cohesion * separation * compactness,
        "cohesion": cohesion,
        "compactness": compactness,
        "sep": separation,
    }


def ordered_mean(values, word, smoothness):
    """The ordered weighted average of the values that a word names."""
    if word == "const":
        return 1.0
    if word == "mean":
        return sum(values) / len(values)
    ordered = sorted(values, reverse=word in ("max", "smax"))
    if word in ("min", "max"):
        return ordered[0]
    ordered = ordered[: 3 * smoothness]
    weights = [exp(-((place / smoothness) ** 2) / 2) for place in range(len(ordered))]
    return sum(w * v for w, v in zip(weights, ordered, strict=True)) / sum(weights)


def dunn_nn(X, labels, neighbours=25, numerator="smin", denominator="const", smoothness=5):
    X, labels = without_noise(X, labels)
    if any(len(g) <= neighbours for g in clusters_of(labels)):
        return nan
    own, other = [], []
    for i in range(len(X)):
        for j in nearest(X, i, neighbours):
            (own if labels[i] == labels[j] else other).append(length(X[i], X[j]))
    above = ordered_mean(other, numerator, smoothness) if other or numerator == "const" else inf
    below = ordered_mean(own, denominator, smoothness) if own or denominator == "const" else inf
    return above / below if below > 0 else inf if above > 0 else nan
