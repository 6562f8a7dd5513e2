"""Indices as scorers, as scikit-learn calls them: ``GridSearchCV(KMeans(), grid, scoring=cv.scorer("silhouette"))``."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from clustval import inputs
from clustval.catalogue import kinds, select
from clustval.declare import Request, plan_of
from clustval.errors import InputError, UndefinedIndexError
from clustval.sources.sweep_curves import SweepIndex

SIGNS = {"higher": 1.0, "lower": -1.0}
BOUND = ("internal", "external")  # kinds of which points and labels, or two labellings, are all


class Scorer:
    """A function of a fitted estimator, points and perhaps a truth: the value of an index, the higher the better."""

    def __init__(self, choice: Request, named: Mapping[str, Any]) -> None:
        self.choice, self.named = choice, dict(named)
        (self._kind,) = kinds(choice.index.kind)
        self._sign = SIGNS[choice.best.better]

    @property
    def name(self) -> str:
        """The name of the index, with a minus where the value is turned round so that higher is better."""
        return self.choice.name if self._sign > 0 else f"-{self.choice.name}"

    def __call__(self, estimator: Any, X: Any, y: Any = None) -> float:
        """Return the value for the labels of a fitted estimator, NaN where the index has none."""
        labels = labels_of(estimator, X)
        if self.choice.index.kind == "external":
            if y is None:
                msg = f"{self.choice.name} compares with a truth; give it as y."
                raise InputError(msg)
            first = y
        else:
            first = X
        try:
            source = self._kind.source(first, labels, **self.named, plan=plan_of([self.choice]))
            return self._sign * self.choice.index.value(source, self.choice.options)
        except UndefinedIndexError as reason:
            warnings.warn(f"The score is NaN: {reason}", stacklevel=2)
            return math.nan

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scorer) and (self.choice, self.named) == (other.choice, other.named)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in {**self.choice.options, **self.named}.items())
        return f"scorer({self.choice.name!r}{options})"

    def __getstate__(self) -> dict[str, Any]:
        return {"choice": self.choice, "named": self.named}

    def __setstate__(self, state: dict[str, Any]) -> None:
        Scorer.__init__(self, **state)


def labels_of(estimator: Any, X: Any) -> Any:
    """Return the labels that a fitted estimator gives to points: by `predict`, or those it has if they are as many."""
    if hasattr(estimator, "predict"):
        return estimator.predict(X)
    return inputs.labels_by(estimator, X)


def scorer(index: str, **options: Any) -> Callable[..., float]:
    """Return an index as a scorer for scikit-learn: a function of a fitted estimator, points and a truth, if any.

    Higher is better, as scikit-learn expects: the value of an index of which lower is better comes with a minus. Where
    the index has no value, the score is NaN, and a warning says why. The points that the scorer is given are judged,
    not what the steps of a pipeline make of them.

    Parameters
    ----------
    index
        An internal index, of points and the labels of the estimator, or an external one, of a truth and these labels.
    options
        Options of the index, and what its function takes besides points and labels: ``metric``, ``noise``, ``n_jobs``.

    >>> from sklearn.cluster import KMeans
    >>> X = [[0], [1], [10], [11]]
    >>> scorer("davies_bouldin")(KMeans(2, random_state=0).fit(X), X)
    -0.1
    """
    kind = next((each for each in BOUND if _has(index, each)), BOUND[0])
    choices = select(index, kind, called="index") if isinstance(index, Iterable) else []
    if len(choices) != 1:
        what = f"{index!r} names {len(choices)}" if choices else f"it is {index!r}"
        msg = f"index must name one index; {what}."
        raise InputError(msg)
    (choice,) = choices
    if isinstance(choice.index, SweepIndex) or choice.best.compares > 1 or choice.best.better not in SIGNS:
        msg = (
            f"{choice.name} cannot score one clustering alone; it is read by the rule: {choice.best.name}. "
            "Use clustval.sweep, or an index such as 'silhouette'."
        )
        raise InputError(msg)
    (only,) = kinds(kind)
    taken = {p.name for p in only.parameters if p.kind is p.KEYWORD_ONLY and p.name != "sample_weight"}
    named = {name: value for name, value in options.items() if name in taken}
    checked = choice.index.checked({name: value for name, value in options.items() if name not in taken})
    return Scorer(Request(choice.name, choice.index, {**choice.options, **checked}, choice.best), named)


def _has(index: str, kind: str) -> bool:
    try:
        return bool(select(index, kind))
    except InputError:
        return False
