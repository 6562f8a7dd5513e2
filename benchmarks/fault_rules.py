"""Rules in use to find faults in a clustering, at their customary limits.

Each takes points and labels and returns `Advice`. They are written from the papers and manuals: mean silhouette below
.25 and negative silhouettes; clusterwise bootstrap below .6 (Hennig 2007); neighbour purity and merging while
modularity rises; the pairwise modularity ratio; dip-means (Kalogeratos and Likas 2012); G-means (Hamerly and
Elkan 2003); DBCV per cluster below 0 (Moulavi et al. 2014).
"""

from __future__ import annotations

from typing import NamedTuple

import diptest
import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist
from scipy.stats import anderson

import clustval as cv
from clustval.passes.kmeans.lloyd import kmeans


class Advice(NamedTuple):
    """What a rule says: pairs to merge, the cut of each cluster to split, points to move and where to."""

    merges: set
    splits: dict
    wrong: np.ndarray
    other: np.ndarray


NOTHING = np.empty(0, dtype=int)


def members(labels) -> dict:
    return {int(c): np.flatnonzero(labels == c) for c in np.unique(labels) if c >= 0}


def _edges(X, labels):
    """Return, by cluster, edges of the union of 10-nearest-neighbour graphs between clusters (k, k), and neighbours."""
    count = min(10, len(X) - 1)
    near = cKDTree(X).query(X, k=count + 1)[1][:, 1:]
    begins, ends = np.repeat(np.arange(len(X)), count), near.ravel()
    pairs = np.unique(np.r_[begins * len(X) + ends, ends * len(X) + begins])
    begins, ends = pairs // len(X), pairs % len(X)
    kept = (labels[begins] >= 0) & (labels[ends] >= 0)
    clusters = np.unique(labels[labels >= 0])
    E = np.zeros((len(clusters), len(clusters)))
    places = np.searchsorted(clusters, labels)
    np.add.at(E, (places[begins[kept]], places[ends[kept]]), 1.0)
    return clusters, E, near


def silhouette(X, labels) -> Advice:
    """Clusters with a mean below .25 go to the nearest; points below 0 as well."""
    groups = members(labels)
    names = np.array(list(groups))
    D = np.stack([cdist(X, X[rows]).sum(axis=1) for rows in groups.values()], axis=1)
    sizes = np.array([len(rows) for rows in groups.values()])
    own, rows = np.searchsorted(names, np.maximum(labels, names[0])), np.arange(len(X))
    inside = D[rows, own] / np.maximum(sizes[own] - 1, 1)
    outside = D / sizes
    outside[rows, own] = np.inf
    other, nearest = names[outside.argmin(axis=1)], outside.min(axis=1)
    values = (nearest - inside) / np.maximum(np.maximum(inside, nearest), 1e-300)
    merges = set()
    for name, some in groups.items():
        if values[some].mean() < 0.25:
            target = int(np.bincount(other[some]).argmax())
            merges.add((min(name, target), max(name, target)))
    return Advice(merges, {}, np.flatnonzero((values < 0) & (labels >= 0)), other)


def bootstrap(X, labels) -> Advice:
    """Clusters that k-means at the same k finds again with a mean Jaccard below .6 go to the nearest centre."""
    groups = members(labels)
    names, rng = list(groups), np.random.default_rng(0)
    found = np.zeros(len(names))
    for _ in range(20):
        rows = np.unique(rng.integers(0, len(X), len(X)))
        again = kmeans(X[rows], len(names), rng=rng, n_init=1).labels
        for place, name in enumerate(names):
            here = labels[rows] == name
            both = [
                np.count_nonzero((again == g) & here) / max(1, np.count_nonzero((again == g) | here))
                for g in names_of(again)
            ]
            found[place] += max(both) / 20
    centres = np.stack([X[rows].mean(axis=0) for rows in groups.values()])
    D = cdist(centres, centres)
    np.fill_diagonal(D, np.inf)
    merges = {tuple(sorted((name, names[D[at].argmin()]))) for at, name in enumerate(names) if found[at] < 0.6}
    return Advice(merges, {}, NOTHING, labels)


def names_of(labels) -> list:
    return np.unique(labels).tolist()


def purity(X, labels) -> Advice:
    """Points with a neighbour purity below .5 go to the leading cluster; clusters are joined while modularity rises."""
    names, E, near = _edges(X, labels)
    groups = members(labels)
    shares = np.stack([(labels[near] == c).sum(axis=1) / len(groups[c]) for c in names.tolist()], axis=1)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    own = np.searchsorted(names, np.maximum(labels, names[0]))
    wrong = np.flatnonzero((labels >= 0) & (shares[np.arange(len(X)), own] < 0.5) & (shares.argmax(axis=1) != own))
    E, firsts, merges = E / E.sum(), names.tolist(), set()
    while len(E) > 1:
        degrees = E.sum(axis=1)
        gain = 2 * (E - np.outer(degrees, degrees))
        np.fill_diagonal(gain, -1)
        a, b = sorted(np.unravel_index(gain.argmax(), gain.shape))
        if gain[a, b] <= 0:
            break
        merges.add(tuple(sorted((firsts[a], firsts[b]))))
        firsts.pop(b)
        E[a] += E[b]
        E[:, a] += E[:, b]
        E = np.delete(np.delete(E, b, 0), b, 1)
    return Advice(merges, {}, wrong, names[shares.argmax(axis=1)])


def modularity_ratio(X, labels) -> Advice:
    """Pairs with more than half of the edges that chance gives are joined."""
    names, E, _ = _edges(X, labels)
    degrees = E.sum(axis=1)
    ratio = E / np.maximum(np.outer(degrees, degrees) / E.sum(), 1e-12)
    return Advice(
        {(int(names[a]), int(names[b])) for a, b in np.argwhere(np.triu(ratio > 0.5, 1))}, {}, NOTHING, labels
    )


def dip_means(X, labels) -> Advice:
    """Split where distances from 1 % of the members have two modes; join where the line of centres has one."""

    def many_modes(rows, _):
        some = np.random.default_rng(0).permutation(rows)[:60]
        D = cdist(X[some], X[rows])
        return np.mean([_dip_p(row) <= 0.001 for row in D]) > 0.01

    return _projected(X, labels, many_modes, lambda values: _dip_p(values) > 0.05)


def _dip_p(values) -> float:
    return float(diptest.diptest(np.ascontiguousarray(values))[1])


def g_means(X, labels) -> Advice:
    """Split where the line of two means is not Gaussian by Anderson and Darling at 1e-4; join where it is."""

    def gaussian(values) -> bool:
        values = np.asarray(values)
        return anderson((values - values.mean()) / (values.std() + 1e-12)).statistic <= 1.8692

    def not_gaussian(rows, half):
        Z = X[rows]
        return not gaussian(Z @ (Z[half == 1].mean(axis=0) - Z[half == 0].mean(axis=0)))

    return _projected(X, labels, not_gaussian, gaussian)


def _projected(X, labels, is_two, is_one) -> Advice:
    groups = members(labels)
    names, E, _ = _edges(X, labels)
    splits = {}
    for name, rows in groups.items():
        if len(rows) >= 24:
            half = kmeans(X[rows], 2, rng=np.random.default_rng(0), n_init=3).labels
            if is_two(rows, half):
                splits[name] = half
    merges = set()
    for a, b in np.argwhere(np.triu(E > 0, 1)):
        one, two = groups[int(names[a])], groups[int(names[b])]
        if min(len(one), len(two)) >= 8:
            line = X[two].mean(axis=0) - X[one].mean(axis=0)
            if is_one(X[np.r_[one, two]] @ line):
                merges.add((int(names[a]), int(names[b])))
    return Advice(merges, splits, NOTHING, labels)


def dbcv(X, labels) -> Advice:
    """Clusters with a validity below 0 go to the nearest centre."""
    values = cv.evaluate(X, labels, "dbcv", n_jobs=1).per_cluster("dbcv")
    groups = members(labels)
    names = list(groups)
    centres = np.stack([X[rows].mean(axis=0) for rows in groups.values()])
    D = cdist(centres, centres)
    np.fill_diagonal(D, np.inf)
    merges = {tuple(sorted((name, names[D[at].argmin()]))) for at, name in enumerate(names) if values[name] < 0}
    return Advice(merges, {}, NOTHING, labels)


RULES = {
    "silhouette": silhouette,
    "clusterwise bootstrap": bootstrap,
    "neighbour purity": purity,
    "modularity ratio": modularity_ratio,
    "dip-means": dip_means,
    "G-means": g_means,
    "DBCV per cluster": dbcv,
}


def follow(labels, advice: Advice) -> np.ndarray:
    """Return labels after doing once all that is said: moves, splits, merges."""
    out = labels.copy()
    out[advice.wrong] = advice.other[advice.wrong]
    for name, half in advice.splits.items():
        out[np.flatnonzero(labels == name)[half == 1]] = out.max() + 1
    for a, b in advice.merges:
        one, two = out[labels == a], out[labels == b]
        if len(one) and len(two):
            out[out == np.bincount(two).argmax()] = np.bincount(one).argmax()
    return out
