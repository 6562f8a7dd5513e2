"""External indices of many labellings against one truth.

Pairs that labellings and truth put together are counted for all labellings in one compiled call; the formulas of
indices then read arrays of counts instead of single ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats
from clustval.declare import Request
from clustval.errors import UndefinedIndexError
from clustval.inputs import Labels
from clustval.sources.label_pair import label_pair
from clustval.stats.labels.pair_counts import PairCounts

EXACT = 10_000  # points up to which products of counts are whole numbers that floats hold


@dataclass(frozen=True)
class PairCountsOfMany(PairCounts):
    """Pair counts of many labellings against the same truth: arrays where `PairCounts` has numbers."""

    @property
    def identical(self) -> Any:
        """Whether there are pairs, and the labellings agree on each."""
        return (self.total > 0) & (self.yn == 0) & (self.ny == 0)

    def share(self, part: Any, whole: Any) -> Any:
        """Return part / whole; where that is 0/0, 1 if the labellings are identical and NaN if they are not."""
        defined = whole != 0
        quotients = np.where(defined, part / np.where(defined, whole, 1), np.nan).astype(np.float64)
        return np.where(~defined & self.identical, 1.0, quotients)


def counts_of(truth: Labels, labels: Sequence[Labels]) -> PairCountsOfMany:
    """Return the pair counts of each labelling against the truth."""
    both, alone = np.empty((2, len(labels)), dtype=np.int64)
    rows = np.stack([labelling.codes for labelling in labels])
    kernels.labels.many_labellings.together(
        truth.codes, truth.k, rows, max(labelling.k for labelling in labels), both, alone
    )
    sizes = np.bincount(truth.codes)
    n, within = len(truth.codes), int((sizes * (sizes - 1) // 2).sum())
    if n > EXACT:  # Python's whole numbers have no end
        both, alone = both.astype(object), alone.astype(object)
    nn = n * (n - 1) // 2 - within - alone + both
    counts: list[Any] = [both, within - both, alone - both, nn]
    return PairCountsOfMany(*counts)


def agreements(truth: Labels, labels: Sequence[Labels], choices: Sequence[Request]) -> Floats:
    """Return the value of every external index (columns) for every labelling (rows), NaN where there is none.

    No labelling may have noise: it forms a cluster, or has been left out.
    """
    values = np.full((len(labels), len(choices)), np.nan)
    counts = None
    for at, choice in enumerate(choices):
        column = None
        if len(labels) > 1 and choice.index.statistics == (PairCounts,):
            counts = counts or counts_of(truth, labels)
            column = _together(counts, choice)
        values[:, at] = [_alone(truth, labelling, choice) for labelling in labels] if column is None else column
    return values


def _together(counts: PairCountsOfMany, choice: Request) -> Floats | None:
    """Return one value for each labelling, or None if the formula decides by single numbers."""
    try:
        with np.errstate(all="ignore"):
            values = choice.index.formula(counts, **choice.options)
    except (TypeError, ValueError):
        return None
    return values if np.shape(values) == np.shape(counts.yy) else None


def _alone(truth: Labels, labels: Labels, choice: Request) -> float:
    try:
        return choice.index.value(label_pair(truth.codes, labels.codes), choice.options)
    except UndefinedIndexError:
        return np.nan
