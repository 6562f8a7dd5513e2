"""Many partitions of the same data at once, and which of them each index would choose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from clustval import inputs
from clustval.catalogue import select
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Plan
from clustval.errors import InputError
from clustval.evaluation import Names
from clustval.homes.rows_at_home import graph_at_home
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import partitions_in_memory, rows_in_memory
from clustval.relative.coverage import make_worse, share_of
from clustval.relative.estimators import numbers_of_clusters
from clustval.relative.graph_at_hand import graph_at_hand
from clustval.relative.kind_sweep import sweep_of
from clustval.relative.labellings import clustered_rows, coded, default_numbers, labellings
from clustval.relative.leiden import Leiden
from clustval.relative.scoring import table_of
from clustval.relative.seeded_sweep import (
    estimator_layers,
    leiden_layers,
    resolutions_of,
    seeded_sweep,
    seeds_of,
)
from clustval.relative.sweep_indices import Curves, PartitionsByK, columns_of
from clustval.relative.sweep_result import Sweep
from clustval.sources.adjacency import Adjacency, adjacency
from clustval.sources.partition import graph_of
from clustval.sources.space import space_of

SEEDS = 10  # of Leiden, where nothing is said of them


@seeded
def sweep(
    X: Any,
    partitions: Any = None,
    indices: Names = "default",
    *,
    estimator: Any = None,
    k: int | Iterable[int] | None = None,
    linkage: str | None = None,
    resolution: Any = None,
    seeds: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    memory: int | str | None = None,
    sample_weight: Any = None,
    random_state: Any = None,
    rng: Any = None,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    neighbours: Any = None,
    progress: bool | None = None,
) -> Sweep:
    """Return the values of several internal indices of many partitions of the same data.

    What the partitions share, above all the distances between points and their ranks, is computed once. A partition
    for which an index has no value gets NaN and a reason; the others go on.

    Parameters
    ----------
    X
        One row per point, or a square matrix of distances with ``metric="precomputed"``; as in `evaluate`.
    partitions
        A mapping from k or any other name to labels, a list of labels, an array of one row per partition, or a data
        frame of one column per partition; or names of columns, where X is a data frame or annotated cells. Without
        it X is clustered, for each `k`.
    indices
        A suite ("default", "fast", "all", "clustercrit", "zaki", "vendramin", "nbclust", "density", "hennig",
        "sklearn"), a name, or several. Indices that need several partitions, as "hartigan", "duda_hart" and "sd", are
        here and in "all".
    estimator
        What clusters: an object with ``fit_predict``, a function ``(X, k, rng) -> labels``, or None for our own
        k-means. Several as a mapping from names, or as a list; each of them alone or with values to try:
        ``{"kmeans": KMeans(), "hdbscan": (HDBSCAN(), {"min_cluster_size": [5, 10, 20]})}``. Those that have
        ``n_clusters`` or ``n_components`` run for each `k`, others once for each setting.
    k
        Numbers of clusters to try; None for 2 up to the root of the number of points.
    linkage
        "ward", "average", "complete", "single" or another of SciPy's, in place of an estimator: one tree, cut at
        every k.
    resolution
        Resolutions of the Leiden algorithm, such as ``np.geomspace(0.1, 4, 24)``. X is then a graph, as
        `clustval.graph` takes it; annotated cells with their graph, "connectivities" unless `neighbours` names another;
        or points, which `neighbours` joins: 15, each to its 15 nearest ones, or a graph of nearest neighbours. The
        indices are those of graphs.
    seeds
        How many seeds are tried for each resolution (10 unless said), each `k` or each value of a parameter of the
        estimator; or a list of seeds. The result is a `SeededSweep`: partitions that are the same are counted once.
    random_state, rng
        Seed, for results that can be had again. The partition for one k does not depend on which others are tried.
    metric, noise, n_jobs, memory, sample_weight, progress
        As in `evaluate`; weights do not change how X is clustered.
    features, use_rep, force, neighbours
        Columns of a data frame or of a file that are the points; which representation of annotated cells is, and
        whether it may be UMAP or t-SNE; a graph of nearest neighbours that is there already; as in `evaluate`.

    >>> X = [[0], [1], [2], [10], [11], [12], [20], [21], [22]]
    >>> swept = sweep(X, indices=["silhouette", "dunn"], linkage="average", k=range(2, 6))
    >>> swept.best()
    {'silhouette': 3, 'dunn': 3}
    >>> swept.best_k
    3
    """
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force}
    if resolution is not None:
        clash = {"partitions": partitions, "estimator": estimator, "k": k, "linkage": linkage}
        clash |= {"sample_weight": sample_weight}
        _refuse(clash, "resolution= clusters a graph by the Leiden algorithm")
        tried = resolutions_of(resolution), seeds_of(SEEDS if seeds is None else seeds)
        found = graph_at_hand(X, neighbours, metric=metric, n_jobs=n_jobs, home=home)
        return _over_resolutions(*found, *tried, indices, progress=progress)
    if seeds is not None:
        _refuse({"partitions": partitions, "linkage": linkage}, "seeds= clusters X anew for each seed")
        options: dict[str, Any] = {"metric": metric, "noise": noise, "n_jobs": n_jobs, "memory": memory}
        options |= {"neighbours": graph_at_home(X, neighbours), "progress": progress}
        return _over_seeds(X, estimator, k, seeds_of(seeds), sample_weight, home, indices, options)
    noise, penalty = inputs.read_as(noise)
    choices = select(indices, "internal", swept=True, metric=metric)
    graph = graph_at_home(X, neighbours)
    named = partitions_in_memory(X, partitions, metric=metric, weights=sample_weight, **home)
    X, partitions, sample_weight = named
    space = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory, limited=True))
    space.graph = graph_of(space, graph)
    weights = None if sample_weight is None else inputs.as_weights(sample_weight, space.n, rows=space.row_names)
    if weights is not None and (weights == 1).all():
        weights = None
    by_name = labellings(space, partitions, estimator=estimator, k=k, linkage=linkage, random_state=random_state)
    levels = PartitionsByK(space, coded(by_name, noise, weights), weights)
    columns = columns_of(choices)
    with bar("Evaluating partitions", shown=progress, total=len(levels.labels)) as done:
        table = table_of(space, levels.labels, columns, done, weights)
    names = list(by_name)
    curves = {column.name: table.values[:, at] for at, column in enumerate(columns)}
    reasons = {(names[row], index): reason for (row, index), reason in table.reasons.items()}
    details = {}
    for name, swept in Curves(levels, choices, table).evaluated().items():
        curves[name] = swept.values
        reasons |= {(names[row], name): reason for row, reason in swept.reasons.items()}
        if swept.details:
            details[name] = swept.details
    coverage = np.array([share_of(one, weights) for one in levels.labels])
    if penalty:
        make_worse(curves, reasons, choices, dict(zip(names, coverage.tolist(), strict=True)))
    values = np.column_stack([curves[choice.name] for choice in choices])
    shown = {choice.name for choice in choices}
    reasons = {key: reason for key, reason in reasons.items() if key[1] in shown}
    bare = space.restricted(np.ones(space.n, dtype=bool)) if weights is None else None  # without what was computed
    shares: dict[str, Any] = {"coverage": coverage, "penalised": penalty}
    return Sweep(values, by_name, levels.k, choices, reasons, details, bare, **shares)


def _refuse(options: dict[str, Any], what: str) -> None:
    """Raise an error if something else that makes partitions is asked for."""
    clash = [f"{name}=" for name, value in options.items() if value is not None]
    if clash:
        msg = f"{what}; leave {' and '.join(clash)} out."
        raise InputError(msg)


def _over_seeds(
    X: Any,
    estimator: Any,
    k: int | Iterable[int] | None,
    seeds: list[int],
    sample_weight: Any,
    home: dict[str, Any],
    indices: Names,
    options: dict[str, Any],
) -> Sweep:
    metric = options["metric"]
    X, columns = rows_in_memory(X, {"sample_weight": sample_weight}, metric=metric, **home)
    weights = columns["sample_weight"]
    space = space_of(X, metric=metric, n_jobs=options["n_jobs"], plan=Plan(memory=options["memory"]))
    points = clustered_rows(space, estimator)
    if space.column_names is not None and metric != "gower":  # whose columns were remarked on
        weights, X = inputs.aligned(weights, space.row_names, "sample_weight"), points
    numbers = numbers_of_clusters(default_numbers(len(points)) if k is None else k, len(points))
    with bar("Clustering", shown=options["progress"], total=len(seeds)) as done:
        parameter, layers = estimator_layers(points, estimator, numbers, seeds, done)
    return seeded_sweep(parameter, layers, lambda named: sweep(X, named, indices, sample_weight=weights, **options))


def _over_resolutions(
    A: Any, graph: Adjacency, values: list[float], seeds: list[int], indices: Names, *, progress: bool | None
) -> Sweep:
    """Return the sweep of a checked graph, which is clustered as it was given, `A`."""
    with bar("Leiden", shown=progress, total=len(values) * len(seeds)) as done:
        layers = leiden_layers(Leiden(A, graph), values, seeds, done)
    scored = sweep_of("graph", adjacency)
    suite = "all" if isinstance(indices, str) and indices == "default" else indices
    return seeded_sweep("resolution", layers, lambda named: scored(graph, named, indices=suite), graph)
