"""Small drawings that need no script: curves of indices, bars, and where most values of a feature lie.

They are laid out here and drawn as SVG by the template, so that they print, and can be seen where scripts are off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.report.report_tables import number

WIDTH, HEIGHT = 200, 80  # of a small curve
SHORT = 6  # letters of a name that fits below it


@dataclass(frozen=True)
class Bar:
    """A bar with its name and number, as long as the share of the longest."""

    name: str
    value: str
    share: float


@dataclass(frozen=True)
class Curve:
    """The curve of an index over partitions: lines between neighbours with values, and the chosen point."""

    title: str
    lines: list[str]  # points as SVG reads them
    dots: list[tuple[float, float]]
    chosen: tuple[float, float] | None
    ends: tuple[str, str]  # smallest and largest value
    first: str  # name of the first partition, "" if there is no room for it
    last: str
    words: str  # for those who cannot see it


def bars(counts: Mapping[str, float]) -> list[Bar]:
    """Return a bar for each count.

    >>> bars({"2": 3, "3": 6})[0]
    Bar(name='2', value='3', share=50.0)
    """
    most = max(counts.values(), default=0) or 1
    return [Bar(name, number(count), round(100 * count / most, 2)) for name, count in counts.items()]


def curve(title: str, values: Floats, chosen: int, names: Sequence[str], rule: str) -> Curve:
    """Return the curve of values; what is infinite or missing breaks it."""
    finite = np.isfinite(values)
    low, high = (float(values[finite].min()), float(values[finite].max())) if finite.any() else (np.nan, np.nan)
    span = (high - low) or 1.0
    x = np.linspace(0, WIDTH, len(values)) if len(values) > 1 else np.array([WIDTH / 2])
    y = np.where(finite, HEIGHT * (1 - (np.where(finite, values, low) - low) / span), np.nan)
    points = [(round(float(a), 1), round(float(b), 1)) for a, b in zip(x, y, strict=True)]
    runs = np.split(np.arange(len(values)), np.flatnonzero(~finite))
    lines = [" ".join(f"{a},{b}" for a, b in (points[i] for i in run if finite[i])) for run in runs]
    at = points[chosen] if chosen >= 0 and finite[chosen] else None
    choice = f"{rule}, which chooses {names[chosen]}" if chosen >= 0 else "chooses nothing"
    words = f"{title}: from {number(low, 4)} to {number(high, 4)} over {len(values)} partitions; {choice}."
    dots = [point for point, there in zip(points, finite, strict=True) if there]
    ends = number(low, 3), number(high, 3)
    first, last = (name if len(name) <= SHORT else "" for name in (names[0], names[-1]))
    return Curve(title, [line for line in lines if " " in line], dots, at, ends, first, last, words)
