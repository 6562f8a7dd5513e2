"""Points that lie in several blocks of rows: a statistic of the whole is the sum of what each block leaves behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import accumulate
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Index, Need, Plan, Source, Statistic
from clustval.errors import InputError, UndefinedIndexError
from clustval.homes.series import is_warping
from clustval.inputs import Labels
from clustval.labels import in_order, noise_name
from clustval.lazy import cached_property
from clustval.passes.pairs.half_square_numpy import PairPass, mean_apart, sample
from clustval.passes.pairs.weighted_rows import SortedLabels, stripe_pass
from clustval.sources.partition import Partition
from clustval.sources.point_source import Answers, check_partition
from clustval.sources.space import Space, space_of


class InBlocks(Source):
    """A source that is cut into blocks, each of them a source."""

    blocks: Sequence[Source]

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Add up the parts that the blocks leave behind, or derive the statistic from others of the whole."""
        way = self.way(statistic)
        if way is None or not way.part:
            return super().compute(statistic, **options)
        known = [self[earlier] for earlier in way.after]
        return reduce(add, (way.run(block, *known, **options) for block in self.blocks))

    def check(self, index: Index) -> None:
        """Raise an error if the index needs all points at once."""
        if not all(map(self._adds_up, index.statistics)):
            msg = f"{index.name} needs all points at once; from blocks of rows it cannot be had."
            raise UndefinedIndexError(msg)

    def _adds_up(self, statistic: type[Statistic]) -> bool:
        """Return whether a statistic is the sum of parts, or derived from others that are."""
        way = self.way(statistic)
        return way is not None and (way.part or way.derived) and all(map(self._adds_up, way.after))


class Block(Partition):
    """Some rows of the points, with the clusters and the origin of the whole; some clusters may be empty here."""

    def __init__(self, space: Space, labels: Labels, needs: Iterable[Need], weights: Floats | None = None) -> None:
        super().__init__(space, labels, needs, weights)
        self._whole: Blocks | None = None

    @property
    def whole(self) -> Any:
        """The points of all blocks."""
        return self._whole

    @property
    def columns(self) -> Floats:
        """Origin of the whole, smallest and largest number of each column of this block (3, p)."""
        return np.stack([self.origin, *self.space.columns.table[1:]])

    @property
    def searchable(self) -> bool:
        """Trees search all points of a cluster, which are not here."""
        return False

    def join(self, whole: Blocks) -> None:
        """Become a block of the whole, and take over its origin."""
        self._whole, self.origin = whole, whole.origin
        self.space.metric_options = whole.space.metric_options if whole.n else {}

    def __getstate__(self) -> dict[str, Any]:
        """Take the origin along, which is not that of these points alone."""
        return super().__getstate__() | {"origin": self.origin}

    def _visited(self, *, full: bool) -> PairPass:
        """Visit all pairs of a point of this block and a point of any block."""
        assert self._whole is not None
        blocks = self._whole.blocks
        here = next(at for at, block in enumerate(blocks) if block is self)

        def rows(lo: int, hi: int, other: int) -> Floats:
            if other == here and self.space.apart_from_itself:
                return self.rows(lo, hi)
            return self.space.between(self.X[lo:hi], blocks[other].X)

        return stripe_pass(
            rows,
            SortedLabels(self.codes, self.weights),
            [SortedLabels(block.codes, block.weights) for block in blocks],
            here,
            self._whole.mass,
            self._whole.shift,
            full=full,
            n_jobs=self.space.n_jobs,
            done=self.space.done,
        )


class Blocks(InBlocks, Answers):
    """Points in blocks of rows, with labels that are merged by name."""

    block_type = Block
    has_coordinates = True

    def __init__(self, blocks: Sequence[Block], names: list[Any]) -> None:
        super().__init__()
        self.blocks: Sequence[Block] = blocks
        self.names, self.k = names, len(names)
        first = blocks[0].space
        X = [b.space.X for b in blocks if b.space.X is not None]
        weights = [b.space.weights for b in blocks if b.space.weights is not None]
        self.space = Space(
            np.concatenate(X), None, first.metric, first.n_jobs, first.memory, first.done,
            np.concatenate(weights) if weights else None,
        )  # fmt: skip
        self.needs, self.exponent = blocks[0].needs, blocks[0].exponent
        self.n, self.total = sum(b.n for b in blocks), sum(b.total for b in blocks)
        self.space.exponent, self.space.left_out = self.exponent, self.total - self.n
        self.sizes: Integers = np.sum([b.sizes for b in blocks], axis=0)
        weighted = any(b.weights is not None for b in blocks)
        self.mass: Any = np.sum([b.mass for b in blocks], axis=0) if weighted else self.sizes
        self.weights = self.mass if weighted else None
        for block in blocks:
            block.join(self)

    @property
    def count(self) -> Any:
        """How many points there are, by weight."""
        return self.n if self.weights is None else float(self.mass.sum())

    @property
    def total_mass(self) -> Any:
        """How many points there are, by weight, with those left out as noise."""
        return sum(b.total_mass for b in self.blocks)

    @property
    def coverage(self) -> float:
        """Share of the points, by weight, that are not left out as noise."""
        return float(self.count / self.total_mass)

    @property
    def fractional(self) -> bool:
        """Whether there are weights that are no whole numbers."""
        return any(b.fractional for b in self.blocks)

    @property
    def metric(self) -> Any:
        """The distance between two points."""
        return self.space.metric

    @property
    def memory(self) -> int:
        """Bytes that may be held."""
        return self.space.memory

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.blocks[0].p

    @property
    def as_given(self) -> Blocks:
        """The same blocks of points as they were, before they were brought to a reach near 1."""
        return self._as_given if self.exponent else self

    @cached_property
    def _as_given(self) -> Blocks:
        return Blocks([block.as_given for block in self.blocks], self.names)  # type: ignore[misc]

    @cached_property
    def origin(self) -> Floats:
        """About the mean of all points, to be taken off before anything is squared."""
        return self.space.columns.means

    @cached_property
    def shift(self) -> float:
        """A rough mean distance, from a few points of all blocks."""
        assert self.space.X is not None
        few = self.space.X[sample(self.n)]
        return mean_apart(self.space.between(few, few))

    def check(self, index: Index) -> None:
        """Raise an error if the index needs all points at once, or other clusters, means or weights than there are."""
        super().check(index)
        check_partition(self, index)

    def unsorted(self, values: NDArray[Any], missing: Any = np.nan) -> NDArray[Any]:
        """Return values of points in the order of the input, with `missing` for noise."""
        ends = np.cumsum([b.n for b in self.blocks])[:-1]
        parts = np.split(values, ends)
        return np.concatenate([b.unsorted(part, missing) for b, part in zip(self.blocks, parts, strict=True)])


def blocks_of(
    rows: Iterable[tuple[Any, ...]],
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    plan: Plan | None = None,
) -> Blocks:
    """Return the checked source of blocks, each of them points and labels, and weights if they have any.

    >>> from clustval.evaluation import evaluate
    >>> halves = [([[0], [2], [7]], ["a", "a", "b"]), ([[10], [11], [12]], ["c", "c", "c"])]
    >>> evaluate(blocks_of(halves), indices="dunn")["dunn"]
    1.5
    """
    plan = plan or Plan()
    if metric == "precomputed" or is_warping(metric):
        msg = f"Blocks of rows need coordinates; metric={metric!r} gives only distances."
        raise InputError(msg)
    if metric == "gower":
        msg = "metric='gower' takes ranges and categories from all points, which blocks do not have; give one table."
        raise InputError(msg)
    parts = [block for block in rows if len(block[1])]
    if not parts:
        msg = "There are no blocks; give at least one pair of points and labels."
        raise InputError(msg)
    spaces = [space_of(X, metric=metric, n_jobs=n_jobs, plan=plan) for X, *_ in parts]
    weights = [
        inputs.as_weights(w[0], space.n, zero=True, rows=space.row_names) if w else None
        for space, (_, _, *w) in zip(spaces, parts, strict=True)
    ]
    firsts = accumulate((space.n for space in spaces), initial=0)  # noise points of two blocks are two clusters
    labels = [
        inputs.as_labels(y, noise=noise, weights=w, first=first, rows=space.row_names)
        for (_, y, *_), w, first, space in zip(parts, weights, firsts, spaces, strict=False)
    ]
    _check_alike(spaces, labels, weights)
    reach = max(space.reach for space in spaces)
    for space in spaces:
        space.reach = reach  # so that all are divided by the same power of two
    clusters = {name for one in labels for name in one.own_names}
    # No cluster of any block may have the name of noise.
    of_noise = [[noise_name(clusters, name) for name in one.noise_names] for one in labels]
    names = list(dict.fromkeys([*in_order(clusters), *(name for some in of_noise for name in some)]))
    place = {name: at for at, name in enumerate(names)}
    blocks = []
    for space, one, some, weight in zip(spaces, labels, of_noise, weights, strict=True):
        places = [place[name] for name in (*one.own_names, *some)]
        codes = np.append(places, -1).astype(np.int64)[one.codes]  # -1 finds the last
        blocks.append(Block(space, Labels(codes, names), plan.needs, weight))
    return Blocks(blocks, names)


def _check_alike(spaces: Sequence[Space], labels: Sequence[Labels], weights: Sequence[Floats | None]) -> None:
    columns = sorted({space.X.shape[1] for space in spaces if space.X is not None})
    if len(columns) > 1:
        msg = f"Blocks must have the same columns; some have {columns[0]} and others {columns[-1]}."
        raise InputError(msg)
    named = [space.column_names for space in spaces if space.column_names is not None]
    for names in named:
        inputs.check_same_columns("Blocks", names, named[0])
    if any(w is None for w in weights) and any(w is not None for w in weights):
        msg = "Either all blocks have weights or none; some do and some do not."
        raise InputError(msg)
    if not any(w is None or w.any() for w in weights):
        msg = "The weights are 0 for every point of every block; at least one must weigh more."
        raise InputError(msg)
    if weights[0] is not None and not any(w.any() for w in weights if w is not None):
        msg = "The weights of all blocks are 0; at least one point must weigh more."
        raise InputError(msg)
    for at, (space, one) in enumerate(zip(spaces, labels, strict=True)):
        inputs.check_length(space.n, one, f"Block {at} of X", "its labels")
