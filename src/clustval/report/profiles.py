"""What distinguishes each cluster: how far its means lie from those of all points, and which points are typical."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.report.point_sections import Fit
from clustval.report.report_tables import PageTable, Row, amount, number
from clustval.sources.partition import Partition
from clustval.stats.points.effects import column_effects

if TYPE_CHECKING:
    from clustval.tracking.profile import Profile

MOST_FEATURES = 16  # columns of the heat map: those that separate clusters most
MOST_CLUSTERS = 60
NAMED = 3  # features that the words name
SMALL = 0.2  # effects below this are not worth a word
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
STEPS = (0.25, 0.75, 1.5)  # standard deviations at which the shade deepens


@dataclass(frozen=True)
class Profiles:
    """What the template shows of clusters: a heat map of means, what is typical of each, and where values lie."""

    heat: PageTable
    typical: PageTable
    distributions: list[Distribution]


@dataclass(frozen=True)
class Strip:
    """Where the values of one cluster lie: quantiles as shares of the whole range, in percent, and as numbers."""

    cluster: str
    shares: list[float]
    texts: list[str]


@dataclass(frozen=True)
class Distribution:
    """The values of one column, cluster by cluster, and the ends of its range."""

    column: str
    strips: list[Strip]
    ends: tuple[str, str]


def profiles(
    source: Partition, clusters: Sequence[str], features: Sequence[str] | None, rows: Any, fit: Fit | None
) -> Profiles | None:
    """Return what distinguishes each cluster; nothing without coordinates, or where there is but one cluster."""
    if not source.space.has_columns or source.k < 2:
        return None
    names = list(features) if features else [f"column {j}" for j in range(source.p)]
    X = source.X
    weights = np.ones(source.n) if source.weights is None else source.weights
    means = _means(X, source.codes, source.k, weights)
    mean = np.average(X, axis=0, weights=weights)
    spread = np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    z = (means - mean) / np.where(spread > 0, spread, np.inf)
    shares = np.bincount(source.codes, weights=weights, minlength=source.k) / weights.sum()
    separation = shares @ z**2  # share of the variance of each column that lies between clusters
    order = np.argsort(-separation, kind="stable")[:MOST_FEATURES]
    columns = [column_effects(column, source.codes, source.k, weights) for column in X.T]
    effects = np.nan_to_num(np.stack(columns, axis=1), nan=0.0, posinf=np.inf, neginf=-np.inf)
    return Profiles(
        _heat(clusters, names, z, separation, order),
        _typical(source, clusters, names, effects, means, rows, fit),
        [_distribution(source, clusters, names[j], j, weights) for j in order.tolist()],
    )


def _distribution(source: Partition, clusters: Sequence[str], name: str, column: int, weights: Floats) -> Distribution:
    values = source.as_given.X[:, column]
    low, high = float(values.min()), float(values.max())
    span = (high - low) or 1.0
    strips = []
    for c in range(min(source.k, MOST_CLUSTERS)):
        members = slice(source.starts[c], source.starts[c + 1])
        marks = weighted_quantiles(values[members], weights[members], QUANTILES)
        strips.append(
            Strip(
                clusters[c],
                [round(100 * (mark - low) / span, 2) for mark in marks.tolist()],
                [number(mark, 4) for mark in marks.tolist()],
            )
        )
    return Distribution(name, strips, (number(low, 4), number(high, 4)))


def weighted_quantiles(values: Floats, weights: Floats, shares: Sequence[float]) -> Floats:
    """Return the smallest values that at least these shares of the weight do not exceed.

    >>> weighted_quantiles(np.array([3.0, 1.0, 2.0]), np.array([1.0, 1.0, 2.0]), (0.25, 0.5, 1.0)).tolist()
    [1.0, 2.0, 3.0]
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    places = np.searchsorted(reached, np.array(shares) * reached[-1] * (1 - 1e-12))
    quantiles: Floats = values[order][np.minimum(places, len(values) - 1)]
    return quantiles


def _means(X: Floats, codes: Integers, k: int, weights: Floats) -> Floats:
    totals = np.bincount(codes, weights=weights, minlength=k)
    columns = [np.bincount(codes, weights=weights * column, minlength=k) / totals for column in X.T]
    return np.stack(columns, axis=1)


def _heat(clusters: Sequence[str], names: Sequence[str], z: Floats, separation: Floats, order: Integers) -> PageTable:
    shown = min(len(clusters), MOST_CLUSTERS)
    lines = []
    for c in range(shown):
        values = z[c, order].tolist()
        lines.append(Row([clusters[c], *(f"{value:+.2f}" for value in values)], ["", *map(_shade, values)]))
    lines.append(
        Row(["variance between", *(f"{share:.0%}" for share in separation[order])], ["", *["mean"] * len(order)])
    )
    parts = []
    if len(order) < len(names):
        parts.append(f"The {len(order)} of {len(names)} columns that separate clusters most.")
    if shown < len(clusters):
        parts.append(f"The first {shown} of {len(clusters)} clusters.")
    caption = "Mean of each cluster minus the mean of all points, in standard deviations of all points"
    return PageTable(["cluster", *(names[j] for j in order)], lines, caption, " ".join(parts), "heat")


def _shade(value: float) -> str:
    level = sum(abs(value) >= step for step in STEPS)
    return f"{'high' if value > 0 else 'low'}-{level}" if level else ""


def _typical(
    source: Partition,
    clusters: Sequence[str],
    names: Sequence[str],
    effects: Floats,
    means: Floats,
    rows: Any,
    fit: Fit | None,
) -> PageTable:
    distances = ((source.X - means[source.codes]) ** 2).sum(axis=1)
    lines = []
    for c in range(min(source.k, MOST_CLUSTERS)):
        members = np.arange(source.starts[c], source.starts[c + 1])
        typical = members[distances[members].argmin()]
        cells = [clusters[c], amount(float(source.mass[c])), distinctive(names, effects[c]), str(rows[typical])]
        if fit is not None:
            worst = members[fit.values[members].argmin()]
            cells.append(f"{rows[worst]} ({number(float(fit.values[worst]), 2)})")
        lines.append(Row(cells, ["", "", "text", "text", "text"]))
    columns = ["cluster", "points", "what distinguishes it", "typical row"]
    note = (
        "Effects are in standard deviations inside clusters, of the cluster against all others; a typical row is the "
        "nearest to the mean of its cluster."
    )
    return PageTable(
        [*columns, *(["row most in doubt"] if fit is not None else [])], lines, "Clusters in words", note, "words cards"
    )


def rules(profile: Profile, clusters: Sequence[str]) -> PageTable:
    """Return how each cluster of numbers and categories differs from the other rows, and a rule that selects it."""
    lines = []
    for record in profile.table.records[:MOST_CLUSTERS]:
        own = [each for each in profile.effects.records if each["cluster"] == record["cluster"]]
        large = [each for each in own if abs(each["effect"]) >= SMALL]  # NaN is not
        large.sort(key=lambda each: (-abs(each["effect"]), each["effect"] < 0))
        first = {str(each["column"]).split(" = ")[0]: each for each in reversed(large)}  # one category of a column
        told = [each for each in large if each in first.values()][:NAMED]
        means = [f"{each['column']} {number(each['mean'], 3)} against {number(each['others'], 3)}" for each in told]
        found = [f"{record['coverage']:.0%}", f"{record['others']:.0%}"]
        cells = [
            clusters[record["cluster"]],
            str(record["size"]),
            ", ".join(means) or "nothing stands out",
            record["rule"],
            *found,
        ]
        lines.append(Row(cells, ["", "", "text", "text"]))
    columns = ["cluster", "points", "what distinguishes it", "rule", "of the cluster", "of others"]
    note = (
        "Means of the cluster against those of all other rows; of a category, its share. The last columns are the "
        "shares of rows that the rule selects, out of sample."
    )
    return PageTable(columns, lines, "Clusters in words", note, "words cards")


def distinctive(names: Sequence[str], effects: Floats) -> str:
    """Return the features in which a cluster differs most from the others, in words.

    >>> distinctive(["length", "width", "age"], np.array([2.0, -0.5, 0.1]))
    'high length (+2.0), low width (-0.5)'
    """
    order = [j for j in np.argsort(-np.abs(effects), kind="stable").tolist() if abs(effects[j]) >= SMALL][:NAMED]
    words = [f"{'high' if effects[j] > 0 else 'low'} {names[j]} ({_signed(effects[j])})" for j in order]
    return ", ".join(words) or "nothing stands out"


def _signed(effect: float) -> str:
    return f"{effect:+.1f}" if np.isfinite(effect) else ("+∞" if effect > 0 else "-∞")
