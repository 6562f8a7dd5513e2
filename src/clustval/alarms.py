"""Oddities of a clustering that its sizes alone show, a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

GIANT = 0.6  # share of the clustered points from which on one cluster is nearly all
NOISY = 0.3  # share of the points


def alarms(sizes: list[float], names: Sequence[Any], noise: float, homes: Mapping[Any, int] | None = None) -> list[str]:
    """Return a line for each oddity that is seen in sizes alone: one giant cluster, much noise.

    >>> alarms([80, 10, 10], ["a", "b", "c"], 0)
    ['a has 80 % of the clustered points: is it one cluster, or what the others left over?']
    """
    lines, total = [], sum(sizes)
    if len(sizes) > 1 and max(sizes) > GIANT * total:
        at = sizes.index(max(sizes))
        share = f"{names[at]} has {sizes[at] / total:.0%}".replace("%", " %")
        lines.append(f"{share} of the clustered points: is it one cluster, or what the others left over?")
    if noise > NOISY * (total + noise):
        share = f"{noise / (total + noise):.0%}".replace("%", " %")
        where = ""
        if homes:
            belonging = sum(homes.values())
            most = max(homes, key=lambda name: homes[name])
            where = (
                f"; {belonging:,} of them lie among clusters, most of these ({homes[most]:,}) in {most}: see rescue()"
            )
        lines.append(f"{share} of the points are noise{where}.")
    return lines
