"""The first two principal components of Iris, on which Zaki and Meira work their examples."""

from __future__ import annotations

import csv

import numpy as np
from conftest import GOLDEN


def iris_components() -> tuple[np.ndarray, np.ndarray]:
    """Return the points and the best partition into three clusters."""
    with (GOLDEN / "iris_uci_pc2.csv").open() as file:
        rows = list(csv.DictReader(file))
    X = np.array([[row["pc1"], row["pc2"]] for row in rows], dtype=float)
    return X, np.array([row["good"] for row in rows], dtype=int)
