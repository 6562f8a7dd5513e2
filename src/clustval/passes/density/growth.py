"""How clusters grow from their densest point by the point next nearest: long steps, and steps to denser places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.sweeps.partitions import Block, Distances
from clustval.passes.work import threads, thresholds

Between = Callable[[Integers, Integers], Floats]  # distances of some points to others


@dataclass(frozen=True)
class Growth:
    """What each cluster leaves behind as it grows."""

    longest: Floats  # (k,) step; 0 for a single point
    rises: Floats  # (k,) sum of squares of how much denser a point is than the one it hangs on, where it is
    gaps: Floats  # (k,) largest of the steps, each times the density of the densest point still to come


def growth_of_points(X: Floats, starts: Integers, densities: Floats, *, n_jobs: int, factor: float = ROOT) -> Growth:
    """Return the growth of clusters of points, sorted by cluster."""
    if len(X) <= thresholds.PAIRS:
        return growth_numpy(lambda a, b: distances_between(X[a], X[b], factor), starts, densities)

    def grown(lo: int, hi: int) -> tuple[float, float, float]:
        columns = np.ascontiguousarray(X[lo:hi].T)
        return kernels.density.growth.grow_points(columns, densities[lo:hi], factor)

    return _by_cluster(grown, starts, n_jobs)


def growth_of_rows(between: Between, starts: Integers, densities: Floats, *, n_jobs: int) -> Growth:
    """Return the growth by distances of any kind; one row of them is held at a time."""
    if len(densities) <= thresholds.PAIRS:
        return growth_numpy(between, starts, densities)

    def grown(lo: int, hi: int) -> tuple[float, float, float]:
        density, points = densities[lo:hi], np.arange(lo, hi)
        order, near, beneath = np.empty(hi - lo, dtype=np.int64), np.empty(hi - lo), np.empty(hi - lo)
        kernels.density.growth.begin(density, order, near, beneath)
        for step in range(1, hi - lo):
            row = np.asarray(between(points[order[step - 1 : step]], points[order[step:]])[0], dtype=np.float64)
            kernels.density.growth.advance(np.ascontiguousarray(row), density, order, near, beneath, step)
        return kernels.density.growth.left_behind(density, order, near, beneath)

    return _by_cluster(grown, starts, n_jobs)


def growth_of_many(distances: Distances, densities: Floats, block: Block) -> Growth:
    """Return the growth of all clusters of many partitions, one after the other."""
    b = block
    growth = Growth(*np.empty((3, b.rows[-1])))
    kernels.density.growth.growth_of_many(
        distances.strips, distances.n, densities, b.order, b.firsts, b.starts, b.ks, b.rows,
        growth.longest, growth.rises, growth.gaps,
    )  # fmt: skip
    return growth


def growth_numpy(between: Between, starts: Integers, densities: Floats) -> Growth:
    """Return the growth in plain NumPy, a cluster at a time as a matrix."""

    def grown(lo: int, hi: int) -> tuple[float, float, float]:
        points, density = np.arange(lo, hi), densities[lo:hi]
        d = between(points, points)
        densest = np.flatnonzero(density >= density.max() * (1 - ROUNDING_OF_VALUES))
        last = int(densest[0]) if len(densest) else 0
        rest = np.delete(np.arange(hi - lo), last)
        near, beneath = np.full(hi - lo, np.inf), np.zeros(hi - lo)
        longest = rises = gap = 0.0
        while len(rest):
            closer = rest[d[last, rest] < near[rest]]
            near[closer], beneath[closer] = d[last, closer], density[last]
            at = int(near[rest].argmin())
            last = int(rest[at])
            longest = max(longest, float(near[last]))
            rise = max(float(density[last] - beneath[last]), 0.0)
            rises += rise * rise
            gap = max(gap, float(near[last] * density[rest].max()))
            rest = np.delete(rest, at)
        return longest, rises, gap

    return _by_cluster(grown, starts, 1)


def _by_cluster(grown: Callable[[int, int], tuple[float, float, float]], starts: Integers, n_jobs: int) -> Growth:
    growth = np.empty((3, len(starts) - 1))
    largest_first = np.argsort(-np.diff(starts), kind="stable").tolist()

    def work(item: int) -> None:
        c = largest_first[item]
        growth[:, c] = grown(int(starts[c]), int(starts[c + 1]))

    threads.run(work, growth.shape[1], n_jobs)
    return Growth(*growth)
