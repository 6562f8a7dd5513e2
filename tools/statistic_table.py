"""Which type of source has which statistic, and how: ``python tools/statistic_table.py`` prints the table.

A cell is the way that is taken: the name of its function, `a | b` where that depends on the metric or the size, `sum`
where it is the sum of what blocks leave behind, `derived` where it follows from other statistics.
"""

from __future__ import annotations

from clustval import catalogue
from clustval.declare import KINDS, Need, Statistic, Way, ways_of
from clustval.sources.blocks import Block
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.samples import sampled_from
from clustval.sources.stream_plan import StreamPlan
from clustval.sources.stream_tiles import tiled
from clustval.tables import text_table

COLUMNS = ("memory", "blocks", "rows that are read", "tiles", "many partitions", "samples", "batches that pass by")
GATHERED, AGAIN, NONE, ONE_BY_ONE = "gathered first", "points needed twice", "—", "one by one"


def statistics_of_points() -> list[type[Statistic]]:
    """Return the statistics of points and labels that indices read, and those that come before them."""
    catalogue.load()
    todo = [statistic for index in KINDS["internal"].indices.values() for statistic in index.statistics]
    known: dict[type[Statistic], None] = {}
    while todo:
        statistic = todo.pop()
        if statistic not in known:
            known[statistic] = None
            todo += [earlier for way in ways_of(statistic, Partition) for earlier in way.after]
    return sorted(known, key=lambda statistic: statistic.__name__)


def table() -> list[tuple[str, ...]]:
    """Return the rows of the table, headings first."""
    return [("statistic", *COLUMNS), *map(_row, statistics_of_points())]


def _row(statistic: type[Statistic]) -> tuple[str, ...]:
    sample = sampled_from(statistic)
    return (
        statistic.__name__,
        _names(ways_of(statistic, Partition)),
        _names(ways_of(statistic, Block)) if _adds_up(statistic) else NONE,
        _of_rows(statistic),
        "sum" if tiled(statistic) else GATHERED,
        _names(ways_of(statistic, Group)) or ONE_BY_ONE,
        NONE if sample is None else sample.__name__,
        _passing(statistic),
    )


def _names(ways: tuple[Way, ...]) -> str:
    return " | ".join(dict.fromkeys(_name(way) for way in ways))


def _name(way: Way) -> str:
    name = str(getattr(way.run, "__name__", "part"))
    return "sum" if way.part and name == "part" else "all points" if name == "of" else name


def _adds_up(statistic: type[Statistic]) -> bool:
    ways = [way for way in ways_of(statistic, Block) if way.when is None]
    return any((way.part or way.derived) and all(map(_adds_up, way.after)) for way in ways)


def _of_rows(statistic: type[Statistic]) -> str:
    plan = StreamPlan("euclidean")
    if not plan.gives(statistic):
        return GATHERED
    need = Need(statistic)
    return f"pass {1 + plan.number(need)}" if plan.visited_for(need) else "derived"


def _passing(statistic: type[Statistic]) -> str:
    plan = StreamPlan("euclidean")
    return "sum" if plan.gives(statistic) and plan.number(Need(statistic)) == 0 else AGAIN


if __name__ == "__main__":
    print(text_table(table()))  # noqa: T201
