"""Categorical indices by name: ``clustval.categorical.category_utility(X, labels)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any

from clustval.categories import Categories
from clustval.choices import NoisePolicy
from clustval.evaluation import Names
from clustval.relative.sweep_result import Sweep
from clustval.results import Scores

__all__ = ["categories", "category_utility", "cu", "evaluate", "expected_entropy", "k_modes", "k_modes_cost", "sweep"]

def categories(X: Any, *, missing: str = "error") -> Categories:
    """Return a checked table of categories, which can be passed in place of `X`: many partitions check it once."""

def category_utility(
    X: Any,
    labels: Any,
    *,
    missing: str = "error",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    normalized: bool = True,
) -> float:
    """How much more often categories are guessed right if the cluster is known, for each cluster."""

def cu(
    X: Any,
    labels: Any,
    *,
    missing: str = "error",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    normalized: bool = True,
) -> float:
    """How much more often categories are guessed right if the cluster is known, for each cluster."""

def evaluate(
    X: Any,
    labels: Any,
    *,
    missing: str = "error",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    indices: Names = "all",
) -> Scores:
    """Return the values of all categorical indices, or of those named in `indices`, as `Scores`."""

def expected_entropy(
    X: Any,
    labels: Any,
    *,
    missing: str = "error",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    base: float = 2.718281828459045,
) -> float:
    """Entropy of the categories within clusters, all columns added up, averaged over points."""

def k_modes(
    X: Any, labels: Any, *, missing: str = "error", noise: NoisePolicy = "drop", sample_weight: Any = None
) -> float:
    """How many values differ from the commonest one of their column in their cluster, the mode."""

def k_modes_cost(
    X: Any, labels: Any, *, missing: str = "error", noise: NoisePolicy = "drop", sample_weight: Any = None
) -> float:
    """How many values differ from the commonest one of their column in their cluster, the mode."""

def sweep(
    X: Any,
    partitions: Any,
    *,
    missing: str = "error",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    indices: Names = "all",
) -> Sweep:
    """Return the values of categorical indices of many partitions of the same `X`, as a `Sweep`."""
