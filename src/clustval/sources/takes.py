"""What ways take of points, and the questions that they ask before any pass: of metric, size, what else is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from clustval.declare import Cost, Index, Statistic, declared_ways
from clustval.passes.work import thresholds

Question = Callable[[Any], bool]
RANKS = 20  # visits of all pairs that take as long as to compare ranks of all distances


@dataclass(frozen=True)
class Takes:
    """The price of a way; `|` is the price of two."""

    pair_passes: float = 0.0  # cost, in passes over all pairs
    ranks: bool = False  # whether the ranks of all distances are compared
    search: Question | None = None  # whether trees find it without a pass over all pairs
    visit: bool = False  # whether it reads the one visit of all pairs that all such ways share
    extremes: bool = False  # whether that visit must also look for the smallest and largest distances
    tables: bool = False  # whether numbers of each two clusters are held, so that many clusters must fit in memory
    centre_pairs: bool = False  # whether each two centres are measured, one after the other
    to_centres: bool = False  # whether each point is measured against each centre, unless trees find the nearest
    coordinates: bool = False  # whether a matrix of distances is not enough
    centres: bool = False  # whether the metric must measure points against means
    reads_points: bool = False  # whether it reads the values of single points of what it is derived from
    only_points: bool = False  # whether values of single points are all that it leaves behind
    column_tables: bool = False  # whether numbers of each two columns are held of each cluster
    held_bytes: int = 0  # of each point, that are held while rows are read in blocks
    row_passes: int = 0  # passes over rows in blocks that are made for it alone
    by_graph: bool = False  # whether nearest neighbours that others searched are enough
    no_weights_because: str = ""  # why no point can count more than once, if it cannot
    whole_weights_because: str = ""  # why no point can count by a fraction, if it cannot

    @property
    def cost(self) -> Cost:
        """How the work grows with the number of points."""
        return "rank" if self.ranks else "quadratic" if self.pair_passes else "linear"

    @property
    def graph_suffices(self) -> bool:
        """Whether it reads no points and no distances but those to nearest neighbours."""
        return self.by_graph or not (self.coordinates or self.centres or self.pair_passes or self.ranks or self.visit)

    @property
    def passes(self) -> float:
        """Passes over all pairs that take as long."""
        return max(self.pair_passes, RANKS if self.ranks else 0)

    def __or__(self, other: Takes) -> Takes:
        """Return what two ways take: the larger number, what either asks for, the first reason."""
        either = {f.name: getattr(self, f.name) or getattr(other, f.name) for f in fields(self)}
        of_one_way = {
            "search": self.search,
            "by_graph": self.by_graph,
            "reads_points": self.reads_points,
            "only_points": self.only_points,
            "held_bytes": self.held_bytes,
            "row_passes": self.row_passes,
        }
        return Takes(**either | of_one_way | {"pair_passes": max(self.pair_passes, other.pair_passes)})


NOTHING = Takes()


def takes_of(thing: type[Statistic] | Index) -> Takes:
    """Return what a statistic, or all statistics of an index, take in their usual ways."""
    takes: Takes | None = thing.takes if isinstance(thing, Index) else thing.price
    return takes or NOTHING


@cache
def most_of(index: Index) -> Takes:
    """Return what the statistics of an index take at most, in whatever ways they are had."""
    takes, todo, known = NOTHING, list(index.statistics), set[type[Statistic]]()
    while todo:
        statistic = todo.pop()
        if statistic not in known:
            known.add(statistic)
            for way in declared_ways().get(statistic, ()):
                takes |= way.takes or NOTHING
                todo += way.after
    return takes


# --- questions -------------------------------------------------------------------------------------------


def metric_in(*metrics: str) -> Question:
    """Return the question whether distances are measured by one of these metrics."""
    return lambda source: source.metric in metrics


def dense_metric_in(*metrics: str) -> Question:
    """Return the question whether distances of coordinates that are all written out are measured by such a metric."""
    return lambda source: source.metric in metrics and not source.sparse


def euclidean(source: Any) -> bool:
    """Return whether distances are Euclidean distances of coordinates that are all written out."""
    return bool(source.metric == "euclidean") and not source.sparse


def sparse(source: Any) -> bool:
    """Return whether only the coordinates that are not 0 are written out."""
    return bool(source.sparse)


def in_read_order(source: Any) -> bool:
    """Return whether rows are summed in the order in which they were read."""
    return bool(source.in_read_order)


def euclidean_in_read_order(source: Any) -> bool:
    """Return whether distances are Euclidean, and rows are summed in the order in which they were read."""
    return in_read_order(source) and bool(source.metric == "euclidean")


def many_euclidean(source: Any) -> bool:
    """Return whether all pairs of so many points in memory take longer than a few more passes over the points."""
    return source.n > thresholds.MEETINGS and bool(source.metric == "euclidean")


def near_by_trees(source: Any) -> bool:
    """Return whether trees find the nearest points sooner than a visit of all pairs."""
    return bool(source.near_by_trees)


def searchable(source: Any) -> bool:
    """Return whether trees find the closest and the farthest points sooner than a visit of all pairs."""
    return bool(source.searchable)


def squared(source: Any) -> bool:
    """Return whether distances are made of squared differences."""
    return bool(source.squared)


def asked(statistic: type[Statistic]) -> Question:
    """Return the question whether a statistic is asked for, by an index or by whoever made the source."""
    return lambda source: any(need.statistic is statistic for need in source.needs)
