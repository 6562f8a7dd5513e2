"""A partition of points: the source from which the statistics of internal indices are computed, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs, kernels
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Index, Need, Plan, Source
from clustval.errors import InputError, UndefinedIndexError
from clustval.homes.neighbour_graph import NeighbourGraph
from clustval.inputs import Labels
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS
from clustval.lazy import cached_property
from clustval.passes.centres.centre_gaps import tables_fit
from clustval.passes.metrics.measure_forms import FormRows
from clustval.passes.metrics.measure_rows import FromOthers
from clustval.passes.pairs.distance_matrix import matrix_pass
from clustval.passes.pairs.half_square import form_pass, rows_pass
from clustval.passes.pairs.half_square_numpy import PairPass, euclidean_rows_numpy, rough_mean
from clustval.passes.pairs.weighted_rows import SortedLabels, stripe_pass, weighted_pass
from clustval.passes.points.places import Places
from clustval.passes.points.row_moments import BLOCK, RowSums, RowTable, moments_of_rows
from clustval.passes.points.sorted_rows import placed, sorted_codes
from clustval.passes.work import thresholds
from clustval.sources import pair_limits
from clustval.sources.graph_space import GraphSpace
from clustval.sources.pair_limits import check_time, in_time
from clustval.sources.point_source import check_partition, check_tables, graph_suffices
from clustval.sources.sites import Sites, crowded
from clustval.sources.space import UNSURE, Space, SparseSpace, space_of
from clustval.sources.takes import takes_of

Rows = Callable[[int, int], Floats]

FEW_POINTS = 1000  # whose neighbours are searched twice sooner than a plan is read


class Partition(Source):
    """Points sorted by cluster; noise and points of weight 0 are left out.

    `sizes` counts the points of each cluster, `mass` adds up their weights; the two are one where points are not
    weighted.
    """

    row_names: Any = None  # of the input, if they have any
    column_names: list[str] | None = None
    weights: Floats | None = None
    noise_weighs = False  # whether some noise point has another weight than 0 and 1, where all others weigh 1
    _present: Integers | None = None  # rows of the input that are not left out, if not all

    def __init__(self, space: Space, labels: Labels, needs: Iterable[Need] = (), weights: Floats | None = None) -> None:
        super().__init__()
        self.row_names, self.column_names = space.row_names, space.column_names
        self._given = space, labels
        space = space.at_unit_reach
        self.exponent = space.exponent
        codes = labels.codes
        self.total, self.k, self.names = len(codes), labels.k, labels.names
        whole = labels.whole or bool((codes >= 0).all())
        self.space = space
        if not whole or weights is not None:
            present = codes >= 0
            self.space = space.restricted(present, weights)
            if not whole:
                codes, self._present = codes[present], np.flatnonzero(present)
        self.n = len(codes)
        self.codes_as_read: Integers = codes
        sizes = labels.sizes
        self.sizes: Integers = np.bincount(codes, minlength=self.k) if sizes is None else sizes
        self.mass: Any = self.sizes
        if weights is not None:
            self.weights = weights[self.kept]
            self.mass = np.bincount(self.codes, weights=self.weights, minlength=self.k)
        self._input = space, labels.codes, weights
        self.total_mass: Any = self.total
        if weights is not None:
            self.total_mass = self.count + float(weights[~present].sum())
        self.needs = frozenset(needs)
        if self._long:
            self.needs = in_time(self, self.needs)
        if self.n > FEW_POINTS:
            self.space.neighbours_planned = max((need.neighbours for need in self.needs), default=0)

    @cached_property
    def _sorted(self) -> tuple[Integers, Integers, Integers, Integers]:
        return sorted_codes(self.codes_as_read, self.k)

    @cached_property
    def order(self) -> Integers:
        """The points of one cluster after another, by their place among those that are not left out."""
        return self._sorted[0]

    @cached_property
    def starts(self) -> Integers:
        """Where each cluster begins among the sorted points (k + 1,)."""
        return self._sorted[1]

    @cached_property
    def codes(self) -> Integers:
        """The cluster of each of the sorted points."""
        return self._sorted[3]

    @cached_property
    def kept(self) -> Integers:
        """The row of the input of each of the sorted points."""
        return self.order if self._present is None else self._present[self.order]

    @property
    def jobs(self) -> int:
        """Threads that may visit the points."""
        return self.space.n_jobs

    @property
    def columns(self) -> Floats:
        """Origin, smallest and largest number of each column (3, p)."""
        return self.space.columns.table

    @cached_property
    def rows_as_read(self) -> Floats:
        """Coordinates, in the order of the input."""
        assert self.space.X is not None
        return self.space.X

    @cached_property
    def row_sums(self) -> RowSums:
        """What one pass over many points leaves behind."""
        return RowSums.of(self.rows_as_read, self.codes_as_read, self.sizes, self.jobs, block=BLOCK)

    @cached_property
    def moment_table(self) -> RowTable:
        """What one call that sees all points leaves behind."""
        return moments_of_rows(self.rows_as_read, self.codes_as_read, self.sizes, self.columns, ROUNDING_OF_MEANS)

    @property
    def in_read_order(self) -> bool:
        """Whether sums of clusters are made of points in the order of the input, which need not be sorted for them."""
        return self.weights is None and self.n >= thresholds.POINTS and not self.sparse

    @classmethod
    def weighed(cls, space: Space, labels: Labels, needs: Iterable[Need], weights: Floats | None) -> Partition:
        """Return the partition of points with weights; it has none where all that are not left out weigh 1."""
        if weights is None:
            return cls(space, labels, needs)
        present = labels.codes >= 0
        if (weights[present] != 1).any():
            return cls(space, labels, needs, weights)
        source = cls(space, labels, needs)
        source._input = source._input[0], labels.codes, weights  # points of weight 0 are no noise
        source.total_mass = source.n + float(weights[~present].sum())
        source.noise_weighs = bool((weights[source.noise] != 1).any())
        return source

    @property
    def whole(self) -> Any:
        """All points, of which a block has some."""
        return self

    @property
    def as_given(self) -> Partition:
        """The same partition of points as they were, before they were brought to a reach near 1."""
        return self._as_given if self.exponent else self

    @cached_property
    def _as_given(self) -> Partition:
        space, labels = self._given
        plain = copy(space)
        plain.fixed, plain.done = True, space.done
        if self.weights is not None:  # in a block all may be 1, and those of other blocks are not
            return type(self)(plain, labels, self.needs, self._input[2])
        return type(self).weighed(plain, labels, self.needs, self._input[2])

    @property
    def space_as_given(self) -> Space:
        """All points, noise among them, as they were."""
        return self._given[0]

    @property
    def metric(self) -> Any:
        """The distance between two points."""
        return self.space.metric

    @property
    def memory(self) -> int:
        """Bytes that may be held."""
        return self.space.memory

    @property
    def has_coordinates(self) -> bool:
        """Whether there are coordinates, and not only distances."""
        return self.space.distances is None

    @property
    def sparse(self) -> bool:
        """Whether only the coordinates that are not 0 are written out."""
        return isinstance(self.space, SparseSpace)

    @property
    def tables_fit(self) -> bool:
        """Whether numbers of each two clusters can be held within the memory allowed."""
        return tables_fit(self.k, self.space.memory)

    @property
    def searchable(self) -> bool:
        """Whether trees find the closest and the farthest points sooner than a visit of all pairs."""
        few_columns = self.space.euclidean and self.p <= thresholds.TREE_DIMENSIONS
        return few_columns and self.n > thresholds.PAIRS

    @property
    def near_by_trees(self) -> bool:
        """Whether trees find the nearest points sooner than a visit of all pairs."""
        many = self.n > thresholds.NEIGHBOURS  # of few it does not matter what their metric is made of
        return many and self.squared and self.n > thresholds.NEIGHBOURS * 2**self.p

    @property
    def squared(self) -> bool:
        """Whether distances are made of squared differences."""
        return self.space.factor is not None

    @property
    def _long(self) -> bool:
        """Whether there may be indices that take too long."""
        return self.space.limited and self.n > pair_limits.FEW

    @property
    def coverage(self) -> float:
        """Share of the points, by weight, that are not left out as noise."""
        return float(self.count / self.total_mass)

    @property
    def count(self) -> Any:
        """How many points there are, by weight."""
        return self.n if self.weights is None else float(self.mass.sum())

    @cached_property
    def fractional(self) -> bool:
        """Whether there are weights that are no whole numbers."""
        return self.weights is not None and bool((self.weights != np.floor(self.weights)).any())

    @cached_property
    def surroundings(self) -> tuple[Space, Integers]:
        """All points, noise among them, in the order of the input, and the cluster of each; -1 is noise."""
        space, codes, weights = self._input
        present = np.ones(len(codes), dtype=bool) if weights is None else weights > 0
        if present.all():
            return (self.space if self.n == self.total else space), codes
        return space.restricted(present), codes[present]

    @cached_property
    def noise(self) -> Integers:
        """Rows of the input that are noise."""
        _, codes, weights = self._input
        return np.flatnonzero((codes < 0) & (True if weights is None else weights > 0))

    @cached_property
    def X(self) -> Floats:
        """Coordinates, sorted by cluster."""
        assert self.space.X is not None
        return placed(self.space.X, self.order, np.zeros(self.p), self.space.n_jobs)

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.space.p

    @cached_property
    def origin(self) -> Floats:
        """The mean of all points, to be taken off before anything is squared; 0 where most coordinates are."""
        if isinstance(self.space, SparseSpace):
            return np.zeros(self.p)
        return self.space.columns.means

    @cached_property
    def Z(self) -> Floats:
        """Coordinates less the mean, sorted by cluster."""
        assert self.space.X is not None
        return placed(self.space.X, self.order, self.origin, self.space.n_jobs)

    @cached_property
    def rows(self) -> Rows:
        """Distances of points lo ... hi-1 to all points, both sorted by cluster, by whatever metric."""
        if self.space.distances is not None:
            D, order = self.space.distances, self.order
            if (np.diff(order) == 1).all():
                return lambda lo, hi: D[lo:hi]
            if self.n <= thresholds.PAIRS:
                return lambda lo, hi: D[np.ix_(order[lo:hi], order)]
            return lambda lo, hi: kernels.pairs.distance_matrix.gathered(D, order[lo:hi], order)
        return FromOthers(self._measured_rows()) if self.space.apart_from_itself else self._measured_rows()

    def _measured_rows(self) -> Rows:
        if isinstance(self.space, SparseSpace):
            return self.space.sorted_rows(self.order)
        if self.space.form is not None and self.space.form.name not in UNSURE and not self.space.euclidean:
            return FormRows(self.space.form, self.image)
        X, between = self.X, self.space.between  # not self, which holds what is returned: neither would be let go
        if self.space.euclidean:
            return lambda lo, hi: euclidean_rows_numpy(X, lo, hi)
        return lambda lo, hi: between(X[lo:hi], X)

    @cached_property
    def image(self) -> Floats:
        """Points as the form of the metric wants them, sorted by cluster."""
        return self.X if self.space.euclidean else self.space.image[self.order]

    @property
    def squared_points(self) -> Floats | None:
        """The image, if squared differences make distances of it by `space.factor`."""
        return None if self.space.factor is None else self.image

    def between(self, a: Integers, b: Integers) -> Floats:
        """Return the distances of some points to others, all by their place among the sorted points."""
        if self.space.distances is not None:
            return self.space.distances[np.ix_(self.order[a], self.order[b])]
        if isinstance(self.space, SparseSpace):
            return self.space.rows(self.order[a])[:, self.order[b]]
        if self.space.form is not None and self.space.form.name not in UNSURE:
            distances = self._to_run(b).of(self.image[a])
        else:
            distances = self.space.between(self.X[a], self.X[b])
        return np.where(a[:, None] == b, 0.0, distances) if self.space.apart_from_itself else distances

    @cached_property
    def _places(self) -> Places | None:
        """The places of points in clusters, where most points share theirs and are at distance 0 from each other."""
        space = self.space
        if self.n <= FEW_POINTS or self.sparse or space.X is None or space.apart_from_itself or space.metric == "gower":
            return None
        return crowded(self.X, self.codes)

    @property
    def sites(self) -> Sites:
        """The points for what meets pairs: those of a cluster that are equal are one, where they are many."""
        if self._places is None:
            return Sites(None, np.arange(self.n), self.codes, self.starts, self.between)
        firsts = self._places.firsts
        codes = self.codes[firsts]
        return Sites(self._places, firsts, codes, np.searchsorted(codes, np.arange(self.k + 1)), self.between)

    def _to_run(self, points: Integers) -> FormRows:
        """Return the distances to points of one cluster, or to any others; many ask for those of a cluster."""
        assert self.space.form is not None
        if not len(points) or (np.diff(points) != 1).any():
            return FormRows(self.space.form, self.image[points])
        first, last = int(points[0]), int(points[-1])
        if (first, last) not in self._runs:
            self._runs[first, last] = FormRows(self.space.form, self.image[first : last + 1])
        return self._runs[first, last]

    @cached_property
    def _runs(self) -> dict[tuple[int, int], FormRows]:
        return {}

    def pairs(self, *, full: bool | None = None) -> PairPass:
        """Return the visit of all pairs, made once: for extremes as well if full, or if any were asked for."""
        if full is None:
            full = any(takes_of(need.statistic).extremes for need in self.needs)
        check_tables(self, "Comparing clusters")
        if self._visit is None or (full and self._visit.mins is None):
            self._visit = self._visited(full=full)
        return self._visit

    _visit: PairPass | None = None

    def _visited(self, *, full: bool) -> PairPass:
        space = self.space
        n_jobs, memory, done = space.n_jobs, space.memory, space.done
        if self._places is not None:
            sites, each = self.sites, self._places.codes
            weights = np.bincount(each, weights=self.weights).astype(np.float64)
            visit = self._visited_by_weight(sites.of(self.X), SortedLabels(sites.codes, weights), sites.rows, full=full)
            return replace(visit, own=visit.own[each], nearest=visit.nearest[each], neighbour=visit.neighbour[each])
        if self.weights is not None:
            X = self.X if space.euclidean else None
            return self._visited_by_weight(X, SortedLabels(self.codes, self.weights), self.rows, full=full)
        if space.form is not None:
            X = self.image
            X = X.astype(np.float32) if space.in_float32 and self.n > thresholds.PAIRS else X
            visit = form_pass(X, self.starts, space.form, full=full, n_jobs=n_jobs, memory=memory, done=done)
            if np.isfinite(visit.sums).all():
                return visit  # else rows will say which points are at fault
        if space.distances is not None and self.n > thresholds.PAIRS:
            codes = np.empty_like(self.codes)
            codes[self.order] = self.codes
            return matrix_pass(space.distances, codes, self.order, full=full, n_jobs=n_jobs, memory=memory, done=done)
        return rows_pass(self.rows, self.n, self.starts, full=full, n_jobs=n_jobs, memory=memory, done=done)

    def _visited_by_weight(self, X: Floats | None, points: SortedLabels, rows: Rows, *, full: bool) -> PairPass:
        n_jobs, done = self.space.n_jobs, self.space.done
        if self.space.euclidean and X is not None:
            return weighted_pass(X, points, self.mass, full=full, n_jobs=n_jobs, done=done)
        return stripe_pass(
            lambda lo, hi, _: rows(lo, hi), points, [points], 0, self.mass, rough_mean(rows, len(points.codes)),
            full=full, n_jobs=n_jobs, done=done,
        )  # fmt: skip

    def check(self, index: Index) -> None:
        """Raise an error if the index needs other clusters, coordinates, means or weights than there are, or hours."""
        check_partition(self, index)
        if self.space.graph_only and not all(graph_suffices(self, s) for s in index.statistics):
            msg = f"{index.name} needs the points, or all distances; there is only a graph of nearest neighbours."
            raise UndefinedIndexError(msg)
        if self._long:
            check_time(self, index)

    def unsorted(self, values: NDArray[Any], missing: Any = np.nan) -> NDArray[Any]:
        """Return values of the sorted points in the order of the input, with `missing` for noise.

        Values of noise points may follow those of the others.
        """
        out = np.full(self.total, missing, dtype=np.result_type(values, np.asarray(missing)))
        out[self.kept] = values[: self.n]
        if len(values) > self.n:
            out[self.noise] = values[self.n :]
        return out

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_visit": None}


def partition(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    sample_weight: Any = None,
    neighbours: NeighbourGraph | None = None,
    plan: Plan | None = None,
) -> Partition:
    """Return the partition of checked points by checked labels; of neighbours alone where X is None."""
    plan = plan or Plan()
    if X is None and neighbours is not None:
        space: Space = GraphSpace(neighbours, inputs.as_jobs(n_jobs), inputs.as_memory(plan.memory), plan.done)
    else:
        space = space_of(X, metric=metric, n_jobs=n_jobs, plan=plan, check=False)
        space.graph = graph_of(space, neighbours)
    weights = None if sample_weight is None else inputs.as_weights(sample_weight, space.n, rows=space.row_names)
    if type(labels) is not np.ndarray and inputs.clusters(labels):
        labels = inputs.labels_by(labels, space.X if space.X is not None else space.distances)
    coded = inputs.as_labels(labels, noise=noise, weights=weights, rows=space.row_names)
    inputs.check_length(space.n, coded)
    source = Partition.weighed(space, coded, plan.needs, weights)
    if space.distances is not None and (
        source.n < source.total
        or source.n <= thresholds.PAIRS
        or source.weights is not None
        or not source.tables_fit
        or not source.pairs().sound
    ):
        checked = space_of(X, metric=metric, n_jobs=n_jobs, plan=plan)
        if checked.distances is not space.distances:  # without what rounding left
            checked.graph = space.graph
            source = Partition.weighed(checked, coded, plan.needs, weights)
    return source


def of_same_size(graph: NeighbourGraph | None, n: int) -> NeighbourGraph | None:
    """Return a graph of as many points as X has, or raise an error."""
    if graph is not None and graph.n != n:
        msg = f"neighbours is a graph of {graph.n} points, but X has {n}."
        raise InputError(msg)
    return graph


def graph_of(space: Space, neighbours: NeighbourGraph | None) -> NeighbourGraph | None:
    """Return a graph of the points of a space; an error if it holds no distances, as far as coordinates tell."""
    graph = of_same_size(neighbours, space.n)
    if graph is None or isinstance(space, SparseSpace) or space.X is None:
        return graph
    if graph.holds_similarities(space.X):
        msg = (
            "neighbours must hold distances; its values fall as points are farther apart, as those of 'connectivities' "
            "do. Give the graph of distances, such as 'distances'."
        )
        raise InputError(msg)
    if graph.holds_connections(space.X):
        msg = (
            "neighbours must hold distances; it holds 1 for each neighbour. Give the graph of distances, such as that "
            "of kneighbors_graph(X, 15, mode='distance')."
        )
        raise InputError(msg)
    return graph
