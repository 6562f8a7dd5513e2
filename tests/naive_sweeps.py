"""Indices of a sweep once more, straight from their formulas, in loops.

A sweep is a dictionary from k to labels (lists). Values come back by k; NaN where a formula says nothing, or where it
needs a partition that is not there.
"""

import math
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
from naive import NAN, as_points, centroid, clusters, dist, divide, far, log, mean, spread


def change(before, after):
    """The difference, 0 if it is but rounding."""
    return 0.0 if abs(before - after) <= 1e-13 * abs(before) else before - after


# Sums of squares


def within(X, labels):
    """W: squared distances of the points to the centre of their cluster."""
    return float(sum(sum(spread(points)) for points in clusters(X, labels)))


def total(X):
    """T, which is W of one cluster."""
    return float(sum(spread(as_points(X))))


def at(X, sweep, k):
    """W_k of a sweep; of one cluster it can always be had."""
    if k == 1:
        return total(X)
    return within(X, sweep[k]) if k in sweep else NAN


def hartigan(X, sweep):
    """(W_k / W_{k+1} - 1) (n - k - 1): Hartigan (1975)."""
    return {
        k: NAN if len(X) - k - 1 < 1 else (divide(at(X, sweep, k), at(X, sweep, k + 1)) - 1) * (len(X) - k - 1)
        for k in sweep
    }


def krzanowski_lai(X, sweep):
    """|DIFF_k / DIFF_{k+1}| with DIFF_k = (k-1)^(2/p) W_{k-1} - k^(2/p) W_k: Krzanowski and Lai (1988)."""
    p = len(X[0])

    def diff(k):
        return change((k - 1) ** (2 / p) * at(X, sweep, k - 1), k ** (2 / p) * at(X, sweep, k))

    return {k: NAN if k == 1 else abs(divide(diff(k), diff(k + 1))) for k in sweep}


def jump(X, sweep):
    """d_k^-Y - d_{k-1}^-Y with d = W / (n p), Y = p / 2 and d_0^-Y = 0: Sugar and James (2003)."""
    n, p = len(X), len(X[0])

    def power(k):
        if k == 0:
            return 0.0
        d = at(X, sweep, k) / (n * p)
        return math.inf if d == 0 else d ** (-p / 2)

    return {k: NAN if power(k) == power(k - 1) == math.inf else power(k) - power(k - 1) for k in sweep}


# Values of one partition


def rmsstd(X, labels):
    """sqrt(W / (p (n - K))): Sharma (1996)."""
    return math.sqrt(divide(within(X, labels), len(X[0]) * (len(X) - len(clusters(X, labels)))))


def r_squared(X, labels):
    """1 - W / T."""
    return 1 - divide(within(X, labels), total(X))


def lebart_d(X, labels):
    """Mean over clusters of the mean distance to the centre."""
    return mean(mean(far(x, centroid(points)) for x in points) for points in clusters(X, labels))


def ball_hall_sums(X, labels):
    """W / k, the Ball index of NbClust."""
    return within(X, labels) / len(clusters(X, labels))


def ccc(X, labels):
    """Cubic clustering criterion: Sarle (1983)."""
    n, k = len(X), len(clusters(X, labels))
    centred = np.array([[float(x - g) for x, g in zip(point, centroid(as_points(X)), strict=True)] for point in X])
    s = np.sqrt(np.maximum(np.linalg.eigvalsh(centred.T @ centred / (n - 1)), 0))[::-1].tolist()
    star = 0
    for q in range(1, min(len(s), k - 1) + 1):
        c = (math.prod(s[:q]) / k) ** (1 / q)
        if c > 0 and s[q - 1] / c >= 1 - 1e-12:  # roots of eigenvalues are rounded
            star = q
    if star == 0:
        return NAN
    c = (math.prod(s[:star]) / k) ** (1 / star)
    u = [each / c for each in s]
    inner = sum(1 / (n + each) for each in u[:star]) + sum(each**2 / (n + each) for each in u[star:])
    expected = 1 - inner / sum(each**2 for each in u) * ((n - k) ** 2 / n) * (1 + 4 / n)
    base = 0.001 + expected
    if base <= 0:
        return NAN
    ratio = divide(1 - expected, divide(within(X, labels), total(X)))
    return log(ratio) * math.sqrt(n * star / 2) / base**1.2


# Nested splits


def split(sweep, k):
    """Points of the cluster that is cut in two between k and k + 1, as two lists of positions; None if not nested."""
    if k not in sweep or k + 1 not in sweep:
        return None
    parents = {}
    for coarse, fine in zip(sweep[k], sweep[k + 1], strict=True):
        parents.setdefault(fine, set()).add(coarse)
    if any(len(found) > 1 for found in parents.values()):
        return None
    (cut,) = [c for c in set(sweep[k]) if [found.copy().pop() for found in parents.values()].count(c) == 2]
    halves = [fine for fine, found in parents.items() if found == {cut}]
    return [[i for i, label in enumerate(sweep[k + 1]) if label == half] for half in halves]


def errors(X, halves):
    """J1, J2 and n_m of a split cluster."""
    X = as_points(X)
    a, b = ([X[i] for i in half] for half in halves)
    return float(sum(spread(a + b))), float(sum(spread(a)) + sum(spread(b))), len(a) + len(b)


def critical_ratio(n, p):
    """1 - 2/(pi p) - 3.20 sqrt(2 (1 - 8/(pi^2 p)) / (n p))."""
    return 1 - 2 / (math.pi * p) - 3.20 * math.sqrt(2 * (1 - 8 / (math.pi**2 * p)) / (n * p))


def duda_hart(X, sweep):
    """J2 / J1 with its critical value: Duda and Hart (1973)."""
    found = {}
    for k in sweep:
        halves = split(sweep, k)
        if halves is None:
            found[k] = (NAN, NAN)
            continue
        one, two, n = errors(X, halves)
        found[k] = divide(two, one), critical_ratio(n, len(X[0]))
    return found


def pseudo_t2(X, sweep):
    """(J1 - J2) / (J2 / (n_m - 2)) with its critical value."""
    found = {}
    for k in sweep:
        halves = split(sweep, k)
        if halves is None:
            found[k] = (NAN, NAN)
            continue
        one, two, n = errors(X, halves)
        c = critical_ratio(n, len(X[0]))
        found[k] = (NAN if n <= 2 else divide(one - two, two / (n - 2))), (1 - c) / c * (n - 2)
    return found


def beale(X, sweep):
    """((J1 - J2) / J2) / (((n_m - 1) / (n_m - 2)) (2^(2/p) - 1)), with its p-value: Beale (1969)."""
    from scipy.stats import f

    found, p = {}, len(X[0])
    for k in sweep:
        halves = split(sweep, k)
        if halves is None or len(halves[0]) + len(halves[1]) <= 2:
            found[k] = (NAN, NAN)
            continue
        one, two, n = errors(X, halves)
        value = divide(divide(one - two, two), (n - 1) / (n - 2) * (2 ** (2 / p) - 1))
        found[k] = value, float(f.sf(value, p, (n - 2) * p))
    return found


def mean_distances(X, labels):
    """Mean distance of two points of different clusters, and of two of one."""
    between, inside = [], []
    for (a, x), (b, y) in combinations(zip(labels, as_points(X), strict=True), 2):
        (inside if a == b else between).append(dist(x, y))
    return mean(between), mean(inside)


def frey(X, sweep):
    """Change of the mean distance between clusters over that of the mean distance inside: Frey (1972)."""
    found = {}
    for k in sweep:
        if split(sweep, k) is None:
            found[k] = NAN
            continue
        (b, w), (b_next, w_next) = mean_distances(X, sweep[k]), mean_distances(X, sweep[k + 1])
        found[k] = divide(b_next - b, w_next - w)
    return found


# Others


def distances_to_centres(X, labels):
    return sum(far(x, centroid(points)) for points in clusters(X, labels) for x in points)


def starczewski(X, sweep):
    """(E_k - E_{k-1}) (D_{k+1} - D_k): Starczewski (2017)."""

    def e(k):
        if k == 1:
            return 1.0
        labels = sweep.get(k)
        return NAN if labels is None else divide(distances_to_centres(X, [0] * len(X)), distances_to_centres(X, labels))

    def d(k):
        if k == 1:
            return 0.0
        if k not in sweep:
            return NAN
        gaps = [far(a, b) for a, b in combinations([centroid(points) for points in clusters(X, sweep[k])], 2)]
        return divide(max(gaps), min(gaps))

    return {k: NAN if k == 1 else change(e(k), e(k - 1)) * (d(k + 1) - d(k)) for k in sweep}


def nearest(X, i, neighbours):
    """The nearest other points of a point; of equally near ones the first."""
    X = as_points(X)
    others = [j for j in range(len(X)) if j != i]
    return sorted(others, key=lambda j: (dist(X[i], X[j]), j))[:neighbours]


def cvnn(X, sweep, neighbours=10, *, pooled=False):
    """Sep / max Sep + Com / max Com: Liu et al. (2013); Com pooled over all pairs as Hennig has it."""
    separations, compactnesses = {}, {}
    near = [nearest(X, i, neighbours) for i in range(len(X))]
    for k, labels in sweep.items():
        shares = {c: [] for c in labels}
        for i, c in enumerate(labels):
            shares[c].append(mean(labels[j] != c for j in near[i]))
        separations[k] = max(mean(each) for each in shares.values())
        pairs = [[dist(a, b) for a, b in combinations(points, 2)] for points in clusters(X, labels)]
        if pooled:
            compactnesses[k] = mean(d for inside in pairs for d in inside)
        else:
            compactnesses[k] = sum(mean(inside) if inside else 0.0 for inside in pairs)
    most, widest = max(separations.values()), max(compactnesses.values())
    return {k: (separations[k] / most if most else 0.0) + divide(compactnesses[k], widest) for k in sweep}


# Kneedle


def kneedle(k, values, sensitivity=1.0):
    """Position of the first knee of a convex falling curve, or None: Satopää et al. (2011), offline, not smoothed."""
    x = [Fraction(each - k[0]) / (k[-1] - k[0]) for each in k]
    low, high = Fraction(min(values)), Fraction(max(values))
    if low == high:
        return None
    d = [1 - (Fraction(value) - low) / (high - low) - a for value, a in zip(values, x, strict=True)]
    threshold = Fraction(sensitivity) * mean_step(x)
    maxima = [i for i in range(1, len(d) - 1) if d[i] >= d[i - 1] and d[i] >= d[i + 1]]
    for number, i in enumerate(maxima):
        following = maxima[number + 1] if number + 1 < len(maxima) else len(d) - 1
        if any(d[j] < d[i] - threshold for j in range(i + 1, following + 1)):
            return i
    return None


def mean_step(x):
    return sum((b - a for a, b in pairwise(x)), start=Fraction(0)) / (len(x) - 1)
