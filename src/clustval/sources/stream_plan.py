"""What rows that are read in blocks give, and in which pass: asked of the ways of blocks before any row is read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clustval.declare import Need, Statistic, Way, ways_of
from clustval.passes.work import thresholds
from clustval.sources.point_source import Answers
from clustval.sources.row_blocks import RereadRows, RowBlock
from clustval.sources.takes import NOTHING, Takes


@dataclass(frozen=True)
class StreamPlan(Answers):
    """Which statistics rows in blocks give by a metric, and in which pass."""

    metric: Any

    @property
    def in_read_order(self) -> bool:  # type: ignore[override]
        """Whether rows are summed in the order in which they were read, unless they are weighted."""
        return self.metric == "euclidean" and thresholds.COMPILED

    def way(self, statistic: type[Statistic]) -> Way | None:
        """Return the way in which blocks have a statistic; None if they have none."""
        return next((w for w in ways_of(statistic, RowBlock) if w.when is None or w.when(self)), None)

    def own_passes(self, statistic: type[Statistic]) -> Way | None:
        """Return the way that reads all rows several times, for one statistic alone; None if there is none."""
        own = (w for w in ways_of(statistic, RereadRows) if w.of is RereadRows)
        return next((w for w in own if all(map(self.streams, w.after))), None)

    def streams(self, statistic: type[Statistic]) -> bool:
        """Return whether blocks that are read one after another have a statistic, in bounded memory."""
        way = self.way(statistic)
        if way is None or not all(map(self.streams, way.after)):
            return False
        if way.derived:
            return not _takes(way).reads_points or statistic.is_mergeable
        return way.part and way.cost == "linear"

    def gives(self, statistic: type[Statistic]) -> bool:
        """Return whether formulas can read a statistic of blocks: values of single points are not kept."""
        if self.own_passes(statistic) is not None:
            return True
        way = self.way(statistic)
        return way is not None and self.streams(statistic) and not _takes(way).only_points

    def number(self, need: Need) -> int:
        """Return the number of the pass that leaves a statistic behind, the first being 0.

        Before the first pass ends, the clusters of the whole are not known: it is for statistics that merge by name.
        """
        way = self.way(need.statistic)
        assert way is not None
        earlier = [self.number(Need(s)) for s in way.after]
        if way.derived:
            return max(earlier)
        return 1 + max(earlier) if earlier else int(not need.statistic.merges_by_name)

    def with_earlier(self, needs: Iterable[Need]) -> frozenset[Need]:
        """Return the needs that blocks give, and all that must be known before them."""
        todo, all_needs = list(needs), set()
        while todo:
            need = todo.pop()
            own, way = self.own_passes(need.statistic), self.way(need.statistic)
            if own is not None:
                todo += [Need(s) for s in own.after]
            elif way is not None and need not in all_needs and self.streams(need.statistic):
                all_needs.add(need)
                todo += [Need(s) for s in way.after]
        return frozenset(all_needs)

    def visited_for(self, need: Need) -> bool:
        """Return whether blocks are visited for a need: it is no function of statistics of the whole."""
        way = self.way(need.statistic)
        return way is not None and (way.part or _takes(way).reads_points)

    def takes(self, statistic: type[Statistic]) -> Takes:
        """Return what blocks take for a statistic, those before it aside."""
        way = self.way(statistic)
        return NOTHING if way is None else _takes(way)


def _takes(way: Way) -> Takes:
    return way.takes or NOTHING
