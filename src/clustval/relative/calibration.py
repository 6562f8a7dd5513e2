"""Statistics of clusterings made comparable: each against its values for random clusterings of the same data.

An index says little by its value alone: what counts is how far it is from what clusterings nobody looked for have on
the same data. So calibrated, indices of different things can be averaged (Hennig 2019; Akhanli and Hennig 2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.catalogue import kinds, select
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Plan, Request
from clustval.drawn import Drawn
from clustval.errors import InputError, optional
from clustval.evaluation import Names
from clustval.inputs import Labels, at_least, is_number, one_of
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.options import seeded
from clustval.passes.sweeps.partitions import Distances
from clustval.progress import bar
from clustval.readers.rows_in_memory import partitions_in_memory
from clustval.relative.coverage import make_worse
from clustval.relative.labellings import coded, labellings
from clustval.relative.random_clusterings import WAYS, random_clusterings
from clustval.relative.scoring import table_of
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.sources.space import Space, space_of
from clustval.sources.sweep_curves import SweepIndex
from clustval.suites import SUITES
from clustval.tables import decimal, html_table, number, text_table

if TYPE_CHECKING:
    from clustval.tables import PandasFrame, PolarsFrame

Scope = Literal["all", "k"]
What = Literal["z", "percentages", "values"]

POINTS = 5000  # more are sampled: clusterings then take quadratic time each, thousands of times
SHOWN = 12  # partitions up to which a table prints every z-score
SUITE = "hennig"
# Akhanli and Hennig (2020) add the stability of the clustering method under the bootstrap, which labels do not tell.
PRESETS = {"homogeneous": ("avewithin", "pearsongamma"), "separated": ("widestgap", "sindex")}
PRESET_ALIASES = {"a1": "homogeneous", "a2": "separated"}
INFINITE = "its value is infinite"
ALONE = "it is compared with fewer than two clusterings that have a finite value"
FLAT = "all clusterings it is compared with have the same value"


@dataclass(frozen=True, repr=False, eq=False)
class Calibration(Drawn, Result):
    """Statistics of partitions, calibrated by random clusterings of the same data, and their weighted mean.

    Attributes
    ----------
    names, k, coverage
        Of each partition: its name, its number of clusters, and the share of the points that are not noise.
    values
        One row per partition, one column per statistic, as the index gives it; NaN where it has no value.
    z
        The same as z-scores: less the mean of the clusterings it is compared with, over their standard deviation
        (divided by their number less 1). The larger the better, also where small values of an index are good.
    percentages
        The same as the share of the clusterings it is compared with that are worse, (worse + 1) / (all + 1).
    weights
        From the name of a statistic to its weight in the aggregate.
    reasons
        From (partition, statistic) to the reason why there is no z-score.
    reference_values, reference_k, reference_ways
        Of each random clustering: its statistics, its number of clusters, and the way in which it came about.
    scope, pooled, references
        What was asked for.
    n_points, n_rows
        Number of points that everything was computed from, and number of rows of X; fewer points are a sample.
    """

    _figure = "calibration"

    names: tuple[Hashable, ...]
    k: Integers
    coverage: Floats
    choices: tuple[Request, ...]
    values: Floats
    z: Floats
    percentages: Floats
    weights: Mapping[str, float]
    reasons: Mapping[tuple[Hashable, str], str]
    reference_values: Floats
    reference_k: Integers
    reference_ways: NDArray[np.str_]
    scope: Scope
    pooled: bool
    references: int
    n_points: int
    n_rows: int

    @property
    def statistics(self) -> tuple[str, ...]:
        """The names of the statistics."""
        return tuple(choice.name for choice in self.choices)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Statistics with a weight that are not in the aggregate, since no partition has a z-score of them."""
        weighed = [(at, name) for at, name in enumerate(self.statistics) if self.weights[name]]
        return tuple(name for at, name in weighed if np.isnan(self.z[:, at]).all())

    @property
    def aggregate(self) -> Floats:
        """Weighted mean of the z-scores of each partition; NaN where one of them is missing."""
        return self._weighted(self.z)

    @property
    def aggregate_percentage(self) -> Floats:
        """Weighted mean of the percentages of each partition; NaN where one of them is missing."""
        return self._weighted(self.percentages)

    def _weighted(self, scores: Floats) -> Floats:
        weights = np.array([0.0 if name in self.left_out else self.weights[name] for name in self.statistics])
        counted = weights > 0
        if not counted.any():
            return np.full(len(scores), np.nan)
        return np.asarray(scores[:, counted] @ weights[counted] / weights.sum())

    @property
    def best(self) -> Hashable | None:
        """The partition with the largest aggregate, the first of equals; None if there is none."""
        aggregate = self.aggregate
        return None if np.isnan(aggregate).all() else self.names[int(np.nanargmax(aggregate))]

    def __getitem__(self, statistic: str) -> Floats:
        """Return the z-scores of one statistic, one per partition."""
        return self.z[:, self.statistics.index(_among(statistic, self.statistics))]

    def __len__(self) -> int:
        return len(self.names)

    def reweighted(self, weights: str | Mapping[str, float] | None) -> Calibration:
        """Return the same z-scores with other weights; nothing is computed again."""
        return replace(self, weights=_weights(weights, self.choices))

    def _records(self, what: What) -> list[dict[str, Any]]:
        scores: Floats = getattr(self, one_of(what, ("z", "percentages", "values"), "what"))
        aggregate = self.aggregate_percentage if what == "percentages" else self.aggregate
        return [
            {"partition": name, "k": int(k), "aggregate": float(mean)} | dict(zip(self.statistics, row, strict=True))
            for name, k, mean, row in zip(self.names, self.k, aggregate, scores.tolist(), strict=True)
        ]

    def to_pandas(self, what: What = "z") -> PandasFrame:
        """Return a pandas data frame, one row per partition: k, the aggregate, and "z", "percentages" or "values"."""
        frame: PandasFrame = optional("pandas", "pandas").DataFrame(self._records(what)).set_index("partition")
        return frame

    def to_polars(self, what: What = "z") -> PolarsFrame:
        """Return a polars data frame, one row per partition, names of partitions as text."""
        records = [record | {"partition": str(record["partition"])} for record in self._records(what)]
        frame: PolarsFrame = optional("polars", "report").DataFrame(records)
        return frame

    def _rows(self) -> list[list[str]]:
        """The table that is shown: a statistic per row; the best partitions alone if there are many."""
        aggregate = self.aggregate
        if len(self) > SHOWN:
            order = np.argsort(np.nan_to_num(-aggregate, nan=np.inf), kind="stable")[:SHOWN]
            rows = [["partition", "k", "aggregate"]]
            return rows + [[str(self.names[at]), str(self.k[at]), decimal(aggregate[at], 2)] for at in order.tolist()]
        rows = [["statistic", "weight", *map(str, self.names)]]
        for at, name in enumerate(self.statistics):
            rows.append([name, number(float(self.weights[name])), *(decimal(z, 2) for z in self.z[:, at].tolist())])
        best = self.best
        marked = [
            decimal(z, 2) + ("*" if n == best else "") for n, z in zip(self.names, aggregate.tolist(), strict=True)
        ]
        return [*rows, ["aggregate", "", *marked]]

    @property
    def _about(self) -> str:
        numbers = "all numbers of clusters" if self.scope == "all" else "the same number of clusters"
        company = " and the other partitions" if self.pooled else ""
        each = len(WAYS) * self.references
        about = f"z-scores against random clusterings into {numbers}{company}, {each} for each number"
        if self.n_points < self.n_rows:
            about += f"; from a sample of {self.n_points:,} of {self.n_rows:,} points"
        if self.left_out:
            about += f"; without {', '.join(self.left_out)}, which no partition has"
        return about

    def __str__(self) -> str:
        rows = self._rows()
        return f"{text_table(rows, right=range(1, len(rows[0])))}\n{self._about}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"{html_table(self._rows())}<p>{self._about}</p>"


@seeded
def calibrate(
    X: Any,
    partitions: Any,
    statistics: Names = SUITE,
    *,
    references: int = 100,
    scope: Scope = "all",
    weights: str | Mapping[str, float] | None = None,
    pooled: bool = True,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    progress: bool | None = None,
) -> Calibration:
    r"""Return statistics of partitions, calibrated by random clusterings of the same data, and their weighted mean.

    .. math:: z = \frac{v - \bar r}{s_r}, \qquad A = \frac{\sum_j w_j z_j}{\sum_j w_j}

    with v the value of a partition, and the mean and standard deviation of the values r of the clusterings it is
    compared with. For each number of clusters random clusterings are grown from random points in four ways: each point
    to the nearest of them; or, one after the other, the point and the cluster nearest to each other by the nearest, by
    the farthest or by all points of the cluster on average.

    Parameters
    ----------
    X
        One row per point, or a square matrix of distances with ``metric="precomputed"``. Of more than 5,000 points, or
        of more than the memory allows distances of, a random sample is taken for everything; ``n_points`` says so.
    partitions
        A mapping from k or any other name to labels, a list of labels, an array of one row per partition, or a data
        frame of one column per partition; or names of columns of X.
    statistics
        "hennig" for the fifteen of Hennig, or names: of these, as fpc calls them ("asw", "sindex"), or of any internal
        indices, also as a mapping from names to options: ``{"mnnd": {"neighbours": 4}}``.
    references
        Number of random clusterings in each of the four ways, for each number of clusters.
    scope
        Which random clusterings a partition is compared with: "all", whatever their number of clusters, to choose that
        number; or "k", those with its own.
    weights
        From the names of statistics to their weights in the aggregate, 0 for those not named; None for equal weights;
        or what clusters are for: "homogeneous" (avewithin and pearsongamma, A1 of Akhanli and Hennig) or "separated"
        (widestgap and sindex, A2). Both have the stability of the method as well there, which labels do not tell.
    pooled
        Whether the partitions are compared with each other too, as in fpc, or with random clusterings alone.
    metric, noise, n_jobs, memory, progress
        As in `evaluate`. Noise is left out of a partition's own statistics, but not of random clusterings; "penalty"
        makes the statistics of a partition worse by its share of noise before they are compared.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        Seed, for results that can be had again. The random clusterings for one k do not depend on which others there
        are.

    Returns
    -------
    Calibration
        ``best``, ``aggregate``, ``z``, ``percentages`` and ``values``, and what they were compared with.

    >>> X = [[0], [1], [2], [10], [11], [12], [20], [21], [22]]
    >>> labels = {"right": [0, 0, 0, 1, 1, 1, 2, 2, 2], "wrong": [0, 1, 2, 0, 1, 2, 0, 1, 2]}
    >>> calibrate(X, labels, ["asw", "sindex"], references=25, random_state=0).best
    'right'
    """
    choices = _choices(statistics)
    by_statistic = _weights(weights, choices)
    one_of(scope, ("all", "k"), "scope")
    count = at_least(references, 1, "references")
    generator = generators(random_state)
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force}
    X, partitions, _ = partitions_in_memory(X, partitions, metric=metric, **home)
    whole = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory))
    by_name = labellings(whole, partitions)
    noise, penalty = inputs.read_as(noise)
    coded_labels = coded(by_name, noise)
    space, labels = _sampled(whole, coded_labels, generator)
    k = np.array([one.k for one in labels])
    numbers = [int(c) for c in np.unique(k) if 2 <= c < space.n]
    with bar("Evaluating", shown=progress, total=len(labels) + len(WAYS) * count * len(numbers)) as done:
        table = table_of(space, labels, choices, done)
        draw = random_clusterings(space, generator)
        tables = [table_of(space, _labelled(draw(c, count), c), choices, done).values for c in numbers]
    company = np.vstack([np.empty((0, len(choices))), *tables])
    company_k = np.repeat(np.array(numbers, dtype=np.int64), len(WAYS) * count)
    names = tuple(by_name)
    reasons = {(names[row], statistic): reason for (row, statistic), reason in table.reasons.items()}
    coverage = np.array([np.mean(one.codes >= 0) for one in coded_labels])
    values = table.values
    if penalty:
        columns = {choice.name: values[:, at] for at, choice in enumerate(choices)}
        make_worse(columns, reasons, choices, dict(zip(names, coverage.tolist(), strict=True)))
        values = np.column_stack([columns[choice.name] for choice in choices])
    z, percentages, counts = _calibrated(choices, values, k, company, company_k, scope=scope, pooled=pooled)
    for row, column in np.argwhere(np.isnan(z) & ~np.isnan(values)).tolist():
        why = INFINITE if np.isinf(values[row, column]) else ALONE if counts[row, column] < 2 else FLAT
        reasons[names[row], choices[column].name] = f"{choices[column].name} cannot be calibrated: {why}."
    return Calibration(
        names=names,
        k=k,
        coverage=coverage,
        choices=tuple(choices),
        values=values,
        z=z,
        percentages=percentages,
        weights=by_statistic,
        reasons=reasons,
        reference_values=company,
        reference_k=company_k,
        reference_ways=np.tile(np.repeat(np.array(WAYS), count), len(numbers)),
        scope=scope,
        pooled=bool(pooled),
        references=count,
        n_points=space.n,
        n_rows=whole.n,
    )


def _labelled(codes: Integers, k: int) -> list[Labels]:
    names = list(range(k))
    return [Labels(row, names) for row in codes]


# --- what is asked for -----------------------------------------------------------------------------------


def _choices(statistics: Names) -> list[Request]:
    """Return the statistics; names of the suite come before those of other indices."""
    load_names = kinds("internal")[0].records

    def full(name: Any) -> Any:
        if not isinstance(name, str):
            return name
        key = name.strip().lower()
        if key in SUITES[SUITE]["internal"]:
            return f"{SUITE}:{key}"
        return f"hennig_{key}" if f"hennig_{key}" in load_names else name

    asked: Names
    if isinstance(statistics, str):
        asked = full(statistics)
    elif isinstance(statistics, Mapping):
        asked = {full(name): options for name, options in statistics.items()}
    else:
        asked = [full(name) for name in statistics] if isinstance(statistics, Iterable) else statistics
    choices = select(asked, "internal", called="statistics")
    for choice in choices:
        if isinstance(choice.index, SweepIndex):
            raise InputError(choice.index.alone)
        if choice.best.better == "neither":
            msg = f"{choice.name} describes partitions and does not judge them, so that it cannot be calibrated."
            raise InputError(msg)
    return choices


def _weights(weights: str | Mapping[str, float] | None, choices: Sequence[Request]) -> dict[str, float]:
    """Return the weight of each statistic."""
    names = [choice.name for choice in choices]
    if weights is None:
        return dict.fromkeys(names, 1.0)
    if isinstance(weights, str):
        key = PRESET_ALIASES.get(weights.lower(), weights.lower())
        if key not in PRESETS:
            known = ", ".join(map(repr, PRESETS))
            msg = f"weights must be {known}, or a mapping from statistics to numbers; it is {weights!r}."
            raise InputError(msg)
        missing = [name for name in PRESETS[key] if name not in names]
        if missing:
            needed = " and ".join(PRESETS[key])
            msg = f"weights={weights!r} needs the statistics {needed}; {missing[0]} is not among them."
            raise InputError(msg)
        weights = dict.fromkeys(PRESETS[key], 1.0)
    by_name = dict.fromkeys(names, 0.0)
    for name, weight in weights.items():
        if not is_number(weight) or not 0 <= weight < math.inf:
            msg = f"Weights must be numbers from 0; that of {name!r} is {weight!r}."
            raise InputError(msg)
        by_name[_among(name, names)] = float(weight)
    if not any(by_name.values()):
        msg = "The weights are all 0; at least one statistic must weigh more."
        raise InputError(msg)
    return by_name


def _among(name: Any, names: Sequence[str]) -> str:
    """Return the statistic of this name, or raise an error that says which there are."""
    key = name.strip().lower() if isinstance(name, str) else name
    if key not in names:
        msg = f"{name!r} is none of the statistics; {', '.join(names)} are."
        raise InputError(msg)
    return str(key)


def _sampled(space: Space, labels: list[Labels], generator: TaskGenerator) -> tuple[Space, list[Labels]]:
    """Return so many of the points that all distances can be held, twice, and the labels of these."""
    most = POINTS
    while 2 * Distances.bytes_needed(most, ranked=False) > space.memory:
        most -= 1
    if space.n <= most:
        return space, labels
    rows = generator(0).choice(space.n, most, replace=False)
    kept = np.zeros(space.n, dtype=bool)
    kept[rows] = True
    sample = []
    for one in labels:
        present, codes = np.unique(one.codes[kept], return_inverse=True)
        noise = int(present[0] == -1)
        sample.append(Labels(codes - noise, [one.names[c] for c in present[noise:].tolist()]))
    return space.restricted(kept), sample


# --- calibrated ------------------------------------------------------------------------------------------


def _calibrated(
    choices: Sequence[Request],
    values: Floats,
    k: Integers,
    company: Floats,
    company_k: Integers,
    *,
    scope: Scope,
    pooled: bool,
) -> tuple[Floats, Floats, Integers]:
    """Return z-scores and percentages of the values of partitions among those of the clusterings in their company.

    The third is how many of these clusterings have a finite value.
    """
    if pooled:
        company, company_k = np.vstack([company, values]), np.concatenate([company_k, k])
    ours, theirs = _oriented(values, choices), _oriented(company, choices)
    theirs[~np.isfinite(theirs)] = np.nan
    z, percentages = np.full(values.shape, np.nan), np.full(values.shape, np.nan)
    counts = np.zeros(values.shape, dtype=np.int64)
    for number_of_clusters in np.unique(k) if scope == "k" else [None]:
        rows = np.flatnonzero(k == number_of_clusters) if scope == "k" else np.arange(len(k))
        around = theirs[company_k == number_of_clusters] if scope == "k" else theirs
        for column in range(values.shape[1]):
            others, own = around[:, column], ours[rows, column]
            others = others[~np.isnan(others)]
            counts[rows, column] = len(others)
            if len(others) < 2:
                continue
            spread, rounding = others.std(ddof=1), ROUNDING_OF_VALUES * np.abs(others).max()
            there = np.isfinite(own)
            if spread > rounding:
                z[rows[there], column] = (own[there] - others.mean()) / spread
                worse = (own[there, None] - others > rounding).sum(axis=1)
                percentages[rows[there], column] = (worse + 1) / (len(others) + 1)
    return z, percentages, counts


def _oriented(values: Floats, choices: Iterable[Request]) -> Floats:
    """Return the values turned so that larger ones are better."""
    return np.column_stack([TURNS[choice.best.better](values[:, at]) for at, choice in enumerate(choices)])


TURNS: dict[str, Callable[[Floats], Floats]] = {
    "higher": lambda values: values,
    "lower": lambda values: -values,
    "nearer 0": lambda values: -np.abs(values),
}
