"""Labellings that are read in blocks: their table is the sum of the tables of the blocks, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Integers
from clustval.choices import NoisePolicy
from clustval.errors import InputError
from clustval.homes.rows_at_home import columns_at_home
from clustval.labels import encode, in_order, noise_name
from clustval.passes.work.run_pieces import check_executor, results
from clustval.readers.open_rows import label_table, labels_in_blocks
from clustval.readers.pieces import Labellings, Piece, Rows
from clustval.result import UniqueName
from clustval.sources.label_pair import LabelPair, checked_columns, combinations_of, pair_of
from clustval.stats.labels.contingency import Contingency

MOST_CLUSTERS = 10**6
MOST_CELLS = 5 * 10**7  # combinations of labels, some 2 GiB
AT_ONCE = 2**20  # combinations of labels that wait to be added


class NoiseCluster(UniqueName):
    """The name of noise until the names of all clusters are known; in all blocks and processes it is the same."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoiseCluster)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "noise"


@dataclass(frozen=True)
class LabelCounts:
    """The combinations of labels of some rows, how many rows there are, and the noise in each labelling.

    Several of them add up, by the names of clusters.
    """

    codes: tuple[Integers, ...]  # of each labelling, for each combination that occurs
    counts: NDArray[Any]  # of rows with it, by weight
    names: tuple[list[Any], ...]
    rows: int
    total: Any
    noise: tuple[tuple[int, int], ...]  # of each labelling: how many, and the row of the first

    def check(self, sides: Sequence[str]) -> None:
        """Raise an error if there are so many clusters, or combinations of them, that they must be rows."""
        for names, side in zip(self.names, sides, strict=True):
            if len(names) > MOST_CLUSTERS:
                msg = f"{side} has more than {MOST_CLUSTERS:,} different values; they name rows, not clusters."
                raise InputError(msg)
        if len(self.counts) > MOST_CELLS:
            msg = f"{' and '.join(sides)} have more than {MOST_CELLS:,} combinations of labels, too many to be counted."
            raise InputError(msg)


def joined(parts: Sequence[LabelCounts]) -> LabelCounts:
    """Return the counts of several sets of rows, one after the other."""
    sides = range(len(parts[0].names))
    codes, names = zip(*(_merged(parts, side) for side in sides), strict=True)
    keys = np.zeros(len(codes[0]), dtype=np.int64)
    span = 1
    for column, some in zip(codes, names, strict=True):
        if span * len(some) >= 2**63:
            distinct, keys = np.unique(keys, return_inverse=True)
            span = len(distinct)
        keys, span = keys * len(some) + column, span * len(some)
    _, firsts, inverse = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.concatenate([part.counts for part in parts])
    counts = np.bincount(inverse, weights=counts).astype(counts.dtype)  # exact: below 2**53
    befores = np.cumsum([0, *(part.rows for part in parts)]).tolist()
    noise = []
    for side in sides:
        firsts_of_noise = [b + p.noise[side][1] for b, p in zip(befores, parts, strict=False) if p.noise[side][0]]
        noise.append((sum(part.noise[side][0] for part in parts), min(firsts_of_noise, default=0)))
    total = sum(part.total for part in parts)
    return LabelCounts(tuple(c[firsts] for c in codes), counts, names, befores[-1], total, tuple(noise))


def _merged(parts: Sequence[LabelCounts], side: int) -> tuple[Integers, list[Any]]:
    """Return the codes of one labelling in all parts, by the names that any of them has, in their order."""
    names = parts[0].names[side]
    codes = [part.codes[side] for part in parts]
    if any(part.names[side] != names for part in parts):
        names = in_order(dict.fromkeys(name for part in parts for name in part.names[side]))
        place = {name: at for at, name in enumerate(names)}
        places = [np.array([place[name] for name in part.names[side]], dtype=np.int64) for part in parts]
        codes = [place_of[code] for place_of, code in zip(places, codes, strict=True)]
    return np.concatenate(codes), names


def added(parts: Iterable[LabelCounts | None], sides: Sequence[str]) -> LabelCounts | None:
    """Add up counts as they come, None for those of no rows; many at a time, since each addition sorts them all."""
    waiting: list[LabelCounts] = []
    for part in filter(None, parts):
        waiting.append(part)
        if sum(len(each.counts) for each in waiting[1:]) > max(AT_ONCE, len(waiting[0].counts)):
            waiting = [joined(waiting)]
            waiting[0].check(sides)
    if not waiting:
        return None
    total = joined(waiting)
    total.check(sides)
    return total


def counts_of_piece(piece: Piece, noise: str, sides: Sequence[str]) -> LabelCounts | None:
    """Return the counts of the rows of a piece, None if it has no rows."""
    return added((counts_of_rows(rows, noise, sides) for rows in piece.blocks() if len(rows)), sides)


def counts_of_rows(rows: Rows, noise: str, sides: Sequence[str]) -> LabelCounts:
    """Return the counts of a block."""
    others = rows.labels.columns if isinstance(rows.labels, Labellings) else (rows.labels,)
    labellings = (rows.X, *others)
    noisy = tuple((0, 0) for _ in labellings)
    if noise == "error":
        noisy = tuple(map(_noise, labellings, sides))
        noise = "cluster"
    columns, weights = checked_columns(labellings, sides, noise, rows.weights, zero=True)
    codes, counts, names = combinations_of(columns, noise, weights, NoiseCluster())
    total = len(rows) if weights is None else float(weights.sum())
    return LabelCounts(tuple(codes), counts, tuple(names), len(rows), total, noisy)


def _noise(labels: Any, name: str) -> tuple[int, int]:
    noisy = encode(labels, name)[0] < 0
    return int(np.count_nonzero(noisy)), int(noisy.argmax())


def streamed_counts(
    labellings: Mapping[str, Any],
    *,
    data: Any = None,
    noise: NoisePolicy = "cluster",
    weights: Any = None,
    executor: Any = None,
) -> LabelCounts:
    """Return the counts of all blocks; keys are what the caller calls the labellings."""
    check_executor(executor)
    inputs.as_noise(noise)
    if noise == "singletons":
        msg = "noise='singletons' makes each noise point a cluster; in blocks choose 'drop', 'cluster' or 'error'."
        raise InputError(msg)
    table, sides = label_table(labellings, data=data, weights=weights), tuple(labellings)
    parts = results(
        counts_of_piece, table.pieces, common=(noise, sides), executor=executor, n_jobs=inputs.as_jobs(None)
    )
    total = added(parts, sides)
    if total is None:
        msg = f"{sides[0]} is empty."
        raise InputError(msg)
    for (count, first), name in zip(total.noise, sides, strict=True):
        if count:
            msg = f"{name} marks {count} points as noise, the first at position {first}; noise='error' allows none."
            raise InputError(msg)
    if not total.total:
        msg = "sample_weight is 0 for every point; at least one must weigh more."
        raise InputError(msg)
    return _named(total)


def _named(counts: LabelCounts) -> LabelCounts:
    """Give noise a name that no cluster has, behind all others, and sort: no order may depend on the blocks."""
    codes, names = [], []
    for cells, labels in zip(counts.codes, counts.names, strict=True):
        others = [name for name in labels if not isinstance(name, NoiseCluster)]
        place = {name: at for at, name in enumerate(others)}
        codes.append(np.array([place.get(name, len(others)) for name in labels], dtype=np.int64)[cells])
        names.append(others if len(others) == len(labels) else [*others, noise_name(place)])
    order = np.lexsort(codes[::-1])
    return replace(counts, codes=tuple(c[order] for c in codes), counts=counts.counts[order], names=tuple(names))


def pair_in_blocks_or_memory(
    labellings: Mapping[str, Any], *, noise: str, sample_weight: Any = None, data: Any = None, executor: Any = None
) -> LabelPair:
    """Return the pair of two labellings, which may be columns of a table that is read in blocks."""
    labellings, sample_weight, data = in_memory_of(labellings, sample_weight, data)
    (_, truth), (_, labels) = labellings.items()
    if data is None and not labels_in_blocks(truth):
        check_in_memory(executor)
        first, second = labellings
        return pair_of(truth, labels, noise=noise, sample_weight=sample_weight, names=(first, second))
    counts = streamed_counts(labellings, data=data, noise=noise, weights=sample_weight, executor=executor)
    (rows, columns), (row_labels, column_labels) = counts.codes, counts.names
    return LabelPair(Contingency.of_cells(rows, columns, counts.counts, row_labels, column_labels), counts.total)


def in_memory_of(labellings: Mapping[str, Any], weights: Any, data: Any) -> tuple[Mapping[str, Any], Any, Any]:
    """Return labellings, weights, and the table that they are read from: None where that is a frame in memory."""
    wanted = {**labellings, "sample_weight": weights} if isinstance(weights, str) else labellings
    columns = columns_at_home(data, wanted)
    if columns is None:
        return labellings, weights, data
    return {name: columns[name] for name in labellings}, columns.get("sample_weight", weights), None


def check_in_memory(executor: Any) -> None:
    """Raise an error if there is someone to read blocks of labels that are in memory."""
    if executor is not None:
        msg = "executor is for labels that are read in blocks, such as columns of data=; these are in memory."
        raise InputError(msg)
