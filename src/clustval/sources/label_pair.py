"""Two labellings of the same points: the source of the statistics of external indices, each computed once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.choices import NoisePolicy
from clustval.declare import Index, Plan, Source, Statistic, Value, declares, kind
from clustval.errors import InputError, UndefinedIndexError
from clustval.labels import Column, column, few_numbers, in_order, noise_name
from clustval.passes.labels.cells import at_points, few_cells, tabulate, weigh
from clustval.passes.labels.numbering import distinct
from clustval.result import UniqueName
from clustval.rules import Rule
from clustval.sources.blocks import InBlocks
from clustval.sources.takes import takes_of

MOST_ALONE = 10**7  # noise points of large weights, each of which is written out as a cluster of its own


@dataclass(frozen=True, eq=False)
class Cells:
    """The combinations of labels that occur: the codes of each labelling, how many points, by weight, and the names."""

    rows: Integers  # of each occupied cell
    columns: Integers
    counts: NDArray[Any]  # whole numbers, unless weights are broken
    row_labels: list[Any]
    column_labels: list[Any]


@dataclass(frozen=True, eq=False)
class PointLabels:
    """The labels of each point, from which the combinations were counted."""

    columns: Sequence[Column]
    weights: Floats | None
    noise: str
    noise_label: Any = None  # the name of a cluster of noise, None for one that no cluster has


class LabelPair(Source):
    """A truth and labels of the same points."""

    tidy = False  # whether cells are known to be sorted, and every name to occur

    def __init__(self, cells: Cells | None, total: Any = None, labelled: PointLabels | None = None) -> None:
        """Take the combinations that occur, None where none of the points is left out and labels are counted later."""
        super().__init__()
        self._cells, self.labelled = cells, labelled
        if cells is not None:
            self.n = cells.counts.sum().item() if len(cells.counts) else 0
        elif labelled is not None:
            self.n = len(labelled.columns[0])
        self.total = total or self.n

    @property
    def uncounted(self) -> bool:
        """Whether there are whole numbers of few points, not yet counted."""
        return self._cells is None

    @property
    def cells(self) -> Cells:
        """The combinations of labels that occur."""
        if self._cells is None:
            assert self.labelled is not None
            few = few_cells(*(c.values for c in self.labelled.columns))
            self.tidy = few is not None and all(numbers[0] >= 0 for numbers in few[1])  # or noise, perhaps
            if few is not None and self.tidy:
                self._cells = Cells(*few[0], *(numbers.tolist() for numbers in few[1]))
            else:
                self._cells = _cells_of(self.labelled)
        return self._cells

    @property
    def coverage(self) -> float:
        """Share of the points that are not left out as noise."""
        return float(self.n / self.total)

    @property
    def names(self) -> list[Any]:
        """The names of the clusters of the labels, in the order of the table."""
        return [self.cells.column_labels[column] for column in np.unique(self.cells.columns)]

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Compute the statistic of points, of which one at least must be left."""
        check_points(self.n)
        return super().compute(statistic, **options)

    def check(self, index: Index) -> None:
        """Raise an error if no point is left, or if the index cannot have weights like these."""
        check_pair(self, index, whole=self._cells is None or self._cells.counts.dtype.kind != "f")

    def unsorted(self, values: Floats) -> Floats:
        """Return for each point the value of its cell of the table; NaN for points that are left out."""
        if self.labelled is None:
            msg = "Values of points need the labels of the points; here only their table is known."
            raise InputError(msg)
        labels, weights = [c.values for c in self.labelled.columns], self.labelled.weights
        numbers, counts = _counted(labels, weights)
        noisy = np.any([_codes(c, n)[0] < 0 for c, n in zip(self.labelled.columns, numbers, strict=True)], axis=0)
        # Cells of one place in the table follow each other there; noise that fell apart has one value for all pieces.
        _, cells = np.unique(self.cells.rows * (self.cells.columns.max() + 1) + self.cells.columns, return_inverse=True)
        if self.labelled.noise == "drop":
            of_combinations = np.full(len(noisy), np.nan)
            of_combinations[~noisy] = values[cells]
        else:
            pieces = np.where(noisy & (self.labelled.noise == "singletons"), counts, 1).astype(np.int64)
            of_combinations = values[cells[np.cumsum(pieces) - pieces]]
        if weights is None:
            return np.asarray(at_points(labels, numbers, of_combinations[None])[0])
        of_points = np.full(len(weights), np.nan)
        present = weights > 0
        of_points[present] = at_points([c[present] for c in labels], numbers, of_combinations[None])[0]
        return of_points


class LabelBlocks(InBlocks):
    """A truth and labels that lie in several blocks; clusters are told apart by name."""

    block_type = LabelPair
    uncounted = False

    def __init__(self, blocks: Sequence[LabelPair]) -> None:
        super().__init__()
        self.blocks: Sequence[LabelPair] = blocks
        self.n, self.total = sum(b.n for b in blocks), sum(b.total for b in blocks)

    @property
    def names(self) -> list[Any]:
        """The names of the clusters of the labels, in the order of the table."""
        return in_order(name for block in self.blocks for name in block.names)

    @property
    def coverage(self) -> float:
        """Share of the points that are not left out as noise."""
        return float(self.n / self.total)

    def check(self, index: Index) -> None:
        """Raise an error if no point is left, or if the index cannot have weights like these."""
        super().check(index)
        check_pair(self, index, whole=all(b.cells.counts.dtype.kind != "f" for b in self.blocks))


def check_points(n: Any) -> None:
    """Raise an error if no point is left."""
    if n == 0:
        msg = "No point is left to compare: each is noise in the truth or in the labels."
        raise UndefinedIndexError(msg)


def check_pair(source: Any, index: Index, *, whole: bool) -> None:
    """Raise an error if no point is left, or if an index of whole points is asked for broken weights."""
    check_points(source.n)
    if not whole:
        for statistic in index.statistics:
            reason = takes_of(statistic).whole_weights_because
            if reason:
                msg = f"{index.name} takes no weights but whole numbers: {reason}."
                raise UndefinedIndexError(msg)


@kind(
    "external",
    "Agreement of two labellings",
    order=1,
    synonyms={"labels_true": "truth", "labels_pred": "labels"},  # of scikit-learn
)
def label_pair(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    plan: Plan | None = None,  # noqa: ARG001 - one table serves all statistics
) -> LabelPair:
    """Return the pair of checked labellings, with noise treated as the policy says.

    Parameters
    ----------
    truth, labels
        One label per point, of any type; `labels_true` and `labels_pred`, as in scikit-learn, mean the same. An index
        that is not symmetric takes the first as the truth. Labels of pandas are brought into the order of the truth
        by their index.
    noise
        What happens to -1 and missing values: "cluster" makes them a cluster, "singletons" each a cluster of its own,
        "drop" leaves out points that are noise in either labelling, "error" refuses them, "penalty" leaves them out and
        makes values worse by their share: times the share of the others where higher is better, divided by it where
        lower is.
    sample_weight
        How often each point counts: a weight of 3 is the same as three points, one of 0 as none.
    """
    return pair_of(truth, labels, noise=noise, sample_weight=sample_weight)


def pair_of(
    truth: Any,
    labels: Any,
    *,
    noise: str,
    sample_weight: Any = None,
    names: tuple[str, str] = ("truth", "labels"),
    zero: bool = False,
    noise_label: Any = None,
) -> LabelPair:
    """Return the pair of checked labellings, called by their names in errors; weights may all be 0 if `zero`.

    `noise_label` is the name of a cluster of noise, None for one that no cluster has.
    """
    few = few_numbers(truth, labels) if sample_weight is None and noise == "cluster" else None
    if few is not None:  # of which nothing can be wrong, and no point is left out
        return LabelPair(None, None, PointLabels(few, None, noise, noise_label))
    columns, weights = checked_columns([truth, labels], names, noise, sample_weight, zero=zero)
    labelled = PointLabels(columns, weights, noise, noise_label)
    total: Any = None
    if noise == "drop":
        total = len(columns[0]) if weights is None else float(weights.sum())
    return LabelPair(_cells_of(labelled), total, labelled)


def _cells_of(labelled: PointLabels) -> Cells:
    """Return the combinations of the labels of points that occur."""
    combinations = combinations_of(labelled.columns, labelled.noise, labelled.weights, labelled.noise_label)
    (rows, others), counts, names = combinations
    return Cells(rows, others, counts, *names)


def label_blocks(pairs: Iterable[tuple[Any, ...]], *, noise: NoisePolicy = "cluster") -> LabelBlocks:
    """Return the checked source of blocks, each of them a truth and labels, and weights if they have any.

    >>> from clustval.compare.agreement import agreement
    >>> agreement(label_blocks([([0, 0], ["a", "a"]), ([0, 1], ["b", "b"])]), indices="rand")["rand"]
    0.5
    """
    unnamed = NoisePoint()  # until the names of the clusters of all blocks are known
    options: dict[str, Any] = {"noise": noise, "zero": True, "noise_label": unnamed}
    blocks = [
        pair_of(truth, labels, sample_weight=weights[0] if weights else None, **options)
        for truth, labels, *weights in pairs
    ]
    if not blocks:
        msg = "There are no blocks; give at least one pair of labellings."
        raise InputError(msg)
    if not any(block.total for block in blocks):
        msg = "The weights are 0 for every point of every block; at least one must weigh more."
        raise InputError(msg)
    return LabelBlocks(_named(blocks, unnamed))


def _named(blocks: Sequence[LabelPair], noise: NoisePoint) -> Sequence[LabelPair]:
    """Give noise a name in all blocks that no cluster of any block has."""
    sides = ("row_labels", "column_labels")
    taken = {side: {name for b in blocks for name in getattr(b.cells, side)} for side in sides}

    def named(block: LabelPair) -> LabelPair:
        names: dict[str, Any] = {
            side: [noise_name(taken[side]) if name is noise else name for name in getattr(block.cells, side)]
            for side in sides
        }
        return LabelPair(replace(block.cells, **names), block.total)

    return [named(block) for block in blocks]


def checked_columns(
    labellings: Sequence[Any], names: Sequence[str], noise: str, sample_weight: Any = None, *, zero: bool = False
) -> tuple[list[Column], Floats | None]:
    """Return labellings of the same points as columns, and weights unless all are 1; or say what is wrong."""
    inputs.as_noise(noise)
    rows = next((each for each in map(inputs.row_names, labellings) if each is not None), None)
    labellings = [inputs.aligned(labels, rows, name, names[0]) for labels, name in zip(labellings, names, strict=True)]
    columns = [column(labels, name) for labels, name in zip(labellings, names, strict=True)]
    for other, name in zip(columns[1:], names[1:], strict=True):
        if len(other) != len(columns[0]):
            msg = f"{names[0]} has {len(columns[0])} entries but {name} has {len(other)}."
            raise InputError(msg)
    weights = None
    if sample_weight is not None:
        weights = inputs.as_weights(sample_weight, len(columns[0]), X=names[0], zero=zero, rows=rows)
    if noise == "error":
        for labels, name in zip(labellings, names, strict=True):
            inputs.as_labels(labels, name, noise=noise, weights=weights)  # raises what is wrong
    return columns, None if weights is None or (weights == 1).all() else weights


def combinations_of(
    columns: Sequence[Column], noise: str, weights: Floats | None = None, label: Any = None
) -> tuple[list[Integers], NDArray[Any], list[list[Any]]]:
    """Return the codes of the combinations of labels that occur, how often, by weight, and the names of the codes."""
    numbers, counts = _counted([c.values for c in columns], weights)
    codes, names = [], []
    for labels, present in zip(columns, numbers, strict=True):
        ranks, ordered = _codes(labels, present)
        codes.append(ranks)
        names.append(ordered)
    if not any((c < 0).any() for c in codes):  # as in most calls, where nothing is noise
        return codes, counts, names
    noisy = np.any([c < 0 for c in codes], axis=0)
    if noise == "drop":
        return [c[~noisy] for c in codes], counts[~noisy], names
    if noise == "singletons":
        if counts.dtype.kind == "f" and noisy.any():
            msg = "noise='singletons' makes each noise point a cluster of one point; weights must be whole numbers."
            raise InputError(msg)
        # A combination of m points, some noise, falls apart into m of one point each.
        pieces = np.where(noisy, counts, 1)
        alone = int(pieces[noisy].sum())
        if weights is not None and alone > MOST_ALONE:
            msg = (
                f"noise='singletons' makes each noise point a cluster, and a point of weight w is w points: these are "
                f"{alone}, and {MOST_ALONE} are allowed. Choose another policy, such as noise='cluster'."
            )
            raise InputError(msg)
        codes, counts = [np.repeat(c, pieces) for c in codes], np.repeat(np.where(noisy, 1, counts), pieces)
    apart = noise == "singletons"
    pairs = [_with_noise(c, ordered, label, apart=apart) for c, ordered in zip(codes, names, strict=True)]
    return [c for c, _ in pairs], counts, [ordered for _, ordered in pairs]


def _counted(values: Sequence[NDArray[Any]], weights: Floats | None) -> tuple[list[Integers], NDArray[Any]]:
    """Return the combinations of numbers that occur, and how often, by weight."""
    return tabulate(values) if weights is None else weigh(values, weights)


def _codes(labels: Column, numbers: Integers) -> tuple[Integers, list[Any]]:
    """Return the code of each number of a column, -1 for noise, and the names of the codes."""
    occurring, write = distinct(numbers)
    ranks, names = labels.read(occurring)
    return write(ranks), names


class NoisePoint(UniqueName):
    """The name of a cluster of one noise point; no two are equal, so that tables of parts add up."""

    def __repr__(self) -> str:
        return "noise"


def _with_noise(codes: Integers, names: list[Any], label: Any, *, apart: bool) -> tuple[Integers, list[Any]]:
    noisy = codes < 0
    count = int(np.count_nonzero(noisy))
    if count == 0:
        return codes, names
    codes = codes.copy()
    if apart:
        codes[noisy] = len(names) + np.arange(count)
        return codes, [*names, *(NoisePoint() for _ in range(count))]
    codes[noisy] = len(names)
    return codes, [*names, label or noise_name(names)]


def external_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    reference: str,
    symmetric: bool,
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
    by_cluster: Callable[..., Any] | None = None,
    points: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of two labellings; `symmetric` says whether they may be swapped.

    `points` gives a value for each occupied cell of the table, which all its points have.
    """
    return declares(
        "external",
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
        undefined=undefined,
        symmetric=symmetric,
        by_cluster=by_cluster,
        points=points,
    )
