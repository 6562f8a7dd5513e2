"""Clusters of points whose attributes are categories: the source of the statistics of categorical indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.categories import Categories, categories, together
from clustval.choices import NoisePolicy
from clustval.declare import Index, Plan, Source, Value, declares, kind
from clustval.errors import InputError, UndefinedIndexError
from clustval.inputs import Labels
from clustval.labels import in_order
from clustval.rules import Rule
from clustval.sources.blocks import InBlocks


class CategoricalPartition(Source):
    """Points with categories and clusters; noise and points of weight 0 are left out."""

    def __init__(self, table: Categories, labels: Labels, weights: Floats | None) -> None:
        super().__init__()
        present = labels.codes >= 0
        everything = bool(present.all())
        self.columns: list[Integers] = [column if everything else column[present] for column in table.codes]
        self.numbers = [len(names) for names in table.names]  # of categories in each column
        self.codes: Integers = labels.codes if everything else labels.codes[present]
        self.weights = weights if everything or weights is None else weights[present]
        self.k, self.names, self.n = labels.k, labels.names, len(self.codes)
        self.total = float(len(present) if weights is None else weights.sum())

    @property
    def count(self) -> Any:
        """How many points there are, by weight."""
        return self.n if self.weights is None else float(self.weights.sum())

    @property
    def coverage(self) -> float:
        """Share of the points, by weight, that are not left out as noise."""
        return float(self.count / self.total)

    def check(self, index: Index) -> None:
        """Raise an error if no point is left."""
        check_clusters(self, index)


class CategoricalBlocks(InBlocks):
    """Points in several blocks of rows, whose categories and clusters are merged by name."""

    block_type = CategoricalPartition

    def __init__(self, blocks: Sequence[CategoricalPartition]) -> None:
        super().__init__()
        self.blocks: Sequence[CategoricalPartition] = blocks
        self.n, self.k, self.names = sum(block.n for block in blocks), blocks[0].k, blocks[0].names

    @property
    def coverage(self) -> float:
        """Share of the points, by weight, that are not left out as noise."""
        return float(sum(block.count for block in self.blocks) / sum(block.total for block in self.blocks))

    def check(self, index: Index) -> None:
        """Raise an error if the index needs all points at once, or if no point is left."""
        super().check(index)
        check_clusters(self, index)


def check_clusters(source: Any, index: Index) -> None:
    """Raise an error if every point is noise."""
    if source.k == 0:
        msg = f"{index.name} needs clusters; every point is noise."
        raise UndefinedIndexError(msg)


@kind("categorical", "Clusters of points with categories", order=5)
def categorical_partition(
    X: Any,
    labels: Any,
    *,
    missing: str = "error",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    plan: Plan | None = None,  # noqa: ARG001 - one pass over the points serves all statistics
) -> CategoricalPartition:
    """Return the checked table of categories with checked labels of its points.

    Parameters
    ----------
    X
        One row per point and one column per attribute: a data frame, an array, or a list of rows; or what
        `categories` returns. Text, whole numbers, booleans, dates and categories are taken as they are; other numbers
        are no categories.
    labels
        One label per point, of any type; -1 and missing values are noise.
    missing
        What happens to missing values (None, NaN, NA) of `X`: "error" refuses them, "skip" judges each column by the
        points that have a value there, "category" makes them a category of their own.
    noise
        What happens to noise: "drop" leaves it out, "cluster" makes it a cluster, "singletons" makes each point one,
        "error" refuses it, "penalty" leaves it out and makes values worse by its share.
    sample_weight
        How often each point counts: a weight of 3 is the same as three rows, one of 0 as none.
    """
    table = categories(X, missing=missing)
    weights = None if sample_weight is None else inputs.as_weights(sample_weight, table.n, rows=table.row_names)
    coded = inputs.as_labels(labels, noise=noise, weights=weights, rows=table.row_names)
    inputs.check_length(table.n, coded)
    return CategoricalPartition(table, coded, weights)


def categorical_blocks(rows: Iterable[tuple[Any, ...]], *, missing: str = "error") -> CategoricalBlocks:
    """Return the checked source of blocks, each of them a table of categories, labels, and weights if they have any.

    >>> from clustval import categorical
    >>> blocks = categorical_blocks([([["red"], ["red"]], [0, 0]), ([["blue"], ["red"]], [1, 1])])
    >>> categorical.evaluate(blocks, indices="k_modes_cost")["k_modes_cost"]
    1.0
    """
    parts = [part for part in rows if len(part[1])]
    if not parts:
        msg = "There are no blocks; give at least one pair of a table and labels."
        raise InputError(msg)
    tables = together(categories(X, missing=missing) for X, *_ in parts)
    blocks = []
    weights = [
        inputs.as_weights(w[0], table.n, zero=True, rows=table.row_names) if w else None
        for table, (_, _, *w) in zip(tables, parts, strict=True)
    ]
    if any(each is None for each in weights) and any(each is not None for each in weights):
        msg = "Either all blocks have weights or none; some do and some do not."
        raise InputError(msg)
    coded = [
        inputs.as_labels(y, weights=w, rows=table.row_names)
        for table, w, (_, y, *_) in zip(tables, weights, parts, strict=True)
    ]
    names = in_order(name for labels in coded for name in labels.names)
    for at, (table, labels, w) in enumerate(zip(tables, coded, weights, strict=True)):
        inputs.check_length(table.n, labels, f"Block {at} of X", "its labels")
        blocks.append(CategoricalPartition(table, _placed(labels, names), w))
    return CategoricalBlocks(blocks)


def _placed(labels: Labels, names: list[Any]) -> Labels:
    """Return labels with the numbers of clusters that all blocks share."""
    place = {name: at for at, name in enumerate(names)}
    return Labels(np.array([*(place[name] for name in labels.names), -1], dtype=np.int64)[labels.codes], names)


def categorical_index(
    *,
    best: Rule,
    reference: str,
    by_cluster: Callable[..., Any],
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of clusters of points with categories; none is negative, and none has an upper bound."""
    return declares(
        "categorical",
        best=best,
        bounds=(0, inf),
        reference=reference,
        aliases=aliases,
        clusters=(1, 0),
        by_cluster=by_cluster,
    )
