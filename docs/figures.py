"""The pictures in the guides, drawn from small examples when the documentation is built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
from gallery import write_gallery
from scenes import scenes
from scipy.cluster.hierarchy import linkage
from stories import STORIES, pictures

import clustval as cv

CRITERIA = ["silhouette", "pbm", "calinski_harabasz", "davies_bouldin", "dunn", "point_biserial", "tau", "gamma"]

GUIDES = {  # figures of the guides that the gallery shows too
    "tanglegram": "Do two hierarchies agree? `cv.plot.tanglegram(Z, other, k=3)`",
    "bk": "… at every number of clusters? `cv.plot.fowlkes_mallows_bk(curve)`",
    "comparison": "Which criterion can be trusted? `cv.plot.comparison(found)`",
}


def draw(folder: Path) -> None:
    """Draw every picture into the folder."""
    mpl.use("svg")
    mpl.rcParams["figure.max_open_warning"] = 0  # all are saved at the end
    folder.mkdir(exist_ok=True)
    figures = {
        "comparison": comparison().plot(),
        **trees(),
        **{picture: figure for story in STORIES for picture, figure in pictures(story).items()},
        **write_gallery(folder, GUIDES),
    }
    with mpl.rc_context({"svg.hashsalt": "clustval"}):
        for name, drawn in figures.items():
            getattr(drawn, "figure", drawn).savefig(folder / f"{name}.svg", metadata={"Date": None})
        draw_scenes(folder)


def draw_scenes(folder: Path) -> None:
    """Draw the small sets of points that stand on the page of each index."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - after the choice of what draws

    for name, (X, labels) in scenes().items():
        figure = Figure(figsize=(1.2, 1.2))
        ax = figure.add_axes((0, 0, 1, 1))
        for label, colour in enumerate(("#0072b2", "#d55e00", "#009e73")):
            ax.plot(*X[labels == label].T, ".", color=colour, markersize=3)
        ax.set_aspect("equal", adjustable="datalim")
        ax.axis("off")
        figure.savefig(folder / f"scene_{name}.svg", metadata={"Date": None})


def trees() -> dict[str, Any]:
    """Return the figures of two hierarchies of the irises."""
    X = cv.data.load("iris").X
    average, ward = linkage(X, "average"), linkage(X, "ward")
    return {
        "tanglegram": cv.plot.tanglegram(average, ward, k=3, titles=("average", "ward")),
        "bk": cv.plot.fowlkes_mallows_bk(cv.trees.fowlkes_mallows_bk_curve(average, ward)),
    }


def comparison() -> cv.study.Comparison:
    """Return a study of a few criteria on 24 data sets of 8 kinds."""
    kinds = [(k, balance) for k in (2, 3, 4, 5) for balance in ("equal", "60%")]
    sets = [
        (
            *cv.study.milligan(60, k, 4, balance, random_state=10 * k + number),
            f"{k} {balance} {number}",
            f"{k} {balance}",
        )
        for k, balance in kinds
        for number in range(3)
    ]
    return cv.study.compare(sets, CRITERIA, linkage=["average", "complete", "ward"], k=range(2, 16))
