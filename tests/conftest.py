"""What every test may use."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("clustval", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.load_profile("clustval")


def golden_set(name: str) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Return the points, labels and reference values of a golden data set."""
    with (GOLDEN / f"{name}.csv").open() as file:
        rows = list(csv.reader(file))[1:]
    table = np.array(rows, dtype=float)
    reference = json.loads((GOLDEN / f"{name}.golden.json").read_text())
    return table[:, :-1], table[:, -1].astype(int), reference


@pytest.fixture(scope="session")
def blobs() -> tuple[np.ndarray, np.ndarray]:
    """Three clusters of unequal size and width in three dimensions."""
    rng = np.random.default_rng(5)
    sizes, widths = (30, 18, 7), (1.0, 0.6, 0.3)
    X = np.vstack([rng.normal(4 * c, w, (n, 3)) for c, (n, w) in enumerate(zip(sizes, widths, strict=True))])
    return X, np.repeat([0, 1, 2], sizes)


@pytest.fixture(scope="session")
def large_blobs() -> tuple[np.ndarray, np.ndarray]:
    """Enough points for compiled code: four clusters in three dimensions, one point alone."""
    rng = np.random.default_rng(7)
    sizes = (700, 400, 150, 1)
    X = np.vstack([rng.normal(5 * c, 1 + c / 4, (n, 3)) for c, n in enumerate(sizes)])
    order = rng.permutation(len(X))
    return X[order], np.repeat([0, 1, 2, 3], sizes)[order]


@pytest.fixture(scope="session")
def large_scores(large_blobs):
    """Every internal index of the large blobs, computed together."""
    import clustval as cv

    return cv.evaluate(*large_blobs, "all", n_jobs=2)
