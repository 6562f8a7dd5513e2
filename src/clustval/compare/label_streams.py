"""Two labellings that are read in blocks: their table is the sum of the tables of the blocks, by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from clustval import inputs
from clustval.errors import InputError
from clustval.labels import encode, noise_name
from clustval.passes.run_pieces import check_executor, results
from clustval.readers.pieces import Piece, Rows, Table
from clustval.result import Nameless
from clustval.sources.label_pair import LabelPair, pair_of
from clustval.stats.contingency import Contingency

NAMES = ("truth", "labels")
MOST_CLUSTERS = 10**6


class NoiseCluster(Nameless):
    """The name of noise until the names of all clusters are known; in all blocks and processes it is the same."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NoiseCluster)

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "noise"


@dataclass(frozen=True)
class LabelCounts:
    """The table of some rows, how many they are by weight, and the noise in each labelling. Two of them add up."""

    table: Contingency
    rows: int
    total: Any
    noise: tuple[tuple[int, int], ...]  # of truth and labels: how many, and the row of the first

    def __add__(self, other: LabelCounts) -> LabelCounts:
        """Counts of two sets of rows, one after the other."""
        noise = tuple(
            (count + more, first if count else self.rows + second)
            for (count, first), (more, second) in zip(self.noise, other.noise, strict=True)
        )
        table = self.table + other.table
        for names, side in ((table.row_labels, "truth"), (table.column_labels, "labels")):
            if len(names) > MOST_CLUSTERS:
                msg = f"{side} has more than {MOST_CLUSTERS:,} different values; they name rows, not clusters."
                raise InputError(msg)
        return LabelCounts(table, self.rows + other.rows, self.total + other.total, noise)


def counts_of_piece(piece: Piece, noise: str) -> LabelCounts | None:
    """Return the counts of the rows of a piece, None if it has no rows."""
    parts = [counts_of_rows(rows, noise) for rows in piece.blocks() if len(rows)]
    return reduce(add, parts) if parts else None


def counts_of_rows(rows: Rows, noise: str) -> LabelCounts:
    """Return the counts of a block."""
    noisy = ((0, 0), (0, 0))
    if noise == "error":
        noisy = tuple(map(_noise, (rows.X, rows.labels), NAMES))  # type: ignore[assignment]
        noise = "cluster"
    pair = pair_of(rows.X, rows.labels, noise=noise, sample_weight=rows.weights, zero=True, noise_label=NoiseCluster())
    return LabelCounts(Contingency.part(pair), len(rows), pair.total, noisy)


def _noise(labels: Any, name: str) -> tuple[int, int]:
    noisy = encode(labels, name)[0] < 0
    return int(np.count_nonzero(noisy)), int(noisy.argmax())


def streamed_pair(
    table: Table, *, noise: str = "cluster", n_jobs: int | None = None, executor: Any = None
) -> LabelPair:
    """Return the pair of labellings of all blocks."""
    check_executor(executor)
    inputs.one_of(noise, inputs.NOISE_POLICIES, "noise")
    if noise == "singletons":
        msg = "noise='singletons' makes each noise point a cluster; in blocks choose 'drop', 'cluster' or 'error'."
        raise InputError(msg)
    parts = results(counts_of_piece, table.pieces, common=(noise,), executor=executor, n_jobs=inputs.as_jobs(n_jobs))
    total: LabelCounts | None = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    if total is None:
        msg = "truth is empty."
        raise InputError(msg)
    for (count, first), name in zip(total.noise, NAMES, strict=True):
        if count:
            msg = f"{name} marks {count} points as noise, the first at position {first}; noise='error' allows none."
            raise InputError(msg)
    if not total.total:
        msg = "sample_weight is 0 for every point; at least one must weigh more."
        raise InputError(msg)
    return LabelPair(_named(total.table), total.total)


def _named(table: Contingency) -> Contingency:
    """Give noise a name that no cluster has, behind all others."""
    codes, names = [], []
    for cells, labels in ((table.rows, table.row_labels), (table.columns, table.column_labels)):
        others = [name for name in labels if not isinstance(name, NoiseCluster)]
        place = {name: at for at, name in enumerate(others)}
        codes.append(np.array([place.get(name, len(others)) for name in labels], dtype=np.int64)[cells])
        names.append(others if len(others) == len(labels) else [*others, noise_name(place)])
    return Contingency.of_cells(codes[0], codes[1], table.counts, names[0], names[1])
