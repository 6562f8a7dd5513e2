"""Rows with labels, however they come: labels beside the rows, or in a column of the frame that holds them."""

from __future__ import annotations

from typing import Any

from clustval import inputs
from clustval.errors import InputError, suggestion


def labelled(X: Any, labels: Any, called: str = "X") -> tuple[Any, Any]:
    """Return the rows without their labels, and the labels: a column of the rows, an estimator's, or as they are."""
    if isinstance(labels, str):
        return without(X, [labels], called), column(X, labels, called)
    if inputs.clusters(labels):
        return X, inputs.labels_by(labels, X)
    return X, labels


def column(X: Any, name: str, called: str = "X") -> Any:
    """Return a column of a data frame by its name."""
    frame = _frame(X, name, called)
    return frame[name].to_native()


def without(X: Any, names: list[str], called: str = "X") -> Any:
    """Return a data frame without some of its columns."""
    frame = _frame(X, names[0], called)
    rest = [each for each in frame.columns if each not in names]
    if not rest:
        msg = f"{called} has no columns beside {' and '.join(map(repr, names))}; there is nothing to compare rows by."
        raise InputError(msg)
    return frame.select(rest).to_native()


def _frame(X: Any, name: str, called: str) -> Any:
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        msg = f"{name!r} names a column, but {called} is no data frame; give the values themselves."
        raise InputError(msg)
    if name not in frame.columns:
        near = suggestion(name, map(str, frame.columns))
        msg = f"{called} has no column {name!r}. {near or 'Its columns: ' + ', '.join(map(str, frame.columns)) + '.'}"
        raise InputError(msg)
    return frame
