"""Internal indices of points in blocks, in batches, and estimated from samples."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import dask.array
import numpy as np
import pandas as pd
import polars as pl

import clustval as cv
from recorded.data import (
    COMMON,
    MEMORY,
    METRICS,
    PAIRWISE,
    Cases,
    bare,
    chosen,
    cloud,
    internal,
    measurable,
    noisy,
    sources,
    ways,
    weights,
)


def blocks() -> Cases:
    """Blocks in memory, cut in several places."""
    of = sources("blocks_of")
    for shape in ((12, 2, 3), (300, 3, 4), (1200, 8, 5)):
        X, labels = cloud(*shape)
        n = len(X)
        for metric in METRICS:
            Y = measurable(X, metric)
            for way, options in ways(labels).items():
                for cuts in ([], [n // 3, n // 2]):
                    if n > 300 and (cuts == [] or way not in {"plain", "noise-weights"}):
                        continue
                    columns = [
                        Y,
                        options["labels"],
                        *([options["sample_weight"]] if "sample_weight" in options else []),
                    ]
                    rows = list(zip(*(np.split(column, cuts) for column in columns), strict=True))
                    call = partial(_of_blocks, of, rows, metric=metric, noise=options.get("noise", "drop"), n_jobs=1)
                    yield f"{shape} {metric} {way} in {len(cuts) + 1}", call


def _of_blocks(of: Callable[..., Any], rows: Any, **options: Any) -> Any:
    return cv.evaluate(of(rows, **options), indices="all")


def streams() -> Cases:
    """Files, frames and collections that are read in blocks."""
    for shape in ((300, 3, 4), (6000, 2, 5)):
        X, labels = cloud(*shape)
        n, some = len(X), noisy(labels)
        path = f"n{n}"
        frame = pl.DataFrame({f"x{at}": X[:, at] for at in range(X.shape[1])}).with_columns(
            cluster=pl.Series(some), weight=pl.Series(weights(n, whole=False))
        )
        Path(path).mkdir()
        frame[: n // 3].write_parquet(f"{path}/a.parquet")
        frame[n // 3 :].write_parquet(f"{path}/b.parquet", row_group_size=100)
        frame.write_parquet(f"{path}.parquet", row_group_size=90)
        frame.write_ipc(f"{path}.arrow")
        np.save(f"{path}.npy", X)
        np.save(f"{path}-single.npy", X.astype(np.float32))
        features = [name for name in frame.columns if name.startswith("x")]
        kinds: dict[str, tuple[Any, Any]] = {
            "folder": (path, "cluster"),
            "parquet": (f"{path}.parquet", "cluster"),
            "arrow": (f"{path}.arrow", "cluster"),
            "npy": (f"{path}.npy", labels),
            "npy-single": (f"{path}-single.npy", labels),
            "mapped": (np.load(f"{path}.npy", mmap_mode="r"), some),
            "lazy": (frame.lazy(), "cluster"),
            "dask": (dask.array.from_array(X, chunks=(n // 4, X.shape[1])), labels),
            "pandas": (pd.DataFrame(X, columns=features), some),
        }
        for kind, (Y, at) in kinds.items():
            named = {"features": features} if isinstance(at, str) else {}
            heavy = "weight" if named else weights(n, whole=kind == "npy" or n == 300)
            yield f"{shape} {kind}", internal(Y, at, **named)
            yield f"{shape} {kind} weights", internal(Y, at, sample_weight=heavy, **named)
            for suite in ("default", "fast", "silhouette", "dunn", "gamma"):
                yield f"{shape} {kind} {suite}", internal(Y, at, suite, n_jobs=2, **named)
            if kind in {"folder", "npy"}:
                for metric in METRICS:
                    yield f"{shape} {kind} {metric}", internal(Y, at, "default", metric=metric, **named)
                for noise in ("cluster", "singletons", "error"):
                    yield f"{shape} {kind} {noise}", internal(Y, at, noise=noise, **named)
                yield f"{shape} {kind} threads", partial(_by_threads, Y, at, "all", **named)
    yield from tiles()


def tiles() -> Cases:
    """So many points that an executor meets their pairs in tiles, or that their pairs are too many."""
    X, labels = cloud(25_600, 2, 4)
    np.save("tiles.npy", X)
    for metric in ("euclidean", "cosine", "cityblock"):
        for way, options in chosen(ways(labels), ("plain", "noise-cluster", "weights")).items():
            if metric == "euclidean" or way == "plain":
                call = partial(_by_threads, "tiles.npy", indices=PAIRWISE, metric=metric, **options)
                yield f"tiles {metric} {way}", call
    yield "no tiles", bare(partial(_by_threads, "tiles.npy", labels, "silhouette", metric="minkowski(3)"))
    yield "tiles all", partial(_by_threads, "tiles.npy", labels, "all")
    X, labels = cloud(200_100, 2, 4)
    np.save("many.npy", X)
    yield "too many pairs", bare(internal("many.npy", labels))


def _by_threads(*arguments: Any, **options: Any) -> Any:
    return cv.evaluate(*arguments, executor=_pool(), n_jobs=1, memory=MEMORY, **options)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2)  # open as long as values of points are asked for


def batches() -> Cases:
    """Evaluators of batches, alone and added up."""
    for shape, metrics in (((60, 2, 3), METRICS), ((1700, 4, 3), COMMON)):
        X, labels = cloud(*shape)
        for metric in metrics:
            for way, options in ways(labels).items():
                for parts in (1, 2, 3):
                    call = partial(_added, measurable(X, metric), parts=parts, metric=metric, **options)
                    yield f"{shape} {metric} {way} {parts}", call


def _added(X: Any, labels: Any, parts: int, sample_weight: Any = None, **options: Any) -> Any:
    """Return the scores of points in three batches, taken in by so many evaluators."""
    evaluators = [cv.Evaluator("all", **options) for _ in range(parts)]
    for at, rows in enumerate(np.array_split(np.arange(len(X)), 3)):
        heavy = None if sample_weight is None else sample_weight[rows]
        evaluators[at % parts].partial_fit(X[rows], labels[rows], heavy, first=int(rows[0]))
    return sum(evaluators[1:], start=evaluators[0]).scores()


def estimates() -> Cases:
    """Estimates from samples, and intervals of exact values."""
    for shape in ((300, 3, 4), (8000, 3, 4), (12_000, 2, 250)):
        X, labels = cloud(*shape)
        path = f"e{len(X)}.npy"
        np.save(path, X)
        indices = [name for name in PAIRWISE if shape[2] < 200 or name != "hubert_normalized"]  # which fails: below
        for metric in ("euclidean", "cosine", "cityblock", "chebyshev"):
            for way, options in chosen(ways(labels), ("plain", "noise-cluster", "noise-weights")).items():
                for width, level in ((0.05, None), (0.02, 0.8)):
                    if metric != "euclidean" and (width, way) not in {(0.05, "plain"), (0.02, "noise-weights")}:
                        continue
                    asked: dict[str, Any] = {"approximate": width, "confidence": level, "metric": metric, **options}
                    yield f"{shape} {metric} {way} {width}", internal(X, indices=[*indices, "fast"], **asked)
                    yield f"{shape} {metric} {way} {width} npy", internal(path, indices=indices, **asked)
        yield f"{shape} hubert_normalized", internal(X, labels, "hubert_normalized", approximate=0.05)
    for shape in ((60, 2, 3), (300, 3, 4)):
        X, labels = cloud(*shape)
        for metric in COMMON:
            for way, options in chosen(ways(labels), ("plain", "noise-weights")).items():
                call = internal(measurable(X, metric), metric=metric, confidence=0.9, **options)
                yield f"{shape} {metric} {way} of a population", call
    yield "ranks", internal(*cloud(6000, 2, 4), ["gamma", "tau", "g_plus", "c_index"], approximate=0.05)
