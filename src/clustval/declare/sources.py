"""What a source is: that which statistics are computed from, each on first use, in the way that it has them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from clustval.declare.statistics import Need, Statistic, Way, ways_of
from clustval.errors import UndefinedIndexError
from clustval.lazy import cached_property

Done = Callable[[int], object]
S = TypeVar("S", bound=Statistic)


class Source:
    """What statistics are computed from: each on first use, then kept by its type and options."""

    exponent = 0  # points were divided by so high a power of two, which values of a degree must be given back
    block_type: ClassVar[type | None] = None  # of a source in blocks: the type of these, whose ways are taken

    def __init__(self) -> None:
        self._kept: dict[Need, Any] = {}

    def __getitem__(self, statistic: type[S]) -> S:
        """Return the statistic, which has no options."""
        return self.need(Need(statistic))  # type: ignore[no-any-return]

    def statistic(self, statistic: type[S], **options: Any) -> S:
        """Return the statistic for these options."""
        return self.need(Need(statistic, tuple(options.items())))  # type: ignore[no-any-return]

    def need(self, need: Need) -> Any:
        """Return a statistic that a formula needs."""
        kept = self._kept
        if need in kept:
            return kept[need]
        value = kept[need] = self.compute(need.statistic, **dict(need.options))
        return value

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Compute the statistic, in the way in which this source has it."""
        way = self.way(statistic)
        if way is None:
            msg = f"{type(self).__name__} has no way to compute {statistic.__name__}."
            raise UndefinedIndexError(msg)
        known = [self[earlier] for earlier in way.after]
        return way.run(*known, **options) if way.derived else way.run(self, *known, **options)

    def way(self, statistic: type[Statistic]) -> Way | None:
        """Return the way in which this source has a statistic; None if it has none."""
        for way in ways_of(statistic, self.block_type or type(self)):
            if way.when is None or way.when(self):
                return way
        return None

    def check(self, index: Any) -> None:
        """Raise `UndefinedIndexError` if the index cannot have a value here."""

    @property
    def as_given(self) -> Source:
        """The same source with points as they were, for indices without a degree."""
        return self

    def keep(self, statistic: Statistic, **options: Any) -> None:
        """Keep a statistic that is known already, for these options."""
        self._kept[Need(type(statistic), tuple(options.items()))] = statistic

    def share(self, other: Source) -> None:
        """Have the statistics of another source of the same things, those that it will compute as well."""
        self._kept = other._kept

    def known(self, statistic: type[S]) -> list[S]:
        """Return what was computed of a statistic, for whatever options."""
        return [value for need, value in self._kept.items() if need.statistic is statistic]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what can be computed again: statistics and other values kept on first use."""
        return without_lazy(self) | {"_kept": {}}


def without_lazy(thing: Any) -> dict[str, Any]:
    """Return the attributes of an object but for cached properties, which are computed again on first use."""
    members = (member for cls in type(thing).__mro__ for member in vars(cls).items())
    lazy = {name for name, member in members if isinstance(member, cached_property)}
    return {name: value for name, value in vars(thing).items() if name not in lazy}


@dataclass(frozen=True)
class Plan:
    """What the engine tells a source beforehand: statistics, memory, a callback of progress."""

    needs: frozenset[Need] = frozenset()
    memory: int | str | None = None
    done: Done | None = None
    limited: bool = False  # whether an index that takes hours is left out
    dry: bool = False  # whether the source is only explained, so that it computes no statistic beforehand
