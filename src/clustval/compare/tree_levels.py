"""Two trees cut into 2, 3, ... clusters: how far they agree at each level, and how far by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.drawn import Drawn
from clustval.errors import UndefinedIndexError
from clustval.result import Result
from clustval.sources.hierarchy import BESIDE, hierarchy
from clustval.stats.merges.merge_pairs import TreeLevels
from clustval.tables import Table, WithTable


@dataclass(frozen=True, repr=False, eq=False)
class FowlkesMallowsCurve(WithTable, Drawn, Result):
    """B_k of two trees for each number of clusters k, with its mean and variance for unrelated trees."""

    _figure = "fowlkes_mallows_bk"

    table: Table  # k, bk, mean and variance

    @property
    def k(self) -> Integers:
        """Numbers of clusters, from 2 to n - 1."""
        return self.table["k"]

    @property
    def values(self) -> Floats:
        """B_k for each k."""
        return self.table["bk"]

    @property
    def mean(self) -> Floats:
        """Mean of B_k over all ways to give the points of the second tree other names."""
        return self.table["mean"]

    @property
    def variance(self) -> Floats:
        """Variance of B_k over all ways to give the points of the second tree other names."""
        return self.table["variance"]

    @property
    def z(self) -> Floats:
        """How many standard deviations B_k lies above its mean; NaN where it cannot vary."""
        with np.errstate(invalid="ignore", divide="ignore"):
            z = (self.values - self.mean) / np.sqrt(self.variance)
        return np.where(self.variance > 0, z, np.nan)


def fowlkes_mallows_bk_curve(Z: Any, other: Any) -> FowlkesMallowsCurve:
    """Return B_k of two trees for every number of clusters k from 2 to n - 1, and its mean and variance by chance.

    Both are over all ways to give the points of the second tree other names, which keeps the sizes of all clusters
    (Fowlkes and Mallows 1983). Time grows with the square of the number of points, memory does not.

    Parameters
    ----------
    Z, other
        Two linkages of the same points, as SciPy's ``hierarchy.linkage`` returns them.

    With three clusters both trees have {0, 1}; with two, one of two pairs and one of three is shared:

    >>> one = [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]]
    >>> fowlkes_mallows_bk_curve(one, [[0, 1, 1, 2], [2, 4, 3, 3], [3, 5, 4, 4]])
    k      bk    mean  variance
    2  0.4082  0.4082         0
    3       1  0.1667    0.1389
    """
    source = hierarchy(Z, other)
    name = fowlkes_mallows_bk_curve.__name__
    if source.second is None:
        msg = f"{name} {BESIDE['tree']}."
        raise UndefinedIndexError(msg)
    if source.n < 3:
        msg = f"{name} needs at least 3 points; these trees have {source.n}."
        raise UndefinedIndexError(msg)
    levels = source[TreeLevels]
    columns = {"k": levels.k, "bk": levels.values, "mean": levels.mean, "variance": levels.variance}
    return FowlkesMallowsCurve(Table({name: column[1:] for name, column in columns.items()}))
