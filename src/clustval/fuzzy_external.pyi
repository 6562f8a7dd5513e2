"""Agreement of memberships by name: ``clustval.fuzzy_external.aci(U, V)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any, Literal

from clustval.evaluation import Names
from clustval.results import Scores

__all__ = [
    "aci",
    "adjusted_concordance",
    "evaluate",
    "fuzzy_adjusted_rand",
    "fuzzy_jaccard",
    "fuzzy_rand",
    "ndc",
    "soft_adjusted_rand",
]

def aci(U: Any, V: Any) -> float:
    """Share by which the agreement of pairs exceeds what points matched at random would give."""

def adjusted_concordance(U: Any, V: Any) -> float:
    """Share by which the agreement of pairs exceeds what points matched at random would give."""

def evaluate(U: Any, V: Any, *, indices: Names = "all") -> Scores:
    """Return the values of all fuzzy_external indices, or of those named in `indices`, as `Scores`."""

def fuzzy_adjusted_rand(U: Any, V: Any, *, norm: Literal["minimum", "product", "lukasiewicz"] = "minimum") -> float:
    """Adjusted Rand index of degrees to which pairs are together."""

def fuzzy_jaccard(U: Any, V: Any, *, norm: Literal["minimum", "product", "lukasiewicz"] = "minimum") -> float:
    """Degrees to which pairs are together in both, over the degrees to which they are together in either."""

def fuzzy_rand(U: Any, V: Any, *, norm: Literal["minimum", "product", "lukasiewicz"] = "minimum") -> float:
    """Degrees to which pairs are together in both or apart in both, over all degrees."""

def ndc(U: Any, V: Any) -> float:
    """Mean over pairs of points of 1 minus the difference in how alike the two points are."""

def soft_adjusted_rand(U: Any, V: Any) -> float:
    """Adjusted Rand index of a contingency table whose cells add up products of memberships."""
