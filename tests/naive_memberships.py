"""Indices of memberships once more, straight from their formulas, in loops.

X are lists of points, U lists of memberships, V centres, m the fuzzifier. Nothing here is shared with the package.
"""

from __future__ import annotations

from itertools import combinations, product
from math import dist, exp, log, prod, sqrt
from statistics import median


def means(X, U, m):
    """Mean of the points by memberships to the power m, for each cluster."""
    return [
        [sum(u[k] ** m * x[d] for x, u in zip(X, U, strict=True)) / sum(u[k] ** m for u in U) for d in range(len(X[0]))]
        for k in range(len(U[0]))
    ]


def middle(X):
    return [sum(column) / len(X) for column in zip(*X, strict=True)]


def terms(X, U, V, power):
    """Memberships to a power and squared distances, for all points and clusters."""
    for k, v in enumerate(V):
        for x, u in zip(X, U, strict=True):
            yield k, u[k] ** power, dist(x, v) ** 2


def gaps(V):
    return [dist(v, w) ** 2 for v, w in combinations(V, 2)]


def partition_coefficient(_X, U, _V, _m):
    return sum(u * u for row in U for u in row) / len(U)


def modified_partition_coefficient(X, U, V, m):
    c = len(U[0])
    return 1 - c / (c - 1) * (1 - partition_coefficient(X, U, V, m))


def partition_entropy(_X, U, _V, _m):
    return -sum(u * log(u) for row in U for u in row if u > 0) / len(U)


def fuzzy_xie_beni(X, U, V, m):
    return sum(w * d for _, w, d in terms(X, U, V, m)) / (len(X) * min(gaps(V)))


def fukuyama_sugeno(X, U, V, m):
    mean = middle(V)
    return sum(w * d - w * dist(V[k], mean) ** 2 for k, w, d in terms(X, U, V, m))


def kwon(X, U, V, _m):
    inside = sum(w * d for _, w, d in terms(X, U, V, 2))
    return (inside + sum(dist(v, middle(X)) ** 2 for v in V) / len(V)) / min(gaps(V))


def tang(X, U, V, _m):
    c = len(V)
    inside = sum(w * d for _, w, d in terms(X, U, V, 2))
    between = sum(dist(v, w) ** 2 for v, w in product(V, V)) / (c * (c - 1))
    return (inside + between) / (min(gaps(V)) + 1 / c)


def pbmf(X, U, V, m):
    away = sum(dist(x, middle(X)) for x in X)
    return (away / len(V) * sqrt(max(gaps(V))) / sum(w * sqrt(d) for _, w, d in terms(X, U, V, m))) ** 2


def pcaes(X, U, V, _m):
    sharp = [sum(u[k] ** 2 for u in U) for k in range(len(V))]
    beta = sum(dist(v, middle(X)) ** 2 for v in V) / len(V)
    total = 0.0
    for k, v in enumerate(V):
        nearest = min(dist(v, w) ** 2 for at, w in enumerate(V) if at != k)
        total += sharp[k] / min(sharp) - exp(-nearest / beta)
    return total


def wu_li(X, U, V, _m):
    inside = 0.0
    for k in range(len(V)):
        size = sum(u[k] for u in U)
        inside += sum(w * d for at, w, d in terms(X, U, V, 2) if at == k) / size
    return inside / (min(gaps(V)) + median(gaps(V)))


def fuzzy_calinski_harabasz(X, U, V, m):
    n, c = len(X), len(V)
    between = sum(w * dist(V[k], middle(X)) ** 2 for k, w, _ in terms(X, U, V, m))
    return (between / (c - 1)) / (sum(w * d for _, w, d in terms(X, U, V, m)) / (n - c))


def bouguessa_wang_sun(X, U, V, m):
    between = sum(w * dist(V[k], middle(X)) ** 2 for k, w, _ in terms(X, U, V, m))
    return between / sum(sum(F[d][d] for d in range(len(F))) for F in covariances(X, U, V, m))


def covariances(X, U, V, m):
    p = range(len(X[0]))
    matrices = []
    for k, v in enumerate(V):
        mass = sum(u[k] ** m for u in U)
        matrices.append(
            [
                [sum(u[k] ** m * (x[d] - v[d]) * (x[e] - v[e]) for x, u in zip(X, U, strict=True)) / mass for e in p]
                for d in p
            ]
        )
    return matrices


def eliminated(F, rhs):
    """Determinant of F, and the solution of F y = rhs, by Gaussian elimination."""
    rows = [[*row, right] for row, right in zip(F, rhs, strict=True)]
    n, sign = len(rows), 1.0
    for d in range(n):
        pivot = max(range(d, n), key=lambda at: abs(rows[at][d]))
        if pivot != d:
            rows[d], rows[pivot], sign = rows[pivot], rows[d], -sign
        for at in range(d + 1, n):
            factor = rows[at][d] / rows[d][d]
            rows[at] = [a - factor * b for a, b in zip(rows[at], rows[d], strict=True)]
    solution = [0.0] * n
    for d in reversed(range(n)):
        solution[d] = (rows[d][n] - sum(rows[d][e] * solution[e] for e in range(d + 1, n))) / rows[d][d]
    return sign * prod(rows[d][d] for d in range(n)), solution


def volumes_and_members(X, U, V, m):
    volumes, members = [], []
    for k, (v, F) in enumerate(zip(V, covariances(X, U, V, m), strict=True)):
        volumes.append(sqrt(eliminated(F, v)[0]))
        inside = 0.0
        for x, u in zip(X, U, strict=True):
            step = [a - b for a, b in zip(x, v, strict=True)]
            if sum(a * b for a, b in zip(step, eliminated(F, step)[1], strict=True)) < 1:
                inside += u[k]
        members.append(inside)
    return volumes, members


def fuzzy_hypervolume(X, U, V, m):
    return sum(volumes_and_members(X, U, V, m)[0])


def partition_density(X, U, V, m):
    volumes, members = volumes_and_members(X, U, V, m)
    return sum(members) / sum(volumes)


def average_partition_density(X, U, V, m):
    volumes, members = volumes_and_members(X, U, V, m)
    return sum(s / v for s, v in zip(members, volumes, strict=True)) / len(V)


def fuzzy_silhouette(X, U, _V, _m):
    labels = [row.index(max(row)) for row in U]
    above = below = 0.0
    for i, x in enumerate(X):
        largest, second = sorted(U[i], reverse=True)[:2]
        distances = {k: [dist(x, y) for j, y in enumerate(X) if labels[j] == k and j != i] for k in set(labels)}
        own = distances.pop(labels[i])
        s = 0.0
        if own:
            a, b = sum(own) / len(own), min(sum(d) / len(d) for d in distances.values())
            s = (b - a) / max(a, b)
        above += (largest - second) * s
        below += largest - second
    return above / below


# --- comparing memberships -------------------------------------------------------------------------------


def alike(U):
    return [1 - sum(abs(a - b) for a, b in zip(u, v, strict=True)) / 2 for u, v in combinations(U, 2)]


def ndc(U, V):
    pairs = list(zip(alike(U), alike(V), strict=True))
    return 1 - sum(abs(a - b) for a, b in pairs) / len(pairs)


def aci(U, V):
    every = [abs(a - b) for a in alike(U) for b in alike(V)]
    e = 1 - sum(every) / len(every)
    return (ndc(U, V) - e) / (1 - e)


NORMS = {"minimum": min, "product": lambda a, b: a * b, "lukasiewicz": lambda a, b: max(a + b - 1, 0)}


def counts(U, V, norm="minimum"):
    T = NORMS[norm]
    degrees = []
    for W in (U, V):
        k = range(len(W[0]))
        same = [max(T(u[a], v[a]) for a in k) for u, v in combinations(W, 2)]
        apart = [max((T(u[a], v[b]) for a in k for b in k if a != b), default=0) for u, v in combinations(W, 2)]
        degrees.append((same, apart))
    (same, apart), (other_same, other_apart) = degrees
    sums = [(same, other_same), (same, other_apart), (apart, other_same), (apart, other_apart)]
    return [sum(map(T, *both)) for both in sums]


def fuzzy_rand(U, V, norm="minimum"):
    a, b, c, d = counts(U, V, norm)
    return (a + d) / (a + b + c + d)


def fuzzy_adjusted_rand(U, V, norm="minimum"):
    a, b, c, d = counts(U, V, norm)
    e = (a + b) * (a + c) / (a + b + c + d)
    return (a - e) / ((a + b + a + c) / 2 - e)


def fuzzy_jaccard(U, V, norm="minimum"):
    a, b, c, _ = counts(U, V, norm)
    return a / (a + b + c)


def soft_adjusted_rand(U, V):
    n = len(U)
    cells = [[sum(u[k] * v[j] for u, v in zip(U, V, strict=True)) for j in range(len(V[0]))] for k in range(len(U[0]))]
    a = sum(x * (x - 1) / 2 for row in cells for x in row)
    b = sum(x * (x - 1) / 2 for x in map(sum, cells))
    c = sum(x * (x - 1) / 2 for x in map(sum, zip(*cells, strict=True)))
    e = b * c / (n * (n - 1) / 2)
    return (a - e) / ((b + c) / 2 - e)
