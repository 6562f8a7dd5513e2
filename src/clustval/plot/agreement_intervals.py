"""Values of several labellings beside one truth, each with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.errors import InputError
from clustval.plot.style import BLACK, LITERAL, axes, colour, legend_above, marker, short_text

if TYPE_CHECKING:
    from clustval.compare.side_by_side import Agreements
    from clustval.plot.style import Axes

ROOM = 0.6  # share of a line that the labellings of an index take


def agreements(result: Agreements, indices: Sequence[str] | None = None, *, ax: Axes | None = None) -> Axes:
    """Show the value of each labelling in each index with its interval, for indices between -1 and 1.

    `indices` chooses some of them by name; whether two labellings differ is in ``result.differences``, whose
    intervals are shorter than those of two values.
    """
    first = next(iter(result.values()))
    names = [name for name in first if max(map(abs, first.choices[name].index.bounds)) <= 1]
    if indices is not None:
        missing = [name for name in indices if name not in names]
        if missing:
            msg = f"{missing[0]!r} is no index between -1 and 1 of these agreements; {', '.join(names)} are."
            raise InputError(msg)
        names = list(indices)
    if not names:
        msg = f"None of these indices lies between -1 and 1: {', '.join(first)}."
        raise InputError(msg)
    ax = axes(ax, (6.4, max(2.4, 0.2 * len(names) * (1 + len(result)) ** 0.7 + 1)))
    lines = np.arange(len(names))
    handles = []
    for at, scores in enumerate(result.values()):
        shift = ROOM * ((at + 0.5) / len(result) - 0.5)
        values = np.array([scores[name] for name in names])
        errors = np.nan_to_num([scores.error(name) for name in names])
        style: dict[str, Any] = {
            "linestyle": "none",
            "marker": marker(at),
            "color": colour(at),
            "markersize": 5,
            "capsize": 2,
        }
        handles.append(ax.errorbar(values, lines + shift, xerr=errors, **style))
    legend_above(ax, handles, [short_text(name) for name in result])
    ax.axvline(0, color=BLACK, linewidth=0.8)
    ax.set_yticks(lines, names, **LITERAL)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(f"agreement with the truth, {result.confidence:.0%} intervals".replace("%", " %"))
    return ax
