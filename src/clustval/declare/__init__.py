"""What an index, a statistic, a source, a way and a kind of index are; everything else is derived from their records.

An index is declared by decorating its formula. The types of the formula's positional parameters are the statistics it
needs; its keyword-only parameters are its options. A statistic is computed from a source, which computes each once, in
the way that is declared for sources of its type. A kind is the function that makes a source of what users pass: its
signature is that of every index of the kind.
"""

from __future__ import annotations

from clustval.declare.indices import (
    KINDS,
    PARAMETERS,
    PENALTY,
    Index,
    Kind,
    Request,
    Value,
    cluster_property,
    declares,
    kind,
    plan_of,
    recalled,
    statistics_of,
)
from clustval.declare.sources import Done, Plan, Source, without_lazy
from clustval.declare.statistics import (
    COSTS,
    Cost,
    Need,
    Statistic,
    Way,
    declared_ways,
    together,
    way,
    ways_of,
)

__all__ = [
    "COSTS",
    "KINDS",
    "PARAMETERS",
    "PENALTY",
    "Cost",
    "Done",
    "Index",
    "Kind",
    "Need",
    "Plan",
    "Request",
    "Source",
    "Statistic",
    "Value",
    "Way",
    "cluster_property",
    "declared_ways",
    "declares",
    "kind",
    "plan_of",
    "recalled",
    "statistics_of",
    "together",
    "way",
    "ways_of",
    "without_lazy",
]
