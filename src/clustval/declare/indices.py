"""What an index and a kind of index are, and how an index becomes the function that users call."""

from __future__ import annotations

import functools
import importlib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, get_type_hints

import numpy as np

from clustval import options as option_rules
from clustval.declare.sources import Done, Plan, Source
from clustval.declare.statistics import Cost, Need, Statistic, together
from clustval.errors import UndefinedIndexError
from clustval.lazy import cached_property
from clustval.options import Option
from clustval.rules import Rule

PENALTY = "penalty"  # how noise is treated where it is left out, and makes values worse by its share
Value = Any  # what a formula gives: one number, or an array of one per partition


# --- kinds -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of index: how it is called and what its indices are."""

    name: str
    title: str  # what such indices judge
    source: Callable[..., Source]  # of what users pass, checked
    order: int = 9  # among kinds; a name that several have means the first
    indices: dict[str, Index] = field(default_factory=dict)
    functions: dict[str, Callable[..., float]] = field(default_factory=dict)  # by name and alias
    properties: dict[str, Callable[[Any], Any]] = field(default_factory=dict)  # of clusters: a value for each
    of_sweeps: dict[str, Index] = field(default_factory=dict)  # indices that need several partitions
    synonyms: Mapping[str, str] = field(default_factory=dict)  # names that others have for parameters

    @property
    def records(self) -> dict[str, Index]:
        """All indices, those that need several partitions included, by name."""
        return self.indices | self.of_sweeps

    @cached_property
    def explained(self) -> str:
        """What each parameter means, as a docstring says it."""
        return (inspect.getdoc(self.source) or "").partition(PARAMETERS)[2].rstrip()

    @cached_property
    def parameters(self) -> list[inspect.Parameter]:
        """What a function of this kind takes, whatever the index."""
        return [p for p in inspect.signature(self.source).parameters.values() if p.name != "plan"]


PARAMETERS = "Parameters\n----------\n"  # how the section of a docstring begins
KINDS: dict[str, Kind] = {}
F = TypeVar("F", bound=Callable[..., Source])


def kind(name: str, title: str, order: int = 9, synonyms: Mapping[str, str] | None = None) -> Callable[[F], F]:
    """Declare a kind of index by the function that makes a source of what users pass.

    Its parameters but the last, a `Plan`, are those of every index of the kind, and its docstring explains them.
    `synonyms` are names that other libraries have for some of them, which are taken as well.
    """

    def declare(source: F) -> F:
        KINDS[name] = Kind(name, title, source, order, synonyms=synonyms or {})
        return source

    return declare


P = TypeVar("P", bound=Callable[[Any], Any])


def cluster_property(kind: str) -> Callable[[P], P]:
    """Declare what can be said of each cluster of a source, whatever the index, under the name of the function."""

    def declare(values: P) -> P:
        KINDS[kind].properties[values.__name__] = values
        return values

    return declare


# --- indices ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Index:
    """The record of one index."""

    name: str
    kind: str
    formula: Callable[..., Any]
    best: Rule
    bounds: tuple[float, float]
    reference: str
    aliases: tuple[str, ...] = ()
    undefined: str = "it is 0/0"  # why the formula gives NaN where it does
    degree: int | Callable[[int], int] | None = None  # of points: scaling X by c scales the value by c**degree
    # The fewest, 0 where clusters are not counted; the most, counted down from n points, None for any number.
    clusters: tuple[int, int | None] = (1, 0)
    symmetric: bool | None = None  # of two labellings or trees: whether they may be swapped
    points: Callable[..., Any] | None = None  # one value per point
    neighbours: Callable[..., Any] | None = None  # the cluster that each point would move to
    by_cluster: Callable[..., Any] | None = None  # one value per cluster
    uncut: Callable[..., Any] | None = None  # the value before what lies beyond the bounds is cut off, if any is

    @cached_property
    def statistics(self) -> tuple[type[Statistic], ...]:
        """The statistics that the formula reads."""
        return statistics_of(self.formula)

    @property
    def counts_noise(self) -> bool:
        """Whether the formula itself takes noise into account, so that values at different coverages compare."""
        return any(statistic.counts_noise for statistic in self.statistics)

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options of the formula, by name."""
        return option_rules.options_of(self.formula)

    @property
    def cost(self) -> Cost:
        """How the work grows with the number of points."""
        return "linear" if self.takes is None else self.takes.cost

    @cached_property
    def takes(self) -> Any:
        """The price of its statistics in their usual ways, None if they take nothing but one reading."""
        return together(*(s.price for s in self.statistics))

    @property
    def summary(self) -> str:
        """What the number is: the first line of the formula's docstring."""
        return (inspect.getdoc(self.formula) or "").partition("\n")[0]

    @property
    def function(self) -> Callable[..., float]:
        """The function that users call."""
        return KINDS[self.kind].functions[self.name]

    def checked(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of options, or raise an error that says which there are and what they allow."""
        return option_rules.checked(self.name, self.options, values)

    @cached_property
    def _plain_needs(self) -> tuple[Need, ...]:
        return self._needs(self.statistics, {})

    @cached_property
    def plain_plan(self) -> Plan:
        """The plan of evaluating this index alone, with the options that it has by default."""
        return Plan(frozenset(self._plain_needs))

    def needs(self, options: Mapping[str, Any] | None = None) -> tuple[Need, ...]:
        """Return the statistics that the formula needs with these options."""
        return self._needs(self.statistics, options) if options else self._plain_needs

    def _needs(self, statistics: Iterable[type[Statistic]], values: Mapping[str, Any]) -> tuple[Need, ...]:
        def resolved(name: str) -> Any:
            return values[name] if name in values else self.options[name].default

        return tuple(Need(s, tuple((name, resolved(name)) for name in s.options)) for s in statistics)

    def value(self, source: Source, options: Mapping[str, Any] | None = None) -> float:
        """Return the value, or raise `UndefinedIndexError` with the reason why there is none."""
        with np.errstate(all="ignore"):  # x/0 is infinite, 0/0 is no value
            return self.silent_value(source, options)

    def silent_value(self, source: Source, options: Mapping[str, Any] | None = None) -> float:
        """Return what `value` returns, for callers that silence NumPy themselves, once for many indices."""
        value = float(self.silent_values(source, options))
        if math.isnan(value):
            raise UndefinedIndexError(self.without_value)
        return value

    def values(self, source: Source, options: Mapping[str, Any] | None = None) -> Any:
        """Return one value for each partition that the statistics of the source hold, NaN where there is none."""
        with np.errstate(all="ignore"):  # x/0 is infinite, 0/0 is no value
            return self.silent_values(source, options)

    def silent_values(self, source: Source, options: Mapping[str, Any] | None = None) -> Any:
        """Return what `values` returns, for callers that silence NumPy themselves, once for many indices."""
        source.check(self)
        if source.exponent:
            return self._unscaled(self.formula, source, self.needs(options), options or {})
        return self.formula(*map(source.need, self.needs(options)), **(options or {}))

    def uncut_values(self, source: Source, options: Mapping[str, Any] | None = None) -> Any:
        """Return what `values` returns without a cut at the bounds, which hides how much values vary."""
        if self.uncut is None:
            return self.values(source, options)
        source.check(self)
        with np.errstate(all="ignore"):
            return self._unscaled(self.uncut, source, self.needs(options), options or {})

    def _unscaled(
        self, function: Callable[..., Any], source: Any, needs: Iterable[Need], options: Mapping[str, Any]
    ) -> Any:
        """Return what a function gives for points as they were, from points divided by a power of two."""
        if self.degree is None:
            return function(*map(source.as_given.need, needs), **options)
        values = function(*map(source.need, needs), **options)
        scaled = self.rescaled(values, source)
        if (np.isnan(scaled) > np.isnan(values)).any():
            raise UndefinedIndexError(self.too_large)
        return scaled

    def rescaled(self, values: Any, source: Any) -> Any:
        """Return values of points as they were, from those of points divided by a power of two; NaN if too large."""
        if not (source.exponent and self.degree):
            return values
        degree = self.degree(source.p) if callable(self.degree) else self.degree
        scaled = np.ldexp(values, degree * source.exponent)
        return np.where(np.isinf(scaled) & np.isfinite(values), np.nan, scaled)

    def penalty(self, coverage: float) -> float:
        """Return the factor that makes a value worse where this share of the points is no noise.

        It is the coverage where higher values are better, and one over it where lower ones are. Indices that count
        noise themselves, and those that judge nothing, keep their values. Scales without a value that stands for
        nothing found, such as that of BIC, have nothing to go towards.
        """
        low, high = self.bounds
        if coverage == 1 or self.counts_noise or self.best.better == "neither":
            return 1.0
        if self.best.better == "higher" and not (math.isinf(low) and math.isinf(high)):
            return coverage
        if self.best.better == "lower" and low >= 0 and coverage > 0:
            return 1 / coverage
        msg = (
            f"{self.name} has no value under noise='penalty': no value of it stands for nothing found, so that noise "
            "cannot make it worse by its share; choose noise='drop' or 'cluster'."
        )
        raise UndefinedIndexError(msg)

    def penalised(self, value: float, coverage: float) -> float:
        """Return a value of the points that are no noise, made worse by the share of points that are."""
        return float(min(value * self.penalty(coverage), self.bounds[1]))

    @property
    def too_large(self) -> str:
        """Why points that are far apart, or close together, have no value."""
        return f"{self.name} has no value for this clustering: it is more than a float can hold; rescale X."

    @property
    def without_value(self) -> str:
        """Why the formula gives NaN where it does."""
        return f"{self.name} has no value for this clustering: {self.undefined}."

    def part(self, function: Callable[..., Any], source: Source, options: Mapping[str, Any] | None = None) -> Any:
        """Return `function` (values of points or clusters) of the statistics and of the options that it takes."""
        source.check(self)
        values = dict(options or {})
        needs = self._needs(statistics_of(function), values)
        taken = {name: value for name, value in values.items() if name in option_rules.options_of(function)}
        with np.errstate(all="ignore"):
            if source.exponent:
                return self._unscaled(function, source, needs, taken)
            return function(*map(source.need, needs), **taken)

    def __reduce__(self) -> tuple[Callable[..., Index], tuple[str, str, str]]:
        """Travel by name: the record is where its formula is."""
        return recalled, (self.formula.__module__, self.kind, self.name)


def recalled(module: str, kind: str, name: str) -> Index:
    """Return the index of this name, which the module declares."""
    importlib.import_module(module)
    return KINDS[kind].records[name]


@dataclass(frozen=True)
class Request:
    """An index that was asked for: under which name, with which options, read by which rule."""

    name: str
    index: Index
    options: Mapping[str, Any]
    best: Rule

    @property
    def needs(self) -> tuple[Need, ...]:
        """The statistics that it needs."""
        return self.index.needs(self.options)


def plan_of(
    requests: Iterable[Request],
    *,
    memory: int | str | None = None,
    done: Done | None = None,
    limited: bool = False,
    dry: bool = False,
) -> Plan:
    """Return the plan of evaluating all requests from one source."""
    return Plan(frozenset(need for request in requests for need in request.needs), memory, done, limited, dry)


def statistics_of(formula: Callable[..., Any]) -> tuple[type[Statistic], ...]:
    """Return the statistics that a formula's signature names."""
    hints = get_type_hints(formula)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = inspect.signature(formula).parameters.values()
    return tuple(hints[p.name] for p in parameters if p.kind in positional)


def register(index: Index) -> Callable[..., float]:
    """Enter the index and return the function that users call."""
    kind = KINDS[index.kind]
    for name in (index.name, *index.aliases):
        if name in kind.functions:
            msg = f"Two {index.kind} indices are called {name!r}."
            raise ValueError(msg)
    kind.indices[index.name] = index
    function = _public(index, kind)
    for name in (index.name, *index.aliases):
        kind.functions[name] = function
    return function


def declares(
    kind: str, name: str | None = None, **facts: Any
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Return the decorator that registers a formula as an index of the kind; `facts` are fields of `Index`."""
    return lambda formula: register(Index(name=name or formula.__name__, kind=kind, formula=formula, **facts))


def _public(index: Index, kind: Kind) -> Callable[..., float]:
    """Return the function that makes a source of what users pass and computes just this index."""
    by_place = [p.name for p in kind.parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    names = {p.name for p in kind.parameters}
    by_name = names.difference(by_place)

    def function(*positional: Any, **named: Any) -> float:
        if named.get("noise") == PENALTY and "noise" in names:
            source, values = asked(*positional, **named | {"noise": "drop"})
            return index.penalised(index.value(source, values), source.coverage)
        if len(positional) == len(by_place) and by_name.issuperset(named):  # as most call it: nothing to sort out
            return index.value(kind.source(*positional, **named, plan=index.plain_plan))
        return index.value(*asked(*positional, **named))

    def asked(*positional: Any, **named: Any) -> tuple[Any, dict[str, Any]]:
        if kind.synonyms:
            named = option_rules.renamed(named, kind.synonyms)
        values = index.checked({name: value for name, value in named.items() if name not in names})
        rest = {name: value for name, value in named.items() if name in names}
        bound = takes.bind(*positional, **rest)
        return kind.source(*bound.args, **bound.kwargs, plan=Plan(frozenset(index.needs(values)))), values

    takes = inspect.Signature(kind.parameters)
    functools.update_wrapper(function, index.formula)
    function.__name__ = function.__qualname__ = index.name
    function.__doc__ = _help(index, kind)
    own = [option.parameter for option in index.options.values()]
    function.__signature__ = takes.replace(  # type: ignore[attr-defined]
        parameters=[*kind.parameters, *own], return_annotation="float"
    )
    function.__annotations__ = {}
    return function


def _help(index: Index, kind: Kind) -> str:
    """Return the docstring of the formula, followed by what each parameter means."""
    lines = [kind.explained]
    for option in index.options.values():
        lines += [option.name, f"    Option: {option.rule}; {option.default!r} by default."]
    return "\n".join([inspect.getdoc(index.formula) or "", "", PARAMETERS + "\n".join(lines), ""])
