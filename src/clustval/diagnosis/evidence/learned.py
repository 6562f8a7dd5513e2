"""What evidence is worth: probabilities by coefficients that were learned from made data, and p-values beside cuts.

``coefficients.json`` holds them with where they come from; ``tools/fit_diagnose.py`` makes the file again.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.diagnosis.evidence.borders import Border
from clustval.diagnosis.evidence.population import Shape
from clustval.diagnosis.evidence.surroundings import Surroundings

STEEPEST = 40.0  # log odds beyond which a probability is as good as 0 or 1


@cache
def coefficients() -> dict[str, Any]:
    """Return the coefficients that are part of the package."""
    text = files("clustval.diagnosis.evidence").joinpath("coefficients.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def log_odds(name: str, inputs: Floats) -> Floats:
    """Return the log odds that a logistic regression gives for rows of inputs, or for a single row."""
    model = coefficients()[name]
    values: Floats = np.asarray(inputs) @ np.array(model["weights"]) + model["bias"]
    return np.clip(values, -STEEPEST, STEEPEST)


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
    """Return what the regression of the second witness takes: the evidence of the border, and the shape."""
    seen = shape[5:] if around.X is None else shape
    return np.concatenate([border_inputs(around, border, size), seen])


def kind(around: Surroundings, name: str) -> str:
    """Return the name of the regression for points with coordinates, or for the graph alone."""
    return name if around.X is not None else f"{name}, graph"


def p_value(name: str, odds: float) -> float:
    """Return the largest share, over families of homogeneous clusters, of cuts with as much evidence of a valley."""
    reference = coefficients()["cuts of homogeneous clusters"][name]
    levels = np.array(reference["levels"])  # shares of cuts, falling
    shares = [float(np.interp(odds, values, levels)) for values in reference["log odds"].values()]
    return max(shares, default=float("nan"))
