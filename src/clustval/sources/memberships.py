"""Points that belong to several clusters, to each by a share: the source of the statistics of fuzzy indices."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Flags, Floats
from clustval.declare import Index, Plan, Source, Value, declares, kind
from clustval.errors import InputError, UndefinedIndexError
from clustval.kernels.work.rounding import ROUNDING_OF_SHARES
from clustval.options import AtLeast, Option
from clustval.passes.work.pair_time import pairs_of, seconds_of
from clustval.passes.work.threads import available_cores
from clustval.progress import duration
from clustval.rules import Rule
from clustval.sources.blocks import InBlocks
from clustval.sources.pair_limits import LONGEST
from clustval.sources.space import FAR
from clustval.sources.takes import takes_of

KIND = "fuzzy"
FUZZIFIER = Option("m", float, AtLeast(1), 2.0)


class Memberships(Source):
    """The share that each point has in each cluster, and where points and centres of clusters lie, if that is known.

    `U` has one row per point and one column per cluster. Points of weight 0 are left out. Coordinates so large or so
    small that their powers would overflow or vanish are divided by a power of two.
    """

    coverage = 1.0  # there is no noise
    reach = 0.0  # how far coordinates, those of centres among them, are from 0

    def __init__(
        self,
        X: Floats | None,
        U: Floats,
        centres: Floats | None = None,
        m: float = 2.0,
        weights: Floats | None = None,
        *,
        kept: Flags | None = None,
        limited: bool = False,
        exponent: int = 0,
    ) -> None:
        super().__init__()
        self.X, self.U, self.centres, self.m, self.weights = X, U, centres, m, weights
        self.n, self.k = U.shape
        self.p = 0 if X is None else X.shape[1]
        self.names = list(range(self.k))
        self.kept, self.limited, self.exponent = kept, limited, exponent  # rows that weigh more than 0, if not all

    @property
    def as_given(self) -> Memberships:
        """The same source with points as they were, for indices without a degree."""
        if not self.exponent:
            return self
        X, centres = (None if array is None else np.ldexp(array, self.exponent) for array in (self.X, self.centres))
        return Memberships(X, self.U, centres, self.m, self.weights, kept=self.kept, limited=self.limited)

    def unsorted(self, values: Floats) -> Floats:
        """Return values of points, NaN for those of weight 0."""
        if self.kept is None:
            return values
        of_all = np.full(len(self.kept), np.nan)
        of_all[self.kept] = values
        return of_all

    @property
    def count(self) -> Any:
        """How many points there are, by weight."""
        return self.n if self.weights is None else float(self.weights.sum())

    def check(self, index: Index) -> None:
        """Raise an error if the index needs more clusters than there are, or coordinates that are not there."""
        check_memberships(self, index, coordinates=self.X is not None)
        if self.limited and index.cost != "linear":
            pairs, cores = pairs_of(self.n), available_cores()
            seconds = seconds_of(pairs, self.p, cores=cores)
            if seconds > LONGEST:
                msg = (
                    f"{index.name} needs {pairs:.3g} distances, about {duration(seconds)} on {cores} cores; "
                    f"clustval.{KIND}.{index.name}(X, U) computes it, however long it takes."
                )
                raise UndefinedIndexError(msg)


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


@kind(KIND, "Memberships of points in several clusters", order=2)
def memberships(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
    plan: Plan | None = None,
) -> Memberships:
    """Return the checked memberships of points, which may be None for indices of memberships alone.

    Parameters
    ----------
    X
        One row per point, or None for indices that read memberships alone.
    U
        Memberships: one row per point, one column per cluster; each row adds up to 1. Or a fitted model with
        ``predict_proba``, such as a ``GaussianMixture`` of scikit-learn.
    centres
        Centres of the clusters, one row each; None for the ``means_`` of a model, or else for means weighted by
        memberships to the power m.
    m
        The fuzzifier, from 1.
    possibilistic
        Whether memberships are from 0 to 1 each, but need not add up to 1.
    sample_weight
        How often each point counts: a weight of 3 is the same as three rows, one of 0 as none.
    """
    if hasattr(U, "predict_proba"):
        U, centres = of_model(X, U, centres)
    source = _checked(X, U, centres, m, sample_weight, possibilistic=possibilistic)
    source.limited = plan is not None and plan.limited
    return _scaled(source)


def of_model(X: Any, model: Any, centres: Any) -> tuple[Any, Any]:
    """Return the memberships that a fitted model gives to points, and its centres unless others are given."""
    if X is None:
        msg = f"X is None; {type(model).__name__} needs points to give memberships to."
        raise InputError(msg)
    inputs.points_of_model(X, model)
    try:
        U = model.predict_proba(inputs.as_points(X) if inputs.holds_lists(X) else X)
    except Exception as error:
        if type(error).__name__ != "NotFittedError":
            raise
        msg = f"The {type(model).__name__} is not fitted; call its fit(X) first."
        raise InputError(msg) from None
    if getattr(U, "dtype", None) == np.float32:  # whose rows add up to 1 but for the rounding of single precision
        U = U / U.sum(axis=1, keepdims=True, dtype=np.float64)
    return U, getattr(model, "means_", None) if centres is None else centres


def _scaled(source: Memberships) -> Memberships:
    """Return the source with coordinates of a reach near 1 where their powers would overflow or vanish."""
    exponent = math.frexp(source.reach)[1]
    if abs(exponent) <= FAR:
        return source
    X, centres = (None if array is None else np.ldexp(array, -exponent) for array in (source.X, source.centres))
    return Memberships(
        X, source.U, centres, source.m, source.weights, kept=source.kept, limited=source.limited, exponent=exponent
    )


def membership_blocks(
    rows: Iterable[tuple[Any, ...]], *, centres: Any = None, m: float = 2.0, possibilistic: bool = False
) -> MembershipBlocks:
    """Return the checked source of blocks, each of them points or None, memberships, and weights if they have any.

    >>> from clustval import fuzzy
    >>> blocks = membership_blocks([(None, [[1, 0]]), (None, [[0.5, 0.5], [0, 1]])])
    >>> fuzzy.evaluate(blocks, indices="partition_coefficient")["partition_coefficient"]
    0.833333
    """
    options: dict[str, Any] = {"zero": True, "possibilistic": possibilistic}
    blocks = [_checked(X, U, centres, m, *weights, **options) for X, U, *weights in rows if len(U)]
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


def _checked(
    X: Any,
    U: Any,
    centres: Any,
    m: float,
    sample_weight: Any = None,
    *,
    zero: bool = False,
    possibilistic: bool = False,
) -> Memberships:
    """Return the checked source of some points; their weights may all be 0 if `zero`."""
    rows = inputs.row_names(U if X is None else X)
    shares = as_shares(inputs.aligned(U, rows, "U"), possibilistic=possibilistic)
    n, k = shares.shape
    points, reach = None, 0.0
    if X is not None:
        points, columns = inputs.points_with_columns(X)
        reach = columns.reach
    if points is not None and len(points) != n:
        msg = f"X has {len(points)} rows but U has {n}."
        raise InputError(msg)
    middles = None if centres is None else _as_centres(centres, k, points)
    reach = reach if middles is None else max(reach, float(np.abs(middles).max()))
    weights = None if sample_weight is None else inputs.as_weights(sample_weight, n, X="U", zero=zero, rows=rows)
    kept = None
    if weights is not None and not weights.all():
        kept = weights > 0
        points, shares, weights = None if points is None else points[kept], shares[kept], weights[kept]
    source = Memberships(points, shares, middles, FUZZIFIER.check(m), weights, kept=kept)
    source.reach = reach
    return source


def as_shares(U: Any, name: str = "U", *, possibilistic: bool = False) -> Floats:
    """Return memberships, one row per point, or raise an error that says which cannot be shares of one point."""
    shares = inputs.as_points(U, name)
    if shares.min() < 0:
        row, column = np.argwhere(shares < 0)[0].tolist()
        msg = f"{name} must not be negative; row {row}, column {column} is {shares[row, column]:g}."
        raise InputError(msg)
    if possibilistic:
        if shares.max() > 1 + ROUNDING_OF_SHARES:
            row, column = np.argwhere(shares > 1 + ROUNDING_OF_SHARES)[0].tolist()
            msg = f"{name} must not be above 1; row {row}, column {column} is {shares[row, column]:g}."
            raise InputError(msg)
        return shares
    rows = np.abs(shares @ np.ones(shares.shape[1]) - 1) <= ROUNDING_OF_SHARES  # quicker than a sum along short rows
    if not rows.all():
        row = int(rows.argmin())
        turned = (np.abs(shares.sum(axis=0) - 1) <= ROUNDING_OF_SHARES).all()
        hint = f" Its columns do: give {name}.T, with one row per point." if turned else ""
        msg = f"Each row of {name} must add up to 1; row {row} adds up to {shares[row].sum():.9g}.{hint}"
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
    points: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of memberships; `degree` d says that scaling X by c scales the value by c**d."""
    return declares(
        KIND,
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
        undefined=undefined,
        degree=degree,
        clusters=(2, None),
        points=points,
    )
