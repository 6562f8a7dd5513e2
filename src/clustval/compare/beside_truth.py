"""Several clusterings beside the truth: all that a page shows of them, computed before it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.choices import NoisePolicy
from clustval.compare.agreement import Agreement, agreement
from clustval.compare.flows import flows_between
from clustval.compare.matched_clusters import matching
from clustval.compare.prayatul import Prayatul
from clustval.compare.prayatul_table import prayatul_table
from clustval.estimates.jackknife import GROUPS, Replicates, random_groups, student
from clustval.labels import plain
from clustval.layered import LayeredDrawing

MOST_POINTS = 50_000  # beyond which differences are as good as certain
CONFIDENCE = 0.95


@dataclass(frozen=True)
class BesideTruth:
    """How well each clustering agrees with the truth, how far off values may be, and who is right where."""

    agreements: Mapping[str, Agreement]
    accuracies: Mapping[str, float]  # share of the points in the cluster matched with their class
    errors: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # half-widths by index and clustering
    ties: Mapping[str, frozenset[str]] = field(default_factory=dict)  # by index: not told from the best
    prayatul: Mapping[tuple[str, str], Prayatul] = field(default_factory=dict)  # of each two clusterings
    flows: LayeredDrawing | None = None  # which points of a class are in which cluster; None of weighted points
    confidence: float = CONFIDENCE
    groups: int = GROUPS


def beside_truth(
    truth: Any, results: Mapping[str, Any], *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> BesideTruth:
    """Compare clusterings with the truth, and each two of them on it; errors are known unless points are many."""
    options = {"noise": noise, "sample_weight": sample_weight}
    agreements = {name: agreement(truth, labels, **options) for name, labels in results.items()}
    accuracies = {name: matching(truth, labels, **options).accuracy for name, labels in results.items()}
    without = without_groups(truth, results, agreements, noise, sample_weight)
    prayatul = {}
    if len(results) > 1:
        table = prayatul_table(truth, results, **options)
        prayatul = {pair: table[pair] for pair in combinations(results, 2)}
    flows = None if sample_weight is not None else flows_between({"truth": truth, **results})
    if not without:
        return BesideTruth(agreements, accuracies, prayatul=prayatul, flows=flows)
    return BesideTruth(agreements, accuracies, *_errors_and_ties(agreements, without), prayatul, flows)


Without = Mapping[str, list[Agreement]]


def without_groups(
    truth: Any, results: Mapping[str, Any], agreements: Mapping[str, Agreement], noise: str, sample_weight: Any = None
) -> Without:
    """Return the agreements again, without each of some groups of points in turn; nothing if points are too many.

    The groups are the same for all clusterings, so that differences of these can be told from chance.
    """
    true, n = _array(truth), len(truth)
    if not GROUPS < n <= MOST_POINTS:
        return {}
    groups = random_groups(n, np.random.default_rng(0))
    columns = {name: _array(labels) for name, labels in results.items()}
    weights = None if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)

    def without(name: str, group: int) -> Agreement:
        rest = groups != group
        heavy = None if weights is None else weights[rest]
        indices = list(agreements[name])
        scores: Agreement = agreement(true[rest], columns[name][rest], indices, noise=noise, sample_weight=heavy)
        return scores

    return {name: [without(name, group) for group in range(GROUPS)] for name in results}


def _array(labels: Any) -> Any:
    values = plain(labels, "labels")
    return values if isinstance(values, np.ndarray) else np.array(values, dtype=object)


def _errors_and_ties(
    agreements: Mapping[str, Agreement], without: Without
) -> tuple[dict[str, dict[str, float]], dict[str, frozenset[str]]]:
    """Return the half-width of each value, 0 where it is not known, and who cannot be told from the best."""
    names = list(agreements)
    first = agreements[names[0]]
    errors: dict[str, dict[str, float]] = {}
    ties: dict[str, frozenset[str]] = {}
    for index in first:
        values = np.array([agreements[name][index] for name in names])
        replicates = np.array([[scores[index] for scores in without[name]] for name in names])
        errors[index] = {name: _half_width(values[at], replicates[at]) for at, name in enumerate(names)}
        best = first.choices[index].best.choose(values) if len(names) > 1 else -1
        if best >= 0:
            ties[index] = frozenset(name for at, name in enumerate(names) if _is_tie(values, replicates, at, best))
    return errors, ties


def _half_width(value: float, without: NDArray[np.float64]) -> float:
    if not np.isfinite([value, *without]).all():
        return 0.0
    return student(CONFIDENCE) * Replicates(float(value), without).error


def _is_tie(values: NDArray[np.float64], replicates: NDArray[np.float64], at: int, best: int) -> bool:
    """Return whether the difference between a value and the best may be chance."""
    difference, rest = values[at] - values[best], replicates[at] - replicates[best]
    if not np.isfinite([difference, *rest]).all():
        return False
    return bool(abs(difference) <= _half_width(difference, rest))
