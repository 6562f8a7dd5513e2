"""Several algorithms, each with the parameters to try: what partitions of the same data they make, by name.

>>> import numpy as np
>>> X = np.array([[0.0], [1.0], [10.0], [11.0], [20.0]])
>>> halves = {"halves": lambda X, k, rng: X[:, 0] * k // 21}
>>> list(partitions_by(X, halves, [2, 3], np.random.default_rng))
['halves, k=2', 'halves, k=3']
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from clustval.arrays import Floats
from clustval.errors import InputError, suggestion
from clustval.relative.estimators import Clusterer, as_labelling, clusterer, number_parameter, parameters_of
from clustval.seeding import TaskGenerator

Setting = dict[str, Any]


class UnfitError(InputError):
    """An algorithm that fails on points, such as fewer points than it makes clusters of."""


def is_several(estimator: Any) -> bool:
    """Return whether there are several algorithms, or one with parameters to try or without a number of clusters."""
    if isinstance(estimator, (Mapping, list, tuple)):
        return True
    return hasattr(estimator, "fit_predict") and not isinstance(estimator, type) and number_parameter(estimator) is None


@dataclass(frozen=True)
class Run:
    """An algorithm with one setting of its parameters, and the number of clusters if it takes one."""

    algorithm: str
    name: str
    method: Clusterer
    k: int
    task: tuple[int, ...]  # what its random numbers depend on

    def labels(self, X: Floats, generator: TaskGenerator) -> Any:
        """Return the labels that it gives to these points."""
        try:
            return as_labelling(self.method.function(X, self.k, generator(*self.task)), len(X), self.name)
        except InputError:
            raise
        except Exception as error:
            msg = f"{self.name} cannot cluster these points: {error}"
            raise UnfitError(msg) from error


def runs_of(estimators: Any, numbers: Iterable[int]) -> list[Run]:
    """Return each algorithm with each of its settings, for each k where it takes a number.

    `estimators` is a mapping from names to algorithms, a list of them, or one. An algorithm is what `clusterer` takes,
    or a pair of an estimator and a mapping from its parameters to the values to try. One that takes no number of
    clusters runs once for each setting.
    """
    runs: list[Run] = []
    numbers = list(numbers)
    for name, algorithm in _named(estimators).items():
        estimator, grid = algorithm if has_grid(algorithm) else (algorithm, {})
        for at, setting in enumerate(_settings(name, estimator, grid)):
            changed = _changed(estimator, setting)
            words = [str(name), *(f"{parameter}={value!r}" for parameter, value in setting.items())]
            parameter = number_parameter(changed) if hasattr(changed, "fit_predict") else "k"
            counted = parameter is not None and parameter not in setting
            method = clusterer(changed, counted=counted)
            if counted:
                runs += [Run(str(name), ", ".join([*words, f"k={k}"]), method, k, (k,)) for k in numbers]
            else:
                runs.append(Run(str(name), ", ".join(words), method, 0, (0, at)))
    return runs


def partitions_by(X: Floats, estimators: Any, numbers: Iterable[int], generator: TaskGenerator) -> dict[Hashable, Any]:
    """Return the labels that each run of `runs_of` gives, by its name."""
    return {run.name: run.labels(X, generator) for run in runs_of(estimators, numbers)}


def has_grid(algorithm: Any) -> bool:
    """Return whether an algorithm comes with parameters to try."""
    return isinstance(algorithm, tuple) and len(algorithm) == 2 and isinstance(algorithm[1], Mapping)


def _named(estimators: Any) -> dict[Hashable, Any]:
    """Return algorithms by name: their own, numbered where several are of one class."""
    if isinstance(estimators, Mapping):
        named: dict[Hashable, Any] = dict(estimators)
    else:
        several = isinstance(estimators, (list, tuple)) and not has_grid(estimators)
        algorithms = list(estimators) if several else [estimators]
        classes = [_class_of(algorithm) for algorithm in algorithms]
        named = {
            name if classes.count(name) == 1 else f"{name} {classes[: at + 1].count(name)}": algorithm
            for at, (name, algorithm) in enumerate(zip(classes, algorithms, strict=True))
        }
    if not named:
        msg = "estimator is empty; give at least one algorithm, or None for our own k-means."
        raise InputError(msg)
    return named


def _class_of(algorithm: Any) -> str:
    estimator = algorithm[0] if has_grid(algorithm) else algorithm
    if estimator is None:
        return "k-means"
    return getattr(estimator, "__name__", None) or type(estimator).__name__


def _settings(name: Hashable, estimator: Any, grid: Mapping[str, Any]) -> list[Setting]:
    """Return every combination of the values of parameters, or raise an error that says which cannot be set."""
    clusterer(estimator, counted=False)  # says if it cannot be one
    available = parameters_of(estimator) if hasattr(estimator, "fit_predict") else {}
    for parameter, values in grid.items():
        if parameter not in available:
            hint = (
                suggestion(parameter, available) if available else "Only estimators with fit_predict have parameters."
            )
            msg = f"{name} has no parameter {parameter!r}. {hint}".rstrip()
            raise InputError(msg)
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            msg = f"The values of {parameter!r} to try for {name} must be a list; they are {values!r}."
            raise InputError(msg)
    values = [list(tried) for tried in grid.values()]
    if not all(values):
        msg = f"There is no value to try for one of the parameters {', '.join(map(repr, grid))} of {name}."
        raise InputError(msg)
    return [dict(zip(grid, combination, strict=True)) for combination in product(*values)]


def _changed(estimator: Any, setting: Setting) -> Any:
    if not setting:
        return estimator
    changed = copy.deepcopy(estimator)
    if hasattr(changed, "set_params"):
        return changed.set_params(**copy.deepcopy(setting))
    vars(changed).update(setting)
    return changed
