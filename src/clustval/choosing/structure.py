"""Whether there are clusters at all: the best clustering of the data beside the best of data that have none.

The same algorithms cluster draws from three nulls: one Gaussian with the covariance of the data, the uniform
distribution in the box of its principal components, and the skeleton of the data with its gaps filled. There is
structure only where the data beat all of them. Draws stop as soon as one null is as good as the data too often
(Besag and Clifford 1991). Two more conditions keep skewed and wide data from passing for clusters: the best
clustering must be worth anything at all, and beat the uniform draws also by the finest density alone.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.choosing.algorithms import ALGORITHMS, Points
from clustval.choosing.judges import dense_table
from clustval.choosing.nulls import NULLS, OF_CATEGORIES, Draw, null_of, nulls_of
from clustval.choosing.pool import made_pool
from clustval.declare import Plan
from clustval.errors import InputError
from clustval.inputs import at_least, one_of
from clustval.passes.work import threads
from clustval.progress import bar
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.sources.space import Space, space_of
from clustval.tables import Tabular, cells_of, html_table

Done = Callable[[int], object] | None

NULL_NAMES = tuple(NULLS)
LEVEL = 0.05
FINEST = "uniform, finest density"
LEVELS = {"skeleton": 0.2, FINEST: 0.1}  # they take more from data with clusters than the others do
WEAKEST = 0.015  # statistic below which nothing is compared: a few neighbours in many dimensions give as much
POINTS = 1000  # more are sampled: the test clusters some 300 sets of as many
ROUND = 10  # draws after which the answer may be clear
FEWEST = 5  # points
FEWEST_DRAWS = 19  # with fewer no p-value is as small as the level
DENSITIES = (5, 10, 20)
MOST_CLUSTERS = 10
QUICK = ("ward", "average", "single", "genie", "k-means")


@dataclass(frozen=True, repr=False, eq=False)
class Structure(Tabular, Result):
    """Whether the best clustering of the data is better than what the same algorithms find where there is nothing.

    Attributes
    ----------
    statistic
        How good the best clustering is, from 0 to 1: connected by dense paths and cutting few neighbours.
    null
        From the name of a null to the statistics of its draws, as many as the answer took.
    p_values
        From the name of a null to the probability of a draw as good as the data.
    points
        Number of points that were clustered; fewer than the rows of X are a sample.
    complete
        Whether the answer is clear: time may have been up before.
    """

    statistic: float
    null: Mapping[str, Floats]
    p_values: Mapping[str, float]
    points: int
    complete: bool = True

    @property
    def p_value(self) -> float:
        """The largest p-value of the nulls, each in units of its level: those tested at 0.2 and 0.1 count less."""
        return max((p * (LEVEL / LEVELS.get(name, LEVEL)) for name, p in self.p_values.items()), default=1.0)

    @property
    def exists(self) -> bool | None:
        """Whether the data beat every null; None if time was up before that could be said."""
        if any(p > LEVELS.get(name, LEVEL) for name, p in self.p_values.items()):
            return False
        return True if self.complete else None

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "null": name,
                "p": p,
                "level": LEVELS.get(name, LEVEL),
                "draws": len(self.null.get(name.partition(",")[0], ())),
            }
            for name, p in self.p_values.items()
        ]

    def __str__(self) -> str:
        if self.statistic < WEAKEST:
            return (
                "No structure: even the best clustering is worth next to nothing "
                f"(best clustering {self.statistic:.3f}; clear ones have 0.2 and more)."
            )
        p = ", ".join(f"{name} {value:.2g}" for name, value in self.p_values.items())
        how = f"best clustering {self.statistic:.3f}; p-values by null: {p or 'none'}"
        if self.exists is None:
            return f"Whether there is structure could not be told in time ({how})."
        if self.exists:
            return f"There is structure: data without clusters are not clustered so well ({how})."
        return f"No structure: data without clusters are clustered as well as these ({how})."

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>{html_table(cells_of(self._records()))}"


def structure(
    X: Any,
    *,
    null: Sequence[str] = NULL_NAMES,
    n_references: int = 99,
    sample: int = POINTS,
    metric: Any = "euclidean",
    time: float | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    progress: bool = False,
) -> Structure:
    """Whether there are clusters at all: the best clustering beside the best of data without clusters.

    Parameters
    ----------
    X
        One row per point.
    null
        What is compared with: "gaussian", "uniform", "skeleton" or several of them. The data must beat all. Under
        metrics of categories ("hamming" and "gower") it is "columns": each column is shuffled on its own.
    n_references
        Draws from each null, 19 at least; they end when the answer is clear.
    sample
        Points that are clustered, drawn at random if there are more.
    metric
        The name of a distance or a function of two points.
    time
        Seconds after which no more draws are begun.
    random_state
        A seed, a generator, or None.
    n_jobs
        Number of threads; None for all cores. The answer does not depend on it.
    memory
        Bytes, or text such as "2 GiB", that the work may take.
    progress
        Whether to show a progress bar.

    Returns
    -------
    Structure
        ``exists``, ``p_value``, ``statistic``, and the values of ``null``.

    >>> rng = np.random.default_rng(0)
    >>> structure(rng.normal(size=(60, 2)), n_references=19, random_state=0).exists
    False
    """
    space = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory))
    if not can_be_drawn(space):
        msg = f"structure needs coordinates, from which data without clusters are drawn; metric is {space.metric!r}."
        raise InputError(msg)
    if space.n < FEWEST:
        msg = f"Whether there is structure takes {FEWEST} points at least; X has {space.n} rows."
        raise InputError(msg)
    generator = generators(random_state)
    some = some_of(space, sampled(space.n, at_least(sample, FEWEST, "sample"), generator))
    return structure_of(some, null, n_references, generator, deadline=deadline_of(time), progress=progress)


def can_be_drawn(space: Space) -> bool:
    """Return whether there are coordinates or categories, and no sets: these have no data without clusters."""
    return space.X is not None and not space.boolean


def all_equal(space: Space) -> bool:
    """Return whether all points are equal, so that there is nothing to tell them apart by."""
    return space.X is not None and not np.ptp(space.X, axis=0).any()


def deadline_of(seconds: Any) -> float | None:
    """Return the moment after so many seconds, or raise an error if they are none."""
    if seconds is None:
        return None
    if not isinstance(seconds, (int, float)) or isinstance(seconds, bool) or not seconds > 0:
        msg = f"time must be a number of seconds above 0, or None; it is {seconds!r}."
        raise InputError(msg)
    return clock.monotonic() + float(seconds)


def sampled(n: int, most: int, generator: TaskGenerator) -> Integers | None:
    """Return the rows of a sample, None if there are not more."""
    return None if n <= most else np.sort(generator(4, most).choice(n, most, replace=False))


def some_of(space: Space, rows: Integers | None) -> Space:
    """Return the space of some of the points, in the order of the input; all for None."""
    if rows is None:
        return space
    keep = np.zeros(space.n, dtype=bool)
    keep[rows] = True
    return space.restricted(keep)


def statistics(space: Space, generator: TaskGenerator) -> tuple[float, float]:
    """Return how good the best clustering is that quick algorithms find, by all densities and by the finest alone."""
    numbers = range(2, min(MOST_CLUSTERS, space.n - 1) + 1)
    pool = made_pool(Points(space, generator, starts=1), {name: ALGORITHMS[name] for name in QUICK}, numbers, n_jobs=1)
    *connected, uncut = dense_table(space, [candidate.labels for candidate in pool.candidates], DENSITIES).T
    by_all, by_finest = np.cbrt(np.prod(connected, axis=0)) * uncut, connected[0] * uncut
    return float(by_all.max(initial=0.0)), float(by_finest.max(initial=0.0))


def structure_of(
    space: Space,
    nulls: str | Sequence[str],
    n_references: int,
    generator: TaskGenerator,
    *,
    deadline: float | None = None,
    progress: bool = False,
) -> Structure:
    """Return how the data compare with draws from each null."""
    assert space.X is not None
    allowed = tuple(OF_CATEGORIES) if space.without_means else NULL_NAMES
    names = [one_of(name, allowed, "null") for name in nulls_of(nulls, NULL_NAMES, space.metric)]
    draws = at_least(n_references, FEWEST_DRAWS, "n_references")
    if all_equal(space):
        return Structure(0.0, {}, {"equal points": 1.0}, space.n)

    def of(X: Floats, task: int) -> tuple[float, float]:
        other = Space(np.ascontiguousarray(X), metric=space.metric, memory=space.memory)
        return statistics(other, generators(task))

    observed, finest = of(space.X, 0)
    null: dict[str, Floats] = {}
    p_values: dict[str, float] = {}
    if observed < WEAKEST:
        return Structure(observed, null, {"any": 1.0}, space.n)
    fine = np.empty(draws)
    with bar("Clustering data without structure", shown=progress, total=len(names) * draws) as done:
        for at, name in enumerate(names):
            _, draw = null_of(name, space.X)

            def one(item: int, draw: Draw = draw, at: int = at) -> float:
                value, fine[item] = of(draw(generator(3, at, item)), 1 + item)
                return value

            level = LEVELS.get(name, LEVEL)
            values, p = sequential(one, observed, draws, level, n_jobs=space.n_jobs, deadline=deadline, done=done)
            if len(values) < draws and (p <= level or len(values) == 0):
                return Structure(observed, null, p_values, space.n, complete=False)  # time was up
            null[name], p_values[name] = values, p
            if name == "uniform" and p <= level:
                p, level = (1 + int((fine >= finest).sum())) / (1 + draws), LEVELS[FINEST]
                p_values[FINEST] = p
            if p > level:
                break  # that is clear
    return Structure(observed, null, p_values, space.n)


def sequential(
    draw: Callable[[int], float],
    observed: float,
    draws: int,
    level: float,
    *,
    n_jobs: int,
    deadline: float | None = None,
    done: Done = None,
) -> tuple[Floats, float]:
    """Return values of draws and the p-value, by as few draws as it takes.

    Draws end when so many of them are as large as what was observed that the p-value is above the level. Then it is
    their share; otherwise the data themselves count as one draw.
    """
    enough = math.ceil(level * (draws + 1))
    values, count = np.full(draws, np.nan), 0
    while count < draws and (deadline is None or clock.monotonic() < deadline):
        start, count = count, min(count + ROUND, draws)

        def work(item: int, start: int = start) -> None:
            values[start + item] = draw(start + item)

        threads.run(work, count - start, n_jobs, done)
        large = np.flatnonzero(values >= observed)
        if len(large) >= enough:
            last = int(large[enough - 1]) + 1
            return values[:last], enough / last
    return values[:count], (1 + int((values[:count] >= observed).sum())) / (1 + count)
