"""The one place where it is recognised what X is beside an array, and where names become columns of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, ValuesView
from typing import Any

import numpy as np

from clustval import inputs
from clustval.errors import InputError
from clustval.homes.annotated_cells import DISTANCES
from clustval.homes.cell_files import cells_of, chosen_cells
from clustval.homes.cell_home import CellHome
from clustval.homes.frames import FrameHome, frame_of
from clustval.homes.neighbour_graph import NeighbourGraph, neighbour_graph
from clustval.homes.tensors import host_array

Home = FrameHome | CellHome


def home_of(X: Any, name: str = "X", *, use_rep: str | None = None, force: bool = False) -> Home | None:
    """Return what has columns by name; None for arrays and all else.

    `use_rep` and `force` say which representation of annotated cells is the points.
    """
    if type(X) is np.ndarray and use_rep is None:
        return None  # as in most calls, which ask no further
    cells = chosen_cells(X, use_rep, name)
    if cells is not None:
        return CellHome(cells, use_rep, force)
    frame = frame_of(X, name)
    return None if frame is None else FrameHome(frame, name)


def rows_at_home(
    X: Any,
    values: Mapping[str, Any],
    *,
    features: Sequence[Any] | None = None,
    metric: Any = "euclidean",
    use_rep: str | None = None,
    force: bool = False,
    name: str = "X",
) -> tuple[Any, dict[str, Any]]:
    """Return the points of X, and values of its rows, by what the caller calls them.

    Values that are names of columns of X become these columns, which are no points then. What has no columns comes
    back as it is, or as an array of NumPy. The `metric` says which columns can be points; `use_rep` and `force`, which
    representation of annotated cells is. Errors call X by its `name`.
    """
    home = home_of(X, name, use_rep=use_rep, force=force)
    names = {what: value for what, value in values.items() if isinstance(value, str)}
    if isinstance(features, str):
        features = [features]
    if home is None:
        _check_without_columns(names, features, name)
        return host_array(X), dict(values)
    if isinstance(home, CellHome):
        columns = {what: home.column(value) if what in names else home.aligned(value) for what, value in values.items()}
        return home.points(list(names.values()), features, metric=metric), columns
    names |= {what: value.name for what, value in values.items() if home.is_column(value)}
    if not names and features is None:
        points = home.all_points(metric)
    else:
        points = home.points(list(names.values()), features, metric=metric)
    columns = {what: home.column(names[what]) if what in names else value for what, value in values.items()}
    if isinstance(points, np.ndarray):  # which has no index: values with one are brought into the order of the frame
        columns = {what: inputs.aligned(value, inputs.row_names(X), what) for what, value in columns.items()}
    return points, columns


def partitions_at_home(
    X: Any, partitions: Any, *, metric: Any = "euclidean", use_rep: str | None = None, force: bool = False
) -> tuple[Any, Any]:
    """Return the points of X, and partitions whose names, if they are columns of X, became these columns."""
    names = [partitions] if isinstance(partitions, str) else partitions
    home = home_of(X, use_rep=use_rep, force=force)
    if home is None:
        return host_array(X), partitions
    if is_names(names):
        return rows_at_home(X, {name: name for name in names}, metric=metric, use_rep=use_rep, force=force)
    if isinstance(home, CellHome):
        return home.points((), None, metric=metric), partitions
    several = partitions.values() if isinstance(partitions, Mapping) else partitions
    listed = list(several) if isinstance(several, (ValuesView, list, tuple)) else []
    own = [each.name for each in listed if home.is_column(each)]
    return (home.points(own, None, metric=metric) if own else home.all_points(metric)), partitions


def has_columns(X: Any, names: Any) -> bool:
    """Return whether X has columns by name, and some of these names among them."""
    home = home_of(X) if is_names(names) else None
    return home is not None and any(home.has(name) for name in names)


def is_names(values: Any) -> bool:
    """Return whether values are a list of names."""
    return isinstance(values, (list, tuple)) and len(values) > 0 and all(isinstance(value, str) for value in values)


def graph_at_home(X: Any, neighbours: Any) -> NeighbourGraph | None:
    """Return a graph of nearest neighbours, which may be named where X has graphs by name; None if there is none."""
    if neighbours is None:
        return None
    if not isinstance(neighbours, str):
        return neighbour_graph(neighbours)
    cells = cells_of(X)
    if cells is None:
        msg = f"neighbours is {neighbours!r}, a name, but X is no annotated cells whose obsp could have it."
        raise InputError(msg)
    return neighbour_graph(cells.graph(neighbours))


def weights_at_home(X: Any, neighbours: Any) -> Any:
    """Return the graph that methods cluster: named weights as they are, and neighbours where distances are given."""
    cells = cells_of(X) if isinstance(neighbours, str) and not neighbours.endswith(DISTANCES) else None
    return graph_at_home(X, neighbours) if cells is None else cells.graph(neighbours)


def columns_at_home(data: Any, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return columns of a table in memory by what the caller calls them; None if `data` is none.

    What is no name stays as it is, in the order of the rows.
    """
    home = home_of(data, "data")
    if home is None:
        return None
    rows = home.cells.row_names if isinstance(home, CellHome) else inputs.row_names(data)
    return {
        what: home.column(value) if isinstance(value, str) else inputs.aligned(value, rows, what, "data")
        for what, value in values.items()
    }


def _check_without_columns(names: Mapping[str, str], features: Any, X: str) -> None:
    """Raise an error where X, which has no columns by name, is asked for some."""
    for what, name in names.items():
        msg = f"{X} has no names of columns, so that {what} cannot be {name!r}; give one entry per row."
        raise InputError(msg)
    if features is not None:
        msg = (
            "features is for data frames, and for data that are read in blocks, such as a path or a collection of "
            f"Dask; {X} is in memory and has no names of columns."
        )
        raise InputError(msg)
