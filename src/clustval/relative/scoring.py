"""The values of indices of many partitions: in blocks that share the distances, or one partition after another.

Blocks need the matrix of distances to fit the memory, partitions without noise, and statistics that stack. What
lacks any of these is evaluated as `clustval.evaluate` does it, with the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.declare import Request, Source, plan_of
from clustval.errors import InputError, UndefinedIndexError
from clustval.evaluation import values_of
from clustval.inputs import Labels
from clustval.passes.centres.centre_gaps import tables_fit
from clustval.passes.work import threads, thresholds
from clustval.sources.many import BlockTables, Group, Shared, stacks
from clustval.sources.partition import Partition
from clustval.sources.space import Space

Done = Callable[[int], object] | None

BLOCK = 40  # partitions of a block: enough that Python's share of the work is small
CELLS = 2**22  # squares of numbers of clusters that a block holds at most, if more than one partition


@dataclass
class ScoreTable:
    """Values of indices (columns) for partitions (rows), NaN with a reason where there is none."""

    values: Floats
    reasons: dict[tuple[int, str], str] = field(default_factory=dict)


def table_of(
    space: Space,
    labels: Sequence[Labels],
    choices: Sequence[Request],
    done: Done = None,
    weights: Floats | None = None,
) -> ScoreTable:
    """Return the value of every index for every partition."""
    table = ScoreTable(np.full((len(labels), len(choices)), np.nan))
    shared = np.zeros(table.values.shape, dtype=bool)
    if weights is None:
        shared = _in_blocks(space, labels, choices, table, done)
    failures: dict[int, InputError] = {}
    for row in np.flatnonzero(~shared.all(axis=1)).tolist():
        failure = _alone(space, labels[row], row, np.flatnonzero(~shared[row]).tolist(), choices, table, weights)
        if failure is not None:
            failures[row] = failure
        if done is not None and not shared[row].any():
            done(row)
    if failures and len(failures) == len(labels):  # then it is not the partitions
        raise failures[0]
    return table


def _alone(
    space: Space,
    labels: Labels,
    row: int,
    columns: Sequence[int],
    choices: Sequence[Request],
    table: ScoreTable,
    weights: Floats | None,
) -> InputError | None:
    """Evaluate some indices of one partition by themselves; return the first error of the input, if there is one.

    A metric may be unable to measure a point that other partitions leave out as noise.
    """
    selection = [choices[column] for column in columns]
    source = Partition.weighed(space, labels, plan_of(selection).needs, weights)
    failure = None
    for column, choice in zip(columns, selection, strict=True):
        try:
            values, reasons = values_of(source, [choice])
        except InputError as error:
            failure = failure or error
            table.reasons[row, choice.name] = str(error)
            continue
        table.values[row, column] = values[choice.name]
        table.reasons.update({(row, name): reason for name, reason in reasons.items()})
    return failure


def _in_blocks(
    space: Space, labels: Sequence[Labels], choices: Sequence[Request], table: ScoreTable, done: Done
) -> NDArray[np.bool_]:
    """Evaluate what can be evaluated in blocks; return which values (partitions x indices) are done."""
    shared = np.zeros(table.values.shape, dtype=bool)
    amount = len(labels) * (space.n**2 + thresholds.SWEEP_PARTITION)
    if space.n <= thresholds.SWEEP_POINTS and amount <= thresholds.SWEEP_WORK:
        return shared
    given_back = space.at_unit_reach.exponent == 0  # else indices without a degree need points as they were
    columns = [
        at
        for at, choice in enumerate(choices)
        if stacks(space, choice.needs) and (given_back or choice.index.degree is not None)
    ]
    ks = np.array([one.k if one.codes.min() >= 0 and tables_fit(one.k, space.memory) else 0 for one in labels])
    if not columns or not ks.any():
        return shared
    try:
        common = Shared(space, plan_of(choices[at] for at in columns).needs)
    except InputError:  # of a point that some partitions may leave out as noise
        return shared
    if not common.symmetric:
        return shared
    blocks = blocks_of(ks, space.n_jobs)

    def work(item: int) -> None:
        rows = blocks[item]
        tables = BlockTables(common, np.stack([labels[row].codes for row in rows]), ks[rows])
        values, defined = np.full((len(choices), len(rows)), np.nan), np.zeros((len(choices), len(rows)), dtype=bool)
        for lo, hi in pairwise(np.flatnonzero(np.diff(ks[rows], prepend=-1, append=-1)).tolist()):
            group = Group(tables, lo, hi)
            with np.errstate(all="ignore"):
                for column in columns:
                    stack = _values(choices[column], group, hi - lo)
                    if stack is not None:
                        values[column, lo:hi] = stack
                        defined[column, lo:hi] = True
        table.values[rows], shared[rows] = values.T, defined.T
        _advance(done, rows)

    threads.run(work, len(blocks), space.n_jobs)
    for row, column in np.argwhere(shared & np.isnan(table.values)).tolist():
        table.reasons[row, choices[column].name] = choices[column].index.without_value
    return shared


def _advance(done: Done, rows: Integers) -> None:
    if done is not None:
        for row in rows.tolist():
            done(row)


def _values(choice: Request, group: Source, count: int) -> Floats | None:
    """Return one value per partition, or None where each must be evaluated by itself to say why there is none."""
    try:
        values = choice.index.silent_values(group, choice.options)
    except UndefinedIndexError:
        return None
    return values if np.shape(values) == (count,) else None


def blocks_of(ks: Integers, n_jobs: int) -> list[Integers]:
    """Return the rows of partitions with clusters, sorted by their number, cut into blocks for threads to take.

    Partitions with the same number of clusters stay together where a block holds them.

    >>> [block.tolist() for block in blocks_of(np.array([3, 2, 0, 2, 9]), n_jobs=1)]
    [[1, 3, 0, 4]]
    """
    order = np.argsort(ks, kind="stable")
    order = order[ks[order] > 0]
    most = max(1, min(BLOCK, -(-len(order) // n_jobs)))
    blocks: list[Integers] = []
    current: list[int] = []
    for same in np.split(order, np.flatnonzero(np.diff(ks[order])) + 1):
        room = max(1, min(most, CELLS // int(ks[same[0]]) ** 2))
        for piece in np.array_split(same, -(-len(same) // room)):
            if current and len(current) + len(piece) > room:
                blocks.append(np.array(current))
                current = []
            current.extend(piece.tolist())
    blocks.append(np.array(current))
    return blocks
