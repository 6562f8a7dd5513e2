"""Which criterion can be trusted: criteria against external indices on any data whose clusters are known."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Integers
from clustval.catalogue import select
from clustval.choices import MetricName
from clustval.declare import Request
from clustval.errors import InputError
from clustval.inputs import Labels, at_least, one_of
from clustval.options import seeded
from clustval.passes.work import threads
from clustval.progress import bar
from clustval.relative.estimators import clusterer, numbers_of_clusters, thread_limits
from clustval.relative.labellings import LINKAGES, clustered_rows, coded, cuts, labellings, tree
from clustval.seeding import TaskGenerator, generators
from clustval.sources.space import Space, space_of
from clustval.study.comparison import Comparison
from clustval.study.correlations import CORRELATIONS, TRANSFORMS, Finding, check_names, finding
from clustval.study.method import clusters, joined, peaks
from clustval.study.records import ALL, Task, chains_of

Chained = tuple[list[Integers], list[int]]

RUNS = 20


@seeded
def compare(
    datasets: Iterable[Any],
    criteria: str | Iterable[str] = "vendramin",
    *,
    external: str | Sequence[str] = ("jaccard", "adjusted_rand"),
    correlation: str | Sequence[str] = ("pearson", "wgk", "spearman"),
    partitions: Mapping[str, Any] | Callable[[Any], Any] | None = None,
    estimator: Any = None,
    linkage: str | Sequence[str] | None = None,
    k: int | Iterable[int] | None = None,
    runs: int | None = None,
    transform: str = "knee",
    metric: MetricName = "euclidean",
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Return how well each criterion follows external indices over many partitions of labelled data sets.

    The method of Vendramin, Campello and Hruschka (2010, section 4). Each data set is partitioned many times, well
    and badly; a criterion that can be trusted orders the partitions as an external index does, which knows the
    truth. Their correlation is computed for each data set and averaged over data sets.

    Parameters
    ----------
    datasets
        Of each data set the points, the true labels and a name; optionally the design cell, for data sets that were
        made alike and that Friedman's test ranks together.
    criteria
        A suite of internal indices, a name, or several.
    external
        External indices that stand for the truth.
    correlation
        "pearson", "spearman", "wgk", or several.
    partitions
        Labels that are there already: from the name of a data set to its partitions in any form that `sweep` takes,
        or a function that gives them: of its points, or of their distances where nothing else can be clustered
        ("precomputed" and "gower").
    estimator
        What clusters, as in `sweep`; None for our own k-means, each run from random points.
    linkage
        One or more of SciPy's linkages in place of an estimator: one tree each, cut at every k.
    k
        Numbers of clusters; None for 2 up to the root of the number of points, rounded up.
    runs
        Partitions by the estimator for each k: 20 unless set.
    transform
        How difference-like criteria become peaks: "knee" (eq. 37), "step" (eq. 35) or "change" (eq. 36). They
        compare a partition with those before and after it in its chain: the cuts of one tree, or the r-th run for
        each k, or the r-th of the passed partitions with each number of clusters. Where k has no gaps, partitions
        with one cluster and with one more than the most are added to end the chains; they are not judged themselves.
    metric, random_state, rng, n_jobs, progress
        As in `sweep`. Results do not depend on n_jobs.

    >>> from clustval.study import milligan
    >>> sets = [(*milligan(60, 3, 2, random_state=seed), f"set {seed}") for seed in range(4)]
    >>> comparison = compare(sets, ["silhouette", "dunn"], linkage=["average", "ward"], k=range(2, 9))
    >>> comparison.means("jaccard", "pearson")["silhouette"] > 0.5
    True
    """
    choices = judging(criteria)
    others = select(external, "external", called="external")
    kinds = check_names(correlation, list(CORRELATIONS), "correlation")
    (how,) = check_names(transform, list(TRANSFORMS), "transform")
    data_sets = list(_checked(datasets))
    jobs = inputs.as_jobs(n_jobs)
    maker = _Maker(partitions, estimator, linkage, k, runs, any(c.best.compares > 1 for c in choices))
    generator = generators(random_state)
    findings: list[Finding | None] = [None] * len(data_sets)

    def work(item: int) -> None:
        X, truth, name, cell = data_sets[item]
        space = space_of(X, metric=metric, n_jobs=1)
        labels = inputs.as_labels(truth, f"the truth of {name!r}", noise="cluster", rows=space.row_names)
        if len(labels.codes) != space.n:
            msg = f"Data set {name!r} has {space.n} points but {len(labels.codes)} true labels."
            raise InputError(msg)
        codes, chain = maker.partitions(space, name, generator, item)
        task = Task(name, cell, space, labels, codes, chain)
        findings[item] = finding(task.record(choices, others), choices, kinds, transform=how)

    with bar("Comparing criteria", shown=progress, total=len(data_sets)) as done, one_blas_thread():
        threads.run(work, len(data_sets), jobs, done)
    complete = [one for one in findings if one is not None]
    return Comparison(complete, choices, others, kinds, [maker.method(), *peaks(choices, how)])


def judging(criteria: str | Iterable[str]) -> list[Request]:
    """Return the criteria of these names, or raise an error if one describes partitions and does not judge them."""
    choices = select(criteria, "internal", called="criteria")
    mute = [choice.name for choice in choices if choice.best.better == "neither"]
    if mute and not isinstance(criteria, str):
        msg = f"{mute[0]} describes a partition and does not judge it, so that it cannot be compared."
        raise InputError(msg)
    return [choice for choice in choices if choice.name not in mute]


def _checked(datasets: Iterable[Any]) -> Iterator[tuple[Any, Any, str, str]]:
    names: set[str] = set()
    for at, entry in enumerate(datasets):
        if not isinstance(entry, (tuple, list)) or len(entry) not in (3, 4):
            msg = f"datasets must hold (X, truth, name) or (X, truth, name, cell); entry {at} is not such a tuple."
            raise InputError(msg)
        name = str(entry[2])
        if name in names:
            msg = f"Two data sets are called {name!r}; each needs a name of its own."
            raise InputError(msg)
        names.add(name)
        yield entry[0], entry[1], name, str(entry[3]) if len(entry) == 4 else name
    if not names:
        msg = "datasets is empty; give at least one (X, truth, name)."
        raise InputError(msg)


class _Maker:
    """Makes the partitions of each data set, with chains, by the estimator, by linkages, or as the user passes them."""

    def __init__(self, partitions: Any, estimator: Any, linkage: Any, k: Any, runs: int | None, ends: bool) -> None:
        options = {"estimator": estimator, "linkage": linkage, "k": k, "runs": runs}
        extras = [f"{name}=" for name, value in options.items() if value is not None]
        if partitions is not None and extras:
            msg = f"Give either partitions or {' and '.join(extras)}; partitions are clustered already."
            raise InputError(msg)
        if linkage is not None and (estimator is not None or runs is not None):
            msg = "Give either linkage=, which clusters once, or estimator= and runs=."
            raise InputError(msg)
        self.user_partitions, self.linkages = partitions, None if linkage is None else _linkages(linkage)
        self.estimator, self.runs = estimator, at_least(RUNS if runs is None else runs, 1, "runs")
        self.k = list(k) if isinstance(k, Iterable) else k
        self.ends = ends  # whether chains need a beginning and an end beyond what is judged

    def partitions(self, space: Space, name: str, generator: TaskGenerator, item: int) -> tuple[list[Labels], Integers]:
        if self.user_partitions is not None:
            labels = coded(labellings(space, self._partitions_of(space, name)), "cluster")
            return labels, chains_of(np.array([one.k for one in labels]))
        numbers = numbers_of_clusters(range(2, math.isqrt(space.n - 1) + 2) if self.k is None else self.k, space.n)
        numbers = with_ends(numbers, space.n) if self.ends else numbers
        apart = [k for k in numbers if k > 1]
        if self.linkages is not None:
            codes, chain = of_trees(space, self.linkages, apart)
        else:
            codes, chain = of_runs(space, self.estimator, apart, self.runs, lambda *task: generator(item, *task))
        if 1 in numbers:
            codes, chain = [np.zeros(space.n, dtype=np.int64), *codes], [ALL, *chain]
        return coded(dict(enumerate(codes)), "cluster"), np.array(chain)

    def method(self) -> str:
        """Say how the partitions were made."""
        if self.user_partitions is not None:
            return "Partitions were given."
        many = "2 to √n clusters" if self.k is None else clusters(numbers_of_clusters(self.k, sys.maxsize))
        if self.linkages is not None:
            return f"Partitions: trees by {joined(self.linkages)} linkage, cut into {many}."
        name = "k-means from random points" if self.estimator is None else clusterer(self.estimator).name
        return f"Partitions: {name}, {self.runs} {'run' if self.runs == 1 else 'runs'} for each of {many}."

    def _partitions_of(self, space: Space, name: str) -> Any:
        if callable(self.user_partitions):
            return self.user_partitions(clustered_rows(space, self.user_partitions))
        if not isinstance(self.user_partitions, Mapping) or name not in self.user_partitions:
            msg = f"partitions must map the name of each data set to its partitions; {name!r} is missing."
            raise InputError(msg)
        return self.user_partitions[name]


def _linkages(linkage: Any) -> list[str]:
    """Return the names of linkages, or raise an error if one is not SciPy's."""
    names = list(linkage) if isinstance(linkage, Iterable) and not isinstance(linkage, str) else [linkage]
    if not names:
        msg = "linkage is empty; name at least one, such as 'average'."
        raise InputError(msg)
    return [one_of(name, LINKAGES, "linkage") for name in names]


def one_blas_thread() -> contextlib.AbstractContextManager[Any]:
    """Return a context in which BLAS starts no threads: these matrices are too small to share."""
    return thread_limits()("blas")


def with_ends(numbers: list[int], n: int) -> list[int]:
    """Return the numbers of clusters with one before the first and one after the last, where there are no gaps.

    >>> with_ends([2, 3, 4], n=10), with_ends([2, 4], n=10)
    ([1, 2, 3, 4, 5], [2, 4])
    """
    first, last = numbers[0], numbers[-1]
    if numbers != list(range(first, last + 1)):
        return numbers
    return list(range(max(1, first - 1), min(n, last + 1) + 1))


def of_trees(space: Space, linkages: Sequence[str], numbers: list[int]) -> Chained:
    """Return the labels of trees cut into each number of clusters, and the number of the tree of each."""
    trees = [cuts(tree(space, linkage), numbers) for linkage in linkages]
    codes = [labels for labels_by_k in trees for labels in labels_by_k.values()]
    return codes, [chain for chain in range(len(trees)) for _ in numbers]


def of_runs(space: Space, estimator: Any, numbers: list[int], runs: int, generator: TaskGenerator) -> Chained:
    """Return the labels of several runs for each number of clusters, and the number of the run of each."""
    chain = [run for _ in numbers for run in range(runs)]
    tasks = [(k, run) for k in numbers for run in range(runs)]
    points = clustered_rows(space, estimator)
    if estimator is not None:
        cluster = clusterer(estimator)
        return [cluster(points, k, generator(k, run)) for k, run in tasks], chain
    from clustval.passes.kmeans.lloyd import partitions as runs_of_lloyd  # noqa: PLC0415 - loads the compiler

    starts = [rng.choice(space.n, k, replace=False) for k in numbers for rng in [generator(k)] for _ in range(runs)]
    labels, _ = runs_of_lloyd(points, starts)
    return list(labels), chain
