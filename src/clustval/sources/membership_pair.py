"""Memberships of the same points in two clusterings: the source of the statistics that compare them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats
from clustval.declare import Index, Plan, Source, Value, declares, kind
from clustval.errors import InputError, UndefinedIndexError
from clustval.passes.work.pair_time import pairs_of, seconds_of
from clustval.passes.work.threads import available_cores
from clustval.progress import duration
from clustval.rules import Rule
from clustval.sources.memberships import as_shares
from clustval.sources.pair_limits import LONGEST

KIND = "fuzzy_external"


class MembershipPair(Source):
    """The shares that each point has in the clusters of two clusterings: one row per point, one column per cluster."""

    coverage = 1.0  # there is no noise

    def __init__(self, U: Floats, V: Floats, *, limited: bool = False) -> None:
        super().__init__()
        self.U, self.V, self.limited = U, V, limited
        self.n = len(U)
        self.names = list(range(V.shape[1]))

    def check(self, index: Index) -> None:
        """Raise an error if there is no pair of points, or if all pairs take too long for an index among many."""
        if self.n < 2:
            msg = f"{index.name} compares pairs of points; there is only one point."
            raise UndefinedIndexError(msg)
        if self.limited and index.cost != "linear":
            pairs, cores = pairs_of(self.n), available_cores()
            seconds = seconds_of(pairs, self.U.shape[1] + self.V.shape[1], rounds=4, cores=cores)
            if seconds > LONGEST:
                msg = (
                    f"{index.name} needs {pairs:.3g} pairs of points, about {duration(seconds)} on {cores} cores; "
                    f"clustval.{KIND}.{index.name}(U, V) computes it, however long it takes."
                )
                raise UndefinedIndexError(msg)


@kind(KIND, "Agreement of memberships of points in two clusterings", order=3)
def membership_pair(U: Any, V: Any, *, plan: Plan | None = None) -> MembershipPair:
    """Return the checked memberships of the same points in two clusterings.

    Parameters
    ----------
    U, V
        Memberships: one row per point, one column per cluster, each row adds up to 1. Either may be labels, one per
        point, of which each is a cluster that the point belongs to entirely.
    """
    rows = next((each for each in map(inputs.row_names, (U, V)) if each is not None), None)
    shares = [as_memberships(inputs.aligned(each, rows, name), name) for each, name in ((U, "U"), (V, "V"))]
    if len(shares[0]) != len(shares[1]):
        msg = f"U has {len(shares[0])} rows but V has {len(shares[1])}."
        raise InputError(msg)
    return MembershipPair(*shares, limited=plan is not None and plan.limited)


def as_memberships(values: Any, name: str) -> Floats:
    """Return memberships, or those of labels: 1 in the cluster of its label for each point, 0 elsewhere."""
    if hasattr(values, "shape"):
        flat = len(values.shape) == 1
    else:
        first = next(iter(values), ()) if isinstance(values, Iterable) else None
        flat = not hasattr(first, "__len__") or isinstance(first, str)
    if not flat:
        return as_shares(values, name)
    codes = inputs.as_labels(values, name, noise="cluster").codes
    return np.ascontiguousarray(np.eye(int(codes.max()) + 1)[codes])


def membership_pair_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    reference: str,
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index that compares memberships; the two clusterings may be swapped."""
    return declares(
        KIND,
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
        undefined=undefined,
        symmetric=True,
    )
