"""Labels of any type as whole numbers from 0, with -1 for noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError

SMALL_RANGE = 2**22  # labels within such a range are counted, not sorted


def encode(labels: Any, name: str) -> tuple[NDArray[np.int64], list[Any]]:
    """Return codes 0 ... k-1 in the order of the sorted names (-1 for noise) and the names."""
    values = _array_of(labels, name)
    if values.ndim != 1:
        msg = f"{name} must have one dimension; it has {values.ndim}."
        raise InputError(msg)
    if len(values) == 0:
        msg = f"{name} is empty."
        raise InputError(msg)
    if values.dtype.kind == "f":
        return _encode_floats(values, name)
    if values.dtype.kind in "iub":
        return _encode_integers(values)
    if values.dtype.kind == "U":
        names, codes = np.unique(values, return_inverse=True)
        return codes.astype(np.int64), names.tolist()
    if values.dtype.kind == "O":
        return _encode_objects(values, name)
    msg = f"{name} must be whole numbers, text or categories; they are of type {values.dtype}."
    raise InputError(msg)


def _array_of(labels: Any, name: str) -> NDArray[Any]:
    if isinstance(labels, np.ndarray):
        return np.asarray(labels)
    if isinstance(labels, (list, tuple)):
        if any(v is None or isinstance(v, str) for v in labels):
            return _objects(labels)  # np.array would turn [1, "a"] into text
        try:
            return np.array(labels)
        except ValueError:
            msg = f"{name} must have one dimension; its entries differ in length."
            raise InputError(msg) from None
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    series = nw.from_native(labels, pass_through=True, allow_series=True)
    if isinstance(series, nw.DataFrame):
        if len(series.columns) != 1:
            msg = f"{name} must be one column; it has {len(series.columns)}."
            raise InputError(msg)
        series = series[series.columns[0]]
    if isinstance(series, nw.Series):
        if series.dtype.is_numeric() and not series.is_null().any():
            return series.to_numpy()
        return _objects(series.to_list())
    return np.asarray(labels)


def _objects(values: Any) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _encode_integers(values: NDArray[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    low, high = int(values.min()), int(values.max())
    if high - low < SMALL_RANGE:
        positions = values.astype(np.int64) - low if high < 2**63 else (values - values.min()).astype(np.int64)
        present = np.bincount(positions, minlength=high - low + 1) > 0
        if low <= -1 <= high and values.dtype.kind == "i":
            present[-1 - low] = False
        table = np.cumsum(present) - 1
        table[~present] = -1
        return table[positions], (np.flatnonzero(present) + low).tolist()
    names, codes = np.unique(values, return_inverse=True)
    if values.dtype.kind == "i" and -1 in names:
        at = int(np.searchsorted(names, -1))
        codes = np.where(codes == at, -1, codes - (codes > at))
        names = np.delete(names, at)
    return codes.astype(np.int64), names.tolist()


def _encode_floats(values: NDArray[Any], name: str) -> tuple[NDArray[np.int64], list[Any]]:
    missing = np.isnan(values)
    present = values[~missing]
    if np.isinf(present).any():
        msg = f"{name} must be finite; position {int(np.isinf(values).argmax())} is infinite."
        raise InputError(msg)
    codes = np.full(len(values), -1, dtype=np.int64)
    if len(present) == 0:
        return codes, []
    if not (present == np.floor(present)).all():
        first = present[present != np.floor(present)][0]
        msg = f"{name} must be whole numbers, text or categories; one is {first}."
        raise InputError(msg)
    codes[~missing], names = _encode_integers(present.astype(np.int64))
    return codes, names


def _encode_objects(values: NDArray[Any], name: str) -> tuple[NDArray[np.int64], list[Any]]:
    numbers: dict[Any, int] = {}
    try:
        codes = np.fromiter((numbers.setdefault(v, len(numbers)) for v in values), np.int64, len(values))
    except TypeError:
        msg = f"{name} must be whole numbers, text or categories; some entries cannot be compared."
        raise InputError(msg) from None
    found = list(numbers)
    kept = [v for v in found if not _is_noise(v)]
    if all(isinstance(v, (int, np.integer)) for v in kept) or all(isinstance(v, str) for v in kept):
        kept.sort()
    else:
        kept.sort(key=lambda v: (type(v).__name__, str(v)))
    position = {v: i for i, v in enumerate(kept)}
    table = np.array([-1 if _is_noise(v) else position[v] for v in found], dtype=np.int64)
    return table[codes], kept


def _is_noise(value: Any) -> bool:
    """Return whether a label means noise: missing, or the number -1."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, (float, np.floating)) and value != value:  # noqa: PLR0124 - NaN
        return True
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool) and value == -1
