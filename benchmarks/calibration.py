"""How long Hennig's calibration takes: 400 random clusterings for each of ten numbers of clusters, fifteen statistics.

Run ``python benchmarks/calibration.py``; ``--quick`` takes a hundredth of it, to see that it runs.
"""

from __future__ import annotations

import sys
from time import perf_counter, process_time

import numpy as np

import clustval as cv
from clustval.passes.work.threads import available_cores

POINTS = 1_000
NUMBERS = range(2, 12)
BAR = 60  # seconds on two cores


def blobs(n):
    """Give points in four normal clusters of four dimensions."""
    rng = np.random.default_rng(0)
    return np.concatenate([rng.normal(c, 1, (n // 4, 4)) for c in (0, 3, 6, 9)])


def main():
    """Measure one calibration, after a small one that loads the compiled code."""
    quick = "--quick" in sys.argv
    X = blobs(POINTS // 5 if quick else POINTS)
    references = 1 if quick else 100
    partitions = cv.sweep(X, k=NUMBERS, indices="trace_w", random_state=0).labels
    cv.calibrate(X, {2: partitions[2]}, references=2, random_state=0)
    begin, cpu = perf_counter(), process_time()
    result = cv.calibrate(X, partitions, references=references, random_state=0)
    seconds, cpu = perf_counter() - begin, process_time() - cpu
    count = len(result.reference_values)
    cores = min(2, available_cores())
    print(
        f"{count:,} random clusterings of {len(X):,} points, {len(result.statistics)} statistics: {seconds:.1f} s "
        f"({cpu / cores:.1f} s of {cores} cores by processor time, {1e3 * cpu / count:.1f} ms each; bar {BAR} s)"
    )
    print(f"best by all statistics: k = {result.best}; ", end="")
    print(", ".join(f"{name}: k = {result.reweighted(name).best}" for name in ("homogeneous", "separated")))


if __name__ == "__main__":
    main()
