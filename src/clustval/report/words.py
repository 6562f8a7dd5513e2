"""What the numbers say, in sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.outlines import SHARE
from clustval.report.point_sections import ALIKE, Fit, Plane
from clustval.report.report_tables import amount
from clustval.results import Scores
from clustval.tables import number

if TYPE_CHECKING:
    from clustval.choosing.structure import Structure
    from clustval.compare.agreement import Agreement
    from clustval.study.recommend import Recommendation

BORDER = 0.1  # silhouettes below this are close to, or beyond, the middle between two clusters
MOST_NAMED = 5
FEW_CLUSTERS = 6
# Kaufman and Rousseeuw (1990), table 4 of chapter 2, for the mean silhouette.
STRUCTURE = ((0.7, "a strong structure"), (0.5, "a reasonable structure"), (0.25, "a weak structure"))
NOTHING = "nothing"  # the evidence of structure where there is none
NO_STRUCTURE = "no substantial structure"


def count(value: float, word: str) -> str:
    """Return a number with its noun, in the plural where it is due."""
    return f"{amount(value)} {word}{'' if value == 1 else 's'}"


def listed(names: Sequence[Any], most: int = MOST_NAMED) -> str:
    """Return names in a row, the last after "and"; an ellipsis for those beyond the first few."""
    texts = [str(name) for name in names]
    if len(texts) > most:
        return ", ".join([*texts[:most], "…"])
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def sizes(scores: Scores) -> str:
    """Say how many clusters there are, of how many points."""
    by_cluster = list(scores.per_cluster("size").values())
    if not by_cluster:
        return "No clusters: every point is noise."
    k, n = len(by_cluster), sum(by_cluster)
    ends = number(min(by_cluster), 6), number(max(by_cluster), 6)
    few = k <= FEW_CLUSTERS
    spread = listed([number(size, 6) for size in by_cluster], FEW_CLUSTERS) if few else f"from {ends[0]} to {ends[1]}"
    return f"{count(n, 'point')} in {count(k, 'cluster')}: {spread}{' points each' if k > FEW_CLUSTERS else ''}."


def noise(scores: Scores) -> str:
    """Say how many points are noise, which a few indices count."""
    source = scores.source
    dropped, total = source.total_mass - source.count, source.total_mass
    if not dropped:
        return ""
    share = f"{count(dropped, 'point')} ({dropped / total:.1%})"
    return f"{share} {'is' if dropped == 1 else 'are'} noise, ignored by most indices."


def misjudged(misleading: Any, structure: Structure | None) -> str:
    """Return clusters that the silhouette says little of: of shapes that it misjudges, or such that are not there."""
    if misleading is not None:
        return "clusters of these shapes"
    return "groups that are not clusters" if structure is not None and structure.evidence == NOTHING else ""


def structure(fit: Fit, *, misjudged: str = "") -> str:
    """Say what the mean silhouette means, if it means anything for clusters that it may misjudge."""
    mean = fit.mean
    if misjudged:
        return f"The mean {fit.index.replace('_', ' ')} is {mean:.3f}, which says little about {misjudged}."
    if fit.index != "silhouette":
        return f"The mean {fit.index.replace('_', ' ')} is {mean:.3f}, of at most 1."
    verdict = next((words for least, words in STRUCTURE if mean > least), NO_STRUCTURE)
    return f"The mean silhouette is {mean:.3f}: {verdict} on the scale of Kaufman and Rousseeuw (1990)."


def between(fit: Fit, codes: Any, rows: Any, clusters: Sequence[str]) -> str:
    """Say which points lie between which two clusters, for the two that share most of them."""
    near = np.flatnonzero(fit.values < BORDER)
    if not len(near):
        return "Every point is clearly nearer to its own cluster than to any other."
    pairs = Counter(tuple(sorted((int(codes[i]), int(fit.neighbours[i])))) for i in near)
    (a, b), most = min(pairs.items(), key=lambda item: (-item[1], item[0]))
    inside = [i for i in near if {int(codes[i]), int(fit.neighbours[i])} == {a, b}]
    worst = sorted(inside, key=lambda i: (fit.values[i], i))
    numbers = listed([rows[i] for i in worst])
    points = "The point in row" if most == 1 else "The points in rows"
    verb = "lies" if most == 1 else "lie"
    sentence = f"{points} {numbers} {verb} between clusters {clusters[a]} and {clusters[b]}"
    others = len(near) - most
    return f"{sentence}, and {count(others, 'point')} between other clusters." if others else f"{sentence}."


def undefined(scores: Scores) -> str:
    """Say how many indices have no value."""
    missing = len(scores.reasons)
    if not missing:
        return ""
    return f"{missing} of {len(scores)} indices {'has' if missing == 1 else 'have'} no value here; the table says why."


def sample_size(sample: int, total: int, *, truth: bool) -> str:
    """Say how many points the charts show, and what a rim means."""
    rim = " A rim marks points in a cluster that is matched with another class." if truth else ""
    if sample == total:
        return f"All {count(total, 'point')} are drawn.{rim}"
    return f"{sample:,} of {total:,} points are drawn, evenly from each cluster; all numbers are for all points.{rim}"


def scales(plane: Plane, noise: int, *, outlined: bool = False) -> str:
    """Say whether distances on the plane compare, how noise is drawn, and what outlines are."""
    total = len(plane.noise)
    some = count(total, "point") if noise == total else f"{noise:,} of {count(total, 'point')}"
    crosses = f" Crosses are noise: {some}." if noise else ""
    crosses += f" Outlines hold the {SHARE:.0%} of a cluster nearest to its middle.".replace("%", " %") * outlined
    if not plane.comparable:
        return crosses.strip()
    if plane.equal:
        return f"Both axes have the same scale.{crosses}"
    return f"The axes have different scales: one is more than {ALIKE} times as long as the other.{crosses}"


def agreement(name: str, scores: Agreement, accuracy: float, truth: str) -> str:
    """Say how well a clustering agrees with the truth, and how likely it would by chance, if that is known."""
    n = scores.table.n
    astray = (1 - accuracy) * n if isinstance(n, float) else round((1 - accuracy) * n)
    rand = f"adjusted Rand index {scores['adjusted_rand']:.3f}; " if "adjusted_rand" in scores else ""
    outside = f"{amount(astray)} of {count(n, 'point')} in a cluster that is matched with another class"
    chance = ""
    if "adjusted_rand" in scores.null:
        null = scores.null["adjusted_rand"]
        chance = f" Random labels agree as well with probability {null.p_value:.2g}, by {null.draws:,} draws."
    return f"Agreement of {name} with {truth}: {rand}{outside}.{chance}"


def advice(recommendation: Recommendation) -> str:
    """Say which criteria to trust."""
    *others, last = recommendation.trusted
    names = f"{', '.join(others)} and {last}" if others else last
    why = "none is significantly worse than the best" if others else "every other is significantly worse"
    data = f"data like yours ({recommendation.likeness})"
    return f"For {data} trust {names}: {why} on similar data, by the signed-rank test."
