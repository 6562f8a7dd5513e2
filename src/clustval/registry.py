"""Every index, what it needs, how it is read and where it comes from: one record, from which the rest is derived.

An index is declared by decorating its formula. The types of the formula's positional parameters are the
statistics it needs; its keyword-only parameters are its options.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, get_type_hints

import numpy as np

from clustval.errors import InputError, UndefinedIndexError
from clustval.rules import Rule

Kind = Literal["internal", "external"]
Cost = Literal["linear", "quadratic", "rank"]
Value = Any  # what a formula gives: one number, or an array of one per partition
COSTS: tuple[Cost, ...] = ("linear", "quadratic", "rank")


class Statistic(ABC):
    """What one pass over the data leaves behind; formulas read it, nobody changes it.

    Arrays may carry one more axis in front, for many partitions at once: properties and formulas work on the
    last axes only.
    """

    cost: Cost = "linear"
    coordinates: bool = False  # True where a matrix of distances is not enough
    centres: bool = False  # True where the metric must measure points against means

    @classmethod
    @abstractmethod
    def of(cls, source: Any) -> Any:
        """Compute the statistic from its source: a partition of points, or a pair of labellings."""


class Source(Protocol):
    """Where statistics come from, each computed once."""

    n: int

    def __getitem__(self, statistic: type[Statistic]) -> Any: ...


@dataclass(frozen=True)
class Index:
    """The record of one index."""

    name: str
    kind: Kind
    formula: Callable[..., Any]
    needs: tuple[type[Statistic], ...]
    best: Rule
    bounds: tuple[float, float]
    reference: str
    aliases: tuple[str, ...] = ()
    degree: int | Callable[[int], int] | None = 0
    clusters: tuple[int, int] = (1, 0)  # fewest clusters; the most, counted down from n
    undefined: str = "it is 0/0"  # why the formula gives NaN where it does
    symmetric: bool | None = None  # external: whether truth and labels may be swapped
    options: Mapping[str, Any] = field(default_factory=dict)
    points: Callable[..., Any] | None = None  # one value per point, from the same statistics
    neighbours: Callable[..., Any] | None = None  # the cluster that each point would move to
    by_cluster: Callable[..., Any] | None = None  # one value per cluster

    @property
    def cost(self) -> Cost:
        """How the work grows with the number of points."""
        return COSTS[max((COSTS.index(s.cost) for s in self.needs), default=0)]

    @property
    def coordinates(self) -> bool:
        """Whether coordinates are needed, so that distances alone do not suffice."""
        return any(s.coordinates for s in self.needs)

    @property
    def summary(self) -> str:
        """What the number is: the first line of the formula's docstring."""
        return (inspect.getdoc(self.formula) or "").partition("\n")[0]

    def value(self, source: Source, options: Mapping[str, Any] | None = None) -> float:
        """Return the value, or raise `UndefinedIndexError` with the reason why there is none."""
        value = float(self.values(source, options))
        if math.isnan(value):
            raise UndefinedIndexError(self.without_value)
        return value

    def values(self, source: Source, options: Mapping[str, Any] | None = None) -> Any:
        """Return one value for each partition that the statistics of the source hold, NaN where there is none."""
        with np.errstate(all="ignore"):  # x/0 is infinite, 0/0 is no value
            return self.silent_values(source, options)

    def silent_values(self, source: Source, options: Mapping[str, Any] | None = None) -> Any:
        """Return what `values` returns, for callers that silence NumPy themselves, once for many indices."""
        self._check_clusters(source)
        return self.formula(*self._statistics(source, self.needs), **{**self.options, **(options or {})})

    @property
    def without_value(self) -> str:
        """Why the formula gives NaN where it does."""
        return f"{self.name} has no value for this clustering: {self.undefined}."

    def part(self, function: Callable[..., Any], source: Source) -> Any:
        """Return `function` (values of points or clusters) of the statistics it needs."""
        self._check_clusters(source)
        with np.errstate(all="ignore"):
            return function(*self._statistics(source, needs_of(function)))

    def _statistics(self, source: Source, needs: tuple[type[Statistic], ...]) -> list[Any]:
        if self.kind == "internal":
            space = source.space  # type: ignore[attr-defined]
            if space.X is None and self.coordinates:
                msg = f"{self.name} needs coordinates; metric='precomputed' gives only distances."
                raise UndefinedIndexError(msg)
            if space.boolean and any(s.centres for s in self.needs):
                msg = f"{self.name} needs the means of clusters, which the metric {space.metric!r} cannot measure."
                raise UndefinedIndexError(msg)
        return [source[s] for s in needs]

    def _check_clusters(self, source: Source) -> None:
        if self.kind == "external":
            return
        k = source.k  # type: ignore[attr-defined]
        if k == 0:
            msg = f"{self.name} needs clusters; every point is noise."
            raise UndefinedIndexError(msg)
        fewest, most = self.clusters[0], source.n - self.clusters[1]
        if not fewest <= k <= most:
            allowed = f"from {fewest} to {most} clusters" if fewest <= most else f"more than {source.n} points"
            msg = f"{self.name} needs {allowed} for these {source.n} points; the labels form {k}."
            raise UndefinedIndexError(msg)


INDICES: dict[Kind, dict[str, Index]] = {"internal": {}, "external": {}}
FUNCTIONS: dict[Kind, dict[str, Callable[..., float]]] = {"internal": {}, "external": {}}


def needs_of(formula: Callable[..., Any]) -> tuple[type[Statistic], ...]:
    """Return the statistics that a formula's signature names."""
    hints = get_type_hints(formula)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(formula).parameters.values()
    return tuple(hints[p.name] for p in parameters if p.kind in positional)


def _options_of(formula: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    parameters = inspect.signature(formula).parameters
    return {name: p for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}


def register(index: Index) -> Callable[..., float]:
    """Enter the index and return the function that users call."""
    table = INDICES[index.kind]
    for name in (index.name, *index.aliases):
        if name in FUNCTIONS[index.kind]:
            msg = f"Two {index.kind} indices are called {name!r}."
            raise ValueError(msg)
    table[index.name] = index
    function = _public(index)
    for name in (index.name, *index.aliases):
        FUNCTIONS[index.kind][name] = function
    return function


def _public(index: Index) -> Callable[..., float]:
    """Return the function of X and labels (or truth and labels) that computes just this index."""

    def internal(
        X: Any,
        labels: Any,
        *,
        metric: Any = "euclidean",
        noise: str = "drop",
        n_jobs: int | None = None,
        **options: Any,
    ) -> float:
        from clustval.partition import partition  # noqa: PLC0415 - the engine loads on first use

        source = partition(X, labels, metric=metric, noise=noise, n_jobs=n_jobs, needs=index.needs)
        return index.value(source, check_options(index, options))

    def external(truth: Any, labels: Any, *, noise: str = "cluster", **options: Any) -> float:
        from clustval.stats.contingency import label_pair  # noqa: PLC0415

        return index.value(label_pair(truth, labels, noise=noise), check_options(index, options))

    function: Callable[..., float] = internal if index.kind == "internal" else external
    signature = inspect.signature(function)
    fixed = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    own = [p for name, p in _options_of(index.formula).items() if name not in index.options]
    functools.update_wrapper(function, index.formula)
    function.__name__ = function.__qualname__ = index.name
    function.__signature__ = inspect.Signature([*fixed, *own], return_annotation="float")  # type: ignore[attr-defined]
    function.__annotations__ = {}
    return function


def check_options(index: Index, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options, or raise an error that names those which the index has."""
    allowed = [name for name in _options_of(index.formula) if name not in index.options]
    for name in options:
        if name not in allowed:
            has = f"its options are {', '.join(allowed)}" if allowed else "it has no options"
            msg = f"{index.name} has no option {name!r}; {has}."
            raise InputError(msg)
    return options


def _decorator(kind: Kind, **record: Any) -> Callable[[Callable[..., Any]], Callable[..., float]]:
    def declare(formula: Callable[..., Any]) -> Callable[..., float]:
        name = record.pop("name", formula.__name__)
        return register(Index(name=name, kind=kind, formula=formula, needs=needs_of(formula), **record))

    return declare


def internal_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    degree: int | Callable[[int], int] | None,
    reference: str,
    clusters: tuple[int, int] = (2, 1),
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
    points: Callable[..., Any] | None = None,
    neighbours: Callable[..., Any] | None = None,
    by_cluster: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., float]]:
    """Declare an index of points and labels.

    `clusters` is the fewest clusters, and how many fewer than points the most may be; `degree` d says that
    scaling X by c scales the value by c**d (a function of the number of dimensions, or None if it does not
    scale so); `undefined` says why the formula gives NaN where it does.
    """
    return _decorator("internal", **locals())


def external_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    reference: str,
    symmetric: bool,
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
    by_cluster: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., float]]:
    """Declare an index of two labellings; `symmetric` says whether they may be swapped."""
    return _decorator("external", **locals(), degree=None)


def load() -> None:
    """Import every file of indices, so that the registry is complete."""
    import clustval.indices.external  # noqa: PLC0415
    import clustval.indices.internal  # noqa: F401, PLC0415


def find(name: str, kind: Kind | None = None) -> Index:
    """Return the index called `name`: in any case, by an alias, or by an unambiguous beginning.

    Beginnings are tried on the names of the clusterCrit suite first, whose users abbreviate, then on all. Without a
    `kind` both are searched; a name that both have means the internal index.
    """
    from clustval.suites import SUITES  # noqa: PLC0415

    load()
    kinds = [kind] if kind else list(INDICES)
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    for each in kinds:
        if key in FUNCTIONS[each]:
            return INDICES[each][FUNCTIONS[each][key].__name__]
    known = {n: INDICES[each][f.__name__] for each in reversed(kinds) for n, f in FUNCTIONS[each].items()}
    common = {n for each in kinds for n in SUITES["clustercrit"][each] if n in known}
    for names in (common, set(known)):
        matches = sorted(n for n in names if n.startswith(key)) if key else []
        found = {(known[n].kind, known[n].name): known[n] for n in matches}
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            msg = f"{name!r} may be any of {_listed(matches)}. Write more of the name."
            raise InputError(msg)
    near = difflib.get_close_matches(key, known, n=3, cutoff=0.6)
    where = f"clustval.indices({kind!r})" if kind else "clustval indices"
    hint = f"Did you mean {_listed(near, 'or')}?" if near else f"{where} lists them all."
    msg = f"No {kind + ' ' if kind else ''}index is called {name!r}. {hint}"
    raise InputError(msg)


def _listed(names: Iterable[str], word: str = "and") -> str:
    quoted = [repr(n) for n in names]
    if len(quoted) > 8:
        quoted = [*quoted[:7], f"{len(quoted) - 7} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"
