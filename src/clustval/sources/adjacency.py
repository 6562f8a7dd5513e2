"""Graphs as users have them: sparse or dense matrices, networkx, igraph, or the nearest neighbours of points."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Flags, Integers
from clustval.choices import MetricName
from clustval.errors import InputError
from clustval.homes.annotated_cells import GRAPH
from clustval.homes.cell_files import cells_of
from clustval.homes.neighbour_graph import NeighbourGraph, neighbour_graph
from clustval.homes.rows_at_home import weights_at_home
from clustval.inputs import Labels
from clustval.kernels.work.rounding import ROUNDING_OF_DISTANCES
from clustval.passes.graphs.edges import Edges, edges_of
from clustval.passes.neighbours.nearest import nearest_of_points, nearest_of_rows
from clustval.sources.partition import of_same_size
from clustval.sources.space import space_of

RULES = ("max", "min", "mean", "sum")
RULES_IN_WORDS = (
    "Say what becomes of two directions: asymmetric='max' (an edge if there is one in either direction), 'min' (in "
    "both directions), 'mean' or 'sum'. Distances of nearest neighbours are passed as neighbours=."
)


class NotSymmetricError(InputError):
    """Two directions of an edge have other weights; `where` says which."""

    def __init__(self, where: str) -> None:
        super().__init__(f"A is not symmetric: {where}. {RULES_IN_WORDS}")
        self.where = where


@dataclass(frozen=True, eq=False)
class Adjacency:
    """A graph that was checked: undirected, with weights above 0. It may be passed in place of a matrix, many times."""

    edges: Edges
    names: Collection[Any] | None = None  # of vertices; None if they are numbers
    row_names: Any = None  # of the matrix or the points, if they are a frame of pandas or annotated cells
    n_jobs: int = 1

    @property
    def n(self) -> int:
        """Number of vertices."""
        return self.edges.n

    @property
    def tails(self) -> Integers:
        """The vertex with the smaller number of each edge."""
        return np.repeat(np.arange(self.n), np.diff(self.edges.ends))

    def restricted(self, keep: Flags) -> Adjacency:
        """Return the graph of the kept vertices and the edges between them."""
        if keep.all():
            return self
        from scipy import sparse  # noqa: PLC0415 - only graphs need it

        tails, heads = self.tails, self.edges.others.astype(np.int64)
        both = keep[tails] & keep[heads]
        weights = np.ones(len(heads)) if self.edges.weights is None else self.edges.weights
        places, n = np.cumsum(keep) - 1, int(keep.sum())
        upper = sparse.csr_array((weights[both], (places[tails[both]], places[heads[both]])), shape=(n, n))
        edges = edges_of(_canonical(upper + upper.T + sparse.diags_array(self.edges.loops[keep])))
        assert edges is not None
        return Adjacency(edges, n_jobs=self.n_jobs)

    def __repr__(self) -> str:
        weights = "" if self.edges.weights is None else ", weighted"
        return f"Adjacency({self.n} vertices, {len(self.edges.others)} edges{weights})"


def adjacency(
    A: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    n_jobs: int | None = None,
) -> Adjacency:
    """Return a checked graph, which can be passed in place of `A`: many partitions of it are then checked once.

    Parameters
    ----------
    A
        A square matrix, sparse or not, that holds weights of edges and 0 where there is none; a graph of networkx or
        igraph; annotated cells with a graph "connectivities"; points, with `neighbours`; or a pair of indices and
        distances, as searches for nearest neighbours give it, in which case each point is joined to those that are
        named. Loops count as in networkx: a loop of weight w
        adds 2 w to the degree of its vertex, so that the diagonal of a matrix holds twice the weight of loops.
    weight
        The name of the weight of edges in a graph of networkx or igraph; edges without it weigh 1. None to count
        edges: then all weigh 1, those of a matrix too.
    asymmetric
        What becomes of two directions that differ: "max", "min", "mean" or "sum" of both. None allows no difference,
        and means "max" for neighbours.
    neighbours
        How many nearest points each point is joined to, if `A` holds points. Of points equally near, the first. Or the
        neighbours themselves: a sparse matrix of distances, a pair of indices and distances, or, of annotated cells,
        the name of a graph; one whose name ends in "distances" says which cells are joined, others hold weights.
    metric
        The distance between points.
    n_jobs
        Number of threads; None for all cores. Values do not depend on it.

    >>> adjacency([[0, 1, 1], [1, 0, 0], [1, 0, 0]])
    Adjacency(3 vertices, 2 edges)
    """
    if asymmetric is not None:
        inputs.one_of(asymmetric, RULES, "asymmetric")
    jobs = inputs.as_jobs(n_jobs)
    if isinstance(A, Adjacency):
        if asymmetric is not None or neighbours is not None:
            msg = "A is a graph that was checked already; asymmetric= and neighbours= come too late for it."
            raise InputError(msg)
        return A
    cells = cells_of(A)
    row_names = inputs.row_names(A) if cells is None else cells.row_names
    if cells is not None and neighbours is None:
        A = cells.graph(GRAPH)
    elif isinstance(neighbours, (str, tuple, list, NeighbourGraph)) or hasattr(neighbours, "tocsr"):
        A, neighbours = _given(A, neighbours), None
    names: Collection[Any] | None = None
    if neighbours is not None:
        matrix, directed = _of_neighbours(A, neighbours, metric, jobs), True
        asymmetric = asymmetric or "max"
    elif isinstance(A, NeighbourGraph) or _is_pair(A):
        matrix, directed = _of_indices(A), True
        asymmetric = asymmetric or "max"
    elif hasattr(A, "get_edgelist") and hasattr(A, "vcount"):
        matrix, names = _of_igraph(A, weight)
        directed = A.is_directed()
        matrix = _of_arcs(matrix, asymmetric) if directed else matrix + matrix.T
    elif hasattr(A, "is_directed") and hasattr(A, "nodes") and hasattr(A, "edges"):
        matrix, names = _of_networkx(A, weight)
        directed = A.is_directed()
        matrix = _of_arcs(matrix, asymmetric) if directed else matrix + matrix.T
    else:
        matrix, directed = _of_matrix(A, counted=weight is None), True
    edges = _checked(matrix, asymmetric if directed else None, names)
    return Adjacency(edges, names, row_names, jobs)


# --- where graphs come from ------------------------------------------------------------------------------


def _of_matrix(A: Any, *, counted: bool) -> Any:
    from scipy import sparse  # noqa: PLC0415 - only graphs need it

    if hasattr(A, "tocsr") and hasattr(A, "nnz"):
        if A.dtype.kind not in "fiub":
            msg = f"A must hold real numbers; it holds values of type {A.dtype}."
            raise InputError(msg)
        matrix = sparse.csr_array(A, dtype=np.float64, copy=False)
    else:
        matrix = sparse.csr_array(inputs.as_points(A, "A"))
    rows, columns = matrix.shape
    if rows != columns or rows == 0:
        msg = (
            f"A must be square, with a row and a column for each vertex; it has {rows} rows and {columns} columns. Of "
            "points, neighbours= joins each to its nearest ones."
        )
        raise InputError(msg)
    if counted:
        matrix = matrix.copy()
        matrix.eliminate_zeros()
        matrix.data[:] = 1.0
    return matrix


def _given(X: Any, neighbours: Any) -> Any:
    """Return a graph that is given beside points, of as many points."""
    graph, cells = weights_at_home(X, neighbours), cells_of(X)
    if X is not None and isinstance(graph, NeighbourGraph):
        of_same_size(graph, len(inputs.as_points(X)) if cells is None else cells.n)
    return graph


def _of_neighbours(X: Any, neighbours: int, metric: Any, n_jobs: int) -> Any:
    from scipy import sparse  # noqa: PLC0415

    wanted = inputs.at_least(neighbours, 1, "neighbours", none="a matrix that is a graph already")
    space = space_of(X, metric=metric, n_jobs=n_jobs)
    n, count = space.n, min(wanted, space.n - 1)
    if count == 0:
        return sparse.csr_array((n, n))
    if space.factor is not None:
        _, near = nearest_of_points(space.image, count, n_jobs=n_jobs, factor=space.factor)
    else:
        _, near = nearest_of_rows(space.rows, n, count, n_jobs=n_jobs)
    near = np.sort(near, axis=1)
    return sparse.csr_array((np.ones(near.size), near.ravel(), np.arange(n + 1) * count), shape=(n, n))


def _is_pair(A: Any) -> bool:
    """Return whether A is a pair of tables, indices and distances, as libraries give nearest neighbours."""
    return isinstance(A, (tuple, list)) and len(A) == 2 and all(np.ndim(part) == 2 for part in A)


def _of_indices(pair: Any) -> Any:
    """Return the matrix in which each point is joined to the neighbours that are named; what is far weighs the same."""
    from scipy import sparse  # noqa: PLC0415

    graph = neighbour_graph(pair)
    return sparse.csr_array((np.ones(len(graph.numbers)), graph.numbers, graph.starts), shape=(graph.n, graph.n))


def _of_igraph(graph: Any, weight: str | None) -> tuple[Any, Collection[Any] | None]:
    pairs = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    weighted = weight is not None and weight in graph.es.attributes()
    weights = graph.es[weight] if weighted else np.ones(len(pairs))
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return _of_pairs(pairs[:, 0], pairs[:, 1], weights, graph.vcount()), names


def _of_networkx(graph: Any, weight: str | None) -> tuple[Any, Collection[Any]]:
    places = {name: place for place, name in enumerate(graph.nodes)}
    edges = list(graph.edges()) if weight is None else list(graph.edges(data=weight, default=1.0))
    tails, heads = (np.fromiter((places[edge[end]] for edge in edges), np.int64, len(edges)) for end in (0, 1))
    weights = np.ones(len(edges)) if weight is None else [edge[2] for edge in edges]
    return _of_pairs(tails, heads, weights, len(places)), list(places)


def _of_pairs(tails: Integers, heads: Integers, weights: Any, n: int) -> Any:
    """Return the matrix with each edge on one side of the diagonal; edges side by side are one with their sum."""
    from scipy import sparse  # noqa: PLC0415

    if n == 0:
        msg = "A has no vertices."
        raise InputError(msg)
    try:
        numbers = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        odd = next(weight for weight in weights if not isinstance(weight, (int, float, np.number)))
        msg = f"The weights of edges must be numbers; one is {odd!r}. weight=None counts edges."
        raise InputError(msg) from None
    return sparse.csr_array((numbers, (tails, heads)), shape=(n, n))


def _of_arcs(matrix: Any, asymmetric: str | None) -> Any:
    """Return the matrix of a directed graph, in which loops stand once, with twice their weight on the diagonal."""
    loops = matrix.diagonal()
    if asymmetric == "sum" or not loops.any():  # the sum of both directions has them twice
        return matrix
    from scipy import sparse  # noqa: PLC0415

    return sparse.csr_array(matrix + sparse.diags_array(loops))


# --- what is wrong with them -----------------------------------------------------------------------------


def _checked(matrix: Any, asymmetric: str | None, names: Collection[Any] | None) -> Edges:
    """Return the edges of a matrix, or raise an error that names the first entry which cannot be a weight."""
    if asymmetric != "sum":  # the others leave a symmetric matrix as it is
        edges = edges_of(matrix)
        if edges is not None:
            return edges
    table = _canonical(matrix)
    _check_weights(table, names)
    if asymmetric is not None:
        return _sound(_canonical(_merged(table, asymmetric)))
    difference = abs(table - table.T).tocoo()
    if difference.nnz and difference.data.max() > ROUNDING_OF_DISTANCES * table.data.max():
        at = int(difference.data.argmax())
        i, j = (int(axis[at]) for axis in difference.coords)
        where = f"{_entry(names, i, j)} is {table[i, j]:g} but {_entry(names, j, i)} is {table[j, i]:g}"
        raise NotSymmetricError(where)
    return _sound(_canonical(_merged(table, "max")))  # what rounding left


def _sound(matrix: Any) -> Edges:
    edges = edges_of(matrix)
    assert edges is not None
    return edges


def _merged(table: Any, rule: str) -> Any:
    if rule == "max":
        return table.maximum(table.T)
    if rule == "min":
        return table.minimum(table.T)
    total = table + table.T
    return total if rule == "sum" else total / 2


def _canonical(matrix: Any) -> Any:
    """Return the matrix with one entry for each place, in order, and none that is 0."""
    from scipy import sparse  # noqa: PLC0415

    table = sparse.csr_array(matrix, copy=True)
    table.sum_duplicates()
    table.eliminate_zeros()
    return table


def _check_weights(table: Any, names: Collection[Any] | None) -> None:
    wrong = ~(np.isfinite(table.data) & (table.data > 0))
    if wrong.any():
        at = int(wrong.argmax())
        i, j = int(np.searchsorted(table.indptr, at, side="right")) - 1, int(table.indices[at])
        value = table.data[at]
        what = "must not be negative" if value < 0 else "must be finite"
        msg = f"The weights of edges {what}; {_entry(names, i, j)} is {value:g}."
        raise InputError(msg)


def _entry(names: Collection[Any] | None, i: int, j: int) -> str:
    if names is None:
        return f"row {i}, column {j}"
    ordered = list(names)
    return f"the edge from {ordered[i]!r} to {ordered[j]!r}"


# --- labels of vertices ----------------------------------------------------------------------------------


def vertex_labels(labels: Any, graph: Adjacency, noise: str) -> Labels:
    """Return the labels of vertices as codes: one for each vertex, a mapping from vertices, or a list of sets of them.

    Vertices that a mapping or the sets leave out are noise. Labels with names are put in the order of the vertices.
    """
    if hasattr(labels, "membership") and hasattr(labels, "subgraphs"):  # a clustering of igraph
        labels = labels.membership
    if isinstance(labels, Mapping):
        labels = _placed(labels, graph)
    elif isinstance(labels, (list, tuple)) and labels and all(isinstance(each, (set, frozenset)) for each in labels):
        labels = _placed(_by_vertex(labels), graph)
    elif graph.names is not None:
        labels = _in_order(labels, list(graph.names))
    coded = inputs.as_labels(labels, noise=noise, rows=graph.row_names)
    inputs.check_length(graph.n, coded, "A")
    return coded


def _in_order(labels: Any, names: list[Any]) -> Any:
    """Return labels with an index in the order of the vertices that it names; those that are only counted as they are.

    >>> import pandas as pd
    >>> _in_order(pd.Series([1, 2], index=["b", "a"]), ["a", "b"]).tolist()
    [2, 1]
    """
    rows = inputs.row_names(labels)
    if rows is None or len(rows) != len(names):
        return labels
    index = rows.tolist()
    places = {name: place for place, name in enumerate(index)}
    try:
        known = set(names)
    except TypeError:  # lists, which no index holds
        known = set()
    if len(places) == len(index) and places.keys() == known:
        return labels.iloc[[places[name] for name in names]]
    if index in (names, list(range(len(index)))):
        return labels
    missing = [name for name in names if not known or name not in places]
    fault = f"labels has no vertex {missing[0]!r}" if missing else "some names stand for several vertices"
    msg = (
        f"A and labels name vertices differently: {fault}. Name each vertex in the index of labels, or leave the index "
        "behind by .to_numpy()."
    )
    raise InputError(msg)


def _by_vertex(communities: Any) -> dict[Any, int]:
    by_vertex: dict[Any, int] = {}
    for number, community in enumerate(communities):
        for vertex in community:
            if vertex in by_vertex:
                msg = f"Vertex {vertex!r} is in two of the sets; a partition has it in one."
                raise InputError(msg)
            by_vertex[vertex] = number
    return by_vertex


def _placed(by_vertex: Mapping[Any, Any], graph: Adjacency) -> list[Any]:
    """Return labels in the order of the vertices, None for those without."""
    names = _names(by_vertex, graph)
    unknown = by_vertex.keys() - set(names)
    if unknown:
        msg = f"labels has {next(iter(unknown))!r}, which is no vertex of A."
        raise InputError(msg)
    return [by_vertex.get(name) for name in names]


def _names(by_vertex: Mapping[Any, Any], graph: Adjacency) -> Sequence[Any]:
    """Return what labels call the vertices: by their names, or by numbers where they have none.

    Rows of a frame may be counted, too, unless all that labels speak of are names.
    """
    numbers = range(graph.n)
    if graph.names is not None:
        names = list(graph.names)
        try:
            set(names)
        except TypeError:
            msg = (
                "Vertices of A must be called by numbers, text or other hashable things to have labels by name; others "
                "have one label each, in the order of the vertices."
            )
            raise InputError(msg) from None
        return names
    if graph.row_names is None or not graph.row_names.is_unique:
        return numbers
    names = graph.row_names.tolist()
    return numbers if by_vertex.keys() <= set(numbers) and not by_vertex.keys() <= set(names) else names
