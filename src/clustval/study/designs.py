"""The two designs of Vendramin, Campello and Hruschka (2010): which data sets, and how they are partitioned.

A data set is named by its design cell and replication, and all its random numbers come from these and the seed, so
that it is the same whoever makes it and whenever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import get_args

import numpy as np

from clustval.arrays import Integers
from clustval.inputs import Labels
from clustval.relative.labellings import coded
from clustval.seeding import TaskGenerator, generators
from clustval.sources.space import Space
from clustval.study.compare import RUNS, Chained, of_runs, of_trees
from clustval.study.method import joined
from clustval.study.milligan import Balance, milligan
from clustval.study.records import ALL, Task

LINKAGES = ("single", "complete", "average", "ward")


@dataclass(frozen=True)
class Cell:
    """Data sets that are made alike."""

    k: int
    d: int
    balance: Balance

    @property
    def name(self) -> str:
        """Say it in a file name."""
        return f"k{self.k:02}-d{self.d:02}-{self.balance.rstrip('%')}"


@dataclass(frozen=True)
class Replication:
    """One data set of a design."""

    cell: Cell
    number: int
    key: tuple[int, int, int, int]  # of its random numbers

    @property
    def name(self) -> str:
        """The name of the data set, and of its file."""
        return f"{self.cell.name}-{self.number}"


@dataclass(frozen=True)
class Design:
    """Cells, replications, and what partitions the data."""

    part: int
    n: int
    numbers: tuple[int, ...]
    dimensions: tuple[int, ...]
    replications: int
    most: tuple[int, ...]  # numbers of clusters up to which partitions are judged
    partitions: Callable[[Space, list[int], TaskGenerator], Chained]
    chains: tuple[str, ...]  # the names of the chains
    how: str  # what the partitions are, before "2 to 8 clusters"

    def data_sets(self) -> list[Replication]:
        """Return all data sets in a fixed random order, so that the first few are a sample and time left is known."""
        replications = list(self._listed())
        return [replications[at] for at in np.random.default_rng(2010).permutation(len(replications))]

    def _listed(self) -> Iterator[Replication]:
        for k, d, (at, balance) in product(self.numbers, self.dimensions, enumerate(get_args(Balance))):
            for number in range(self.replications):
                yield Replication(Cell(k, d, balance), number, (k, d, at, number))

    def data(self, which: Replication, seed: int) -> tuple[Space, Integers]:
        """Return the points and the truth of one data set."""
        cell = which.cell
        rng = generators(seed)(self.part, *which.key, 0)
        X, truth = milligan(self.n, cell.k, cell.d, cell.balance, random_state=rng)
        return Space(X), truth

    def task(self, which: Replication, seed: int) -> Task:
        """Return one data set with all its partitions: 2 to the most clusters, and one before and after in a chain."""
        space, truth = self.data(which, seed)
        generator = generators(seed)
        codes, chain = self.partitions(
            space, list(range(2, max(self.most) + 2)), lambda *task: generator(self.part, *which.key, 1, *task)
        )
        labels = coded(dict(enumerate([np.zeros(self.n, dtype=np.int64), *codes])), "error")
        classes = Labels(truth, list(range(which.cell.k)))
        return Task(which.name, which.cell.name, space, classes, labels, np.array([ALL, *chain]))


DESIGNS = {
    1: Design(
        part=1,
        n=50,
        numbers=(2, 3, 4, 5),
        dimensions=(4, 6, 8),
        replications=3,
        most=(8, 25),
        partitions=lambda space, numbers, _generator: of_trees(space, LINKAGES, numbers),
        chains=LINKAGES,
        how=f"trees by {joined(LINKAGES)} linkage, cut into",
    ),
    2: Design(
        part=2,
        n=500,
        numbers=(2, 4, 6, 12, 14, 16),
        dimensions=(2, 3, 4, 22, 23, 24),
        replications=9,
        most=(23, 50),
        partitions=lambda space, numbers, generator: of_runs(space, None, numbers, RUNS, generator),
        chains=tuple(f"run {run}" for run in range(RUNS)),
        how=f"k-means from random points, {RUNS} runs for each of",
    ),
}
