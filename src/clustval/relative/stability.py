"""Whether clusterings of resampled data agree: for how many clusters they do so best (Zaki and Meira, Alg. 17.1)."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from clustval import inputs, kernels
from clustval.arrays import Floats, Integers
from clustval.catalogue import select
from clustval.choices import MetricName
from clustval.declare import Request
from clustval.drawn import Drawn
from clustval.errors import InputError, UndefinedIndexError
from clustval.inputs import at_least, is_number, one_of
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import points_in_memory
from clustval.relative.distances_clustered import Distances, clusterer_of, points_or_distances, whole
from clustval.relative.estimators import Clusterer, numbers_for_points
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.tables import Table, WithTable

Sampling = Literal["bootstrap", "subsample"]
SAMPLINGS = ("bootstrap", "subsample")
SUBSAMPLE = 0.8


@dataclass(frozen=True, repr=False, eq=False)
class Stability(WithTable, Drawn, Result):
    """How well clusterings of samples agree, by number of clusters, and the number for which they agree best."""

    _figure = "stability"

    table: Table
    best: int | None
    index: str
    n_samples: int

    @property
    def _conclusion(self) -> str:
        return f"{self.index} between {self.n_samples} samples; most stable: k = {self.best or '—'}"

    def to_html(self, path: Any = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`."""
        from clustval.report import About, of_resampled  # noqa: PLC0415 - only reports need it

        return of_resampled(About(stability=self, **about), path)


@seeded
def stability(
    X: Any,
    k: int | Iterable[int] = range(2, 11),
    *,
    estimator: Any = None,
    n_samples: int = 100,
    index: str = "vi",
    sampling: Sampling = "bootstrap",
    fraction: float | None = None,
    n_init: int | None = None,
    metric: MetricName = "euclidean",
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Stability:
    """Mean agreement of the clusterings of all pairs of samples, on the points that both hold, for each k.

    A point that one sample holds m times and the other m' times counts min(m, m') times (Zaki and Meira, eq. 17.30).

    Parameters
    ----------
    X
        One row per point.
    k
        Numbers of clusters, from 2.
    estimator
        None for our own k-means; an object with ``fit_predict`` and ``n_clusters``; or a function
        ``(X, k, rng) -> labels``. Points that it calls noise, -1,
        are one cluster.
    n_samples
        t, the number of samples; all pairs of them are compared, t (t - 1) / 2, or twice as many if it matters which
        of the two comes first.
    index
        Any external index that says what is better, such as "vi", "fowlkes_mallows", "adjusted_rand"; or one of a
        suite, such as "zaki:vi", which is in bits. By its direction it is a distance or a similarity.
    sampling
        "bootstrap": as many points as there are, with replacement. "subsample": a fraction, without.
    fraction
        Share of the points in a sample: by default 1 for "bootstrap" and 0.8 for "subsample".
    n_init
        Starts of our own k-means: by default from 100 for up to 2,000 numbers in X down to 10 for 20,000 and more.
    metric
        By any other metric than "euclidean", such as "gower", "dtw" and "precomputed", square tables of distances are
        clustered: by average linkage, by an object that takes them (``metric="precomputed"``), or by a function.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, by either name. The value at one k does not depend on which others are asked for.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Stability
        ``table``: for each k the mean and the s.d. of the index over pairs of samples, and the share of pairs for
        which it is undefined, which are left out. ``best``: the k with the best mean.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.1, (20, 2)) for c in range(3)])
    >>> stability(X, range(2, 6), n_samples=20, random_state=0).best
    3
    """
    rows_of_X = points_in_memory(X, features=features, use_rep=use_rep, force=force, metric=metric)
    points = points_or_distances(rows_of_X, metric, n_jobs)
    cluster = clusterer_of(points, estimator, metric=metric, n_init=n_init)
    ks = numbers_for_points(k, whole(points), fewest=2)
    choice = _judging(index)
    count = at_least(n_samples, 2, "n_samples")
    jobs, generator = inputs.as_jobs(n_jobs), generators(random_state)
    rows = samples(len(points), count, sampling, fraction, generator, fewest=ks[-1])
    summaries = []
    with bar("Clustering and comparing", shown=progress, total=2 * count * len(ks)) as done:
        for number in ks:  # one after the other, so that only one set of labels is held
            labels = clusterings(points, rows, number, cluster, generator, jobs, done)
            summaries.append(agreement(rows, labels, choice, done))
    means, deviations, undefined = np.array(summaries).T
    best = choice.best.choose(means)
    table = Table({"k": np.array(ks), "mean": means, "sd": deviations, "undefined": undefined})
    return Stability(table, None if best < 0 else ks[best], choice.name, count)


def _judging(index: str) -> Request:
    """Return the one external index that is named, if it says what is better."""
    choices = select(index, "external", called="index") if isinstance(index, Iterable) else []
    if len(choices) != 1:
        what = f"{index!r} names {len(choices)}" if choices else f"it is {index!r}"
        msg = f"index must name one external index; {what}."
        raise InputError(msg)
    if choices[0].best.better == "neither":
        msg = f"{choices[0].name} describes labellings but does not judge them; choose 'vi' or 'adjusted_rand'."
        raise InputError(msg)
    return choices[0]


def samples(
    n: int, count: int, sampling: str, fraction: float | None, generator: TaskGenerator, *, fewest: int
) -> Integers:
    """Return the sorted rows of each sample (count, m), which must be enough for as many clusters as `fewest`."""
    replace = one_of(sampling, SAMPLINGS, "sampling") == "bootstrap"
    share = fraction if fraction is not None else 1.0 if replace else SUBSAMPLE
    if not is_number(share) or not 0 < share <= 1:
        msg = f"fraction must be above 0 and at most 1; it is {fraction!r}."
        raise InputError(msg)
    size = max(1, round(float(share) * n))
    if size < fewest:
        msg = f"k must be at most {size}, the number of points in a sample; it is {fewest}."
        raise InputError(msg)
    return np.sort([generator(item, 0).choice(n, size, replace=replace) for item in range(count)], axis=1)


def clusterings(
    points: Floats | Distances,
    rows: Integers,
    k: int,
    cluster: Clusterer,
    generator: TaskGenerator,
    n_jobs: int,
    done: Callable[[int], object] | None,
) -> NDArray[np.int32]:
    """Return the labels of each sample (samples, m)."""
    labels = np.empty(rows.shape, dtype=np.int32)

    def work(item: int) -> None:
        labels[item] = cluster(points[rows[item]], k, generator(item, k))

    cluster.run(work, len(rows), n_jobs, done)
    return labels


def agreement(
    rows: Integers, labels: NDArray[np.int32], choice: Request, done: Callable[[int], object] | None = None
) -> tuple[float, float, float]:
    """Return the mean and the s.d. of the index over pairs of samples, and the share of pairs without a value."""
    t = len(labels)
    evaluate = _evaluation(choice, rows, labels)
    symmetric = bool(choice.index.symmetric)
    counts, means, squares = np.zeros(t), np.zeros(t), np.zeros(t)
    for i in range(t):
        values = evaluate(i, np.arange(i + 1, t) if symmetric else np.delete(np.arange(t), i))
        values = values[~np.isnan(values)]
        if len(values):
            counts[i], means[i] = len(values), values.mean()
            squares[i] = ((values - means[i]) ** 2).sum()
        if done is not None:
            done(i)
    pairs = t * (t - 1) / (2 if symmetric else 1)
    count = counts.sum()
    if count == 0:
        return math.nan, math.nan, 1.0
    mean = float(counts @ means / count)
    deviation = math.sqrt((squares + counts * (means - mean) ** 2).sum() / count)
    return mean, deviation, float(1 - count / pairs)


def _evaluation(choice: Request, rows: Integers, labels: NDArray[np.int32]) -> Callable[[int, Integers], Floats]:
    """Return a function that compares a sample with its partners, as far as they have a point in common.

    Counts of pairs and entropies come out of kernels; whatever else an index needs, from the table.
    """
    from clustval.sources.label_pair import LabelPair  # noqa: PLC0415
    from clustval.stats.labels.contingency import Contingency  # noqa: PLC0415
    from clustval.stats.labels.information import Information  # noqa: PLC0415
    from clustval.stats.labels.pair_counts import PairCounts  # noqa: PLC0415

    index = choice.index
    options = choice.options
    clusters = int(labels.max()) + 1
    compiled: dict[Any, tuple[Callable[..., None], int, type]] = {
        PairCounts: (kernels.labels.shared_points.pair_counts, 4, np.int64),
        Information: (kernels.labels.shared_points.information, 6, np.float64),
    }

    def by_kernel(i: int, partners: Integers) -> Floats:
        (statistic,) = index.statistics
        fill, width, dtype = compiled[statistic]
        statistics: NDArray[Any] = np.empty((len(partners), width), dtype=dtype)
        common = np.empty(len(partners), dtype=np.int64)
        fill(rows, labels, i, partners, clusters, common, statistics)
        statistics = statistics[common > 0]
        if statistic is Information and len(statistics):
            with contextlib.suppress(TypeError, ValueError):  # of a formula that asks whether a single number is 0
                return np.asarray(index.formula(statistic(*statistics.T), **options), dtype=np.float64)
        return np.array(
            [index.formula(statistic(*numbers), **options) for numbers in statistics.tolist()], dtype=np.float64
        )

    def by_table(i: int, partners: Integers) -> Floats:
        values = []
        for j in partners.tolist():
            pair = LabelPair(Contingency.of_table(kernels.labels.shared_points.table_of(rows, labels, i, j, clusters)))
            with contextlib.suppress(UndefinedIndexError):
                values.append(index.value(pair, options))
        return np.array(values)

    return by_kernel if len(index.statistics) == 1 and index.statistics[0] in compiled else by_table
