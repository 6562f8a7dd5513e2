"""The pictures in the guides, drawn from small examples when the documentation is built."""

from __future__ import annotations

import contextlib
import doctest
import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from gallery import write_gallery
from scenes import scenes
from scipy.cluster.hierarchy import linkage

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
    folder.mkdir(exist_ok=True)
    figures = {
        "comparison": comparison().plot(),
        "cells": cells().plot(),
        **trees(),
        **homes(),
        **tutorial(),
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


def cells() -> cv.Diagnosis:
    """Diagnose the cells of the guide: three types, one of them cut in two."""
    rng = np.random.default_rng(0)
    types = np.repeat([0, 1, 2], [200, 150, 50])
    points = (rng.normal(0, 5, (3, 20))[types] + rng.normal(0, 2, (400, 20))).astype(np.float32)
    cut = np.where((types == 0) & (points[:, 3] > np.median(points[types == 0, 3])), 3, types)
    return cv.diagnose(points, np.array(["T", "B", "NK", "T2"])[cut])


def homes() -> dict[str, Any]:
    """Return the figures of the guides to series, mixed tables and embeddings: silhouettes of a small set of each."""
    rng = np.random.default_rng(3)
    kind = np.repeat([0, 1, 2], 15)
    hours = np.arange(24)
    waves = [
        (np.exp(-((hours - 6 * (each + 1) + rng.normal()) ** 2) / 8) + 0.1 * rng.normal(size=24))[
            : rng.integers(20, 25)
        ]
        for each in kind
    ]
    people = pl.DataFrame({
        "age": np.array([25, 45, 65])[kind] + rng.integers(-5, 6, 45),
        "plan": np.array(["free", "team", "firm"])[np.where(rng.random(45) < 0.1, 0, kind)],
        "mail": rng.random(45) < np.array([0.95, 0.95, 0.05])[kind],
    })  # fmt: skip
    topic = np.repeat(np.arange(4), 60)
    vectors = rng.normal(size=(4, 96))[topic] + 1.3 * rng.normal(size=(240, 96))
    found = np.where(topic == 0, rng.choice([0, 4, 5], 240), topic)
    scores = {
        "series": cv.evaluate(waves, kind, "silhouette", metric="dtw(3)"),
        "customers": cv.evaluate(people, kind, "silhouette", metric="gower"),
        "embeddings": cv.evaluate(vectors, found, "silhouette", metric="cosine"),
    }
    return {name: cv.plot.silhouette(each) for name, each in scores.items()}


def tutorial() -> dict[str, Any]:
    """Return the figures of the tutorial, whose own code makes what they show."""
    text = (Path(__file__).parent / "tutorial.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for example in doctest.DocTestParser().get_examples(text):
            exec(compile(example.source, "tutorial.md", "single"), names)  # noqa: S102 - our own page
    return {"tutorial_clusters": names["choice"].plot(), "tutorial_diagnosis": names["diagnosis"].plot()}


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
