"""Results written into annotated cells: values of points into `obs`, tables and parameters into `uns`.

What is written is what files of cells can store: numbers, text and booleans, arrays and frames of them, in dictionaries
whose keys are text. Everything is prepared before anything is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError, optional

PLACE = "clustval"  # in uns, and before the names of columns unless it is said


def annotate(
    data: Any,
    key: str | None,
    points: Mapping[str, Any],
    tables: Mapping[str, Any],
    parameters: Mapping[str, Any],
) -> None:
    """Write values of points, tables and parameters under a key."""
    if not all(hasattr(data, part) for part in ("obs", "obsm", "uns")):
        msg = f"write takes annotated cells, AnnData or MuData; it was given a {type(data).__name__}."
        raise InputError(msg)
    if key is not None and (not isinstance(key, str) or not key or "/" in key):
        msg = f"key_added must be a name without a slash; it is {key!r}."
        raise InputError(msg)
    columns = {f"{key or PLACE}_{name}": _column(values) for name, values in points.items()}
    for name, values in columns.items():
        if len(values) != len(data.obs):
            msg = f"{name} has {len(values)} values, but there are {len(data.obs)} cells; write to what was evaluated."
            raise InputError(msg)
    page = {name: _frame(table) for name, table in tables.items()} | {"params": storable(parameters)}
    place = {**data.uns.get(PLACE, {}), key or "result": page}
    for name, values in columns.items():
        data.obs[name] = values
    data.uns[PLACE] = place


def storable(value: Any) -> Any:
    """Return a value as files of cells can store it: text for what they cannot, and nothing for None.

    >>> storable({"k": (2, 3), "metric": None, "rule": {1: True}})
    {'k': array([2, 3]), 'rule': {'1': True}}
    """
    if isinstance(value, Mapping):
        return {str(name).replace("/", "|"): storable(each) for name, each in value.items() if each is not None}
    if isinstance(value, (list, tuple, np.ndarray)):
        return _array(np.asarray(value) if _alike(value) else np.array(list(map(str, value)), dtype=object))
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def _alike(values: Any) -> bool:
    """Return whether values are numbers, or all text."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "fiubU"
    return all(isinstance(value, (bool, int, float, np.number)) for value in values) or all(
        isinstance(value, str) for value in values
    )


def _array(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(object) if values.dtype.kind == "U" else values


def _column(values: Any) -> Any:
    """Return values of points as a column: names as categories, which stay missing where they are None."""
    array = np.asarray(values)
    if array.dtype.kind not in "OU":
        return array
    pandas = optional("pandas", "pandas")
    names = [None if value is None or value != value else str(value) for value in array.tolist()]  # noqa: PLR0124 - NaN
    return pandas.Categorical(names)


def _frame(table: Any) -> Any:
    """Return a frame of pandas whose columns are named by text and hold numbers, booleans or text."""
    frame = table.copy()
    named = frame.index.name is not None or frame.index.nlevels > 1
    if named or frame.index.dtype.kind not in "iu":
        taken = {str(name) for name in frame.columns}
        frame = frame.reset_index(names=[n if n and n not in taken else "row" for n in frame.index.names])
    frame.columns = [str(name).replace("/", "|") for name in frame.columns]
    for name in frame.columns:
        if frame[name].dtype.kind not in "fiub":
            frame[name] = np.array([_text(value) for value in frame[name].tolist()], dtype=object)
    frame.index = frame.index.map(str).astype(object)
    return frame


def _text(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return json.dumps(value) if isinstance(value, (list, tuple, dict)) and _plain(value) else str(value)


def _plain(value: Any) -> bool:
    try:
        json.dumps(value)
    except (TypeError, ValueError):
        return False
    return True
