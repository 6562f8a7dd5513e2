"""A picture of the distances between points, ordered so that clusters are dark blocks along the diagonal."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName
from clustval.drawn import Drawn
from clustval.inputs import at_least
from clustval.passes.work import threads
from clustval.progress import bar
from clustval.readers.rows_in_memory import points_in_memory
from clustval.result import Result
from clustval.sources.space import Space, space_of
from clustval.tables import Tabular

Pieces = list[tuple[int, int]]
PAIRS_AT_ONCE = 2**26  # between two looks at the progress bar and the keyboard


@dataclass(frozen=True, repr=False, eq=False)
class Picture(Tabular, Drawn, Result):
    """Distances as an image, and the order of points behind it."""

    _figure = "vat"

    image: Floats  # (pixels, pixels): mean distance of the points of two pixels
    order: Integers  # (n,): rows of X as they follow each other in the image
    edges: Floats  # (n,): distance of each point in that order from those before it, 0 for the first

    def __str__(self) -> str:
        low, high = self.image.min(), self.image.max()
        return f"{len(self.order)} points on {len(self.image)} x {len(self.image)} pixels, from {low:.3g} to {high:.3g}"

    __repr__ = __str__

    def _records(self) -> list[dict[str, Any]]:
        """Return the rows of X in the order of the image."""
        pairs = zip(self.order.tolist(), self.edges.tolist(), strict=True)
        return [{"place": place, "row": row, "edge": edge} for place, (row, edge) in enumerate(pairs)]

    def _repr_html_(self) -> str:
        data = base64.b64encode(_png(self.image)).decode()
        picture = f'<img width="360" height="360" alt="{self}" src="data:image/png;base64,{data}">'
        return f"<figure>{picture}<figcaption>{self}; dark blocks are clusters</figcaption></figure>"


def _png(image: Floats) -> bytes:
    """Return distances as a picture in shades of grey, black for the smallest."""
    low, high = image.min(), image.max()
    shades = np.round(255 * (image - low) / ((high - low) or 1)).astype(np.uint8)
    lines = np.hstack([np.zeros((len(shades), 1), dtype=np.uint8), shades])  # each begins with its filter: none

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", shades.shape[1], shades.shape[0], 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(lines.tobytes())), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def vat(
    X: Any,
    *,
    metric: MetricName = "euclidean",
    size: int = 500,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Picture:
    """Distances between points in the order in which a minimum spanning tree reaches them (Bezdek and Hathaway 2002).

    The tree begins at one of the two points farthest apart. A cluster is a dark block on the diagonal of the image.
    Time grows with the square of the number of points; memory does not: distances are computed as they are needed.

    Parameters
    ----------
    X
        One row per point, or a square matrix of distances with ``metric="precomputed"``.
    metric
        The distance between two points.
    size
        Pixels along each side at most; with more points than that, a pixel is the mean of several distances.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    n_jobs
        Number of threads; None for all cores. The image does not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    >>> vat([[0], [10], [1], [11], [0.5]]).order
    array([0, 4, 2, 1, 3])
    """
    points = points_in_memory(X, metric=metric, features=features, use_rep=use_rep, force=force)
    space = space_of(points, metric=metric, n_jobs=n_jobs)
    order, edges = _ordered(space, progress=progress)
    bounds = _bounds(space.n, size)
    with bar("Drawing distances", shown=progress, total=len(bounds) - 1) as done:
        return Picture(_mean_distances(space, order, bounds, done), order, edges)


def ivat(
    X: Any,
    *,
    metric: MetricName = "euclidean",
    size: int = 500,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Picture:
    """The picture of `vat` with the longest step of the best path in place of the distance (Havens and Bezdek 2012).

    Between two points, the best path is the one whose longest step is shortest. Long clusters become blocks, too.
    Parameters are those of `vat`.

    Here a step of 1 leads through each group, and one of 8 from the first to the second:

    >>> ivat([[0], [1], [2], [10], [11]]).image[0]
    array([0., 1., 1., 8., 8.])
    """
    points = points_in_memory(X, metric=metric, features=features, use_rep=use_rep, force=force)
    space = space_of(points, metric=metric, n_jobs=n_jobs)
    order, edges = _ordered(space, progress=progress)
    bounds = _bounds(space.n, size)
    image = np.zeros((len(bounds) - 1, len(bounds) - 1))
    threads.run(lambda a: kernels.trees.minimax_order.path_blocks(edges, bounds, a, image), len(image), space.n_jobs)
    return Picture(_mirrored(image, bounds), order, edges)


def _bounds(n: int, size: int) -> Integers:
    """Return where the stretches of points begin that share a pixel, and the end of the last."""
    pixels = min(n, at_least(size, 1, "size"))
    return np.arange(pixels + 1) * n // pixels


def _mirrored(sums: Floats, bounds: Integers) -> Floats:
    """Return the mean distances of stretches from the sums of the upper triangle."""
    widths = np.diff(bounds)
    upper: Floats = sums / np.outer(widths, widths)
    lower: Floats = np.triu(upper, 1).T
    return upper + lower


def _ordered(space: Space, *, progress: bool | None) -> tuple[Integers, Floats]:
    """Return the order in which the tree takes up the points, and its edges."""
    visit = _ordered_points if space.euclidean else _ordered_by_rows
    step = max(1, PAIRS_AT_ONCE // space.n)
    pieces = [(lo, min(lo + step, space.n)) for lo in range(0, space.n, step)]
    with bar("Ordering points", shown=progress, total=2 * len(pieces)) as done:
        return visit(space, pieces, done or (lambda _piece: None))


def _ordered_points(space: Space, pieces: Pieces, done: Callable[[int], object]) -> tuple[Integers, Floats]:
    assert space.X is not None
    n = space.n
    first, best = 0, 0.0
    columns = space.X.T.copy(order="C")  # it will be put in order
    for lo, hi in pieces:
        candidate, best = kernels.trees.minimax_order.farthest(columns, lo, hi, best)
        first = candidate if candidate >= 0 else first
        done(lo)
    order, edges, near = np.arange(n), np.zeros(n), np.full(n, np.inf)
    order[[0, first]] = order[[first, 0]]
    columns[:, [0, first]] = columns[:, [first, 0]]
    for lo, hi in pieces:
        kernels.trees.minimax_order.grow(columns, near, order, edges, max(lo, 1), hi)
        done(lo)
    return order, edges


def _ordered_by_rows(space: Space, pieces: Pieces, done: Callable[[int], object]) -> tuple[Integers, Floats]:
    n = space.n
    first, best = 0, 0.0
    for lo, hi in pieces:
        for i in range(lo, hi):
            far = _row(space, i).max()
            if far > best:
                first, best = i, far
        done(lo)
    order, edges = np.full(n, first), np.zeros(n)
    near, outside = np.full(n, np.inf), np.ones(n, dtype=np.bool_)
    for lo, hi in pieces:
        for step in range(max(lo, 1), hi):
            outside[order[step - 1]] = False
            np.minimum(near, _row(space, int(order[step - 1])), out=near)
            order[step] = np.where(outside, near, np.inf).argmin()
            edges[step] = near[order[step]]
        done(lo)
    return order, edges


def _row(space: Space, i: int) -> Floats:
    """Return the distances of point i to all points, by a metric or from a matrix."""
    if space.distances is not None:
        row: Floats = space.distances[i]
        return row
    assert space.X is not None
    (row,) = space.between(space.X[i : i + 1], space.X)
    return row


def _mean_distances(space: Space, order: Integers, bounds: Integers, done: Callable[[int], object] | None) -> Floats:
    image = np.zeros((len(bounds) - 1, len(bounds) - 1))
    if space.euclidean:
        assert space.X is not None
        columns = np.ascontiguousarray(space.X[order].T)
        threads.run(
            lambda a: kernels.trees.minimax_order.distance_blocks(columns, bounds, a, image),
            len(image),
            space.n_jobs,
            done,
        )
        return _mirrored(image, bounds)
    for a in range(len(image)):
        for i in order[bounds[a] : bounds[a + 1]].tolist():
            image[a] += np.add.reduceat(_row(space, i)[order], bounds[:-1])
        if done is not None:
            done(a)
    return _mirrored(np.triu(image), bounds)
