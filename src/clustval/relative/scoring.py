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

from clustval.backends import threads
from clustval.backends.small import SMALL
from clustval.errors import UndefinedIndexError
from clustval.evaluation import scores_of
from clustval.inputs import Labels
from clustval.partition import Partition, Space
from clustval.registry import Source
from clustval.suites import Choice

Values = NDArray[np.float64]
Integers = NDArray[np.int64]
Done = Callable[[int], object] | None

BLOCK = 40  # partitions of a block: enough that Python's share of the work is small
CELLS = 2**22  # squares of numbers of clusters that a block holds at most, if more than one partition
MUCH = 10**7  # work from which compiled blocks beat NumPy, the loading of a compiler included
PER_PARTITION = 10**5  # what NumPy spends on a partition whatever its size, in pairs


@dataclass
class Table:
    """Values of indices (columns) for partitions (rows), NaN with a reason where there is none."""

    values: Values
    reasons: dict[tuple[int, str], str] = field(default_factory=dict)


def table_of(space: Space, labels: Sequence[Labels], choices: Sequence[Choice], done: Done = None) -> Table:
    """Return the value of every index for every partition."""
    table = Table(np.full((len(labels), len(choices)), np.nan))
    shared = _in_blocks(space, labels, choices, table, done)
    for row in np.flatnonzero(~shared.all(axis=1)).tolist():
        _alone(space, labels[row], row, np.flatnonzero(~shared[row]).tolist(), choices, table)
        if done is not None and not shared[row].any():
            done(row)
    return table


def _alone(
    space: Space, labels: Labels, row: int, columns: Sequence[int], choices: Sequence[Choice], table: Table
) -> None:
    """Evaluate some indices of one partition by themselves."""
    chosen = [choices[column] for column in columns]
    source = Partition(space, labels, {s for choice in chosen for s in choice.index.needs})
    scores = scores_of(source, chosen)
    table.values[row, columns] = list(scores.values())
    table.reasons.update({(row, name): reason for name, reason in scores.reasons.items()})


def _in_blocks(
    space: Space, labels: Sequence[Labels], choices: Sequence[Choice], table: Table, done: Done
) -> NDArray[np.bool_]:
    """Evaluate what can be evaluated in blocks; return which values (partitions x indices) are done."""
    shared = np.zeros(table.values.shape, dtype=bool)
    if space.n <= SMALL and len(labels) * (space.n**2 + PER_PARTITION) <= MUCH:
        return shared
    from clustval.relative.batch import Ground, Tables, fitting  # noqa: PLC0415 - loads the compiler
    from clustval.relative.stacked import Group  # noqa: PLC0415

    fits = fitting(space)
    columns = [at for at, choice in enumerate(choices) if fits.issuperset(choice.index.needs)]
    ks = np.array([given.k if given.codes.min() >= 0 else 0 for given in labels])
    if not columns or not ks.any():
        return shared
    ground = Ground(space, {s for at in columns for s in choices[at].index.needs})
    if not ground.symmetric:
        return shared
    blocks = blocks_of(ks, space.n_jobs)

    def work(item: int) -> None:
        rows = blocks[item]
        tables = Tables(ground, np.stack([labels[row].codes for row in rows]), ks[rows])
        values, known = np.full((len(choices), len(rows)), np.nan), np.zeros((len(choices), len(rows)), dtype=bool)
        for lo, hi in pairwise(np.flatnonzero(np.diff(ks[rows], prepend=-1, append=-1)).tolist()):
            group = Group(tables, lo, hi)
            with np.errstate(all="ignore"):
                for column in columns:
                    found = _values(choices[column], group, hi - lo)
                    if found is not None:
                        values[column, lo:hi] = found
                        known[column, lo:hi] = True
        table.values[rows], shared[rows] = values.T, known.T
        _tell(done, rows)

    threads.run(work, len(blocks), space.n_jobs)
    for row, column in np.argwhere(shared & np.isnan(table.values)).tolist():
        table.reasons[row, choices[column].name] = choices[column].index.without_value
    return shared


def _tell(done: Done, rows: Integers) -> None:
    if done is not None:
        for row in rows.tolist():
            done(row)


def _values(choice: Choice, group: Source, count: int) -> Values | None:
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
