"""How far the mutual information of random tables scatters."""

import numpy as np

from clustval.kernels.labels.cells import _excess
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import NEGLIGIBLE


@kernel
def mean_excess(points, size, drawn):
    """Return the mean of m ((1 + d) log(1 + d) - d), d = x/m - 1, of hypergeometric x with mean m.

    Of so many points, `size` are in a cluster and `drawn` are drawn; x of them are both. Probabilities are walked
    outwards from the likeliest x by their ratios.
    """
    m = size * drawn / points
    if m == 0.0:
        return 0.0
    rest = points - size - drawn
    low, high = max(0.0, -rest), min(size, drawn)
    start = min(max(np.floor((size + 1.0) * (drawn + 1.0) / (points + 2.0)), low), high)
    mass, mean = 1.0, _excess((start - m) / m)
    weight, x = 1.0, start
    while x < high and weight > mass * NEGLIGIBLE:
        x += 1.0
        weight *= (size - x + 1.0) * (drawn - x + 1.0) / (x * (rest + x))
        mass += weight
        mean += weight * _excess((x - m) / m)
    weight, x = 1.0, start
    while x > low and weight > mass * NEGLIGIBLE:
        weight *= x * (rest + x) / ((size - x + 1.0) * (drawn - x + 1.0))
        x -= 1.0
        mass += weight
        mean += weight * _excess((x - m) / m)
    return m * mean / mass


@kernel
def excess_tables(a, longest, n):
    """Return the mean excess of a cluster of size a[j] among K of the points outside one of size a[i] (i, j, K)."""
    tables = np.zeros((len(a), len(a), longest + 1))
    for i in range(len(a)):
        for j in range(len(a)):
            if a[i] + a[j] <= n:
                for size in range(1, min(longest, int(n - a[i])) + 1):
                    tables[i, j, size] = mean_excess(n - a[i], float(size), a[j])
    return tables


@kernel
def _rest(i, own, left, a, times, other, tables, n):
    """Return the mean excess of all other cells of a line, whose `left` points are dealt out among other clusters."""
    total = 0.0
    for j in range(len(a)):
        count = times[j] - (1 if j == i else 0)
        if count:
            expected = a[j] * other / n
            m = a[j] * left / (n - own)
            total += count * (tables[i, j, int(left)] + expected * _excess((m - expected) / expected))
    return total


@kernel
def second_moment(a, times_a, b, times_b, n):
    """Return the mean of the square of n I, the mutual information in nats, of random tables with these sizes.

    n I is a sum over cells of m ((1 + d) log(1 + d) - d). Of two cells, the first in column j and the second in row i,
    both are independent once the count of cell (i, j) is known: given it, the product of the sums over its column and
    over its row has for its mean the product of their means.
    """
    rows = excess_tables(a, int(b.max()), n)
    columns = excess_tables(b, int(a.max()), n)
    total = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            m = a[i] * b[j] / n
            rest = n - a[i] - b[j]
            low, high = max(0.0, -rest), min(a[i], b[j])
            start = min(max(np.floor((a[i] + 1.0) * (b[j] + 1.0) / (n + 2.0)), low), high)
            mass, mean = 0.0, 0.0
            for direction in (1.0, -1.0):
                weight, x = 1.0, start
                while True:
                    if direction > 0 or x != start:
                        own = m * _excess((x - m) / m)
                        column = own + _rest(i, a[i], b[j] - x, a, times_a, b[j], rows, n)
                        row = own + _rest(j, b[j], a[i] - x, b, times_b, a[i], columns, n)
                        mass += weight
                        mean += weight * column * row
                    if x == (high if direction > 0 else low) or weight <= mass * NEGLIGIBLE:
                        break
                    if direction > 0:
                        x += 1.0
                        weight *= (a[i] - x + 1.0) * (b[j] - x + 1.0) / (x * (rest + x))
                    else:
                        weight *= x * (rest + x) / ((a[i] - x + 1.0) * (b[j] - x + 1.0))
                        x -= 1.0
            total += times_a[i] * times_b[j] * mean / mass
    return total
