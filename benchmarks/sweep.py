"""What does a partition cost when there are many? In units of one partition alone, of scikit-learn, and per second.

Run ``python benchmarks/sweep.py``. Partitions are nearest-centre partitions with k = 2 ... 50. Beside the time on the
clock stands that of the processor, which neighbours on a shared machine disturb less; two cores have twice as much.
"""

from __future__ import annotations

from time import process_time

import numpy as np
from pairs import fastest, show
from sklearn.metrics import silhouette_score

import clustval as cv

SUITE = "vendramin"  # forty criteria
CORES = 2


def partitions(X, numbers, each):
    """Give, for each number of clusters, some partitions by the nearest of as many points."""
    rng = np.random.default_rng(0)
    rows = [rng.permutation(len(X))[:k] for k in numbers for _ in range(each)]
    return np.array([((X[:, None] - X[r]) ** 2).sum(axis=-1).argmin(axis=1) for r in rows])


def two_clouds(n, p):
    """Give points in two clouds."""
    X = np.random.default_rng(1).normal(size=(n, p))
    X[: n // 2] += 3
    return X


def cheapest(*functions, repeats):
    """Least processor time of each function; they take turns."""
    times = np.full(len(functions), np.inf)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            begin = process_time()
            function()
            times[i] = min(times[i], process_time() - begin)
    return times


def hundred_for_the_price_of_ten():
    """A hundred partitions of 2,000 points against one."""
    X = two_clouds(2_000, 4)
    labels = partitions(X, range(2, 52), 2)
    both = (lambda: cv.evaluate(X, labels[20], SUITE), lambda: cv.sweep(X, labels, SUITE))
    for how, times in (("", fastest(*both, repeats=5)), (", processor", cheapest(*both, repeats=5))):
        show(f"100 partitions / one, n=2000 p=4{how}", times[1] / times[0], 10, times, at_most=True)


def per_second():
    """Partitions of 500 points, k = 2 ... 50, twenty of each."""
    for p, bar in ((2, 5_000), (4, 5_000), (22, 3_000)):
        X = two_clouds(500, p)
        labels = partitions(X, range(2, 51), 20)
        both = (
            lambda X=X, labels=labels: silhouette_score(X, labels[480]),
            lambda X=X, labels=labels: cv.sweep(X, labels, SUITE),
        )
        theirs, ours = fastest(*both, repeats=30, turn=0.4)
        each = ours / len(labels)
        show(f"partitions per second, n=500 p={p}", 1 / each, bar, (each,))
        _, cost = cheapest(*both, repeats=15) / len(labels)
        show(f"... on {CORES} cores by processor time", CORES / cost, bar, (cost,))
        show(f"scikit-learn's silhouette / partition, p={p}", theirs / each, 8, (theirs, each))


if __name__ == "__main__":
    hundred_for_the_price_of_ten()
    per_second()
