"""Many indices of one source at once: each statistic is computed once, whoever asks for it."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from clustval.catalogue import kinds, select
from clustval.choices import MetricName, NoisePolicy, SuiteName
from clustval.declare import PARAMETERS, PENALTY, Plan, Request, Source, plan_of
from clustval.errors import InputError, UndefinedIndexError
from clustval.estimates.estimate import check_confidence, check_width, estimates
from clustval.estimates.population import population_intervals
from clustval.homes.cell_files import cells_of
from clustval.homes.odd_columns import warn_of_columns
from clustval.homes.rows_at_home import graph_at_home, rows_at_home
from clustval.inputs import as_jobs, as_memory, read_as
from clustval.options import renamed, seeded
from clustval.progress import bar
from clustval.readers.file_rows import paths_of
from clustval.readers.open_rows import in_blocks, mixed_rows_of, rows_of
from clustval.readers.pieces import Limits, Rows, Table, is_paths
from clustval.readers.whole_rows import mixed_file
from clustval.results import Scores
from clustval.sources.blocks import Blocks
from clustval.sources.clustered_points import checked_rows
from clustval.sources.partition import partition
from clustval.sources.stream import Stream, check_streamable

Names = SuiteName | str | Iterable[str] | Mapping[str, Mapping[str, Any]]


@seeded
def evaluate(
    X: Any,
    labels: Any = None,
    indices: Names = "default",
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    approximate: float | None = None,
    confidence: float | None = None,
    random_state: Any = 0,
    rng: Any = None,
    features: Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    neighbours: Any = None,
    executor: Any = None,
    progress: bool | None = None,
) -> Scores:
    """Return the values of several internal indices of a clustering.

    Parameters
    ----------
    X
        One row per point: lists, arrays, data frames; or a square matrix of distances with
        ``metric="precomputed"``. Read in blocks, so that it need not fit into memory, are: a path, a pattern, a
        folder or a list of these (Parquet, Arrow, NPY, NPZ, safetensors), mapped arrays, polars LazyFrames, arrays
        and data frames of Dask, and arrays with chunks, such as those of Zarr. The path of any other table that the
        program reads (CSV, TSV, JSON, Excel, compressed NPZ, also zipped) is read at once. Annotated cells: AnnData,
        MuData, and the paths of their files, `.h5ad` and `.zarr`, which are read in blocks if they are large.
    labels
        One label per point, of any type. -1 and missing values are noise. Labels of pandas are brought into the order
        of X by their index. An estimator such as ``KMeans(3)`` stands for the labels that it has for X, or gives to it.
        The name of a column, where X is a data frame, annotated cells, or is read from a file or in blocks and has
        names; of a column of another file, ``"labels.csv:cluster"``, where X is a path.
    indices
        A suite ("default", "fast", "all", "clustercrit", "zaki", "vendramin", "nbclust", "density", "hennig",
        "sklearn"), a name, several, or a mapping from names to options: ``{"log_ss_ratio": {"base": 2}}``.
    metric
        The distance between two points, and between a point and a centre: a name that SciPy knows, "gower" for tables
        of numbers and categories, "dtw" for series ("dtw(10)" with a window), a function of two points, or
        "precomputed". Sums of squares are Euclidean whatever the metric, and undefined where it compares sets or
        categories.
    noise
        What happens to noise: "drop" leaves it out, "cluster" makes it a cluster, "singletons" makes each point
        one, "error" refuses it, "penalty" leaves it out and makes values worse: times the share of points that count
        where higher is better, divided by it where lower is; values of indices that count noise stay as they are.
    sample_weight
        How often each point counts: a weight of 3 is the same as three rows, one of 0 as none. Indices of ranks
        take whole numbers only.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    memory
        Budget for pairwise work in bytes or as text, "2 GiB".
    approximate
        The error that is allowed, such as 0.01: half the width of an interval. Indices that would take all pairs of
        many points are then estimated from a sample, with such an interval in ``.intervals``; others stay exact.
    confidence
        Share of the intervals that hold the value, 0.95 for estimates. Given without `approximate`, for data in
        memory, it asks for intervals of exact values, the points being a sample of a population.
    random_state, rng
        Seed of the samples. The same rows are drawn whatever the blocks and whoever reads them.
    features
        Columns that are the points, where X is a data frame, or is read from a file or in blocks; None for all but
        labels and weights, of a file, and of a frame that has the labels, for all of these that hold numbers.
    use_rep
        Which representation of annotated cells is the points, X_pca unless it is said. UMAP and t-SNE are refused.
    force
        Judge in UMAP or t-SNE all the same.
    neighbours
        A graph of nearest neighbours that is there already, so that none are searched where it has enough of each
        point: a sparse matrix of distances, of which what is missing is not known; a pair of indices and distances;
        or the name of a graph in obsp of annotated cells. With X=None it is all that is known: indices of neighbours
        have values, others a reason.
    executor
        Who reads the blocks: None for threads of this process, an executor of `concurrent.futures`, or a
        `dask.distributed.Client`. The values do not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    >>> scores = evaluate([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], ["dunn", "pbm"])
    >>> scores["dunn"]
    1.5
    """
    noise, penalty = read_as(noise)
    choices = select(indices, "internal", metric=metric)
    width = None if approximate is None else check_width(approximate)
    level = None if confidence is None else check_confidence(confidence)
    if isinstance(X, Blocks):
        return scores_of(X, choices)
    with bar("Computing", shown=progress) as done:
        plan = plan_of(choices, memory=memory, done=done, limited=True)
        common: dict[str, Any] = {"metric": metric, "noise": noise, "n_jobs": n_jobs, "plan": plan}
        drawn = width is not None or level is not None
        home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force, "neighbours": neighbours}
        source = source_of(X, labels, sample_weight=sample_weight, executor=executor, drawn=drawn, **home, **common)
        if width is not None:
            check_coordinates(source)
            made = estimates(source, choices, width=width, confidence=level or 0.95, random_state=random_state)
            scores = Scores(made.values, made.reasons, choices, source, intervals=made.intervals)
            return scores.penalised() if penalty else scores
        scores = scores_of(source, choices)
        if level is None:
            return scores.penalised() if penalty else scores
        if isinstance(source, Stream):
            msg = "confidence without approximate= is for data in memory: it leaves out points and computes again."
            raise InputError(msg)
        intervals = population_intervals(source, choices, scores, level, random_state)
        scores = Scores(scores, scores.reasons, choices, source, intervals=intervals)
        return scores.penalised() if penalty else scores


def source_of(
    X: Any,
    labels: Any,
    *,
    sample_weight: Any,
    executor: Any,
    plan: Plan,
    n_jobs: int | None,
    features: Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    neighbours: Any = None,
    drawn: bool = False,
    **common: Any,
) -> Any:
    """Return the source of internal indices: points in memory, or rows that are read in blocks.

    Samples are `drawn` from points that are sorted by cluster.
    """
    common |= {"plan": plan, "n_jobs": n_jobs}
    rows: Table | Rows
    table: Table | None = None
    if common["metric"] == "gower" and is_paths(X) and cells_of(X) is None:
        whole = Limits(as_memory(plan.memory), as_jobs(n_jobs))
        table = mixed_rows_of(X, labels, features=features, weights=sample_weight, limits=whole)
        if table is None:
            X, labels, sample_weight = mixed_file(paths_of(X)[0], labels, sample_weight)
    graph = graph_at_home(X, neighbours)
    if X is None and graph is not None:
        return partition(None, labels, sample_weight=sample_weight, neighbours=graph, **common)
    if table is not None:
        rows = table
    elif in_blocks(X):
        check_streamable(common["metric"])
        room = 0 if plan.dry else as_memory(plan.memory)  # a plan alone reads rows no second time
        limits = Limits(room, as_jobs(n_jobs)) if executor is None else None
        wanted: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force}
        rows = rows_of(X, labels, weights=sample_weight, limits=limits, **wanted)
    else:
        check_in_memory(executor)
        values = {"labels": labels, "sample_weight": sample_weight}
        home: dict[str, Any] = {"metric": common["metric"], "use_rep": use_rep, "force": force}
        points, values = rows_at_home(X, values, features=features, **home)
        rows = Rows(points, values["labels"], values["sample_weight"])
    if features is None and isinstance(rows, Rows):
        warn_of_columns(rows.X, common["metric"])
    if graph is not None:
        known = _whole(rows)
        return partition(known.X, known.labels, sample_weight=known.weights, neighbours=graph, **common)
    if isinstance(rows, Table):
        return Stream(rows, executor=executor, **common)
    make = partition if drawn else checked_rows
    return make(rows.X, rows.labels, sample_weight=rows.weights, **common)


def _whole(rows: Table | Rows) -> Rows:
    """Return rows in memory, or raise an error if they are read in blocks."""
    if isinstance(rows, Table):
        msg = "neighbours= needs the points in memory; X is read in blocks. With X=None the graph alone is judged."
        raise InputError(msg)
    return rows


def check_coordinates(source: Any) -> None:
    """Raise an error if there are only distances, of which no sample is drawn."""
    if not source.has_coordinates:
        msg = "approximate= needs coordinates; metric='precomputed' has all distances at hand already."
        raise InputError(msg)


def check_in_memory(executor: Any) -> None:
    """Raise an error if there is someone to read blocks of data that are in memory."""
    if executor is not None:
        msg = "executor is for data that are read in blocks, such as a path or a collection of Dask; X is in memory."
        raise InputError(msg)


def scores_of(source: Source, choices: Sequence[Request]) -> Scores:
    """Return the value of each chosen index, NaN with a reason where it has none."""
    values, reasons = values_of(source, choices)
    return Scores(values, reasons, choices, source)


def values_of(source: Source, choices: Sequence[Request]) -> tuple[dict[str, float], dict[str, str]]:
    """Return the value of each chosen index, NaN where it has none, and the reasons why."""
    values: dict[str, float] = {}
    reasons: dict[str, str] = {}
    with np.errstate(all="ignore"):  # x/0 is infinite, 0/0 is no value
        for choice in choices:
            try:
                values[choice.name] = choice.index.silent_value(source, choice.options)
            except UndefinedIndexError as reason:
                values[choice.name] = math.nan
                reasons[choice.name] = str(reason)
    return values, reasons


def evaluation_of(kind: str) -> Callable[..., Scores]:
    """Return the function that evaluates all indices of a kind, or some: it takes what each of them takes."""
    (only,) = kinds(kind)

    def evaluate(*positional: Any, indices: Names = "all", **named: Any) -> Scores:
        choices = select(indices, kind, metric=named.get("metric"))
        if positional and isinstance(positional[0], Source):  # made beforehand, such as one of blocks
            return scores_of(positional[0], choices)
        named, penalty = read_as_drop(named)
        bound = takes.bind(*positional, **renamed(named, only.synonyms))
        scores = scores_of(only.source(*bound.args, **bound.kwargs, plan=plan_of(choices, limited=True)), choices)
        return scores.penalised() if penalty else scores

    takes = inspect.Signature(only.parameters)
    summary = f"Return the values of all {kind} indices, or of those named in `indices`, as `Scores`."
    names_of = "indices\n    A suite, a name, several, or a mapping from names to options; all by default."
    evaluate.__doc__ = f"{summary}\n\n{PARAMETERS}{only.explained}\n{names_of}\n"
    names = inspect.Parameter("indices", inspect.Parameter.KEYWORD_ONLY, default="all", annotation="Names")
    evaluate.__signature__ = takes.replace(  # type: ignore[attr-defined]
        parameters=[*only.parameters, names], return_annotation="Scores"
    )
    return evaluate


def read_as_drop(named: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return arguments as sources take them, and whether values are made worse by noise."""
    penalty = named.get("noise") == PENALTY
    return (named | {"noise": "drop"} if penalty else named), penalty
