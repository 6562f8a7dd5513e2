"""The Hopkins statistic of each sample, beside what points without structure would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clustval.plot.style import BLACK, BLUE, GREY, axes, legend_above

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tendency.hopkins import Hopkins

BINS = 60  # of the whole range


def hopkins(result: Hopkins, *, ax: Axes | None = None) -> Axes:
    """Show the Hopkins statistic of each sample, and how it would be distributed without structure: Beta(m, m)."""
    from scipy.special import betaln  # noqa: PLC0415 - slow to load

    ax = axes(ax)
    edges = np.linspace(0, 1, BINS + 1).tolist()
    _, _, bars = ax.hist(result.values, edges, color=BLUE, edgecolor="white", linewidth=0.4)
    inside = np.linspace(0, 1, 401)[1:-1]
    logarithm = (result.m - 1) * (np.log(inside) + np.log1p(-inside)) - betaln(result.m, result.m)
    expected = len(result.values) / BINS * np.exp(logarithm)  # samples in a bin
    (null,) = ax.plot(inside, expected, color=BLACK, linestyle=":", linewidth=1.5)
    ax.fill_between(inside, 0, expected, color=GREY, alpha=0.25, linewidth=0)
    mean = ax.axvline(result.mean, color=BLACK, linestyle="--", linewidth=1.2)
    names = [
        f"{len(result.values):,} samples of {result.m:,} points",
        "without structure",
        f"mean {result.mean:.3f}, s.d. {result.std:.3f}",
    ]
    legend_above(ax, [bars, null, mean], names, size=8)
    ax.set_xlim(0, 1)
    ax.set_xlabel("Hopkins statistic (0.5: as uniform points, 1: clusters)")
    ax.set_ylabel("samples")
    return ax
