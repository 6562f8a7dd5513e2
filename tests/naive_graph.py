"""Graph indices from their definitions, in loops over pairs of vertices.

`A` is a list of rows; A[i][j] is the weight of the edge between i and j, A[i][i] twice that of a loop at i.
"""

from __future__ import annotations

import itertools
import math


def clusters(labels):
    return [[i for i, label in enumerate(labels) if label == name] for name in sorted(set(labels))]


def degree(A, i):
    return sum(A[i])


def cut(A, cluster):
    return sum(A[i][j] for i in cluster for j in range(len(A)) if j not in cluster)


def volume(A, cluster):
    return sum(degree(A, i) for i in cluster)


def modularity(A, labels, resolution=1.0):
    """Sum over all ordered pairs of vertices of one cluster of A_ij - gamma k_i k_j / 2m, over 2m (Newman's form)."""
    ends = sum(degree(A, i) for i in range(len(A)))
    total = 0.0
    for i, j in itertools.product(range(len(A)), repeat=2):
        if labels[i] == labels[j]:
            total += A[i][j] - resolution * degree(A, i) * degree(A, j) / ends
    return total / ends


def conductances(A, labels):
    values = []
    for cluster in clusters(labels):
        rest = [i for i in range(len(A)) if i not in cluster]
        smaller = min(volume(A, cluster), volume(A, rest))
        values.append(cut(A, cluster) / smaller if smaller else math.nan)
    return values


def conductance(A, labels):
    values = [value for value in conductances(A, labels) if not math.isnan(value)]
    return sum(values) / len(values) if values else math.nan


def normalized_cut(A, labels):
    if any(volume(A, cluster) == 0 for cluster in clusters(labels)):
        return math.nan
    return sum(cut(A, cluster) / volume(A, cluster) for cluster in clusters(labels))


def ratio_cut(A, labels):
    return sum(cut(A, cluster) / len(cluster) for cluster in clusters(labels))


def edges(A):
    """Return the pairs of vertices that an edge joins; loops join none."""
    return [(i, j) for i, j in itertools.combinations(range(len(A)), 2) if A[i][j] > 0]


def coverage(A, labels):
    loops = sum(A[i][i] / 2 for i in range(len(A)))
    inside = loops + sum(A[i][j] for i, j in edges(A) if labels[i] == labels[j])
    return inside / (loops + sum(A[i][j] for i, j in edges(A)))


def performance(A, labels):
    right = pairs = 0
    for i, j in itertools.combinations(range(len(A)), 2):
        right += (A[i][j] > 0) == (labels[i] == labels[j])
        pairs += 1
    return right / pairs if pairs else math.nan


def divergence(q, p):
    total = 0.0
    for share, expected in ((q, p), (1 - q, 1 - p)):
        if share > 0:
            total += share * math.log(share / expected) if expected > 0 else math.inf
    return total


def surprise(A, labels):
    joined = edges(A)
    weight = sum(A[i][j] for i, j in joined)
    if not weight:
        return math.nan
    pairs = list(itertools.combinations(labels, 2))
    inside = sum(A[i][j] for i, j in joined if labels[i] == labels[j])
    return weight * divergence(inside / weight, sum(a == b for a, b in pairs) / len(pairs))


def significance(A, labels):
    n = len(A)
    if n < 2:
        return math.nan
    density = len(edges(A)) / (n * (n - 1) / 2)
    total = 0.0
    for cluster in clusters(labels):
        pairs = list(itertools.combinations(cluster, 2))
        if pairs:
            total += len(pairs) * divergence(sum(A[i][j] > 0 for i, j in pairs) / len(pairs), density)
    return total


def pairings(ends):
    """Return every way to join ends in pairs."""
    if not ends:
        yield []
        return
    first, rest = ends[0], ends[1:]
    for at, other in enumerate(rest):
        for others in pairings(rest[:at] + rest[at + 1 :]):
            yield [(first, other), *others]


def matched(A, labels, name):
    """Return the mean, the standard deviation and the upper tail of the edges inside a cluster over all pairings."""
    ends = [labels[i] for i in range(len(A)) for j in range(len(A)) if i != j and A[i][j]]
    counts = [sum(a == b == name for a, b in pairing) for pairing in pairings(ends)]
    mean = sum(counts) / len(counts)
    observed = sum(labels[i] == labels[j] == name for i, j in edges(A))
    deviation = math.sqrt(sum((count - mean) ** 2 for count in counts) / len(counts))
    return mean, deviation, sum(count >= observed for count in counts) / len(counts)
