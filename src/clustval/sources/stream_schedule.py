"""What can be had of points that are read in blocks, and in which pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clustval.declare import Need, Statistic


@dataclass(frozen=True)
class Schedule:
    """Which statistics can be had from blocks, and in which pass, by a metric."""

    metric: Any

    def stand_in(self, statistic: type[Statistic]) -> type[Statistic]:
        """Return the statistic by which this metric has it, or has it with less work: itself, if there is none."""
        return statistic.streamed.get(self.metric) or statistic.stand_ins.get(self.metric, statistic)

    def streams(self, statistic: type[Statistic]) -> bool:
        """Return whether a statistic can be had from blocks that are read one after another, in bounded memory."""
        made = self.stand_in(statistic)
        if not all(map(self.streams, made.after)):
            return False
        if made.follows:
            return not made.pointwise or hasattr(made, "__add__")
        return made.adds_up and made.cost == "linear"

    def gives(self, statistic: type[Statistic]) -> bool:
        """Return whether formulas can read a statistic of blocks: stand-ins for pairs leave no values of points."""
        return self.streams(statistic) and (statistic.cost == "linear" or self.metric not in statistic.stand_ins)

    def number(self, need: Need) -> int:
        """Return in which pass a statistic is had: the first is 0. What is derived needs none of its own."""
        made = self.stand_in(need.statistic)
        earlier = [self.number(Need(s)) for s in made.after]
        if made.follows:
            return max(earlier)
        return 1 + max(earlier) if earlier else 0

    def with_earlier(self, needs: Iterable[Need]) -> frozenset[Need]:
        """Return needs that can be had from blocks, and all that must be known before them."""
        todo, all_needs = list(needs), set()
        while todo:
            need = todo.pop()
            if need not in all_needs and self.streams(need.statistic):
                all_needs.add(need)
                todo += [Need(s) for s in self.stand_in(need.statistic).after]
        return frozenset(all_needs)

    def visited_for(self, need: Need) -> bool:
        """Return whether blocks are visited for it: it is no function of statistics of the whole."""
        return self.stand_in(need.statistic).adds_up or need.statistic.pointwise
