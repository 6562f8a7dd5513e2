"""Many indices of one clustering at once: each statistic is computed once, whoever asks for it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from clustval.errors import UndefinedIndexError
from clustval.partition import partition
from clustval.progress import bar
from clustval.registry import Source
from clustval.results import Scores
from clustval.suites import Choice, select


def evaluate(
    X: Any,
    labels: Any,
    indices: str | Iterable[str] = "default",
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    memory: int | str | None = None,
    progress: bool = False,
) -> Scores:
    """Return the values of several internal indices of a clustering.

    Parameters
    ----------
    X
        One row per point: lists, arrays, data frames; or a square matrix of distances with
        ``metric="precomputed"``.
    labels
        One label per point, of any type. -1 and missing values are noise.
    indices
        A suite ("default", "fast", "all", "clustercrit", "zaki", "vendramin", "sklearn"), a name, or several.
    metric
        The distance between two points, and between a point and a centre: a name that SciPy knows, a function of
        two points, or "precomputed". Sums of squares are Euclidean whatever the metric.
    noise
        What happens to noise: "drop" leaves it out, "cluster" makes it a cluster, "singletons" makes each point
        one, "error" refuses it.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    memory
        Budget for pairwise work in bytes or as text, "2 GiB".
    progress
        Whether to show a progress bar.

    >>> scores = evaluate([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], ["dunn", "pbm"])
    >>> scores["dunn"]
    1.5
    """
    choices = select(indices, "internal")
    needs = {s for c in choices for s in c.index.needs}
    with bar("Computing", shown=progress) as done:
        source = partition(X, labels, metric=metric, noise=noise, n_jobs=n_jobs, memory=memory, needs=needs, done=done)
        return scores_of(source, choices)


def scores_of(source: Source, choices: Sequence[Choice]) -> Scores:
    """Return the value of each chosen index, NaN with a reason where it has none."""
    values: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for choice in choices:
        try:
            values[choice.name] = choice.index.value(source, choice.options)
        except UndefinedIndexError as reason:
            values[choice.name] = math.nan
            reasons[choice.name] = str(reason)
    return Scores(values, reasons, choices, source)
