"""Which clusters of a clustering come back when the data are resampled (Hennig 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.inputs import at_least
from clustval.progress import bar
from clustval.relative.estimators import clusterer, numbers_for_points
from clustval.relative.stability import Sampling, clusterings, samples
from clustval.result import Result
from clustval.seeding import generators
from clustval.tables import Table, WithTable

RECOVERED, DISSOLVED = 0.75, 0.5


@dataclass(frozen=True, repr=False, eq=False)
class ClusterwiseStability(WithTable, Result):
    """The stability of each cluster of a clustering, and the labels that say which points are in it."""

    table: Table
    labels: Integers
    values: Floats  # (samples, clusters)


def clusterwise_stability(
    X: Any,
    k: int,
    *,
    estimator: Any = None,
    n_samples: int = 100,
    sampling: Sampling = "bootstrap",
    fraction: float | None = None,
    n_init: int | None = None,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> ClusterwiseStability:
    """Mean Jaccard coefficient of each cluster and the cluster most like it in the clustering of a sample.

    Only points of the data that are in the sample are compared, each once. A cluster of 0.75 or more is stable; one
    of 0.5 or less is dissolved. Parameters are those of `stability`, for one number of clusters.

    Returns
    -------
    ClusterwiseStability
        ``table``: for each cluster its size, the mean and the s.d. over samples, and how often it was recovered (at
        least 0.75) and dissolved (at most 0.5). Samples without a point of a cluster say nothing of it and are left
        out. ``labels``: the clustering of the whole data. ``values``: one line per sample.

    >>> X = [[0.0], [1.0], [10.0], [11.0], [12.0], [30.0], [31.0], [32.0]]
    >>> clusterwise_stability(X, 3, n_samples=50, sampling="subsample", random_state=0).table["mean"]
    array([1., 1., 1.])
    """
    points = inputs.as_points(X)
    (k,) = numbers_for_points(at_least(k, 2, "k"), points)
    cluster = clusterer(estimator, n_init=n_init)
    generator = generators(random_state)
    rows = samples(len(points), at_least(n_samples, 1, "n_samples"), sampling, fraction, generator, fewest=k)
    labels = cluster(points, k, generator(len(rows), k))
    with bar("Clustering samples", shown=progress, total=len(rows)) as done:
        label_sets = clusterings(points, rows, k, cluster, generator, inputs.as_jobs(n_jobs), done)
    distinct = [_distinct_rows(*sample) for sample in zip(rows, label_sets, strict=True)]
    values = np.array([_best_jaccard(labels, *sample) for sample in distinct])
    there = ~np.isnan(values)
    counts = np.maximum(there.sum(axis=0), 1)
    means = np.where(there.any(axis=0), np.nansum(values, axis=0) / counts, np.nan)
    table = Table(
        {
            "cluster": np.arange(values.shape[1]),
            "size": np.bincount(labels),
            "mean": means,
            "sd": np.sqrt(np.nansum((values - means) ** 2, axis=0) / counts),
            "recovered": np.count_nonzero(values >= RECOVERED, axis=0),
            "dissolved": np.count_nonzero(values <= DISSOLVED, axis=0),
        }
    )
    return ClusterwiseStability(table, labels, values)


def _distinct_rows(rows: Integers, labels: Integers) -> tuple[Integers, Integers]:
    """Return each row of a sample once, with the label of its first occurrence."""
    distinct, first = np.unique(rows, return_index=True)
    return distinct, labels[first]


def _best_jaccard(clustering: Integers, rows: Integers, labels: Integers) -> Floats:
    """Return, for each cluster of all points, the largest share of common points with a cluster of the sample."""
    table = np.zeros((clustering.max() + 1, labels.max() + 1))
    np.add.at(table, (clustering[rows], labels), 1)
    sizes, others = table.sum(axis=1, keepdims=True), table.sum(axis=0)
    shares = table / np.maximum(sizes + others - table, 1)
    return np.where(sizes[:, 0] > 0, shares.max(axis=1), np.nan)
