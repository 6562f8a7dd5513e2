"""Which indices take so many distances that they are not computed unless they are asked for by themselves.

Data that are read in blocks are met up to so many pairs, about a minute of work: who has them in files wants an
estimate. Points in memory are met for up to an hour by the times of `passes.pair_time`: on two cores that are
3600 s x 8e8 = 2.9e12 pairs of 8 columns, or 2,400,000 points; a twentieth of the pairs, or 540,000 points, where ranks
of all distances are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from clustval.declare import Index, Need, Statistic
from clustval.errors import UndefinedIndexError
from clustval.passes.work.pair_time import pairs_of, seconds_of
from clustval.progress import duration
from clustval.sources.samples import sampled_from
from clustval.sources.takes import NOTHING, Takes, most_of, takes_of

EXACT_PAIRS = 2 * 10**10  # of data in blocks, that are still met, all of them, for one index
LONGEST = 3600.0  # seconds, for an index of points in memory
LONGEST_OF_CENTRES = 60.0  # seconds, for distances to centres: what is linear but for them is asked for as quick
CENTRE_ROUNDS = (
    3  # pairs of points that are met while one core measures two centres and a formula reads them (1 to 2.7)
)
POINT_ROUNDS = 4  # the same, for all points to centres: trees find the nearest, in about 4 times their pairs of centres
METRIC_ROUNDS = 8  # pairs of points that are met while NumPy measures a point and a centre by another metric (6 to 9)
FEW = 10_000  # points; the pairs of so few never take so long
WIDTH = 0.01  # of an interval that reasons name
ESTIMATES, NO_SAMPLE = "estimates it with an error bar", "no sample estimates it"

Statistics = Sequence[type[Statistic]]


def check_pairs(name: str, statistics: Statistics, n: int, columns: int, n_jobs: int, *, many: bool = False) -> None:
    """Raise an error if statistics of data in blocks need more distances than are measured without being asked to.

    Those are as many for each of `n_jobs` if they are `many` workers.
    """
    pairs = pairs_of(n)
    if pairs > EXACT_PAIRS * (n_jobs if many else 1):
        seconds = seconds_of(pairs, columns, rounds=max(max(1.0, takes_of(s).passes) for s in statistics), cores=n_jobs)
        way = f"approximate={WIDTH} {ESTIMATES}" if estimable(statistics) else NO_SAMPLE
        msg = f"{_needs(name, pairs, seconds, n_jobs)}; {way}."
        raise UndefinedIndexError(msg)


def check_centres(source: Any, index: Index) -> None:
    """Raise an error if an index would measure distances to so many centres that others wait for it."""
    takes = most_of(index)
    if source.space.X is None or not (takes.centre_pairs or takes.to_centres):
        return
    columns = source.space.p
    distances, rounds = 0, 0.0
    if takes.centre_pairs:
        distances, rounds = pairs_of(source.k), CENTRE_ROUNDS + POINT_ROUNDS * takes.to_centres
    seconds, what = seconds_of(distances, columns, rounds=rounds), f"of each two of {source.k} centres"
    if takes.to_centres and not source.space.euclidean:
        distances = source.n * source.k
        seconds += seconds_of(distances, columns, rounds=METRIC_ROUNDS)
        what = f"of {source.n} points to {source.k} centres"
    if seconds > LONGEST_OF_CENTRES:
        msg = (
            f"{index.name} needs the distances {what}, {distances:.3g}, about {duration(seconds)}; "
            f"clustval.internal.{index.name}(X, labels) computes it, however long it takes."
        )
        raise UndefinedIndexError(msg)


def check_time(source: Any, index: Index) -> None:
    """Raise an error if an index of points in memory would take too long."""
    check_centres(source, index)
    seconds = max((seconds_for(source, s) for s in index.statistics), default=0.0)
    if seconds > LONGEST:
        sampled = estimable(index.statistics)
        way = f"evaluate(..., approximate={WIDTH}) {ESTIMATES}, and" if sampled else f"{NO_SAMPLE}, but"
        needs = _needs(index.name, pairs_of(source.n), seconds, source.space.n_jobs)
        msg = f"{needs}; {way} clustval.internal.{index.name}(X, labels) computes it, however long it takes."
        raise UndefinedIndexError(msg)


def in_time(source: Any, needs: Iterable[Need]) -> frozenset[Need]:
    """Drop needs that would take too long, so that no pass starts for them."""
    return frozenset(need for need in needs if seconds_for(source, need.statistic) <= LONGEST)


def seconds_for(source: Any, statistic: type[Statistic]) -> float:
    """Return how long the pairs of points in memory take for a statistic: none where it has them by other means."""
    way = source.way(statistic)
    if way is None:
        return 0.0
    if way.derived:
        return max((seconds_for(source, earlier) for earlier in way.after), default=0.0)
    takes: Takes = way.takes or NOTHING
    if takes.cost == "linear" or (takes.search is not None and takes.search(source)):
        return 0.0
    space = source.space
    if takes.by_graph and space.graph is not None:
        return 0.0
    columns = 0 if space.distances is not None else space.p
    return seconds_of(pairs_of(source.n), columns, rounds=takes.passes, cores=space.n_jobs)


def estimable(statistics: Statistics) -> bool:
    """Return whether `approximate=` estimates what takes pairs: all of it comes from the same sample."""
    samples = {sampled_from(s) for s in statistics if takes_of(s).cost != "linear"}
    return len(samples) == 1 and None not in samples


def _needs(name: str, pairs: int, seconds: float, cores: int) -> str:
    return f"{name} needs {pairs:.3g} distances, about {duration(seconds)} on {cores} cores"
