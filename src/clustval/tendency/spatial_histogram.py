"""Whether the data crowd into some cells of a grid and leave others empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats
from clustval.inputs import at_least
from clustval.options import seeded
from clustval.passes.work import threads
from clustval.progress import bar
from clustval.readers.rows_in_memory import coordinates_in_memory
from clustval.seeding import generators
from clustval.tendency.divergence import Divergence, divergence
from clustval.tendency.uniform_box import varying

Cells = NDArray[np.int64]
LARGEST_GRID = 2**16  # cells that are counted in one array; of larger grids only occupied cells are held


@seeded
def spatial_histogram(
    X: Any,
    bins: int = 5,
    *,
    n_samples: int = 500,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Divergence:
    r"""Divergence of the shares of points in the cells of a grid from those of uniform samples, in bits.

    .. math:: \mathrm{KL}(f | g_j) = \sum_i f(i) \log_2 \frac{f(i)}{g_j(i)}

    with f the share of the n points in cell i and g_j that of the n points of sample j, uniform in the range of each
    column (Zaki and Meira, eq. 17.31). The range of each column of X is cut into `bins` parts of equal width, for the
    data and for the samples. The book does not say what an empty cell of a sample counts: here, half a point.

    Parameters
    ----------
    X
        One row per point.
    bins
        Parts of each dimension. Cells are bins**d, of which only the occupied ones take memory; when they are many
        more than points, most hold one point or none and the divergence tells little: compare it with ``null``.
    n_samples
        Number of uniform samples.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, by either name.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Divergence
        ``values`` (one per sample), ``mean``, ``std``; ``p_value``, and ``null_means``, the means that uniform points
        would have in place of the data; and ``null``, the divergence of each sample from the next.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.1, (50, 2)) for c in range(3)])
    >>> result = spatial_histogram(X, n_samples=20, random_state=0)
    >>> bool(result.mean > result.null.max())
    True
    """
    points = varying(coordinates_in_memory(X, features=features, use_rep=use_rep, force=force))
    parts = at_least(bins, 2, "bins")
    count = at_least(n_samples, 1, "n_samples")
    generator = generators(random_state)
    low, high = points.min(axis=0), points.max(axis=0)

    def histogram(places: Floats) -> Counter[Hashable]:
        return _occupancy(_cells(places, low, high, parts), parts)

    def sample(item: int) -> Floats:
        return generator(item % count).uniform(low, high, points.shape)

    data = histogram(points)
    values, null, crowding = np.empty(count), np.empty(count), np.empty(count)

    def work(item: int) -> None:
        places = sample(item)
        this = histogram(places)
        values[item] = _between(data, this)
        null[item] = _between(this, histogram(sample(item + 1)))
        # The data reach the ends of their box in each column, and so must the points that they are compared with.
        crowding[item] = _crowding(_occupancy(_cells(places, places.min(axis=0), places.max(axis=0), parts), parts))

    with bar("Drawing samples", shown=progress, total=count) as done:
        threads.run(work, count, inputs.as_jobs(n_jobs), done)
    # All cells are alike to uniform samples, so that only the crowding tells one set of points from another.
    means = values.mean() + (crowding - _crowding(data))  # of equal crowding exactly that of the data
    return Divergence("spatial histogram", values, null, means)


def _cells(points: Floats, low: Floats, high: Floats, bins: int) -> Cells:
    places = ((points - low) / (high - low) * bins).astype(np.int64)
    return np.minimum(places, bins - 1)  # the upper end belongs to the last part


def _occupancy(cells: Cells, bins: int) -> Counter[Hashable]:
    """Return how many points each occupied cell holds."""
    d = cells.shape[1]
    if bins**d <= LARGEST_GRID:
        counts = np.bincount(cells @ bins ** np.arange(d))
        occupied = np.flatnonzero(counts)
        return Counter(dict(zip(occupied.tolist(), counts[occupied].tolist(), strict=True)))
    return Counter(map(bytes, cells.astype(np.min_scalar_type(bins))))


def _crowding(histogram: Counter[Hashable]) -> float:
    """Return the part of a divergence that the samples have no part in: the sum of f(i) log2 n f(i)."""
    counts = np.sort(np.fromiter(histogram.values(), np.float64, len(histogram)))  # the same counts, the same bits
    return float((counts * np.log2(counts)).sum() / counts.sum())


def _between(one: Counter[Hashable], other: Counter[Hashable]) -> float:
    counts = np.fromiter(one.values(), np.float64, len(one))
    return divergence(counts, np.fromiter((other[cell] for cell in one), np.float64, len(one)))
