"""Labels of any type as whole numbers that stand for names, with -1 for noise.

A look at the type gives a column: numbers as they lie in memory, and what they stand for. Nothing is sorted or
copied until codes are asked for, so that a table of two columns can be counted from the numbers themselves.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Integers
from clustval.errors import InputError
from clustval.homes.any_frame import as_frame
from clustval.homes.tensors import host_array
from clustval.passes.labels.numbering import as_words, code_few, distinct
from clustval.passes.work import thresholds
from clustval.whole_numbers import EXACT, check_floats

SHOWN = 5  # labels that an error names
SEVERAL = " Several labellings are for clustval.sweep, or by name, in a dictionary, for clustval.agreement."
MISSING = " (missing)"  # noise beside a cluster that is called noise


@dataclass(frozen=True)
class Column:
    """Numbers that stand for labels: for themselves, or for categories by position; -1 stands for noise."""

    values: NDArray[np.integer]
    categories: list[Any] | None = None

    def __len__(self) -> int:
        return len(self.values)

    def read(self, numbers: Integers) -> tuple[Integers, list[Any]]:
        """Return the code of each number (in the order of the sorted names; -1 for noise) and the names."""
        if self.categories is None:
            if not len(numbers) or numbers[0] >= 0:  # as most are: the smallest comes first
                return np.arange(len(numbers)), numbers.tolist()
            noise = numbers == -1
            codes = np.cumsum(~noise) - 1
            codes[noise] = -1
            return codes, numbers[~noise].tolist()
        values = [self.categories[i] if i >= 0 else None for i in numbers.tolist()]
        names = in_order(v for v in values if not _is_noise(v))
        position = {v: i for i, v in enumerate(names)}
        return np.array([-1 if _is_noise(v) else position[v] for v in values], dtype=np.int64), names


def encode(labels: Any, name: str) -> tuple[Integers, list[Any]]:
    """Return codes 0 ... k-1 in the order of the sorted names (-1 for noise) and the names."""
    entries = column(labels, name)
    numbers, write = distinct(entries.values)
    codes, names = entries.read(numbers)
    return write(codes), names


def is_whole_numbers(labels: Any) -> bool:
    """Return whether labels are signed whole numbers in an array of one dimension."""
    return type(labels) is np.ndarray and labels.ndim == 1 and labels.dtype.kind == "i"


def counted(labels: Any, *, loads: bool = False) -> tuple[Integers, Integers, Integers, bool] | None:
    """Return codes, labels and sizes of clusters and whether there is no noise, by one compiled call.

    None of labels that are no whole numbers in an array, and where the compiler is neither loaded nor to be.
    """
    return code_few(labels, loads=loads) if is_whole_numbers(labels) else None


def few_numbers(*labellings: Any) -> list[Column] | None:
    """Return labellings of the same points as columns, if they are short arrays of whole numbers; else None."""
    if not all(map(is_whole_numbers, labellings)):
        return None
    n = len(labellings[0])
    if n >= thresholds.LABELS or any(len(c) != n for c in labellings) or not thresholds.whole_numbers_compiled(n):
        return None
    return [Column(as_words(labels)) for labels in labellings]


def plain(labels: Any, name: str) -> NDArray[Any] | list[Any]:
    """Return labels of any type as whole numbers with -1 for noise, or as a list of names with None for noise."""
    numbers = column(labels, name)
    if numbers.categories is None:
        return numbers.values
    codes, names = encode(labels, name)
    return [None if code < 0 else names[code] for code in codes.tolist()]


def as_text(labels: NDArray[Any]) -> list[str | None]:
    """Return names of clusters as text, None for noise, as columns of categories hold them."""
    return [None if label is None or label == -1 else str(label) for label in labels.tolist()]


def column(labels: Any, name: str) -> Column:
    """Return labels of any type as a column of numbers, or raise an error that calls them `name`."""
    values = _as_array(labels, name)
    if isinstance(values, Column):
        _check_length(len(values), name)
        return values
    if labels is None:
        msg = f"{name} is None; give a label for each point."
        raise InputError(msg)
    if values.ndim != 1:
        hint = ""
        if values.ndim == 2 and values.shape[1] > 1 and values.dtype.kind == "f":
            hint = f" Memberships or probabilities are judged by clustval.fuzzy; {name}.argmax(axis=1) makes labels."
        elif values.ndim == 2:
            hint = SEVERAL
        msg = f"{name} must have one dimension; it has {values.ndim}.{hint}"
        raise InputError(msg)
    _check_length(len(values), name)
    kind = "O" if values.dtype.names else values.dtype.kind  # records are tuples
    if kind not in KINDS:
        msg = f"{name} must be whole numbers, text or categories; they are of type {values.dtype}."
        raise InputError(msg)
    return KINDS[kind](values, name)


def _check_length(n: int, name: str) -> None:
    if n == 0:
        msg = f"{name} is empty."
        raise InputError(msg)


def _as_array(labels: Any, name: str) -> NDArray[Any] | Column:
    """Return labels as an array of whatever type, or as a column where they come as one."""
    if isinstance(labels, np.ma.MaskedArray):
        return objects(labels.tolist()) if labels.ndim == 1 else np.asarray(labels)
    if isinstance(labels, np.ndarray):
        return np.asarray(labels)
    if isinstance(labels, (list, tuple)):
        types = set(map(type, labels))
        if any(issubclass(t, (str, bytes, tuple, NoneType)) for t in types):
            return objects(labels)  # np.array would turn [1, "a"] into text, and pairs into two columns
        try:
            values = np.array(labels)
        except ValueError:
            msg = f"{name} must have one dimension; its entries differ in length."
            raise InputError(msg) from None
        mixed = values.dtype.kind == "f" and int in types
        lossy = mixed and bool(((np.abs(values) >= EXACT) & np.isfinite(values)).any())
        return objects(labels) if lossy else values
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    if type(labels).__module__.startswith("pyarrow") and hasattr(labels, "dictionary_encode"):
        import pyarrow as pa  # noqa: PLC0415 - the labels are pyarrow's

        labels = labels if isinstance(labels, pa.ChunkedArray) else pa.chunked_array([labels])
    series = as_frame(labels, name)
    if isinstance(series, nw.DataFrame):
        if len(series.columns) != 1:
            msg = f"{name} must be one column; it has {len(series.columns)}."
            raise InputError(msg)
        series = series.get_column(series.columns[0])
    if isinstance(series, nw.Series):
        return _of_series(series)
    return np.asarray(host_array(labels, name))


def _of_series(series: Any) -> NDArray[Any] | Column:
    import narwhals as nw  # noqa: PLC0415

    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        return _of_numeric_series(series)
    categorical = series.dtype == nw.Categorical or isinstance(series.dtype, nw.Enum)
    native = series.to_native()
    if series.implementation.is_pandas():
        if categorical:
            return Column(native.cat.codes.to_numpy(), native.cat.categories.tolist())
        if native.dtype == object:
            return objects(native.tolist())
    encoded = None
    if len(series) >= thresholds.ARROW_ROWS and (categorical or series.dtype == nw.String):
        encoded = _of_arrow(series)
    return objects(series.to_list()) if encoded is None else encoded


def _of_numeric_series(series: Any) -> NDArray[Any]:
    import narwhals as nw  # noqa: PLC0415

    if series.dtype.is_float():
        return np.asarray(series.to_numpy(), dtype=np.float64)
    if series.dtype in (nw.Decimal, nw.Int128, nw.UInt128):  # of which NumPy has none
        return objects(series.to_list())
    if not series.is_null().any():
        return np.asarray(series.to_numpy())
    if series.dtype.is_signed_integer():
        return np.asarray(series.fill_null(-1).to_numpy())
    return objects(series.to_list())


def _of_arrow(series: Any) -> Column | None:
    """Return the column by Arrow's own dictionary, or None where pyarrow is not installed."""
    try:
        import pyarrow as pa  # noqa: PLC0415
    except ImportError:
        return None
    array = series.to_arrow()
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    codes = array.indices
    if codes.null_count:
        codes = codes.cast(pa.int64()).fill_null(-1)
    return Column(codes.to_numpy(zero_copy_only=False), array.dictionary.to_pylist())


def objects(values: Iterable[Any]) -> NDArray[Any]:
    return np.fromiter(values, dtype=object)


def _of_integers(values: NDArray[Any]) -> Column:
    if values.dtype.itemsize == 8 and values.dtype.kind == "u":
        if values.max() > np.iinfo(np.int64).max:
            names, codes = np.unique(values, return_inverse=True)
            return Column(codes, names.tolist())
        return Column(values.astype(np.int64))
    return Column(values)


def _of_floats(values: NDArray[Any], name: str) -> Column:
    missing = np.isnan(values)
    infinite = np.isinf(values)
    if infinite.any():
        msg = f"{name} must be finite; position {int(infinite.argmax())} is infinite."
        raise InputError(msg)
    check_floats(values[~missing], name)
    integers = np.where(missing, -1, values)
    broken = integers != np.floor(integers)
    if broken.any():
        hint = ""
        if values[~missing].min() >= 0 and values[~missing].max() <= 1:
            hint = " Are they probabilities? clustval.fuzzy judges those of all clusters, and argmax makes labels."
        msg = f"{name} must be whole numbers, text or categories; one is {values[broken.argmax()]}.{hint}"
        raise InputError(msg)
    return Column(integers.astype(np.int64))


def _of_text(values: NDArray[Any]) -> Column:
    if len(values) < thresholds.LABELS or values.dtype.itemsize == 0:
        return _numbered(values.tolist())
    values = np.ascontiguousarray(values)
    word = np.uint64 if values.dtype.itemsize % 8 == 0 else np.uint32
    codes = np.empty(len(values), dtype=np.int64)
    firsts = kernels.labels.numbering.number_rows(values.view(word).reshape(len(values), -1), codes)
    return Column(codes, values[firsts].tolist())


def _of_times(values: NDArray[Any]) -> Column:
    """Number dates, times or durations of NumPy; names are Python's where it has such, else text."""
    times, codes = np.unique(values, return_inverse=True)
    rounded = times
    if np.datetime_data(times.dtype)[0] in {"ns", "ps", "fs", "as"}:  # Python has nothing finer than microseconds
        rounded = times.astype(f"{times.dtype.kind}8[us]")
    names = rounded.tolist()
    exact = (rounded.astype(times.dtype) == times) | np.isnat(times)
    if not exact.all() or any(isinstance(name, int) for name in names):  # beyond what Python's can be
        names = [None if np.isnat(time) else str(time) for time in times]
    return Column(codes, names)


def _of_objects(values: list[Any], name: str) -> Column:
    try:
        numbered = _numbered(values)
    except TypeError:
        msg = f"{name} must be whole numbers, text or categories; some entries cannot be compared."
        raise InputError(msg) from None
    categories = numbered.categories or []
    for position, value in enumerate(categories):
        if isinstance(value, (float, Decimal)) and not _is_noise(value):
            if not (math.isfinite(value) and value == int(value)):
                msg = f"{name} must be whole numbers, text or categories; one is {value}."
                raise InputError(msg)
            categories[position] = int(value)
    return numbered


KINDS: dict[str, Callable[[NDArray[Any], str], Column]] = {  # by the letter of a NumPy type
    "b": lambda values, _name: Column(values.view(np.uint8), [False, True]),
    "f": _of_floats,
    **dict.fromkeys("iu", lambda values, _name: _of_integers(values)),
    "U": lambda values, _name: _of_text(values),
    **dict.fromkeys("Mm", lambda values, _name: _of_times(values)),
    **dict.fromkeys("OTS", lambda values, name: _of_objects(values.tolist(), name)),
}


def _numbered(values: list[Any]) -> Column:
    numbers = {v: i for i, v in enumerate(dict.fromkeys(values))}
    return Column(np.fromiter(map(numbers.__getitem__, values), np.int64, len(values)), list(numbers))


def in_order(names: Iterable[Any]) -> list[Any]:
    """Return the distinct names: numbers by size, text by letters, dates by time, kinds one after the other."""
    distinct_names = dict.fromkeys(names)
    if all(isinstance(v, (int, float, np.number)) for v in distinct_names):
        return sorted(distinct_names)
    comparable = (int, float, str, bytes, tuple, date, timedelta)
    try:
        return sorted(distinct_names, key=lambda v: (type(v).__name__, v if isinstance(v, comparable) else str(v)))
    except TypeError:  # tuples of unlike things, dates with and without a time zone
        return sorted(distinct_names, key=lambda v: (type(v).__name__, str(v)))


def called(names: Any, labels: Sequence[Any]) -> list[Any]:
    """Return what clusters are called, each differently: by a mapping from labels, or a name for each in order.

    Labels that a mapping lacks keep their own names.

    >>> called({0: "loyal"}, [0, 1])
    ['loyal', 1]
    """
    if names is None:
        return list(labels)
    if isinstance(names, Mapping):
        if names and not any(label in names for label in labels):
            given, there = (", ".join(map(repr, list(each)[:SHOWN])) for each in (names, labels))
            msg = f"names has none of the labels: it names {given}, and the labels are {there}."
            raise InputError(msg)
        chosen = [names.get(label, label) for label in labels]
    else:
        chosen = [] if isinstance(names, str) else list(names)
        if len(chosen) != len(labels):
            count = "is one text" if isinstance(names, str) else f"has {len(chosen)} entries"
            msg = (
                f"names {count} but the labels form {len(labels)} clusters; give one for each, or a mapping from "
                'labels to names, {0: "loyal"}.'
            )
            raise InputError(msg)
    if len(set(map(str, chosen))) < len(chosen):
        msg = "names must differ: two clusters would be called the same."
        raise InputError(msg)
    return chosen


def noise_name(taken: Container[Any], name: str = "noise") -> str:
    """Return the name of a cluster of noise, one that no other cluster has."""
    name = name.removesuffix(MISSING)
    while name in taken:
        name += MISSING
    return name


def _is_noise(value: Any) -> bool:
    """Return whether a label means noise: missing, or the number -1."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, (float, np.floating, Decimal)) and value != value:  # noqa: PLR0124 - NaN
        return True
    numbers = (int, float, np.integer, np.floating, Decimal)
    return isinstance(value, numbers) and not isinstance(value, bool) and value == -1
