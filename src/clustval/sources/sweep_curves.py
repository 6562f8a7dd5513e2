"""Indices that no partition has alone: they are made of curves of formulas over the partitions of a sweep.

The type of each parameter of such an index says what it is given::

    def hartigan(W: Annotated[Floats, Curve(trace_w)], W_after: Annotated[Floats, Curve(trace_w, "after")]) -> Floats

A curve has one value for each partition, NaN where there is none, and so has the index.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn, TypeVar, get_args, get_type_hints

from clustval import options as option_rules
from clustval.arrays import Floats
from clustval.declare import KINDS, Index, Need, Source, Statistic, statistics_of
from clustval.errors import UndefinedIndexError
from clustval.lazy import cached_property
from clustval.options import Option
from clustval.rules import Rule
from clustval.sources.clustered_points import points_and_labels

# Whose value: that of the partition itself; that of a partition of the same points into one cluster fewer, or into one
# more; of one into one more that leaves all clusters but one as they are; or of that one cluster, cut in two.
Where = Literal["own", "before", "after", "finer", "split"]


@dataclass(frozen=True)
class Curve:
    """What a formula of statistics gives for each partition of a sweep, or for another that belongs to it.

    Of several partitions "before" or "after", the one with the smallest value of the index's first curve is taken.
    """

    formula: Callable[..., Any]
    where: Where = "own"
    of_nothing: float = math.nan  # the value "before" a partition into one cluster

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The formula itself, where it is that of an index."""
        plain: Callable[..., Any] = inspect.unwrap(self.formula)
        return plain


class Numbers:
    """Says of a parameter that it takes the number of clusters of each partition."""


@dataclass(frozen=True, eq=False)
class SweepIndex(Index):
    """The record of an index that needs several partitions."""

    details: Mapping[str, Callable[..., Floats]] = field(default_factory=dict)  # further curves, as "critical" values

    @property
    def formulas(self) -> tuple[Callable[..., Floats], ...]:
        """What is evaluated: the index, and what is told beside it."""
        return self.formula, *self.details.values()

    @cached_property
    def statistics(self) -> tuple[type[Statistic], ...]:
        """The statistics that the curves are made of."""
        curves = [note for formula in self.formulas for note in notes_of(formula).values() if isinstance(note, Curve)]
        return tuple(dict.fromkeys(s for curve in curves for s in statistics_of(curve.plain)))

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options of the index and of its details, by name."""
        return {name: option for formula in self.formulas for name, option in option_rules.options_of(formula).items()}

    def needs(self, options: Mapping[str, Any] | None = None) -> tuple[Need, ...]:  # noqa: ARG002 - its curves have needs
        """Return nothing: one partition does not have what it needs."""
        return ()

    def silent_values(self, source: Source, options: Mapping[str, Any] | None = None) -> NoReturn:  # noqa: ARG002
        """Raise an error: one partition has no value."""
        raise UndefinedIndexError(self.alone)

    @property
    def alone(self) -> str:
        """Why one partition has no value."""
        return (
            f"{self.name} needs partitions into several numbers of clusters; give them to "
            f"clustval.sweep(X, partitions, {self.name!r})."
        )


def notes_of(formula: Callable[..., Any]) -> dict[str, Curve | type[Numbers]]:
    """Return what each parameter of an index of sweeps is given."""
    hints = get_type_hints(formula, include_extras=True)
    positional = [
        p.name for p in inspect.signature(formula).parameters.values() if p.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    return {name: get_args(hints[name])[1] for name in positional}


F = TypeVar("F", bound=Callable[..., Floats])


def sweep_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    degree: int | Callable[[int], int] | None,
    reference: str,
    undefined: str,
    clusters: tuple[int, int] = (2, 1),
    aliases: tuple[str, ...] = (),
    name: str | None = None,
    details: Mapping[str, Callable[..., Floats]] | None = None,
) -> Callable[[F], F]:
    """Declare an index of points and several labellings; fields are those of `internal_index`.

    `clusters` limits the partitions that have a value, not those "before" and "after" them. `details` are told beside
    the values; one called "critical" is what a rule compares them with.
    """

    def declare(formula: F) -> F:
        kind = next(each for each in KINDS.values() if each.source is points_and_labels)
        index = SweepIndex(
            name=name or formula.__name__,
            kind=kind.name,
            formula=formula,
            best=best,
            bounds=bounds,
            reference=reference,
            aliases=aliases,
            undefined=undefined,
            degree=degree,
            clusters=clusters,
            details=details or {},
        )
        taken = {*kind.functions, *(n for other in kind.of_sweeps.values() for n in (other.name, *other.aliases))}
        for each in (index.name, *aliases):
            if each in taken:
                msg = f"Two {kind.name} indices are called {each!r}."
                raise ValueError(msg)
        kind.of_sweeps[index.name] = index
        return formula

    return declare
