"""A program as a user might write it: type checkers accept it as it stands, and it runs."""

from __future__ import annotations

import numpy as np

import clustval as cv
from clustval.external import adjusted_rand


def main() -> list[str]:
    """Judge a clustering of iris in every way that a user reaches for, and report it in lines."""
    iris = cv.data.load("iris")
    kmeans, ward = iris.clusterings["kmeans"], iris.clusterings["ward"]

    scores: cv.Scores = cv.evaluate(iris.X, kmeans, ["dunn", "silhouette"], metric="cityblock", n_jobs=1)
    suite: cv.Scores = cv.evaluate(iris.X, kmeans, "clustercrit")
    options: cv.Scores = cv.evaluate(iris.X, kmeans, {"log_ss_ratio": {"base": 2}})
    external: cv.Scores = cv.external.evaluate(iris.truth, kmeans, noise="cluster")
    lines = [f"{name} {value:.3f}" for table in (scores, suite, options, external) for name, value in table.items()]

    weights = np.ones(len(iris.X))
    values: dict[str, float] = {
        "dunn": cv.internal.dunn(iris.X, kmeans, metric="chebyshev", noise="drop", sample_weight=weights),
        "ratio": cv.internal.log_ss_ratio(iris.X, kmeans, base=2),
        "shared": cv.external.nmi(iris.truth, kmeans, average="geometric"),
        "pairs": adjusted_rand(iris.truth, kmeans),
    }
    lines += [f"{name} {value:.3f}" for name, value in values.items()]

    sweep: cv.Sweep = cv.sweep(iris.X, {"kmeans": kmeans, "ward": ward}, ["dunn", "silhouette"])
    lines += [f"{name} chooses {partition}" for name, partition in sweep.best().items()]
    agreement: cv.Agreement = cv.agreement(iris.truth, kmeans, "sklearn")
    lines.append(f"{agreement.to_dict()}")
    comparison: cv.Prayatul = cv.prayatul(iris.truth, kmeans, ward)
    lines += [f"{name} {value:.3f}" for name, value in comparison.measures.items()]
    lines += [f"{record['name']} is cheap" for record in cv.indices("internal") if record["cost"] == "linear"]

    try:
        cv.internal.silhouette(iris.X, np.zeros(len(iris.X)))
    except cv.UndefinedIndexError as reason:
        lines.append(f"clustval {cv.__version__}: {reason}")
    return lines
