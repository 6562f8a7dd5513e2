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
from clustval.tracking.assign import matched_rows
from clustval.tracking.labelled import column, labelled, without


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
    given: Sequence[Any], labels: str | None, ids: Any, features: Any, times: Sequence[str]
) -> list[Snapshot]:
    """Return clusterings that were checked, with the same columns in the same order."""
    keys = _keys(ids, len(given))
    read: list[Snapshot] = []
    first: Any = None
    for place, (snapshot, key, time) in enumerate(zip(given, keys, times, strict=True)):
        rows, values = _parts(snapshot, labels, time)
        own = _ids(rows, key, time)
        if isinstance(key, str):
            rows = without(rows, [key], time)
        if features is not None:
            rows = _chosen(rows, features, time)
        X = inputs.as_points(rows, time) if place == 0 else matched_rows(rows, first, read[0].X.shape[1], time)
        first = rows if place == 0 else first
        coded = inputs.as_labels(values, f"the labels of {time}", rows=inputs.row_names(rows))
        inputs.check_length(len(X), coded, time, f"the labels of {time}")
        if coded.k == 0:
            msg = f"{time} has no clusters: every label is noise."
            raise InputError(msg)
        read.append(Snapshot(X, coded.codes, coded.names, own))
    if any(each.ids is None for each in read):
        return [replace(each, ids=None) for each in read]
    return read


def standardized(snapshots: Sequence[Snapshot]) -> list[Snapshot]:
    """Return the clusterings with columns of standard deviation 1 over all rows; constant columns stay as they are."""
    spread = np.vstack([each.X for each in snapshots]).std(axis=0)
    return [replace(each, X=each.X / np.where(spread > 0, spread, 1.0)) for each in snapshots]


def _parts(snapshot: Any, labels: str | None, time: str) -> tuple[Any, Any]:
    if isinstance(snapshot, (tuple, list)) and len(snapshot) == 2 and hasattr(snapshot[1], "__len__"):
        return labelled(snapshot[0], snapshot[1], time)
    if labels is None:
        msg = f"{time} must be (X, labels), or a frame whose labels are in the column that labels= names."
        raise InputError(msg)
    return labelled(snapshot, labels, time)


def _keys(ids: Any, count: int) -> list[Any]:
    if ids is None or isinstance(ids, str):
        return [ids] * count
    if not isinstance(ids, (list, tuple)) or len(ids) != count or any(isinstance(each, (int, str)) for each in ids):
        msg = f"id must be the name of a column, or a list of {count}: the ids of the rows of each clustering."
        raise InputError(msg)
    return list(ids)


def _ids(rows: Any, key: Any, time: str) -> list[Any] | None:
    """Return the ids of rows: of a column, as given, or the names that rows of pandas have; None if there are none."""
    if isinstance(key, str):
        values = list(column(rows, key, time))
    elif key is not None:
        values = list(objects(key) if not hasattr(key, "tolist") else key.tolist())
    else:
        names = inputs.row_names(rows)
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


def _chosen(rows: Any, features: Any, time: str) -> Any:
    names = [features] if isinstance(features, str) else list(features)
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    for name in names:
        column(rows, name, time)
    return nw.from_native(rows).select(names).to_native()
