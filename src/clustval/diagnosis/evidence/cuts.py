"""The best ways to cut a group of points in two: by 2-means, by Ward's tree, and by the tree of densities."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.diagnosis.evidence.surroundings import Surroundings
from clustval.passes.kmeans.lloyd import kmeans

SMALL = 8  # points that a part has at least
SHARE = 0.03  # of the group that a part has at least
STARTS = 3  # of 2-means


def candidate_cuts(around: Surroundings, rows: Integers) -> dict[str, Integers]:
    """Return cuts of some points by the way that made them: 0 or 1 for each of the rows."""
    cuts: dict[str, Integers] = {}
    if around.X is not None:
        Z = around.X[rows]
        cuts["k-means"] = kmeans(Z, 2, rng=np.random.default_rng(0), n_init=STARTS).labels
        cuts["ward"] = _ward(Z)
    by_density = density_cut(around, rows)
    if by_density is not None:
        cuts["density"] = by_density
    fewest = max(SMALL, SHARE * len(rows))
    return {way: cut for way, cut in cuts.items() if np.bincount(cut, minlength=2).min() >= fewest}


def _ward(Z: Floats) -> Integers:
    from scipy.cluster.hierarchy import fcluster, linkage  # noqa: PLC0415 - only diagnoses need it

    return fcluster(linkage(Z, "ward"), 2, "maxclust").astype(np.int64) - 1


def density_cut(around: Surroundings, rows: Integers) -> Integers | None:
    """Return the two branches of the tree of densities with the most points above their meeting; None if it has one.

    The rest of the points join from dense to thin, each as most of its neighbours.
    """
    graph, heights = around.union, around.log_density
    inside = np.zeros(around.n, dtype=bool)
    inside[rows] = True
    order = rows[np.argsort(-heights[rows], kind="stable")]
    mass, level = kernels.valleys.excess_mass.deepest_meeting(order, *graph.lists, heights, inside)
    if mass <= 0:
        return None
    labels = _branches(around, rows[heights[rows] > level], level)
    if labels is None:
        return None
    outside = np.full(around.n, -1)
    outside[rows] = labels[rows]
    for _ in range(SMALL):
        left = order[outside[order] < 0]
        if not len(left):
            break
        kernels.valleys.flow.flow(left, *graph.lists, outside, 2)
    return _nearest_label(around, rows, outside[rows])


def _branches(around: Surroundings, above: Integers, level: float) -> Integers | None:
    """Return 0 and 1 for the two parts of the graph above the level that have most mass, -1 elsewhere."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - only diagnoses need it
    from scipy.sparse.csgraph import connected_components  # noqa: PLC0415

    n = around.n
    inside = np.zeros(n, dtype=bool)
    inside[above] = True
    begins, ends = around.union.begins, around.union.ends
    kept = inside[begins] & inside[ends]
    edges = csr_array((np.ones(np.count_nonzero(kept)), (begins[kept], ends[kept])), shape=(n, n))
    components = connected_components(edges, directed=False)[1][above]
    _, parts = np.unique(components, return_inverse=True)
    if not len(parts) or parts.max() == 0:
        return None
    weights = 1 - np.exp(level - around.log_density[above]) if np.isfinite(level) else np.ones(len(above))
    largest = np.argsort(-np.bincount(parts, weights), kind="stable")[:2]
    labels = np.full(n, -1)
    for side, part in enumerate(largest):
        labels[above[parts == part]] = side
    return labels


def _nearest_label(around: Surroundings, rows: Integers, labels: Integers) -> Integers:
    """Give points that nothing reached the label of the nearest labelled point, or the larger side."""
    left = labels < 0
    if not left.any():
        return labels
    labels = labels.copy()
    if around.X is None:
        labels[left] = np.bincount(labels[~left]).argmax()
        return labels
    from scipy.spatial import cKDTree  # noqa: PLC0415 - only diagnoses need it

    labels[left] = labels[~left][cKDTree(around.X[rows[~left]]).query(around.X[rows[left]])[1]]
    return labels
