"""Many partitions of the same points: pairs of points by reading rows of one matrix of distances.

The matrix lies in strips of 16 columns, `D[strip, row, lane]`, so that a strip stays in the cache while one
partition after another adds, to each cluster, the rows of its points. Partitions may differ in their number of
clusters: partition b has its cluster limits at `starts[firsts[b]:]`, one more than it has clusters, and its
tables of k x k at `cells[b]`.

Distances are strict: squares are added in the order of dimensions, as SciPy does, so that equal distances stay
equal. Sums of ranks are whole numbers.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.points.sorted_rows import sort_codes
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, add, least, load, most, mul, splat, spread, store, strided, sub
from clustval.kernels.work.sizes import STRIP

ABREAST = 32  # dimensions, of which the coordinates of all points stay in the cache


@kernel
def distance_strip(columns, width, i0, count, factor, out):
    """Fill `out[row * STRIP + lane]` with the distances of all points to points i0 ... of a strip.

    They are so many times the sum of squares, or its root if the factor is 0. Columns hold X.T, flat, each with zeros
    up to `width`, a multiple of STRIP.
    """
    n = len(out) // STRIP
    p = len(columns) // width
    for begin in range(0, p, ABREAST):
        end = min(begin + ABREAST, p)
        for row in range(n):
            left = load(out, row * STRIP) if begin else splat(0.0)
            right = load(out, row * STRIP + WIDTH) if begin else splat(0.0)
            for at in range(begin * width, end * width, width):
                x = spread(columns, at + row)
                step = sub(load(columns, at + i0), x)
                left = add(left, mul(step, step))
                step = sub(load(columns, at + i0 + WIDTH), x)
                right = add(right, mul(step, step))
            store(out, row * STRIP, left)
            store(out, row * STRIP + WIDTH, right)
    for row in range(n):
        for at in range(row * STRIP, row * STRIP + count):
            out[at] = np.sqrt(out[at]) if factor == 0.0 else factor * out[at]
        out[row * STRIP + count : (row + 1) * STRIP] = 0.0


@kernel
def sort_by_cluster(codes, firsts, ks, order, starts):
    """List the points of each partition cluster by cluster."""
    for b in range(len(codes)):
        at = firsts[b]
        sort_codes(codes[b], order[b], starts[at : at + ks[b] + 1])


@kernel
def pair_tables(D, n, codes, order, firsts, starts, ks, cells, sums, mins, maxs, reach, own, nearest):
    """Fill, for each partition, the tables of cluster pairs and the two values of each point.

    `reach[a, b]` is how far the point of a farthest from b lies from its closest point of b; `own` adds the
    distances to the own cluster, `nearest` is the smallest mean distance to another. Tables must come with 0, or
    infinity for minima.
    """
    most_clusters = 0
    for k in ks:
        most_clusters = k if k > most_clusters else most_clusters
    total = np.empty(most_clusters * STRIP)
    low = np.empty(most_clusters * STRIP)
    high = np.empty(most_clusters * STRIP)
    best = np.empty(STRIP)
    strip = 0
    for i0 in range(0, n, STRIP):
        count = min(STRIP, n - i0)
        for b in range(len(order)):
            k = ks[b]
            for c in range(k):
                lo = starts[firsts[b] + c]
                hi = starts[firsts[b] + c + 1]
                for half in range(0, STRIP, 16):
                    s0 = splat(0.0)
                    s1 = splat(0.0)
                    l0 = splat(np.inf)
                    l1 = splat(np.inf)
                    h0 = splat(0.0)
                    h1 = splat(0.0)
                    for place in range(lo, hi):
                        at = strip + order[b, place] * STRIP + half
                        d0 = load(D, at)
                        d1 = load(D, at + 8)
                        s0 = add(s0, d0)
                        s1 = add(s1, d1)
                        l0 = least(l0, d0)
                        l1 = least(l1, d1)
                        h0 = most(h0, d0)
                        h1 = most(h1, d1)
                    at = c * STRIP + half
                    store(total, at, s0)
                    store(total, at + 8, s1)
                    store(low, at, l0)
                    store(low, at + 8, l1)
                    store(high, at, h0)
                    store(high, at + 8, h1)
            for i in range(count):
                a = codes[b, i0 + i]
                own[b, i0 + i] = total[a * STRIP + i]
                cell = cells[b] + a * k
                bulk = k // WIDTH * WIDTH
                for c in range(0, bulk, WIDTH):
                    at = c * STRIP + i
                    closest = strided(low, at, STRIP)
                    store(sums, cell + c, add(load(sums, cell + c), strided(total, at, STRIP)))
                    store(mins, cell + c, least(load(mins, cell + c), closest))
                    store(reach, cell + c, most(load(reach, cell + c), closest))
                    store(maxs, cell + c, most(load(maxs, cell + c), strided(high, at, STRIP)))
                # Always stored, for a branch that is taken now and then costs more than a store.
                for c in range(bulk, k):
                    at = c * STRIP + i
                    sums[cell + c] += total[at]
                    closest = low[at]
                    old = mins[cell + c]
                    mins[cell + c] = closest if closest < old else old
                    old = reach[cell + c]
                    reach[cell + c] = closest if closest > old else old
                    farthest = high[at]
                    old = maxs[cell + c]
                    maxs[cell + c] = farthest if farthest > old else old
                total[a * STRIP + i] = np.inf  # the own cluster is no neighbour
            for half in range(0, STRIP, 8):
                l0 = splat(np.inf)
                for c in range(k):
                    size = starts[firsts[b] + c + 1] - starts[firsts[b] + c]
                    l0 = least(l0, mul(load(total, c * STRIP + half), splat(1.0 / size)))
                store(best, half, l0)
            for i in range(count):
                nearest[b, i0 + i] = best[i]
        strip += n * STRIP
    for b in range(len(order)):
        close_tables(cells[b], ks[b], sums, mins, maxs, reach)


@kernel
def close_tables(cell, k, sums, mins, maxs, reach):
    """Mirror the tables of one partition; on the diagonal each pair counts once and no cluster is its neighbour."""
    for a in range(k):
        sums[cell + a * k + a] /= 2
        mins[cell + a * k + a] = np.inf
        reach[cell + a * k + a] = 0.0
        for c in range(a):
            sums[cell + a * k + c] = sums[cell + c * k + a]
            mins[cell + a * k + c] = mins[cell + c * k + a]
            maxs[cell + a * k + c] = maxs[cell + c * k + a]
