"""Whether there are gaps: points that had no part in finding two groups are rarer between them than on either side.

The points are halved. One half finds pairs of groups, a way between each pair and three cells on it; the other half
is counted in the cells of the clearest gap, and then both change places. If the density along the way has one peak, the
cell between holds no fewer points than the emptier of the others, so that a binomial test of either side is exact, and
the larger of both p-values counts. The two halves are combined by Stouffer's rule, and the median over several
halvings takes away the luck of one. Where points lie on a curve or a surface, the curved way must show the gap as well;
there clusters may also be thin, and a step between them that is longer than those within shows a gap, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.choosing.evidence.axes import dimension, scores_beyond_chance, unrounded
from clustval.choosing.evidence.bridges import longer
from clustval.choosing.evidence.groups import compact_pairs, dense_pairs
from clustval.choosing.evidence.ways import Counts, Curve, Line, graph_of
from clustval.passes.work import threads
from clustval.seeding import TaskGenerator

HALVINGS = 5
CURVED = 3.0  # dimensions below which points may lie on a curve or a surface
SMALLEST = 0.05  # share of the points that a group has at least
FEWEST = 6  # points of a group
MARGINS = {"straight": 1.0, "curved": 0.8}  # of the density on either side, below which the middle counts as rarer
OF_ONE_COLUMN = 2.0  # times the median, which is a p-value however halvings depend; several columns hold without
LOOSER = 4.0  # times the level of the straight way, at which the curved way is asked: it sees fewer points


@dataclass(frozen=True)
class Gaps:
    """The p-values of no gap, by way and by steps, and the intrinsic dimension that says which ways were asked."""

    by_way: dict[str, float]
    dimension: float
    halvings: int

    @property
    def p_value(self) -> float:
        """The p-value of ways, or that of steps if it is smaller.

        Where the curved way is asked, both ways must show the gap; its p-value is in units of its looser level.
        """
        ways = max(self.by_way["straight"], self.by_way.get("curved", 0.0) / LOOSER)
        return min(ways, self.by_way.get("steps", 1.0))


def gaps_in(
    X: Floats, generator: TaskGenerator, *, n_jobs: int = 1, done: Callable[[int], object] | None = None
) -> Gaps:
    """Return whether points are rarer between two groups than in them, by halves that did not find the groups."""
    scores = scores_beyond_chance(unrounded(X, generator(0)), generator(1))
    freedom = dimension(scores)
    kinds = ("straight", "curved", "steps") if freedom < CURVED else ("straight",)
    values = np.ones((HALVINGS, len(kinds)))

    def work(item: int) -> None:
        order = generator(2, item).permutation(len(scores))
        halves = scores[order[: len(order) // 2]], scores[order[len(order) // 2 :]]
        both = [_seen(one, other, kinds) for one, other in (halves, halves[::-1])]
        values[item] = [stouffer([p_values[kind] for p_values in both]) for kind in kinds]

    threads.run(work, HALVINGS, n_jobs, done)
    times = OF_ONE_COLUMN if X.shape[1] == 1 else 1.0
    medians = np.minimum(times * np.median(values, axis=0), 1.0)
    return Gaps(dict(zip(kinds, medians.tolist(), strict=True)), freedom, HALVINGS)


def rarer(counts: Counts, margin: float) -> float:
    """Return the probability of so few points between the groups if they are not rarer there than on either side.

    Cells of equal length under one peak hold between them no less than the emptier side. Here 1 of 9 and 1 of 13
    points are between, (1 + 9) / 2^9 and (1 + 13) / 2^13, and the larger counts:

    >>> rarer(Counts(8, 1, 12), 1.0) == 10 / 2**9
    True
    """
    from scipy.special import bdtr  # noqa: PLC0415 - only the test of structure needs it

    between, share = counts.between, margin / (1 + margin)
    if min(counts.first, counts.second) == 0:
        return 1.0
    return max(float(bdtr(between, between + side, share)) for side in (counts.first, counts.second))


def stouffer(p_values: list[float]) -> float:
    """Return one p-value of several, by the mean of their normal scores."""
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - only the test of structure needs it

    scores = ndtri(np.clip(p_values, 1e-12, 1 - 1e-6))
    return float(ndtr(scores.sum() / math.sqrt(len(p_values))))


def _seen(X: Floats, others: Floats, kinds: tuple[str, ...]) -> dict[str, float]:
    """Return the p-values that other points give the clearest gap of these points, by kind of way."""
    from scipy.spatial.distance import cdist  # noqa: PLC0415 - only the test of structure needs it

    distances, least = cdist(X, X), max(FEWEST, int(SMALLEST * len(X)))
    dense = dense_pairs(X, distances, least)
    pairs = [*compact_pairs(X, least), *dense]
    if not pairs:
        return dict.fromkeys(kinds, 1.0)
    lines = [Line(X, *pair) for pair in pairs]
    # Gaps between small groups are often chance; those between large ones are found again.
    clear = [
        line.counts.gap * math.sqrt((len(a) + len(b)) / len(X)) if line.counts.enough else -math.inf
        for line, (a, b) in zip(lines, pairs, strict=True)
    ]
    p_values = {"straight": rarer(lines[int(np.argmax(clear))].counted(others), MARGINS["straight"])}
    if len(kinds) > 1:
        graph = graph_of(distances)
        curves = [Curve(X, distances, graph, *pair) for pair in pairs]
        curve = max(curves, key=lambda curve: curve.counts.gap)
        p_values |= {
            "curved": rarer(curve.counted(others), MARGINS["curved"]),
            "steps": longer(X, distances, dense, others),
        }
    return p_values
