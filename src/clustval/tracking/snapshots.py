"""Clusterings of different rows, as users have them: rows with labels, and perhaps with ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.errors import InputError
from clustval.labels import objects
from clustval.mixed_table import on_one_scale
from clustval.readers.rows_in_memory import rows_in_memory
from clustval.tracking.labelled import check_columns, features_like


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One clustering: coordinates of rows, numbers of their clusters (-1 for noise), names of clusters, and ids."""

    X: Floats
    codes: Integers
    names: list[Any]
    ids: list[Any] | None

    def rows(self, cluster: int) -> Integers:
        """Return the rows of a cluster."""
        return np.flatnonzero(self.codes == cluster)

    @property
    def sizes(self) -> Integers:
        """Number of rows of each cluster."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.names))


def snapshots_of(
    given: Sequence[Any], labels: str | None, ids: Any, times: Sequence[str], **home: Any
) -> list[Snapshot]:
    """Return clusterings that were checked, with the same columns in the same order; `home` is where rows live."""
    tables: list[Any] = []
    parts = []
    for snapshot, key, time in zip(given, _keys(ids, len(given)), times, strict=True):
        X, values = _parts(snapshot, labels, time)
        columns = {"labels": values, **({"id": key} if isinstance(key, str) else {})}
        own = home
        if tables and home["features"] is None:
            own = home | {"features": features_like(X, tables[0], time)}
        rows, columns = rows_in_memory(X, columns, name=time, **own)
        values = columns["labels"]
        values = inputs.labels_by(values, rows) if inputs.clusters(values) else values
        coded = inputs.as_labels(values, f"the labels of {time}", rows=inputs.row_names(rows))
        tables.append(rows)
        parts.append((coded, _ids(rows, columns.get("id", key), inputs.row_names(X), time)))
    read = []
    for X, (coded, own_ids), time in zip(_coordinates(tables, times, home["metric"]), parts, times, strict=True):
        inputs.check_length(len(X), coded, time, f"the labels of {time}")
        if coded.k == 0:
            msg = f"{time} has no clusters: every label is noise."
            raise InputError(msg)
        read.append(Snapshot(X, coded.codes, coded.names, own_ids))
    if any(each.ids is None for each in read):
        return [replace(each, ids=None) for each in read]
    return read


def _coordinates(tables: Sequence[Any], times: Sequence[str], metric: Any) -> list[Floats]:
    """Return the rows of each time as kernels read them; of numbers and categories, on one scale over all times."""
    if metric == "gower":
        return [table.image for table in on_one_scale(tables, times)]
    points = [inputs.as_points(rows, time) for rows, time in zip(tables, times, strict=True)]
    for X, time in zip(points, times, strict=True):
        check_columns(X, points[0].shape[1], time)
    return points


def standardized(snapshots: Sequence[Snapshot]) -> list[Snapshot]:
    """Return the clusterings with columns of standard deviation 1 over all rows; constant columns stay as they are."""
    spread = np.vstack([each.X for each in snapshots]).std(axis=0)
    return [replace(each, X=each.X / np.where(spread > 0, spread, 1.0)) for each in snapshots]


def _parts(snapshot: Any, labels: str | None, time: str) -> tuple[Any, Any]:
    if isinstance(snapshot, (tuple, list)) and len(snapshot) == 2 and _are_labels(snapshot[1]):
        return snapshot[0], snapshot[1]
    if labels is None:
        msg = f"{time} must be (X, labels), or a frame whose labels are in the column that labels= names."
        raise InputError(msg)
    return snapshot, labels


def _are_labels(values: Any) -> bool:
    return hasattr(values, "__len__") or inputs.clusters(values)


def _keys(ids: Any, count: int) -> list[Any]:
    if ids is None or isinstance(ids, str):
        return [ids] * count
    if not isinstance(ids, (list, tuple)) or len(ids) != count or any(isinstance(each, (int, str)) for each in ids):
        msg = f"id must be the name of a column, or a list of {count}: the ids of the rows of each clustering."
        raise InputError(msg)
    return list(ids)


def _ids(rows: Any, key: Any, names: Any, time: str) -> list[Any] | None:
    """Return the ids of rows: as given, or the names that rows of pandas have; None if there are none."""
    if key is not None:
        values = list(objects(key) if not hasattr(key, "tolist") else key.tolist())
    else:
        if names is None or (names.name is None and names.dtype.kind in "iuf"):
            return None  # numbers that nobody named are places, not ids
        values = names.tolist()
    if len(values) != len(rows):
        msg = f"{time} has {len(rows)} rows but {len(values)} ids."
        raise InputError(msg)
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            msg = f"The id {value!r} is there twice in {time}; an id names one row."
            raise InputError(msg)
        seen.add(value)
    return values
