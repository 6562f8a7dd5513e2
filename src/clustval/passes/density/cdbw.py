"""Points that stand for their cluster, and how many points lie near these and halfway between two clusters (CDbw)."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clustval import kernels
from clustval.arrays import Flags, Floats, Integers
from clustval.kernels.work.rounding import SLACK
from clustval.passes.work import threads, thresholds

STEPS = np.arange(1, 9) / 10  # shares of the way to the centre that representatives are moved


class Clusters(NamedTuple):
    """Points sorted by cluster, also from the origin of the centres, and limits, centre and spread of each cluster."""

    X: Floats
    Z: Floats
    starts: Integers
    centres: Floats
    deviations: Floats

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.centres)


class Densities(NamedTuple):
    """Densities and distances between clusters (k, k), zero on the diagonal, and shares inside them (k, steps)."""

    between: Floats
    distances: Floats
    inside: Floats


def densities(clusters: Clusters, count: int, *, n_jobs: int) -> Densities:
    """Return the densities around up to `count` representatives of each cluster."""
    if len(clusters.X) <= thresholds.PAIRS:
        return densities_numpy(clusters, count)
    X, Z, starts, centres, deviations = clusters
    k = clusters.k
    picks, counts = np.empty((k, count), dtype=np.int64), np.empty(k, dtype=np.int64)
    between, distances, inside = np.zeros((k, k)), np.zeros((k, k)), np.empty((k, len(STEPS)))

    def look_inside(c: int) -> None:
        lo, hi = starts[c], starts[c + 1]
        counts[c] = kernels.density.cdbw.pick(X, Z, lo, hi, centres[c], picks[c])
        kernels.density.cdbw.inside_cluster(
            Z, lo, hi, centres[c], picks[c, : counts[c]], deviations[c], STEPS, inside[c]
        )

    def look_between(c: int) -> None:
        kernels.density.cdbw.between_clusters(X, Z, starts, c, picks, counts, deviations, between[c], distances[c])

    threads.run(look_inside, k, n_jobs)
    threads.run(look_between, k, n_jobs)
    return Densities(between + between.T, distances + distances.T, inside)


def densities_numpy(clusters: Clusters, count: int) -> Densities:
    """Return the same in plain NumPy."""
    X, Z, starts, centres, deviations = clusters
    k = clusters.k
    ranges = [np.arange(lo, hi) for lo, hi in pairwise(starts)]
    picks = [_picks(X, Z, here, centre, count) for here, centre in zip(ranges, centres, strict=True)]
    between, distances, inside = np.zeros((k, k)), np.zeros((k, k)), np.empty((k, len(STEPS)))
    for c, (here, chosen, centre) in enumerate(zip(ranges, picks, centres, strict=True)):
        for at, step in enumerate(STEPS):
            moved = Z[chosen] + step * (centre - Z[chosen])
            inside[c, at] = _near(Z[here], moved, deviations[c]).sum() / (len(chosen) * len(here))
    for a in range(k):
        for b in range(a + 1, k):
            squares = _squares(X[picks[a]], X[picks[b]])
            there, back = squares.argmin(axis=1), squares.argmin(axis=0)
            mutual = np.flatnonzero(back[there] == np.arange(len(there)))
            one, other = picks[a][mutual], picks[b][there[mutual]]
            radius, both = (deviations[a] + deviations[b]) / 2, np.concatenate([ranges[a], ranges[b]])
            near = _near(Z[both], (Z[one] + Z[other]) / 2, radius).sum(axis=0)
            d = np.sqrt(squares[mutual, there[mutual]])
            with np.errstate(all="ignore"):  # clusters without extent
                between[a, b] = between[b, a] = (d / (2 * radius) * near / len(both)).mean()
            distances[a, b] = distances[b, a] = d.mean()
    return Densities(between, distances, inside)


def _picks(X: Floats, Z: Floats, here: Integers, centre: Floats, count: int) -> Integers:
    squares = _squares(Z[here], centre[None])[:, 0]
    picks = [here[np.flatnonzero(squares * SLACK >= squares.max())[0]]]
    near = np.full(len(here), np.inf)
    while len(picks) < count:
        near = np.minimum(near, _squares(X[here], X[picks[-1]][None])[:, 0])
        if near.max() == 0:
            break
        picks.append(here[near.argmax()])
    return np.array(picks)


def _near(points: Floats, centres: Floats, radius: float) -> Flags:
    return _squares(points, centres) <= radius * radius * SLACK


def _squares(A: Floats, B: Floats) -> Floats:
    squares = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        squares += (a[:, None] - b) ** 2
    return squares
