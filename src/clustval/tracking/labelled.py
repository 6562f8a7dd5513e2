"""Rows with labels, however they come: labels beside the rows, or in a column of what holds them."""

from __future__ import annotations

from typing import Any

from clustval import inputs
from clustval.errors import InputError, suggestion
from clustval.homes.frames import frame_of
from clustval.homes.series import is_warping
from clustval.readers.pieces import is_path
from clustval.readers.rows_in_memory import points_in_memory, rows_in_memory


def labelled(X: Any, labels: Any, called: str = "X", **home: Any) -> tuple[Any, Any]:
    """Return the rows without their labels, and the labels: a column of the rows, an estimator's, or as they are.

    `home` is how `rows_in_memory` takes them.
    """
    if inputs.clusters(labels):
        rows = points_in_memory(X, name=called, **home)
        return rows, inputs.labels_by(labels, rows)
    rows, values = rows_in_memory(X, {"labels": labels}, name=called, **home)
    return rows, values["labels"]


def features_like(new: Any, X: Any, called: str) -> list[Any] | None:
    """Return the columns of other rows, which new rows with names of columns must have; None where there are no names.

    Rows that have no names are taken by place.
    """
    wanted = inputs.column_names(X)
    frame = frame_of(new)
    if wanted is None or (frame is None and not is_path(new)):
        return None
    if frame is None:
        return wanted
    columns = {str(name): name for name in frame.columns}
    for name in wanted:
        if name not in columns:
            near = suggestion(name, columns)
            msg = f"{called} has no column {name!r}, by which rows were clustered.{' ' + near if near else ''}"
            raise InputError(msg)
    return [columns[name] for name in wanted]


def check_columns(rows: Any, count: int, called: str) -> None:
    """Raise an error unless rows have as many columns as those that were clustered."""
    if rows.shape[1] != count:
        msg = f"{called} has {rows.shape[1]} columns but the rows that were clustered have {count}."
        raise InputError(msg)


def check_comparable(metric: Any, what: str) -> None:
    """Raise an error where a metric cannot compare rows that were not there when distances were computed."""
    if isinstance(metric, str) and (metric == "precomputed" or is_warping(metric)):
        msg = f"metric={metric!r} has no coordinates to compare {what} by; use a metric of coordinates."
        raise InputError(msg)
