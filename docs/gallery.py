"""The gallery: every figure of `clustval.plot` with the lines that draw it, run when the documentation is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FIRST = """\
import clustval as cv

iris = cv.data.load("iris")
X, truth, labels = iris.X, iris.truth, iris.clusterings["kmeans"]
swept = cv.sweep(X, k=range(2, 9), random_state=0)"""

# From the name of a figure to what it answers and how it is drawn; each goes on where the others were.
FIGURES = {
    "silhouette": ("How well does each point fit?", "ax = cv.plot.silhouette(cv.evaluate(X, labels))"),
    "scatter": ("Where are the clusters, and who is in the wrong one?", "ax = cv.plot.scatter(X, labels, truth)"),
    "curves": (
        "How many clusters does each index choose?",
        'ax = cv.plot.curves(swept, ["silhouette", "davies_bouldin", "dunn"])',
    ),
    "curve": ("And one of them?", 'ax = cv.plot.curve(swept, "calinski_harabasz")'),
    "correlations": ("Which indices order partitions alike?", "ax = cv.plot.correlations(swept)"),
    "gap": (
        "How far is this from data without clusters?",
        "ax = cv.plot.gap(cv.gap_statistic(X, range(1, 8), n_references=10, random_state=0))",
    ),
    "stability": (
        "Which number of clusters comes back?",
        "ax = cv.plot.stability(cv.stability(X, range(2, 8), n_samples=10, random_state=0))",
    ),
    "consensus": (
        "Which points always come back together?",
        "ax = cv.plot.consensus(cv.consensus(X=X, k=3, n_references=0, random_state=0), 3)",
    ),
    "cluster_tree": (
        "Which clusters stay, and which are cut further?",
        'ax = cv.sweep(X, k=range(2, 7), seeds=3, indices="silhouette").plot("tree")',
    ),
    "flows": (
        "What became of the clusters?",
        "ax = cv.track((X[::2], labels[::2]), (X[1::2], truth[1::2]), n_permutations=0).plot()",
    ),
    "hopkins": (
        "Is there structure at all?",
        "ax = cv.plot.hopkins(cv.hopkins(X, random_state=0))",
    ),
    "spatial_histogram": (
        "… by cells of space?",
        "ax = cv.plot.spatial_histogram(cv.spatial_histogram(X, random_state=0))",
    ),
    "distance_distribution": (
        "… by distances?",
        "ax = cv.plot.distance_distribution(cv.distance_distribution(X, random_state=0))",
    ),
    "vat": ("Can blocks be seen?", "ax = cv.plot.vat(cv.ivat(X))"),
    "contingency": ("Which cluster is which class?", "ax = cv.plot.contingency(cv.contingency(truth, labels))"),
    "prayatul": (
        "Which of two algorithms is right where?",
        'ax = cv.plot.prayatul(cv.prayatul(truth, labels, iris.clusterings["ward"]), primary="k-means")',
    ),
    "prayatul_table": (
        "… and of several?",
        'ax = cv.plot.prayatul_table(cv.prayatul_table(truth, iris.clusterings), primaries="kmeans")',
    ),
}


def write_gallery(folder: Path, guides: dict[str, str]) -> dict[str, Any]:
    """Write the page of the gallery, and return the figures that it shows; `guides` has those of the guides."""
    names: dict[str, Any] = {}
    exec(FIRST, names)  # noqa: S102 - our own lines, as they are printed
    figures, parts = (
        {},
        [f"# Gallery\n\nEvery figure and the lines that draw it, after these:\n\n```python\n{FIRST}\n```"],
    )
    for name, (question, code) in FIGURES.items():
        exec(code, names)  # noqa: S102
        figures[f"gallery_{name}"] = names["ax"]
        parts.append(f"## {question}\n\n```python\n{code}\n```\n\n![{question}](gallery_{name}.svg)")
    parts += [f"## {question}\n\n![{question}]({name}.svg)" for name, question in guides.items()]
    (folder / "gallery.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return figures
