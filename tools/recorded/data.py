"""The data of recorded cases, made from seeds, in sizes on both sides of the thresholds between ways of computing."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any

import numpy as np

import clustval as cv

Case = tuple[str, Callable[[], Any]]  # a key that says what is called, and the call
Cases = Iterator[Case]

BOOLEAN = ("dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule")
OF_SHARES = ("braycurtis", "canberra", "hellinger", "jensenshannon")
OF_NUMBERS = ("euclidean", "sqeuclidean", "cosine", "correlation", "cityblock", "chebyshev", "minkowski",
              "minkowski(3)", "hamming", "mahalanobis", "seuclidean")  # fmt: skip
METRICS = (*OF_NUMBERS, *OF_SHARES, *BOOLEAN)
COMMON = ("euclidean", "sqeuclidean", "cosine", "cityblock", "jaccard")
SUITES = ("default", "fast", "all", "clustercrit", "zaki", "vendramin", "nbclust", "density", "hennig", "sklearn")
MEMORY = "2 GiB"  # what None means depends on the machine
PAIRWISE = ["silhouette", "alternative_silhouette", "mcclain_rao", "hubert_normalized", "dunn", "gdi12", "gdi23",
            "gdi61", "hennig_pamc", "medoid_silhouette", "point_biserial", "c_index"]  # fmt: skip
SMALL = ((12, 2, 3), (60, 8, 4), (64, 1, 3), (70, 40, 3), (300, 2, 5))
MIDDLE = ((1200, 8, 6), (1200, 2, 300))


@cache
def cloud(n: int, p: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points around centres, a few of them twice, and their clusters, the first few of which are wrong."""
    rng = np.random.default_rng([n, p, k])
    labels = np.arange(n) % k
    X = rng.normal(scale=2, size=(k, p))[labels] + rng.normal(size=(n, p))
    X[n // 2 : n // 2 + 2] = X[:2]
    labels[: n // 10] = labels[: n // 10][::-1]
    X.flags.writeable = labels.flags.writeable = False
    return X, labels


def measurable(X: np.ndarray, metric: Any) -> np.ndarray:
    """Return the points as a metric takes them: sets, shares or numbers."""
    if metric in BOOLEAN:
        sets = np.column_stack([X, -X, X > 1]) > np.repeat([0.0, 0.5], [X.shape[1], 2 * X.shape[1]])
        sets[~sets.any(axis=1), 0] = True  # no set is empty
        return sets
    return np.abs(X) + 0.01 if metric in OF_SHARES else X.round(1) if metric == "hamming" else X


def noisy(labels: np.ndarray, share: float = 0.1) -> np.ndarray:
    """Return labels of which a share are noise."""
    return np.where(np.random.default_rng(7).random(len(labels)) < share, -1, labels)


def weights(n: int, *, whole: bool) -> np.ndarray:
    """Return whole numbers, 0 among them, or fractions."""
    rng = np.random.default_rng(n)
    return rng.integers(0, 4, size=n) if whole else rng.uniform(0.2, 3, size=n)


def ways(labels: np.ndarray) -> dict[str, dict[str, Any]]:
    """Return the noise policies and weights under which labels are evaluated."""
    n = len(labels)
    some = noisy(labels)
    return {
        "plain": {"labels": labels},
        "noise-drop": {"labels": some},
        "noise-cluster": {"labels": some, "noise": "cluster"},
        "noise-singletons": {"labels": some, "noise": "singletons"},
        "noise-error": {"labels": some, "noise": "error"},
        "whole-weights": {"labels": labels, "sample_weight": weights(n, whole=True)},
        "weights": {"labels": labels, "sample_weight": weights(n, whole=False)},
        "noise-weights": {"labels": some, "sample_weight": weights(n, whole=False)},
        "noise-cluster-whole-weights": {"labels": some, "noise": "cluster", "sample_weight": weights(n, whole=True)},
    }


def chosen(options: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return some of the options, by name."""
    return {name: options[name] for name in names}


def internal(X: Any, labels: Any = None, indices: Any = "all", **options: Any) -> partial[Any]:
    """Return the call that evaluates points and labels on one core."""
    return partial(cv.evaluate, X, labels, indices, **{"n_jobs": 1, "memory": MEMORY} | options)


def bare(call: Callable[[], Any]) -> Callable[[], Any]:
    """Return the call that gives values and reasons alone: those of points and clusters would take minutes."""

    def values() -> dict[str, Any]:
        scores = call()
        return {"": dict(scores), "reason": scores.reasons}

    return values


def sources(name: str) -> Callable[..., Any]:
    """Return the function of this name that makes a source of blocks, wherever among the sources it is."""
    package = importlib.import_module("clustval.sources")
    for found in pkgutil.walk_packages(package.__path__, "clustval.sources."):
        if hasattr(module := importlib.import_module(found.name), name):
            return getattr(module, name)  # type: ignore[no-any-return]
    msg = f"No module of clustval.sources has {name}."
    raise ImportError(msg)


def names(kind: str, *, sweep: bool = False) -> list[str]:
    """Return the names of the indices of a kind."""
    return [record["name"] for record in cv.indices(kind) if record["sweep"] == sweep]
