"""A partition of points: the source from which the statistics of internal indices are computed, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.backends.points import centre_of, order_of, placed
from clustval.backends.small import SMALL
from clustval.errors import InputError
from clustval.inputs import Codes, Labels, Metric, Points
from clustval.registry import Statistic

Done = Callable[[int], object]
Rows = Callable[[int, int], Points]


@dataclass(frozen=True)
class Space:
    """Points, or only the distances between them, and the means to visit them."""

    X: Points | None
    distances: Points | None = None
    metric: Metric = "euclidean"
    n_jobs: int = 1
    memory: int = 2**31
    done: Done | None = None

    @property
    def n(self) -> int:
        """Number of points."""
        given = self.X if self.X is not None else self.distances
        assert given is not None
        return len(given)

    @property
    def euclidean(self) -> bool:
        """Whether distances are Euclidean distances of coordinates."""
        return self.X is not None and self.metric == "euclidean"

    @property
    def boolean(self) -> bool:
        """Whether the metric compares sets, of which there is no mean."""
        return self.metric in inputs.BOOLEAN_METRICS

    @cached_property
    def metric_options(self) -> Mapping[str, Any]:
        """What a metric takes from the whole of the data, so that every block is measured alike."""
        X = self.X
        if self.metric == "seuclidean" and X is not None:
            return {"V": np.var(X, axis=0, ddof=1)}
        if self.metric == "mahalanobis" and X is not None:
            covariance = np.atleast_2d(np.cov(X.T))
            if np.linalg.matrix_rank(covariance) < len(covariance):
                msg = "The mahalanobis metric needs columns that are not combinations of each other."
                raise InputError(msg)
            return {"VI": np.linalg.inv(covariance)}
        return {}

    def between(self, A: Points, B: Points) -> Points:
        """Return the distances of rows of A to rows of B by the metric (not Euclidean)."""
        from scipy.spatial.distance import cdist  # noqa: PLC0415 - only metrics need it

        if self.boolean:
            A, B = A != 0, B != 0
        distances = np.asarray(cdist(A, B, cast("Any", self.metric), **self.metric_options), dtype=np.float64)
        if not np.isfinite(distances).all():
            row = int(np.argwhere(~np.isfinite(distances))[0][0])
            msg = f"The metric {self.metric!r} gives no finite distance for {A[row].tolist()}."
            raise InputError(msg)
        return distances

    def restricted(self, keep: NDArray[np.bool_]) -> Space:
        """Return the space of the kept points only."""
        return Space(
            X=None if self.X is None else self.X[keep],
            distances=None if self.distances is None else self.distances[np.ix_(keep, keep)],
            metric=self.metric,
            n_jobs=self.n_jobs,
            memory=self.memory,
            done=self.done,
        )


class Partition:
    """Points sorted by cluster, with every statistic that was asked for computed once and kept."""

    def __init__(self, space: Space, labels: Labels, needs: Iterable[type[Statistic]] = ()) -> None:
        present = labels.codes >= 0
        whole = bool(present.all())
        codes = labels.codes if whole else labels.codes[present]
        self.total, self.n, self.k = len(present), len(codes), labels.k
        self.names = labels.names
        self.space = space if whole else space.restricted(present)
        self.order: Codes = order_of(codes, self.k)
        self.kept: Codes = self.order if whole else np.flatnonzero(present)[self.order]
        self.sizes: Codes = np.bincount(codes, minlength=self.k)
        self.codes: Codes = np.repeat(np.arange(self.k), self.sizes)
        self.starts: Codes = np.concatenate([[0], np.cumsum(self.sizes)])
        self.needs = set(needs)
        self._known: dict[type[Statistic], Any] = {}

    @property
    def coverage(self) -> float:
        """Share of the points that are not left out as noise."""
        return self.n / self.total

    @property
    def sound(self) -> bool:
        """Whether a matrix of distances looks like one, as far as the visit of all pairs can tell."""
        from clustval.stats.pairs import Visit  # noqa: PLC0415 - statistics are of partitions

        return bool(self[Visit].sound)

    @cached_property
    def X(self) -> Points:
        """Coordinates, sorted by cluster."""
        assert self.space.X is not None
        return placed(self.space.X, self.order, np.zeros(self.p), self.space.n_jobs)

    @property
    def p(self) -> int:
        """Number of dimensions."""
        assert self.space.X is not None
        return int(self.space.X.shape[1])

    @cached_property
    def origin(self) -> NDArray[np.float64]:
        """The mean of all points, to be taken off before anything is squared."""
        assert self.space.X is not None
        return centre_of(self.space.X, self.space.n_jobs)

    @cached_property
    def Z(self) -> Points:
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
            if self.n <= SMALL:
                return lambda lo, hi: D[np.ix_(order[lo:hi], order)]
            from clustval.kernels.distances import gathered  # noqa: PLC0415 - loads the compiler

            return lambda lo, hi: gathered(D, order[lo:hi], order)
        if self.space.euclidean:
            from clustval.kernels.pairs_numpy import euclidean_rows_numpy  # noqa: PLC0415

            return lambda lo, hi: euclidean_rows_numpy(self.X, lo, hi)
        return lambda lo, hi: self.space.between(self.X[lo:hi], self.X)

    def __getitem__(self, statistic: type[Statistic]) -> Any:
        """Return the statistic, computed on first use."""
        if statistic not in self._known:
            self._known[statistic] = statistic.of(self)
        return self._known[statistic]

    def unsorted(self, values: NDArray[Any], missing: Any = np.nan) -> NDArray[Any]:
        """Return values of the sorted points in the order of the input, with `missing` for noise."""
        out = np.full(self.total, missing, dtype=np.result_type(values, np.asarray(missing)))
        out[self.kept] = values
        return out


def space_of(
    X: Any,
    *,
    metric: Any = "euclidean",
    n_jobs: int | None = None,
    memory: int | str | None = None,
    done: Done | None = None,
    check: bool = True,
) -> Space:
    """Return the checked space of points, or of distances for metric "precomputed", unless those are not to be."""
    chosen = inputs.as_metric(metric)
    jobs = inputs.as_jobs(n_jobs)
    means = {"n_jobs": jobs, "memory": inputs.as_memory(memory), "done": done}
    if chosen == "precomputed":
        distances = inputs.as_distances(X, n_jobs=jobs, check=check)
        return Space(X=None, distances=distances, metric=chosen, **means)  # type: ignore[arg-type]
    return Space(X=inputs.as_points(X), metric=chosen, **means)  # type: ignore[arg-type]


def partition(
    X: Any,
    labels: Any,
    *,
    metric: Any = "euclidean",
    noise: str = "drop",
    n_jobs: int | None = None,
    memory: int | str | None = None,
    needs: Iterable[type[Statistic]] = (),
    done: Done | None = None,
) -> Partition:
    """Return the partition of checked points by checked labels."""
    space = space_of(X, metric=metric, n_jobs=n_jobs, memory=memory, done=done, check=False)
    coded = inputs.as_labels(labels, noise=noise)
    inputs.check_length(space.n, coded)
    source = Partition(space, coded, needs)
    if space.distances is not None and (source.n < source.total or source.n <= SMALL or not source.sound):
        inputs.as_distances(X, n_jobs=space.n_jobs)
    return source
