"""What chance alone would give: indices of tables drawn at random with the same sizes of clusters."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.declare import Request
from clustval.errors import InputError, UndefinedIndexError
from clustval.passes.labels.cells import tabulate
from clustval.result import Result
from clustval.seeding import generators
from clustval.sources.label_pair import LabelPair
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.information import ExpectedInformation
from clustval.tables import Tabular

MOST_POINTS = 10**9  # NumPy draws hypergeometric numbers below this


@dataclass(frozen=True, eq=False)
class Null(Tabular, Result):
    """An index under independent labels with the same sizes: its mean, its s.d., and how rare the observed value is."""

    mean: float
    std: float
    p_value: float  # share of draws, the observed one included, that agree at least as well
    draws: int  # for which the index has a value


def null_distributions(
    pair: LabelPair,
    choices: Sequence[Request],
    observed: Mapping[str, float],
    *,
    permutations: int,
    random_state: Any,
    done: Callable[[int], None] | None = None,
) -> dict[str, Null]:
    """Return for each index what random tables give; all indices are computed from the same tables."""
    values = np.full((permutations, len(choices)), np.nan)
    expected = any(ExpectedInformation in c.index.statistics for c in choices)
    for i, table in enumerate(random_tables(pair[Contingency], permutations, random_state)):
        sample = LabelPair(table)
        if expected:
            sample.keep(pair[ExpectedInformation])  # it depends on the sizes alone
        for j, choice in enumerate(choices):
            try:
                values[i, j] = choice.index.value(sample, choice.options)
            except UndefinedIndexError:
                continue
        if done is not None:
            done(i)
    return {c.name: _null(values[:, j], observed[c.name], c) for j, c in enumerate(choices)}


# How well a value agrees, by the rule of its index: the larger the better. A value that does not judge is missing here.
MERITS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.float64]]] = {
    "higher": np.positive,
    "lower": np.negative,
    "nearer 0": lambda values: -np.abs(values),
}


def _null(values: NDArray[np.float64], observed: float, choice: Request) -> Null:
    values = values[~np.isnan(values)]
    if len(values) == 0:
        return Null(math.nan, math.nan, math.nan, 0)
    merit = MERITS.get(choice.best.better)
    p_value = math.nan
    if merit is not None and not math.isnan(observed):
        # A table like the observed one must count as equal, whatever the order of its cells did to the last digit.
        least = merit(np.array(observed)) - 1e-12 * max(abs(observed), float(values.std()))
        p_value = (1 + int(np.count_nonzero(merit(values) >= least))) / (1 + len(values))
    std = float(values.std(ddof=1)) if len(values) > 1 else math.nan
    return Null(float(values.mean()), std, p_value, len(values))


def random_tables(table: Contingency, count: int, random_state: Any) -> Iterator[Contingency]:
    """Give `count` tables of independent labels with the sizes of the clusters of this one.

    Small tables are drawn cell by cell, which does not depend on the number of points; for large ones the labels of
    the points are shuffled.
    """
    if table.counts.dtype.kind == "f":
        msg = "permutations deal out whole points at random, so that sample_weight must hold whole numbers."
        raise InputError(msg)
    if table.n >= MOST_POINTS:
        msg = f"Permutations need fewer than 10**9 points; there are {table.n}."
        raise InputError(msg)
    generator = generators(random_state)
    draw = _shuffled if table.n < 3 * table.r * table.k else _drawn
    return (draw(table, generator(i)) for i in range(count))


def _drawn(table: Contingency, rng: np.random.Generator) -> Contingency:
    remaining = table.column_sizes.copy()
    cells = np.empty((table.r, table.k), dtype=np.int64)
    for i, size in enumerate(table.row_sizes.tolist()):
        cells[i] = rng.multivariate_hypergeometric(remaining, size, method="marginals")
        remaining -= cells[i]
    return Contingency.of_table(cells)


def _shuffled(table: Contingency, rng: np.random.Generator) -> Contingency:
    truth, labels = np.repeat(table.rows, table.counts), np.repeat(table.columns, table.counts)
    (rows, columns), counts = tabulate([truth, rng.permutation(labels)])
    return Contingency(rows, columns, counts, table.row_labels, table.column_labels)
