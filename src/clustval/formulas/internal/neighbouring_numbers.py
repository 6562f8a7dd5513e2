"""What one cluster more, or fewer, would change: indices that compare partitions into neighbouring numbers of clusters.

Examples use the points 0, 2, 7, 10, 11 and 12 on a line, as one cluster, as {0, 2} and {7, 10, 11, 12}, as {0, 2}, {7}
and {10, 11, 12}, and as {0, 2}, {7}, {10, 11} and {12}: the squares within are 124, 16, 4 and 2.5.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.formulas.internal.sums_of_squares import trace_w
from clustval.kernels.work.rounding import ROUNDING_OF_CHANGES
from clustval.rules import at_most_ten, highest
from clustval.sources.sweep_curves import Curve, sweep_index
from clustval.stats.centres.radii import Radii
from clustval.stats.points.moments import Moments


def change(before: Floats, after: Floats) -> Floats:
    """Return before - after, and 0 where only rounding parts the two: a quotient by it, or times infinity, is huge."""
    difference = before - after
    return np.where(np.abs(difference) <= ROUNDING_OF_CHANGES * np.abs(before), 0.0, difference)


def spare(m: Moments) -> Value:
    """Return n - k - 1."""
    return m.mass.sum(-1) - m.k - 1


@sweep_index(
    best=at_most_ten,
    bounds=(-inf, inf),
    degree=0,
    reference="hartigan1975",
    clusters=(1, 2),
    undefined="no scatter is left within clusters",
)
def hartigan(
    W: Annotated[Floats, Curve(trace_w)],
    W_after: Annotated[Floats, Curve(trace_w, "after")],
    spare: Annotated[Floats, Curve(spare)],
) -> Floats:
    r"""How much one more cluster would shrink the squares within, in units of what is left for each point.

    .. math:: \left(\frac{W_k}{W_{k+1}} - 1\right) (n - k - 1)

    A further cluster pays while it is above 10. Here (124 - 16) / 16 * 4, (16 - 4) / 4 * 3 and (4 - 2.5) / 2.5 * 2:

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> partitions = [[0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 2, 3]]
    >>> sweep(X, partitions, "hartigan")["hartigan"]
    array([27. ,  9. ,  1.2,  nan])
    """
    return (W - W_after) / W_after * spare


def scaled_within(m: Moments) -> Value:
    """Return the squares within, times what evenly spread points would have fewer in as many clusters."""
    return m.k ** (2 / m.p) * m.within


def difference(
    W: Annotated[Floats, Curve(scaled_within)],
    W_before: Annotated[Floats, Curve(scaled_within, "before")],
) -> Floats:
    """Return DIFF of Krzanowski and Lai, the numerator of their index."""
    return change(W_before, W)


@sweep_index(
    best=highest,
    bounds=(0, inf),
    degree=0,
    reference="krzanowski1988",
    undefined="neither this cluster nor the next changes the scaled squares within",
    aliases=("kl",),
    details={"difference": difference},
)
def krzanowski_lai(
    W: Annotated[Floats, Curve(scaled_within)],
    W_before: Annotated[Floats, Curve(scaled_within, "before")],
    W_after: Annotated[Floats, Curve(scaled_within, "after")],
) -> Floats:
    r"""How much the last cluster shrank the squares within, over how much the next would, beyond what even points give.

    .. math:: \left| \frac{DIFF_k}{DIFF_{k+1}} \right|, \quad DIFF_k = (k-1)^{2/p} W_{k-1} - k^{2/p} W_k

    It is huge where DIFF at k + 1 is almost 0, whatever the data: `Sweep.details` has the DIFF. W of one cluster is
    taken from the points if the sweep has no such partition. Here DIFF is 124 - 4 * 16 = 60, 64 - 9 * 4 = 28 and
    36 - 16 * 2.5 = -4:

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> swept = sweep(X, [[0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 2, 3]], "krzanowski_lai")
    >>> swept["krzanowski_lai"]
    array([2.14285714, 7.        ,        nan])
    >>> swept.details["krzanowski_lai"]["difference"]
    array([60., 28., -4.])
    """
    return np.abs(change(W_before, W) / change(W, W_after))


def distortion(m: Moments) -> Value:
    """Return the mean squared distance to the mean of the cluster, per dimension."""
    return m.within / (m.n * m.p)


def half_the_dimensions(m: Moments) -> Value:
    """Return p / 2."""
    return np.full(m.mass.shape[:-1], m.p / 2)


@sweep_index(
    best=highest,
    bounds=(-inf, inf),
    degree=lambda p: -p,
    reference="sugar2003",
    clusters=(1, 0),
    undefined="no scatter is left within clusters, or so little that its power is no number",
)
def jump(
    d: Annotated[Floats, Curve(distortion)],
    d_before: Annotated[Floats, Curve(distortion, "before", of_nothing=inf)],
    Y: Annotated[Floats, Curve(half_the_dimensions)],
) -> Floats:
    r"""How much the last cluster raised the distortion to the power of minus half the number of dimensions.

    .. math:: d_k^{-Y} - d_{k-1}^{-Y}, \quad d_k = \frac{W_k}{n p}, \quad Y = \frac p 2, \quad d_0^{-Y} = 0

    The distance is Euclidean: columns of different units or strongly correlated ones should be standardised. d of one
    cluster is taken from the points if the sweep has no such partition. Here sqrt(6 / 124), sqrt(6 / 16) less that,
    and sqrt(6 / 4) - sqrt(6 / 16):

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> sweep(X, [[0, 0, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2]], "jump")["jump"]
    array([0.21997067, 0.39240176, 0.61237244])
    """
    return d**-Y - d_before**-Y


def share_of_distances(r: Radii) -> Value:
    """Return the distances of points to the mean of their cluster over those to the mean of all."""
    return np.divide(r.inside, r.total)


def elongation(r: Radii) -> Value:
    """Return the largest distance between two centres over the smallest; 0 for one cluster."""
    return np.zeros(r.sizes.shape[:-1]) if r.k == 1 else np.divide(r.gaps.largest, r.gaps.smallest)


@sweep_index(
    name="str",
    best=highest,
    bounds=(-inf, inf),
    degree=0,
    reference="starczewski2017",
    undefined="points or centres coincide",
    aliases=("starczewski",),
)
def starczewski(
    F: Annotated[Floats, Curve(share_of_distances)],
    F_before: Annotated[Floats, Curve(share_of_distances, "before")],
    D: Annotated[Floats, Curve(elongation)],
    D_after: Annotated[Floats, Curve(elongation, "after")],
) -> Floats:
    r"""How much closer the last cluster brought points to their centres, times how much closer the next brings centres.

    .. math:: (E_k - E_{k-1}) (D_{k+1} - D_k), \quad
        E_k = \frac{\sum_i \lVert x_i - g \rVert}{\sum_c \sum_{i \in c} \lVert x_i - \mu_c \rVert}, \quad
        D_k = \frac{\max \lVert \mu_a - \mu_b \rVert}{\min \lVert \mu_a - \mu_b \rVert}

    with g the mean of all points, E = 1 and D = 0 for one cluster. Here the distances to g = 7 add up to 24, those to
    the centres to 24, 8 and 4; the distances between centres are 9; 4, 6 and 10; 3.5, 5, 6, 9.5, 1.5 and 11:
    (3 - 1) (10/4 - 1) and (6 - 3) (11/1.5 - 10/4):

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> sweep(X, [[0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 2, 3]], "str")["str"]
    array([ 3. , 14.5,  nan])
    """
    return change(1 / F, 1 / F_before) * (D_after - D)
