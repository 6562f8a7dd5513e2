"""The plan of a source: in which way it has each statistic, in which pass, and at what price, before any pass."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from clustval.declare import Need, Way, ways_of
from clustval.passes.centres.centre_gaps import TABLES
from clustval.passes.work.pair_time import pairs_of, seconds_of
from clustval.passes.work.run_pieces import workers_of
from clustval.sources.partition import Partition
from clustval.sources.stream import Stream
from clustval.sources.stream_tiles import MetStripe
from clustval.sources.takes import NOTHING, Takes

NUMBERS_PER_SECOND = 10**8  # coordinates that one core reads in a pass over points, on the safe side
POINTS, TREES, PAIRS, TILES = "points", "trees of points", "all pairs, once for all", "all pairs, in tiles"
OWN, RANKED, DERIVED = "all pairs, for", "ranks of all distances, for", "no pass"
ROWS, GATHERED = "rows, pass", "gathered: "  # of data in blocks: as they pass, or after all are in memory


@dataclass(frozen=True)
class Step:
    """A statistic of a plan, the way in which the source has it, and the pass that leaves it behind."""

    need: Need
    way: Way
    name: str  # of the pass; statistics of the same pass share its work

    @property
    def takes(self) -> Takes:
        """The price of the way."""
        return self.way.takes or NOTHING


@dataclass(frozen=True)
class Pass:
    """One pass of a plan, and what it costs."""

    name: str
    statistics: tuple[str, ...]
    pairs: int = 0  # of points, that are visited
    seconds: float = 0.0
    bytes: int = 0


class WayPlan:
    """All ways of a plan, resolved once, and the passes that they make up."""

    def __init__(self, source: Any, needs: Iterable[Need]) -> None:
        self.source = source
        self.steps: dict[Need, Step] = {}
        for need in sorted(needs, key=lambda need: need.statistic.__name__):
            self._add(need)

    def _add(self, need: Need) -> None:
        if need in self.steps:
            return
        step = self._step(need)
        if step is not None:
            for earlier in step.way.after:
                self._add(Need(earlier))
            self.steps[need] = step

    def _step(self, need: Need) -> Step | None:
        statistic, source = need.statistic, self.source
        if isinstance(source, Stream):
            own = source.passes.own_passes(statistic)
            if own is not None:
                return Step(need, own, f"{ROWS}es of {statistic.__name__} alone")
            if source.passes.gives(statistic):
                way = source.passes.way(statistic)
                assert way is not None
                visited = source.passes.visited_for(need)
                return Step(need, way, f"{ROWS} {1 + source.passes.number(need)}" if visited else DERIVED)
            if source.spread(statistic):
                return self._usual(need, MetStripe, TILES)
            return self._usual(need, Partition)
        way = source.way(statistic)
        return None if way is None else Step(need, way, self._pass_in_memory(way))

    def _usual(self, need: Need, source: type, name: str | None = None) -> Step | None:
        """Return the step of a source that is not made yet, by the way that it has under all circumstances."""
        way = next((way for way in ways_of(need.statistic, source) if way.when is None), None)
        if way is None:
            return None
        return Step(need, way, DERIVED if way.derived else name or f"{GATHERED}{self._pass_in_memory(way)}")

    def _pass_in_memory(self, way: Way) -> str:
        takes: Takes = way.takes or NOTHING
        if way.derived:
            return DERIVED
        if takes.visit or takes.extremes:
            return PAIRS
        if takes.search is not None and takes.search(self.source):
            return TREES
        if takes.cost == "linear":
            return POINTS
        return f"{RANKED if takes.ranks else OWN} {way.statistic.__name__}"

    @property
    def passes(self) -> list[Pass]:
        """The passes, those over points first, then those over pairs; what is derived comes last."""
        names = dict.fromkeys(step.name for step in self.steps.values())
        return [self._priced(name) for name in sorted(names, key=_place)]

    def _priced(self, name: str) -> Pass:
        steps = [step for step in self.steps.values() if step.name == name]
        statistics = tuple(dict.fromkeys(step.need.statistic.__name__ for step in steps))
        if name == DERIVED:
            return Pass(name, statistics)
        source = self.source
        n, p, k = source.n, source.p if source.has_coordinates else 0, source.k
        cores = workers_of(source.executor, source.jobs) if isinstance(source, Stream) else source.space.n_jobs
        memory = TABLES * 8 * k * k if any(step.takes.tables for step in steps) else 0
        inside = name.removeprefix(GATHERED)
        if inside in {POINTS, TREES} or inside.startswith(ROWS):
            rows = inside.startswith(ROWS)
            held = n * sum(step.takes.held_bytes for step in steps) if rows else 0
            held += 8 * n * p if inside == POINTS else 0  # a copy that is sorted by cluster
            rounds = sum(max(1, step.takes.row_passes) if rows else 1 for step in steps)
            seconds = rounds * n * max(p, 1) / (NUMBERS_PER_SECOND * cores)
            return Pass(name, statistics, 0, seconds, memory + held)
        visits = 1.0 if inside in {PAIRS, TILES} else max(max(1.0, step.takes.passes) for step in steps)
        pairs = pairs_of(n)
        if inside.startswith(RANKED):
            memory += min(source.memory, 16 * pairs)  # ranks in pieces that fit
        return Pass(name, statistics, pairs, seconds_of(pairs, p, rounds=visits, cores=cores), memory)


def _place(name: str) -> tuple[int, str]:
    order = (POINTS, ROWS, TREES, PAIRS, TILES, OWN, RANKED, DERIVED)
    inside = name.removeprefix(GATHERED)
    return next(at for at, start in enumerate(order) if inside.startswith(start)), name
