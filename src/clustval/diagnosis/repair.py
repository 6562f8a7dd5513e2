"""Following the advice: points are moved, then the surest merge or split is done, until nothing sure is left."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from clustval.arrays import Integers
from clustval.diagnosis.look import NO_VALLEY, ONE_POPULATION, TWO, Look, Observer

MOST_STEPS = 60  # merges and splits


class Step(NamedTuple):
    """One thing that was done: "move", "merge" or "split", to which codes of clusters, with how many points."""

    what: str
    clusters: tuple[int, ...]
    points: int


def repaired(observer: Observer, first: Look) -> tuple[Integers, list[Step]]:
    """Return codes of clusters after following the sure advice, -1 for noise, and what was done.

    What was merged is not cut again. New clusters get numbers after the largest; merged ones keep the smaller number,
    so that numbers may be missing.
    """
    labels = first.labels.copy()
    steps: list[Step] = []
    look: Look | None = first
    codes = np.arange(first.k)  # of a look, its clusters by their lasting numbers
    if len(first.misplaced):
        _move(labels, first, codes, steps)
        look = None
    joined: set[bytes] = set()
    largest = first.k
    while sum(step.what != "move" for step in steps) < MOST_STEPS:
        if look is None:
            codes, dense = _dense(labels)
            look = observer.look(dense, len(codes), points=False)
        advice = _surest(look, joined)
        if advice is None:
            break
        what, subject = advice
        if what == "merge":
            a, b = (int(codes[at]) for at in subject)
            rows = np.flatnonzero((labels == a) | (labels == b))
            labels[rows] = a
            joined.add(rows.tobytes())
            steps.append(Step("merge", (a, b), len(rows)))
        else:
            cut = look.cuts[subject]
            labels[cut.rows[cut.sides == 1]] = largest
            steps.append(Step("split", (int(codes[subject]), largest), len(cut.rows)))
            largest += 1
        look = None
    if steps:
        codes, dense = _dense(labels)
        if len(codes) > 1:
            _move(labels, observer.look(dense, len(codes)), codes, steps)
    return labels, steps


def _dense(labels: Integers) -> tuple[Integers, Integers]:
    """Return the numbers of clusters that are there, and labels without gaps."""
    codes, dense = np.unique(labels, return_inverse=True)
    noise = int(codes[0] < 0)
    return codes[noise:], dense.astype(np.int64) - noise


def _move(labels: Integers, look: Look, codes: Integers, steps: list[Step]) -> None:
    rows = look.misplaced
    if len(rows):
        assert look.points is not None
        labels[rows] = codes[look.points.other[rows]]
        steps.append(Step("move", (), len(rows)))


def _surest(look: Look, joined: set[bytes]) -> tuple[str, Any] | None:
    """Return the merge or split whose probability is farthest beyond its limit."""
    advice: list[tuple[float, str, Any]] = []
    for pair, seen in look.merges.items():
        advice.append((max(seen.separate / NO_VALLEY, seen.populations / ONE_POPULATION), "merge", pair))
    for cluster, cut in look.splits.items():
        if np.flatnonzero(look.labels == cluster).tobytes() not in joined:
            advice.append(((1 - cut.two) / (1 - TWO), "split", cluster))
    if not advice:
        return None
    return min(advice, key=lambda each: each[0])[1:]
