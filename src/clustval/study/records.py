"""The values of criteria on the partitions of one data set whose clusters are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.declare import Request
from clustval.inputs import Labels
from clustval.relative.scoring import table_of
from clustval.sources.space import Space
from clustval.study.truth_agreement import agreements

ALL = -1  # the chain of a partition that belongs to every chain: all points in one cluster


@dataclass(frozen=True, eq=False)
class Record:
    """Values of relative criteria and of external indices on partitions of one data set.

    Partitions form chains: the cuts of one tree, or one run for each number of clusters. Only within a chain is
    there a partition "before" and one "after", which difference-like criteria compare.
    """

    name: str
    cell: str  # data sets of one cell were made alike
    classes: int  # clusters of the truth
    chain: Integers
    k: Integers
    values: Floats  # partitions x criteria
    external: Floats  # partitions x external indices

    @property
    def chains(self) -> list[int]:
        """The chains that there are."""
        return np.unique(self.chain[self.chain != ALL]).tolist()  # type: ignore[no-any-return]

    def judged(self, most: int | None) -> NDArray[np.bool_]:
        """Return which partitions count: those with 2 to `most` clusters."""
        return (self.k >= 2) & (self.k <= (self.k.max() if most is None else most))


@dataclass(frozen=True)
class Task:
    """One data set with its partitions, still to be evaluated."""

    name: str
    cell: str
    space: Space
    truth: Labels
    labels: Sequence[Labels]
    chain: Integers

    def record(self, criteria: Sequence[Request], external: Sequence[Request], done: Any = None) -> Record:
        """Evaluate every partition by every criterion."""
        return Record(
            name=self.name,
            cell=self.cell,
            classes=self.truth.k,
            chain=self.chain,
            k=np.array([labels.k for labels in self.labels]),
            values=table_of(self.space, self.labels, criteria, done).values,
            external=agreements(self.truth, self.labels, external),
        )


def chains_of(k: Integers) -> Integers:
    """Return the chain of each partition where nobody says: the r-th with k clusters follows the r-th with k - 1.

    >>> chains_of(np.array([2, 3, 3, 2, 1]))
    array([ 0,  0,  1,  1, -1])
    """
    counts: dict[int, int] = {}
    chain = np.empty(len(k), dtype=np.int64)
    for at, number in enumerate(k.tolist()):
        chain[at] = counts.get(number, 0)
        counts[number] = int(chain[at]) + 1
    chain[k == 1] = ALL
    return chain
