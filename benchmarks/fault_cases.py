"""Clusterings with known faults, and what the truth asks for: what `faults.py` and `fit_diagnose.py` run on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from fault_sets import Truth
from scipy.spatial import cKDTree
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture

import clustval as cv


@dataclass(frozen=True)
class Case:
    """A clustering of a set, with the fault it was given or the algorithm that made it."""

    truth: Truth
    labels: np.ndarray
    fault: str
    kind: str  # "injected", "made" or "structureless"


# --- faults ----------------------------------------------------------------------------------------------

INJECTED = ("none", "merge", "split kmeans", "split ward", "split plane", "move border", "move any", "swap", "glue")
MADE = ("kmeans half", "kmeans -1", "kmeans +1", "kmeans double", "ward -1", "ward +1", "gmm -1", "gmm +1", "hdbscan")


def clustered(X, algorithm: str, k: int) -> np.ndarray:
    if k == 1:
        return np.zeros(len(X), dtype=int)
    if algorithm == "kmeans":
        return KMeans(k, n_init=10, random_state=0).fit_predict(X)
    if algorithm == "ward":
        return AgglomerativeClustering(k).fit_predict(X)
    return GaussianMixture(k, n_init=2, random_state=0, reg_covar=1e-4 * X.var()).fit_predict(X)


def _near(X, Y, count):
    distances = cKDTree(Y).query(X, k=count)[0]
    return distances if count == 1 else distances.mean(axis=1)


def neighbouring_pair(rng, X, y):
    """Return a random cluster of 20 points or more and the one nearest to it."""
    large = [c for c in np.unique(y) if c >= 0 and (y == c).sum() >= 20]
    if len(large) < 2:
        return None
    a = large[rng.integers(len(large))]

    def gap(b):
        nearest = np.sort(_near(X[y == a], X[y == b], 1))
        return nearest[: max(3, len(nearest) // 20)].mean()

    return a, min((b for b in large if b != a), key=gap)


def injected(rng, truth: Truth, fault: str) -> np.ndarray | None:  # noqa: PLR0911 - one for each fault
    """Return labels with one fault; None where it cannot be made."""
    X, y = truth.X, truth.y
    labels = y.copy()
    if fault == "none":
        return labels
    if fault == "glue":
        noise = y < 0
        if not noise.any():
            return None
        labels[noise] = y[~noise][cKDTree(X[~noise]).query(X[noise])[1]]
        return labels
    if fault == "swap":
        if truth.k < 2:
            return None
        some = rng.choice(np.flatnonzero(y >= 0), max(4, int(0.05 * (y >= 0).sum())), replace=False)
        labels[some] = rng.permutation(labels[some])
        return labels
    if fault.startswith("split"):
        return _split(rng, X, y, fault.split()[1])
    pair = neighbouring_pair(rng, X, y)
    if pair is None:
        return None
    a, b = pair
    if fault == "merge":
        labels[labels == b] = a
        return labels
    members = np.flatnonzero(y == a)
    moved = max(3, int(rng.uniform(0.02, 0.10) * len(members)))
    if fault == "move border":
        labels[members[np.argsort(_near(X[members], X[y == b], 3))[:moved]]] = b
    else:
        labels[rng.choice(members, moved, replace=False)] = b
    return labels


def _split(rng, X, y, how):
    large = [c for c in np.unique(y) if c >= 0 and (y == c).sum() >= 40]
    if not large:
        return None
    members = np.flatnonzero(y == large[rng.integers(len(large))])
    Z = X[members]
    if how == "plane":
        places = (Z / (Z.std(axis=0) + 1e-12)) @ rng.standard_normal(X.shape[1])
        half = places > np.quantile(places, rng.uniform(0.3, 0.7))
    else:
        half = clustered(Z, how, 2) == 1
    if min(half.sum(), (~half).sum()) < 10:
        return None
    labels = y.copy()
    labels[members[half]] = y.max() + 1
    return labels


def made(truth: Truth, what: str) -> np.ndarray | None:
    """Return the labels of an algorithm that was given another number of clusters than there are."""
    if what == "hdbscan":
        labels = HDBSCAN(min_cluster_size=max(10, len(truth.X) // 50)).fit_predict(truth.X)
        return labels if labels.max() >= 1 else None
    algorithm, change = what.split()
    k = {"half": truth.k // 2, "-1": truth.k - 1, "+1": truth.k + 1, "double": 2 * truth.k}[change]
    if k < 1 or (change == "half" and k == truth.k - 1):
        return None
    return clustered(truth.X, algorithm, k)


def cases(truth: Truth, kinds=("injected", "made")) -> Iterator[Case]:
    """Yield the clusterings of a set."""
    for fault in INJECTED if "injected" in kinds else ():
        seed = sum(ord(letter) * 131**place for place, letter in enumerate(truth.name + fault)) % 2**31
        labels = injected(np.random.default_rng(seed), truth, fault)
        if labels is not None:
            yield Case(truth, labels, fault, "injected")
    for what in MADE if "made" in kinds else ():
        labels = made(truth, what)
        if labels is not None:
            yield Case(truth, labels, what, "made")


def structureless_cases(truth: Truth) -> Iterator[Case]:
    """Yield clusterings of one population: all are wrong."""
    for algorithm in ("kmeans", "ward", "gmm"):
        for k in (2, 3, 4, 5):
            yield Case(truth, clustered(truth.X, algorithm, k), f"{algorithm} {k}", "structureless")


# --- what the truth asks for -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """What an all-knowing adviser would say of a clustering."""

    merges: set  # pairs of clusters of the same majority, both of them not mixed
    mixed: set  # clusters of two classes or more
    wrong: np.ndarray  # points outside the majority of a cluster that is not mixed
    stray: np.ndarray  # noise that was given to a cluster
    majority: dict


def wanted(y, labels) -> Wanted:
    """Return what the truth asks for, from the truth and the labels alone."""
    clusters = [c for c in np.unique(labels).tolist() if c >= 0]
    total = {c: (y == c).sum() for c in np.unique(y).tolist()}
    majority, mixed, wrong = {}, set(), np.zeros(len(y), dtype=bool)
    for cluster in clusters:
        inside = labels == cluster
        classes, sizes = np.unique(y[inside], return_counts=True)
        sizes, classes = sizes[classes >= 0], classes[classes >= 0]
        large = [
            c
            for c, size in zip(classes.tolist(), sizes.tolist(), strict=True)
            if size >= max(8, 0.1 * inside.sum()) and size >= 0.25 * total[c]
        ]
        unclear = not len(sizes) or (sizes.max() < 0.5 * inside.sum() and len(large) < 2)
        majority[cluster] = -1 if unclear else int(classes[sizes.argmax()])
        if len(large) >= 2:
            mixed.add(cluster)
        elif majority[cluster] >= 0:
            wrong |= inside & (y >= 0) & (y != majority[cluster])
    merges = {
        (a, b) for a in clusters for b in clusters if a < b and not {a, b} & mixed and majority[a] == majority[b] >= 0
    }
    return Wanted(merges, mixed, wrong, (y < 0) & (labels >= 0), majority)


def agreement(y, labels) -> float:
    """Return the adjusted Rand index of the points that have a class; points in no cluster are alone."""
    kept = y >= 0
    return float(cv.external.adjusted_rand(y[kept], labels[kept], noise="singletons"))
