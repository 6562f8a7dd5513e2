"""What many labellings of the same points have in common, and whether data without clusters would have it too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.drawn import Drawn
from clustval.ensembles.co_clusters import Ensemble, Summary
from clustval.ensembles.references import clustered_samples, null_summaries, shuffled_summaries, silent
from clustval.errors import InputError
from clustval.homes.frames import columns_by_name
from clustval.inputs import at_least
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.lazy import cached_property
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import coordinates_in_memory
from clustval.result import Result
from clustval.tables import Table, WithTable

if TYPE_CHECKING:
    from clustval.plot.style import Axes

BETTER = {"pac": -1, "cdf_area": 0, "dispersion": 1, "consensus_index": 1}  # 0: it does not judge
ALPHA = 0.05


@dataclass(frozen=True, repr=False, eq=False)
class Consensus(WithTable, Result):
    """How often points are together in many labellings, and statistics of that compared with data without clusters."""

    codes: Integers  # (labellings, points): codes from 0, -1 where a labelling does not have the point
    table: Table
    null: str  # what the statistics are compared with

    @cached_property
    def ensemble(self) -> Ensemble:
        """The labellings, points with the same labels in all being one kind."""
        return Ensemble(self.codes)

    def _value(self, statistic: str) -> float:
        return float(self.table["value"][self.table["statistic"].tolist().index(statistic)])

    @property
    def pac(self) -> float:
        """Share of pairs of points that are together in more than a tenth and at most nine tenths of the labellings."""
        return self._value("pac")

    @property
    def cdf_area(self) -> float:
        """Area under the distribution of the co-association of pairs, which is 1 minus its mean."""
        return self._value("cdf_area")

    @property
    def dispersion(self) -> float:
        """Mean of 4 (M - 1/2)**2 over all n x n entries of the co-association M; 1 where all labellings agree."""
        return self._value("dispersion")

    @property
    def consensus_index(self) -> float:
        """Mean adjusted mutual information of each two labellings."""
        return self._value("consensus_index")

    @cached_property
    def cophenetic(self) -> float:
        """Correlation, over pairs, of the co-association with the similarity at which average linkage joins them."""
        return self.ensemble.cophenetic

    @cached_property
    def consistency(self) -> Floats:
        """For each point, how alike its clusters are in each two labellings (element-centric), on average."""
        return self.ensemble.consistency

    def matrix(self, rows: Any = None) -> Floats:
        """Return the co-association: the share of labellings that put two points together, of those that have both.

        `rows` are the points whose rows are returned; None for all. NaN where no labelling has both points.
        """
        return self.ensemble.matrix(rows)

    def sparse(self, least: float = 0.5) -> Any:
        """Return the co-association as a sparse matrix without entries below `least`."""
        return self.ensemble.sparse(least)

    @seeded
    def labels(self, k: int, *, method: str = "auto", random_state: Any = 0, rng: Any = None) -> Integers:
        """Return k clusters of points that are often together.

        `method` is "average" (linkage of the co-association), "kmeans" (of the labels, for very many points), or
        "auto": the first for up to 5,000 points that differ in their labels.
        """
        return self.ensemble.labels(k, method, random_state)

    def confidence(self, k: int, **options: Any) -> Floats:
        """For each point, how often labellings put it together with the other points of its consensus cluster.

        NaN for a point that is alone. `options` are those of `labels`.
        """
        return self.ensemble.confidence(self.labels(k, **options))

    @property
    def _conclusion(self) -> str:
        what = f"{self.codes.shape[0]} labellings of {self.codes.shape[1]} points"
        return f"{what}; beside {self.null}" if self.null else what

    def _of_points(self) -> dict[str, Any]:
        return {"consistency": self.consistency}

    def plot(self, k: int, *, ax: Axes | None = None) -> Axes:
        """Draw the co-association, points in the order of k consensus clusters."""
        from clustval.plot import consensus as draw  # noqa: PLC0415 - loads matplotlib

        return draw(self, k, ax=ax)


@dataclass(frozen=True, repr=False, eq=False)
class ConsensusByNumber(Drawn, WithTable, Result):
    """Consensus for several numbers of clusters, and the number for which it is clearest compared with its null."""

    _figure = "consensus_by_number"

    table: Table
    best: int | None  # None where no number of clusters beats data without clusters
    by_k: Mapping[int, Consensus]

    @property
    def _conclusion(self) -> str:
        return f"clearest beside data without clusters: k = {self.best or '—'}"


class Options(TypedDict, total=False):
    """The options of `consensus`, by name."""

    X: Any
    estimator: Any
    n_samples: int
    fraction: float
    null: Any
    n_references: int
    features: str | Sequence[Any] | None
    use_rep: str | None
    force: bool
    random_state: Any
    rng: Any
    n_jobs: int | None
    progress: bool | None


@overload
def consensus(labellings: Any = None, *, k: int | None = None, **options: Unpack[Options]) -> Consensus: ...
@overload
def consensus(labellings: None = None, *, k: Iterable[int], **options: Unpack[Options]) -> ConsensusByNumber: ...
@seeded
def consensus(
    labellings: Any = None,
    *,
    X: Any = None,
    k: int | Iterable[int] | None = None,
    estimator: Any = None,
    n_samples: int = 50,
    fraction: float = 0.8,
    null: Any = "gaussian",
    n_references: int = 20,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Consensus | ConsensusByNumber:
    """Return what many labellings of the same points have in common, compared with a null.

    Parameters
    ----------
    labellings
        A list or a mapping of labels, an array of one row per labelling, or a data frame of one column each. -1 and
        missing values are points that a labelling does not have.
    X, k, estimator
        In place of labellings: points that are clustered again and again into k clusters, by our own k-means unless an
        estimator is given as in `stability`, each time a random share of them. Points that it calls noise, -1, are as
        those of no sample. Several k give a table.
    n_samples, fraction
        How many such samples there are, and the share of the points in each.
    null
        With X, data without clusters that are clustered in the same way: "gaussian", "uniform", "turned", "skeleton",
        or a function as in `significance`. Labellings alone are compared with labels that are shuffled within each,
        which shows whether they agree at all, but not whether there are clusters: clusterings of data without clusters
        agree as well.
    n_references
        How many such data, or shuffles, there are; 0 for none. Those for which a statistic has no value are left out
        of its mean and its p-value.
    features, use_rep, force
        Columns of a data frame or of a file that are X; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng, n_jobs, progress
        As in `stability`.

    >>> ensemble = consensus([[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [1, 1, 1, 0, 0]], n_references=0)
    >>> ensemble.matrix()[2].round(3).tolist(), ensemble.labels(2).tolist()
    ([0.667, 0.667, 1.0, 0.333, 0.333], [0, 0, 0, 1, 1])
    """
    at_least(n_references, 0, "n_references")
    if (labellings is None) == (X is None):
        msg = "Give labellings, or else X with k; not both."
        raise InputError(msg)
    if X is None:
        if k is not None or estimator is not None:
            msg = "k and estimator cluster X; with labellings there is nothing to cluster."
            raise InputError(msg)
        codes = codes_of(labellings)
        with bar("Shuffling labels", shown=progress, total=n_references) as done:
            nulls = shuffled_summaries(codes, n_references, random_state, done or silent)
        return _consensus(codes, nulls, f"labels shuffled {n_references} times" if nulls else "")
    if k is None:
        msg = "k is missing: the number of clusters of X, or several."
        raise InputError(msg)
    several = isinstance(k, Iterable)
    X = coordinates_in_memory(X, features=features, use_rep=use_rep, force=force)
    runs = clustered_samples(X, k, estimator, n_samples, fraction, random_state, inputs.as_jobs(n_jobs))
    results = {}
    total = len(runs.numbers) * (n_references + 1)
    with bar("Clustering samples", shown=progress, total=total) as done:
        tell = done or silent
        for number in runs.numbers:
            codes = runs.codes(number)
            tell(0)
            nulls, name = null_summaries(runs, number, null, n_references, tell)
            results[number] = _consensus(
                codes, nulls, f"{n_references} sets of data of the null {name}" if nulls else ""
            )
    return _by_number(results) if several else results[runs.numbers[0]]


def _consensus(codes: Integers, nulls: list[Summary], null: str) -> Consensus:
    values = Ensemble(codes).summary()
    columns: dict[str, list[Any]] = {name: [] for name in ("statistic", "value", "null_mean", "null_std", "p_value")}
    for name, value in values.items():
        draws = np.array([each[name] for each in nulls])
        draws = draws[~np.isnan(draws)]
        better = BETTER[name]
        columns["statistic"].append(name)
        columns["value"].append(value)
        columns["null_mean"].append(draws.mean() if len(draws) else np.nan)
        columns["null_std"].append(draws.std(ddof=1) if len(draws) > 1 else np.nan)
        beaten = np.count_nonzero(better * draws >= better * value - ROUNDING_OF_VALUES)
        tested = better and len(draws) and not np.isnan(value)
        columns["p_value"].append((1 + beaten) / (1 + len(draws)) if tested else np.nan)
    return Consensus(codes, Table({name: np.array(column) for name, column in columns.items()}), null)


def _by_number(results: dict[int, Consensus]) -> ConsensusByNumber:
    """Return the table of several numbers of clusters.

    The relative consensus of k is the logarithm of the PAC of the null over that of the data (John et al. 2020).
    """
    rows = [dict(zip(each.table["statistic"].tolist(), each.table.records, strict=True)) for each in results.values()]
    areas = np.array([row["cdf_area"]["value"] for row in rows])
    pac, expected = (np.array([row["pac"][column] for row in rows]) for column in ("value", "null_mean"))
    p_values = np.array([row["pac"]["p_value"] for row in rows])
    with np.errstate(all="ignore"):
        growth = np.concatenate([areas[:1], np.diff(areas) / areas[:-1]])
        relative = np.log10(expected / pac)
    columns = {
        "k": np.array(list(results)),
        "pac": pac,
        "pac_null": expected,
        "p_value": p_values,
        "relative_consensus": relative,
        "cdf_area": areas,
        "delta_area": growth,
        "dispersion": np.array([row["dispersion"]["value"] for row in rows]),
        "consensus_index": np.array([row["consensus_index"]["value"] for row in rows]),
    }
    clear = np.where(p_values <= ALPHA, relative, -np.inf)
    best = list(results)[int(clear.argmax())] if (clear > -np.inf).any() else None
    return ConsensusByNumber(Table(columns), best, results)


def codes_of(labellings: Any) -> Integers:
    """Return the codes of each labelling, one row each, or raise an error that says what is wrong."""
    columns = columns_by_name(labellings, "labellings")
    if columns is not None:
        by_name = columns
    elif isinstance(labellings, Mapping):
        by_name = dict(labellings)
    elif isinstance(labellings, Iterable) and not isinstance(labellings, str):
        by_name = dict(enumerate(labellings))
    else:
        msg = f"labellings must be a list or a mapping of labels, an array or a data frame; it is {labellings!r}."
        raise InputError(msg)
    if len(by_name) < 2:
        msg = f"A consensus needs two labellings or more; there are {len(by_name)}."
        raise InputError(msg)
    rows = [inputs.as_labels(labels, f"labelling {name!r}", noise="drop").codes for name, labels in by_name.items()]
    for name, codes in zip(by_name, rows, strict=True):
        if len(codes) != len(rows[0]):
            msg = f"Labelling {name!r} has {len(codes)} entries but {next(iter(by_name))!r} has {len(rows[0])}."
            raise InputError(msg)
    return np.array(rows, dtype=np.int64)
