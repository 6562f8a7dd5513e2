"""A mixture model that was fitted to points: how likely it makes them, with how many parameters, and how surely."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats
from clustval.declare import Plan, Source, Value, declares, kind
from clustval.errors import InputError
from clustval.kernels.work.rounding import ROUNDING_OF_SHARES
from clustval.rules import Rule


class FittedMixture(Source):
    """Log-likelihood of a fitted mixture, its number of parameters, and the responsibilities of its components."""

    coverage = 1.0  # there is no noise

    def __init__(self, log_likelihood: float, parameters: int, responsibilities: Floats) -> None:
        super().__init__()
        self.log_likelihood, self.parameters = log_likelihood, parameters
        self.responsibilities = responsibilities  # (n, k) of each component for each point
        self.n, self.k = responsibilities.shape
        self.names = list(range(self.k))


def covariance_parameters(form: str, k: int, p: int) -> int:
    """Return how many numbers describe the covariances of k components in p dimensions."""
    forms = {"full": k * p * (p + 1) // 2, "tied": p * (p + 1) // 2, "diag": k * p, "spherical": k}
    if form not in forms:
        msg = f"The model's covariance_type must be one of {', '.join(map(repr, forms))}; it is {form!r}."
        raise InputError(msg)
    return forms[form]


@kind("mixture", "Judged from a mixture model that was fitted", order=6)
def mixture(
    X: Any = None,
    model: Any = None,
    *,
    log_likelihood: float | None = None,
    parameters: int | None = None,
    responsibilities: Any = None,
    plan: Plan | None = None,  # noqa: ARG001 - nothing is computed twice
) -> FittedMixture:
    """Return the checked mixture: points and a fitted model as scikit-learn has them, or what such a model says.

    Of a model from elsewhere, give the last three parameters in place of the first two.

    Parameters
    ----------
    X
        One row per point.
    model
        A ``GaussianMixture`` of scikit-learn that was fitted.
    log_likelihood
        The logarithm of the likelihood of all points together.
    parameters
        The number of free parameters of the model.
    responsibilities
        The share of each component in each point: one row per point that adds up to 1.
    """
    said = {"log_likelihood": log_likelihood, "parameters": parameters, "responsibilities": responsibilities}
    missing = [name for name, value in said.items() if value is None]
    if model is not None:
        if len(missing) < len(said):
            msg = f"Give a model, or {', '.join(said)}, but not both."
            raise InputError(msg)
        return _of_model(X, model)
    if missing:
        msg = f"Give X and a fitted model, or else {', '.join(said)}; {missing[0]} is missing."
        raise InputError(msg)
    if X is not None:
        msg = f"X is only read with a model; {', '.join(said)} say all that is needed."
        raise InputError(msg)
    return FittedMixture(
        _number("log_likelihood", log_likelihood), _count(parameters), checked_responsibilities(responsibilities)
    )


def _of_model(X: Any, model: Any) -> FittedMixture:
    needed = ("score_samples", "predict_proba", "covariance_type")
    if not all(hasattr(model, name) for name in needed):
        msg = (
            f"model must be a Gaussian mixture of scikit-learn; it is {type(model).__name__}. Of another model, give "
            "log_likelihood, parameters and responsibilities."
        )
        raise InputError(msg)
    if not hasattr(model, "means_"):
        msg = f"The {type(model).__name__} is not fitted; call its fit(X) first."
        raise InputError(msg)
    points = inputs.points_of_model(X, model)
    k, p = model.means_.shape
    count = (k - 1) + k * p + covariance_parameters(model.covariance_type, k, p)
    with warnings.catch_warnings():
        if inputs.named_columns(X) is not None:  # whose names were compared with those that the model knows
            warnings.filterwarnings("ignore", "X does not have valid feature names")
        likelihood = float(model.score_samples(points).sum())
        responsibilities = model.predict_proba(points)
    return FittedMixture(likelihood, count, checked_responsibilities(responsibilities))


def _number(name: str, value: Any) -> float:
    try:
        number = float(value)
    except OverflowError:
        msg = f"{name} must be a finite number; it is a whole number that no float64 is near to."
        raise InputError(msg) from None
    except (TypeError, ValueError):
        number = np.nan
    if not np.isfinite(number):
        msg = f"{name} must be a finite number; it is {value!r}."
        raise InputError(msg)
    return number


def _count(value: Any) -> int:
    number = _number("parameters", value)
    if number < 1 or number != int(number):
        msg = f"parameters must be a whole number from 1; it is {value!r}."
        raise InputError(msg)
    return int(number)


def checked_responsibilities(values: Any) -> Floats:
    """Return responsibilities as an array, or raise an error that says what is wrong with them."""
    table = inputs.as_points(values, "responsibilities")
    wrong = np.flatnonzero((table < 0).any(axis=1) | (np.abs(table.sum(axis=1) - 1) > ROUNDING_OF_SHARES))
    if len(wrong):
        row = table[wrong[0]]
        what = "is negative" if (row < 0).any() else f"adds up to {row.sum():.6g}"
        msg = f"Each row of responsibilities must be positive and add up to 1; row {wrong[0]} {what}."
        raise InputError(msg)
    return table


def mixture_index(
    *, best: Rule, bounds: tuple[float, float], reference: str, aliases: tuple[str, ...] = ()
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of a fitted mixture."""
    return declares(
        "mixture",
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
    )
