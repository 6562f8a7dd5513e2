"""The best of several values of one index, by the rule of that index."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from clustval.catalogue import kinds, select
from clustval.errors import InputError
from clustval.rules import Rule


def best(values: ArrayLike, index: str | Rule, k: ArrayLike | None = None, *, critical: ArrayLike | None = None) -> int:
    """Return the position, from 0, of the best of several values of one index.

    Parameters
    ----------
    values
        One value per partition. NaN is left out; the first of equals wins.
    index
        The name of an index, read by our own rule ("trace_w"), or of a member of a suite, read by the rule that its
        source prints ("clustercrit:trace_w"); or a rule of `clustval.rules` itself.
    k
        The number of clusters of each partition; None if they are consecutive and ascending. Rules that compare
        neighbours need them in order and at their true distances, and take the best value where one occurs twice.

    critical
        The critical value of each partition, for indices that are read against them: ``swept.details["duda_hart"]
        ["critical"]``.

    >>> best([0.62, 0.71, 0.55], "silhouette")
    1
    >>> best([100.0, 60.0, 20.0, 15.0, 11.0], "clustercrit:trace_w", k=[2, 3, 4, 5, 6])
    2
    """
    rule, name = (index, "It") if isinstance(index, Rule) else (_rule_of(index), index)
    curve = _curve(values)
    if rule.critical:
        curve = curve - _critical(critical, len(curve), name)
    clusters = None if k is None else _clusters(k, len(curve))
    if rule.better == "neither":
        msg = f"{name} describes a partition and does not judge it: none of its values is best."
        raise InputError(msg)
    numbers = int(np.count_nonzero(~np.isnan(curve)))
    if numbers == 0:
        msg = f"values holds no number to choose from: {'all are NaN' if len(curve) else 'it is empty'}."
        raise InputError(msg)
    position = rule.choose(curve, clusters)
    if position < 0 and rule.refuses:
        msg = f"{name} chooses none of these values; its rule is: {rule.name}."
        raise InputError(msg)
    if position < 0:
        msg = (
            f"{name} is read by the {rule.name}, which compares {rule.compares} neighbouring values; values holds "
            f"{len(curve)}, of which {numbers} are numbers, and no {rule.compares} finite ones side by side."
        )
        raise InputError(msg)
    return position


def _rule_of(name: str) -> Rule:
    if not isinstance(name, str):
        msg = f"index must be the name of an index or a rule; it is {name!r}."
        raise InputError(msg)
    failure: InputError | None = None
    for kind in kinds():
        try:
            choices = select(name, kind.name, swept=True)
        except InputError as error:
            failure = failure or error
            continue
        if len(choices) > 1:
            msg = f"{name!r} is a suite of {len(choices)} indices; name one of them, as '{name}:{choices[0].name}'."
            raise InputError(msg)
        return choices[0].best
    assert failure is not None
    raise failure


def _curve(values: ArrayLike, what: str = "values") -> NDArray[np.float64]:
    try:
        curve = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        curve = np.empty((0, 0))
    if curve.ndim != 1:
        msg = f"{what} must be a list of numbers, one for each partition."
        raise InputError(msg)
    return curve


def _critical(critical: ArrayLike | None, count: int, name: str) -> NDArray[np.float64]:
    if critical is None:
        msg = f"{name} is read against a critical value of each partition; give critical=, which Sweep.details has."
        raise InputError(msg)
    curve = _curve(critical, "critical")
    if len(curve) != count:
        msg = f"values has {count} entries but critical has {len(curve)}."
        raise InputError(msg)
    return curve


def _clusters(k: ArrayLike, count: int) -> NDArray[np.float64]:
    numbers = np.asarray(list(k) if isinstance(k, range) else k)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iuf" or not np.isfinite(numbers).all():
        msg = "k must be a list of numbers of clusters, one for each value."
        raise InputError(msg)
    if len(numbers) != count:
        msg = f"values has {count} entries but k has {len(numbers)}."
        raise InputError(msg)
    return numbers.astype(np.float64)
