"""The axes on which gaps are looked for: principal components with more variance than chance gives them."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats

PERMUTATIONS = 5  # of the columns, whose largest variances an axis must beat
FEWEST_AXES = 3
TIES = 0.5  # distinct values, as a share of the points, up to which a column counts as rounded
WIDEST = 2.5  # standard deviations that rounding hides at most
NEAR = 20  # neighbours whose distances tell the dimension
FEWEST_NEAR = 4


def unrounded(X: Floats, rng: np.random.Generator) -> Floats:
    """Return the points with uniform noise in place of rounding, in columns with many ties.

    Counts and codes lie on a grid, and between two lines of a grid there is always a gap.
    """
    points = X.copy()
    for column in range(X.shape[1]):
        values = np.unique(X[:, column])
        if 1 < len(values) <= TIES * len(X):
            step = min(float(np.median(np.diff(values))), WIDEST * float(X[:, column].std()))
            points[:, column] += rng.uniform(-step / 2, step / 2, len(X))
    return points


def scores_beyond_chance(X: Floats, rng: np.random.Generator, fewest: int = FEWEST_AXES) -> Floats:
    """Return the scores on the leading principal axes whose variance beats that of permuted columns."""
    centred = X - X.mean(axis=0)
    left, lengths, _ = np.linalg.svd(centred, full_matrices=False)
    chance = np.max(
        [np.linalg.svd(rng.permuted(centred, axis=0), compute_uv=False) for _ in range(PERMUTATIONS)], axis=0
    )
    below = np.flatnonzero(lengths <= chance)
    count = max(int(below[0]) if len(below) else len(lengths), min(fewest, len(lengths)))
    return np.asarray(left[:, :count] * lengths[:count])


def dimension(X: Floats) -> float:
    """Return the intrinsic dimension by distances to neighbours, after Levina and Bickel, inverses averaged.

    Equal points count once.
    """
    from scipy.spatial import cKDTree  # noqa: PLC0415 - only the test of structure needs it

    distinct = np.unique(X, axis=0)
    near = min(NEAR, len(distinct) // 4)
    if near < FEWEST_NEAR:
        return float(X.shape[1])
    distances = np.asarray(cKDTree(distinct).query(distinct, near + 1)[0])[:, 1:]
    distances = np.maximum(distances, np.finfo(float).tiny)
    logarithms = np.log(distances[:, -1:] / distances[:, :-1])
    return float((near - 2) / (near - 1) / logarithms.mean()) if logarithms.any() else float(X.shape[1])
