"""How the values of one index over several partitions are read: which one is best.

A rule knows which way is better when the number of clusters is fixed (`better`) and turns a curve of values
into scores of which the largest wins.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Better = Literal["higher", "lower", "nearer 0", "neither"]
Curve = NDArray[np.float64]


@dataclass(frozen=True)
class Rule:
    """A way to read a curve of values: the position with the largest score is chosen."""

    name: str
    better: Better
    scores: Callable[[Curve], Curve]

    def choose(self, values: Curve) -> int:
        """Return the position (from 0) of the best value; the first of equals, NaN never.

        An infinite value never wins by a rule that wants small values: it marks a cluster without extent,
        not a good partition.
        """
        scores = self.scores(np.where(np.isneginf(values), np.nan, values))
        if np.isnan(scores).all():
            return -1
        return int(np.nanargmax(scores))


def _second_difference(values: Curve) -> Curve:
    bend = np.full(len(values), np.nan)
    bend[1:-1] = values[2:] - 2 * values[1:-1] + values[:-2]
    return bend


def _relative_change(values: Curve) -> Curve:
    change = np.full(len(values), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        change[1:-1] = np.abs((values[:-2] - values[1:-1]) / (values[1:-1] - values[2:]))
    return change


highest = Rule("highest", "higher", lambda values: values)
lowest = Rule("lowest", "lower", lambda values: -values)
sharpest_bend_up = Rule("sharpest bend upwards", "lower", _second_difference)
sharpest_bend_down = Rule("sharpest bend downwards", "higher", lambda values: -_second_difference(values))
knee_of_fall = Rule("largest relative change of a falling curve", "lower", _relative_change)
knee_of_rise = Rule("largest relative change of a rising curve", "higher", _relative_change)
nearest_zero = Rule("nearest to zero", "nearer 0", lambda values: -np.abs(values))
descriptive = Rule("none: it describes, it does not judge", "neither", lambda values: np.full(len(values), np.nan))
