"""How far each cluster lies from all other points in a column, in standard deviations inside clusters."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import ROUNDING_OF_SPREADS


def column_means(values: Floats, codes: Integers, k: int, weights: Floats) -> tuple[Floats, Floats]:
    """Return the mean of a column in each cluster, and its mean over all points that are in other clusters.

    A cluster without values has NaN, and so have the others where there are none. Missing values are NaN.
    """
    values, exponent = _below_one(values)
    means, others = _means(values, codes, k, weights)
    return np.ldexp(means, exponent), np.ldexp(others, exponent)


def column_effects(values: Floats, codes: Integers, k: int, weights: Floats) -> Floats:
    """Return the mean of each cluster less that of all others, in standard deviations inside clusters.

    Infinite where values do not vary inside clusters but between them; NaN where there is nothing to compare.

    >>> values, codes = np.array([1.0, 3.0, 5.0, 7.0]), np.array([0, 0, 1, 1])
    >>> column_effects(values, codes, 2, np.ones(4)).tolist()
    [-4.0, 4.0]
    """
    present = ~np.isnan(values)
    if not present.any():
        return np.full(k, np.nan)
    values, _ = _below_one(values)
    values, _ = _below_one(values - values[present][0])  # equal values are 0, and means of them are, too
    means, others = _means(values, codes, k, weights)
    at, heavy = codes[present], weights[present]
    with np.errstate(invalid="ignore", divide="ignore"):
        within = np.sqrt(np.sum(heavy * (values[present] - means[at]) ** 2) / heavy.sum())
        effects: Floats = _unless_rounding(means - others) / _unless_rounding(within)
    return effects


def _below_one(values: Floats) -> tuple[Floats, int]:
    """Divide a column by the power of two that leaves it from 1/2 to 1, so that sums and squares are finite."""
    _, exponent = np.frexp(np.nanmax(np.abs(values), initial=0.0))
    return np.ldexp(values, -int(exponent)), int(exponent)


def _unless_rounding(differences: Floats) -> Floats:
    """Return differences of values of which the largest is 1, 0 for what rounding makes of equal ones."""
    return np.where(np.abs(differences) <= ROUNDING_OF_SPREADS, 0.0, differences)


def _means(values: Floats, codes: Integers, k: int, weights: Floats) -> tuple[Floats, Floats]:
    present = ~np.isnan(values)
    at, heavy = codes[present], weights[present]
    mass = np.bincount(at, weights=heavy, minlength=k)
    sums = np.bincount(at, weights=heavy * values[present], minlength=k)
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = sums / mass
        shares = mass / mass.sum()
        total = np.nansum(shares * means)
        others: Floats = (total - shares * np.nan_to_num(means)) / (1 - shares)
    return means, np.where(np.isfinite(others), others, np.nan)
