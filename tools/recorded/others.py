"""Sweeps, other kinds of indices, the choice among clusterings, tendencies to cluster, and refusals."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import scipy.cluster.hierarchy as linkages
from scipy.spatial.distance import pdist
from sklearn.mixture import GaussianMixture

import clustval as cv
from recorded.data import (
    COMMON,
    MEMORY,
    METRICS,
    SUITES,
    Cases,
    bare,
    chosen,
    cloud,
    internal,
    measurable,
    names,
    noisy,
    sources,
    ways,
    weights,
)

SEEDED = {"n_jobs": 1, "random_state": 0}


def sweeps() -> Cases:
    """Many partitions of the same points, few and many, stacked and one by one."""
    for shape in ((12, 2, 3), (60, 2, 3), (300, 8, 4), (1100, 2, 4)):
        X, labels = cloud(*shape)
        tree = linkages.linkage(X, "average")
        for count in (3, 12, 60):
            cut = {k: linkages.fcluster(tree, k, "maxclust") for k in range(2, min(2 + count, len(X)))}
            for metric in METRICS if count == 12 and shape[0] < 1000 else COMMON:
                for way, options in chosen(ways(labels), ("plain", "noise-cluster", "weights")).items():
                    if way != "plain" and (count > 12 or metric not in COMMON):
                        continue
                    given = {key: value for key, value in options.items() if key != "labels"}
                    some = {k: np.where(options["labels"] < 0, -1, one) for k, one in cut.items()}
                    yield f"{shape} {count} {metric} {way}", _sweep(measurable(X, metric), some, metric=metric, **given)
        for suite in SUITES:
            yield f"{shape} suite {suite}", _sweep(X, None, suite, k=range(1, 9))
        for linkage in ("ward", "single", "complete", "average"):
            yield f"{shape} linkage {linkage}", _sweep(X, None, linkage=linkage, k=range(2, 9))
        for name in (*names("internal", sweep=True), "silhouette", "dunn", "gamma", "dbcv", "calinski_harabasz"):
            yield f"{shape} alone {name}", _sweep(X, None, name, linkage="ward", k=range(1, 12))
        same = {at: np.random.default_rng(at).permutation(labels) for at in range(45)}
        yield f"{shape} alike", _sweep(X, same, n_jobs=2)
        yield f"{shape} little memory", _sweep(X, same, memory="16 MiB")
        yield f"{shape} large", _sweep(X * 1e100, same)
        yield f"{shape} verdicts", partial(_verdicts, X)


def _sweep(X: Any, partitions: Any, indices: Any = "all", **options: Any) -> partial[Any]:
    return partial(cv.sweep, X, partitions, indices, **{**SEEDED, "memory": MEMORY} | options)


def _verdicts(X: Any) -> Any:
    swept = _sweep(X, None, linkage="ward", k=range(2, 9))()
    return {"best": swept.best(), "votes": swept.votes(), "rank": swept.rank(), "ranks": swept.ranks(),
            "best_k": swept.best_k, "notes": swept.best_notes}  # fmt: skip


def external() -> Cases:
    """Two labellings, with noise and weights, as arrays and as tables."""
    for n, r, k in ((12, 3, 3), (29, 4, 5), (70, 1, 4), (300, 6, 6), (300, 300, 40), (20_000, 8, 900)):
        rng = np.random.default_rng([n, r, k])
        truth = rng.integers(r, size=n)
        labels = noisy(np.where(rng.random(n) < 0.6, truth % k, rng.integers(k, size=n)))
        heavy = {"none": None, "whole": weights(n, whole=True), "fractions": weights(n, whole=False)}
        for noise in ("cluster", "drop", "singletons", "error"):
            for weight, given in heavy.items():
                key, options = f"{n, r, k} {noise} {weight}", {"noise": noise, "sample_weight": given}
                yield f"{key} all", partial(cv.agreement, truth, labels, "all", **options)
                yield f"{key} text", partial(cv.agreement, truth.astype(str), labels.tolist(), **options)
                for function in (cv.matching, cv.contingency, cv.concordance):
                    yield f"{key} {function.__name__}", partial(function, truth, labels, **options)
                yield f"{key} prayatul", partial(cv.prayatul, truth, labels, truth[::-1], **options)
                three = {"a": labels, "b": truth, "c": labels[::-1]}
                yield f"{key} prayatul_table", partial(cv.prayatul_table, truth, three, **options)
        for name in names("external"):
            yield f"{n, r, k} alone {name}", partial(getattr(cv.external, name), truth, labels)
        for suite in ("default", "all", "clustercrit", "zaki", "vendramin", "sklearn"):
            yield f"{n, r, k} suite {suite}", partial(cv.agreement, truth, labels, suite)
        permuted = partial(cv.agreement, truth, labels, "default", permutations=50, random_state=0)
        yield f"{n, r, k} permutations", permuted
        np.save(f"truth{n}-{r}.npy", truth)
        np.save(f"labels{n}-{r}.npy", labels)
        yield f"{n, r, k} files", partial(cv.agreement, f"truth{n}-{r}.npy", f"labels{n}-{r}.npy", "all")


def fuzzy() -> Cases:
    """Memberships, with centres, exponents and weights, and in blocks."""
    of = sources("membership_blocks")
    for shape in ((12, 2, 3), (300, 3, 4), (5000, 8, 10)):
        X, labels = cloud(*shape)
        U = np.random.default_rng(0).dirichlet(np.ones(shape[2]), size=len(X))
        U[::7] = np.eye(shape[2])[labels[::7]]
        centres = {"own": None, "given": X[: shape[2]] + 0.5}
        for where, C in centres.items():
            for m in (1.5, 2.0, 3):
                for weight, heavy in {"none": None, "fractions": weights(len(X), whole=False)}.items():
                    call = partial(cv.fuzzy.evaluate, X, U, centres=C, m=m, sample_weight=heavy)
                    yield f"{shape} {where} {m} {weight}", call
        for name in names("fuzzy"):
            yield f"{shape} alone {name}", partial(getattr(cv.fuzzy, name), X, U)
        rows = list(zip(np.array_split(X, 3), np.array_split(U, 3), strict=True))
        yield f"{shape} blocks", lambda rows=rows: cv.fuzzy.evaluate(of(rows))
        yield f"{shape} without X", partial(cv.fuzzy.evaluate, None, U)
        yield f"{shape} no shares", partial(cv.fuzzy.evaluate, X, U * 2)


def mixtures() -> Cases:
    """Mixtures, fitted or given by their numbers."""
    for shape in ((60, 2, 3), (300, 3, 4)):
        X, _ = cloud(*shape)
        for form in ("full", "tied", "diag", "spherical"):
            model = GaussianMixture(shape[2], covariance_type=form, random_state=0).fit(X)
            yield f"{shape} {form}", partial(cv.mixture.evaluate, X, model)
        U = np.random.default_rng(0).dirichlet(np.ones(4), size=50)
        numbers: dict[str, Any] = {"log_likelihood": -812.5, "parameters": 17, "responsibilities": U}
        yield f"{shape} numbers", partial(cv.mixture.evaluate, **numbers)
        for missing in numbers:
            left = {name: value for name, value in numbers.items() if name != missing}
            yield f"{shape} without {missing}", partial(cv.mixture.evaluate, **left)


def trees() -> Cases:
    """Trees of merges: alone, with another, with points and with distances."""
    for shape in ((12, 2, 3), (60, 2, 3), (70, 3, 3), (400, 3, 4)):
        X, _ = cloud(*shape)
        made = {method: linkages.linkage(X, method) for method in ("single", "complete", "average", "ward", "centroid")}
        for a, Z in made.items():
            for b, other in made.items():
                yield f"{shape} {a} {b}", partial(cv.trees.evaluate, Z, other, X, n_jobs=1)
                yield f"{shape} {a} {b} curve", partial(cv.trees.fowlkes_mallows_bk_curve, Z, other)
            yield f"{shape} {a} alone", partial(cv.trees.evaluate, Z)
            yield f"{shape} {a} distances", partial(cv.trees.evaluate, Z, X=pdist(X), metric="precomputed")
            for metric in METRICS:
                call = partial(cv.trees.evaluate, Z, X=measurable(X, metric), metric=metric, n_jobs=1)
                yield f"{shape} {a} {metric}", call


def choices() -> Cases:
    """What chooses, calibrates and tests clusterings."""
    iris = cv.data.load("iris")
    for n, p in ((80, 2), (250, 4)):
        X, labels = cloud(n, p, 3)
        key = f"{n, p}"
        yield f"{key} choose", partial(cv.choose, X, n_references=19, **SEEDED)
        yield f"{key} choose few", partial(cv.choose, X, ["ward", "k-means"], null=False, **SEEDED)
        yield f"{key} structure", partial(cv.structure, X, n_references=19, **SEEDED)
        for index in ("silhouette", "dunn", "calinski_harabasz", "davies_bouldin"):
            yield f"{key} significance {index}", partial(cv.significance, X, labels, index, B=19, **SEEDED)
        yield f"{key} significance k", partial(cv.significance, X, k=range(2, 5), B=19, **SEEDED)
        some = {"a": labels, "b": noisy(labels), "c": np.arange(n) % 7}
        for suite in ("hennig", "default"):
            yield f"{key} calibrate {suite}", partial(cv.calibrate, X, some, suite, references=10, **SEEDED)
        for reference in ("box", "pca"):
            for dispersion in ("pairs", "squared"):
                given = {"reference": reference, "dispersion": dispersion, "n_references": 10}
                yield (
                    f"{key} gap {reference} {dispersion}",
                    partial(cv.gap_statistic, X, range(1, 6), **given, **SEEDED),
                )
        for sampling in ("bootstrap", "subsample"):
            given = {"sampling": sampling, "n_samples": 10}
            yield f"{key} stability {sampling}", partial(cv.stability, X, range(2, 5), **given, **SEEDED)
            yield f"{key} clusterwise {sampling}", partial(cv.clusterwise_stability, X, 3, **given, **SEEDED)
        yield f"{key} prediction", partial(cv.prediction_strength, X, range(1, 5), n_splits=5, **SEEDED)
        for name in ("silhouette", "davies_bouldin", "adjusted_rand"):
            yield f"{key} scorer {name}", lambda X=X, name=name: cv.scorer(name)(_Fixed(), X, np.arange(len(X)) % 4)
        yield f"{key} recommend", partial(cv.study.recommend, X, n_datasets=3, runs=2, k=range(2, 5), **SEEDED)
    compared = partial(
        cv.study.compare, [(iris.X, np.arange(len(iris.X)) // 50, "iris")], k=range(2, 5), runs=3, **SEEDED
    )
    yield "iris compare", compared
    values = [3.0, 5.0, 4.0, 4.5, 1.0]
    for record in cv.indices("internal"):
        yield f"best {record['name']}", partial(cv.best, values, record["name"], k=range(2, 7))


class _Fixed:
    """What scorers take: it predicts by the place of a point."""

    def predict(self, X: Any) -> Any:
        return np.arange(len(X)) % 3


def tendencies() -> Cases:
    """Whether points have clusters at all."""
    for n, p in ((40, 1), (70, 2), (600, 5)):
        X, _ = cloud(n, p, 3)
        for function in (cv.hopkins, cv.spatial_histogram, cv.distance_distribution):
            yield f"{n, p} {function.__name__}", partial(function, X, n_samples=20, **SEEDED)
        yield f"{n, p} unimodality", partial(cv.unimodality, X, random_state=0)
        for metric in METRICS:
            for function in (cv.vat, cv.ivat):
                call = partial(function, measurable(X, metric), metric=metric, size=50, n_jobs=1)
                yield f"{n, p} {function.__name__} {metric}", call


def refusals() -> Cases:
    """Texts of errors and reasons: of bad input, too little memory, too much time and indices without a value."""
    X, labels = cloud(12, 2, 3)
    broken = X.copy()
    broken[3, 1] = np.nan
    bad: dict[str, tuple[Any, Any, dict[str, Any]]] = {
        "not finite": (broken, labels, {}),
        "empty": (X[:0], labels[:0], {}),
        "one dimension": (X[:, 0], labels, {}),
        "text": ([["a"]] * 12, labels, {}),
        "too few labels": (X, labels[:5], {}),
        "no labels": (X, None, {}),
        "no such file": ("nothing.parquet", "cluster", {}),
        "no such index": (X, labels, {"indices": "silhouete"}),
        "several indices": (X, labels, {"indices": "s"}),
        "no such option": (X, labels, {"indices": {"dunn": {"base": 2}}}),
        "no indices": (X, labels, {"indices": []}),
        "no such suite": (X, labels, {"indices": "zaky:dunn"}),
        "noise": (X, labels, {"noise": "keep"}),
        "memory": (X, labels, {"memory": "1 MiB"}),
        "n_jobs": (X, labels, {"n_jobs": 0}),
        "approximate": (X, labels, {"approximate": -1}),
        "confidence": (X, labels, {"confidence": 2}),
        "features": (X, labels, {"features": ["a"]}),
        "executor": (X, labels, {"executor": object()}),
        "negative weights": (X, labels, {"sample_weight": -np.ones(12)}),
        "no weights": (X, labels, {"sample_weight": np.zeros(12)}),
        "few weights": (X, labels, {"sample_weight": np.ones(3)}),
        "precomputed": (X, labels, {"metric": "precomputed"}),
        "not square": (-np.ones((12, 12)), labels, {"metric": "precomputed"}),
    }
    for name, (Y, at, options) in bad.items():
        yield name, internal(Y, at, **options)
    for metric in (*METRICS, "euclidian", "minkowski(0.5)"):
        zero = X.copy()
        zero[4] = 0
        yield f"numbers {metric}", internal(X, labels, metric=metric)
        yield f"zero {metric}", internal(zero, labels, metric=metric)
        yield (
            f"many clusters {metric}",
            internal(
                *_pairs_of(metric), ["dunn", "gdi12", "mcclain_rao", "davies_bouldin"], metric=metric, memory="16 MiB"
            ),
        )
        fault = " known-fault" if metric in {"cosine", "sqeuclidean"} else ""
        yield (
            f"many clusters silhouette {metric}{fault}",
            internal(*_pairs_of(metric), ["silhouette", "alternative_silhouette"], metric=metric, memory="16 MiB"),
        )
    X, labels = cloud(3000, 2, 1500)
    yield "little memory", internal(X, labels, [n for n in names("internal") if "silhouette" not in n], memory="16 MiB")
    X, labels = cloud(400_000, 1, 4)
    yield "ranks take long", bare(internal(X, labels, ["gamma", "tau", "c_index", "aucc", "g_plus"]))
    X, labels = cloud(2_300_000, 1, 4)
    yield (
        "pairs take long",
        bare(internal(X, labels, ["silhouette", "mcclain_rao", "hubert_normalized", "dsi", "cvdd"])),
    )


def _pairs_of(metric: Any) -> tuple[Any, Any]:
    X, labels = cloud(2000, 2, 1000)
    return measurable(X, metric), labels
