"""Many points in memory that one pass both checks and adds up: to read them takes longer than all that is computed."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval import inputs
from clustval.declare import Plan, Statistic, ways_of
from clustval.inputs import Labels
from clustval.labels import counted
from clustval.passes.points.row_moments import BLOCK, Columns, RowSums
from clustval.passes.work import thresholds
from clustval.sources.first_pass import SPLITS
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import euclidean_in_read_order, in_read_order

IN_READ_ORDER = (in_read_order, euclidean_in_read_order)  # questions of ways that take points as they lie


def read_once(
    X: Any, labels: Any, *, metric: Any, noise: str, n_jobs: int | None, plan: Plan | None
) -> Partition | None:
    """Return the partition of many points whose statistics are all sums over points as they lie.

    None where that cannot be, or where something may be wrong, which is then said by those who look at all points.
    """
    if not inputs.plain_points(X) or len(X) < thresholds.STREAM or len(labels) != len(X) or plan is None:
        return None
    if metric != "euclidean" or plan.dry or not all(_as_they_lie(need.statistic) for need in plan.needs):
        return None
    inputs.as_noise(noise)
    known = counted(labels)
    if known is None or not known[3]:
        return None
    codes, names, sizes, _ = known
    space = Space(X, None, "euclidean", inputs.as_jobs(n_jobs), inputs.as_memory(plan.memory), plan.done)
    sums = RowSums.of(X, codes, sizes, space.n_jobs, block=BLOCK)
    low, high = float(sums.lows.min()), float(sums.highs.max())
    if not (max(-low, high) < SPLITS and 1 / SPLITS < high - low < SPLITS):  # NaN among them
        return None
    mean = np.clip(sizes @ sums.means_from(0.0) / len(X), sums.lows, sums.highs)
    space.columns, space.limited = Columns(np.stack([mean, sums.lows, sums.highs]), low, high), plan.limited
    source = Partition(space, Labels(codes, names, whole=True, sizes=sizes), plan.needs)
    source.row_sums = sums
    return source


def _as_they_lie(statistic: type[Statistic]) -> bool:
    """Return whether a partition has a statistic from points as they lie, or from statistics that it has so."""
    ways = ways_of(statistic, Partition)
    if any(way.when in IN_READ_ORDER for way in ways):
        return True
    return any(way.derived and all(map(_as_they_lie, way.after)) for way in ways)
