"""How far each cluster lies from all other points in a column, in standard deviations inside clusters."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers


def column_means(values: Floats, codes: Integers, k: int, weights: Floats) -> tuple[Floats, Floats]:
    """Return the mean of a column in each cluster, and its mean over all points that are in other clusters.

    A cluster without values has NaN, and so have the others where there are none. Missing values are NaN.
    """
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


def column_effects(values: Floats, codes: Integers, k: int, weights: Floats) -> Floats:
    """Return the mean of each cluster less that of all others, in standard deviations inside clusters.

    Infinite where values do not vary inside clusters but between them; NaN where there is nothing to compare.

    >>> values, codes = np.array([1.0, 3.0, 5.0, 7.0]), np.array([0, 0, 1, 1])
    >>> column_effects(values, codes, 2, np.ones(4)).tolist()
    [-4.0, 4.0]
    """
    means, others = column_means(values, codes, k, weights)
    present = ~np.isnan(values)
    at, heavy = codes[present], weights[present]
    with np.errstate(invalid="ignore", divide="ignore"):
        within = np.sqrt(np.sum(heavy * (values[present] - means[at]) ** 2) / heavy.sum())
        effects: Floats = (means - others) / within
    return effects
