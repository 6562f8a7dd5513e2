"""Fuzzy indices by name: ``clustval.fuzzy.partition_coefficient(X, U)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any

from clustval.evaluation import Names
from clustval.results import Scores

__all__ = [
    "evaluate",
    "fpc",
    "modified_partition_coefficient",
    "mpc",
    "partition_coefficient",
    "partition_entropy",
    "pc",
    "pe",
]

def evaluate(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, sample_weight: Any = None, indices: Names = "all"
) -> Scores:
    """Return the values of all fuzzy indices, or of those named in `indices`, as `Scores`."""

def fpc(X: Any, U: Any, *, centres: Any = None, m: float = 2.0, sample_weight: Any = None) -> float:
    """Sum of the squared memberships of a point, averaged over points."""

def modified_partition_coefficient(
    X: Any, U: Any, *, centres: Any = None, m: float = 2.0, sample_weight: Any = None
) -> float:
    """Partition coefficient, moved and stretched to reach from 0 to 1 for any number of clusters."""

def mpc(X: Any, U: Any, *, centres: Any = None, m: float = 2.0, sample_weight: Any = None) -> float:
    """Partition coefficient, moved and stretched to reach from 0 to 1 for any number of clusters."""

def partition_coefficient(X: Any, U: Any, *, centres: Any = None, m: float = 2.0, sample_weight: Any = None) -> float:
    """Sum of the squared memberships of a point, averaged over points."""

def partition_entropy(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
    normalized: bool = False,
) -> float:
    """Entropy of the memberships of a point, averaged over points; normalized, over the largest that it may be."""

def pc(X: Any, U: Any, *, centres: Any = None, m: float = 2.0, sample_weight: Any = None) -> float:
    """Sum of the squared memberships of a point, averaged over points."""

def pe(
    X: Any,
    U: Any,
    *,
    centres: Any = None,
    m: float = 2.0,
    sample_weight: Any = None,
    base: float = 2.718281828459045,
    normalized: bool = False,
) -> float:
    """Entropy of the memberships of a point, averaged over points; normalized, over the largest that it may be."""
