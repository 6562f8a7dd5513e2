"""What does a partition cost when there are many? In units of one partition alone, of scikit-learn, and per second.

Run ``python benchmarks/sweep.py``. Partitions are nearest-centre partitions with k from 2 to 50 and more.
"""

from __future__ import annotations

import numpy as np
from pairs import fastest, show
from sklearn.metrics import silhouette_score

import clustval as cv
from clustval.relative.sweep import sweep

SUITE = "vendramin"  # forty criteria


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


def hundred_for_the_price_of_ten():
    """A hundred partitions of 2,000 points against one."""
    X = two_clouds(2_000, 4)
    labels = partitions(X, range(2, 52), 2)
    one, many = fastest(
        lambda: cv.evaluate(X, labels[20], SUITE),
        lambda: sweep(X, labels, SUITE),
        repeats=3,
    )
    show("100 partitions / one alone, n=2000 p=4", many / one, 10, (one, many), at_most=True)


def per_second():
    """Partitions of 500 points, k = 2 ... 50, twenty of each."""
    for p, bar in ((2, 5_000), (4, 5_000), (22, 3_000)):
        X = two_clouds(500, p)
        labels = partitions(X, range(2, 51), 20)
        theirs, ours = fastest(
            lambda X=X, labels=labels: silhouette_score(X, labels[480]),
            lambda X=X, labels=labels: sweep(X, labels, SUITE),
            repeats=7,
        )
        each = ours / len(labels)
        show(f"partitions per second, n=500 p={p}", 1 / each, bar, (each,))
        show(f"scikit-learn's silhouette / forty criteria, n=500 p={p}", theirs / each, 8, (theirs, each))


if __name__ == "__main__":
    hundred_for_the_price_of_ten()
    per_second()
