"""Agreement of overlapping clusterings by name: ``clustval.covers.omega(A, B)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any

from clustval.evaluation import Names
from clustval.results import Scores

__all__ = [
    "average_f1",
    "bcubed_f",
    "bcubed_precision",
    "bcubed_recall",
    "best_match_f",
    "element_centric_overlap",
    "evaluate",
    "omega",
    "omega_index",
    "onmi",
    "onmi_lfk",
    "onmi_max",
]

def average_f1(A: Any, B: Any, *, points: Any = None) -> float:
    """F measure of each cluster with the cluster of the other cover that it fits best, averaged over both covers."""

def bcubed_f(A: Any, B: Any, *, points: Any = None) -> float:
    """Harmonic mean of the B-cubed precision and recall of covers."""

def bcubed_precision(A: Any, B: Any, *, points: Any = None) -> float:
    """Mean over points, and over the points with which they share clusters of B, of how many of these A has too."""

def bcubed_recall(A: Any, B: Any, *, points: Any = None) -> float:
    """Mean over points, and over the points with which they share clusters of A, of how many of these B has too."""

def best_match_f(A: Any, B: Any, *, points: Any = None) -> float:
    """F measure of each cluster with the cluster of the other cover that it fits best, averaged over both covers."""

def element_centric_overlap(A: Any, B: Any, *, points: Any = None, alpha: float = 0.9) -> float:
    """Mean over points of how alike the points are that random walks from it visit, by the clusters of each cover."""

def evaluate(A: Any, B: Any, *, points: Any = None, indices: Names = "all") -> Scores:
    """Return the values of all covers indices, or of those named in `indices`, as `Scores`."""

def omega(A: Any, B: Any, *, points: Any = None) -> float:
    """Share of pairs of points that have as many clusters in common in both covers, above what chance would give."""

def omega_index(A: Any, B: Any, *, points: Any = None) -> float:
    """Share of pairs of points that have as many clusters in common in both covers, above what chance would give."""

def onmi(A: Any, B: Any, *, points: Any = None) -> float:
    """Information that the clusters of two covers share, in units of the larger of the two."""

def onmi_lfk(A: Any, B: Any, *, points: Any = None) -> float:
    """One minus the share of its entropy that the other cover leaves open about a cluster, averaged over clusters."""

def onmi_max(A: Any, B: Any, *, points: Any = None) -> float:
    """Information that the clusters of two covers share, in units of the larger of the two."""
