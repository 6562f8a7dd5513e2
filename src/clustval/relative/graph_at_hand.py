"""The graph that a sweep over resolutions clusters: the one that is there, or one of nearest neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clustval import inputs
from clustval.errors import InputError
from clustval.homes.annotated_cells import GRAPH
from clustval.homes.cell_files import cells_of
from clustval.homes.rows_at_home import graph_at_home, weights_at_home
from clustval.readers.rows_in_memory import points_in_memory
from clustval.sources.adjacency import Adjacency, NotSymmetricError, adjacency
from clustval.sources.partition import of_same_size

SIDES = (
    "Distances of nearest neighbours are passed as neighbours=, which joins each point to those that are named; of "
    "other graphs, clustval.graph.adjacency(A, asymmetric='max') takes the larger weight."
)


def graph_at_hand(
    X: Any, neighbours: Any, *, metric: Any, n_jobs: int | None, home: Mapping[str, Any]
) -> tuple[Any, Adjacency]:
    """Return a graph as it is, and checked.

    X is a graph, or annotated cells, of which `neighbours` names another graph than "connectivities". Of points, a
    number of `neighbours` joins each to so many nearest ones, and a graph of nearest neighbours to those that it names.
    """
    if isinstance(neighbours, (int, np.integer)) and X is not None:
        points = points_in_memory(X, metric=metric, **home)
        joined = adjacency(points, neighbours=int(neighbours), metric=metric, n_jobs=n_jobs)
        return joined, joined
    of_points = {**home, "metric": None if metric == "euclidean" else metric}
    chosen = [f"{name}=" for name, value in of_points.items() if value]
    if chosen:
        msg = (
            f"{' and '.join(chosen)} is for points; resolution= clusters the graph that is there, unless "
            "neighbours=15 joins each point to its 15 nearest ones."
        )
        raise InputError(msg)
    name, cells = "X", cells_of(X)
    if cells is not None and (neighbours is None or isinstance(neighbours, str)):
        wanted = neighbours or GRAPH
        if neighbours is None and not cells.graphs:
            msg = f"{cells.name} has no graph in obsp; neighbours=15 joins each cell to its 15 nearest ones."
            raise InputError(msg)
        name, X = f"The graph {wanted!r} of {cells.name}", weights_at_home(X, wanted)
    elif neighbours is not None:
        graph = graph_at_home(X, neighbours)
        X = (
            graph
            if X is None
            else of_same_size(graph, len(inputs.as_points(points_in_memory(X))) if cells is None else cells.n)
        )
    if X is None:
        msg = "X is None and there is no graph; give one, or neighbours=, a graph of nearest neighbours."
        raise InputError(msg)
    try:
        return X, adjacency(X, n_jobs=n_jobs)
    except NotSymmetricError as error:
        msg = f"{name} is not symmetric: {error.where}. {SIDES}"
        raise InputError(msg) from None
