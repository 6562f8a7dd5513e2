"""The dendrogram of a tree on the page, drawn without a script."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.plot.dendrograms import branches_of
from clustval.report.report_tables import number
from clustval.sources.hierarchy import Tree

WIDTH, HEIGHT = 600.0, 260.0
MOST = 150  # merges; what lies below them is triangles


@dataclass(frozen=True)
class Dendrogram:
    """Brackets and triangles as SVG reads them, with words for those who cannot see them."""

    lines: list[str]
    folded: list[str]
    highest: str  # height of the last merge
    words: str
    note: str


def dendrogram(tree: Tree) -> Dendrogram:
    """Return the last merges of a tree as brackets at their heights, and triangles for what lies below."""
    branches = branches_of(tree, most=MOST)
    scale = np.array([WIDTH / max(tree.n - 1, 1), -HEIGHT / (float(tree.heights.max()) or 1.0)])

    def path(places: np.ndarray) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in places * scale + [0, HEIGHT])

    note = (
        ""
        if len(tree.heights) <= MOST
        else f"The last {MOST} of {len(tree.heights):,} merges; triangles hold the rest."
    )
    words = f"Dendrogram of {tree.n:,} points; the last merge is at {number(float(tree.heights[-1]), 4)}"
    lines = [path(bracket) for bracket in branches.brackets]
    return Dendrogram(
        lines, [path(corners) for corners in branches.folded], number(float(tree.heights.max()), 3), words, note
    )
