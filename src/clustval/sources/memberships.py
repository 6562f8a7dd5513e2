"""Points that belong to several clusters, to each by a share: the source of the statistics of fuzzy indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats
from clustval.declare import Index, Plan, Source, Value, kind, register
from clustval.errors import InputError, UndefinedIndexError
from clustval.options import AtLeast, Option
from clustval.rules import Rule
from clustval.sources.blocks import InBlocks
from clustval.sources.takes import takes_of

ROUNDING = 1e-6  # by which memberships of a point may miss 1
FUZZIFIER = Option("m", float, AtLeast(1), 2.0)


class Memberships(Source):
    """The share that each point has in each cluster, and where points and centres of clusters lie, if that is known.

    `U` has one row per point and one column per cluster. Points of weight 0 are left out.
    """

    coverage = 1.0  # there is no noise

    def __init__(self, X: Floats | None, U: Floats, centres: Floats | None, m: float, weights: Floats | None) -> None:
        super().__init__()
        self.X, self.U, self.centres, self.m, self.weights = X, U, centres, m, weights
        self.n, self.k = U.shape
        self.names = list(range(self.k))

    @property
    def count(self) -> Any:
        """How many points there are, by weight."""
        return self.n if self.weights is None else float(self.weights.sum())

    def check(self, index: Index) -> None:
        """Raise an error if the index needs more clusters than there are, or coordinates that are not there."""
        check_memberships(self, index, coordinates=self.X is not None)


class MembershipBlocks(InBlocks):
    """Memberships that lie in several blocks of points; columns are the same clusters in all."""

    block_type = Memberships
    coverage = 1.0

    def __init__(self, blocks: Sequence[Memberships]) -> None:
        super().__init__()
        self.blocks: Sequence[Memberships] = blocks
        self.n, self.k, self.names = sum(block.n for block in blocks), blocks[0].k, blocks[0].names

    def check(self, index: Index) -> None:
        """Raise an error if the index needs all points at once, more clusters, or coordinates that are not there."""
        super().check(index)
        check_memberships(self, index, coordinates=all(block.X is not None for block in self.blocks))


def check_memberships(source: Any, index: Index, *, coordinates: bool) -> None:
    """Raise an error if the index needs more clusters than there are, or coordinates that are not there."""
    fewest = index.clusters[0]
    if source.k < fewest:
        msg = f"{index.name} needs {fewest} clusters or more; U has {source.k}."
        raise UndefinedIndexError(msg)
    if takes_of(index).coordinates and not coordinates:
        msg = f"{index.name} needs coordinates; X is None."
        raise UndefinedIndexError(msg)


@kind("fuzzy", "Memberships of points in several clusters", order=2)
def memberships(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    sample_weight: Any = None,
    plan: Plan | None = None,  # noqa: ARG001 - each statistic has its own pass
) -> Memberships:
    """Return the checked memberships of points, which may be None for indices of memberships alone.

    Parameters
    ----------
    X
        One row per point, or None for indices that read memberships alone.
    U
        Memberships: one row per point, one column per cluster; each row adds up to 1.
    centres
        Centres of the clusters, one row each; None for means weighted by memberships to the power m.
    m
        The fuzzifier, above 1.
    sample_weight
        How often each point counts: a weight of 3 is the same as three rows, one of 0 as none.
    """
    return _checked(X, U, centres, m, sample_weight)


def membership_blocks(rows: Iterable[tuple[Any, ...]], *, centres: Any = None, m: float = 2.0) -> MembershipBlocks:
    """Return the checked source of blocks, each of them points or None, memberships, and weights if they have any.

    >>> from clustval import fuzzy
    >>> blocks = membership_blocks([(None, [[1, 0]]), (None, [[0.5, 0.5], [0, 1]])])
    >>> fuzzy.evaluate(blocks, indices="partition_coefficient")["partition_coefficient"]
    0.833333
    """
    blocks = [_checked(X, U, centres, m, *weights, zero=True) for X, U, *weights in rows if len(U)]
    if not blocks:
        msg = "There are no blocks; give at least one pair of points and memberships."
        raise InputError(msg)
    columns = sorted({block.k for block in blocks})
    if len(columns) > 1:
        msg = f"Blocks must have the same clusters; U has {columns[0]} columns in some and {columns[-1]} in others."
        raise InputError(msg)
    if not any(block.n for block in blocks):
        msg = "The weights are 0 for every point of every block; at least one must weigh more."
        raise InputError(msg)
    return MembershipBlocks(blocks)


def _checked(X: Any, U: Any, centres: Any, m: float, sample_weight: Any = None, *, zero: bool = False) -> Memberships:
    """Return the checked source of some points; their weights may all be 0 if `zero`."""
    rows = inputs.row_names(U if X is None else X)
    shares = as_shares(inputs.aligned(U, rows, "U"))
    n, k = shares.shape
    points = None if X is None else inputs.as_points(X)
    if points is not None and len(points) != n:
        msg = f"X has {len(points)} rows but U has {n}."
        raise InputError(msg)
    middles = None if centres is None else _as_centres(centres, k, points)
    weights = None if sample_weight is None else inputs.as_weights(sample_weight, n, X="U", zero=zero, rows=rows)
    if weights is not None and not weights.all():
        kept = weights > 0
        points, shares, weights = None if points is None else points[kept], shares[kept], weights[kept]
    return Memberships(points, shares, middles, FUZZIFIER.check(m), weights)


def as_shares(U: Any) -> Floats:
    """Return memberships, one row per point, or raise an error that says which cannot be shares of one point."""
    shares = inputs.as_points(U, "U")
    if shares.min() < 0:
        row, column = np.argwhere(shares < 0)[0].tolist()
        msg = f"U must not be negative; row {row}, column {column} is {shares[row, column]:g}."
        raise InputError(msg)
    rows, columns = (np.abs(shares.sum(axis=axis) - 1) <= ROUNDING for axis in (1, 0))
    if not rows.all():
        row = int(rows.argmin())
        hint = " Its columns do: give U.T, with one row per point." if columns.all() else ""
        msg = f"Each row of U must add up to 1; row {row} adds up to {shares[row].sum():.9g}.{hint}"
        raise InputError(msg)
    return shares


def _as_centres(centres: Any, k: int, points: Floats | None) -> Floats:
    middles = inputs.as_points(centres, "centres")
    if len(middles) != k:
        msg = f"centres has {len(middles)} rows but U has {k} columns; give one centre per cluster."
        raise InputError(msg)
    if points is not None and middles.shape[1] != points.shape[1]:
        msg = f"centres has {middles.shape[1]} columns but X has {points.shape[1]}."
        raise InputError(msg)
    return middles


def fuzzy_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    degree: int | Callable[[int], int] | None,
    reference: str,
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of memberships; `degree` d says that scaling X by c scales the value by c**d."""

    def declare(formula: Callable[..., Value]) -> Callable[..., float]:
        return register(
            Index(
                name=formula.__name__,
                kind="fuzzy",
                formula=formula,
                best=best,
                bounds=bounds,
                reference=reference,
                aliases=aliases,
                undefined=undefined,
                degree=degree,
                clusters=(2, None),
            )
        )

    return declare
