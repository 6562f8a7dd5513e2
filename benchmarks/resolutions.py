"""A sweep over resolutions and seeds: the time of everything but igraph's own, as a share of igraph's.

Run: python benchmarks/resolutions.py [seeds]
"""

from __future__ import annotations

import sys
import time

import numpy as np

import clustval as cv
from clustval.relative.leiden import Leiden

POINTS, CLUSTERS, DIMENSIONS, NEIGHBOURS, RESOLUTIONS = 20_000, 12, 10, 15, 24


class Timed(Leiden):
    """Leiden that adds up the seconds that igraph takes."""

    seconds = 0.0

    def labels(self, resolution: float, seed: int) -> np.ndarray:
        start = time.perf_counter()
        labels = super().labels(resolution, seed)
        Timed.seconds += time.perf_counter() - start
        return labels


def main() -> None:
    from clustval.relative import sweep as swept  # noqa: PLC0415 - replaced below

    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    swept.Leiden = Timed
    rng = np.random.default_rng(0)
    print("| clusters | seeds | igraph, s | all else, s | ratio | different partitions |\n|---|---|---|---|---|---|")
    for name, distance in (("far apart", 4.0), ("overlapping", 0.8)):
        centres = rng.normal(size=(CLUSTERS, DIMENSIONS)) * distance
        X = centres[rng.integers(0, CLUSTERS, POINTS)] + rng.normal(size=(POINTS, DIMENSIONS))
        graph = cv.graph.adjacency(X, neighbours=NEIGHBOURS)
        cv.sweep(graph, resolution=[1.0], seeds=2)  # compiles
        Timed.seconds, start = 0.0, time.perf_counter()
        result = cv.sweep(graph, resolution=np.geomspace(0.1, 4, RESOLUTIONS), seeds=seeds)
        rest = time.perf_counter() - start - Timed.seconds
        different = int(result.layers["different"].sum())
        print(f"| {name} | {seeds} | {Timed.seconds:.1f} | {rest:.2f} | {rest / Timed.seconds:.3f} | {different} |")


if __name__ == "__main__":
    main()
