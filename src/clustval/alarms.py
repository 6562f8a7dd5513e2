"""Oddities of a clustering that its sizes alone show, a line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

GIANT = 0.6  # share of the clustered points from which on one cluster is nearly all
NOISY = 0.3  # share of the points
NOISE = "of the points are noise"
COUNTED = "share of the points that count"  # how tables explain a coverage
SMALLEST = 0.001  # share that sentences tell from none, or from all


def alarms(sizes: list[float], names: Sequence[Any], noise: float, homes: Mapping[Any, int] | None = None) -> list[str]:
    """Return a line for each oddity that is seen in sizes alone: one giant cluster, much noise.

    >>> alarms([80, 10, 10], ["a", "b", "c"], 0)
    ['a has 80 % of the clustered points: is it really one cluster, or just the rest?']
    """
    lines, total = [], sum(sizes)
    if len(sizes) > 1 and max(sizes) > GIANT * total:
        at = sizes.index(max(sizes))
        share = f"{names[at]} has {sizes[at] / total:.0%}".replace("%", " %")
        lines.append(f"{share} of the clustered points: is it really one cluster, or just the rest?")
    if noise > NOISY * (total + noise):
        share = f"{noise / (total + noise):.0%}".replace("%", " %")
        where = ""
        if homes:
            belonging = sum(homes.values())
            most = max(homes, key=lambda name: homes[name])
            where = (
                f"; {belonging:,} of them lie among clusters, most of these ({homes[most]:,}) in {most}: see rescue()"
            )
        lines.append(f"{share} {NOISE}{where}.")
    return lines


def besides_noise(lines: Iterable[str]) -> list[str]:
    """Return alarms without that of much noise, whose share stands beside them already.

    >>> besides_noise(["40 % of the points are noise.", "diagnose(X, labels) says what to do."])
    ['diagnose(X, labels) says what to do.']
    """
    return [line for line in lines if NOISE not in line]


def counted(coverage: float, *, penalised: bool = False) -> str:
    """Return the share of the points that count, where the others are left out as noise, in a sentence.

    >>> counted(0.05)
    '5 % of the points count; the other 95 % are noise and left out.'
    >>> counted(0.9996, penalised=True)
    'More than 99.9 % of the points count; the others are noise, and values are made worse by their share.'
    """
    if coverage == 0:
        return "No point counts: all are noise."
    after = "noise, and values are made worse by their share." if penalised else "noise and left out."
    if not SMALLEST <= coverage <= 1 - SMALLEST:
        share = f"Less than {percent(SMALLEST)}" if coverage < SMALLEST else f"More than {percent(1 - SMALLEST)}"
        return f"{share} of the points count; the others are {after}"
    return f"{percent(coverage)} of the points count; the other {percent(1 - coverage)} are {after}"


def percent(share: float) -> str:
    """Return a share in per cent, as people read it.

    >>> percent(0.05), percent(0.125)
    ('5 %', '12.5 %')
    """
    return f"{100 * share:.3g} %"
