"""What evidence is worth: probabilities by coefficients that were learned from made data, and p-values beside cuts.

``coefficients.json`` holds them with where they come from; ``tools/fit_diagnose.py`` makes the file again.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.diagnosis.evidence.borders import Border
from clustval.diagnosis.evidence.surroundings import Surroundings
from clustval.diagnosis.evidence.two_populations import Shape

STEEPEST = 40.0  # log odds beyond which a probability is as good as 0 or 1


@cache
def coefficients() -> dict[str, Any]:
    """Return the coefficients that are part of the package."""
    text = files("clustval.diagnosis.evidence").joinpath("coefficients.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def log_odds(name: str, inputs: Floats) -> Floats:
    """Return the log odds that a logistic regression, or a sum of trees, gives for rows of inputs, or for one row."""
    model = coefficients()[name]
    if "leaves" in model:
        values: Floats = _by_trees(np.asarray(inputs), *_trees(name)) + model["bias"]
    else:
        values = np.asarray(inputs) @ np.array(model["weights"]) + model["bias"]
    return np.clip(values, -STEEPEST, STEEPEST)


@cache
def _trees(name: str) -> tuple[Integers, Floats, Floats]:
    model = coefficients()[name]
    limits = [[np.inf if limit is None else limit for limit in tree] for tree in model["limits"]]
    return np.array(model["questions"]), np.array(limits), np.array(model["leaves"])


def _by_trees(rows: Floats, questions: Integers, limits: Floats, leaves: Floats) -> Floats:
    """Return the sum of the leaves that rows end in: below node i come 2 i + 1, up to the limit, and 2 i + 2.

    >>> one_tree = np.array([[0]]), np.array([[1.5]]), np.array([[-1.0, 2.0]])
    >>> _by_trees(np.array([[1.0], [2.0]]), *one_tree).tolist()
    [-1.0, 2.0]
    """
    trees = np.arange(len(questions))
    nodes = np.zeros((*rows.shape[:-1], len(questions)), dtype=np.int64)
    while (nodes < questions.shape[1]).all():
        asked = np.take_along_axis(rows, questions[trees, nodes], axis=-1)
        nodes = 2 * nodes + 1 + (asked > limits[trees, nodes])
    return np.asarray(leaves[trees, nodes - questions.shape[1]].sum(axis=-1))


def probability(odds: Any) -> Any:
    """Return the probability of log odds.

    >>> float(probability(0.0))
    0.5
    """
    return 1 / (1 + np.exp(-np.asarray(odds)))


def border_inputs(around: Surroundings, border: Border, size: int) -> Floats:
    """Return what the regressions of pairs and cuts take: evidence, size, dimension, and evidence by dimension."""
    seen = np.array(border[1:4] if around.X is None else border)
    dimension = np.log(around.dimension)
    return np.concatenate([seen, [np.log(size), dimension], dimension * seen])


def population_inputs(around: Surroundings, border: Border, shape: Shape, size: int) -> Floats:
    """Return what the trees of the second witness take: the evidence of the border, size, dimension, and the shape."""
    seen = shape[5:] if around.X is None else shape
    evidence = border[1:4] if around.X is None else border
    return np.array([*evidence, np.log(size), np.log(around.dimension), *seen])


def kind(around: Surroundings, name: str) -> str:
    """Return the name of the regression for points with coordinates, or for the graph alone."""
    return name if around.X is not None else f"{name}, graph"


def p_value(name: str, odds: float) -> float:
    """Return the largest share, over families of homogeneous clusters, of cuts with as much evidence of a valley."""
    reference = coefficients()["cuts of homogeneous clusters"][name]
    levels = np.array(reference["levels"])  # shares of cuts, falling
    shares = [float(np.interp(odds, values, levels)) for values in reference["log odds"].values()]
    return max(shares, default=float("nan"))
