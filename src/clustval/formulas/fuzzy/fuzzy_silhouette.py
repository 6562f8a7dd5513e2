"""Silhouettes of which those of doubtful points count less."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import AtLeast
from clustval.rules import highest
from clustval.sources.memberships import fuzzy_index
from clustval.stats.memberships.crisp_silhouettes import CrispSilhouettes

Alpha = Annotated[float, AtLeast(0)]


def widths(q: CrispSilhouettes) -> Floats:
    """Return the silhouette of each point in the cluster of its largest membership."""
    return q.widths


@fuzzy_index(
    best=highest,
    bounds=(-1, 1),
    degree=0,
    reference="campello2006",
    undefined="the two largest memberships of every point are equal",
    points=widths,
)
def fuzzy_silhouette(q: CrispSilhouettes, *, alpha: Alpha = 1.0) -> Value:
    r"""Mean silhouette of the points, each in its strongest cluster, weighted by how clear that cluster is.

    .. math:: \frac{\sum_i (u_{i1} - u_{i2})^\alpha s_i}{\sum_i (u_{i1} - u_{i2})^\alpha}

    with the largest and the second largest membership of a point, and its silhouette s by plain distances. Here the
    point 5, halfway, does not count; the others have (9 - 3.5) / 9, (7 - 2.5) / 7, (17/3 - 2) / (17/3) and
    (23/3 - 2) / (23/3):

    >>> fuzzy_silhouette([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]])
    0.6600394
    """
    leads = q.leads / (q.leads.max() or 1.0)  # whose powers do not all vanish
    shares = leads**alpha if q.weights is None else q.weights * leads**alpha
    return np.divide((shares * q.widths).sum(), shares.sum())
