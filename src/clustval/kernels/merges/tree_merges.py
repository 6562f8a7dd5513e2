"""Pairs of points by the merges that join them, in one tree and in another, or in one tree and by their distance."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel

LIMB = 20  # bits: products of two counts of pairs outgrow 64 from 90,000 points on, so they are summed in two parts
REST = (1 << LIMB) - 1


@kernel
def shared_merges(order, spans, joined, marks, latest, weighed):
    """Count the pairs that merge t of one tree and merge s of another join, for all t and s, in one sweep each t.

    `order` and `spans` are of the first tree, `joined` of the second. Fills in `latest` (n - 1) with the pairs whose
    later merge, of both trees, is each, and `weighed` (t, mark) with the sums of marks (s, mark) of the second tree
    over the pairs of each merge of the first. Returns how many pairs of pairs both trees join in the same order, and
    how many in opposite orders, each as a sum of remainders and one of quotients by 2**LIMB.
    """
    n = len(order)
    ones = np.zeros(2 * n - 1, dtype=np.int64)
    others = np.zeros(2 * n - 1, dtype=np.int64)
    earlier = np.zeros(n - 1, dtype=np.int64)  # pairs of earlier merges of the first tree, by merge of the second
    total = 0
    alike_rest, alike, against_rest, against = 0, 0, 0, 0
    for t in range(n - 1):
        begin, middle, end = spans[t]
        for place in range(begin, middle):
            ones[order[place]] = 1
        for place in range(middle, end):
            others[order[place]] = 1
        left, right = middle - begin, end - middle
        before = 0
        for s in range(n - 1):
            a, b = joined[s, 0], joined[s, 1]
            ones[n + s] = ones[a] + ones[b]
            others[n + s] = others[a] + others[b]
            count = ones[a] * others[b] + ones[b] * others[a]
            here = earlier[s]
            if count > 0:
                after = total - before - here
                alike_rest += count * (before & REST)
                alike += count * (before >> LIMB)
                against_rest += count * (after & REST)
                against += count * (after >> LIMB)
                latest[max(s, t)] += count
                for mark in range(marks.shape[1]):
                    weighed[t, mark] += count * marks[s, mark]
                earlier[s] = here + count
                if ones[n + s] == left and others[n + s] == right:
                    break  # all points of this merge are together, and so are its pairs
            before += here
        total += left * right
        for place in range(begin, middle):
            ones[order[place]] = 0
        for place in range(middle, end):
            others[order[place]] = 0
    return alike_rest, alike, against_rest, against


@kernel
def leaf_sums(columns, lo, hi, joints, deviations, origin):
    """Return the sums of distances less the origin, of their squares, and of their products with heights.

    They are over pairs of points lo ... hi-1 with all on their right. `columns` are coordinates from left to right, so
    that the distances of a point vectorise.
    """
    p, n = columns.shape
    row = np.empty(n)
    sums, squares, products = 0.0, 0.0, 0.0
    for i in range(lo, min(hi, n - 1)):
        rest = row[: n - 1 - i]
        rest[:] = 0.0
        for j in range(p):
            x = columns[j, i]
            others = columns[j, i + 1 :]
            for c in range(len(rest)):
                step = others[c] - x
                rest[c] += step * step
        for c in range(len(rest)):
            rest[c] = np.sqrt(rest[c]) - origin
        latest = -1
        row_sum, row_squares, row_products = 0.0, 0.0, 0.0
        for c in range(len(rest)):
            latest = max(latest, joints[i + c])
            d = rest[c]
            row_sum += d
            row_squares += d * d
            row_products += d * deviations[latest]
        sums += row_sum
        squares += row_squares
        products += row_products
    return sums, squares, products
