"""Points in memory that are checked and added up by one call, or one pass: where all that is asked for are sums.

Of many, to read them takes longer than all that is computed; of few, to ask Python for one thing after another.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from clustval import inputs
from clustval.declare import Need, Plan, Statistic, ways_of
from clustval.inputs import Labels
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS
from clustval.labels import counted
from clustval.passes.points.row_moments import AT_ONCE, BLOCK, Columns, RowSums, columns_and_moments
from clustval.passes.work import thresholds
from clustval.sources.first_pass import SPLITS
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import euclidean_in_read_order, in_read_order

IN_READ_ORDER = (in_read_order, euclidean_in_read_order)  # questions of ways that take points as they lie


def read_once(
    X: Any, labels: Any, *, metric: Any, noise: str, n_jobs: int | None, plan: Plan | None
) -> Partition | None:
    """Return the partition of points whose statistics are all sums over points as they lie.

    None where that cannot be, or where something may be wrong, which is then said by those who look at all points.
    """
    if plan is None or plan.dry or metric != "euclidean" or not _all_as_they_lie(plan.needs):
        return None
    if not inputs.plain_points(X) or (n := len(X)) < thresholds.POINTS or n == X.shape[1]:  # or distances, perhaps
        return None
    if noise != "drop":
        inputs.as_noise(noise)
    known = counted(labels, loads=True)
    if known is None or not known[3] or len(known[0]) != n:
        return None
    codes, names, sizes, _ = known
    space = Space(
        X,
        n_jobs=None if n_jobs is None else inputs.as_jobs(n_jobs),
        memory=None if plan.memory is None else inputs.as_memory(plan.memory),
        done=plan.done,
    )
    table = sums = None
    if X.size <= AT_ONCE:
        columns, table = columns_and_moments(X, codes, sizes, ROUNDING_OF_MEANS)
    else:
        sums = RowSums.of(X, codes, sizes, space.n_jobs, block=BLOCK)
        mean = np.clip(sizes @ sums.means_from(0.0) / n, sums.lows, sums.highs)
        low, high = float(sums.lows.min()), float(sums.highs.max())
        columns = Columns(np.stack([mean, sums.lows, sums.highs]), low, high)
    _, low, high = columns
    if not (max(-low, high) < SPLITS and 1 / SPLITS < high - low < SPLITS):  # NaN among them
        return None
    space.columns, space.limited, space.fixed = columns, plan.limited, True
    source = Partition(space, Labels(codes, names, whole=True, sizes=sizes), plan.needs)
    if table is not None:
        source.moment_table = table
    if sums is not None:
        source.row_sums = sums
    return source


@lru_cache(maxsize=512)
def _all_as_they_lie(needs: frozenset[Need]) -> bool:
    return all(_as_they_lie(need.statistic) for need in needs)


def _as_they_lie(statistic: type[Statistic]) -> bool:
    """Return whether a partition has a statistic from points as they lie, or from statistics that it has so."""
    ways = ways_of(statistic, Partition)
    if any(way.when in IN_READ_ORDER for way in ways):
        return True
    return any(way.derived and all(map(_as_they_lie, way.after)) for way in ways)
