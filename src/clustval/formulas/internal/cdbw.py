"""Density inside clusters and between them, around several points of each (CDbw)."""

from __future__ import annotations

from math import inf
from typing import Annotated, NamedTuple

import numpy as np

from clustval.declare import Value
from clustval.options import AtLeast
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.density.cdbw import Representatives

Count = Annotated[int, AtLeast(1)]


class Parts(NamedTuple):
    """The three factors of the index."""

    cohesion: Value
    separation: Value
    compactness: Value


def parts(r: Representatives) -> Parts:
    """Return the three factors."""
    own = np.eye(r.sizes.shape[-1], dtype=bool)
    densest = np.where(own, -np.inf, r.between).max(-1).mean(-1)
    closest = np.where(own, np.inf, r.distances).min(-1).mean(-1)
    shares = r.inside.mean(-2) / r.deviations.mean(-1)[..., None]
    compactness = shares.mean(-1)
    change = np.abs(np.diff(shares, axis=-1)).mean(-1)
    return Parts(compactness / (1 + change), closest / (1 + densest), compactness)


@internal_index(
    best=highest,
    bounds=(0, inf),
    degree=None,
    reference="halkidi2008",
    undefined="a cluster has one point, or two clusters have no extent",
)
def cdbw(r: Representatives, *, representatives: Count = 10) -> Value:
    r"""Cohesion times separation times compactness, by how many points lie near representatives of the clusters.

    .. math:: \frac{C}{1 + \Delta} \cdot C \cdot
              \frac{\frac{1}{k} \sum_a \min_b d_{ab}}{1 + \frac{1}{k} \sum_a \max_b \rho_{ab}}

    Representatives of a cluster are up to `representatives` of its points, beginning with the one farthest from the
    centre, each further one the farthest from those before. :math:`\sigma_a` is the root of the sum of squared
    distances to the centre over n_a - 1. Over the representatives of two clusters that are each other's nearest, d is
    the mean of their distance, and :math:`\rho` that of :math:`d / 2 \sigma` times the share of the points of both
    clusters within :math:`\sigma = (\sigma_a + \sigma_b) / 2` of their midpoint. Representatives are then moved by
    s = 0.1 ... 0.8 of their way to the centre; C is the mean, and Delta the mean change, over s, of the mean share of
    the points of a cluster within :math:`\sigma_a` of one, divided by the mean :math:`\sigma`. It depends on the unit
    of X: standardise first. Unverified: no second program agrees. The R package fpc takes the :math:`\sigma` of one
    cluster for both, compares squared distances with it, and adds up changes with their sign. Here {0, 3} and
    {8, 10, 12} have :math:`\sigma` = sqrt(4.5) and 2, 2.06 on average; 3 and 8 are matched, 5 apart, with no point
    within 2.06 of 5.5. All points are representatives. Around these lie, of {0, 3}, one of the two for s up to 0.5 and
    both from 0.6 on; of {8, 10, 12}, two, three and two of the three: C = (5/8 (1/2 + 7/9) / 2 + 3/8 (1 + 7/9) / 2) /
    2.06 = 0.3555, Delta = 1/4 / 7 / 2.06 = 0.0173, and 0.3555 / 1.0173 x 5 x 0.3555:

    >>> cdbw([[0], [3], [8], [10], [12]], [0, 0, 1, 1, 1])
    0.62126187
    """
    p = parts(r)
    return p.cohesion * p.separation * p.compactness
