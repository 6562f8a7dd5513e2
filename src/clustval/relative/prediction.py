"""Whether the clusters of one half of the data foretell those of the other (Tibshirani and Walther 2005)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.inputs import at_least, is_number
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import coordinates_in_memory
from clustval.relative.estimators import clusterer, numbers_for_points
from clustval.result import Result
from clustval.seeding import generators
from clustval.tables import Table, WithTable


@dataclass(frozen=True, repr=False, eq=False)
class PredictionStrength(Drawn, WithTable, Result):
    """Prediction strength by number of clusters, and the largest number with enough strength."""

    _figure = "prediction_strength"

    table: Table
    best: int | None
    threshold: float

    @property
    def _conclusion(self) -> str:
        return f"largest k with at least {self.threshold:g}: {self.best or '—'}"


@seeded
def prediction_strength(
    X: Any,
    k: int | Iterable[int] = range(1, 11),
    *,
    estimator: Any = None,
    n_splits: int = 50,
    threshold: float = 0.8,
    n_init: int | None = None,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> PredictionStrength:
    """Share of the pairs in a cluster that clusters of other data also put together, in the worst cluster, for each k.

    The data are split at random into halves and both are clustered. Each point of one half is then given to the
    cluster of the other half with the nearest mean, whatever the estimator. The strength is the least share, over
    clusters of more than one point, of pairs that stay together; the mean of both directions.

    Parameters
    ----------
    X
        One row per point.
    k
        Numbers of clusters. One cluster always has strength 1.
    estimator
        None for our own k-means; an object with ``fit_predict`` and ``n_clusters``; or a function
        ``(X, k, rng) -> labels``. Points that it calls noise, -1,
        are one cluster.
    n_splits
        How often the data are split.
    threshold
        The strength that is enough: 0.8 to 0.9, say the authors.
    n_init
        Starts of our own k-means: by default from 100 for up to 2,000 numbers in X down to 10 for 20,000 and more.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, by either name.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    PredictionStrength
        ``table``: for each k the mean and the s.d. over splits. ``best``: the largest k whose mean reaches the
        threshold, None if none does.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.1, (20, 2)) for c in range(3)])
    >>> prediction_strength(X, range(1, 6), n_splits=10, random_state=0).best
    3
    """
    points = coordinates_in_memory(X, features=features, use_rep=use_rep, force=force)
    half = len(points) // 2
    ks = numbers_for_points(k, points)
    if ks[-1] > half:
        msg = f"k must be at most {half}, the number of points in half of the data; it is {ks[-1]}."
        raise InputError(msg)
    if not is_number(threshold) or not 0 < threshold <= 1:
        msg = f"threshold must be above 0 and at most 1; it is {threshold!r}."
        raise InputError(msg)
    cluster = clusterer(estimator, n_init=n_init)
    generator = generators(random_state)
    strengths = np.empty((at_least(n_splits, 1, "n_splits"), len(ks)))

    def work(item: int) -> None:
        split, which = divmod(item, len(ks))
        order = generator(split, 0).permutation(len(points))
        rng = generator(split, ks[which])
        first, second = points[order[:half]], points[order[half:]]
        a, b = cluster(first, ks[which], rng), cluster(second, ks[which], rng)
        strengths[split, which] = (_strength(first, a, second, b) + _strength(second, b, first, a)) / 2

    with bar("Clustering halves", shown=progress, total=strengths.size) as done:
        cluster.run(work, strengths.size, inputs.as_jobs(n_jobs), done)
    means = strengths.mean(axis=0)
    enough = np.flatnonzero(means >= threshold)
    table = Table({"k": np.array(ks), "mean": means, "sd": strengths.std(axis=0)})
    return PredictionStrength(table, ks[enough[-1]] if len(enough) else None, float(threshold))


def _strength(X: Floats, labels: Integers, other_half: Floats, other_labels: Integers) -> float:
    """Return the least share of pairs of a cluster of X that share the nearest mean of a cluster of the other half."""
    nearest, predicted = np.full(len(X), np.inf), np.zeros(len(X), dtype=np.int64)
    for c in range(other_labels.max() + 1):
        members = other_half[other_labels == c]
        if len(members):
            squares = ((X - members.mean(axis=0)) ** 2).sum(axis=1)
            closer = squares < nearest
            nearest[closer], predicted[closer] = squares[closer], c
    table = np.zeros((labels.max() + 1, other_labels.max() + 1))
    np.add.at(table, (labels, predicted), 1)
    sizes = table.sum(axis=1)
    pairs = sizes > 1
    together = (table * (table - 1)).sum(axis=1)[pairs] / (sizes * (sizes - 1))[pairs]
    return float(together.min(initial=1.0))
