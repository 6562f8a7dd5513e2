"""Many clusterings by memberships of the same points at once, and which of them each index would choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from clustval.catalogue import select
from clustval.declare import plan_of
from clustval.errors import InputError
from clustval.evaluation import Names, values_of
from clustval.relative.sweep_result import Sweep
from clustval.sources.memberships import KIND, memberships


def sweep(
    X: Any,
    partitions: Any,
    indices: Names = "all",
    *,
    centres: Mapping[Any, Any] | None = None,
    m: float | Mapping[Any, float] = 2.0,
    possibilistic: bool = False,
    sample_weight: Any = None,
) -> Sweep:
    """Return the values of fuzzy indices for several memberships of the same points, as a `Sweep`.

    Parameters
    ----------
    X
        One row per point, or None for indices that read memberships alone.
    partitions
        A mapping from the number of clusters, or any other name, to memberships or to a fitted model; or a list.
    indices
        A suite, a name, several, or a mapping from names to options; all by default.
    centres
        A mapping from the same names to centres; None for means weighted by memberships.
    m
        The fuzzifier: one for all, or a mapping from the same names, to compare clusterings that differ in it.
    possibilistic, sample_weight
        As in `evaluate`.

    >>> X, crisp = [[0], [1], [8], [9]], [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> vague = [[0.6, 0.4], [0.6, 0.4], [0.4, 0.6], [0.4, 0.6]]
    >>> sweep(X, {"crisp": crisp, "vague": vague}, ["partition_coefficient", "fuzzy_xie_beni"]).best()
    {'partition_coefficient': 'crisp', 'fuzzy_xie_beni': 'crisp'}
    """
    choices = select(indices, KIND)
    by_name = _named(partitions)
    plan = plan_of(choices, limited=True)
    rows, labels, numbers = [], {}, []
    reasons: dict[tuple[Any, str], str] = {}
    for name, U in by_name.items():
        source = memberships(
            X,
            U,
            centres=_of_name(centres, name, "centres") if centres is not None else None,
            m=_of_name(m, name, "m") if isinstance(m, Mapping) else m,
            possibilistic=possibilistic,
            sample_weight=sample_weight,
            plan=plan,
        )
        values, missing = values_of(source, choices)
        rows.append([values[choice.name] for choice in choices])
        reasons |= {(name, index): reason for index, reason in missing.items()}
        labels[name] = source.U.argmax(axis=1)
        numbers.append(source.k)
    return Sweep(np.array(rows), labels, np.array(numbers, dtype=np.int64), choices, reasons)


def _named(partitions: Any) -> dict[Any, Any]:
    """Return memberships by name: as they are named, or by their position."""
    if isinstance(partitions, Mapping):
        by_name = dict(partitions)
    elif isinstance(partitions, Iterable):
        by_name = dict(enumerate(partitions))
    else:
        msg = f"partitions must be a mapping from names to memberships, or a list; it is {partitions!r}."
        raise InputError(msg)
    if not by_name:
        msg = "partitions is empty; give at least one matrix of memberships."
        raise InputError(msg)
    return by_name


def _of_name(values: Mapping[Any, Any], name: Any, what: str) -> Any:
    if name not in values:
        msg = f"{what} has no entry for {name!r}; give one for each of the partitions."
        raise InputError(msg)
    return values[name]
