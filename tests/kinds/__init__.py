"""How to try the indices of each kind: one file for each, with its examples and the laws that hold of it alone.

`tests/test_laws.py` reads the examples and runs on them the laws that hold of every index.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Arguments = tuple[Any, ...]  # what a function of the kind takes before its options


class Alike(NamedTuple):
    """Two clusterings that are the same to an index, up to a relative difference."""

    one: Arguments
    other: Arguments
    rounding: float = 0.0


@dataclass(frozen=True)
class Examples:
    """Clusterings on which the indices of a kind are tried."""

    good: Arguments
    bad: Arguments  # the same points, clustered worse
    alike: Mapping[str, Alike]  # by what does not matter
    degenerate: Mapping[str, Arguments]
    others: Sequence[Arguments] = ()  # beside the good and the bad one, for the bounds
    undirected: Collection[str] = ()  # indices that cannot tell good from bad
    # Options that say how values of points are put together, by index: these alone need not reach the points.
    summing: Mapping[str, Collection[str]] = field(default_factory=dict)


def examples(kind: str) -> Examples:
    """Return the examples of a kind of index."""
    return importlib.import_module(f"kinds.{kind}").EXAMPLES
