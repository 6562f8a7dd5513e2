"""Hennig's statistics and the four random clusterings in plain loops, from their definitions."""

from __future__ import annotations

from itertools import combinations
from math import floor, fsum, inf, isnan, log, nan, sqrt
from statistics import stdev

TENTH = 0.1  # share of the points, and of the distances, that are the smallest


def clusters_of(labels):
    """The points of each cluster, by position; -1 is noise."""
    return [[i for i, l in enumerate(labels) if l == name] for name in sorted(set(labels) - {-1})]


def matrix_of(X):
    return [[distance(x, y) for y in X] for x in X]


def distance(x, y):
    """Squares are added in the order of the dimensions, so that all agree on which distances are equal."""
    total = 0.0
    for a, b in zip(x, y, strict=True):
        total += (a - b) * (a - b)
    return sqrt(total)


def mean(values):
    return fsum(values) / len(values) if values else nan


def quantile(values, share):
    """Between the two order statistics that the place falls on (type 7)."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def within(group, d):
    return [d[i][j] for i, j in combinations(group, 2)]


def ratio(a, b):
    return a / b if b else (inf if a > 0 else nan)


def statistics(d, labels, neighbours=2):
    """The raw value of each statistic, from the distances of the clustered points."""
    kept = [i for i, l in enumerate(labels) if l != -1]
    d = [[d[i][j] for j in kept] for i in kept]
    labels = [labels[i] for i in kept]
    groups, n = clusters_of(labels), len(labels)
    pairs = list(combinations(range(n), 2))
    largest = max(d[i][j] for i, j in pairs)
    foreign = [min((d[i][j] for j in range(n) if labels[j] != labels[i]), default=inf) for i in range(n)]
    many = [group for group in groups if len(group) > 1]
    raw = {
        "avewithin": ratio(fsum(len(g) * mean(within(g, d)) for g in many), sum(map(len, many))),
        "maxdiameter": max((max(within(g, d)) for g in many), default=0.0),
        "widestgap": max((max(edges(g, d)) for g in many), default=0.0),
        "minsep": min(foreign),
        "sindex": mean([v for g in groups for v in smallest([foreign[i] for i in g])]),
        "pamc": fsum(min(fsum(d[i][j] for j in g) for i in g) for g in groups) / n,
    }
    raw = {name: ratio(value, largest) for name, value in raw.items()}
    raw["asw"] = mean([silhouette(i, groups, d) for i in range(n)])
    raw["pearson_gamma"] = (correlation([(d[i][j], labels[i] != labels[j]) for i, j in pairs]) + 1) / 2
    raw["entropy"] = ratio(-fsum(len(g) / n * log(len(g) / n) for g in groups), log(len(groups)))
    squares = fsum(fsum(v * v for v in within(g, d)) / len(g) for g in groups)
    raw["withinss"] = ratio(squares, fsum(d[i][j] ** 2 for i, j in pairs) / n)
    raw |= neighbour_distances(groups, d, neighbours)
    raw |= densities(groups, labels, d, largest)
    return raw


def oriented(d, labels, neighbours=2):
    """Every statistic from 0 to 1, the larger the better."""
    larger = {"minsep", "sindex", "asw", "pearson_gamma", "entropy"}
    raw = statistics(d, labels, neighbours)
    turned = {name: value if name in larger else 1 - value for name, value in raw.items()}
    return {name: nan if isnan(v) else min(max(v, 0.0), 1.0) for name, v in turned.items()}


def smallest(values):
    limit = quantile(values, TENTH)
    return [v for v in values if v <= limit]


def edges(group, d):
    """Edges of the minimum spanning tree (Kruskal)."""
    home = {i: i for i in group}
    lengths = []
    for i, j in sorted(combinations(group, 2), key=lambda pair: d[pair[0]][pair[1]]):
        if home[i] != home[j]:
            lengths.append(d[i][j])
            old = home[j]
            home = {point: home[i] if name == old else name for point, name in home.items()}
    return lengths


def silhouette(i, groups, d):
    own = next(group for group in groups if i in group)
    others = [group for group in groups if group is not own]
    if len(own) == 1 or not others:
        return 0.0
    a = fsum(d[i][j] for j in own) / (len(own) - 1)
    b = min(mean([d[i][j] for j in group]) for group in others)
    return (b - a) / max(a, b) if max(a, b) > 0 else 0.0


def correlation(pairs):
    x, y = [v for v, _ in pairs], [float(v) for _, v in pairs]
    mx, my = mean(x), mean(y)
    cross = fsum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    spread = sqrt(fsum((a - mx) ** 2 for a in x) * fsum((b - my) ** 2 for b in y))
    return cross / spread if spread > 0 else nan


def neighbour_distances(groups, d, neighbours):
    """Mean distance to a neighbour inside the cluster over the largest among all points, and how much it varies."""
    n = sum(map(len, groups))
    large = [group for group in groups if len(group) > neighbours]
    by_cluster = [[neighbour_distance(i, g, d, neighbours) for i in g] for g in large]
    every = [v for values in by_cluster for v in values]
    if not every:
        return {"mnnd": nan, "cvnnd": nan}
    largest = max(neighbour_distance(i, range(n), d, neighbours) for i in range(n))
    spread = fsum(len(v) * ratio(stdev(v), mean(v)) for v in by_cluster)
    return {"mnnd": ratio(mean(every), largest), "cvnnd": spread / len(every) / sqrt(n)}


def neighbour_distance(i, points, d, number):
    return sorted(d[i][j] for j in points if j != i)[number - 1]


def densities(groups, labels, d, largest):
    n = len(labels)
    q = quantile([d[i][j] for i, j in combinations(range(n), 2)], TENTH)
    if q == 0:
        return dict.fromkeys(("denscut", "dindex", "highdgap"), nan)

    def near(i, j):
        return max(0.0, 1 - d[i][j] / q)

    h = [fsum(near(i, j) for j in range(n)) for i in range(n)]
    top = max(h)
    foreign = [fsum(near(i, j) for j in range(n) if labels[j] != labels[i]) for i in range(n)]
    cut = fsum(h[i] / top * foreign[i] / top for i in range(n)) / n
    penalty, gap = 0.0, 0.0
    for group in groups:
        for last, new, rest in growth(group, h, d):
            rise = (h[new] - h[last]) / top
            penalty += rise**2 if rise > 0 else 0.0
            gap = max(gap, d[last][new] * max(h[i] for i in rest) / top)
    return {"denscut": cut, "dindex": sqrt(penalty / n), "highdgap": gap / largest}


def growth(group, h, d):
    """From the mode of a cluster: the next point, the one it is nearest to, and all that are not yet taken up.

    Of points equally near the first in the input; it hangs on the one that was taken up first.
    """
    most = max(h[i] for i in group)
    mode = next(i for i in group if h[i] >= most * (1 - 1e-12))
    taken, rest, steps = [mode], [i for i in group if i != mode], []
    while rest:
        new, last = min(((i, j) for i in rest for j in taken), key=lambda p: (d[p[0]][p[1]], p[0], taken.index(p[1])))
        steps.append((last, new, list(rest)))
        taken.append(new)
        rest.remove(new)
    return steps


def random_clustering(d, seeds, way):
    """The cluster of each point; cluster c is that of seed c."""
    n, k = len(d), len(seeds)
    if way == "centroids":
        return [seeds.index(i) if i in seeds else min(range(k), key=lambda c: d[i][seeds[c]]) for i in range(n)]
    how = {"nearest": min, "furthest": max, "average": lambda values: sum(values) / len(values)}[way]
    members = [[seed] for seed in seeds]
    rest = [i for i in range(n) if i not in seeds]
    while rest:
        pairs = [(how([d[i][j] for j in members[c]]), i, c) for i in rest for c in range(k)]
        _, new, c = min(pairs)
        members[c].append(new)
        rest.remove(new)
    return [next(c for c in range(k) if i in members[c]) for i in range(n)]
