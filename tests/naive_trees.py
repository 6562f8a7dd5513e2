"""Indices of hierarchies from their definitions, in plain loops: no statistic, no array, no shortcut.

A linkage is a list of merges (one, other, height, count) as SciPy writes it; points are numbered from 0.
"""

from __future__ import annotations

import math
from itertools import combinations, permutations


def members(Z):
    """Return the points of every cluster, by its number: first the points, then the merges in order."""
    found = [[i] for i in range(len(Z) + 1)]
    for one, other, *_ in Z:
        found.append(found[int(one)] + found[int(other)])
    return found


def clusters(Z, k):
    """Return the k clusters that are left after the first n - k merges."""
    n = len(Z) + 1
    current = {i: [i] for i in range(n)}
    for step, (one, other, *_) in enumerate(Z[: n - k]):
        current[n + step] = current.pop(int(one)) + current.pop(int(other))
    return [set(points) for points in current.values()]


def pairs(Z):
    return list(combinations(range(len(Z) + 1), 2))


def merge_of(Z, i, j):
    """Return the number of the merge after which two points are together."""
    n, groups = len(Z) + 1, members(Z)
    for step in range(len(Z)):
        if i in groups[n + step] and j in groups[n + step]:
            return step
    raise AssertionError


def cophenetic(Z):
    """Return, for every pair, the height at which it comes together."""
    return [Z[merge_of(Z, i, j)][2] for i, j in pairs(Z)]


def most_clusters(Z):
    """Return, for every pair, the largest number of clusters at which it is together."""
    n = len(Z) + 1
    return [max(k for k in range(1, n + 1) if any({i, j} <= c for c in clusters(Z, k))) for i, j in pairs(Z)]


def pearson(x, y):
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    if max(x) == min(x) or max(y) == min(y):
        return math.nan
    xx = math.fsum((a - mean_x) ** 2 for a in x)
    yy = math.fsum((b - mean_y) ** 2 for b in y)
    return math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / math.sqrt(xx * yy)


def mid_ranks(values):
    """Return the rank of each value, the mean rank where several are equal."""
    return [sum(v < value for v in values) + (sum(v == value for v in values) + 1) / 2 for value in values]


def cophenetic_correlation(Z, X):
    return pearson([math.dist(X[i], X[j]) for i, j in pairs(Z)], cophenetic(Z))


def cophenetic_tree_correlation(one, other):
    return pearson(cophenetic(one), cophenetic(other))


def agglomerative_coefficient(Z):
    n, last = len(Z) + 1, Z[-1][2]
    if last == 0:
        return math.nan
    first = [next(height for one, other, height, _ in Z if i in (one, other)) for i in range(n)]
    return sum(1 - height / last for height in first) / n


def comparisons(one, other):
    """Return how many pairs of pairs both trees order alike, and how many they order against each other."""
    x, y = most_clusters(one), most_clusters(other)
    alike = against = 0
    for a, b in combinations(range(len(x)), 2):
        product = (x[a] - x[b]) * (y[a] - y[b])
        alike += product > 0
        against += product < 0
    return alike, against


def baker_gamma(one, other):
    alike, against = comparisons(one, other)
    return (alike - against) / (alike + against) if alike + against else math.nan


def baker_spearman(one, other):
    return pearson(mid_ranks(most_clusters(one)), mid_ranks(most_clusters(other)))


def leaves(Z):
    """Return the points from left to right, the first cluster of each merge on the left."""
    n = len(Z) + 1

    def below(cluster):
        if cluster < n:
            return [cluster]
        one, other, *_ = Z[cluster - n]
        return below(int(one)) + below(int(other))

    return below(2 * n - 2)


def entanglement(one, other, power=1.5):
    left, right = leaves(one), leaves(other)
    n = len(left)
    apart = sum(abs(left.index(i) - right.index(i)) ** power for i in range(n))
    return apart / sum(abs(place - (n - 1 - place)) ** power for place in range(n))


def of_cells(rows, columns):
    """Return B_k of two lists of clusters, by the numbers of points that they share."""
    n = sum(map(len, rows))
    T = sum(len(r & c) ** 2 for r in rows for c in columns) - n
    P, Q = (sum(len(c) ** 2 for c in side) - n for side in (rows, columns))
    return T / math.sqrt(P * Q) if P * Q else math.nan


def fowlkes_mallows_bk(one, other, k):
    return of_cells(clusters(one, k), clusters(other, k))


def bk_moments(one, other, k):
    """Return mean and variance of B_k over all ways to give the points of the second tree other numbers."""
    rows, columns = clusters(one, k), clusters(other, k)
    n = sum(map(len, rows))
    values = [of_cells(rows, [{order[i] for i in c} for c in columns]) for order in permutations(range(n))]
    mean = math.fsum(values) / len(values)
    return mean, math.fsum((v - mean) ** 2 for v in values) / len(values)


def bk_moments_by_formula(one, other, k):
    """Return mean and variance of B_k with the formulas of Fowlkes and Mallows (1983), for four points or more."""
    sizes = [[len(c) for c in clusters(tree, k)] for tree in (one, other)]
    n = sum(sizes[0])
    P, Q = (sum(a * (a - 1) for a in side) for side in sizes)
    P3, Q3 = (sum(a * (a - 1) * (a - 2) for a in side) for side in sizes)
    two, three = n * (n - 1), n * (n - 1) * (n - 2)
    four = three * (n - 3)
    mean = math.sqrt(P * Q) / two
    apart = (P - 2 - 4 * P3 / P) * (Q - 2 - 4 * Q3 / Q) / four
    return mean, 2 / two + 4 * P3 * Q3 / (three * P * Q) + apart - P * Q / two**2
