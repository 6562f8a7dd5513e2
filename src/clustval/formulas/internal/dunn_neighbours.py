"""Dunn's idea with near neighbours: how far nearest points of other clusters are, over how far those of the own are."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import AtLeast, OneOf
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.neighbours.neighbour_gaps import NeighbourGaps

Count = Annotated[int, AtLeast(1)]
Average = Annotated[str, OneOf("min", "smin", "mean", "smax", "max", "const")]


def smooth_minimum(values: Floats, smoothness: int) -> float:
    """Return the mean of the smallest values, three times `smoothness` of them, weighed by half a Gaussian bell."""
    count = min(3 * smoothness, len(values))
    smallest = np.sort(np.partition(values, count - 1)[:count])
    return float(np.average(smallest, weights=np.exp(-((np.arange(count) / smoothness) ** 2) / 2)))


AVERAGES: dict[str, Callable[[Floats, int], float]] = {
    "min": lambda values, _: float(values.min()),
    "smin": smooth_minimum,
    "mean": lambda values, _: float(values.mean()),
    "smax": lambda values, smoothness: 0.0 - smooth_minimum(-values, smoothness),  # never -0.0
    "max": lambda values, _: float(values.max()),
}


def average(values: list[Floats], word: str, smoothness: int) -> Floats:
    """Return the average that a word names of each array; infinite where there are no values."""
    if word == "const":
        return np.ones(len(values))
    return np.array([AVERAGES[word](one, smoothness) if len(one) else inf for one in values])


@internal_index(
    best=highest,
    bounds=(0, inf),
    degree=1,
    reference="gagolewski2021",
    undefined="some cluster has no more points than neighbours are looked at, or it is 0/0",
)
def dunn_nn(
    g: NeighbourGaps,
    *,
    neighbours: Count = 25,
    numerator: Average = "smin",
    denominator: Average = "const",
    smoothness: Count = 5,
) -> Value:
    r"""Average distance to nearest points that are in other clusters, over that to those in the own cluster.

    .. math:: \frac{\mathrm{OWA}\{d(i, j): j \in nn(i),\, c(j) \ne c(i)\}}
                   {\mathrm{OWA}'\{d(i, j): j \in nn(i),\, c(j) = c(i)\}}

    Of each point as many nearest points are looked at as `neighbours` says. `numerator` and `denominator` name the
    averages, ordered weighted ones: "min", "mean", "max", or "smin" and "smax", which smooth the smallest and the
    largest by weights :math:`e^{-(r / s)^2 / 2}` of the values of rank r = 0, 1 ... up to 3 s, with s the
    `smoothness`; "const" is 1. Infinite if no nearest point is in another cluster. Undefined if a cluster has no more
    points than neighbours are looked at. Here two nearest points of each of {0, 2, 7} and {10, 11, 12} are 2 and 7; 2
    and 5; 3 and 4; 1 and 2; 1 and 1; 1 and 2 away; of other clusters are those of 7, 3 and 4. The smallest are 3 over
    a mean of (2 + 7 + 2 + 5 + 1 + 2 + 1 + 1 + 1 + 2) / 10:

    >>> X, labels = [[0], [2], [7], [10], [11], [12]], [0, 0, 0, 1, 1, 1]
    >>> dunn_nn(X, labels, neighbours=2, numerator="min", denominator="mean")
    1.25
    """
    above, below = average(g.between(), numerator, smoothness), average(g.within(), denominator, smoothness)
    enough = (g.sizes > neighbours).all(-1)
    return np.where(enough, np.reshape(above / below, enough.shape), np.nan)
