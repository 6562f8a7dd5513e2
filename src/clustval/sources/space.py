"""Points without labels, or only the distances between them: the source of statistics that no label changes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import copy
from typing import Any, cast

import numpy as np

from clustval import inputs
from clustval.arrays import Flags, Floats, Integers
from clustval.choices import MetricName
from clustval.declare import Done, Plan, Source
from clustval.errors import InputError, UndefinedIndexError
from clustval.homes.series import is_warping
from clustval.inputs import Metric
from clustval.kernels.metrics.form import Form
from clustval.kernels.work.rounding import EPSILON, ROUNDING_OF_DISTANCES, ROUNDING_OF_SPREADS, TIED
from clustval.lazy import cached_property
from clustval.mixed_table import MixedTable, mixed
from clustval.passes.metrics.measure_forms import (
    FormRows,
    form_distances,
    form_pairs,
    function_distances,
    function_pairs,
)
from clustval.passes.metrics.measure_sparse import SparseRows
from clustval.passes.metrics.prepared import packed_bits, root_shares, shares, unit_rows, whitened
from clustval.passes.points.row_moments import Columns, columns_of
from clustval.passes.work import thresholds
from clustval.sources.warped_series import warped

DIRECTIONS = ("cosine", "correlation")  # metrics of rows, or of rows less their own mean, whatever their length
HOMOGENEOUS = {"euclidean", "cityblock", "chebyshev", "minkowski", "precomputed"}  # twice the points, twice as far
FAR = 64  # exponents of two within which no power that formulas take overflows or vanishes
POWERS = 512  # exponents of two that powers of coordinates may have, so that no sum of them overflows or vanishes
FEW = 16  # rows of a matrix of distances that say how large they are

# Metrics that are Euclidean distances, or functions of them, of points that were prepared.
EUCLIDEAN_FORMS = {"cosine": "angle", "correlation": "angle"}
EUCLIDEAN_FORMS |= dict.fromkeys(("minkowski", "seuclidean", "hellinger"), "euclidean")
PREPARED: dict[str, Callable[[Floats], Floats]] = {
    "cosine": unit_rows,
    "correlation": lambda X: unit_rows(X, centred=True),
    "jensenshannon": shares,
    "hellinger": root_shares,
}
SPARSE_METRICS = ("euclidean", "cosine")  # that need no zeros
UNSURE = {"braycurtis", "minkowski"}  # forms that may give no finite distance for points each of which is fine


class Space(Source):
    """Points, or only the distances between them, with how many threads and how much memory their visits may take."""

    row_names: Any = None  # of the data of pandas and the like
    column_names: list[str] | None = None  # of data frames
    fixed = False  # whether it keeps the reach that it has
    limited = False  # whether an index that takes hours is left out
    given: Metric | None = None  # the metric that the caller named, where its distances were computed at once
    graph: Any = None  # nearest neighbours that others searched, if there are any
    graph_only = False  # whether they are all that is known
    left_out = 0  # rows of the data that are not among the points: noise, and what weighs nothing
    neighbours_planned = 0  # the most neighbours of a point that a statistic of the plan asks for

    def __init__(
        self,
        X: Floats | None,
        distances: Floats | None = None,
        metric: Metric = "euclidean",
        n_jobs: int | None = 1,
        memory: int | None = 2**31,
        done: Done | None = None,
        weights: Floats | None = None,
    ) -> None:
        """Take what there is; threads and memory are those of the machine where they are None."""
        super().__init__()
        self.weights = weights  # of points; only metrics that take from the whole of the data ask for them
        self.X, self.distances, self.metric = X, distances, metric
        self._allowed, self.done = (n_jobs, memory), done
        self.single = False  # whether coordinates came in single precision, and need no more where pairs are met
        self.exponent = 0  # all coordinates or distances were divided by so high a power of two

    @property
    def called(self) -> Metric:
        """The metric as the caller named it, also where its distances were computed at once."""
        return self.given or self.metric

    @cached_property
    def n_jobs(self) -> int:
        """Threads that may be used."""
        return inputs.as_jobs(None) if self._allowed[0] is None else self._allowed[0]

    @cached_property
    def memory(self) -> int:
        """Bytes that may be held."""
        return inputs.as_memory(None) if self._allowed[1] is None else self._allowed[1]

    @cached_property
    def reach(self) -> float:
        """How far numbers lie from 0: the farthest coordinate, or a large distance."""
        if self.X is not None:
            return self.columns.reach
        assert self.distances is not None
        return float(np.abs(self.distances[:FEW]).max())

    @cached_property
    def columns(self) -> Columns:
        """Mean and range of each column."""
        assert self.X is not None
        return columns_of(self.X)

    @property
    def numbers(self) -> Floats | None:
        """The points, if they are a table of numbers in which equal rows are equal points."""
        plain = isinstance(self.X, np.ndarray) and self.X.ndim == 2 and self.X.dtype == np.float64
        return self.X if plain else None

    @property
    def at_unit_reach(self) -> Space:
        """The same space with a reach from 1/2 to 1 if it is so far from that that powers may overflow or vanish.

        Under "minkowski(r)" it is, whatever its reach. It is divided by a power of two, so that no digit of any
        number changes.
        """
        return self if self.fixed else self._brought_near or self

    @cached_property
    def _brought_near(self) -> Space | None:
        """Another space, None if this one will do: kept in itself it would live on until garbage is collected."""
        if self.exponent:
            return None
        plain = self.metric in HOMOGENEOUS
        homogeneous = plain or inputs.exponent_of(self.metric) is not None
        if not homogeneous or not 0 < self.reach < math.inf:
            return None
        exponent = math.frexp(self.reach)[1]
        # Powers and roots of whatever exponent are rounded: the same at every scale only where they are of one reach.
        if abs(exponent) <= (FAR if plain else 0):
            return None
        space = copy(self)
        space.X = None if self.X is None else np.ldexp(self.X, -exponent)
        space.distances = None if self.distances is None else np.ldexp(self.distances, -exponent)
        space.exponent, space.done = exponent, self.done
        space.graph = None if self.graph is None else self.graph.scaled(-exponent)
        return space

    @property
    def n(self) -> int:
        """Number of points."""
        rows = self.X if self.X is not None else self.distances
        assert rows is not None
        return len(rows)

    @property
    def p(self) -> int:
        """Number of dimensions."""
        assert self.X is not None
        return int(self.X.shape[1])

    @property
    def euclidean(self) -> bool:
        """Whether distances are Euclidean distances of coordinates."""
        return self.X is not None and self.metric == "euclidean"

    @property
    def boolean(self) -> bool:
        """Whether the metric compares sets."""
        return self.metric in inputs.BOOLEAN_METRICS

    @property
    def without_means(self) -> bool:
        """Whether the metric compares sets or categories, of which there is no mean."""
        return self.metric in inputs.WITHOUT_MEANS

    @property
    def has_columns(self) -> bool:
        """Whether there are coordinates with a meaning of their own, which can be shown."""
        return self.X is not None and self.metric != "gower"

    @property
    def again(self) -> Any:
        """What `space_of` makes this space of: points, distances, or a table that Gower's distance compares."""
        if self.X is None:
            return self.distances
        return MixedTable(self.X, {}) if self.metric == "gower" else self.X

    @property
    def apart_from_itself(self) -> bool:
        """Whether the metric may give a distance of a point to itself; as in a matrix of distances, it counts as 0."""
        return self.metric == "russellrao" or callable(self.metric)

    @cached_property
    def metric_options(self) -> Mapping[str, Any]:
        """What a metric takes from the whole of the data, so that every block is measured alike."""
        X, w = self.X, self.weights
        if self.metric == "seuclidean" and X is not None:
            variances = np.var(X, axis=0, ddof=1) if w is None else _covariance(X, w).diagonal()
            constant = ~_varies(X, np.sqrt(variances))
            if constant.any():
                column = int(constant.argmax())
                msg = (
                    "The seuclidean metric divides columns by their spread; "
                    f"column {column} has none{self._of_rows}. Leave it out."
                )
                raise InputError(msg)
            return {"V": variances}
        if self.metric == "mahalanobis" and X is not None:
            n, p = X.shape
            if n <= p:  # the covariance has no inverse, and where columns are many it takes hours to see that
                shape = f"{n + self.left_out} rows and {p} columns{self._of_rows}"
                msg = f"The mahalanobis metric needs more rows than columns; X has {shape}."
                raise InputError(msg)
            covariance = np.atleast_2d(np.cov(X.T)) if w is None else _covariance(X, w)
            scale = np.sqrt(covariance.diagonal())
            varies = _varies(X, scale)
            # Of correlations, the units of columns do not matter.
            correlation = covariance / np.outer(scale, scale) if varies.all() else np.zeros_like(covariance)
            if np.linalg.matrix_rank(correlation) < len(correlation):
                msg = f"The mahalanobis metric needs columns that are not combinations of each other{self._of_rows}."
                raise InputError(msg)
            origin = X.mean(axis=0) if w is None else w @ X / w.sum()
            whitening = np.linalg.inv(np.linalg.cholesky(correlation)).T / scale[:, None]
            return {"VI": np.linalg.inv(correlation) / np.outer(scale, scale), "whitened": (origin, whitening)}
        return {}

    @property
    def _of_rows(self) -> str:
        """Words on which rows are meant, where not all are."""
        if not self.left_out:
            return ""
        return f", where {self.n} of {self.n + self.left_out} rows count: the others are noise or weigh nothing"

    @cached_property
    def form(self) -> Form | None:
        """How kernels measure points that were prepared for the metric; None if they cannot."""
        if self.X is None or not isinstance(self.metric, str):
            return None
        if self.metric == "mahalanobis":
            return Form("tied", math.sqrt(2 * self.p), self.rounding / EPSILON + 1)
        exponent = inputs.exponent_of(self.metric)
        if exponent is not None:
            far = self.fixed and self.n > 0 and exponent * abs(math.frexp(self.reach)[1]) > POWERS
            return None if far else Form("minkowski", exponent, 1 / exponent)
        if self.metric == "gower" and (self.X[:1, :1] < 0).any():  # a weight before each column
            return Form("gower_gaps")
        if self.without_means:
            return Form(self.metric, self.p)
        return Form(EUCLIDEAN_FORMS.get(self.metric, self.metric))

    @property
    def factor(self) -> float | None:
        """What squared differences of the image are multiplied by to make a distance, 0 for their root; else None."""
        return None if self.form is None else self.form.factor

    def prepared(self, X: Floats) -> Floats:
        """Return points as the form of the metric wants them; NaN where the metric can make nothing of them."""
        if self.boolean:
            return packed_bits(X)
        if self.metric == "seuclidean":
            with np.errstate(divide="ignore", invalid="ignore"):
                return np.asarray(X / np.sqrt(self.metric_options["V"]))
        if self.metric == "mahalanobis":
            return whitened(X, *self.metric_options["whitened"])
        prepare = PREPARED.get(str(self.metric))
        return X if prepare is None else prepare(X)

    @cached_property
    def image(self) -> Floats:
        """All points as the form of the metric wants them; a point of which it can make nothing is an error."""
        assert self.X is not None
        image = self.prepared(self.X)
        if image is not self.X and not self.boolean and np.isnan(image).any():
            self.check_point(self.X[int(np.isnan(image).any(axis=1).argmax())])
        return image

    @property
    def in_float32(self) -> bool:
        """Whether pairs are met in single precision: where it is all that points have, and dimensions are many."""
        return self.single and self.p >= thresholds.SINGLES and self.factor is not None

    @cached_property
    def form_rows(self) -> FormRows:
        """Distances of some points to all, by the form of the metric."""
        assert self.form is not None
        return FormRows(self.form, self.image)

    @cached_property
    def rounding(self) -> float:
        """Share of a Mahalanobis distance that its inverse covariance leaves open: a power of two."""
        inverse: Floats = self.metric_options["VI"]
        scale = np.sqrt(inverse.diagonal())
        return 2.0 ** math.ceil(math.log2(TIED * EPSILON * np.linalg.cond(inverse / np.outer(scale, scale))))

    def rows(self, points: Integers) -> Floats:
        """Return the distances of some points to all points by the metric."""
        if self.distances is not None:
            return self.distances[points]
        assert self.X is not None
        if self.form is None or self.form.name in UNSURE:
            distances = self.between(self.X[points], self.X)
        else:
            distances = self.form_rows.of(self.image[points])
        if self.apart_from_itself:
            distances[np.arange(len(points)), points] = 0.0
        return distances

    def between(self, A: Floats, B: Floats) -> Floats:
        """Return the distances of rows of A to rows of B by the metric."""
        distances = self.measured(A, B)
        if not np.isfinite(distances).all():
            a, b = np.argwhere(~np.isfinite(distances))[0]
            self.check_point(A[a])
            self.check_point(B[b])
            msg = f"The metric {self.metric!r} gives no finite distance between {_short(A[a])} and {_short(B[b])}."
            raise InputError(msg)
        return distances

    def measured(self, A: Floats, B: Floats) -> Floats:
        """Return what the metric gives for rows of A and rows of B, whether it is finite or not."""
        if self.form is not None:
            return form_distances(self.form, self.prepared(A), self.prepared(B))
        power = inputs.exponent_of(self.metric)
        if power is not None:
            unit = math.frexp(max(float(np.abs(A).max(initial=0)), float(np.abs(B).max(initial=0))))[1]
            form = Form("minkowski", power, 1 / power)
            return np.ldexp(form_distances(form, np.ldexp(A, -unit), np.ldexp(B, -unit)), unit)
        distances = self._by_function(A, B)
        if distances.min(initial=0.0) < 0:
            self._clear_rounding(distances, A, B)
        return distances

    def _by_function(self, A: Floats, B: Floats) -> Floats:
        """Return what the metric gives for rows of A and rows of B where no form of it is known."""
        if hasattr(self.metric, "py_func") and thresholds.COMPILED:
            return function_distances(self.metric, A, B)
        from scipy.spatial.distance import cdist  # noqa: PLC0415 - only functions need it

        return np.asarray(cdist(A, B, cast("Any", self.metric)), dtype=np.float64)

    @cached_property
    def _function_rounding(self) -> float:
        """How far below 0 rounding may take the distances of a function, by those of a few points."""
        assert self.X is not None
        distances = np.abs(self._by_function(self.X[:FEW], self.X))
        return float(ROUNDING_OF_DISTANCES * np.max(distances, initial=0.0, where=np.isfinite(distances)))

    def _clear_rounding(self, distances: Floats, A: Floats, B: Floats) -> None:
        """Make 0 what rounding left below 0, as in a matrix of distances; raise an error where it was not rounding."""
        if distances.min() < -self._function_rounding:
            a, b = np.unravel_index(int(distances.argmin()), distances.shape)
            msg = (
                f"The metric {self.metric!r} gives {distances[a, b]:g} between {_short(A[a])} and {_short(B[b])}; "
                "distances must not be negative."
            )
            raise InputError(msg)
        np.maximum(distances, 0.0, out=distances)

    def paired(self, A: Floats, B: Floats) -> Floats:
        """Return the distances of rows of A to the same rows of B by the metric."""
        if self.form is not None:
            distances = form_pairs(self.form, self.prepared(A), self.prepared(B))
        elif hasattr(self.metric, "py_func") and thresholds.COMPILED:
            distances = function_pairs(self.metric, A, B)
        else:
            distances = np.array([self.measured(a[None], b[None])[0, 0] for a, b in zip(A, B, strict=True)])
        if not np.isfinite(distances).all():
            at = int((~np.isfinite(distances)).argmax())
            self.between(A[at : at + 1], B[at : at + 1])  # which says why
        if distances.min(initial=0.0) < 0:
            at = int(distances.argmin())
            self.between(A[at : at + 1], B[at : at + 1])  # which says why, unless it is rounding
            np.maximum(distances, 0.0, out=distances)
        return distances

    def check_point(self, x: Floats) -> None:
        """Raise an error if a point is such that the metric measures nothing from it, not even to itself."""
        if not np.isfinite(self.measured(x[None], x[None])).all():
            msg = f"The metric {self.metric!r} gives no finite distance for {_short(x)}."
            raise InputError(msg)

    def restricted(self, keep: Flags, weights: Floats | None = None) -> Space:
        """Return the space of the kept points only, which may have weights."""
        whole = bool(keep.all())  # then nothing is copied
        space = Space(
            X=self.X if whole or self.X is None else self.X[keep],
            distances=self.distances if whole or self.distances is None else self.distances[np.ix_(keep, keep)],
            metric=self.metric,
            n_jobs=self.n_jobs,
            memory=self.memory,
            done=self.done,
            weights=None if weights is None else weights[keep],
        )
        space.given, space.exponent, space.single = self.given, self.exponent, self.single
        space.fixed, space.limited = self.fixed, self.limited
        space.left_out = self.left_out + int(np.count_nonzero(~keep))
        space.graph = None if self.graph is None else self.graph.restricted(keep)
        return space

    def __getstate__(self) -> dict[str, Any]:
        """Take along what is allowed, and what the metric took from the whole of the data: these may be but a block."""
        taken = ("metric_options", "n_jobs", "memory")
        options = {name: value for name, value in vars(self).items() if name in taken}
        return super().__getstate__() | options | {"done": None}


class SparseSpace(Space):
    """Points most of whose coordinates are 0, which are not written out unless something needs them all."""

    fixed = True

    def __init__(
        self, table: Any, metric: Metric, n_jobs: int | None, memory: int | None, done: Done | None = None
    ) -> None:
        self.table = table
        super().__init__(None, None, metric, n_jobs, memory, done)

    @property
    def X(self) -> Floats:
        """All coordinates; an error if they do not fit the memory allowed."""
        needed = 8 * self.table.shape[0] * self.table.shape[1]
        if needed > self.memory:
            msg = (
                f"This needs all coordinates of a sparse X, {needed / 2**30:.3g} GiB, and memory= allows "
                f"{self.memory / 2**30:.3g}; what meets pairs of points, and sums of squares, do without."
            )
            raise UndefinedIndexError(msg)
        dense: Floats = self.table.toarray()
        return dense

    @X.setter
    def X(self, _: Any) -> None:
        """Take nothing: the table is all there is."""

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.table.shape[0])

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return int(self.table.shape[1])

    @property
    def euclidean(self) -> bool:
        """Whether Euclidean distances are those of coordinates that lie there."""
        return False

    @property
    def form(self) -> None:
        """Kernels of coordinates do not apply."""
        return

    @cached_property
    def measured_table(self) -> Any:
        """The table, or rows of length 1 where the metric compares directions."""
        if self.metric != "cosine":
            return self.table
        lengths = np.sqrt(np.asarray(self.table.multiply(self.table).sum(axis=1)).ravel())
        if not lengths.all():
            row = int(lengths.argmin())
            msg = f"The metric 'cosine' gives no finite distance for row {row} of X, which is all zeros."
            raise InputError(msg)
        units = self.table.copy()
        # Shares of the largest number first: rows that are multiples of each other become the same to the bit.
        counts = np.diff(self.table.indptr)
        units.data = self.table.data / np.repeat(abs(self.table).max(axis=1).toarray().ravel(), counts)
        squares = np.asarray(units.multiply(units).sum(axis=1)).ravel()
        units.data /= np.repeat(np.sqrt(squares), counts)
        return units

    def sorted_rows(self, order: Integers) -> SparseRows:
        """Return the distances of points in another order."""
        return SparseRows(self.measured_table[order], half=self.metric == "cosine")

    @cached_property
    def all_rows(self) -> SparseRows:
        """Distances of some points to all."""
        return self.sorted_rows(np.arange(self.n))

    def rows(self, points: Integers) -> Floats:
        """Return the distances of some points to all points by the metric."""
        return self.all_rows.of(points)

    def restricted(self, keep: Flags, weights: Floats | None = None) -> SparseSpace:
        """Return the space of the kept points only, which may have weights."""
        space = SparseSpace(
            self.table if keep.all() else self.table[keep], self.metric, self.n_jobs, self.memory, self.done
        )
        space.weights, space.limited = None if weights is None else weights[keep], self.limited
        space.graph = None if self.graph is None else self.graph.restricted(keep)
        return space


def _short(x: Any, most: int = 6) -> str:
    """Return a point as a list, of which but the first numbers are shown if they are many."""
    numbers = x.tolist()
    return str(numbers) if len(numbers) <= most else f"{str(numbers[:most])[:-1]}, ...]"


def _varies(X: Floats, scale: Floats) -> Flags:
    """Return whether each column varies by more than rounding: whether its standard deviation (`scale`) does."""
    varies: Flags = scale > ROUNDING_OF_SPREADS * np.abs(X).max(axis=0)
    return varies


def _covariance(X: Floats, weights: Floats) -> Floats:
    """Return the covariance of points that occur as often as their weights say."""
    total = float(weights.sum())
    away: Floats = X - weights @ X / total
    return (away * weights[:, None]).T @ away / (total - 1)


def space_of(
    X: Any, *, metric: MetricName = "euclidean", n_jobs: int | None = None, plan: Plan | None = None, check: bool = True
) -> Space:
    """Return the checked space of points, or of distances for metric "precomputed", unless those are not to be."""
    plan = plan or Plan()
    checked = inputs.as_metric(metric)
    X = inputs.points_at_home(X)
    jobs = None if n_jobs is None else inputs.as_jobs(n_jobs)
    memory = None if plan.memory is None else inputs.as_memory(plan.memory)
    if checked not in inputs.METRICS and is_warping(checked):
        series_limits = inputs.as_jobs(n_jobs), inputs.as_memory(plan.memory)
        X, checked, check = warped(X, str(checked), *series_limits, plan.done), "precomputed", False
    if checked == "precomputed":
        distances = inputs.as_distances(X, n_jobs=inputs.as_jobs(n_jobs), check=check)
        space = Space(None, distances, checked, jobs, memory, plan.done)
        space.given = metric
    else:
        if checked == "gower":
            return _mixed_space(mixed(X), inputs.column_names(X), jobs, memory, plan)
        if hasattr(X, "tocsr") and hasattr(X, "nnz"):
            inputs.doubt_neighbours(X)
        table = inputs.as_sparse(X) if checked in SPARSE_METRICS else None
        if table is not None:
            sparse = SparseSpace(table, checked, jobs, memory, plan.done)
            sparse.limited = plan.limited
            return sparse
        points, columns = inputs.points_with_columns(X)
        inputs.doubt_distances(points)
        if checked == "sqeuclidean":
            inputs.check_squarable(columns)
        space = Space(points, None, checked, jobs, memory, plan.done)
        space.columns, space.single = columns, getattr(X, "dtype", None) == np.float32
    if type(X) is not np.ndarray:
        space.row_names, space.column_names = inputs.row_names(X), inputs.column_names(X)
    space.limited = plan.limited
    return space


def _mixed_space(
    table: MixedTable, columns: list[str] | None, n_jobs: int | None, memory: int | None, plan: Plan
) -> Space:
    """Return the space of a table that Gower's distance compares, as kernels read it."""
    space = Space(table.image, None, "gower", n_jobs, memory, plan.done)
    space.row_names, space.column_names, space.limited = table.row_names, columns, plan.limited
    return space
