"""Two parts in one index, brought to one scale by the whole of a sweep."""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.formulas.internal.distances_to_centres import sd_dis, sd_scat
from clustval.rules import elbow_of_fall
from clustval.sources.sweep_curves import Curve, Numbers, sweep_index


@sweep_index(
    best=elbow_of_fall,
    bounds=(0, inf),
    degree=-1,
    reference="halkidi2000; desgraupes2017, eq. 84",
    undefined="it needs sd_scat and sd_dis, of which one has no value",
)
def sd(
    scat: Annotated[Floats, Curve(sd_scat)],
    dis: Annotated[Floats, Curve(sd_dis)],
    k: Annotated[Integers, Numbers],
) -> Floats:
    r"""Scatter of the clusters, weighed by the largest distance term of the sweep, plus the distance term.

    .. math:: \alpha \, Scat_k + Dis_k

    with alpha = Dis at the largest number of clusters at which it is finite; of several such partitions, the smallest.
    Here Scat is 14/62 and 5/186, Dis is 1/8 + 1/8 and 10/4 (1/16 + 1/10 + 1/14) = alpha:

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> sweep(X, [[0, 0, 0, 1, 1, 1], [0, 0, 1, 2, 2, 2]], "sd")["sd"]
    array([0.38205645, 0.60054243])
    """
    usable = np.isfinite(dis)
    if not usable.any():
        return np.full(len(dis), np.nan)
    alpha = float(dis[usable & (k == k[usable].max())].min())
    return alpha * scat + dis
