"""Which clusters of a clustering come back when the data are resampled (Hennig 2007), and whether that says anything.

A cluster that comes back is not yet a cluster: two halves of one cloud do so too. The same algorithm on data without
clusters says how stable its clusters are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.inputs import at_least, one_of
from clustval.labels import objects
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import rows_in_memory
from clustval.relative.distances_clustered import Distances, clusterer_of, points_or_distances, whole
from clustval.relative.estimators import Clusterer, number_parameter, numbers_for_points
from clustval.relative.gap import Sample, along_axes, gaussian
from clustval.relative.stability import Sampling, clusterings, samples
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.tables import Table, WithTable

RECOVERED, DISSOLVED = 0.75, 0.5
REFERENCE_SAMPLES = 25  # of each set without clusters: many sets say more than many samples of one
BEYOND = 0.95  # share of the clusters of data without clusters that a cluster must surpass
NULLS: dict[str, Callable[[Floats], Sample]] = {"gaussian": gaussian, "uniform": along_axes}


@dataclass(frozen=True, repr=False, eq=False)
class ClusterwiseStability(Drawn, WithTable, Result):
    """The stability of each cluster of a clustering, and the labels that say which points are in it."""

    _figure = "clusterwise_stability"

    table: Table
    labels: Integers
    values: Floats  # (samples, clusters)
    reference: Floats  # means of the clusters of data without clusters
    algorithm: str
    unasked: str = ""  # why nothing stands beside it, if nothing does

    @property
    def threshold(self) -> float:
        """Stability that 95 % of the clusters of data without clusters do not surpass; NaN without references."""
        return float(np.quantile(self.reference, BEYOND)) if len(self.reference) else np.nan

    @property
    def chance(self) -> float:
        """Share of the clusters of data without clusters that Hennig's rule, 0.75 or more, calls stable."""
        return float(np.mean(self.reference >= RECOVERED)) if len(self.reference) else np.nan

    @property
    def stable(self) -> list[Any]:
        """The clusters with 0.75 or more that also surpass 95 % of the clusters of data without clusters."""
        names, means, shares = self.table["cluster"].tolist(), self.table["mean"], self.table["percentile"]
        beyond = (means >= RECOVERED) & (shares >= BEYOND)
        return [name for name, one in zip(names, beyond.tolist(), strict=True) if one]

    @property
    def _conclusion(self) -> str:
        if not len(self.reference):
            return f"Not compared with data without clusters, where clusters can be as stable: {self.unasked}."
        stable = ", ".join(map(str, self.stable)) or "none"
        return (
            f"On data without clusters, {self.algorithm} reaches 0.75 in {self.chance:.0%} of clusters, and 95 % of "
            f"them stay at {self.threshold:.3f} or below. Stable beyond that: {stable}."
        )


@seeded
def clusterwise_stability(
    X: Any,
    labels: Any = None,
    *,
    k: int | None = None,
    estimator: Any = None,
    n_samples: int = 100,
    sampling: Sampling = "bootstrap",
    fraction: float | None = None,
    n_references: int = 20,
    null: str | None = None,
    n_init: int | None = None,
    metric: MetricName = "euclidean",
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> ClusterwiseStability:
    """Mean Jaccard coefficient of each cluster and the cluster most like it in the clustering of a sample.

    Only points of the data that are in the sample are compared, each once. By Hennig's rule a cluster of 0.75 or more
    is stable, one of 0.5 or less dissolved; but algorithms reach 0.75 on data without clusters too, so that each
    cluster also stands beside those that the same algorithm finds there.

    Parameters
    ----------
    X
        One row per point.
    labels
        The clustering that is judged, one label per point, or the name of a column of X; noise belongs to no cluster.
        A number of clusters, or `k`, has the estimator make it.
    k
        Number of clusters, where no labels are given.
    estimator
        What clusters samples: None for our own k-means; an object with ``fit_predict``; or a function
        ``(X, k, rng) -> labels``. It should be what made the labels. An estimator with ``n_clusters`` gets as many as
        there are labels; others, such as HDBSCAN, go by their own parameters. Points that it calls noise, -1, are in no
        cluster.
    n_samples, sampling, fraction, n_init, metric, features, use_rep, force, random_state, rng, n_jobs, progress
        As in `stability`.
    n_references
        How many sets without clusters are clustered, each with up to 25 samples; 0 for none.
    null
        What they are drawn from: "gaussian", one with the mean and the covariance of X, unless it is said; "uniform",
        the box along its principal axes. By other metrics each column is permuted; nothing is drawn from distances.

    Returns
    -------
    ClusterwiseStability
        ``table``: for each cluster its size, the mean and the s.d. over samples, how often it was recovered (at
        least 0.75) and dissolved (at most 0.5), and the share of clusters of data without clusters that are less
        stable. Samples without a point of a cluster say nothing of it and are left out. ``labels``: the clustering
        of the whole data, -1 for noise. ``values``: one line per sample. ``reference``: the means of clusters of data
        without clusters; 0 for a set in which the algorithm finds fewer than two.

    >>> X = [[0.0], [1.0], [10.0], [11.0], [12.0], [30.0], [31.0], [32.0]]
    >>> clusterwise_stability(X, 3, n_samples=50, sampling="subsample", random_state=0).table["mean"]
    array([1., 1., 1.])
    >>> stability = clusterwise_stability(X, list("aabbbccc"), n_samples=50, random_state=0)
    >>> stability.table["cluster"].tolist()
    ['a', 'b', 'c']
    """
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force, "metric": metric}
    X, values_of_rows = rows_in_memory(X, {"labels": labels}, **home)
    labels = values_of_rows["labels"]
    count, references = at_least(n_samples, 1, "n_samples"), at_least(n_references, 0, "n_references")
    points, draw = _material(X, metric, null, n_jobs)
    labelling, number = _labelling(X, whole(points), labels, k)
    counted = labelling is None or not _goes_by_itself(estimator)
    cluster = clusterer_of(points, estimator, metric=metric, n_init=n_init, counted=counted).without_noise
    references = references if draw is not None else 0
    jobs, generator = inputs.as_jobs(n_jobs), generators(random_state)
    rows = samples(len(points), count, sampling, fraction, generator, fewest=number)
    codes = cluster(whole(points), number, generator(count, number)) if labelling is None else labelling.codes
    if codes.max() < 0:
        msg = f"{cluster.name} calls all {len(codes)} points noise; give an algorithm that finds clusters, or labels."
        raise InputError(msg)
    names = list(range(int(codes.max()) + 1)) if labelling is None else labelling.names
    few = min(count, REFERENCE_SAMPLES)
    with bar("Clustering samples", shown=progress, total=count + few * references) as done:
        values = _values(points, rows, codes, number, cluster, generator, jobs, done)
        reference: list[float] = []
        for item in range(references):
            own = _Numbered(generator, item)
            assert draw is not None
            drawn = draw(own(0))
            parts = cluster(whole(drawn), number, own(1))
            if parts.max() < 1:
                reference.append(0.0)
                continue
            drawn_rows = samples(len(points), few, sampling, fraction, own, fewest=number)
            reference += _means(_values(drawn, drawn_rows, parts, number, cluster, own, jobs, done)).tolist()
    means = np.array(reference, dtype=np.float64)
    means = means[~np.isnan(means)]
    unasked = "n_references is 0" if draw is not None else "distances alone cannot be drawn again"
    return ClusterwiseStability(_table(names, codes, values, means), codes, values, means, cluster.name, unasked)


def _material(
    X: Any, metric: Any, null: str | None, n_jobs: int | None
) -> tuple[Floats | Distances, Callable[[np.random.Generator], Any] | None]:
    """Return what is clustered, coordinates or distances, and draws of it without clusters, where there are any."""
    points = points_or_distances(X, metric, n_jobs)
    if not isinstance(points, Distances):
        return points, NULLS["gaussian" if null is None else one_of(null, tuple(NULLS), "null")](points)
    if null is not None:
        msg = f"null={null!r} draws coordinates, and metric={metric!r} gives distances; leave null= out."
        raise InputError(msg)
    return points, points.permuted()


@dataclass(frozen=True)
class _Numbered:
    """The generators of one set without clusters: those of the call, behind the number of the set."""

    generator: TaskGenerator
    item: int

    def __call__(self, *task: int) -> np.random.Generator:
        return self.generator(self.item, len(task), *task)


def _labelling(X: Any, points: Floats, labels: Any, k: int | None) -> tuple[inputs.Labels | None, int]:
    """Return the labels, where there are any, and the number of clusters."""
    if labels is not None and k is not None:
        msg = "Give labels or k, not both: the number of clusters is that of the labels."
        raise InputError(msg)
    if labels is None and k is None:
        msg = "Give the labels that are judged, one for each row of X, or a number of clusters k."
        raise InputError(msg)
    if k is not None or isinstance(labels, (int, float, np.number)):
        (number,) = numbers_for_points(at_least(k if labels is None else labels, 2, "k"), points)
        return None, number
    if inputs.clusters(labels):
        labels = inputs.labels_by(labels, X)
    labelling = inputs.as_labels(labels, rows=inputs.row_names(X))
    inputs.check_length(len(points), labelling)
    if labelling.k < 2:
        msg = f"labels must name 2 clusters or more; they name {labelling.k}."
        raise InputError(msg)
    return labelling, numbers_for_points(labelling.k, points)[0]


def _goes_by_itself(estimator: Any) -> bool:
    return hasattr(estimator, "fit_predict") and number_parameter(estimator) is None


def _values(
    points: Floats | Distances,
    rows: Integers,
    codes: Integers,
    k: int,
    cluster: Clusterer,
    generator: TaskGenerator,
    n_jobs: int,
    done: Callable[[int], object] | None,
) -> Floats:
    """Return the coefficient of each cluster in each sample (samples, clusters)."""
    label_sets = clusterings(points, rows, k, cluster, generator, n_jobs, done)
    distinct = [_distinct_rows(*sample) for sample in zip(rows, label_sets, strict=True)]
    return np.array([_best_jaccard(codes, *sample) for sample in distinct])


def _means(values: Floats) -> Floats:
    """Return the mean of each cluster over the samples that hold points of it."""
    there = ~np.isnan(values)
    return np.where(there.any(axis=0), np.nansum(values, axis=0) / np.maximum(there.sum(axis=0), 1), np.nan)


def _table(names: list[Any], codes: Integers, values: Floats, reference: Floats) -> Table:
    means = _means(values)
    counts = np.maximum((~np.isnan(values)).sum(axis=0), 1)
    less = (reference < means[:, None]).mean(axis=1) if len(reference) else np.full(len(means), np.nan)
    return Table(
        {
            "cluster": objects(names),
            "size": np.bincount(codes[codes >= 0], minlength=len(names)),
            "mean": means,
            "sd": np.sqrt(np.nansum((values - means) ** 2, axis=0) / counts),
            "recovered": np.count_nonzero(values >= RECOVERED, axis=0),
            "dissolved": np.count_nonzero(values <= DISSOLVED, axis=0),
            "percentile": np.where(np.isnan(means), np.nan, less),
        }
    )


def _distinct_rows(rows: Integers, labels: Integers) -> tuple[Integers, Integers]:
    """Return each row of a sample once, with the label of its first occurrence."""
    distinct, first = np.unique(rows, return_index=True)
    return distinct, labels[first]


def _best_jaccard(clustering: Integers, rows: Integers, labels: Integers) -> Floats:
    """Return, for each cluster of all points, the largest share of common points with a cluster of the sample."""
    shares, sizes = common_shares(clustering[rows], labels, clustering.max() + 1)
    return np.where(sizes > 0, shares.max(axis=1, initial=0), np.nan)


def common_shares(codes: Integers, labels: Integers, k: int) -> tuple[Floats, Floats]:
    """Return the points that each of k clusters and each of the labels share, of those of either, and its size.

    Points of -1, noise, are in no cluster on that side.
    """
    table = np.zeros((k + 1, labels.max() + 2))
    np.add.at(table, (codes, labels), 1)  # noise is the last line, and the last column
    sizes, others = table[:-1].sum(axis=1), table[:, :-1].sum(axis=0)
    common = table[:-1, :-1]
    return common / np.maximum(sizes[:, None] + others - common, 1), sizes
