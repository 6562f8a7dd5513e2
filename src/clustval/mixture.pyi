"""Indices of fitted mixture models by name: ``clustval.mixture.gmm_bic(X, model)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from typing import Any, Literal

from clustval.evaluation import Names
from clustval.results import Scores

__all__ = ["aic", "bic", "evaluate", "gmm_aic", "gmm_bic", "gmm_icl", "icl"]

def aic(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
) -> float:
    """Akaike information criterion of a fitted mixture."""

def bic(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
) -> float:
    """Bayesian information criterion of a fitted mixture."""

def evaluate(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
    indices: Names = "all",
) -> Scores:
    """Return the values of all mixture indices, or of those named in `indices`, as `Scores`."""

def gmm_aic(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
) -> float:
    """Akaike information criterion of a fitted mixture."""

def gmm_bic(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
) -> float:
    """Bayesian information criterion of a fitted mixture."""

def gmm_icl(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
    entropy: Literal["hard", "soft"] = "hard",
) -> float:
    """Integrated completed likelihood of a fitted mixture: BIC plus what components that overlap cost."""

def icl(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
    entropy: Literal["hard", "soft"] = "hard",
) -> float:
    """Integrated completed likelihood of a fitted mixture: BIC plus what components that overlap cost."""
