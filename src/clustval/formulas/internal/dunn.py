"""Dunn's index and its generalisations: the narrowest gap between clusters over the widest cluster.

Six measures of the gap between two clusters (delta 1 ... 6) and three of the width of one (Delta 1 ... 3) make
eighteen indices gdi11 ... gdi63, of which the first is Dunn's own. Each is built from the two measures, and
needs just what these need. Examples use the points {0, 2}, {7} and {10, 11, 12} on a line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, Value, statistics_of
from clustval.formulas.internal.distances_to_centres import closest
from clustval.passes.centres.centre_gaps import FEW, Gaps
from clustval.rules import Rule, highest, sharpest_bend_down
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.mean_radii import MeanRadii
from clustval.stats.centres.radii import CentreSums
from clustval.stats.pairs.cluster_diameters import Diameters
from clustval.stats.pairs.pair_distances import Extremes, PairExtremes, PairSums

Measures = dict[int, Callable[..., Any]]


@internal_index(aliases=("gdi", "gdi11", "dunn11"), best=highest, bounds=(0, inf), degree=0, reference="dunn1974")
def dunn(e: Extremes) -> Value:
    r"""Smallest distance between two clusters over the largest inside one.

    .. math:: \frac{\min_{a \ne b} \min_{i \in a, j \in b} d(x_i, x_j)}{\max_c \max_{i, j \in c} d(x_i, x_j)}

    Here the gaps are 5, 8 and 3, the widths 2, 0 and 2:

    >>> dunn([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    1.5
    """
    return np.divide(e.separation, e.diameter)


def closest_points(e: PairExtremes) -> Floats:
    r"""Smallest distance between their points (single linkage)."""
    return e.mins


def farthest_points(e: PairExtremes) -> Floats:
    r"""Largest distance between their points (complete linkage)."""
    return e.maxs


def mean_distance(s: PairSums) -> Floats:
    r"""Mean distance between their points (average linkage)."""
    return s.sums / (s.mass[..., :, None] * s.mass[..., None, :])


def centre_gap(r: MeanRadii) -> Gaps:
    r"""Distance between their centres."""
    return r.gaps


def to_other_centre(c: CentreSums) -> Floats:
    r"""Mean distance of the points of both to the centre of the other."""
    return (c.sums + c.sums.swapaxes(-1, -2)) / (c.mass[..., :, None] + c.mass[..., None, :])


def hausdorff(e: PairExtremes) -> Floats:
    r"""Hausdorff distance: how far the farthest point of one lies from the other."""
    return np.maximum(e.hausdorff, e.hausdorff.swapaxes(-1, -2))


def to_own_centre(r: MeanRadii) -> Floats | Gaps:
    r"""Mean distance of the points of both to the centre of their own cluster."""
    rows, k = SharedSpreads(r.sums, r.mass), r.gaps.k
    return Gaps(rows, k) if k > FEW else rows(0, k)


class SharedSpreads:
    """Mean over the points of two clusters of what is added up over the points of each."""

    def __init__(self, sums: Floats, mass: Any) -> None:
        self.sums, self.mass = sums, mass

    def __call__(self, lo: int, hi: int) -> Floats:
        both: Floats = self.sums[..., lo:hi, None] + self.sums[..., None, :]
        return both / (self.mass[..., lo:hi, None] + self.mass[..., None, :])

    def smallest(self) -> Any:
        """Return the smallest, which the cluster with the smallest mean has with another: it lowers every mean."""
        least = int((self.sums / self.mass).argmin())
        return np.delete(self(least, least + 1)[0], least).min()


def diameter(d: Diameters) -> Floats:
    r"""Largest distance between its points."""
    return d.values


def mean_inside(s: PairSums) -> Floats:
    r"""Mean distance between its points; 0 for a single point."""
    return s.within_by_cluster / np.where(s.mass > 1, s.mass * (s.mass - 1) / 2, 1)


def twice_radius(r: MeanRadii) -> Floats:
    r"""Twice the mean distance of its points to its centre."""
    return 2 * r.means


GAPS: Measures = {
    1: closest_points,
    2: farthest_points,
    3: mean_distance,
    4: centre_gap,
    5: to_other_centre,
    6: hausdorff,
}
WIDTHS: Measures = {1: diameter, 2: mean_inside, 3: twice_radius}
GAPS_OF_DESGRAUPES: Measures = {5: to_own_centre}

WORDS: dict[Callable[..., Any], str] = {
    closest_points: "Smallest distance between points of two clusters",
    farthest_points: "Smallest, over pairs of clusters, of the largest distance between their points,",
    mean_distance: "Smallest mean distance between the points of two clusters",
    centre_gap: "Smallest distance between the centres of two clusters",
    to_other_centre: "Smallest mean distance of the points of two clusters to the centre of the other",
    hausdorff: "Smallest Hausdorff distance of two clusters",
    to_own_centre: "Smallest mean distance of the points of two clusters to their own centre",
    diameter: "largest distance inside a cluster",
    mean_inside: "largest mean distance inside a cluster",
    twice_radius: "largest mean distance to the own centre, twice",
}

# The narrowest gap of the example's three clusters by each measure; their widest is 2 by all three.
EXAMPLE: dict[Callable[..., Any], float] = {
    closest_points: 3, farthest_points: 5, mean_distance: 4, centre_gap: 4, to_other_centre: 4, hausdorff: 5,
    to_own_centre: 0.5,
}  # fmt: skip


def summary_statistic(measure: Callable[[Any], Any], summary: Callable[[Any], Any]) -> type[Statistic]:
    """Return a statistic that holds one summary of a measure, such as its largest value; several indices share it.

    It is pickled by its place in `SUMMARIES`.
    """

    @dataclass(frozen=True, eq=False)
    class Summary(Statistic):
        after = statistics_of(measure)

        value: Any

        @classmethod
        def derived(cls, statistic: Any) -> Summary:
            return cls(summary(measure(statistic)))

    Summary.__name__ = f"{summary.__name__}_{measure.__name__}"
    Summary.__qualname__ = f"SUMMARIES.{Summary.__name__}"
    setattr(SUMMARIES, Summary.__name__, Summary)
    return Summary


def largest(widths: Floats) -> Value:
    """Return the largest of the widths of clusters."""
    return widths.max(-1)


SUMMARIES = SimpleNamespace()
WIDEST = {v: summary_statistic(width, largest) for v, width in WIDTHS.items()}


def generalised_dunn(narrowest: type[Statistic], widest: type[Statistic]) -> Callable[..., Value]:
    """Return the formula of a generalised Dunn index."""

    def formula(gap: Any, width: Any) -> Value:
        return np.divide(gap.value, width.value)

    formula.__annotations__ = {"gap": narrowest, "width": widest}
    formula.__module__ = __name__
    return formula


def _family(gaps: Measures, suffix: str, reference: str, best: Rule = highest) -> dict[str, Callable[..., float]]:
    functions = {}
    for u, gap in gaps.items():
        narrowest = summary_statistic(gap, closest)
        for v, width in WIDTHS.items():
            if (u, v) == (1, 1):
                continue  # Dunn's own index, above
            formula, name = generalised_dunn(narrowest, WIDEST[v]), f"gdi{u}{v}{suffix}"
            formula.__name__ = formula.__qualname__ = name
            formula.__doc__ = (
                f"{WORDS[gap]} over the {WORDS[width]}.\n\n"
                r".. math:: \min_{a \ne b} \delta(a, b) \big/ \max_c \Delta(c)" + "\n\n"
                f"Here the narrowest gap is {EXAMPLE[gap]} and the widest cluster 2:\n\n"
                f">>> {name}([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])\n{EXAMPLE[gap] / 2}\n"
            )
            declare = internal_index(
                best=best,
                bounds=(0, inf),
                degree=0,
                reference=reference,
                aliases=() if suffix else (f"dunn{u}{v}",),
            )
            functions[name] = declare(formula)
    return functions


# The gap of Desgraupes is no gap but a width: it falls with every further cluster, and what can be read is a bend.
__test__ = _family(GAPS, "", "bezdek1998") | _family(
    GAPS_OF_DESGRAUPES, "_own_centre", "desgraupes2017, eq. 54", sharpest_bend_down
)
