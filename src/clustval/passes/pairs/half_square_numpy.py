"""The pass over pairs in plain NumPy: for few points, which do not pay for a compiler, and to test kernels by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.kernels.metrics.form import Form
from clustval.passes.metrics.measure_images import form_distances_numpy

Rows = Callable[[int, int], Floats]

BLOCK = 1 << 15  # distances at a time: they stay in the cache between one dimension and the next
SAMPLE = 16
FEW_COLUMNS = 4  # more are added up several at once where the points are few


@dataclass(frozen=True)
class PairPass:
    """What one pass over all pairs of points leaves behind; points are sorted by cluster.

    Attributes
    ----------
    sums
        k x k sums of distances between clusters; on the diagonal, over the pairs inside a cluster.
    squares
        Sum over all pairs of (distance - shift)².
    shift
        A rough mean distance, near enough to the mean that the variance of the distances does not cancel.
    own
        Sum of distances from each point to the others of its cluster.
    nearest
        Smallest mean distance from each point to the points of another cluster; infinite if there is none.
    neighbour
        The cluster at that distance, the first if there are several; -1 if there is none.
    mins
        k x k smallest distances between clusters; infinite on the diagonal.
    maxs
        k x k largest distances; diameters on the diagonal.
    hausdorff
        ``hausdorff[a, b]`` is the largest distance from a point of a to the nearest point of b.

    The last three are None unless the pass was a full one.
    """

    sums: Floats
    squares: float
    shift: float
    own: Floats
    nearest: Floats
    neighbour: NDArray[np.int64]
    mins: Floats | None
    maxs: Floats | None
    hausdorff: Floats | None
    sound: bool = True  # whether a matrix of distances that was visited looks like one


def euclidean_rows_numpy(X: Floats, lo: int, hi: int) -> Floats:
    """Distances from points lo..hi-1 to all points, bit for bit those of SciPy's cdist."""
    d = np.zeros((hi - lo, len(X)))
    at_once = BLOCK // max(d.size, 1)
    if X.shape[1] > FEW_COLUMNS and at_once > FEW_COLUMNS:
        return _wide_rows(X, lo, hi, d, at_once)
    difference = np.empty_like(d)
    for x in X.T:
        np.subtract(x[lo:hi, None], x, out=difference)
        np.multiply(difference, difference, out=difference)
        d += difference
    return np.sqrt(d, out=d)


def _wide_rows(X: Floats, lo: int, hi: int, d: Floats, at_once: int) -> Floats:
    """Add up the squares of many columns at once, in the same order, where few points make each column a small one."""
    squares = np.empty((1 + at_once, *d.shape))
    for begin in range(0, X.shape[1], at_once):
        columns = X.T[begin : begin + at_once]
        sums, added = squares[: 1 + len(columns)], squares[1 : 1 + len(columns)]
        sums[0] = d
        np.subtract(columns[:, lo:hi, None], columns[:, None, :], out=added)
        np.multiply(added, added, out=added)
        np.add.reduce(sums, axis=0, out=d)  # over the first axis: one after the other
    return np.sqrt(d, out=d)


def rough_mean(rows: Rows, n: int) -> float:
    """Mean distance between a few points spread evenly over the clusters."""
    few = sample(n)
    return mean_apart(np.concatenate([rows(i, i + 1)[:, few] for i in few.tolist()]))


def rows_numpy(form: Form, X: Floats) -> Rows:
    """Distances of points lo..hi-1 to all points, which were prepared for the form of metric."""
    if form.name == "euclidean":
        return lambda lo, hi: euclidean_rows_numpy(X, lo, hi)
    return lambda lo, hi: form_distances_numpy(form, X[lo:hi], X)


def rough_mean_of(form: Form, X: Floats) -> float:
    """`rough_mean` of the rows of X, without their distances to all the others."""
    few = X[sample(len(X))]
    return mean_apart(rows_numpy(form, few)(0, len(few)))


def sample(n: int) -> NDArray[np.int64]:
    """Positions of a few of n points."""
    m = min(n, SAMPLE)
    return np.arange(m) * n // m


def mean_apart(d: Floats) -> float:
    """Mean of the distances between few points, given as a matrix."""
    m = len(d)
    return float(d.sum()) / (m * (m - 1)) if m > 1 else 0.0


def symmetric_sums(by_row: Floats) -> Floats:
    """Return sums between clusters from those of their points, where rounding leaves the two halves unequal."""
    order = np.arange(len(by_row))
    sums = np.where(order[:, None] < order, by_row, by_row.T)
    sums[order, order] = by_row.diagonal() / 2
    return sums


def numpy_pass(rows: Rows, n: int, starts: NDArray[np.int64], *, full: bool, block: int = BLOCK) -> PairPass:
    """All of `PairPass`, from ``rows(lo, hi)``, the distances from points lo..hi-1 to all points."""
    k = len(starts) - 1
    first = starts[:-1]
    label = np.repeat(np.arange(k), np.diff(starts))
    shift = rough_mean(rows, n)
    sums = np.empty((n, k))
    mins, maxs = (np.empty((n, k)), np.empty((n, k))) if full else (None, None)
    squares = []
    step = max(1, block // n)
    for lo in range(0, n, step):
        hi = min(lo + step, n)
        d = rows(lo, hi)
        itself = np.arange(lo, hi)
        if d[itself - lo, itself].any():  # not every metric gives 0
            d = d.copy()
            d[itself - lo, itself] = 0.0
        sums[lo:hi] = np.add.reduceat(d, first, axis=1)
        deviation = np.where(np.arange(n) > itself[:, None], d - shift, 0.0)
        squares.append(float((deviation * deviation).sum()))
        if mins is not None and maxs is not None:
            mins[lo:hi] = np.minimum.reduceat(d, first, axis=1)
            maxs[lo:hi] = np.maximum.reduceat(d, first, axis=1)

    means = sums / np.diff(starts)
    means[np.arange(n), label] = np.inf
    neighbour = means.argmin(axis=1)
    hausdorff = None
    if mins is not None and maxs is not None:
        hausdorff = np.maximum.reduceat(mins, first, axis=0)
        mins = np.minimum.reduceat(mins, first, axis=0)
        maxs = np.maximum.reduceat(maxs, first, axis=0)
        np.fill_diagonal(hausdorff, 0.0)
        np.fill_diagonal(mins, np.inf)
    return PairPass(
        sums=symmetric_sums(np.add.reduceat(sums, first, axis=0)),
        squares=fsum(squares),
        shift=shift,
        own=sums[np.arange(n), label],
        nearest=means[np.arange(n), neighbour],
        neighbour=neighbour.astype(np.int64) if k > 1 else np.full(n, -1),
        mins=mins,
        maxs=maxs,
        hausdorff=hausdorff,
    )
