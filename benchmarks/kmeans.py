"""How much quicker our k-means is than scikit-learn's on the small sets of a study, and how many runs a second.

Both start from random points, once; the number of clusters runs from 2 to 50. Run ``python benchmarks/kmeans.py``.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from clustval.passes.kmeans.lloyd import partitions
from clustval.passes.work.threads import available_cores
from clustval.study.milligan import milligan

BAR = 6
N = 500
CLUSTERS = range(2, 51)


def fastest(*calls, repeats=5):
    """Return the least time of each call, taken in turns so that all meet the same load."""
    times = [[] for _ in calls]
    for _ in range(repeats):
        for call, durations in zip(calls, times, strict=True):
            begin = perf_counter()
            call()
            durations.append(perf_counter() - begin)
    return [min(durations) for durations in times]


def main():
    rng = np.random.default_rng(0)
    for p in (2, 4, 22):
        X, _ = milligan(N, 6, p, random_state=0)
        rows = [rng.choice(N, k, replace=False) for k in CLUSTERS]
        many = [rng.choice(N, k, replace=False) for k in CLUSTERS for _ in range(20)]
        partitions(X, rows)

        def theirs(X=X):
            for k in CLUSTERS:
                KMeans(k, init="random", n_init=1).fit(X)

        with threadpool_limits(1):  # threads of OpenMP would wait for each other on a busy machine
            single, ours = fastest(theirs, lambda X=X, rows=rows: partitions(X, rows))
        (both,) = fastest(lambda X=X, many=many: partitions(X, many, n_jobs=available_cores()))
        print(
            f"p={p:2}  {single / ours:5.1f}x scikit-learn, one thread each (bar {BAR}x); "
            f"{len(many) / both:,.0f} runs a second on {available_cores()} cores"
        )


if __name__ == "__main__":
    main()
