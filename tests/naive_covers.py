"""Indices of clusterings that overlap once more, straight from their formulas, in loops.

A and B are lists of sets of points, n the number of points, which are called 0 to n - 1.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import log


def shared(cover, i, j):
    return sum(i in cluster and j in cluster for cluster in cover)


def omega(A, B, n):
    pairs = list(combinations(range(n), 2))
    numbers = [(shared(A, *pair), shared(B, *pair)) for pair in pairs]
    observed = sum(a == b for a, b in numbers) / len(pairs)
    in_a, in_b = Counter(a for a, _ in numbers), Counter(b for _, b in numbers)
    expected = sum(in_a[t] * in_b[t] for t in in_a) / len(pairs) ** 2
    return (observed - expected) / (1 - expected)


def h(count, n):
    return -count / n * log(count / n) if count else 0.0


def entropy(cluster, n):
    return h(len(cluster), n) + h(n - len(cluster), n)


def left_open(X, cover, n):
    """Smallest conditional entropy of a cluster, given one of the other cover."""
    least = entropy(X, n)
    for Y in cover:
        both, only_x, only_y = len(X & Y), len(X - Y), len(Y - X)
        none = n - len(X | Y)
        if h(none, n) + h(both, n) >= h(only_x, n) + h(only_y, n):
            least = min(least, h(none, n) + h(both, n) + h(only_x, n) + h(only_y, n) - entropy(Y, n))
    return max(least, 0)


def onmi_lfk(A, B, n):
    means = [
        sum(left_open(X, other, n) / entropy(X, n) for X in cover) / len(cover) for cover, other in ((A, B), (B, A))
    ]
    return 1 - sum(means) / 2


def onmi_max(A, B, n):
    of_a, of_b = (sum(entropy(X, n) for X in cover) for cover in (A, B))
    open_a, open_b = (sum(left_open(X, other, n) for X in cover) for cover, other in ((A, B), (B, A)))
    return (of_a - open_a + of_b - open_b) / 2 / max(of_a, of_b)


def walk(cover, start, n, alpha):
    """Shares of time that a walk spends in each point, by repeated steps."""
    p = [float(i == start) for i in range(n)]
    for _ in range(2000):
        q = [(1 - alpha) * (i == start) for i in range(n)]
        for i in range(n):
            own = [cluster for cluster in cover if i in cluster]
            for cluster in own:
                for j in cluster:
                    q[j] += alpha * p[i] / len(own) / len(cluster)
        if max(abs(a - b) for a, b in zip(p, q, strict=True)) < 1e-15:
            return q
        p = q
    return p


def element_centric_overlap(A, B, n, alpha=0.9):
    total = 0.0
    for i in range(n):
        differences = (abs(a - b) for a, b in zip(walk(A, i, n, alpha), walk(B, i, n, alpha), strict=True))
        total += 1 - sum(differences) / (2 * alpha)
    return total / n


def bcubed_precision(A, B, n):
    total = 0.0
    for i in range(n):
        mates = [j for j in range(n) if shared(B, i, j)]
        total += sum(min(shared(A, i, j), shared(B, i, j)) / shared(B, i, j) for j in mates) / len(mates)
    return total / n


def bcubed_recall(A, B, n):
    return bcubed_precision(B, A, n)


def bcubed_f(A, B, n):
    p, r = bcubed_precision(A, B, n), bcubed_recall(A, B, n)
    return 2 * p * r / (p + r)


def best_match_f(A, B, _n):
    def best(X, cover):
        return max(2 * len(X & Y) / (len(X) + len(Y)) for Y in cover)

    return (sum(best(X, B) for X in A) / len(A) + sum(best(Y, A) for Y in B) / len(B)) / 2
