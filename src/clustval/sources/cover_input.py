"""Clusterings whose clusters may overlap, as users pass them: sets of points, a boolean matrix, clusters of points."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Integers
from clustval.errors import InputError
from clustval.labels import in_order

FORMS = (
    "a list of clusters, each a set of points; a matrix of 0 and 1, one row per point; "
    "a mapping from each point to its clusters; or one label per point"
)


@dataclass(frozen=True, eq=False)
class Cover:
    """Which point is in which cluster: one entry each, points and clusters by name."""

    points: Any  # of each entry: names, or an array of rows
    clusters: Integers  # of each entry, by its place in `names`
    names: list[Any]  # of clusters
    everybody: Sequence[Hashable]  # all points that are spoken of, those in no cluster among them
    by_place: bool  # whether points are rows of an array


def cover_of(value: Any, name: str) -> Cover:
    """Return the cover that a user passes, or raise an error that says what is wrong with it."""
    value = getattr(value, "communities", value)  # of cdlib
    if isinstance(value, Mapping):
        return _of_mapping(value, name)
    shape = getattr(value, "shape", None)
    if shape is not None and len(shape) == 2:
        return _of_matrix(value, name)
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        msg = f"{name} must be {FORMS}; it is {value!r}."
        raise InputError(msg)
    if shape is None and not hasattr(value, "iloc"):
        entries = list(value)
        if not entries:
            msg = f"{name} has no clusters."
            raise InputError(msg)
        several = [isinstance(entry, Iterable) and not isinstance(entry, (str, bytes)) for entry in entries]
        if all(several):
            return _of_clusters(entries, name)
        if any(several):
            msg = f"Entry {several.index(True)} of {name} is a set of points and entry {several.index(False)} is not."
            raise InputError(msg)
    return _of_labels(value, name)


def _of_clusters(clusters: Sequence[Iterable[Hashable]], name: str) -> Cover:
    sets = []
    for at, members in enumerate(clusters):
        try:
            points = dict.fromkeys(_plain(members))
        except TypeError:
            msg = f"Points of {name} must be numbers, text or other hashable things; cluster {at} holds others."
            raise InputError(msg) from None
        if not points:
            msg = f"Cluster {at} of {name} is empty; leave it out."
            raise InputError(msg)
        sets.append(points)
    entries = [point for members in sets for point in members]
    codes = np.repeat(np.arange(len(sets)), [len(members) for members in sets])
    return Cover(entries, codes, list(range(len(sets))), list(dict.fromkeys(entries)), by_place=False)


def _plain(members: Any) -> Any:
    """Return the members of a cluster as Python's own numbers and words, which equal those of NumPy."""
    return members.tolist() if isinstance(members, np.ndarray) else members


def _of_mapping(mapping: Mapping[Hashable, Any], name: str) -> Cover:
    points: list[Hashable] = []
    clusters: list[Hashable] = []
    for point, value in mapping.items():
        several = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
        try:
            own = dict.fromkeys(_plain(value) if several else [value])
        except TypeError:
            msg = f"Clusters of {name} must be numbers, text or other hashable things; point {point!r} has others."
            raise InputError(msg) from None
        points += [point] * len(own)
        clusters += own
    if not clusters:
        msg = f"{name} has no clusters."
        raise InputError(msg)
    names = in_order(clusters)
    place = {cluster: at for at, cluster in enumerate(names)}
    codes = np.array([place[cluster] for cluster in clusters], dtype=np.int64)
    return Cover(points, codes, names, list(mapping), by_place=False)


def _of_matrix(matrix: Any, name: str) -> Cover:
    n, k = matrix.shape
    if hasattr(matrix, "tocoo"):
        table = matrix.tocoo(copy=True)
        table.sum_duplicates()
        rows, columns, entries = table.row, table.col, np.asarray(table.data)
        kept = entries != 0
        rows, columns, entries = rows[kept], columns[kept], entries[kept]
        inputs.check_numbers(entries.reshape(1, -1), name)
    else:
        dense = inputs.as_points(matrix, name)
        n, k = dense.shape
        rows, columns = np.nonzero(dense)
        entries = dense[rows, columns]
    names: list[Any] = list(inputs.column_names(matrix, name) or range(k))
    wrong = np.flatnonzero(entries != 1)
    if len(wrong):
        at = wrong[0]
        msg = f"{name} must hold 0 and 1; row {rows[at]}, column {columns[at]} is {entries[at]:g}."
        raise InputError(msg)
    empty = np.setdiff1d(np.arange(k), columns)
    if len(empty):
        msg = f"Cluster {names[empty[0]]!r} of {name} is empty; leave its column out."
        raise InputError(msg)
    order = np.lexsort((columns, rows))
    return Cover(rows[order].astype(np.int64), columns[order].astype(np.int64), names, range(n), by_place=True)


def _of_labels(labels: Any, name: str) -> Cover:
    encoded = inputs.as_labels(labels, name, noise="cluster")
    codes: NDArray[np.int64] = encoded.codes
    return Cover(np.arange(len(codes)), codes, list(encoded.names), range(len(codes)), by_place=True)


def rows_by_name(covers: Sequence[Cover], rows: Any, points: Any) -> Sequence[Cover]:
    """Return covers whose rows are points by name, where others speak of these names; else covers as they are.

    `rows` are the names, if rows have any. Others may count rows instead, unless all that they speak of are names.
    """
    others = [point for cover in covers if not cover.by_place for point in cover.everybody]
    if points is not None and not _is_number(points):
        others += _points(points)
    if rows is None or not rows.is_unique or not others:
        return covers
    names, numbers, spoken = rows.tolist(), set(range(len(rows))), set(others)
    if spoken.isdisjoint(names) or (spoken <= numbers and not spoken <= set(names)):
        return covers
    return [
        _with_names(cover, names) if cover.by_place and len(cover.everybody) == len(rows) else cover for cover in covers
    ]


def _with_names(cover: Cover, names: list[Any]) -> Cover:
    """Return a cover of rows as one of points by name."""
    points = [names[row] for row in cover.points]
    return Cover(points, cover.clusters, cover.names, names, by_place=False)


def _points(points: Any) -> Any:
    """Return the names of all points, which may be counted, or raise an error that says why they are none."""
    named = range(points) if _is_number(points) else _plain(points)
    if isinstance(named, (str, bytes)) or not isinstance(named, Iterable):
        msg = f"points must be a number of points, or their names; it is {points!r}."
        raise InputError(msg)
    try:
        return list(dict.fromkeys(named))
    except TypeError:
        msg = "points must be a number of points, or names: numbers, text or other hashable things; it holds others."
        raise InputError(msg) from None


def _is_number(points: Any) -> bool:
    return isinstance(points, (int, np.integer)) and not isinstance(points, bool)


def all_points(covers: Mapping[str, Cover], points: Any) -> list[Hashable]:
    """Return every point that is spoken of, each once, or raise an error if arrays have other numbers of rows."""
    (one, first), (other, second) = covers.items()
    if first.by_place and second.by_place and len(first.everybody) != len(second.everybody):
        msg = f"{one} has {len(first.everybody)} points but {other} has {len(second.everybody)}."
        raise InputError(msg)
    named = () if points is None else _points(points)
    everybody = list(dict.fromkeys([*named, *first.everybody, *second.everybody]))
    if points is not None and len(everybody) > len(named):
        foreign = everybody[len(named)]
        msg = f"Point {foreign!r} is in a cluster but not among the points that were given."
        raise InputError(msg)
    return everybody
