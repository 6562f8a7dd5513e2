"""Partitions that leave out different shares of the points as noise: whether their values compare, and in words."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping

import numpy as np

from clustval.alarms import percent
from clustval.arrays import Floats
from clustval.declare import Request
from clustval.errors import UndefinedIndexError
from clustval.inputs import Labels

UNEVEN = 0.1  # difference of the shares from which on values do not compare


def share_of(labels: Labels, weights: Floats | None) -> float:
    """Return the share of the points, by weight, that are no noise."""
    inside = labels.codes >= 0
    return float(inside.mean()) if weights is None else float(weights[inside].sum() / weights.sum())


def is_uneven(coverage: Floats) -> bool:
    """Return whether shares differ by more than a tenth, so that values are values of different points.

    A partition of noise alone has no values that could be compared.

    >>> is_uneven(np.array([0.9, 1.0])), is_uneven(np.array([0.85, 1.0])), is_uneven(np.array([0.0, 1.0]))
    (False, True, False)
    """
    some = coverage[coverage > 0]
    return bool(len(some) and round(float(np.ptp(some)), 6) > UNEVEN)


def sentence(coverage: Floats, *, penalised: bool) -> str:
    """Return what share of the points partitions count; nothing where none is left out as noise.

    >>> sentence(np.array([0.9, 0.95]), penalised=False)
    'From 90 % to 95 % of the points count; the others are noise and left out.'
    """
    if (coverage == 1).all():
        return ""
    low, high = percent(float(coverage.min())), percent(float(coverage.max()))
    shares = f"{low} of the points count" if low == high else f"From {low} to {high} of the points count"
    if penalised:
        return f"{shares}; the others are noise, and values are made worse by their share."
    if not is_uneven(coverage):
        return f"{shares}; the others are noise and left out."
    return (
        f"{shares}; the others are noise and left out. Values of such different points do not compare, and none is "
        "starred: noise='penalty' makes values worse by the share of noise, noise='cluster' counts noise as a cluster."
    )


def make_worse(
    curves: dict[str, Floats],
    reasons: dict[tuple[Hashable, str], str],
    requests: Iterable[Request],
    coverage: Mapping[Hashable, float],
) -> None:
    """Replace the values of each index by those that noise makes worse, or by NaN with the reason."""
    for request in requests:
        worse = curves[request.name] = curves[request.name].copy()
        for row, (name, share) in enumerate(coverage.items()):
            try:
                worse[row] = request.index.penalised(float(worse[row]), share)
            except UndefinedIndexError as reason:
                worse[row] = math.nan
                reasons.setdefault((name, request.name), str(reason))
