"""Tables of numbers and categories, as Gower's distance compares them: a type, a range and a weight for each column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Flags, Floats
from clustval.categories import Name, coded, columns_of, described, numeric
from clustval.errors import InputError, suggestion
from clustval.kernels.metrics.form import ABSENT
from clustval.kernels.work.rounding import LARGEST
from clustval.whole_numbers import from_lowest

NO_WEIGHT = 1e-300  # of a missing value: it adds to no sum, and yet tells weights, which are below 0, from numbers
PATTERNS = 2**12  # patterns of missing values that are compared with all others at a time
Columns = Collection[Name]
Place = Callable[[int], str]  # what errors call a row


@dataclass(frozen=True, eq=False)
class MixedTable:
    """A checked table of numbers and categories, to be passed in place of the table with ``metric="gower"``.

    `image` is what kernels read. Without missing values, asymmetric columns and unequal weights it has the columns:
    numbers from 0 to 1, and whole numbers that stand for categories. Else each column is there twice: weights, below
    0, and then these numbers.
    """

    image: Floats
    types: dict[Name, str]  # of each column: "numeric", "ordinal", "categorical" or "asymmetric"
    row_names: Any = None  # of the table, if it is a frame of pandas

    def __len__(self) -> int:
        return len(self.image)

    def __repr__(self) -> str:
        numbers = {kind: list(self.types.values()).count(kind) for kind in dict.fromkeys(self.types.values())}
        return f"MixedTable({len(self)} rows, " + ", ".join(f"{count} {kind}" for kind, count in numbers.items()) + ")"


@dataclass(frozen=True, eq=False)
class _Column:
    """A column as numbers: from 0 to 1, or of categories; NaN where it is missing."""

    name: Name
    kind: str
    values: Floats


def mixed(
    X: Any,
    *,
    categorical: Columns = (),
    ordinal: Columns | Mapping[Name, Sequence[Any]] = (),
    asymmetric: Columns = (),
    weights: Mapping[Name, float] | Sequence[float] | None = None,
) -> MixedTable:
    """Return a checked table of numbers and categories for ``metric="gower"``, with types and weights of columns.

    Numbers and dates are numeric: their difference over the range of the column. Text, booleans and categories are
    categorical: 0 if they are equal, else 1. Ordered categories of pandas and enumerations of polars are ordinal: their
    places in the order are numeric. The distance is the mean over the columns that both points have, by weight.

    Parameters
    ----------
    X
        One row per point: a data frame, an array, or a list of rows; None, NaN and NA are missing.
    categorical
        Columns of numbers that stand for categories, by name, or by place if columns have no names.
    ordinal
        Columns of ordered categories: a mapping from each to its categories in order, or columns of numbers.
    asymmetric
        Columns that say yes or no, where two points that both say no have nothing in common: booleans, 0 and 1, or two
        categories, the second of which in order means yes.
    weights
        How much each column counts: one number per column, or a mapping from some; 1 for all others.

    >>> mixed([[20, "red"], [30, "blue"], [40, "red"]])
    MixedTable(3 rows, 1 numeric, 1 categorical)
    """
    if isinstance(X, MixedTable):
        if categorical or ordinal or asymmetric or weights is not None:
            msg = "X is a mixed table already; say more of its columns when it is made."
            raise InputError(msg)
        return X
    columns = columns_of(X)
    names = [name for name, _ in columns]
    orders = dict(ordinal) if isinstance(ordinal, Mapping) else dict.fromkeys(ordinal)
    chosen = {"categorical": categorical, "ordinal": orders, "asymmetric": asymmetric}
    _check_names(chosen, names)
    read = [_column(name, values, chosen, orders) for name, values in columns]
    shares = _as_weights(weights, names)
    kept = [column for column, share in zip(read, shares, strict=True) if share > 0]
    image = _image(kept, shares[shares > 0])
    return MixedTable(image, {column.name: column.kind for column in read}, inputs.row_names(X))


def on_one_scale(tables: Sequence[Any], called: Sequence[str], *, by_first: bool = False) -> list[MixedTable]:
    """Return tables with the same columns as one table would have them: categories alike, ranges over all rows.

    With `by_first` ranges are those of the first table, so that its distances do not depend on the others; numbers
    outside of them are as far from it as the ends of the range are from each other, at most. Errors call tables as the
    caller does.

    >>> rows, new = [[1, "a"], [3, "b"]], [[2, "b"], [7, "c"]]
    >>> [table.image.tolist() for table in on_one_scale([rows, new], ["rows", "new"], by_first=True)]
    [[[1.0, 0.0], [2.0, 1.0]], [[1.5, 1.0], [4.0, 2.0]]]
    """
    if any(isinstance(table, MixedTable) for table in tables):
        msg = "A mixed table that was made already has ranges of its own; give the tables themselves."
        raise InputError(msg)
    columns = [columns_of(table) for table in tables]
    for some in columns[1:]:
        if len(some) != len(columns[0]):
            msg = f"Tables must have the same columns; one has {len(columns[0])} and another {len(some)}."
            raise InputError(msg)
    read = []
    for parts in zip(*columns, strict=True):
        name, first = parts[0]
        order = _order_of(first)
        orders = {} if order is None else {name: order}
        chosen: dict[str, Any] = {"categorical": (), "ordinal": orders, "asymmetric": ()}
        joined = _joined([values for _, values in parts])
        read.append(_column(name, joined, chosen, orders, len(first) if by_first else None))
    starts = np.cumsum([0, *(len(some[0][1]) for some in columns)])

    def place(row: int) -> str:
        at = int(np.searchsorted(starts, row, side="right")) - 1
        return f"row {row - starts[at]} of {called[at]}"

    image = _image(read, np.ones(len(read)), place)
    types = {column.name: column.kind for column in read}
    return [
        MixedTable(np.ascontiguousarray(image[low:high]), types, inputs.row_names(table))
        for table, low, high in zip(tables, starts[:-1], starts[1:], strict=True)
    ]


def _joined(parts: Sequence[Any]) -> Any:
    """Return columns of several tables as one: dates and numbers as arrays, all else as a list."""
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    read = [nw.from_native(values, pass_through=True, allow_series=True) for values in parts]
    if all(isinstance(values, nw.Series) and values.dtype.is_temporal() for values in read):
        return np.concatenate([values.to_numpy() for values in read])
    if all(isinstance(values, np.ndarray) and values.dtype.kind in "fiumM" for values in read):
        return np.concatenate(read)
    return [value for values in read for value in (values if isinstance(values, list) else _listed(values))]


def _listed(values: Any) -> list[Any]:
    return list(values.to_list() if hasattr(values, "to_list") else values.tolist())


# --- columns ---------------------------------------------------------------------------------------------


def _check_names(chosen: Mapping[str, Collection[Name]], names: list[Name]) -> None:
    """Raise an error if a column is named that is not there, or that is two things."""
    seen: dict[Name, str] = {}
    for option, columns in chosen.items():
        if isinstance(columns, str):
            msg = f"{option} must list columns; it is the text {columns!r}. Write [{columns!r}]."
            raise InputError(msg)
        for name in columns:
            if name not in names:
                msg = f"{option} names the column {name!r}, which X does not have.{_near(name, names)}"
                raise InputError(msg)
            if name in seen:
                msg = f"Column {name!r} cannot be {seen[name]} and {option}."
                raise InputError(msg)
            seen[name] = option


def _near(name: Name, names: list[Name]) -> str:
    near = suggestion(str(name), [str(each) for each in names])
    return f" {near}" if near else ""


def _column(
    name: Name,
    values: Any,
    chosen: Mapping[str, Collection[Name]],
    orders: Mapping[Name, Any],
    ranged_by: int | None = None,
) -> _Column:
    """Return a column as numbers, by what is said of it or else by its type; its range is that of so many rows."""
    what = described(name)
    kind = next((kind for kind, columns in chosen.items() if name in columns), None)
    if kind in {"categorical", "asymmetric"}:
        codes, categories = coded(values, what)
        if kind == "asymmetric":
            return _Column(name, kind, _yes_or_no(codes, categories, what))
        return _Column(name, kind, _with_gaps(codes, what))
    order = orders.get(name) if kind == "ordinal" else _order_of(values)
    if order is not None:
        return _Column(name, "ordinal", _ranged(_places(values, order, what), what, ranged_by))
    numbers = numeric(values) if kind == "ordinal" else _numbers_or_dates(values)
    if numbers is not None:
        return _Column(name, kind or "numeric", _ranged(_finite(*numbers, what), what, ranged_by))
    if kind == "ordinal":
        msg = f"{what} has no order; give its categories in order: ordinal={{{name!r}: [...]}}."
        raise InputError(msg)
    return _Column(name, "categorical", _with_gaps(coded(values, what)[0], what))


def _numbers_or_dates(values: Any) -> tuple[NDArray[Any], Flags] | None:
    """Return the numbers of a column, or its dates as numbers, and which are missing; None if it has neither."""
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    series = nw.from_native(values, pass_through=True, allow_series=True)
    times = series.to_numpy() if isinstance(series, nw.Series) and series.dtype.is_temporal() else values
    if isinstance(times, np.ndarray) and times.dtype.kind in "mM":
        missing = np.isnat(times)
        return np.where(missing, 0, times.astype(np.int64)), missing
    return numeric(values)


def _order_of(values: Any) -> list[Any] | None:
    """Return the categories in order of a column whose type has one."""
    import narwhals as nw  # noqa: PLC0415

    series = nw.from_native(values, pass_through=True, allow_series=True)
    if not isinstance(series, nw.Series):
        return None
    if series.implementation.is_pandas() and getattr(getattr(values, "cat", None), "ordered", False):
        return list(values.cat.categories)
    enumeration = isinstance(series.dtype, nw.Enum) and series.implementation.is_polars()
    return list(values.dtype.categories) if enumeration else None


def _places(values: Any, order: Sequence[Any], what: str) -> Floats:
    """Return the place of each value in the order, NaN where it is missing."""
    codes, categories = coded(values, what)
    places = {category: place for place, category in enumerate(order)}
    unknown = [category for category in categories if category not in places]
    if unknown:
        msg = f"{what} holds {unknown[0]!r}, which is not in its order {list(order)!r}."
        raise InputError(msg)
    return np.array([*(places[category] for category in categories), np.nan])[codes]  # -1 finds the last


def _with_gaps(codes: NDArray[Any], what: str) -> Floats:
    values = np.where(codes < 0, np.nan, codes)
    _check_some(values, what)
    return values


def _yes_or_no(codes: NDArray[Any], categories: list[Any], what: str) -> Floats:
    if len(categories) > 2:
        msg = f"{what} must say yes or no to be asymmetric; it has {len(categories)} categories."
        raise InputError(msg)
    values = _with_gaps(codes, what)
    if len(categories) == 1:  # a yes if it is the number 1, or True
        values[:] = np.where(np.isnan(values), np.nan, float(categories[0] == 1))
    return values


def _finite(numbers: NDArray[Any], missing: Flags, what: str) -> Floats:
    values = np.where(missing, np.nan, from_lowest(numbers, missing).astype(np.float64))
    infinite = np.isinf(values)
    if infinite.any():
        msg = f"{what} must be finite; row {int(infinite.argmax())} is {values[infinite.argmax()]}."
        raise InputError(msg)
    if np.nanmax(np.abs(values), initial=0) > LARGEST:
        msg = f"{what} reaches {np.nanmax(np.abs(values)):.3g}; rescale it to below {LARGEST:g}."
        raise InputError(msg)
    return values


def _ranged(values: Floats, what: str, ranged_by: int | None = None) -> Floats:
    """Return numbers from 0 to 1; all 0 where they are equal.

    Where the range is that of the first ones, these are from 1 to 2, so that no other is below 0, which weights are.
    """
    _check_some(values, what)
    some = values[:ranged_by]
    known = some[~np.isnan(some)] if np.isfinite(some).any() else values[~np.isnan(values)]
    low, high = known.min(), known.max()
    shares = (values - low) / (high - low if high > low else 1.0)
    if ranged_by is None:
        return np.asarray(shares)
    return np.asarray(1.0 + np.clip(shares, -1.0, 3.0))


def _check_some(values: Floats, what: str) -> None:
    if np.isnan(values).all():
        msg = f"{what} has no values; leave it out."
        raise InputError(msg)


def _as_weights(weights: Any, names: list[Name]) -> Floats:
    """Return the weight of each column."""
    if isinstance(weights, Mapping):
        _check_names({"weights": list(weights)}, names)
        weights = [weights.get(name, 1.0) for name in names]
    values = np.ones(len(names)) if weights is None else np.asarray(weights, dtype=np.float64)
    if values.shape != (len(names),):
        msg = f"weights must have one number for each of {len(names)} columns; it has {values.size}."
        raise InputError(msg)
    if not (np.isfinite(values) & (values >= 0)).all():
        at = int((~(np.isfinite(values) & (values >= 0))).argmax())
        msg = f"The weights of columns must be finite and not negative; that of column {names[at]!r} is {values[at]:g}."
        raise InputError(msg)
    if not values.any():
        msg = "All columns have the weight 0; at least one must weigh more."
        raise InputError(msg)
    return np.asarray(values / values.max())


# --- what kernels read -----------------------------------------------------------------------------------


def _of_x(row: int) -> str:
    return f"row {row} of X"


def _image(columns: Sequence[_Column], weights: Floats, place: Place = _of_x) -> Floats:
    """Return the columns as kernels read them; `place` is how errors call a row."""
    values = np.column_stack([column.values for column in columns])
    known = ~np.isnan(values)
    yes_or_no = np.array([column.kind == "asymmetric" for column in columns])
    if known.all() and not yes_or_no.any() and (weights == weights[0]).all():
        return np.ascontiguousarray(values)
    check_common(known, yes_or_no, values == 1, place)
    return image_of(np.where(yes_or_no & (values == 0), ABSENT, values), weights, gaps=True)


def image_of(values: Floats, weights: Floats | float = 1.0, *, gaps: bool) -> Floats:
    """Return columns of numbers as kernels read them: with a weight before each, if values are missing anywhere."""
    if not gaps:
        return np.ascontiguousarray(values)
    known = ~np.isnan(values)
    image = np.empty((len(values), 2 * values.shape[1]))
    image[:, ::2] = np.where(known, -weights, -NO_WEIGHT)
    image[:, 1::2] = np.where(known, values, 0.0)
    return image


def check_common(known: Flags, yes_or_no: Flags, yes: Flags, place: Place) -> None:
    """Raise an error that names two rows without a column that counts for both, if there are any."""
    empty = ~known.any(axis=1)
    if empty.any() and len(known) > 1:
        more = f" ({int(empty.sum())} such rows)" if empty.sum() > 1 else ""
        where = place(int(empty.argmax()))
        msg = f"{where[0].upper()}{where[1:]} has no values, and so no distances; leave it out{more}."
        raise InputError(msg)
    usual, either = known & ~yes_or_no, known & yes_or_no
    patterns = np.hstack([usual, either, either & yes])
    _, rows, numbers = np.unique(patterns, axis=0, return_index=True, return_counts=True)
    u, e, y = (part[rows].astype(np.float32) for part in (usual, either, either & yes))
    for first in range(0, len(rows), PATTERNS):
        here = slice(first, first + PATTERNS)
        apart = (u[here] @ u.T + y[here] @ e.T + e[here] @ y.T) == 0
        places = np.arange(*here.indices(len(rows)))
        apart[places - first, places] &= numbers[here] > 1  # a row and itself need nothing in common
        if apart.any():
            one, other = np.argwhere(apart)[0].tolist()
            _name_pair(patterns, int(rows[first + one]), int(rows[other]), place, asymmetric=bool(yes_or_no.any()))


def _name_pair(patterns: Flags, one: int, other: int, place: Place, *, asymmetric: bool) -> None:
    if one == other:  # two rows of the same pattern
        other = int(np.flatnonzero((patterns == patterns[one]).all(axis=1))[1])
    low, high = sorted((one, other))
    unless = ", asymmetric ones aside in which both say no" if asymmetric else ""
    apart = f"{place(low)} and {place(high)}"
    both = f"Rows {low} and {high} of X" if place is _of_x else f"{apart[0].upper()}{apart[1:]}"
    msg = (
        f"{both} have no column in common{unless}, and so no distance. Leave one of them out, or fill its missing "
        "values."
    )
    raise InputError(msg)
