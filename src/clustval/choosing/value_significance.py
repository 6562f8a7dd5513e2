"""Whether a value of an index is better than what the same algorithm reaches in data without clusters.

The parametric bootstrap of Hennig and Lin (2015), for any index: as the gap statistic, but for all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName
from clustval.choosing.judges import direction, judge_of
from clustval.choosing.nulls import OF_CATEGORIES, null_of, nulls_of
from clustval.choosing.structure import can_be_drawn
from clustval.declare import Plan, Request
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.inputs import at_least
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import rows_in_memory
from clustval.relative.estimators import Clusterer, as_labelling, clusterer, number_parameter, numbers_of_clusters
from clustval.relative.labellings import coded
from clustval.relative.scoring import ScoreTable, table_of
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.sources.space import Space, space_of
from clustval.tables import Tabular, columns_of_numbers, html_table, number, text_table

NULLS = ("gaussian", "uniform")


@dataclass(frozen=True, repr=False, eq=False)
class Significance(Drawn, Tabular, Result):
    """Values of an index, compared with those in data without clusters, for each number of clusters.

    Attributes
    ----------
    index
        The index, and by `turned` -1 where small values of it are better, else 1.
    k
        Numbers of clusters; 0 for an algorithm that takes none.
    values
        The value of the index for each of them.
    null
        From the name of a null to the values of its draws, one row per draw, one column per number of clusters; NaN
        where the index had no value.
    """

    _figure = "significance"

    index: str
    turned: int
    k: Integers
    values: Floats
    null: Mapping[str, Floats]

    @property
    def standardized(self) -> Floats:
        """How many standard deviations each value is better than the mean of a null; the least over the nulls."""
        scores = [_standardized(self.values, draws, self.turned) for draws in self.null.values()]
        return np.asarray(np.min(scores, axis=0))

    @property
    def best_k(self) -> int:
        """The number of clusters whose value stands out most; the first of equals."""
        return int(self.k[_place(self.standardized)])

    @property
    def value(self) -> float:
        """The value of the index there."""
        return float(self.values[_place(self.standardized)])

    @property
    def p_values(self) -> dict[str, float]:
        """From the name of a null to the probability that a draw stands out as much, for whichever k it does most."""
        p_values = {}
        for name, draws in self.null.items():
            every = np.concatenate([self.values[None], draws])  # alike under the null, and so treated alike
            steps = _largest(_standardized(every, every, self.turned))
            p_values[name] = int((steps >= steps[0]).sum()) / len(every)
        return p_values

    @property
    def p_value(self) -> float:
        """The largest p-value of the nulls."""
        return max(self.p_values.values())

    def _records(self) -> list[dict[str, Any]]:
        columns: dict[str, Floats] = {"value": self.values}
        for name, draws in self.null.items():
            columns |= {f"{name} mean": np.nanmean(draws, axis=0), f"{name} s.d.": np.nanstd(draws, axis=0, ddof=1)}
        columns["standardized"] = self.standardized
        return [
            {"k": int(k), **{name: float(column[at]) for name, column in columns.items()}}
            for at, k in enumerate(self.k)
        ]

    def _rows(self) -> list[list[str]]:
        records = self._records()
        return [list(records[0]), *([number(value, 3) for value in record.values()] for record in records)]

    @property
    def _about(self) -> str:
        p = ", ".join(f"{name} {value:.2g}" for name, value in self.p_values.items())
        return f"{self.index}: stands out most at k = {self.best_k}; p-values by null: {p}"

    def __str__(self) -> str:
        rows = self._rows()
        return f"{text_table(rows, right=columns_of_numbers(rows))}\n{self._about}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"{html_table(self._rows())}<p>{self._about}</p>"


def _standardized(values: Floats, draws: Floats, turned: int) -> Floats:
    """Return how many standard deviations values are better than the mean of draws, NaN where there is none."""
    with np.errstate(all="ignore"):
        return np.asarray(turned * (values - np.nanmean(draws, axis=0)) / np.nanstd(draws, axis=0, ddof=1))


def _largest(rows: Floats) -> Floats:
    return np.asarray(np.where(np.isnan(rows), -np.inf, rows).max(axis=1))


def _place(values: Floats) -> int:
    return int(np.where(np.isnan(values), -np.inf, values).argmax())


@seeded
def significance(
    X: Any,
    clustering: Any = None,
    index: str = "silhouette",
    *,
    k: int | Iterable[int] | None = None,
    null: Any = NULLS,
    B: int = 99,
    estimator: Any = None,
    metric: MetricName = "euclidean",
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    progress: bool | None = None,
) -> Significance:
    """The value of an index compared with those that the same algorithm reaches in data without clusters.

    Parameters
    ----------
    X
        One row per point.
    clustering
        Labels, of which the value is asked, or the name of the column of X that has them; or the algorithm itself:
        None for our own k-means, an object with ``fit_predict``, or a function ``(X, k, rng) -> labels``.
    index
        The index, of which the highest or the lowest value must be best.
    k
        Numbers of clusters, if an algorithm is given: by default 2 to 10.
    null
        Data without clusters: "gaussian" (with the mean and covariance of X), "uniform" (in the box of its columns,
        and "turned", in that of its principal components), "skeleton" (along its minimum spanning tree, with gaps
        filled), a function ``(X, rng) -> points`` that gives as many as X has, or several of them. A value must beat
        all. Under metrics of categories ("hamming" and "gower") it is "permuted": each column is shuffled on its own.
        Metrics of shares ("hellinger", "jensenshannon") compare no negative numbers; name "permuted" for them.
    B
        Draws from each null.
    estimator
        The algorithm that labels come from, which clusters the draws: None for our own k-means.
    metric
        The name of a distance or a function of two points.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, by either name.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    memory
        Bytes, or text such as "2 GiB", that the work may take.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Significance
        ``p_value``, ``value``, ``standardized``, ``best_k``, and ``null`` for each number of clusters.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(centre, 1, (30, 2)) for centre in (0, 10, 20)])
    >>> result = significance(X, k=range(2, 5), B=19, random_state=0)
    >>> result.best_k, result.p_value
    (3, 0.05)
    """
    choice = judge_of(index, "index")
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force}
    X, columns = rows_in_memory(X, {"labels": clustering} if _labelled(clustering) else {}, metric=metric, **home)
    clustering = columns.get("labels", clustering)
    space = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory))
    if space.X is None or not can_be_drawn(space):
        msg = f"significance needs coordinates, from which data without clusters are drawn; metric is {space.called!r}."
        raise InputError(msg)
    nulls = [null_of(each, space.X) for each in nulls_of(null, NULLS, space.metric, space.X.shape[1])]
    draws = at_least(B, 1, "B")
    generator = generators(random_state)
    if space.without_means and (estimator if _labelled(clustering) else clustering) is None:
        msg = (
            f"k-means needs means, and the metric {space.metric!r} has none; give another algorithm, which clusters "
            "the draws, too."
        )
        raise InputError(msg)
    if _labelled(clustering):
        if k is not None:
            msg = "k is the number of clusters of labels already; give k= with an algorithm only."
            raise InputError(msg)
        labels = inputs.as_labels(inputs.aligned(clustering, space.row_names, "labels"), noise="drop")
        inputs.check_length(space.n, labels)
        method, numbers = _method(estimator), [labels.k]
        scores = table_of(space, [labels], [choice])
    else:
        method, numbers = _method(clustering), _numbers(k, clustering, space.n)
        scores = _scores(space, method, numbers, choice, generator, 0)
    values = scores.values[:, 0]
    if np.isnan(values).all():
        raise InputError(scores.reasons[0, choice.name])
    table = np.full((len(nulls), draws, len(numbers)), np.nan)

    def work(item: int) -> None:
        which, draw = divmod(item, draws)
        points = np.ascontiguousarray(nulls[which][1](generator(1, which, draw)))
        other = Space(points, metric=space.metric, memory=space.memory)
        try:
            table[which, draw] = _scores(other, method, numbers, choice, generator, 1 + item).values[:, 0]
        except InputError:
            _check_measured(other, nulls[which][0])
            raise

    with bar("Clustering data without structure", shown=progress, total=len(nulls) * draws) as done:
        method.run(work, len(nulls) * draws, space.n_jobs, done)
    by_name = {name: table[at] for at, (name, _) in enumerate(nulls)}
    return Significance(choice.name, direction(choice.best), np.array(numbers), values, by_name)


def _numbers(k: int | Iterable[int] | None, algorithm: Any, n: int) -> list[int]:
    if _without_number(algorithm):
        if k is not None:
            msg = f"{type(algorithm).__name__} takes no number of clusters; leave out k=."
            raise InputError(msg)
        return [0]
    return numbers_of_clusters(range(2, min(10, n) + 1) if k is None else k, n, fewest=2)


def _labelled(clustering: Any) -> bool:
    """Return whether labels are given, not an algorithm."""
    return clustering is not None and not inputs.clusters(clustering) and not callable(clustering)


def _method(algorithm: Any) -> Clusterer:
    return clusterer(algorithm, counted=not _without_number(algorithm))


def _check_measured(drawn: Space, null: str) -> None:
    """Raise an error if a null drew a point that the metric measures nothing from, such as negative shares."""
    assert drawn.X is not None
    if all(np.isfinite(drawn.measured(x[None], x[None])).all() for x in drawn.X):
        return
    remedy = f"use null={OF_CATEGORIES!r}, which draws the values of each column in another order"
    if null == OF_CATEGORIES:
        remedy = "give a function (X, rng) -> points that it can compare"
    msg = f"The null {null!r} draws points that the metric {drawn.called!r} cannot compare; {remedy}."
    raise InputError(msg)


def _without_number(algorithm: Any) -> bool:
    """Return whether an algorithm is told no number of clusters."""
    return hasattr(algorithm, "fit_predict") and number_parameter(algorithm) is None


def _scores(
    space: Space, method: Clusterer, numbers: Sequence[int], choice: Request, generator: TaskGenerator, task: int
) -> ScoreTable:
    """Return the value of the index for each number of clusters; algorithms see distances where columns are mixed."""
    points = space.X if space.X is not None and space.has_columns else space.rows(np.arange(space.n))
    cluster = method.of(points, numbers)
    by_name: dict[Hashable, Any] = {
        k: as_labelling(cluster(k, generator(2, task, k)), space.n, method.name, k or None) for k in numbers
    }
    return table_of(space, coded(by_name, "drop"), [choice])
