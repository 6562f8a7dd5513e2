"""What every source of points and labels has in common, and the checks that need nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from clustval import inputs
from clustval.declare import Index, Need, Statistic, Way
from clustval.errors import UndefinedIndexError
from clustval.passes.centres.centre_gaps import TABLES, tables_fit
from clustval.sources.takes import NOTHING, Takes, most_of, takes_of


class HasWays(Protocol):
    """What has statistics, or will have them: a source, or a plan of one."""

    def way(self, statistic: type[Statistic]) -> Way | None:
        """Return the way in which it has a statistic."""


class PointSource(HasWays, Protocol):
    """Points in clusters, wherever they lie: in memory, in blocks, in a file, in a stack of partitions."""

    n: int  # points
    k: int  # clusters
    weights: Any  # None where points are not weighted
    noise_weighs: bool  # whether some noise point has another weight than 0 and 1

    @property
    def count(self) -> Any:
        """How many points there are, by weight."""

    @property
    def metric(self) -> Any:
        """The distance between two points."""

    @property
    def memory(self) -> int:
        """Bytes that may be held."""

    @property
    def has_coordinates(self) -> bool:
        """Whether there are coordinates, and not only distances."""

    @property
    def fractional(self) -> bool:
        """Whether there are weights that are no whole numbers."""

    @property
    def needs(self) -> frozenset[Need]:
        """The statistics that will be asked for."""


class Answers:
    """What a source answers to the questions of ways where it knows no better: nothing is short, searched or sorted."""

    n = 0
    sparse = searchable = near_by_trees = squared = in_read_order = False
    tables_fit = True
    whole: Any = None
    weights: Any = None
    noise_weighs = False
    needs: frozenset[Need] = frozenset()


def price(source: HasWays, statistic: type[Statistic]) -> Takes:
    """Return what a statistic takes in the way in which a source has it, with all that it is derived from."""
    way = source.way(statistic)
    if way is None:
        return NOTHING
    takes: Takes = way.takes or NOTHING
    if way.derived:
        for earlier in way.after:
            takes |= price(source, earlier)
    return takes


def graph_suffices(source: PointSource, statistic: type[Statistic]) -> bool:
    """Return whether nearest neighbours that others searched, and labels, are all that a statistic reads."""
    way = source.way(statistic)
    if way is None or not (way.takes or NOTHING).graph_suffices:
        return False
    return all(graph_suffices(source, earlier) for earlier in way.after)


def check_partition(source: PointSource, index: Index, prices: Sequence[Takes] | None = None) -> None:
    """Raise an error if the index needs other clusters, coordinates, means or weights than a partition has.

    `prices` are those of its statistics; by default, those of the ways in which the source has them.
    """
    if source.k == 0 and index.clusters[0] > 0:
        msg = f"{index.name} needs clusters; every point is noise."
        raise UndefinedIndexError(msg)
    count = source.count
    fewest, most = index.clusters[0], count - (index.clusters[1] or 0)
    if not fewest <= source.k <= most:
        raise UndefinedIndexError(_other_clusters(source, index))
    if source.noise_weighs and source.weights is None:
        for statistic in index.statistics:
            if statistic.counts_noise:
                _check_weights(source, index, takes_of(statistic))
    if prices is None:
        if _has_all(source, most_of(index)):
            return  # in whatever way
        prices = [price(source, statistic) for statistic in index.statistics]
    _check_prices(source, index, prices)


def _other_clusters(source: PointSource, index: Index) -> str:
    """Return the reason that an index needs other clusters, or more points where there are too few for any clusters."""
    count, weighted, (fewest, apart) = source.count, source.weights is not None, index.clusters
    least = fewest + (apart or 0)  # points, for the fewest clusters
    if count >= least:
        points = f"points of weight {count:g} in all" if weighted else f"{count} points"
        allowed = f"from {fewest} to {count - (apart or 0):g} clusters"
        return f"{index.name} needs {allowed} for these {points}; the labels form {source.k}."
    if weighted:
        return f"{index.name} needs points that weigh {least} or more in all; those in clusters weigh {count:g}."
    return f"{index.name} needs {least} points or more; {count} {'is' if count == 1 else 'are'} in clusters."


def _has_all(source: PointSource, takes: Takes) -> bool:
    """Return whether a source has all that ways may take."""
    return (
        source.weights is None
        and (source.has_coordinates or not takes.coordinates)
        and not ((takes.centres or takes.coordinates) and source.metric in inputs.WITHOUT_MEANS)
        and (not takes.tables or tables_fit(source.k, source.memory))
    )


def _check_prices(source: PointSource, index: Index, prices: Sequence[Takes]) -> None:
    """Raise an error if statistics take coordinates, means, tables or weights that the source does not have."""
    if not source.has_coordinates and any(takes.coordinates for takes in prices):
        given = source.space.called if hasattr(source, "space") else source.metric
        msg = f"{index.name} needs coordinates; metric={given!r} gives only distances."
        raise UndefinedIndexError(msg)
    if source.metric in inputs.WITHOUT_MEANS and any(takes.coordinates or takes.centres for takes in prices):
        what = "sets" if source.metric in inputs.BOOLEAN_METRICS else "categories"
        msg = f"{index.name} needs means, and the metric {source.metric!r} compares {what}, which have none."
        raise UndefinedIndexError(msg)
    if any(takes.tables for takes in prices):
        check_tables(source, index.name)
    if source.weights is not None:
        for takes in prices:
            _check_weights(source, index, takes)


def _check_weights(source: PointSource, index: Index, takes: Takes) -> None:
    if takes.no_weights_because:
        msg = f"{index.name} takes no weights but 0 and 1: {takes.no_weights_because}."
        raise UndefinedIndexError(msg)
    if takes.whole_weights_because and source.fractional:
        msg = f"{index.name} takes no weights but whole numbers: {takes.whole_weights_because}."
        raise UndefinedIndexError(msg)


def check_tables(source: PointSource, name: str) -> None:
    """Raise an error if tables of each two clusters do not fit into the memory allowed."""
    k, memory = source.k, source.memory
    if not tables_fit(k, memory):
        msg = (
            f"{name} needs tables of {k} x {k} clusters, {TABLES * 8 * k * k / 2**30:.3g} GiB for all that may be held "
            f"at once; the budget is {memory / 2**30:.3g} GiB. Give more to evaluate(..., memory=)."
        )
        raise UndefinedIndexError(msg)
