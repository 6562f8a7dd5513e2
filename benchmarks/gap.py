"""How long people wait for the gap statistic, stability and prediction strength of digits, 1,797 points of 64 numbers.

The bar is for the gap on two free cores. Beside it, scikit-learn clusters one reference with as many starts, on as many
cores. Run ``python benchmarks/gap.py``.
"""

from __future__ import annotations

from time import perf_counter, process_time

import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

import clustval as cv
from clustval.relative.gap import FEWEST_STARTS

BAR = 20
REFERENCES = 100
CLUSTERS = range(1, 11)


def timed(call):
    """Return the seconds on the clock and those of all cores together."""
    begin, cpu = perf_counter(), process_time()
    call()
    return perf_counter() - begin, process_time() - cpu


def main():
    X = load_digits().data.astype(float)
    small = X[:30, :2]
    cv.gap_statistic(small, [1, 2], n_references=2)  # compiles
    cv.stability(small, [2], n_samples=2)
    cv.prediction_strength(small, [2], n_splits=1)
    wall, cpu = timed(lambda: cv.gap_statistic(X, CLUSTERS, n_references=REFERENCES, random_state=0))
    reference = np.random.default_rng(0).uniform(X.min(axis=0), X.max(axis=0), X.shape)

    def theirs():
        for k in CLUSTERS:
            KMeans(k, n_init=FEWEST_STARTS, random_state=0).fit(reference)

    theirs()
    single, single_cpu = timed(theirs)
    print(
        f"gap statistic, {REFERENCES} references: {wall:.1f} s, {cpu:.1f} s of all cores (bar {BAR} s); "
        f"{single_cpu * REFERENCES / cpu:.1f}x k-means of scikit-learn by time of cores, "
        f"{single * REFERENCES / wall:.1f}x by the clock"
    )
    for name, call in {
        "stability, 100 samples": lambda: cv.stability(X, CLUSTERS[1:], random_state=0),
        "prediction strength, 50 splits": lambda: cv.prediction_strength(X, CLUSTERS, random_state=0),
    }.items():
        wall, cpu = timed(call)
        print(f"{name}: {wall:.1f} s, {cpu:.1f} s of all cores")


if __name__ == "__main__":
    main()
