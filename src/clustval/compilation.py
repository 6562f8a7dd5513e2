"""Kernels compiled beforehand: for an image, an installation for many users, or the first call of the day."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.choosing.choose import choose
from clustval.compare.agreement import agreement
from clustval.diagnosis.diagnose import diagnose
from clustval.ensembles.consensus import consensus
from clustval.errors import InputError, suggestion
from clustval.evaluation import evaluate
from clustval.passes.work import thresholds
from clustval.progress import bar
from clustval.relative.gap import gap_statistic
from clustval.relative.prediction import prediction_strength
from clustval.relative.stability import stability
from clustval.relative.sweep import sweep
from clustval.tendency.hopkins import hopkins

METRICS = ("sqeuclidean", "manhattan", "chebyshev", "cosine", "correlation", "hamming", "minkowski")

# Beyond these sizes other kernels begin; between them the same ones run, whatever the size.
FEW, MANY = 300, 1200
LABELS = thresholds.LABELS + 1 if thresholds.COMPILED else FEW
STREAM = thresholds.STREAM + 1 if thresholds.COMPILED else FEW


def _points(n: int, p: int) -> tuple[Floats, Integers]:
    """Return points of three clusters that touch, with the cluster of each."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, n)
    return rng.normal(size=(n, p)) + 3 * labels[:, None], labels


def _default() -> None:
    for n, p in ((FEW, 2), (MANY, 8), (LABELS, 2)):
        X, labels = _points(n, p)
        evaluate(X, labels, "fast" if n > MANY else "default")
    for n, p in ((FEW, 2), (MANY, 8)):
        evaluate(*_points(n, p), ["silhouette"])  # by itself it asks for no largest distances
    X, labels = _points(MANY, 8)
    evaluate(X, labels.astype(str), "default", noise="cluster")
    evaluate(X.astype(np.float32), labels, "default")
    evaluate(*_points(STREAM, 2), ["calinski_harabasz", "davies_bouldin"])


def _all() -> None:
    for n, p in ((FEW, 2), (MANY, 8), (6 * MANY, 2)):
        X, labels = _points(n, p)
        evaluate(X, labels, "all")
        evaluate(X, labels, "density")
        evaluate(X, labels, ["dunn"])  # by itself it searches a tree, beside others it reads their distances


def _metrics() -> None:
    X, labels = _points(MANY, 8)
    for metric in METRICS:
        evaluate(X, labels, "default", metric=metric)
    distances = np.abs(X[:, None, 0] - X[None, :, 0])
    evaluate(distances, labels, "default", metric="precomputed")


def _agreement() -> None:
    for n in (FEW, LABELS):
        _, labels = _points(n, 1)
        agreement(labels, np.roll(labels, n // 10), "all")
        agreement(labels.astype(str), np.roll(labels, n // 10))


def _sweep() -> None:
    for n, p in ((FEW, 2), (MANY, 8)):
        X, _ = _points(n, p)
        sweep(X, k=range(2, 5), random_state=0)
        gap_statistic(X, range(1, 4), n_references=5, random_state=0)
        stability(X, range(2, 4), n_samples=5, random_state=0)
        prediction_strength(X, range(2, 4), random_state=0)
        hopkins(X, random_state=0)


def _choose() -> None:
    for n, p in ((FEW, 2), (MANY, 8)):
        choose(_points(n, p)[0], n_references=19, random_state=0)


def _diagnose() -> None:
    for n, p in ((FEW, 2), (MANY, 8)):
        diagnose(*_points(n, p))


def _consensus() -> None:
    X, labels = _points(FEW, 2)
    consensus([labels, np.roll(labels, 9), np.roll(labels, 70)])
    consensus(X=X, k=range(2, 4), random_state=0)


TASKS: dict[str, Callable[[], None]] = {
    "default": _default,
    "all": _all,
    "metrics": _metrics,
    "agreement": _agreement,
    "sweep": _sweep,
    "choose": _choose,
    "diagnose": _diagnose,
    "consensus": _consensus,
}
EVERYTHING = "everything"


def compile(tasks: str | Iterable[str] = EVERYTHING, *, progress: bool = False) -> int:  # noqa: A001 - its public name
    """Number of kernels that were compiled now, so that later calls need not; 0 if all were compiled before.

    Kernels are compiled when they are first needed, for 3 to 20 seconds, and kept for later processes. This compiles
    them now. They are kept in the first of these folders that can be written: the one that the environment variable
    CLUSTVAL_CACHE names, `__pycache__` beside the code, the cache of the user. They are *read* from all of them,
    also where nothing can be written, and only by processors with the same features.

    `tasks` are names, or one name: "default" and "all" (the suites), "metrics" (other than Euclidean), "agreement",
    "sweep" (gap, stability and tendency with it), "choose", "diagnose", "consensus", or "everything".

    >>> compile("agreement") >= 0
    True
    """
    names = [tasks] if isinstance(tasks, str) else list(tasks)
    for name in names:
        if name not in {*TASKS, EVERYTHING}:
            hint = suggestion(str(name), [*TASKS, EVERYTHING])
            msg = f"Nothing is compiled for {name!r}; tasks are {', '.join(TASKS)} and {EVERYTHING}. {hint}".strip()
            raise InputError(msg)
    if not thresholds.COMPILED:
        msg = "NUMBA_DISABLE_JIT is set, so that nothing is compiled; unset it."
        raise InputError(msg)
    chosen = list(TASKS) if EVERYTHING in names else [name for name in TASKS if name in names]
    notice: Any = kernels.work.jit.NOTICE
    before = int(notice.kernels)
    with notice.silent(), bar("compiling", shown=progress, total=len(chosen)) as count, np.errstate(all="ignore"):
        for item, name in enumerate(chosen):
            TASKS[name]()
            if count:
                count(item)
    return int(notice.kernels) - before


def folder() -> Path | None:
    """Return the folder below which kernels are written; None if no folder can be written."""
    cache: Any = kernels.work.cache
    written = next((path for path in cache.folders("pairs") if cache.can_write(path)), None)
    return None if written is None else written.parents[written.name == "__pycache__"]
