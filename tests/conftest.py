"""What every test may use: settings, reference data and points to try things on."""

from __future__ import annotations

import csv
import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

USUAL = 100  # examples of a test
settings.register_profile("clustval", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("quick", settings.get_profile("clustval"), max_examples=USUAL // 10)
settings.register_profile("long", settings.get_profile("clustval"), max_examples=USUAL * 10, derandomize=False)
settings.register_profile(  # where any failure will do: the first is not made simpler
    "mutants", settings.get_profile("clustval"), max_examples=USUAL // 4, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("clustval")  # unless pytest is told --hypothesis-profile=quick or long


def examples(count: int) -> settings:
    """Let Hypothesis try so many examples, or as few of them as the profile says."""
    return settings(max_examples=max(1, count * settings().max_examples // USUAL))


# --- reference data --------------------------------------------------------------------------------------

GOLDEN = Path(__file__).parent / "golden"
PAIRS = sorted(path.stem for path in (GOLDEN / "external").glob("*.csv"))  # of labellings


@functools.cache
def golden(name: str) -> Any:
    """Return what a file of reference values holds."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


@functools.cache
def golden_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of reference data, by the names of its columns."""
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def golden_set(name: str) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Return the points, labels and reference values of a golden data set."""
    table = np.array([list(row.values()) for row in golden_rows(name)], dtype=float)
    return table[:, :-1], table[:, -1].astype(int), golden(f"{name}.golden")


def golden_pair(name: str) -> tuple[list[int], list[int], dict[str, Any]]:
    """Return two labellings and their reference values."""
    rows = golden_rows(f"external/{name}")
    return [int(r["p1"]) for r in rows], [int(r["p2"]) for r in rows], golden(f"external/{name}.golden")


def iris_components(clustering: str = "good") -> tuple[np.ndarray, np.ndarray]:
    """Return the first two principal components of Iris, and the good or bad clusters of Zaki and Meira."""
    rows = golden_rows("iris_uci_pc2")
    X = np.array([[row["pc1"], row["pc2"]] for row in rows], dtype=float)
    return X, np.array([row[clustering] for row in rows], dtype=int)


IRIS_SPECIES = [row["species"] for row in golden_rows("iris_uci_pc2")]


# --- points ----------------------------------------------------------------------------------------------


def make_blobs(
    sizes: Sequence[int], centres: Sequence[Any], widths: float | Sequence[float] = 1.0, *, p: int = 2, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return normal clusters, one after the other, and their labels; a centre is a point, or a number for all axes."""
    rng = np.random.default_rng(seed)
    spreads = np.broadcast_to(widths, len(sizes))
    X = [rng.normal(c, w, (n, p)) for n, c, w in zip(sizes, centres, spreads, strict=True)]
    return np.concatenate(X), np.repeat(np.arange(len(sizes)), sizes)


@pytest.fixture(scope="session")
def blobs() -> tuple[np.ndarray, np.ndarray]:
    """Three clusters of unequal size and width in three dimensions."""
    return make_blobs((30, 18, 7), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)


@pytest.fixture(scope="session")
def large_blobs() -> tuple[np.ndarray, np.ndarray]:
    """Enough points for compiled code: four clusters in three dimensions, one point alone."""
    X, labels = make_blobs((700, 400, 150, 1), (0, 5, 10, 15), (1, 1.25, 1.5, 1.75), p=3, seed=7)
    order = np.random.default_rng(7).permutation(len(X))
    return X[order], labels[order]


@pytest.fixture(scope="session")
def large_scores(large_blobs):
    """Every internal index of the large blobs, computed together."""
    import clustval as cv

    return cv.evaluate(*large_blobs, "all", n_jobs=2)
