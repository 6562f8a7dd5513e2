"""Pairs of points by the merges that join them: of two trees at once, or of a tree beside distances.

Points stand from left to right as a tree has them, and the merge that joins two is the latest one between them.
No n x n array is built: a merge of one tree meets the merges of the other as a row, distances come in blocks of rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds

CELLS = 2**18  # distances at a time
COPIES = 6  # arrays of their size that a block of distances needs
Rows = Callable[[int, int], Floats]  # distances of points lo ... hi-1, from left to right, to all from lo + 1 on


# --- two trees -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SharedPairs:
    """What the merges that join each pair of points in two trees leave behind."""

    latest: Integers  # pairs, by the later of the two merges: so many merges make them be together in both trees
    weighed: Floats  # (merges, marks): over the pairs of a merge of the first tree, sum of the marks of the second
    alike: int  # pairs of pairs that both trees join in the same order
    against: int  # pairs of pairs that they join in opposite orders


def shared_pairs(
    order: Integers, spans: Integers, joined: Integers, other_order: Integers, other_spans: Integers, marks: Floats
) -> SharedPairs:
    """Meet every merge of one tree, given by its order and spans, with all merges of another.

    `joined` has the two clusters of each merge of the second tree, and `marks` (merges, marks) values of it.
    """
    if len(order) <= thresholds.MERGES:
        return shared_pairs_numpy(order, spans, other_order, other_spans, marks)
    latest, weighed = np.zeros(len(spans), dtype=np.int64), np.zeros(marks.shape)
    alike_rest, alike, against_rest, against = kernels.merges.tree_merges.shared_merges(
        order, spans, joined, marks, latest, weighed
    )
    return SharedPairs(
        latest,
        weighed,
        (alike << kernels.merges.tree_merges.LIMB) + alike_rest,
        (against << kernels.merges.tree_merges.LIMB) + against_rest,
    )


def shared_pairs_numpy(
    order: Integers, spans: Integers, other_order: Integers, other_spans: Integers, marks: Floats
) -> SharedPairs:
    """Return what `shared_pairs` returns, in plain NumPy: points of a cluster are counted from left to right."""
    merges = len(spans)
    places = np.argsort(other_order)
    begin, middle, end = other_spans.T
    latest, weighed = np.zeros(merges, dtype=np.int64), np.zeros(marks.shape)
    earlier = np.zeros(merges, dtype=np.int64)
    alike = against = 0
    for t, (first, second, last) in enumerate(spans.tolist()):
        ones, others = np.zeros((2, merges + 2), dtype=np.int64)  # of each side of the merge, left of each place
        ones[places[order[first:second]] + 1] = 1
        others[places[order[second:last]] + 1] = 1
        ones, others = np.cumsum(ones), np.cumsum(others)
        left, right = (counts[middle] - counts[begin] for counts in (ones, others))
        counts = left * (others[end] - others[middle]) + right * (ones[end] - ones[middle])
        before = np.cumsum(earlier)
        alike += int(counts @ (before - earlier))
        against += int(counts @ (before[-1] - before))
        earlier += counts
        latest[t:] += counts[t:]
        latest[t] += counts[:t].sum()
        weighed[t] = counts @ marks
    return SharedPairs(latest, weighed, alike, against)


# --- a tree and distances --------------------------------------------------------------------------------


@dataclass(frozen=True)
class LeafSums:
    """Sums over all pairs of points: of distances less the origin, of their squares, of their products with heights."""

    origin: float
    sums: float
    squares: float
    products: float


def leaf_sums(
    rows: Rows,
    joints: Integers,
    deviations: Floats,
    *,
    n_jobs: int,
    memory: int,
    X: Floats | None = None,
    cells: int = CELLS,
) -> LeafSums:
    """Meet the distances of all pairs with the heights at which a tree joins them, less their mean.

    X has the coordinates from left to right where distances are Euclidean. Blocks are the same whatever the number
    of threads; there are no more threads than have room for a block in `memory` bytes. The origin is a distance of the
    data: equal ones leave exactly 0.
    """
    first = rows(0, 1)[0]
    origin = float(np.partition(first, len(first) // 2)[len(first) // 2])
    n = len(joints) + 1
    step = max(1, cells // n)
    n_jobs = jobs_that_fit(n_jobs, step * n, memory)
    blocks = [(lo, min(lo + step, n - 1)) for lo in range(0, n - 1, step)]
    parts = np.empty((len(blocks), 3))
    if X is None or n <= thresholds.MERGES:

        def work(item: int) -> None:
            lo, hi = blocks[item]
            parts[item] = leaf_sums_numpy(rows(lo, hi) - origin, lo, joints, deviations)

    else:
        columns = np.ascontiguousarray(X.T)

        def work(item: int) -> None:
            parts[item] = kernels.merges.tree_merges.leaf_sums(columns, *blocks[item], joints, deviations, origin)

    threads.run(work, len(blocks), n_jobs)
    sums, squares, products = (fsum(column) for column in parts.T)
    return LeafSums(origin, sums, squares, products)


def jobs_that_fit(n_jobs: int, distances: int, memory: int) -> int:
    """Return how many threads, at least one, have room for a block of so many distances each in `memory` bytes."""
    return max(1, min(n_jobs, memory // (8 * COPIES * distances)))


def leaf_sums_numpy(away: Floats, lo: int, joints: Integers, deviations: Floats) -> tuple[float, float, float]:
    """Return the three sums over a block of rows of distances less the origin; the first row is that of point lo."""
    on_the_right = np.arange(away.shape[1]) >= np.arange(len(away))[:, None]
    away = np.where(on_the_right, away, 0.0)
    latest = np.maximum.accumulate(np.where(on_the_right, joints[lo:], -1), axis=1)
    return float(away.sum()), float((away * away).sum()), float((away * deviations[latest]).sum())
