"""Indices of density and connectivity in plain loops, from their printed definitions."""

from __future__ import annotations

from itertools import combinations
from math import dist, inf, nan


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
