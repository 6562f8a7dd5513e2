"""How well one tree shows what is in the data.

In the examples, 0 and 1 are merged at height 1, 2 and 3 at 2, and all at 4.
"""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.hierarchy import tree_index
from clustval.stats.merges.cophenetic import CopheneticFit
from clustval.stats.merges.first_merges import FirstMerges


@tree_index(
    aliases=("cpcc",),
    best=highest,
    bounds=(-1, 1),
    reference="sokal1962",
    undefined="all heights or all distances are equal",
)
def cophenetic_correlation(fit: CopheneticFit) -> Value:
    r"""Correlation between the distances of points and the heights at which the tree joins them.

    .. math:: \frac{\sum_{i<j} (d_{ij} - \bar d)(c_{ij} - \bar c)}
        {\sqrt{\sum_{i<j} (d_{ij} - \bar d)^2 \sum_{i<j} (c_{ij} - \bar c)^2}}

    with d the distance of two points and c the height of the merge that brings them together. It is called with the
    tree and the points, or their distances: as SciPy's ``pdist`` gives them, or as a square matrix with
    ``metric="precomputed"``.

    The distances are 1, 3, 5, 2, 4, 2 and the heights 1, 4, 4, 4, 4, 2, so that the sums are 43, 65 and 53 sixths:

    >>> cophenetic_correlation([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]], [[0], [1], [3], [5]])
    0.7326
    """
    return np.clip(fit.products / (np.sqrt(fit.distances) * np.sqrt(fit.heights)), -1, 1)


def depths(merges: FirstMerges) -> Floats:
    """Return how far below the last merge each point is merged for the first time, as a share of its height."""
    return 1 - merges.first / merges.last


@tree_index(
    aliases=("divisive_coefficient",),
    best=highest,
    bounds=(0, 1),
    reference="kaufman1990, chapters 5 and 6",
    undefined="all heights are 0",
    points=depths,
)
def agglomerative_coefficient(merges: FirstMerges) -> Value:
    r"""Mean, over points, of how far below the last merge each is merged for the first time.

    .. math:: \frac1n \sum_i \left(1 - \frac{h_i}{h_{\max}}\right)

    with h\ :sub:`i` the height of the first merge of point i and h\ :sub:`max` that of the last merge. Near 1, points
    find company early: there are groups. It grows with the number of points and differs between linkages, so that it
    compares only trees of as many points that were made in the same way.

    Of a tree that was made by dividing, where heights are diameters of the clusters that are divided, it is the
    divisive coefficient. Unverified for such trees: no second program agrees.

    The points are first merged at 1, 1, 2 and 2, and last at 4:

    >>> agglomerative_coefficient([[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]])
    0.625
    """
    return depths(merges).mean()
