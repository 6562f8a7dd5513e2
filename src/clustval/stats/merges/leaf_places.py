"""Where each point stands from left to right in two trees. One look at both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clustval.arrays import Integers
from clustval.declare import Statistic
from clustval.sources.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class LeafPlaces(Statistic):
    """The place of each point in each of two trees, counted from 0."""

    beside: ClassVar[str] = "tree"
    one: Integers
    other: Integers

    @classmethod
    def of(cls, source: Hierarchy) -> LeafPlaces:
        """Read both trees."""
        one, other = source.both
        return cls(one.places, other.places)
