"""The dendrogram of a tree: each merge as a bracket at its height, clusters in their colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.arrays import Floats
from clustval.errors import InputError, optional
from clustval.inputs import at_least
from clustval.plot.style import BLACK, GREY, LITERAL, axes, colour, inches, short_texts, spread_out
from clustval.plot.tree_tangle import clusters_of
from clustval.sources.hierarchy import Tree, tree_of

if TYPE_CHECKING:
    from clustval.plot.style import Axes

SIZE = 7.0  # of names
LINE = 0.13  # inches that a name takes


@dataclass(frozen=True)
class Branches:
    """What is drawn of a tree: places of points from 0 on, heights of merges, and the cluster of each part."""

    brackets: Floats  # (merges, 4, 2): up from one cluster, across, down to the other
    bracket_clusters: list[int | None]  # None for merges of clusters
    folded: Floats  # (clusters, 3, 2): triangles in place of clusters whose merges are too many
    folded_clusters: list[int | None]
    cut: float | None  # height below which the clusters are


def branches_of(tree: Tree, k: int | None = None, most: int = 300) -> Branches:
    """Return the last `most` merges of a tree as brackets, the clusters below them as triangles as wide as they are."""
    n = tree.n
    first = max(0, n - 1 - most)  # merges before it are folded
    heights = np.concatenate([np.zeros(n), tree.heights])
    middles = tree.starts + (tree.sizes - 1) / 2
    for merge in range(first, n - 1):
        middles[n + merge] = middles[tree.joined[merge]].mean()
    codes = None if k is None else clusters_of(tree, k)

    def cluster(node: int) -> int | None:
        """Return the cluster that a node lies in; None where it joins clusters, and without clusters."""
        if codes is None or node >= n + (n - (k or 0)):
            return None
        return int(codes[tree.order[tree.starts[node]]])

    kept = tree.joined[first:]
    tops = tree.heights[first:]
    x = middles[kept][:, [0, 0, 1, 1]]
    y = np.column_stack([heights[kept[:, 0]], tops, tops, heights[kept[:, 1]]])
    nodes = [node for node in kept.ravel().tolist() if n <= node < n + first]
    corners = [
        [
            (middles[node], heights[node]),
            (tree.starts[node], 0.0),
            (tree.starts[node] + tree.sizes[node] - 1, 0.0),
        ]
        for node in nodes
    ]
    cut = None
    if k is not None and 1 < k <= n:
        cut = float(heights[n + n - k - 1] + heights[n + n - k]) / 2 if k < n else float(tree.heights[0]) / 2
    return Branches(
        np.stack([x, y], axis=-1),
        [cluster(n + merge) for merge in range(first, n - 1)],
        np.array(corners, dtype=np.float64).reshape(-1, 3, 2),
        [cluster(node) for node in nodes],
        cut,
    )


def dendrogram(
    Z: Any, *, k: int | None = None, names: Sequence[Any] | None = None, most: int = 300, ax: Axes | None = None
) -> Axes:
    """Show a tree: each merge as a bracket at its height. With `k`, the k clusters have colours, and a line cuts them.

    `Z` is a linkage as SciPy has it. `names` are those of points, written where there is room. Of more than `most`
    merges the last ones are drawn, and what lies below them is triangles, as wide as they have points.
    """
    tree = Z if isinstance(Z, Tree) else tree_of(Z)
    if names is not None and len(names) != tree.n:
        msg = f"Z is a tree of {tree.n} points but names has {len(names)} entries."
        raise InputError(msg)
    branches = branches_of(tree, None if k is None else at_least(k, 1, "k"), at_least(most, 1, "most"))
    ax = axes(ax, (float(np.clip(0.12 * tree.n, 5, 12)), 4.2))
    collections = optional("matplotlib.collections", "plot")
    tones = [BLACK if cluster is None else colour(cluster) for cluster in branches.bracket_clusters]
    width = float(np.clip(150 / len(tones), 0.5, 1.3))
    ax.add_collection(collections.LineCollection(branches.brackets, colors=tones, linewidths=width, gid="branches"))
    if len(branches.folded):
        fills = [GREY if cluster is None else colour(cluster) for cluster in branches.folded_clusters]
        ax.add_collection(collections.PolyCollection(branches.folded, facecolors=fills, alpha=0.5, gid="folded"))
    if branches.cut is not None:
        ax.axhline(branches.cut, color=GREY, linestyle="--", linewidth=1, gid="cut")
    ax.set_xlim(-0.5 - 0.01 * tree.n, tree.n - 0.5 + 0.01 * tree.n)
    ax.set_ylim(0, float(tree.heights.max()) * 1.03 or 1.0)
    ax.set_ylabel("height of a merge")
    ax.set_xticks([])
    if names is None:
        ax.set_xlabel(f"{tree.n:,} points")
    else:
        texts = short_texts([str(name) for name in names], 16)
        places = spread_out(range(tree.n), LINE * tree.n / inches(ax)[0])
        labels = [texts[tree.order[place]] for place in places]
        ax.set_xticks(places, labels, rotation=90, fontsize=SIZE, **LITERAL)
        ax.tick_params(axis="x", length=0)
    ax.spines[["right", "top", "bottom"]].set_visible(False)
    return ax
