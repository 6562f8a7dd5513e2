"""Points and their labels, as users pass them to an index: sorted by cluster, or as they lie where they are many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Plan, Source, Value, declares, kind
from clustval.homes.rows_at_home import rows_at_home
from clustval.homes.tensors import host_array
from clustval.rules import Rule
from clustval.sources.partition import partition
from clustval.sources.read_once import read_once
from clustval.sources.stream import streamed_in_memory


@kind("internal", "Judged from the points alone", order=0)
def points_and_labels(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    plan: Plan | None = None,
) -> Source:
    """Return checked points with checked labels: sorted by cluster, or as they lie where they are very many.

    Parameters
    ----------
    X
        One row per point: lists, arrays, data frames; or a square matrix of distances with
        ``metric="precomputed"``.
    labels
        One label per point, of any type; -1 and missing values are noise. Labels of pandas are brought into the order
        of X by their index. An estimator such as ``KMeans(3)`` stands for the labels that it has for X, or gives to it.
        The name of a column, where X is a data frame.
    metric
        The distance between two points, and between a point and a centre: a name that SciPy knows, "gower" for tables
        of numbers and categories, "dtw" for series ("dtw(10)" with a window), a function of two points, or
        "precomputed". Sums of squares are Euclidean whatever the metric, and undefined where it compares sets or
        categories.
    noise
        What happens to noise: "drop" leaves it out, "cluster" makes it a cluster, "singletons" makes each point
        one, "error" refuses it, "penalty" leaves it out and makes values worse: times the share of points that count
        where higher is better, divided by it where lower is; values of indices that count noise stay as they are.
    n_jobs
        Number of threads; None for all cores. The value does not depend on it.
    sample_weight
        How often each point counts: a weight of 3 is the same as three rows, one of 0 as none.
    """
    if sample_weight is None:  # as most are, and ask no further
        source = read_once(X, labels, metric=metric, noise=noise, n_jobs=n_jobs, plan=plan)
        if source is not None:
            return source
    if type(X) is not np.ndarray or isinstance(labels, str) or isinstance(sample_weight, str):
        X, values = rows_at_home(X, {"labels": labels, "sample_weight": sample_weight}, metric=metric)
        return checked_rows(X, **values, metric=metric, noise=noise, n_jobs=n_jobs, plan=plan)
    X = host_array(X)
    return checked_rows(X, labels, sample_weight=sample_weight, metric=metric, noise=noise, n_jobs=n_jobs, plan=plan)


def checked_rows(X: Any, labels: Any, *, sample_weight: Any = None, **common: Any) -> Source:
    """Return the source of points whose features are chosen already, read in blocks where that takes less."""
    many = None
    if sample_weight is None:
        many = read_once(X, labels, **common) or streamed_in_memory(X, labels, **common)
    return many or partition(X, labels, sample_weight=sample_weight, **common)


def internal_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    degree: int | Callable[[int], int] | None,
    reference: str,
    name: str | None = None,
    clusters: tuple[int, int] = (2, 1),
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
    points: Callable[..., Any] | None = None,
    neighbours: Callable[..., Any] | None = None,
    by_cluster: Callable[..., Any] | None = None,
    uncut: Callable[..., Value] | None = None,
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of points and labels.

    `clusters` is the fewest clusters, and how many fewer than points the most may be; `degree` d says that
    scaling X by c scales the value by c**d (a function of the number of dimensions, or None if it does not
    scale so); `undefined` says why the formula gives NaN where it does.
    """
    return declares(
        "internal",
        name,
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
        undefined=undefined,
        degree=degree,
        clusters=clusters,
        points=points,
        neighbours=neighbours,
        by_cluster=by_cluster,
        uncut=uncut,
    )
