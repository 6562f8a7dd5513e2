"""A partition of the vertices of a graph: the source of the statistics of graph indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clustval.arrays import Integers
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Index, Plan, Source, Value, declares, kind
from clustval.errors import UndefinedIndexError
from clustval.homes.cell_files import cells_of
from clustval.homes.cell_home import CellHome
from clustval.inputs import Labels
from clustval.rules import Rule
from clustval.sources.adjacency import Adjacency, adjacency, vertex_labels


class GraphPartition(Source):
    """A graph whose vertices have clusters; noise is left out with its edges.

    Statistics are computed from the vertices in `rows`, all of them unless it is a block of a larger one.
    """

    def __init__(self, graph: Adjacency, labels: Labels, rows: range | None = None) -> None:
        super().__init__()
        present = labels.codes >= 0
        self.total = len(present)
        self.graph = graph.restricted(present)
        self.codes: Integers = labels.codes if self.graph is graph else labels.codes[present]
        self.k, self.names, self.n = labels.k, labels.names, self.graph.n
        self.rows = range(self.n) if rows is None else rows

    @property
    def coverage(self) -> float:
        """Share of the vertices that are not left out as noise."""
        return self.n / self.total

    def check(self, index: Index) -> None:
        """Raise an error if no vertex or no edge is left."""
        if self.k == 0:
            msg = f"{index.name} needs clusters; every vertex is noise."
            raise UndefinedIndexError(msg)
        if not self.graph.edges.degrees.any():
            where = "" if self.n == self.total else " between vertices that are not noise"
            msg = f"{index.name} has no value for this graph: it has no edges{where}."
            raise UndefinedIndexError(msg)


@kind("graph", "Partitions of a graph", order=4)
def graph_partition(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    plan: Plan | None = None,  # noqa: ARG001 - one pass over the edges serves all statistics
) -> GraphPartition:
    """Return the checked graph with checked labels of its vertices.

    Parameters
    ----------
    A
        A square matrix, sparse or not, that holds weights of edges and 0 where there is none; a graph of networkx or
        igraph; annotated cells with a graph "connectivities"; what `adjacency` returns; points, with `neighbours`; or a
        pair of indices and distances of nearest neighbours, to which each point is joined. Loops count as in networkx:
        a loop of weight w adds 2 w to the degree of its vertex, so that the diagonal of a matrix holds twice the weight
        of loops.
    labels
        One label per vertex, of any type, or the name of a column of annotated cells; -1 and missing values are noise.
        Or a mapping from vertices to labels, or a list of sets of vertices, as the algorithms of networkx return them;
        vertices that are left out are noise.
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
    noise
        What happens to noise: "drop" leaves it out with its edges, "cluster" makes it a cluster, "singletons" makes
        each vertex one, "error" refuses it, "penalty" leaves it out and makes values worse by its share.
    n_jobs
        Number of threads; None for all cores. The value does not depend on it.
    """
    cells = cells_of(A)
    if cells is not None:
        labels = cells.column(labels) if isinstance(labels, str) else CellHome(cells).aligned(labels)
    graph = adjacency(A, weight=weight, asymmetric=asymmetric, neighbours=neighbours, metric=metric, n_jobs=n_jobs)
    return GraphPartition(graph, vertex_labels(labels, graph, noise))


def graph_index(
    *,
    best: Rule,
    bounds: tuple[float, float],
    degree: int,
    reference: str,
    by_cluster: Callable[..., Any],
    undefined: str = "it is 0/0",
    aliases: tuple[str, ...] = (),
) -> Callable[[Callable[..., Value]], Callable[..., float]]:
    """Declare an index of a partition of a graph; `degree` d: weights times c give the value times c**d."""
    return declares(
        "graph",
        best=best,
        bounds=bounds,
        reference=reference,
        aliases=aliases,
        undefined=undefined,
        degree=degree,
        clusters=(1, 0),
        by_cluster=by_cluster,
    )
