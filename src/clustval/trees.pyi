"""Indices of hierarchies by name: ``clustval.trees.cophenetic_correlation(Z, X)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any, Literal

from clustval.choices import MetricName
from clustval.compare.tree_levels import FowlkesMallowsCurve
from clustval.evaluation import Names
from clustval.results import Scores

__all__ = [
    "agglomerative_coefficient",
    "baker_gamma",
    "bk",
    "cophenetic_correlation",
    "cophenetic_tree_correlation",
    "cpcc",
    "divisive_coefficient",
    "entanglement",
    "evaluate",
    "fowlkes_mallows_bk",
    "fowlkes_mallows_bk_curve",
]

def agglomerative_coefficient(
    Z: Any, other: Any = None, X: Any = None, *, metric: MetricName = "euclidean", n_jobs: int | None = None
) -> float:
    """Mean, over points, of how far below the last merge each is merged for the first time."""

def baker_gamma(
    Z: Any,
    other: Any = None,
    X: Any = None,
    *,
    metric: MetricName = "euclidean",
    n_jobs: int | None = None,
    method: Literal["gamma", "spearman"] = "gamma",
) -> float:
    """Rank correlation between the orders in which two trees bring pairs of points together."""

def bk(
    Z: Any, other: Any = None, X: Any = None, *, metric: MetricName = "euclidean", n_jobs: int | None = None, k: int = 2
) -> float:
    """Share of pairs of points that stay together in the other tree, when both are cut into k clusters."""

def cophenetic_correlation(
    Z: Any, other: Any = None, X: Any = None, *, metric: MetricName = "euclidean", n_jobs: int | None = None
) -> float:
    """Correlation between the distances of points and the heights at which the tree joins them."""

def cophenetic_tree_correlation(
    Z: Any, other: Any = None, X: Any = None, *, metric: MetricName = "euclidean", n_jobs: int | None = None
) -> float:
    """Correlation between the heights at which two trees join pairs of points."""

def cpcc(
    Z: Any, other: Any = None, X: Any = None, *, metric: MetricName = "euclidean", n_jobs: int | None = None
) -> float:
    """Correlation between the distances of points and the heights at which the tree joins them."""

def divisive_coefficient(
    Z: Any, other: Any = None, X: Any = None, *, metric: MetricName = "euclidean", n_jobs: int | None = None
) -> float:
    """Mean, over points, of how far below the last merge each is merged for the first time."""

def entanglement(
    Z: Any,
    other: Any = None,
    X: Any = None,
    *,
    metric: MetricName = "euclidean",
    n_jobs: int | None = None,
    power: float = 1.5,
) -> float:
    """How far points stand from their place in the other tree, as a share of what reversing one would give."""

def evaluate(
    Z: Any,
    other: Any = None,
    X: Any = None,
    *,
    metric: MetricName = "euclidean",
    n_jobs: int | None = None,
    indices: Names = "all",
) -> Scores:
    """Return the values of all trees indices, or of those named in `indices`, as `Scores`."""

def fowlkes_mallows_bk(
    Z: Any, other: Any = None, X: Any = None, *, metric: MetricName = "euclidean", n_jobs: int | None = None, k: int = 2
) -> float:
    """Share of pairs of points that stay together in the other tree, when both are cut into k clusters."""

def fowlkes_mallows_bk_curve(Z: Any, other: Any) -> FowlkesMallowsCurve:
    """Return B_k of two trees for every number of clusters k from 2 to n - 1, and its mean and variance by chance."""
