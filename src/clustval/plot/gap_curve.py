"""The curve of the gap statistic."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clustval.errors import InputError
from clustval.plot.error_bars import curve_with_bars
from clustval.plot.style import axes

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.relative.gap import GapStatistic


def gap(result: GapStatistic, *, rule: str = "one_se", ax: Axes | None = None) -> Axes:
    """Show the gap for each number of clusters with bars of one deviation, and the number that a rule chooses.

    `rule` is a key of ``result.best``. Bars are the deviations that it counts: the s.d. for "one_sd", two for
    "two_sd", and the s.e. for all others.
    """
    if rule not in result.best:
        msg = f"No rule is called {rule!r}; there are {', '.join(result.best)}."
        raise InputError(msg)
    times, column = {"one_sd": (1, "sd"), "two_sd": (2, "sd")}.get(rule, (1, "se"))
    bars = {"sd": "s.d.", "se": "s.e."}[column]
    ax = axes(ax)
    table = result.table
    label = f"gap ± {'' if times == 1 else '2 '}{bars} over {result.n_references} references"
    curve_with_bars(ax, table["k"], table["gap"], times * table[column], label, result.best[rule], f" by {rule}")
    unit = "natural logarithm" if math.isclose(result.base, math.e) else f"logarithm to base {result.base:g}"
    ax.set_ylabel(f"gap ({unit} of the dispersion)")
    return ax
