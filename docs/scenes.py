"""Small sets of points on which every internal index is shown: what it rewards, and what it punishes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Scene = tuple[NDArray[np.float64], NDArray[np.int64]]
EACH = 50  # points of each of three clusters

WORDS = {
    "tight": "tight and round",
    "overlapping": "overlapping",
    "long": "long and parallel",
    "rings": "one inside another",
    "unequal": "unequal sizes",
    "nothing": "nothing, cut in three",
}


def scenes() -> dict[str, Scene]:
    """Return the points and labels of each scene; always the same."""
    made: dict[str, Callable[[np.random.Generator], Scene]] = {
        "tight": lambda rng: _blobs(rng, 0.4),
        "overlapping": lambda rng: _blobs(rng, 1.3),
        "long": _long,
        "rings": _rings,
        "unequal": lambda rng: _blobs(rng, 0.5, (120, 20, 10)),
        "nothing": _nothing,
    }
    return {name: make(np.random.default_rng(5)) for name, make in made.items()}


def _blobs(rng: np.random.Generator, spread: float, sizes: tuple[int, int, int] = (EACH, EACH, EACH)) -> Scene:
    labels = np.repeat(np.arange(3), sizes)
    centres = np.array([[0.0, 0], [4, 0], [2, 3.5]])
    return rng.normal(centres[labels], spread), labels


def _long(rng: np.random.Generator) -> Scene:
    labels = np.repeat(np.arange(3), EACH)
    return np.column_stack([rng.uniform(0, 8, 3 * EACH), rng.normal(1.5 * labels, 0.15)]), labels


def _rings(rng: np.random.Generator) -> Scene:
    labels = np.repeat(np.arange(3), EACH)
    angle, radius = rng.uniform(0, 2 * np.pi, 3 * EACH), rng.normal(1.5 * labels + 0.2, 0.1)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]), labels


def _nothing(rng: np.random.Generator) -> Scene:
    X = rng.uniform(0, 3, (3 * EACH, 2))
    return X, np.minimum(X[:, 0], 2.999).astype(np.int64)
