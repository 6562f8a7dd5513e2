"""Two trees of the same points face to face, with a line from each point to itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.errors import InputError, optional
from clustval.formulas.trees.agreement_of_trees import entanglement
from clustval.inputs import at_least
from clustval.plot.style import BLACK, GREY, INCH, LITERAL, axes, colour, inches, short_texts, spread_out
from clustval.sources.hierarchy import Tree, tree_of

if TYPE_CHECKING:
    from clustval.plot.style import Axes

GAP = 0.6  # between the trees, in widths of one
NAMED = 0.25  # room for names beside each tree, if there are any
SIZE = 7.0  # of names


def tanglegram(
    Z: Any,
    other: Any,
    *,
    names: Sequence[Any] | None = None,
    titles: tuple[str, str] = ("first", "second"),
    k: int | None = None,
    power: float = 1.5,
    ax: Axes | None = None,
) -> Axes:
    """Show two trees of the same points face to face, with lines between equal points, and their entanglement.

    `names` are those of the points, written where there is room; `titles` those of the trees. With `k`, lines have the
    colours of the k clusters of the first tree. `power` is that of the entanglement. Points stand as in SciPy's
    dendrograms: the first cluster of a merge comes first, here on top.
    """
    one, second = tree_of(Z), tree_of(other, "other")
    if second.n != one.n:
        msg = f"Z is a tree of {one.n} points but other of {second.n}."
        raise InputError(msg)
    if names is not None and len(names) != one.n:
        msg = f"Z is a tree of {one.n} points but names has {len(names)} entries."
        raise InputError(msg)
    tangled = entanglement(Z, other, power=power)
    ax = axes(ax, (7.2, float(np.clip(0.16 * one.n, 3.2, 9))))
    margin = 0.0 if names is None else NAMED
    left, right = 1.0 + margin, 1.0 + margin + GAP  # ends of the lines
    end = right + margin + 1.0
    _branches(ax, one, lambda heights: 1.0 - heights)
    _branches(ax, second, lambda heights: end - 1.0 + heights)
    _lines(ax, one, second, (left, right), None if k is None else at_least(k, 1, "k"))
    if names is not None:
        texts = short_texts([str(name) for name in names], 14)
        _write(ax, one, texts, 1.0 + margin / 2)
        _write(ax, second, texts, right + margin / 2)
    _scales(ax, one, second, end)
    for place, title in ((0.5, titles[0]), (end - 0.5, titles[1])):
        ax.text(
            place, 1.01, title, transform=ax.get_xaxis_transform(), ha="center", va="bottom", gid="title", **LITERAL
        )
    shown = "" if power == 1.5 else f" (power {power:g})"
    ax.set_xlabel(f"height; entanglement {tangled:.3f}{shown}, 0 if all points are level")
    return ax


def _shares(tree: Tree) -> Floats:
    """Return heights as shares of the highest."""
    return np.asarray(tree.heights / (tree.heights.max() or 1.0))


def _branches(ax: Any, tree: Tree, across: Any) -> None:
    """Draw each merge as a bracket: from both clusters along to its height, and between them."""
    shares = np.concatenate([np.zeros(tree.n), _shares(tree)])
    middles = tree.places.astype(np.float64).tolist()
    for one, other in tree.joined.tolist():
        middles.append((middles[one] + middles[other]) / 2)
    ends, middles = tree.joined, np.array(middles)
    top = shares[tree.n :]
    x = np.column_stack([shares[ends[:, 0]], top, top, shares[ends[:, 1]]])
    y = middles[ends][:, [0, 0, 1, 1]]
    collection = optional("matplotlib.collections", "plot").LineCollection
    width = float(np.clip(60 / tree.n, 0.3, 1.2))
    ax.add_collection(collection(np.stack([across(x), y], axis=-1), colors=BLACK, linewidths=width, gid="branches"))


def _lines(ax: Any, one: Tree, other: Tree, ends: tuple[float, float], k: int | None) -> None:
    """Draw a line from each point of the first tree to the same point of the second."""
    y = np.column_stack([one.places, other.places]).astype(np.float64)
    x = np.broadcast_to(ends, y.shape)
    tones: Any = GREY if k is None else [colour(cluster) for cluster in clusters_of(one, k).tolist()]
    collection = optional("matplotlib.collections", "plot").LineCollection
    width = float(np.clip(90 / one.n, 0.3, 1.2))
    ax.add_collection(collection(np.stack([x, y], axis=-1), colors=tones, linewidths=width, gid="lines"))


def clusters_of(tree: Tree, k: int) -> Integers:
    """Return which of k clusters each point is in, counted from the top of the figure."""
    later = tree.joints >= max(tree.n - k, 0)  # merges that are undone
    codes = np.empty(tree.n, dtype=np.int64)
    codes[tree.order] = np.concatenate([[0], np.cumsum(later)])
    return codes


def _write(ax: Any, tree: Tree, texts: Sequence[str], place: float) -> None:
    """Write the names of points, as many as there is room for."""
    line = 1.2 * SIZE / INCH * tree.n / inches(ax)[1]  # in points of the tree
    for row in spread_out(range(tree.n), line):
        text = texts[tree.order[row]]
        ax.text(place, row, text, ha="center", va="center", fontsize=SIZE, gid="name", **LITERAL)


def _scales(ax: Any, one: Tree, other: Tree, end: float) -> None:
    """Mark no height and the largest of each tree, and leave out all other marks."""
    highest = [f"{tree.heights.max():.3g}" for tree in (one, other)]
    ax.set_xticks([0.0, 1.0, end - 1.0, end], [highest[0], "0", "0", highest[1]])
    ax.set_yticks([])
    ax.set_xlim(-0.03, end + 0.03)
    ax.set_ylim(one.n - 0.5, -0.5)
    ax.spines[["left", "right", "top"]].set_visible(False)
