"""Every check of what users pass: points, labels, noise, metrics, budgets. Nothing else checks input.

The friendly side takes lists, NumPy arrays, data frames and sparse matrices; what leaves this file is strict:
C-ordered float64 points, int64 codes with -1 for noise.
"""

from __future__ import annotations

import copy
import math
import os
import re
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.choices import NoisePolicy
from clustval.errors import InputError, suggestion
from clustval.homes.any_frame import as_frame
from clustval.homes.cell_files import chosen_cells
from clustval.homes.embeddings import is_embedding, matrix_of, only_lists
from clustval.homes.frames import no_numbers, numbers_of
from clustval.homes.series import is_warping
from clustval.homes.tensors import host_array
from clustval.kernels.work.rounding import LARGEST, ROUNDING_OF_DISTANCES, SMALLEST
from clustval.labels import counted, encode, noise_name
from clustval.passes.points.row_moments import Columns, columns_of
from clustval.passes.work import thresholds
from clustval.passes.work.threads import available_cores
from clustval.whole_numbers import EXACT, as_floats, rounded_numbers, rounding_error

FLOAT64 = np.dtype(np.float64)  # which is compared with sooner than the type of its numbers
T = TypeVar("T")
Metric = str | Callable[[Floats, Floats], float]

HEAVIEST = 1e30  # sums of larger weights have pairs whose counts, four of them multiplied, overflow
FEWEST_DISTANCES = 4  # points from which on a square and symmetric table is hardly one of coordinates
SQUARABLE = 1e35  # powers that indices take of squared distances overflow beyond it, and vanish below its inverse

NOISE_POLICIES = ("drop", "cluster", "singletons", "error", "penalty")
BOOLEAN_METRICS = {"dice", "jaccard", "rogerstanimoto", "russellrao", "sokalsneath", "yule"}
WITHOUT_MEANS = BOOLEAN_METRICS | {"hamming", "gower"}  # metrics of sets and of categories, which have no mean
METRICS = {
    "braycurtis", "canberra", "chebyshev", "cityblock", "correlation", "cosine", "euclidean", "gower", "hamming",
    "hellinger", "jensenshannon", "mahalanobis", "minkowski", "seuclidean", "sqeuclidean",
} | BOOLEAN_METRICS  # fmt: skip
METRIC_ALIASES = {"manhattan": "cityblock", "l1": "cityblock", "l2": "euclidean", "chebychev": "chebyshev"}


# --- points ----------------------------------------------------------------------------------------------


def as_points(X: Any, name: str = "X") -> Floats:
    """Return X as a C-ordered float64 array of finite numbers, one row per point."""
    return points_with_columns(X, name)[0]


def points_with_columns(X: Any, name: str = "X") -> tuple[Floats, Columns]:
    """Return X as a C-ordered float64 array of finite numbers, one row per point, and the ranges of its columns."""
    if plain_points(X):
        return X, _check_finite(X, name, None)
    if isinstance(X, dict):
        msg = f"{name} is a dictionary; give a table: pandas.DataFrame({name}), or numpy.column_stack of its columns."
        raise InputError(msg)
    if isinstance(X, (list, tuple)) and len(X) and hasattr(X[0], "columns"):
        msg = f"{name} is a list of tables; give one: {name}[0], or pandas.concat({name}) to put them below each other."
        raise InputError(msg)
    array, columns = _array_of(X, name)
    _check_shape(array, name)
    _check_numeric(array, name)
    points = as_floats(array, name, columns)
    return points, _check_finite(points, name, columns)


def points_of_model(X: Any, model: Any) -> Floats:
    """Return X as `as_points` does, or raise an error unless its columns are those that a model was fitted to."""
    points = as_points(X)
    means = np.shape(getattr(model, "means_", ()))
    columns = getattr(model, "n_features_in_", means[1] if len(means) == 2 else None)
    if columns is not None and points.shape[1] != columns:
        msg = f"X has {points.shape[1]} columns but the model was fitted to {columns}."
        raise InputError(msg)
    pairs = zip(named_columns(X) or (), getattr(model, "feature_names_in_", ()), strict=False)
    wrong = next(((i, name, fitted) for i, (name, fitted) in enumerate(pairs) if name != fitted), None)
    if wrong is not None:
        msg = (
            f"X must have the columns that the model was fitted to, in their order; column {wrong[0]} is {wrong[1]!r} "
            f"and was {wrong[2]!r}. Give X[model.feature_names_in_]."
        )
        raise InputError(msg)
    return points


def plain_points(X: Any) -> bool:
    """Return whether X is an array as computing wants it, of which only the numbers need a look."""
    if type(X) is not np.ndarray or X.dtype != FLOAT64 or X.ndim != 2:
        return False
    return X.flags.c_contiguous and X.size > 0


def as_sparse(X: Any, name: str = "X") -> Any:
    """Return a large sparse X as a table of rows with finite numbers; None if it is small or not sparse.

    A small one costs nothing to write out, and everything can be had of it.
    """
    if not (hasattr(X, "tocsr") and hasattr(X, "nnz")) or math.prod(X.shape) <= thresholds.DENSE:
        return None
    _check_numeric(X.dtype.type(0).reshape(1), name)
    from scipy import sparse  # noqa: PLC0415 - only sparse points need it

    if X.dtype.kind in "iu":
        entries = X.tocoo()
        rounded = rounded_numbers(entries.data)
        if rounded is not None:
            at = int(rounded.argmax())
            what = f"Column {entries.col[at]} of {name}"
            raise rounding_error(what, entries.data[at])
    table = sparse.csr_array(X, dtype=np.float64, copy=False)
    if not table.has_canonical_format:
        table = table.copy()
        table.sum_duplicates()
    if (table.data == 0).any():
        table = table.copy()
        table.eliminate_zeros()
    if not np.isfinite(table.data).all() or np.abs(table.data).max(initial=0) > LARGEST:
        row = int(np.searchsorted(table.indptr, int((~(np.abs(table.data) <= LARGEST)).argmax()), side="right")) - 1
        msg = f"{name} must be finite, and below {LARGEST:g} so that squares do not overflow; row {row} is not."
        raise InputError(msg)
    return table


def _check_shape(array: NDArray[Any], name: str) -> None:
    if array.ndim == 1:
        msg = f"{name} has one dimension; give one row per point, as {name}.reshape(-1, 1) does for one column."
        raise InputError(msg)
    if array.ndim != 2:
        series = " If they are series, metric='dtw' compares them." if array.ndim == 3 else ""
        msg = f"{name} must have rows and columns; it has {array.ndim} dimensions.{series}"
        raise InputError(msg)
    if 0 in array.shape:
        msg = f"{name} is empty: {array.shape[0]} rows and {array.shape[1]} columns."
        raise InputError(msg)


def _array_of(X: Any, name: str) -> tuple[NDArray[Any], Sequence[str] | None]:
    """Return X as an array of whatever type, and the names of its columns if it has any."""
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        row = int(np.argwhere(np.ma.getmaskarray(X))[0][0])
        msg = f"{name} has masked values, the first in row {row}; fill or drop them."
        raise InputError(msg)
    X = points_at_home(X, name)
    if hasattr(X, "toarray") and hasattr(X, "nnz"):
        return np.asarray(X.toarray()), None
    if isinstance(X, (list, tuple)) or _holds_arrays(X):
        try:
            return _array_of_lists(list(X)), None
        except ValueError:
            lengths = sorted({len(row) if hasattr(row, "__len__") else 0 for row in X})
            msg = (
                f"The rows of {name} differ in length: from {lengths[0]} to {lengths[-1]} entries. If they are series, "
                "metric='dtw' compares them."
            )
            raise InputError(msg) from None
    if isinstance(X, np.ndarray):
        return np.asarray(X), None
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    if hasattr(X, "image") and hasattr(X, "types"):
        msg = f"{name} is a table of numbers and categories; it needs metric='gower'."
        raise InputError(msg)
    frame = as_frame(X, name)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return _frame_array(frame, name)
    if isinstance(frame, nw.Series):
        return matrix_of(frame, name) if is_embedding(frame) else frame.to_numpy(), None
    return np.asarray(host_array(X, name)), None


def _holds_arrays(X: Any) -> bool:
    """Return whether X is an array of arrays, as the values of a column of embeddings are."""
    return isinstance(X, np.ndarray) and X.dtype == object and X.shape != (0,) and getattr(X.flat[0], "ndim", 0) == 1


def holds_lists(X: Any) -> bool:
    """Return whether X is a column that holds a list or an array in each row, or a data frame of it alone."""
    if isinstance(X, (list, tuple)):
        return False
    if isinstance(X, np.ndarray):
        return X.dtype == object and X.ndim == 1 and len(X) > 0 and isinstance(X[0], (list, tuple, np.ndarray))
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = as_frame(X)
    if isinstance(frame, nw.DataFrame):
        return only_lists(frame) is not None
    return isinstance(frame, nw.Series) and is_embedding(frame)


def _array_of_lists(X: Any) -> NDArray[Any]:
    """Return lists as an array; of objects where NumPy would round whole numbers, since others are none."""
    array = np.array(X)
    if array.dtype == np.float64 and (np.abs(array) >= EXACT).any():
        objects = np.array(X, dtype=object)
        return array if rounded_numbers(objects) is None else objects
    return array


def points_at_home(X: Any, name: str = "X", *, use_rep: str | None = None, force: bool = False) -> Any:
    """Return a representation of annotated cells, the usual one unless it is said; anything else as it is."""
    if isinstance(X, np.ndarray) and use_rep is None:
        return X
    cells = chosen_cells(X, use_rep, name)
    return X if cells is None else cells.points(use_rep, force=force)


def _frame_array(frame: Any, name: str) -> tuple[NDArray[Any], Sequence[str] | None]:
    """Return a frame as an array with the names of its columns; lists in its only column, which have no names."""
    lists = only_lists(frame)
    if lists is not None:
        return matrix_of(lists, name), None
    columns = []
    for column in frame.iter_columns():
        numbers = numbers_of(column, name)
        if numbers is None:
            raise no_numbers(column, name)
        columns.append(numbers)
    return np.column_stack(columns) if columns else np.empty((len(frame), 0)), list(map(str, frame.columns))


def check_numbers(array: NDArray[Any], name: str) -> None:
    """Raise an error unless an array has rows and columns of numbers, of which it may have none."""
    if array.ndim != 2:
        _check_shape(array, name)
    _check_numeric(array, name)


def _check_numeric(array: NDArray[Any], name: str) -> None:
    if array.dtype.kind == "O":
        try:
            array.astype(np.float64)
        except OverflowError:
            msg = f"{name} holds a whole number that no float64 is near to; rescale it to below {LARGEST:g}."
            raise InputError(msg) from None
        except (TypeError, ValueError):
            pass
        else:
            return
    if array.dtype.kind not in "fiub":
        what = {"c": "complex numbers", "U": "text", "S": "bytes", "M": "dates", "m": "durations"}
        msg = f"{name} must hold real numbers; it holds {what.get(array.dtype.kind, f'values of type {array.dtype}')}."
        raise InputError(msg)


def not_finite(name: str, row: int, column: int, value: float, rows: int, columns: Sequence[str] | None) -> str:
    """Return what is wrong with the first value that is no number, and what to do about gaps in named columns."""
    where = repr(columns[column]) if columns else str(column)
    more = f" ({rows} such rows)" if rows > 1 else ""
    gap = bool(columns) and math.isnan(value)
    gower = ", or use metric='gower', which skips gaps" if name == "X" else ""  # coordinates are only drawn
    remedy = f"; drop or fill such rows{gower}" if gap else ""
    return f"{name} must be finite; row {row}, column {where} is {value}{more}{remedy}."


def _check_finite(points: Floats, name: str, columns: Sequence[str] | None) -> Columns:
    """Return the ranges of columns, or raise an error where a number has no square."""
    ranges = columns_of(points)
    low, high = ranges.low, ranges.high
    if not math.isfinite(low + high) and not np.isfinite(points).all():
        bad = ~np.isfinite(points)
        rows = np.flatnonzero(bad.any(axis=1))
        column = int(np.flatnonzero(bad[rows[0]])[0])
        msg = not_finite(name, int(rows[0]), column, float(points[rows[0], column]), len(rows), columns)
        raise InputError(msg)
    if max(-low, high) > LARGEST:
        msg = f"{name} reaches {max(-low, high):.3g}, whose square overflows; rescale it to below {LARGEST:g}."
        raise InputError(msg)
    if 0 < high - low < SMALLEST:
        msg = f"{name} spreads over {high - low:.3g}, whose square vanishes; rescale it to above {SMALLEST:g}."
        raise InputError(msg)
    return ranges


def check_squarable(columns: Columns, name: str = "X") -> None:
    """Raise an error if indices cannot square the squares of points once more."""
    reach, spread = columns.reach, columns.high - columns.low
    if reach > SQUARABLE:
        msg = f"{name} reaches {reach:.3g}, and indices of squared distances square its square; "
        raise InputError(msg + f"rescale it to below {SQUARABLE:g}.")
    if 0 < spread < 1 / SQUARABLE:
        msg = f"{name} spreads over {spread:.3g}, and indices of squared distances square its square; "
        raise InputError(msg + f"rescale it to above {1 / SQUARABLE:g}.")


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a real number of Python or NumPy; True and False are none."""
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def at_least(number: Any, fewest: int, name: str, none: str = "") -> int:
    """Return a whole number, or raise an error if it is not one or below `fewest`; it says what None would mean."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < fewest:
        instead = f", or None for {none}" if none else ""
        msg = f"{name} must be a whole number from {fewest}{instead}; it is {number!r}."
        raise InputError(msg)
    return int(number)


def one_of(value: T, allowed: Collection[T], name: str) -> T:
    """Return the value, or raise an error if it is not among those allowed."""
    if value not in allowed:
        words = [each for each in allowed if isinstance(each, str)]
        hint = suggestion(value, words) if isinstance(value, str) and any(map(str.isalpha, value)) else ""
        msg = f"{name} must be one of {', '.join(map(repr, allowed))}; it is {value!r}. {hint}"
        raise InputError(msg.rstrip())
    return value


def as_distances(D: Any, name: str = "X", *, n_jobs: int = 1, check: bool = True) -> Floats:
    """Return a square matrix of distances, checked for sign, diagonal and symmetry unless told not to.

    What rounding left on the diagonal and below 0, as in ``1 - X @ X.T``, becomes 0, in a copy.
    """
    array, columns = _array_of(D, name)
    _check_shape(array, name)
    _check_numeric(array, name)
    distances = as_floats(array, name, columns)
    n = len(distances)
    if distances.shape != (n, n):
        msg = f"A precomputed {name} must be square; it has {n} rows and {distances.shape[1]} columns."
        raise InputError(msg)
    if distances.diagonal().any():
        distances = _without_rounding(distances)
    if check and (n <= thresholds.PAIRS or _has_faults(distances, n_jobs)):
        if distances.min() < 0:
            distances = _without_rounding(distances)
        _name_fault(distances, name, columns)
    return distances


def _without_rounding(distances: Floats) -> Floats:
    """Return the matrix with 0 where there is but rounding: on the diagonal or below 0, and small."""
    rounding = ROUNDING_OF_DISTANCES * distances.max()
    if not math.isfinite(rounding):
        return distances
    mended = distances.copy()
    diagonal = np.einsum("ii->i", mended)
    diagonal[np.abs(diagonal) <= rounding] = 0
    for row in mended:  # without a second matrix
        row[(row < 0) & (row >= -rounding)] = 0
    return mended


def _has_faults(distances: Floats, n_jobs: int) -> bool:
    """Return whether something may be wrong, in one quick pass that does not say what."""
    from clustval.passes.pairs.distance_matrix import matrix_pass  # noqa: PLC0415 - loads the compiler

    points = np.arange(len(distances))
    one = np.zeros_like(points)
    return not matrix_pass(distances, one, points, full=False, n_jobs=n_jobs, memory=as_memory(None)).sound


def _name_fault(distances: Floats, name: str, columns: Sequence[str] | None) -> None:
    """Raise an error that names the first entry which is wrong, if there is one."""
    _check_finite(distances, name, columns)
    diagonal = np.flatnonzero(distances.diagonal())
    if len(diagonal):
        i = diagonal[0]
        msg = f"The diagonal of a precomputed {name} must be 0; row {i} has {distances[i, i]:g}."
        raise InputError(msg)
    rounding = ROUNDING_OF_DISTANCES * distances.max()
    for i, row in enumerate(distances):
        if row.min() < 0:
            j = int(row.argmin())
            msg = f"Distances must not be negative; row {i}, column {j} is {row[j]:g}."
            raise InputError(msg)
        wrong = np.abs(row - distances[:, i]) > rounding
        if wrong.any():
            j = int(wrong.argmax())
            msg = (
                f"A precomputed {name} must be symmetric; row {i}, column {j} is {row[j]:g} "
                f"but row {j}, column {i} is {distances[j, i]:g}."
            )
            raise InputError(msg)


BY_METRIC = "metric='precomputed' takes it so."


def doubt_distances(points: Floats, remedy: str = BY_METRIC) -> None:
    """Warn if coordinates look like distances: square, symmetric, nowhere negative, 0 on the diagonal alone."""
    n = len(points)
    if points.shape != (n, n) or n < FEWEST_DISTANCES or points.diagonal().any() or points.min() < 0:
        return
    if np.count_nonzero(points) == n * (n - 1) and (points == points.T).all():
        msg = f"X looks like distances: square and symmetric, with 0 on its diagonal. {remedy}"
        warnings.warn(msg, UserWarning, stacklevel=2)


def doubt_neighbours(table: Any) -> None:
    """Warn if sparse coordinates look like a graph of nearest neighbours: square, with nothing on the diagonal."""
    n, columns = table.shape
    if n == columns >= FEWEST_DISTANCES and table.nnz and not table.diagonal().any() and table.min() >= 0:
        msg = "X looks like a graph of nearest neighbours: sparse and square, with nothing on its diagonal. "
        warnings.warn(msg + "With X=None, neighbours= takes it so.", UserWarning, stacklevel=2)


def exponent_of(metric: Any) -> float | None:
    """Return the number r of a metric "minkowski(r)", from 1 up; None of any other.

    >>> exponent_of("minkowski(1.5)")
    1.5
    """
    match = re.fullmatch(r"minkowski\((?:p=)?(\d+\.?\d*|inf)\)", str(metric).replace(" ", ""))
    exponent = float(match[1]) if match else 0.0
    return exponent if exponent >= 1 else None


def as_metric(metric: Any) -> Metric:
    """Return the canonical name of a metric, or the callable itself."""
    if isinstance(metric, str) and metric in METRICS:
        return metric
    if callable(metric):
        function: Callable[..., float] = metric
        return function
    if isinstance(metric, str):
        name = METRIC_ALIASES.get(metric.lower(), metric.lower())
        if name in METRICS or name == "precomputed" or is_warping(name):
            return name.replace(" ", "")
        if (exponent := exponent_of(name)) is not None:
            return {1: "cityblock", 2: "minkowski", math.inf: "chebyshev"}.get(exponent, name)
        if name.startswith("dtw("):
            msg = f"The window of 'dtw' is a whole number of steps, as in 'dtw(10)'; the metric is {metric!r}."
            raise InputError(msg)
    import difflib  # noqa: PLC0415

    names = sorted(METRICS | {"dtw", "precomputed"})
    near = difflib.get_close_matches(str(metric).lower(), names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else f" Known are {', '.join(names)}, or a function of two points."
    msg = f"No metric is called {metric!r}.{hint}"
    raise InputError(msg)


# --- rows by name ----------------------------------------------------------------------------------------


def row_names(X: Any) -> Any:
    """Return the names of rows, which only data of pandas and the like have; None for others."""
    return X.index if hasattr(X, "iloc") and hasattr(X.index, "get_indexer") else None


def column_names(X: Any, called: str = "X") -> list[str] | None:
    """Return the names of the columns of a data frame; None for anything else, and for lists in its only column."""
    if not hasattr(X, "columns"):
        return None
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = as_frame(X, called, series=False)
    if not isinstance(frame, nw.DataFrame) or only_lists(frame) is not None:
        return None
    return list(map(str, frame.columns))


def named_columns(X: Any) -> list[str] | None:
    """Return the names of the columns of a data frame, unless they are but numbers, as scikit-learn has it."""
    of_pandas = X.columns if hasattr(X, "iloc") and hasattr(X, "columns") else ()
    return column_names(X) if all(isinstance(name, str) for name in of_pandas) else None


def check_same_columns(what: str, columns: Sequence[str] | None, others: Sequence[str] | None) -> None:
    """Raise an error if data frames of as many columns have other names, or have them in another order."""
    if columns is None or others is None or columns == others:
        return
    alike = " in the same order" if sorted(columns) == sorted(others) else ""
    at = next(at for at, (name, other) in enumerate(zip(columns, others, strict=True)) if name != other)
    msg = (
        f"{what} must have the same columns{alike}; column {at} of one is {columns[at]!r}, and of others "
        f"{others[at]!r}. Choose columns by name: X[[{others[0]!r}, ...]]."
    )
    raise InputError(msg)


def aligned(values: Any, rows: Any, name: str, X: str = "X") -> Any:
    """Return values with names in the order of the rows that have the same names, or raise an error if others have.

    Values without names, and values for rows without names, are taken by their place.

    >>> import pandas as pd
    >>> aligned(pd.Series([1, 2], index=["b", "a"]), pd.Index(["a", "b"]), "labels").tolist()
    [2, 1]
    """
    names = row_names(values)
    if rows is None or names is None or len(names) != len(rows) or names.equals(rows):
        return values
    if names.is_unique and rows.is_unique:
        places = names.get_indexer(rows)
        if (places >= 0).all():
            return values.iloc[places]
        fault = f"{name} has no row {rows[int((places < 0).argmax())]!r}"
    else:
        fault = "some names stand for several rows"
    msg = (
        f"{X} and {name} are indexed differently: {fault}. "
        f"Bring {name} into the order of {X} by .reindex({X}.index), or leave its index behind by .to_numpy()."
    )
    raise InputError(msg)


# --- labels ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Labels:
    """Labels as codes: 0 ... k-1 in the order of the sorted names, -1 for noise."""

    codes: Integers
    names: list[Any]
    noise: int = 0  # how many of the clusters, the last ones, are of noise
    whole: bool = False  # whether no code is -1, if that is known
    sizes: Integers | None = None  # how many points each cluster has, if that is known

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.names)

    @property
    def own_names(self) -> list[Any]:
        """The names of clusters that are not of noise."""
        return self.names[: self.k - self.noise]

    @property
    def noise_names(self) -> list[str]:
        """The names of clusters that are of noise."""
        return self.names[self.k - self.noise :]


def clusters(labels: Any) -> bool:
    """Return whether something stands for labels that can make them: an estimator such as those of scikit-learn."""
    return hasattr(labels, "fit_predict") or hasattr(labels, "labels_")


def labels_by(estimator: Any, X: Any) -> Any:
    """Return the labels that an estimator has for these points, or those that a copy of it gives to them."""
    if isinstance(estimator, type):
        name = estimator.__name__
        msg = f"labels is the class {name}; give an object, such as {name}(), or the labels that it found."
        raise InputError(msg)
    labels = getattr(estimator, "labels_", None)
    if labels is not None and len(labels) == len(X):
        return labels
    if not hasattr(estimator, "fit_predict"):
        msg = f"{type(estimator).__name__} has labels of other points than X, and no fit_predict to make them anew."
        raise InputError(msg)
    return copy.deepcopy(estimator).fit_predict(X)


def as_labels(
    labels: Any,
    name: str = "labels",
    *,
    noise: NoisePolicy = "drop",
    weights: Floats | None = None,
    first: int = 0,
    rows: Any = None,
) -> Labels:
    """Return labels of any type as codes, with noise treated as the policy says.

    -1 in integer labels and missing values (None, NaN, NA) are noise. Under ``"cluster"`` noise becomes one
    more cluster, under ``"singletons"`` each noise point a cluster of its own; under ``"drop"`` its code is -1.
    Points of weight 0 have the code -1 under every policy, and clusters without weight are left out. `first` is the
    row of the first label, after which clusters of one noise point are named. Labels with names are put in the order
    of `rows`, the names of the points.
    """
    as_noise(noise)
    if rows is not None:
        labels = aligned(labels, rows, name)
    known = counted(labels) if weights is None else None
    if known is not None:
        codes, numbers, sizes, whole = known
        names = numbers.tolist()
        if whole:
            return Labels(codes, names, whole=True, sizes=sizes)
    else:
        codes, names = encode(labels, name)
        if weights is None and codes.min() >= 0:
            return Labels(codes, names, whole=True)
    noisy = codes < 0
    if weights is not None:
        check_length(len(weights), Labels(codes, names), name=name)
        codes, names = _with_weight(codes, names, weights)
        noisy &= weights > 0
    count = int(np.count_nonzero(noisy))
    if count == 0 or noise == "drop":
        return Labels(codes, names)
    if noise == "error":
        first = int(noisy.argmax())
        msg = f"{name} marks {count} points as noise, the first at position {first}; noise='error' allows none."
        raise InputError(msg)
    k = len(names)
    if noise == "cluster":
        return Labels(np.where(noisy, k, codes), [*names, noise_name(names)], 1)
    if weights is not None and (weights[noisy] != 1).any():
        at = int((noisy & (weights != 1)).argmax())
        msg = (
            f"noise='singletons' makes each noise point a cluster of one point, so that it must weigh 0 or 1; "
            f"position {at} weighs {weights[at]:g}. Repeat its row instead, or choose another policy."
        )
        raise InputError(msg)
    codes = codes.copy()
    codes[noisy] = np.arange(k, k + count)
    taken = set(names)
    alone = [noise_name(taken, f"noise {first + i}") for i in np.flatnonzero(noisy)]
    return Labels(codes, [*names, *alone], count)


def as_noise(noise: str) -> str:
    """Return what happens to noise where labels are read, which is not where values are made worse by it."""
    if one_of(noise, NOISE_POLICIES, "noise") == "penalty":
        msg = (
            "noise='penalty' makes values of indices worse by the share of noise; this function counts points or "
            "judges clusters one by one, and has no such value. Choose 'drop', which leaves noise out, or 'cluster', "
            "which takes it as one cluster."
        )
        raise InputError(msg)
    return noise


def read_as(noise: str) -> tuple[str, bool]:
    """Return what happens to noise where labels are read, and whether values are made worse by it afterwards."""
    return ("drop", True) if noise == "penalty" else (as_noise(noise), False)


def _with_weight(codes: Integers, names: list[Any], weights: Floats) -> tuple[Integers, list[Any]]:
    """Return codes without points of weight 0, and without clusters that have no others."""
    codes = np.where(weights > 0, codes, -1)
    there = np.zeros(len(names), dtype=bool)
    there[codes[codes >= 0]] = True
    places = np.append(np.cumsum(there) - 1, -1)  # the last is for noise
    return places[codes], [name for name, occurs in zip(names, there, strict=True) if occurs]


def check_length(n: int, labels: Labels, X: str = "X", name: str = "labels") -> None:
    """Raise an error unless there is one label for each of `n` rows."""
    if len(labels.codes) != n:
        msg = f"{X} has {n} rows but {name} has {len(labels.codes)} entries."
        raise InputError(msg)


def as_weights(
    weights: Any, n: int, name: str = "sample_weight", *, X: str = "X", zero: bool = False, rows: Any = None
) -> Floats:
    """Return one weight for each of `n` points, or raise an error that says which cannot be one.

    At least one must be above 0, unless they may all be `zero`. Weights with names are put in the order of `rows`.
    """
    array, _ = _array_of(aligned(weights, rows, name, X), name)
    if array.ndim != 1:
        msg = f"{name} must have one dimension; it has {array.ndim}."
        raise InputError(msg)
    if len(array) != n:
        msg = f"{X} has {n} rows but {name} has {len(array)} entries."
        raise InputError(msg)
    _check_numeric(array, name)
    values = np.ascontiguousarray(array, dtype=np.float64)
    wrong = ~(np.isfinite(values) & (values >= 0))
    if wrong.any():
        at = int(wrong.argmax())
        what = "negative" if values[at] < 0 else "missing or infinite"
        msg = f"{name} must not be {what}; position {at} is {values[at]:g}."
        raise InputError(msg)
    if values.max(initial=0) > HEAVIEST:
        msg = f"{name} reaches {values.max():.3g}, too much for products of pairs; rescale it to below {HEAVIEST:g}."
        raise InputError(msg)
    if not (zero or values.any()):
        msg = f"{name} is 0 for every point; at least one must weigh more."
        raise InputError(msg)
    return values


# --- budgets ---------------------------------------------------------------------------------------------


def as_jobs(n_jobs: int | None) -> int:
    """Return the number of threads: all cores for None or -1."""
    if n_jobs is None or n_jobs == -1:
        return available_cores()
    return at_least(n_jobs, 1, "n_jobs", none="all cores")


UNITS = {"": 1, "b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
DECIMAL = {"kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
LEAST_MEMORY = 2**24


def as_memory(memory: int | str | None) -> int:
    """Return a budget in bytes: a number, text such as "2 GiB", or None for a quarter of the free, 2 GiB at most."""
    if memory is None:
        return max(LEAST_MEMORY, min(2 * 2**30, _free_memory() // 4))
    size: float = math.nan
    if isinstance(memory, str):
        match = re.fullmatch(r"\s*([0-9.]+)\s*([a-zA-Z]*)\s*", memory)
        if match:
            unit = match[2].lower()
            factor = DECIMAL.get(unit) or UNITS.get(unit.removesuffix("ib"))
            try:
                size = float(match[1]) * factor if factor else math.nan
            except ValueError:
                size = math.nan
    elif is_number(memory):
        size = float(memory)
    if not size >= LEAST_MEMORY:
        msg = f"memory must be at least 16 MiB, as bytes or as text such as '2 GiB'; it is {memory!r}."
        raise InputError(msg)
    return int(size)


def _free_memory() -> int:
    try:
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # Windows
        return 4 * 2**30
