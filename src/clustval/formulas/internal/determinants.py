r"""Determinants of scatter matrices: volumes of the clusters, in every direction at once.

W is the pooled scatter matrix, the sum of the W_c; T = W + B that of all points. A matrix is singular when the
points span fewer than p directions up to the rounding of the data: then its determinant is 0.

Examples use the corners of two squares of side 2, the second moved by (10, 0): W = 8 I, and
B = diag(8 * 25, 0), so T = diag(208, 8).
"""

from __future__ import annotations

from math import e, inf, log

import numpy as np

from clustval.declare import Value
from clustval.options import Base
from clustval.rules import knee_of_fall, knee_of_rise, sharpest_bend_down
from clustval.sources.clustered_points import internal_index
from clustval.stats.points.moments import Moments
from clustval.stats.points.scatter import Scatter

FLAT = "the points span fewer directions than X has columns, so that det(T) / det(W) is 0/0"
HUGE = "it is more than a float can hold; rescale X or use a logarithmic index"


def power(exponent: Value) -> Value:
    """Return e**exponent, NaN where a float cannot hold it."""
    value = np.exp(exponent)
    return np.where(np.isinf(value) & np.isfinite(exponent), np.nan, value)


@internal_index(best=knee_of_rise, bounds=(1, inf), degree=0, reference="scott1971", clusters=(1, 1), undefined=FLAT)
def det_ratio(s: Scatter) -> Value:
    r"""Volume of all points over the volume of the clusters: determinants of the scatter matrices.

    .. math:: |T| / |W|

    Here 208 * 8 / 8**2:

    >>> det_ratio([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    26.0
    """
    return power(s.log_ratio)


@internal_index(best=knee_of_rise, bounds=(0, inf), degree=0, reference="scott1971", clusters=(1, 1), undefined=FLAT)
def log_det_ratio(s: Scatter, *, base: Base = e) -> Value:
    r"""Number of points times the logarithm of the volume of all points over that of the clusters.

    .. math:: n \log (|T| / |W|)

    Here 8 log 26:

    >>> log_det_ratio([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    26.06477230
    """
    return s.n * s.log_ratio / log(base)


@internal_index(
    best=knee_of_fall,
    bounds=(0, inf),
    degree=lambda p: 2 * p,
    reference="marriott1975",
    clusters=(1, 0),
    undefined=HUGE,
    aliases=("marriot",),
)
def ksq_detw(s: Scatter) -> Value:
    r"""Squared number of clusters times the determinant of the pooled scatter matrix.

    .. math:: k^2 |W|

    Here 4 * 64:

    >>> ksq_detw([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    256.0
    """
    return s.det_within(s.k**2)


@internal_index(best=knee_of_fall, bounds=(-inf, inf), degree=None, reference="scott1971", clusters=(1, 0))
def scott_symons(s: Scatter, m: Moments) -> Value:
    r"""Sum over clusters of their size times the log of the determinant of their covariance matrix.

    .. math:: \sum_c n_c \log | W_c / n_c |

    Minus infinity if a cluster spans fewer directions than there are columns. Here each W_c is 4 I, so
    2 * 4 log 1 = 0:

    >>> scott_symons([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    0.0
    """
    return (m.mass * (s.log_dets + s.log_unit - s.p * np.log(m.mass))).sum(-1)


@internal_index(
    best=sharpest_bend_down,
    bounds=(0, inf),
    degree=0,
    reference="friedman1967",
    clusters=(1, 1),
    undefined="inside clusters the points span fewer directions than X has columns, so that W has no inverse",
)
def trace_wib(s: Scatter) -> Value:
    r"""Scatter between clusters in units of the scatter within them, summed over directions.

    .. math:: \mathrm{tr}(W^{-1} B)

    Here 200 / 8 + 0 / 8:

    >>> trace_wib([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    25.0
    """
    return s.between_in_units_of_within
