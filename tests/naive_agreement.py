"""External indices of the second wave once more, straight from their definitions, in loops over points and labellings.

Slow and literal, for tests only. Means and variances by chance are taken over every arrangement of the labels, or over
every clustering of the points, which is why points must be few.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations, permutations

NAN = math.nan


def divide(a, b):
    return a / b if b else NAN


def rand(truth, labels):
    """Share of the pairs on which both labellings agree."""
    pairs = list(combinations(range(len(truth)), 2))
    agreeing = sum((truth[i] == truth[j]) == (labels[i] == labels[j]) for i, j in pairs)
    return Fraction(agreeing, len(pairs)) if pairs else NAN


def together(truth, labels):
    """Pairs together in both labellings."""
    pairs = combinations(range(len(truth)), 2)
    return sum(truth[i] == truth[j] and labels[i] == labels[j] for i, j in pairs)


def members(labels):
    """The points of each cluster, clusters in the order of their names."""
    return [{i for i, name in enumerate(labels) if name == cluster} for cluster in sorted(set(labels))]


def mutual_info(truth, labels):
    n = len(truth)
    terms = [
        len(a & b) / n * math.log(n * len(a & b) / (len(a) * len(b)))
        for a in members(truth)
        for b in members(labels)
        if a & b
    ]
    return math.fsum(terms)


def entropy(labels):
    return -math.fsum(len(c) / len(labels) * math.log(len(c) / len(labels)) for c in members(labels))


# --- from points -----------------------------------------------------------------------------------------


def element_centric_points(truth, labels):
    """1 - half the distance of where walks inside the clusters of a point end (Gates et al. 2019)."""
    values = []
    for i in range(len(truth)):
        a = [j for j in range(len(truth)) if truth[j] == truth[i]]
        b = [j for j in range(len(truth)) if labels[j] == labels[i]]
        apart = sum(abs((j in a) / len(a) - (j in b) / len(b)) for j in range(len(truth)))
        values.append(1 - apart / 2)
    return values


def element_centric(truth, labels):
    values = element_centric_points(truth, labels)
    return sum(values) / len(values)


def modified_adjusted_rand(truth, labels, *, raw=False):
    """Sundqvist et al. (2023): the pairs expected together come from pairs of pairs without a common point."""
    n = len(truth)
    pairs = list(combinations(range(n), 2))
    one = [p for p in pairs if truth[p[0]] == truth[p[1]]]
    other = [p for p in pairs if labels[p[0]] == labels[p[1]]]
    disjoint = sum(not set(p) & set(q) for p in one for q in other)
    others = (n - 2) * (n - 3) // 2
    if n < 4:
        return NAN
    expected = Fraction(disjoint, others)
    above = together(truth, labels) - expected
    return float(above / len(pairs)) if raw else divide(above, Fraction(len(one) + len(other), 2) - expected)


# --- over every arrangement of the labels ----------------------------------------------------------------


def arrangements(labels):
    return list(permutations(labels))


def adjusted_fowlkes_mallows(truth, labels):
    """(F - E) / (1 - E), E over all arrangements (Hubert and Arabie 1985)."""

    def fm(one, other):
        t, c = together(one, one), together(other, other)
        return divide(together(one, other), math.sqrt(t * c))

    values = [fm(truth, other) for other in arrangements(labels)]
    mean = sum(values) / len(values)
    return divide(fm(truth, labels) - mean, 1 - mean) if abs(1 - mean) > 1e-12 else NAN


def pair_agreement_moments(truth, labels):
    """Mean and variance of the pairs together in both."""
    values = [together(truth, other) for other in arrangements(labels)]
    mean = Fraction(sum(values), len(values))
    return mean, Fraction(sum(v * v for v in values), len(values)) - mean**2


def pair_agreement_z(truth, labels):
    mean, variance = pair_agreement_moments(truth, labels)
    return divide(float(together(truth, labels) - mean), math.sqrt(variance))


def standardized_mutual_info(truth, labels):
    """Romano et al. (2014)."""
    values = [mutual_info(truth, other) for other in arrangements(labels)]
    mean = math.fsum(values) / len(values)
    variance = math.fsum((v - mean) ** 2 for v in values) / len(values)
    return (mutual_info(truth, labels) - mean) / math.sqrt(variance) if variance > 1e-15 else NAN


# --- over every clustering of the points -----------------------------------------------------------------


def clusterings(n):
    """Every clustering of n points, as labels numbered in the order in which clusters appear."""
    if n == 0:
        return [()]
    return [(*c, k) for c in clusterings(n - 1) for k in range(max(c, default=-1) + 2)]


def _adjusted(truth, labels, one, other):
    value = rand(truth, labels)
    if len(truth) < 2:
        return NAN
    means = [rand(a, b) for a in one for b in other]
    mean = Fraction(sum(means), len(means))
    return divide(value - mean, 1 - mean)


def _alike(labels):
    """All clusterings with as many clusters."""
    return [c for c in clusterings(len(labels)) if len(set(c)) == len(set(labels))]


def adjusted_rand_num(truth, labels):
    return _adjusted(truth, labels, _alike(truth), _alike(labels))


def adjusted_rand_all(truth, labels):
    return _adjusted(truth, labels, clusterings(len(truth)), clusterings(len(truth)))


def adjusted_rand_num_labels_only(truth, labels):
    return _adjusted(truth, labels, [truth], _alike(labels))


def adjusted_rand_all_labels_only(truth, labels):
    return _adjusted(truth, labels, [truth], clusterings(len(truth)))


# --- information -----------------------------------------------------------------------------------------


def normalized_information_distance(truth, labels):
    """1 - I / max(H(T), H(C)), 0 where there is no entropy."""
    largest = max(entropy(truth), entropy(labels))
    return 1 - mutual_info(truth, labels) / largest if largest else 0.0


def tables(rows, columns):
    """How many tables of whole numbers have these sums of rows and columns."""
    if not rows:
        return int(not any(columns))

    def ways(left, columns):
        """Every way to take so many points from the columns."""
        if len(columns) == 1:
            return [(columns[0] - left,)] if left <= columns[0] else []
        first, *rest = columns
        return [(first - x, *others) for x in range(min(left, first) + 1) for others in ways(left - x, rest)]

    return sum(tables(rows[1:], left) for left in ways(rows[0], list(columns)))


def log_tables(a, b):
    """The approximation of Newman, Cantwell and Young (2020) to the logarithm of that number."""
    n, r, s = sum(a), len(a), len(b)
    w = n / (n + r * s / 2)
    x = [(1 - w) / r + w * size / n for size in a]
    y = [(1 - w) / s + w * size / n for size in b]
    mu = (r + 1) / (r * sum(v * v for v in y)) - 1 / r
    nu = (s + 1) / (s * sum(v * v for v in x)) - 1 / s
    logs = (r - 1) * (s - 1) * math.log(n + r * s / 2)
    logs += (r + nu - 2) / 2 * sum(math.log(v) for v in y) + (s + mu - 2) / 2 * sum(math.log(v) for v in x)
    gammas = math.lgamma(mu * r) + math.lgamma(nu * s)
    gammas -= r * (math.lgamma(mu) + math.lgamma(s)) + s * (math.lgamma(nu) + math.lgamma(r))
    return logs + gammas / 2


def reduced_information(truth, labels):
    """What labellings share, less the logarithm of the number of tables, at most that of labellings, per point."""
    n = len(truth)
    a, b = ([len(c) for c in members(side)] for side in (truth, labels))
    if n in (len(a), len(b)) or 1 in (len(a), len(b)):
        return 0.0
    factorial = math.lgamma(n + 1)
    rows, columns = (sum(math.lgamma(size + 1) for size in sizes) for sizes in (a, b))
    cells = sum(math.lgamma(len(p & q) + 1) for p in members(truth) for q in members(labels))
    most = min(log_tables(a, b), factorial - rows, factorial - columns)
    return (factorial + cells - rows - columns - most) / n


def reduced_mutual_info(truth, labels):
    whole = (reduced_information(truth, truth) + reduced_information(labels, labels)) / 2
    return reduced_information(truth, labels) / whole if whole > 0 else NAN


# --- matched clusters ------------------------------------------------------------------------------------


def larsen_aone(truth, labels):
    """Sum over classes of their share, times the F of the cluster that fits best (Larsen and Aone 1999)."""
    return sum(
        len(a) / len(truth) * max(2 * len(a & b) / (len(a) + len(b)) for b in members(labels)) for a in members(truth)
    )


def meila_heckerman(truth, labels):
    """Greedy matching: the largest overlap first, of equals the first row, then the first column."""
    left = {(i, j): len(a & b) for i, a in enumerate(members(truth)) for j, b in enumerate(members(labels))}
    total = 0
    while left:
        (i, j), shared = max(left.items(), key=lambda cell: (cell[1], -cell[0][0], -cell[0][1]))
        total += shared
        left = {cell: count for cell, count in left.items() if cell[0] != i and cell[1] != j}
    return total / len(truth)


def transfer_distance(truth, labels):
    """Fewest points that change their cluster, over every one-to-one naming (Régnier 1965)."""
    classes, clusters = members(truth), members(labels)
    if len(classes) > len(clusters):
        classes, clusters = clusters, classes
    kept = max(
        sum(len(a & b) for a, b in zip(classes, order, strict=True)) for order in permutations(clusters, len(classes))
    )
    return float(len(truth) - kept)


def nearest(a, clusters):
    """Which cluster has the largest Jaccard share with a; of equals the larger, then the first."""
    return max(range(len(clusters)), key=lambda j: (len(a & clusters[j]) / len(a | clusters[j]), len(clusters[j]), -j))


def centroid_index(truth, labels):
    """Clusters that no cluster of the other side is nearest to, both ways, the larger number (Fränti et al. 2014)."""
    one, other = members(truth), members(labels)
    orphans = [len(to) - len({nearest(c, to) for c in frm}) for frm, to in ((one, other), (other, one))]
    return float(max(orphans))


INDICES = {
    function.__name__: function
    for function in (
        element_centric, modified_adjusted_rand, adjusted_fowlkes_mallows, pair_agreement_z, standardized_mutual_info,
        adjusted_rand_num, adjusted_rand_all, adjusted_rand_num_labels_only, adjusted_rand_all_labels_only,
        normalized_information_distance, reduced_mutual_info, larsen_aone, meila_heckerman, transfer_distance,
        centroid_index,
    )
}  # fmt: skip
