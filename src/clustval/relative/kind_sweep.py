"""Many partitions of one thing, such as a graph, by the indices of any kind: what they share is checked once."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from clustval.catalogue import kinds, select
from clustval.declare import PARAMETERS, plan_of
from clustval.errors import InputError
from clustval.evaluation import Names, read_as_drop, values_of
from clustval.options import renamed
from clustval.relative.coverage import make_worse
from clustval.relative.labellings import partitions_by_name
from clustval.relative.sweep_result import Sweep

PARTITIONS = (
    "partitions\n    A mapping from names to partitions, a list of them, an array of one row per partition or a data "
    "frame of one\n    column per partition; each as the second parameter of an index may be."
)
INDICES = "indices\n    A suite, a name, several, or a mapping from names to options; all by default."


def sweep_of(kind: str, shared: Callable[..., Any]) -> Callable[..., Sweep]:
    """Return the function that evaluates many partitions of one thing by the indices of a kind.

    `shared` makes what all partitions share of the first parameter and of those that it takes by name.
    """
    (only,) = kinds(kind)
    first, second, *others = only.parameters
    taken = set(inspect.signature(shared).parameters)

    def sweep(*positional: Any, indices: Names = "all", **named: Any) -> Sweep:
        choices = select(indices, kind)
        named, penalty = read_as_drop(named)
        bound = takes.bind(*positional, **renamed(named, only.synonyms))
        thing, partitions = bound.arguments.pop(first.name), bound.arguments.pop("partitions")
        by_name = partitions_by_name(partitions)
        if not by_name:
            msg = "partitions is empty; give at least one."
            raise InputError(msg)
        once = shared(thing, **{name: value for name, value in bound.arguments.items() if name in taken})
        rest = {name: value for name, value in bound.arguments.items() if name not in taken}
        rows, numbers, coverage = [], [], {}
        reasons: dict[tuple[Any, str], str] = {}
        for name, labels in by_name.items():
            try:
                source = only.source(once, labels, **rest, plan=plan_of(choices))
            except InputError as error:
                msg = f"Partition {name!r}: {error}"
                raise InputError(msg) from None
            values, missing = values_of(source, choices)
            rows.append([values[choice.name] for choice in choices])
            reasons |= {(name, index): reason for index, reason in missing.items()}
            numbers.append(source.k)  # type: ignore[attr-defined]
            coverage[name] = float(source.coverage)  # type: ignore[attr-defined]
        curves = dict(zip((choice.name for choice in choices), np.array(rows).T, strict=True))
        if penalty:
            make_worse(curves, reasons, choices, coverage)
        shares: dict[str, Any] = {"coverage": np.array(list(coverage.values())), "penalised": penalty}
        return Sweep(
            np.array(list(curves.values())).T, by_name, np.array(numbers, dtype=np.int64), choices, reasons, **shares
        )

    listed = inspect.Parameter("partitions", second.kind, annotation=second.annotation)
    takes = inspect.Signature([first, listed, *others])
    names = inspect.Parameter("indices", inspect.Parameter.KEYWORD_ONLY, default="all", annotation="Names")
    sweep.__signature__ = takes.replace(  # type: ignore[attr-defined]
        parameters=[first, listed, *others, names], return_annotation="Sweep"
    )
    summary = f"Return the values of {kind} indices of many partitions of the same `{first.name}`, as a `Sweep`."
    explained = _without(only.explained, second.name)
    sweep.__doc__ = f"{summary}\n\n{PARAMETERS}{PARTITIONS}\n{explained}\n{INDICES}\n"
    return sweep


def _without(text: str, name: str) -> str:
    """Return the explanation of parameters without that of one."""
    lines, kept = text.splitlines(), []
    keeping = True
    for line in lines:
        if line and not line.startswith(" "):
            keeping = line != name
        if keeping:
            kept.append(line)
    return "\n".join(kept)
