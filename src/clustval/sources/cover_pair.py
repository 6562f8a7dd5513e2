"""Two clusterings of the same points whose clusters may overlap: the source of the statistics that compare them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.declare import Index, Plan, Source, Value, declares, kind
from clustval.errors import UndefinedIndexError
from clustval.passes.covers.common_clusters import Incidence, incidence, kinds_of_rows
from clustval.rules import Rule
from clustval.sources.cover_input import Cover, all_points, cover_of, rows_by_name

KIND = "covers"


class CoverPair(Source):
    """Which point is in which clusters of A and of B; points of the same clusters are one kind, and counted."""

    coverage = 1.0  # a point in no cluster is a point

    def __init__(self, A: Cover, B: Cover, points: list[Hashable]) -> None:
        super().__init__()
        self.points, self.n = points, len(points)
        whole = [_placed(cover, points) for cover in (A, B)]
        clusters = np.concatenate([whole[0].clusters, len(A.names) + whole[1].clusters])
        k = len(A.names) + len(B.names)
        both = incidence(np.concatenate([whole[0].rows, whole[1].rows]), clusters, self.n, k)
        firsts, self.kinds = kinds_of_rows(both)
        self.counts: Integers = np.bincount(self.kinds, minlength=len(firsts))
        self.A, self.B = (_rows_of(each, firsts) for each in whole)
        self.names = B.names

    def check(self, index: Index) -> None:
        """Raise an error if there is no pair of points."""
        if self.n < 2:
            msg = f"{index.name} compares covers of several points; there is only one point."
            raise UndefinedIndexError(msg)

    def check_covered(self) -> None:
        """Raise an error if a point is in no cluster."""
        for cover, name in ((self.A, "A"), (self.B, "B")):
            without = np.flatnonzero(cover.lengths == 0)
            if len(without):
                point = self.points[int((self.kinds == without[0]).argmax())]
                msg = f"Point {point!r} is in no cluster of {name}, so that nothing can be said of it."
                raise UndefinedIndexError(msg)

    def unsorted(self, values: Floats) -> Floats:
        """Return the value of each point, from those of kinds of points."""
        return values[self.kinds]


def _placed(cover: Cover, points: list[Hashable]) -> Incidence:
    """Return which of the points is in which cluster."""
    rows = cover.points
    if not (cover.by_place and points[: len(cover.everybody)] == list(cover.everybody)):
        place = {point: at for at, point in enumerate(points)}
        rows = np.array([place[point] for point in cover.points], dtype=np.int64)
    return incidence(rows, cover.clusters, len(points), len(cover.names))


def _rows_of(whole: Incidence, rows: Integers) -> Incidence:
    """Return some rows."""
    lengths = whole.lengths[rows]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    places = np.repeat(whole.starts[rows] - starts[:-1], lengths) + np.arange(starts[-1])
    return Incidence(starts, whole.clusters[places], whole.k)


@kind(KIND, "Agreement of two clusterings whose clusters overlap", order=4)
def cover_pair(
    A: Any,
    B: Any,
    *,
    points: Any = None,
    plan: Plan | None = None,  # noqa: ARG001 - each statistic has its own pass
) -> CoverPair:
    """Return the checked pair of covers of the same points.

    Parameters
    ----------
    A, B
        Each a list of clusters, which are sets of points; a matrix of 0 and 1, one row per point and one column per
        cluster (array, sparse, data frame); a mapping from each point to its clusters; or one label per point. The
        index of a frame or series of pandas names the points. An index that is not symmetric takes the first as the
        truth.
    points
        All points, as a number n for 0 to n - 1 or as names, if some may be in no cluster at all; None for those that A
        or B speak of.
    """
    names = inputs.row_names(A)
    covers = [cover_of(A, "A"), cover_of(inputs.aligned(B, names, "B", "A"), "B")]
    one, other = rows_by_name(covers, inputs.row_names(B) if names is None else names, points)
    return CoverPair(one, other, all_points({"A": one, "B": other}, points))


def cover_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    reference: str,
    symmetric: bool,
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
    points: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of two covers; `symmetric` says whether they may be swapped."""
    return declares(
        KIND,
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
        undefined=undefined,
        symmetric=symmetric,
        points=points,
    )
