"""Internal indices of points in memory."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import scipy.cluster.hierarchy as linkages
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform

import clustval as cv
from recorded.data import (
    COMMON,
    METRICS,
    MIDDLE,
    SMALL,
    SUITES,
    Cases,
    bare,
    chosen,
    cloud,
    internal,
    measurable,
    names,
    ways,
)


def points() -> Cases:
    """All internal indices under all metrics, noise policies and weights."""
    for shape in SMALL:
        X, labels = cloud(*shape)
        for metric in METRICS:
            for way, options in ways(labels).items():
                yield f"{shape} {metric} {way}", internal(measurable(X, metric), metric=metric, **options)


def large() -> Cases:
    """All internal indices of more points, by which trees and searches are worth it."""
    for shape in MIDDLE:
        X, labels = cloud(*shape)
        for metric in METRICS if shape[2] < 200 else COMMON:  # many clusters take seconds
            for way, options in chosen(ways(labels), ("plain", "noise-cluster-whole-weights")).items():
                yield f"{shape} {metric} {way}", internal(measurable(X, metric), metric=metric, **options)
    for shape in ((5000, 2, 5), (5001, 8, 5), (6000, 40, 4)):
        X, labels = cloud(*shape)
        for metric in ("euclidean", "cosine") if shape[1] == 40 else COMMON:
            for way, options in chosen(ways(labels), ("plain", "noise-weights")).items():
                yield f"{shape} {metric} {way}", internal(measurable(X, metric), metric=metric, n_jobs=2, **options)
    for n, indices in ((210_000, ["dunn", "hennig_maxdiameter", "hennig_minsep"]), (2**18 + 5, [])):
        for p in (1, 8):
            X, labels = cloud(n, p, 4)
            for way, options in chosen(ways(labels), ("plain", "noise-weights")).items():
                asked = ["fast", *indices] if p == 1 else "fast"
                yield f"{n, p} {way}", bare(internal(X, indices=asked, **options))


def alone() -> Cases:
    """Each index by itself, and each suite: what is asked for together decides how it is computed."""
    for shape in ((12, 2, 3), (300, 8, 4), (1200, 2, 5)):
        X, labels = cloud(*shape)
        for metric in COMMON:
            for way, options in chosen(ways(labels), ("plain", "noise-weights")).items():
                key, Y = f"{shape} {metric} {way}", measurable(X, metric)
                for name in names("internal"):
                    yield f"{key} evaluate {name}", internal(Y, indices=name, metric=metric, **options)
                    function = getattr(cv.internal, name)
                    yield f"{key} function {name}", partial(function, Y, metric=metric, n_jobs=1, **options)
                for suite in SUITES:
                    yield f"{key} suite {suite}", internal(Y, indices=suite, metric=metric, **options)
    X, labels = cloud(40, 2, 3)
    for name in names("internal", sweep=True):
        yield f"of a sweep {name}", internal(X, labels, name)


def options() -> Cases:
    """Every option of every index: each of its words, other numbers than the default, and one that is not allowed."""
    X, labels = cloud(300, 3, 4)
    truth, tree = np.arange(300) % 5, linkages.linkage(X, "average")
    U = np.random.default_rng(0).dirichlet(np.ones(4), size=300)
    given: dict[str, tuple[Any, ...]] = {"internal": (X, labels), "external": (truth, labels), "fuzzy": (X, U),
        "mixture": (), "trees": (tree, linkages.linkage(X, "single"), X)}  # fmt: skip
    likely = {"log_likelihood": -1000.0, "parameters": 9, "responsibilities": U}
    for kind, arguments in given.items():
        module = getattr(cv, kind)
        of_all = inspect.signature(module.evaluate).parameters
        more = likely if kind == "mixture" else {}
        for name in names(kind):
            function = getattr(module, name)
            for option, parameter in inspect.signature(function).parameters.items():
                if option not in of_all:
                    for value in dict.fromkeys([*others(function, option, parameter.default), "no such", -1]):
                        yield (
                            f"{kind} {name} {option}={value!r}",
                            partial(function, *arguments, **more, **{option: value}),
                        )


def others(function: Callable[..., Any], option: str, default: Any) -> list[Any]:
    """Return values of an option beside its default."""
    text = str(inspect.signature(function).parameters[option].annotation)
    words = text.split("'")[1::2] if "Literal" in text else []
    if isinstance(default, bool):
        return [not default]
    return words + ([default * 2, default + 1] if isinstance(default, int | float) else [])


def forms() -> Cases:
    """Points in other forms and scales, distances, and labels of other types."""
    for shape in ((60, 3, 3), (300, 70, 4), (700, 5, 3)):
        X, labels = cloud(*shape)
        mostly = np.where(np.abs(X) > 1.5, X, 0) + np.eye(*X.shape)
        near = linkages.fcluster(linkages.linkage(X), 3, "maxclust")
        made: dict[str, tuple[Any, str]] = {
            "float32": (X.astype(np.float32), "euclidean"),
            "float32-cosine": (X.astype(np.float32), "cosine"),
            "float16": (X.astype(np.float16), "euclidean"),
            "integers": (X.round().astype(int), "euclidean"),
            "integers-cityblock": (X.round().astype(int), "cityblock"),
            "fortran": (np.asfortranarray(X), "euclidean"),
            "lists": (X.tolist(), "euclidean"),
            "large": (X * 1e120, "euclidean"),
            "tiny": (X * 1e-120, "cosine"),
            "far": (X + 1e9, "euclidean"),
            "same": (np.ones_like(X), "euclidean"),
            "constant-column": (np.column_stack([X, np.ones(len(X))]), "seuclidean"),
            "precomputed": (squareform(pdist(X)), "precomputed"),
            "precomputed-uneven": (squareform(pdist(X)) * np.where(np.tri(len(X)), 1, 1.5), "precomputed"),
            "sparse": (csr_array(mostly), "euclidean"),
            "sparse-cosine": (csr_array(mostly), "cosine"),
            "sparse-cityblock": (csr_array(mostly), "cityblock"),
        }
        for form, (Y, metric) in made.items():
            for way, options in chosen(ways(labels), ("plain", "noise-weights")).items():
                yield f"{shape} {form} {way}", internal(Y, metric=metric, **options)
        yield f"{shape} a function", internal(X, labels, "default", metric=lambda a, b: float(np.abs(a - b).sum()))
        for kind, some in {"text": labels.astype(str), "numbers": labels * 0.5, "near": near, "objects": [
            None if at % 9 == 0 else f"c{label}" for at, label in enumerate(labels.tolist())
        ], "one": np.zeros(len(X)), "each": np.arange(len(X)), "noise": np.full(len(X), -1)}.items():  # fmt: skip
            yield f"{shape} labels {kind}", internal(X, some)
    sparse = csr_array((np.ones(9000), (np.arange(9000) // 3, np.arange(9000) * 7 % 8000)), shape=(3000, 8000))
    for metric in ("euclidean", "cosine"):
        yield f"never written out {metric}", internal(sparse, np.arange(3000) % 4, "default", metric=metric)
