"""A hierarchy, alone, beside the distances that it was made of, or beside another: the source of indices of trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName
from clustval.declare import Index, Plan, Source, Value, declares, kind
from clustval.errors import InputError, UndefinedIndexError
from clustval.homes.series import has_instances, is_warping
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.lazy import cached_property
from clustval.mixed_table import MixedTable
from clustval.rules import Rule
from clustval.sources.space import Space, space_of

# --- one tree --------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Tree:
    """A checked linkage: points are clusters 0 ... n-1, and merge t makes cluster n + t of two before it.

    >>> tree = tree_of([[0, 2, 1, 2], [1, 3, 4, 3]])
    >>> tree.order
    array([1, 0, 2])
    >>> tree.joints
    array([1, 0])
    """

    joined: Integers  # (n - 1, 2): the clusters that each merge joins
    heights: Floats  # (n - 1,): of each merge
    sizes: Integers  # (2n - 1,): points in each cluster

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.heights) + 1

    @cached_property
    def starts(self) -> Integers:
        """Place of the leftmost point of each cluster, where the first cluster of a merge stands on the left."""
        n, sizes = self.n, self.sizes.tolist()
        starts = [0] * (2 * n - 1)
        for merge, (left, right) in zip(range(2 * n - 2, n - 1, -1), self.joined[::-1].tolist(), strict=True):
            starts[left] = starts[merge]
            starts[right] = starts[merge] + sizes[left]
        return np.array(starts)

    @property
    def places(self) -> Integers:
        """Place of each point, counted from the left."""
        return self.starts[: self.n]

    @cached_property
    def order(self) -> Integers:
        """Points from left to right, as SciPy's ``leaves_list`` has them."""
        return np.argsort(self.places)

    @cached_property
    def spans(self) -> Integers:
        """Where the points of each merge begin from left to right, where those of its second cluster do, and the end.

        Of three columns.
        """
        first = self.starts[self.n :]
        return np.column_stack([first, self.starts[self.joined[:, 1]], first + self.sizes[self.n :]])

    @cached_property
    def joints(self) -> Integers:
        """The merge that joins each point but the last, from left to right, with its neighbour on the right.

        Two points are joined by the latest merge among all joints from one to the other.
        """
        joints = np.empty(self.n - 1, dtype=np.int64)
        joints[self.spans[:, 1] - 1] = np.arange(self.n - 1)
        return joints

    @cached_property
    def pairs(self) -> Integers:
        """How many pairs of points each merge joins."""
        sizes = self.sizes[self.joined]
        return sizes[:, 0] * sizes[:, 1]

    @cached_property
    def triples(self) -> Integers:
        """How many sets of three points each merge joins."""
        together = self.sizes[self.joined].sum(axis=1)
        return np.asarray(self.pairs * (together - 2) // 2)

    @cached_property
    def deviations(self) -> Floats:
        """Height of each merge, in units of the highest, less their mean over pairs of points: 0 if all are equal."""
        shares = self.heights / (self.heights.max() or 1.0)
        return np.asarray(shares - np.average(shares, weights=self.pairs))  # equal ones are 1, whose mean is exact

    def check_heights(self, name: str) -> None:
        """Raise an error if a merge is lower than one of the merges that it is made of."""
        below = np.concatenate([np.zeros(self.n), self.heights])[self.joined].max(axis=1)
        lower = np.flatnonzero(self.heights < below * (1 - ROUNDING_OF_VALUES))
        if len(lower):
            row = int(lower[0])
            msg = (
                f"{name} needs heights that never fall; row {row} of Z merges at {self.heights[row]:g} what was formed "
                f"at {below[row]:g}, as centroid and median linkage may do."
            )
            raise UndefinedIndexError(msg)


def tree_of(Z: Any, name: str = "Z") -> Tree:
    """Return a linkage as SciPy writes it, checked: four columns, merges in order, each cluster merged once."""
    shape = _shape(Z)
    if len(shape) != 2 or shape[1] != 4 or shape[0] == 0:
        msg = (
            f"{name} must be a linkage as SciPy's hierarchy.linkage returns it, with a row of 4 numbers for each "
            f"merge; its shape is {shape}."
        )
        raise InputError(msg)
    table = inputs.as_points(Z, name)
    joined, heights, counts = _clusters(table[:, :2], name), table[:, 2].copy(), table[:, 3]
    low = np.flatnonzero(heights < 0)
    if len(low):
        msg = f"Heights must not be negative; row {low[0]} of {name} has {heights[low[0]]:g}."
        raise InputError(msg)
    _check_order(joined, heights, name)
    n = len(table) + 1
    sizes = [1] * n
    for left, right in joined.tolist():
        sizes.append(sizes[left] + sizes[right])
    wrong = np.flatnonzero(counts != sizes[n:])
    if len(wrong):
        row = int(wrong[0])
        msg = f"Row {row} of {name} merges {sizes[n + row]} points; its last number is {counts[row]:g}."
        raise InputError(msg)
    return Tree(joined, heights, np.array(sizes))


def _clusters(columns: Floats, name: str) -> Integers:
    """Return the two clusters of each merge, each of which must be there and not have been merged before."""
    merges, n = len(columns), len(columns) + 1
    newest = n + np.arange(merges)[:, None]
    wrong = np.argwhere((columns != np.floor(columns)) | (columns < 0) | (columns >= newest))
    if len(wrong):
        row, column = map(int, wrong[0])
        msg = (
            f"Row {row} of {name} merges cluster {columns[row, column]:g}; there are clusters 0 to {n + row - 1} by "
            f"then: {n} points and one for each row before."
        )
        raise InputError(msg)
    joined: Integers = columns.astype(np.int64)
    _, first = np.unique(joined, return_index=True)
    if len(first) < joined.size:
        again = int(np.setdiff1d(np.arange(joined.size), first)[0])
        msg = f"Row {again // 2} of {name} merges cluster {joined.flat[again]}, which was merged before."
        raise InputError(msg)
    return joined


def _check_order(joined: Integers, heights: Floats, name: str) -> None:
    """Raise an error if a merge should stand before the one above it.

    A merge may be lower than the one before it if it is made of that: then the tree has an inversion.
    """
    newest = len(joined) + 1 + np.arange(len(joined) - 1)
    apart = (joined[1:] != newest[:, None]).all(axis=1)
    wrong = np.flatnonzero((heights[1:] < heights[:-1] * (1 - ROUNDING_OF_VALUES)) & apart)
    if len(wrong):
        row = int(wrong[0]) + 1
        msg = (
            f"The merges of {name} must be in the order of their heights; row {row} is at {heights[row]:g}, the row "
            f"before it at {heights[row - 1]:g}. Sort the rows and number the clusters anew."
        )
        raise InputError(msg)


# --- a tree and what it is compared with -----------------------------------------------------------------

# What a statistic may ask for beside the tree: what indices of it do, and what to give them.
BESIDE = {
    "tree": "compares two trees; give a second linkage of the same points as other",
    "distances": "compares a tree with distances; give the points, or the distances of SciPy's pdist",
}


class Hierarchy(Source):
    """A tree, and beside it another of the same points, or the points themselves, or their distances."""

    coverage = 1.0  # a tree has no noise

    def __init__(
        self, tree: Tree, *, second: Tree | None = None, space: Space | None = None, condensed: Floats | None = None
    ) -> None:
        super().__init__()
        self.tree, self.second, self.space, self.condensed = tree, second, space, condensed

    @property
    def n(self) -> int:
        """Number of points."""
        return self.tree.n

    def check(self, index: Index) -> None:
        """Raise an error if the index compares the tree with what was not given, or cannot do with falling heights."""
        at_hand = {"tree": self.second is not None, "distances": self.space is not None}
        for statistic in index.statistics:
            beside = getattr(statistic, "beside", None)
            if beside and not at_hand[beside]:
                msg = f"{index.name} {BESIDE[beside]}."
                raise UndefinedIndexError(msg)
            if getattr(statistic, "rising", False):
                self.tree.check_heights(index.name)

    @property
    def both(self) -> tuple[Tree, Tree]:
        """The two trees."""
        assert self.second is not None
        return self.tree, self.second

    def distances(self, lo: int, hi: int) -> Floats:
        """Return the distances of points lo ... hi-1, from left to right, to all points from lo + 1 on."""
        assert self.space is not None
        order = self.tree.order
        rows, columns = order[lo:hi], order[lo + 1 :]
        if self.condensed is not None:
            first = np.minimum(rows[:, None], columns)
            last = np.maximum(rows[:, None], columns)
            # The diagonal is not there; what stands in its place is not looked at.
            place = first * (2 * self.n - first - 1) // 2 + last - first - 1
            return np.asarray(self.condensed[np.clip(place, 0, len(self.condensed) - 1)])
        if self.space.distances is not None:
            return self.space.distances[rows[:, None], columns]
        assert self.space.X is not None
        return self.space.between(self.space.X[rows], self.space.X[columns])

    def unsorted(self, values: Floats) -> Floats:
        """Return values of points in the order of the points, which is theirs already."""
        return values


@kind("trees", "Hierarchies: how well one keeps distances, and how far two agree", order=3)
def hierarchy(
    Z: Any,
    other: Any = None,
    X: Any = None,
    *,
    metric: MetricName = "euclidean",
    n_jobs: int | None = None,
    plan: Plan | None = None,
) -> Hierarchy:
    """Return the checked linkage, beside the second one, the points or the distances that it is compared with.

    A second linkage has one row less than there are points, so that it is never taken for them.

    Parameters
    ----------
    Z
        A hierarchy, as SciPy's ``hierarchy.linkage`` returns it.
    other
        A second linkage of the same points, or what X may be.
    X
        Points, the distances of SciPy's ``pdist``, or a square matrix of distances with ``metric="precomputed"``;
        series with ``metric="dtw"``, or a table of numbers and categories with ``metric="gower"``.
    metric
        The distance between two points.
    n_jobs
        Number of threads; None for all cores. The value does not depend on it.
    """
    tree = tree_of(Z)
    second, name = None, "X"
    if other is not None and _shape(other) == (tree.n - 1, 4):
        second = tree_of(other, "other")
    elif other is not None and X is None:
        X, name = other, "other"
    elif other is not None:
        msg = f"other must be a second linkage, of shape {(tree.n - 1, 4)}, where X is given; it has {_shape(other)}."
        raise InputError(msg)
    if X is None:
        return Hierarchy(tree, second=second)
    n, shape = tree.n, _shape(X)
    lists = inputs.holds_lists(X) or (is_warping(metric) and has_instances(X))
    if len(shape) == 1 and not lists:
        jobs, memory = inputs.as_jobs(n_jobs), inputs.as_memory(plan.memory if plan else None)
        space = Space(None, n_jobs=jobs, memory=memory)
        return Hierarchy(tree, second=second, space=space, condensed=_condensed(X, n, name))
    what = f"of shape {shape}"
    unshaped = lists or isinstance(X, MixedTable) or (is_warping(metric) and hasattr(X, "__len__"))
    if unshaped or (len(shape) == 2 and shape[0] == n):
        space = space_of(X, metric=metric, n_jobs=n_jobs, plan=plan)
        if space.n == n:
            return Hierarchy(tree, second=second, space=space)
        what = f"of {space.n} points"
    linkage = f"a second linkage ({n - 1} rows), " if name == "other" else ""
    msg = (
        f"Z is a tree of {n} points, and {name}, {what}, has nothing for these: give {linkage}the points "
        f"({n} rows) or their distances ({n * (n - 1) // 2} of them)."
    )
    raise InputError(msg)


def _shape(values: Any) -> tuple[int, ...]:
    """Return the shape of anything array-like; rows that differ in length have none."""
    try:
        return np.shape(values)
    except ValueError:
        return ()


def _condensed(X: Any, n: int, name: str) -> Floats:
    """Return the distances of all pairs of points in one dimension, checked."""
    count = n * (n - 1) // 2
    if len(X) != count:
        msg = f"Z is a tree of {n} points, which have {count} distances; {name} has {len(X)} entries."
        raise InputError(msg)
    distances = inputs.as_points(np.asarray(X).reshape(-1, 1), name)[:, 0]
    if distances.min() < 0:
        msg = f"Distances must not be negative; position {int(distances.argmin())} of {name} is {distances.min():g}."
        raise InputError(msg)
    return distances


def tree_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    reference: str,
    undefined: str = "it is 0/0",
    symmetric: bool | None = None,
    aliases: tuple[str, ...] = (),
    points: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of a tree; `symmetric` says of one that compares two whether they may be swapped.

    No value may depend on the unit of heights and distances.
    """
    return declares(
        "trees",
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
        undefined=undefined,
        degree=0,
        clusters=(0, None),
        symmetric=symmetric,
        points=points,
    )
