"""All distances of series by dynamic time warping: each two once, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds


def warped_distances(
    series: Sequence[Floats], window: int | None = None, *, n_jobs: int = 1, done: Callable[[int], object] | None = None
) -> Floats:
    """Return the square matrix of distances of series, each of steps and dimensions.

    Steps further apart than `window` are not matched; of two series, those of the longer one may come later by the
    difference of lengths besides, as in tslearn and dtaidistance.
    """
    lengths = np.array([len(each) for each in series])
    cells = int(lengths.sum()) ** 2
    if cells <= thresholds.WARPED:
        return _plain(series, window)
    return _compiled(series, lengths, window, n_jobs=threads.worth(n_jobs, cells), done=done)


def _compiled(
    series: Sequence[Floats],
    lengths: Integers,
    window: int | None,
    *,
    n_jobs: int,
    done: Callable[[int], object] | None = None,
) -> Floats:
    from clustval.kernels.metrics.dtw import warp_lanes  # noqa: PLC0415 - loads the compiler
    from clustval.kernels.work.lanes import WIDTH  # noqa: PLC0415

    n, dimensions = len(series), series[0].shape[1]
    order = np.argsort(lengths, kind="stable")
    groups = _groups(lengths, order, WIDTH, alike=window is not None)
    blocks = [_block(series, group, WIDTH) for group in groups]
    ends = [np.resize(lengths[group], WIDTH) for group in groups]
    longest = [int(each.max()) for each in ends]
    place = np.empty(n, dtype=np.int64)
    for number, group in enumerate(groups):
        place[group] = number
    out = np.zeros((n, n))

    def work(item: int) -> None:
        first = int(order[item])
        one = series[first]
        flat = one.ravel()
        sums = np.empty((int(lengths.max()) + 1) * WIDTH)
        found = np.empty(WIDTH)
        for number in range(int(place[first]), len(groups)):  # series before it met this one
            before, after = _reach(len(one), longest[number], window)
            warp_lanes(flat, blocks[number], dimensions, ends[number], before, after, sums, found)
            out[first, groups[number]] = found[: len(groups[number])]

    threads.run(work, n, n_jobs, done)
    met = place[:, None] <= place[None, :]
    matrix: Floats = np.where(met, out, out.T)
    np.fill_diagonal(matrix, 0.0)
    return matrix


def _reach(n: int, m: int, window: int | None) -> tuple[int, int]:
    """Return how many places before and after its own a step may be matched, of n steps with m others."""
    if window is None:
        return n, m
    return window + max(0, n - m), window + max(0, m - n)


def _groups(lengths: Integers, order: Integers, lanes: int, *, alike: bool) -> list[Integers]:
    """Return groups of up to so many series, shorter ones first; of one length each if they are to be `alike`."""
    cuts = [0, *(np.flatnonzero(np.diff(lengths[order])) + 1).tolist(), len(order)] if alike else [0, len(order)]
    return [order[low : min(low + lanes, end)] for start, end in pairwise(cuts) for low in range(start, end, lanes)]


def _block(series: Sequence[Floats], group: Integers, lanes: int) -> Floats:
    """Return series side by side, number by number; lanes that are left repeat them, and short ones end in 0."""
    members = [series[int(i)] for i in np.resize(group, lanes)]
    block = np.zeros((max(map(len, members)), members[0].shape[1], lanes))
    for lane, member in enumerate(members):
        block[: len(member), :, lane] = member
    return block.ravel()


def _plain(series: Sequence[Floats], window: int | None) -> Floats:
    """Return the same by NumPy: row by row of the table of sums, one step at a time."""
    n = len(series)
    out = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1, n):
            out[i, j] = out[j, i] = _warped(series[i], series[j], window)
    return out


def _warped(a: Floats, b: Floats, window: int | None) -> float:
    before, after = _reach(len(a), len(b), window)
    squares = ((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)
    sums = np.full((len(a) + 1, len(b) + 1), np.inf)
    sums[0, 0] = 0.0
    for i in range(len(a)):
        for j in range(max(0, i - before), min(len(b), i + after + 1)):
            sums[i + 1, j + 1] = squares[i, j] + min(sums[i, j], sums[i, j + 1], sums[i + 1, j])
    return float(np.sqrt(sums[-1, -1]))
