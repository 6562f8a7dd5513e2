r"""How the values of one index over several partitions are read: which one is best.

A rule knows which way is better when the number of clusters is fixed (`better`) and turns a curve of values over
the number of clusters into scores of which the largest wins. With V(k) the slope of the curve from k to the next
number of clusters and V'(k) the slope from the previous one to k, the rules of the literature are

===================  ==========================================================================
rule                 score
===================  ==========================================================================
highest, lowest      the value, or its negative: max and min in Table 2 of Desgraupes
sharpest bend up     V - V', Desgraupes eq. 110: "max diff"
sharpest bend down   V' - V, "min diff"; Zaki and Meira's Delta(k) for Calinski-Harabasz
largest step         |V'|, Vendramin et al. eq. 35
change of steps      | |V'| - |V| |, their eq. 36
knee                 |V' / V|, their eq. 37
elbow                distance from the straight line through both ends of the curve
Kneedle              the first knee that is sharp enough has a score, no other
threshold            minus the number of clusters where the value, or its distance from a critical
                     value, is on the right side of a threshold; no score elsewhere
===================  ==========================================================================

For consecutive numbers of clusters slopes are differences, as printed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from clustval.arrays import Floats, Integers
from clustval.errors import InputError

Better = Literal["higher", "lower", "nearer 0", "neither"]


@dataclass(frozen=True)
class Rule:
    """A way to read a curve of values: the position with the largest score is chosen."""

    name: str
    better: Better
    scores: Callable[[Floats, Floats], Floats]  # of values and numbers of clusters, which increase
    compares: int = 1  # neighbouring values that a score is made of
    infinite: bool = True  # whether infinite values count; else they are left out like NaN
    refuses: bool = False  # whether it may find no value good enough
    critical: bool = False  # whether what is read is not the values but how far they are above critical values

    def read(self, values: Floats, k: ArrayLike | None = None) -> tuple[Integers, Floats]:
        """Return the positions that form the curve, in the order of k, and their scores, NaN where there is none.

        A rule that compares neighbours takes one value for each k: the best, if there are several.
        """
        if not self.infinite:
            values = np.where(np.isinf(values), np.nan, values)
        clusters = np.arange(len(values), dtype=np.float64) if k is None else np.asarray(k, dtype=np.float64)
        merit = np.nan_to_num(values if self.better == "higher" else -values, nan=-np.inf)
        positions = np.lexsort((-merit, clusters)) if self.compares > 1 else np.argsort(clusters, kind="stable")
        if self.compares > 1:
            positions = positions[np.unique(clusters[positions], return_index=True)[1]]
        with np.errstate(all="ignore"):  # infinities cancel, flat curves divide by 0
            return positions, self.scores(values[positions], clusters[positions])

    def choose(self, values: Floats, k: ArrayLike | None = None) -> int:
        """Return the position (from 0) of the best value: the first of equals, NaN never; -1 if there is none."""
        positions, scores = self.read(values, k)
        scored = np.flatnonzero(~np.isnan(scores))  # nanargmax would choose a NaN before minus infinity
        return int(positions[scored[np.argmax(scores[scored])]]) if len(scored) else -1

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Be pickled by name if it is one of ours, whose functions have none; the ordinary way if it is not."""
        return (rule_called, (self.name,)) if RULES.get(self.name) == self else super().__reduce_ex__(protocol)


def _inner(values: Floats, scores: Callable[[Floats, Floats], Floats], k: Floats) -> Floats:
    """Return scores of the slopes before and after each value but the first and the last, which have but one."""
    inner = np.full(len(values), np.nan)
    slopes = np.diff(values) / np.diff(k)
    inner[1:-1] = scores(slopes[:-1], slopes[1:])
    return inner


def bend(values: Floats, k: Floats) -> Floats:
    """How much steeper upwards the curve is after each value than before it (Desgraupes eq. 110)."""
    return _inner(values, lambda before, after: after - before, k)


def step(values: Floats, k: Floats) -> Floats:
    """Size of the step that leads to each value (Vendramin et al. eq. 35)."""
    sizes = np.full(len(values), np.nan)
    sizes[1:] = np.abs(np.diff(values) / np.diff(k))
    return sizes


def change_of_step(values: Floats, k: Floats) -> Floats:
    """How much the steps before and after each value differ in size (Vendramin et al. eq. 36)."""
    return _inner(values, lambda before, after: np.abs(np.abs(before) - np.abs(after)), k)


def relative_change(values: Floats, k: Floats) -> Floats:
    """Size of the step to each value over that of the step that follows (Vendramin et al. eq. 37)."""
    return _inner(values, lambda before, after: np.abs(before / after), k)


def sag(values: Floats, k: Floats) -> Floats:
    """How far each value lies below the straight line through the first and the last, both axes from 0 to 1.

    The idea of Kneedle (Satopaa et al. 2011), for curves that fall and flatten.
    """
    defined = np.flatnonzero(~np.isnan(values))
    if len(defined) < 3:
        return np.full(len(values), np.nan)
    first, last = defined[0], defined[-1]
    along = (k - k[first]) / (k[last] - k[first])
    height = float(values[defined].max() - values[defined].min())
    line: Floats = values[first] + along * (values[last] - values[first])
    return (line - values) / height


def below_one(values: Floats, k: Floats) -> Floats:  # noqa: ARG001 - as every rule is called
    """Score the first value from 1 on that follows the values below 1 at the smallest numbers of clusters.

    Read as clusters are merged: the level before the last series of values below 1 (Milligan and Cooper 1985).

    >>> below_one(np.array([0.4, 0.9, 2.1, 0.7]), np.arange(2.0, 6.0)).tolist()
    [nan, nan, 1.0, nan]
    """
    scores = np.full(len(values), np.nan)
    low = np.flatnonzero(values < 1)
    after = np.flatnonzero(values >= 1)
    after = after[after > low[0]] if len(low) else after[:0]
    scores[after[:1]] = 1.0
    return scores


def next_below_one(values: Floats, k: Floats) -> Floats:  # noqa: ARG001
    """Score the value before the first that is below 1 (NbClust's rule for Frey's index); none if that is the first."""
    scores = np.full(len(values), np.nan)
    low = np.flatnonzero(values < 1)[:1]
    scores[low[low > 0] - 1] = 1.0
    return np.where(np.isnan(values), np.nan, scores)


@dataclass(frozen=True)
class Knee:
    """Scores of Kneedle (Satopää et al. 2011), offline and without smoothing: 1 at the knee, none elsewhere.

    Both axes are scaled to run from 0 to 1, and the curve is turned until it rises and flattens. Where it lies highest
    above the diagonal, locally, is a knee if it comes down from there, before the next such place, by more than
    `sensitivity` times the mean step between numbers of clusters. Heights are taken times both ranges, so that those
    that are equal stay so.
    """

    sensitivity: float
    curve: Literal["convex", "concave"]
    direction: Literal["decreasing", "increasing"]

    def __call__(self, values: Floats, k: Floats) -> Floats:
        """Return the scores."""
        scores = np.full(len(values), np.nan)
        finite = np.flatnonzero(np.isfinite(values))
        if len(finite) < 3:
            return scores
        x, y = k[finite] - k[finite[0]], values[finite] - values[finite].min()
        width, rise = x[-1], y.max()
        if rise == 0:
            return scores
        y = y if self.direction == "increasing" else rise - y
        if (self.curve == "convex") == (self.direction == "increasing"):  # steep at its end: read it from there
            x, y, finite = (width - x)[::-1], (rise - y)[::-1], finite[::-1]
        height = y * width - x * rise
        peaks = 1 + np.flatnonzero((height[1:-1] >= height[:-2]) & (height[1:-1] >= height[2:]))
        fall = self.sensitivity * width * rise / (len(x) - 1)
        for peak, following in pairwise([*peaks.tolist(), len(x) - 1]):
            if height[peak] - height[peak + 1 : following + 1].min() > fall:
                scores[finite[peak]] = 1.0
                break
        return scores


def kneedle(
    sensitivity: float = 1.0,
    curve: Literal["convex", "concave"] = "convex",
    direction: Literal["decreasing", "increasing"] = "decreasing",
) -> Rule:
    """Return the rule that chooses the knee of Kneedle (Satopää et al. 2011), or nothing where there is none.

    `curve` and `direction` say how the curve runs: sums of squares are convex and decreasing, a share that is explained
    is concave and increasing. The larger the `sensitivity`, the sharper a knee must be. The knee depends on which
    numbers of clusters were tried.

    >>> kneedle().choose(np.array([100.0, 60.0, 20.0, 15.0, 11.0]))
    2
    >>> kneedle().choose(np.array([100.0, 75.0, 50.0, 25.0, 0.0]))
    -1
    """
    if curve not in ("convex", "concave") or direction not in ("decreasing", "increasing"):
        msg = (
            f"curve must be 'convex' or 'concave', and direction 'decreasing' or 'increasing'; they are {curve!r} and "
            f"{direction!r}."
        )
        raise InputError(msg)
    if not sensitivity >= 0:
        msg = f"sensitivity must be a number from 0; it is {sensitivity!r}."
        raise InputError(msg)
    better: Better = "lower" if direction == "decreasing" else "higher"
    name = f"knee of Kneedle, {curve} and {direction}, sensitivity {sensitivity:g}"
    return Rule(name, better, Knee(sensitivity, curve, direction), compares=3, infinite=False, refuses=True)


highest = Rule("highest", "higher", lambda values, _k: values)
lowest = Rule("lowest", "lower", lambda values, _k: -values)
nearest_zero = Rule("nearest to zero", "nearer 0", lambda values, _k: -np.abs(values))
descriptive = Rule("none: it describes, it does not judge", "neither", lambda values, _k: np.full(len(values), np.nan))

sharpest_bend_up = Rule("sharpest bend upwards", "lower", bend, compares=3)
sharpest_bend_down = Rule("sharpest bend downwards", "higher", lambda values, k: -bend(values, k), compares=3)
largest_fall = Rule("largest step of a falling curve", "lower", step, compares=2, infinite=False)
largest_rise = Rule("largest step of a rising curve", "higher", step, compares=2, infinite=False)
knee_of_fall = Rule("largest relative change of a falling curve", "lower", relative_change, 3, infinite=False)
knee_of_rise = Rule("largest relative change of a rising curve", "higher", relative_change, 3, infinite=False)
elbow_of_fall = Rule("farthest below the line through both ends", "lower", sag, compares=3, infinite=False)
elbow_of_rise = Rule(
    "farthest above the line through both ends", "higher", lambda values, k: sag(-values, k), 3, infinite=False
)

at_most_ten = Rule(
    "fewest clusters with a value of at most 10",
    "lower",
    lambda values, k: np.where(values <= 10, -k, np.nan),
    refuses=True,
)
not_below_critical = Rule(
    "fewest clusters with a value not below the critical one",
    "higher",
    lambda margins, k: np.where(margins >= 0, -k, np.nan),
    refuses=True,
    critical=True,
)
not_above_critical = Rule(
    "fewest clusters with a value not above the critical one",
    "lower",
    lambda margins, k: np.where(margins <= 0, -k, np.nan),
    refuses=True,
    critical=True,
)
end_of_values_below_one = Rule(
    "first value from 1 on after the values below 1", "higher", below_one, compares=2, refuses=True
)
before_value_below_one = Rule("last value before the first below 1", "higher", next_below_one, compares=2, refuses=True)
by_eye = Rule("none: its curve is read by eye", "neither", lambda values, _k: np.full(len(values), np.nan))

RULES = {
    rule.name: rule
    for rule in (
        *(highest, lowest, nearest_zero, descriptive, sharpest_bend_up, sharpest_bend_down, largest_fall, largest_rise),
        *(knee_of_fall, knee_of_rise, elbow_of_fall, elbow_of_rise),
        *(at_most_ten, not_below_critical, not_above_critical, end_of_values_below_one, before_value_below_one),
        *(by_eye, kneedle(), kneedle(curve="concave", direction="increasing")),
    )
}


def rule_called(name: str) -> Rule:
    """Return the rule of this name."""
    return RULES[name]


def one_standard_error(gap: ArrayLike, se: ArrayLike, *, n_references: int | None = None, times: float = 1.0) -> int:
    """Return the position of the first gap that is not below the next by more than one standard error of the next.

    gap(k) >= gap(k + 1) - s(k + 1), with s(k) = `times` * se(k), and times sqrt(1 + 1/B) if `n_references` B is
    given and `se` holds standard deviations (Tibshirani et al. 2001). If no gap satisfies it, the last position:
    more clusters than were tried might be better still. Values that are NaN satisfy nothing.

    >>> one_standard_error([0.1, 0.5, 0.52, 0.7], [0.05, 0.05, 0.05, 0.05])
    1
    """
    gaps, errors = np.asarray(gap, dtype=np.float64), np.asarray(se, dtype=np.float64) * times
    if n_references is not None:
        errors = errors * np.sqrt(1 + 1 / n_references)
    enough = np.flatnonzero(gaps[:-1] >= gaps[1:] - errors[1:])
    return int(enough[0]) if len(enough) else len(gaps) - 1
