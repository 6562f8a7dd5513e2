"""Verdicts in the words of users, and sentences about what to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clustval.diagnosis.evidence.pairs import Pair
from clustval.diagnosis.look import NO_VALLEY, ONE_POPULATION, SEPARATE, TWO, Look

APART = "separate"
ONE = "no gap, and together like one population: merge"
OVERLAP = "no gap, but two populations that overlap: keep if you know them"
TWO_CLUSTERS = "two"
OPEN = "not shown"
TOO_SMALL = "too small to judge"
FAR_TOO_MANY = 50  # times the number of points: then more points are no advice
SHOWN_ROWS = 8


def of_pair(pair: Pair) -> str:
    """Return the verdict on two clusters.

    >>> of_pair(Pair(0.99, 0.99, 0.01)), of_pair(Pair(0.02, 0.1, 0.9))
    ('separate', 'no gap, and together like one population: merge')
    """
    if pair.separate >= SEPARATE:
        return APART
    if pair.separate <= NO_VALLEY:
        return ONE if pair.populations <= ONE_POPULATION else OVERLAP
    return OPEN


def of_cluster(look: Look, cluster: int, pairs: Sequence[Pair]) -> str:
    """Return the verdict on a cluster from what is known of it and its neighbours: the most urgent one."""
    if cluster in look.small:
        return TOO_SMALL
    if cluster in look.cuts and look.cuts[cluster].two >= TWO:
        return TWO_CLUSTERS
    words = [of_pair(pair) for pair in pairs]
    return next((word for word in (ONE, OVERLAP, OPEN) if word in words), APART)


def enough(pair: Pair, size: int) -> str:
    """Return with how many points it would be shown that two clusters are separate, if it can be said.

    >>> enough(Pair(0.6, 0.9, 0.2, enough=1234.5), 200)
    'about 1,300 points in the smaller one would show it, if the gap is real'
    """
    if not np.isfinite(pair.enough) or pair.enough > FAR_TOO_MANY * size:
        return "more points alone would not show it"
    digits = 10 ** max(0, len(str(int(pair.enough))) - 2)
    points = int(np.ceil(pair.enough / digits) * digits)
    return f"about {points:,} points in the smaller one would show it, if the gap is real"


def merge_sentence(a: Any, b: Any, pair: Pair) -> str:
    """Say that two clusters are one."""
    return (
        f"Merge {a} and {b}: no gap between them (P(separate) = {pair.separate:.2f}), and together they look like one "
        f"population (P(two populations) = {pair.populations:.2f})."
    )


def split_sentence(name: Any, sizes: Sequence[int], two: float) -> str:
    """Say that a cluster is two."""
    return (
        f"Split {name} into parts of {sizes[0]:,} and {sizes[1]:,} points: a gap runs through it (P(two) = {two:.2f})."
    )


def move_sentence(source: Any, target: Any, rows: Sequence[int], least: float) -> str:
    """Say that points of one cluster belong to another."""
    some = ", ".join(map(str, rows[:SHOWN_ROWS])) + (", ..." if len(rows) > SHOWN_ROWS else "")
    points = f"{len(rows):,} point{'s' * (len(rows) != 1)}"
    return f"Move {points} of {source} to {target} (row{'s' * (len(rows) != 1)} {some}; P(wrong) from {least:.2f})."


def title(verdicts: Mapping[Any, str], merges: Sequence[tuple[Any, Any]], splits: Sequence[Any]) -> str:
    """Return the diagnosis in a sentence.

    >>> title({1: APART, 2: APART, 3: ONE, 4: ONE}, [(3, 4)], [])
    'Your 4 clusters: two are separate, 3 and 4 are one population cut in two.'
    >>> title({1: TWO_CLUSTERS, 2: TWO_CLUSTERS}, [(1, 2)], [1, 2])
    'Your 2 clusters: 1 and 2 cut across groups (a gap runs through each, none between them).'
    """
    k = len(verdicts)
    if k == 0:
        return "There is no cluster to judge: all points are noise."
    separate = sum(word == APART for word in verdicts.values())
    parts = []
    if separate:
        number = "all" if separate == k else _count(separate)
        parts = ["nothing shows that it is two" if k == 1 else f"{number} {'is' if separate == 1 else 'are'} separate"]
    order = list(verdicts)
    groups = [sorted(group, key=order.index) for group in _groups(merges)]
    across = [group for group in groups if set(group) <= set(splits)]  # no gap between them, and gaps through them
    groups = [group for group in groups if group not in across]
    splits = sorted(set(splits).difference(*across), key=order.index)
    parts += [f"{_listed(group)} cut across groups (a gap runs through each, none between them)" for group in across]
    shown = [
        f"{_listed(group)} are one population cut in {_count(len(group)).removesuffix(' clusters')}"
        for group in groups[:3]
    ]
    parts += shown + ([f"and {len(groups) - 3} more groups cut in pieces"] if len(groups) > 3 else [])
    if splits:
        parts.append(
            f"{_listed(splits[:5])}{' and others' if len(splits) > 5 else ''} {'is' if len(splits) == 1 else 'are'} two"
        )
    overlapping = sum(word == OVERLAP for word in verdicts.values())
    if overlapping:
        one = overlapping == 1
        parts.append(
            f"{_count(overlapping)} overlap{'s' * one} with a neighbour but {'is' if one else 'are'} not the same"
        )
    unclear = sum(word.startswith(OPEN) for word in verdicts.values())
    if unclear:
        parts.append(f"{_count(unclear)} {'is' if unclear == 1 else 'are'} not shown to be separate")
    small = sum(word == TOO_SMALL for word in verdicts.values())
    if small:
        parts.append(f"{_count(small)} {'is' if small == 1 else 'are'} too small to judge")
    noun = "Your only cluster" if k == 1 else f"Your {k} clusters"
    return f"{noun}: {', '.join(parts)}."


def _groups(merges: Sequence[tuple[Any, Any]]) -> list[list[Any]]:
    """Return merged clusters by the groups that they form."""
    groups: list[list[Any]] = []
    for pair in merges:
        touched = [group for group in groups if any(name in group for name in pair)]
        joined = list(dict.fromkeys([name for group in touched for name in group] + list(pair)))
        groups = [group for group in groups if group not in touched] + [joined]
    return groups


def _listed(names: Sequence[Any]) -> str:
    texts = [str(name) for name in names]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _count(number: int) -> str:
    """Return a number in words, as names of clusters are often numbers."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    return words[number] if number < len(words) else f"{number} clusters"


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for how many there are (Holm 1979); NaN stays, and does not count.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    values = np.asarray(p_values, dtype=np.float64)
    there = np.flatnonzero(~np.isnan(values))
    order = there[np.argsort(values[there], kind="stable")]
    adjusted = values.copy()
    steps = (len(order) - np.arange(len(order))) * values[order]
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(steps)) if len(order) else []
    return [float(value) for value in adjusted]
