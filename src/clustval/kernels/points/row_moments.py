"""One pass over rows in any order: means of the clusters, squared deviations from them, and the range of columns.

Each row adds to the table of its own cluster, so that nothing is sorted or copied. Rows lie one after another, flat,
and are taken eight columns at a time, or four if there are no more; lanes behind the last column reach into the next
row, and what they add up is not read. Rows may be of 32 bits; sums are of 64.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.labels.numbering import code_few
from clustval.kernels.points.sorted_rows import about_mean
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, add, fma, least, load, load_half, load_widened, most, splat, store, sub

FEW = 16  # rows of a cluster from which its mean is guessed
ADDED = 2**10  # rows that are added up at a time: long sums would lose digits
TABLES = 4  # rows that follow each other add to tables of their own, so that none waits for the one before
FEW_CLUSTERS = 64  # of more, rows that follow each other are seldom of one cluster
LOST = 8.0  # times that squares about a guess may be larger than those about the mean: so many digits are lost
LOOKS = 4  # at the rows, at most: the second is about means, the third corrects them where the guess was very far off
NARROW = WIDTH // 2  # columns that half the lanes hold
STRIPS = 16  # of eight rows each, whose range is taken before the next columns are


@kernel
def lanes_of(p):
    """Return how many lanes p columns take."""
    return (p + WIDTH - 1) // WIDTH * WIDTH


# --- the range of columns --------------------------------------------------------------------------------


@kernel
def widen_ranges(X, p, lo, hi, sums, lows, highs):
    """Add the numbers of rows lo ... hi-1, and widen their range, by place in eight rows: place q is of column q % p.

    NaN may show in the sums alone.
    """
    strip = WIDTH * p
    bulk = lo * p + (hi - lo) // WIDTH * strip
    for top in range(lo * p, bulk, STRIPS * strip):
        for at in range(0, strip, WIDTH):
            total, low, high = load(sums, at), load(lows, at), load(highs, at)
            for i in range(top + at, min(top + STRIPS * strip, bulk), strip):
                x = load(X, i)
                total, low, high = add(total, x), least(low, x), most(high, x)
            store(sums, at, total)
            store(lows, at, low)
            store(highs, at, high)
    for i in range(bulk, hi * p):
        x = X[i]
        sums[i - bulk] += x
        lows[i - bulk] = min(lows[i - bulk], x)
        highs[i - bulk] = max(highs[i - bulk], x)


@kernel
def ranges_of_rows(X, p, lo, hi, table):
    """Fill the sum, the smallest and the largest number of each column of rows lo ... hi-1 (3, p)."""
    places = WIDTH * p
    sums, lows, highs = np.empty(places), np.empty(places), np.empty(places)
    for at in range(places):  # loops, where slices would take the compiler seconds
        sums[at], lows[at], highs[at] = 0.0, np.inf, -np.inf
    widen_ranges(X, p, lo, hi, sums, lows, highs)
    for j in range(p):
        total, low, high = sums[j], lows[j], highs[j]
        for at in range(j + p, places, p):
            total += sums[at]
            low, high = min(low, lows[at]), max(high, highs[at])
        table[0, j], table[1, j], table[2, j] = total, low, high


@kernel
def centre(table, n):
    """Turn sums of columns of n rows into means that lie between lows and highs.

    Return the sum of all numbers, the smallest and the largest.
    """
    total, low, high = 0.0, np.inf, -np.inf
    for j in range(table.shape[1]):
        total += table[0, j]
        low = min(low, table[1, j])
        high = max(high, table[2, j])
        table[0, j] = min(max(table[0, j] / n, table[1, j]), table[2, j])
    return total, low, high


@kernel
def columns_of_rows(X, p, table):
    """Fill mean, smallest and largest of each column (3, p); return the sum of all numbers, the least, the largest."""
    n = len(X) // p
    ranges_of_rows(X, p, 0, n, table)
    return centre(table, n)


# --- moments ---------------------------------------------------------------------------------------------


@kernel
def guess_means(X, codes, p, pivots, firsts):
    """Fill the mean of the first few rows of each cluster, in lanes, and the number of its first row; -1 if none."""
    k, wide = len(firsts), lanes_of(p)
    counts = np.zeros(k, np.int64)
    for at in range(len(pivots)):
        pivots[at] = 0.0
    for c in range(k):
        firsts[c] = -1
    short = k
    for i in range(len(codes)):
        c = codes[i]
        if counts[c] == FEW:
            continue
        if counts[c] == 0:
            firsts[c] = i
        counts[c] += 1
        for j in range(p):
            pivots[c * wide + j] += X[i * p + j]
        if counts[c] == FEW:
            short -= 1
            if short == 0:
                break
    for c in range(k):
        for at in range(c * wide, c * wide + p):
            pivots[at] /= max(counts[c], 1)


@kernel(inline=True)
def columns_at(X, single, narrow, i):
    """Return eight columns from X[i] on, four unless `narrow` is None; `single` is None unless X is of 32 bits."""
    if narrow is not None:
        return load_half(X, i)
    return load(X, i) if single is None else load_widened(X, i)


@kernel(inline=True)
def _add_row(X, single, narrow, i, pivots, pivot, parts, at, size):
    """Add columns of a row, less those of a pivot, and their squares, to those at a place; return the columns."""
    x = columns_at(X, single, narrow, i)
    d = sub(x, columns_at(pivots, None, narrow, pivot))
    store(parts, at, add(columns_at(parts, None, narrow, at), d))
    store(parts, at + size, fma(d, d, columns_at(parts, None, narrow, at + size)))
    return x


@kernel(inline=True)
def _add_four(X, single, narrow, i, p, pivots, a, b, c, d, parts, apart, size):
    """Add columns, from X[i] on, of four rows of clusters at a ... d; return the smallest and largest numbers."""
    w = _add_row(X, single, narrow, i, pivots, a, parts, a, size)
    x = _add_row(X, single, narrow, i + p, pivots, b, parts, b + apart, size)
    y = _add_row(X, single, narrow, i + 2 * p, pivots, c, parts, c + 2 * apart, size)
    z = _add_row(X, single, narrow, i + 3 * p, pivots, d, parts, d + 3 * apart, size)
    return least(least(w, x), least(y, z)), most(most(w, x), most(y, z))


@kernel
def add_deviations(X, single, codes, p, lo, hi, pivots, sums, squares, lows, highs):
    """Add the deviations of rows lo ... hi-1 from a point near the mean of their cluster, and their squares.

    Pivots, sums and squares are flat, in lanes, those of each cluster side by side. `single` is None unless X is of 32
    bits. Widen the range of columns, in lanes, unless it is None; NaN may show in the sums alone.
    """
    size, wide = len(sums), lanes_of(p)
    k, strips = size // wide, wide // WIDTH
    tables = TABLES if k <= FEW_CLUSTERS else 1
    few = max(ADDED, tables * k)
    parts = np.empty(2 * tables * size)
    apart = 2 * size if tables > 1 else 0
    inside = (len(X) - wide) // p + 1  # rows whose lanes end before the last number does
    low, high = splat(np.inf), splat(-np.inf)  # of up to eight columns
    for begin in range(lo, hi, few):
        for at in range(len(parts)):
            parts[at] = 0.0
        end = min(begin + few, hi)
        bulk = max(min(end, inside), begin)
        bulk -= (bulk - begin) % TABLES
        if p <= NARROW and single is None:
            for i in range(begin, bulk, TABLES):
                a, b, c, d = codes[i] * WIDTH, codes[i + 1] * WIDTH, codes[i + 2] * WIDTH, codes[i + 3] * WIDTH
                few_least, few_most = _add_four(X, None, True, i * p, p, pivots, a, b, c, d, parts, apart, size)
                if lows is not None:
                    store(lows, 0, least(load_half(lows, 0), few_least))
                    store(highs, 0, most(load_half(highs, 0), few_most))
        elif strips == 1:
            for i in range(begin, bulk, TABLES):
                a, b, c, d = codes[i] * WIDTH, codes[i + 1] * WIDTH, codes[i + 2] * WIDTH, codes[i + 3] * WIDTH
                smallest, largest = _add_four(X, single, None, i * p, p, pivots, a, b, c, d, parts, apart, size)
                if lows is not None:
                    low, high = least(low, smallest), most(high, largest)
        else:
            for i in range(begin, bulk, TABLES):
                a, b, c, d = codes[i] * wide, codes[i + 1] * wide, codes[i + 2] * wide, codes[i + 3] * wide
                for strip in range(strips):
                    j = strip * WIDTH
                    smallest, largest = _add_four(
                        X, single, None, i * p + j, p, pivots, a + j, b + j, c + j, d + j, parts, apart, size
                    )
                    if lows is not None:
                        store(lows, j, least(load(lows, j), smallest))
                        store(highs, j, most(load(highs, j), largest))
        for i in range(bulk, end):
            own = codes[i] * wide
            for j in range(p):
                number = np.float64(X[i * p + j])
                step = number - pivots[own + j]
                parts[own + j] += step
                parts[size + own + j] += step * step
                if lows is not None:
                    lows[j], highs[j] = min(lows[j], number), max(highs[j], number)
        for table in range(tables):
            at = 2 * table * size
            for place in range(size):
                sums[place] += parts[at + place]
                squares[place] += parts[at + size + place]
    if lows is not None:
        store(lows, 0, least(load(lows, 0), low))
        store(highs, 0, most(load(highs, 0), high))


@kernel
def settle(sizes, p, pivots, sums, squares, last):
    """Turn sums of deviations into drifts, the steps from guesses to means, and squares into those about the means.

    Squares about a point off the mean by `drift` are too large by n drift**2. Where a guess was so bad that squares
    lost digits, and this is not the last look, move guesses to the means and return True. Means are not written down
    elsewhere: far from 0 they would be rounded to few digits.
    """
    wide, lost = lanes_of(p), False
    for c in range(len(sizes)):
        n = max(sizes[c], 1)
        for at in range(c * wide, c * wide + p):
            drift = sums[at] / n
            shift = n * (drift * drift)
            sums[at] = drift
            squares[at] = max(squares[at] - shift, 0.0)
            lost |= shift > LOST * squares[at] and pivots[at] + drift != pivots[at]
    if last or not lost:
        return False
    for c in range(len(sizes)):
        for at in range(c * wide, c * wide + p):
            pivots[at] += sums[at]
    return True


@kernel
def from_origin(X, p, n, sizes, firsts, pivots, drifts, squares, columns, rounding, table):
    """Fill means from the origin (k, p), squares (k, p), and how far points reach from it (p,), in one table.

    Behind them are the rows that `about_mean` returns. `columns` are the origin, the smallest and the largest number
    of each column. Where squares are but rounding, points are equal: the mean is the first of them.
    Return the sums of the squares within clusters and between them.
    """
    k, wide = len(sizes), lanes_of(p)
    reach = table[2 * k]
    for j in range(p):
        reach[j] = max(columns[2, j] - columns[0, j], columns[0, j] - columns[1, j])
    for c in range(k):
        for j in range(p):
            table[c, j] = table[k + c, j] = 0.0
            if sizes[c] == 0:
                continue
            least_spread = rounding * reach[j]
            at = c * wide + j
            if squares[at] <= sizes[c] * (least_spread * least_spread):
                table[c, j] = X[firsts[c] * p + j] - columns[0, j]
            else:
                table[c, j] = pivots[at] - columns[0, j] + drifts[at]
                table[k + c, j] = squares[at]
    mean, offsets, between, total = about_mean(sizes, table[:k], table[k : 2 * k], n, rounding, reach)
    within_all = between_all = 0.0
    for j in range(p):
        between_all += between[j]
        table[2 * k + 1, j], table[2 * k + 2, j], table[2 * k + 3, j] = mean[j], between[j], total[j]
        for c in range(k):
            table[2 * k + 4 + c, j] = offsets[c, j]
            within_all += table[k + c, j]
    return within_all, between_all


@kernel
def moments_of_rows(X, codes, p, sizes, columns, rounding, table):
    """Fill what `from_origin` fills, of rows that one call sees, and return what it returns."""
    k, n = len(sizes), len(codes)
    pivots, firsts = np.empty(k * lanes_of(p)), np.empty(k, np.int64)
    guess_means(X, codes, p, pivots, firsts)
    sums, squares = np.empty(len(pivots)), np.empty(len(pivots))
    for look in range(LOOKS):
        for at in range(len(sums)):
            sums[at] = squares[at] = 0.0
        add_deviations(X, None, codes, p, 0, n, pivots, sums, squares, None, None)
        if not settle(sizes, p, pivots, sums, squares, look == LOOKS - 1):
            break
    return from_origin(X, p, n, sizes, firsts, pivots, sums, squares, columns, rounding, table)


@kernel
def labelled_moments(X, labels, p, widest, rounding, codes, names, sizes, columns, table):
    """Fill what `code_few`, `columns_of_rows` and `moments_of_rows` fill, and return what they return.

    Nothing is added up where there is noise, or no room for the clusters.
    """
    k, whole = code_few(labels, widest, codes, names, sizes)
    if not whole or k > len(names):
        return k, whole, np.nan, np.nan, np.nan, np.nan, np.nan
    total, low, high = columns_of_rows(X, p, columns)
    within, between = moments_of_rows(X, codes, p, sizes[:k], columns, rounding, table)
    return k, whole, total, low, high, within, between
