"""Is each community of a graph more than chance? Beside graphs at random in which every vertex has its degree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName, NoisePolicy
from clustval.drawn import Drawn
from clustval.errors import InputError, UndefinedIndexError
from clustval.options import seeded
from clustval.passes.graphs.rewiring import rewired
from clustval.result import Result
from clustval.seeding import generators
from clustval.sources.adjacency import Adjacency
from clustval.sources.graph_partition import GraphPartition, graph_partition
from clustval.stats.graphs.cluster_edges import ClusterEdges
from clustval.tables import Table, WithTable

NULLS = ("matching", "swaps")
TERMS = 2**22  # numbers of edges whose likelihoods are added up at a time


@dataclass(frozen=True, repr=False, eq=False)
class CommunityTest(Drawn, WithTable, Result):
    """The edges inside each community, compared with those in random graphs with the same degrees."""

    _figure = "community_test"

    table: Table  # a row for each community: size, inside, expected, sd, z, p_value, adjusted, and p_search if asked
    null: str  # "matching" or "swaps"
    n_graphs: int  # random graphs that were drawn; 0 if likelihoods are exact

    @property
    def p_values(self) -> dict[Any, float]:
        """How likely so many edges inside are by chance, by community: each alone."""
        return dict(zip(self.table["cluster"].tolist(), self.table["p_value"].tolist(), strict=True))


@seeded
def community_test(
    A: Any,
    labels: Any,
    *,
    null: str | None = None,
    n_graphs: int = 199,
    find: Callable[[Any], Any] | None = None,
    random_state: Any = 0,
    rng: Any = None,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: int | None = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> CommunityTest:
    """Return how likely it is that each community has so many edges inside, if degrees alone decided.

    Loops are left out. The p-values are of communities that were known before the graph was seen. An algorithm that
    looks for communities finds some in every graph: with `find`, it looks in random graphs as well, and `p_search`
    says how often the best that it finds there is as unlikely as each community here.

    Parameters
    ----------
    A, labels, weight, asymmetric, neighbours, metric, noise, n_jobs
        As for every graph index.
    null
        "matching" joins the ends of edges at random, each pairing being equally likely (the configuration model, in
        which loops and double edges occur): p-values are exact, and none is drawn. "swaps" draws graphs without loops
        and double edges, in which pairs of edges exchanged their ends; weights stay with their edge. None for
        "matching" where edges have no weights, else "swaps".
    n_graphs
        Random graphs that are drawn for "swaps" and for `find`.
    find
        A function that returns labels for the vertices of a sparse adjacency matrix.
    random_state, rng
        Seed of the random graphs.

    Of ten ends, three are outside the triangle; in one of three pairings two of these are joined to each other, and
    then the triangle has three edges:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> community_test(path, [0, 0, 0, 1, 1])
    cluster  size  inside  expected      sd       z  p_value  adjusted
          0     3       3     2.333  0.4714   1.414   0.3333    0.6667
          1     2       1    0.3333  0.4714   1.414   0.3333    0.6667
    """
    count = inputs.at_least(n_graphs, 1, "n_graphs")
    if find is not None and not callable(find):
        what = "a function that returns labels for the vertices of a sparse adjacency matrix"
        msg = f"find must be {what}; it is {find!r}."
        raise InputError(msg)
    source = graph_partition(
        A, labels, weight=weight, asymmetric=asymmetric, neighbours=neighbours, metric=metric, noise=noise,
        n_jobs=n_jobs,
    )  # fmt: skip
    edges = source.graph.edges
    if source.k == 0 or len(edges.others) == 0:
        msg = "community_test needs clusters and edges; " + (
            "every vertex is noise." if source.k == 0 else "the graph has no edges but loops."
        )
        raise UndefinedIndexError(msg)
    chosen = inputs.one_of(null or ("matching" if edges.weights is None else "swaps"), NULLS, "null")
    if chosen == "matching" and edges.weights is not None:
        msg = (
            "null='matching' joins ends of edges that count once; these have weights. Use null='swaps', or weight=None."
        )
        raise InputError(msg)
    seed = generators(random_state)
    graphs = _Graphs(source.graph, lambda item: int(seed(item).integers(2**63)))
    observed = source[ClusterEdges]
    values: Floats = observed.weights[:, 0]
    if chosen == "matching":
        expected, deviation, likely = matched(observed)
    else:
        draws = np.array([_inside(graphs[item], source) for item in range(count)])
        expected, deviation = draws.mean(axis=0), draws.std(axis=0, ddof=1) if count > 1 else np.full(source.k, np.nan)
        likely = (1 + (draws >= values).sum(axis=0)) / (1 + count)
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(deviation > 0, (values - expected) / deviation, np.nan)
    columns: dict[str, Any] = {
        "cluster": np.array(source.names, dtype=object),
        "size": observed.sizes,
        "inside": values if edges.weights is not None else observed.edges_inside,
        "expected": expected,
        "sd": deviation,
        "z": z,
        "p_value": likely,
        "adjusted": holm(likely),
    }
    if find is not None:
        columns["p_search"] = _searched(graphs, find, count, matched(observed)[2])
    return CommunityTest(Table(columns), chosen, 0 if chosen == "matching" and find is None else count)


# --- joined at random ------------------------------------------------------------------------------------


def matched(edges: ClusterEdges) -> tuple[Floats, Floats, Floats]:
    """Return the mean and standard deviation of the number of edges inside, and how likely so many are or more.

    Of 2 m ends, d belong to the cluster; all ways to join them in pairs are equally likely. With x pairs inside, y
    across and z outside there are m! d! (2 m - d)! 2^y / (x! y! z! (2 m)!) of them, as in an exact test of
    Hardy-Weinberg proportions.
    """
    ends = (2 * edges.edges_inside + edges.edges_leaving).astype(np.float64)
    total = float(ends.sum())
    mean = ends * (ends - 1) / (2 * (total - 1))
    twice = ends * (ends - 1) * (ends - 2) * (ends - 3) / (4 * (total - 1) * max(total - 3, 1.0))
    deviation = np.sqrt(np.maximum(twice + mean - mean**2, 0.0))
    likely = np.array(
        [_tail(int(d), int(x), int(total)) for d, x in zip(ends.tolist(), edges.edges_inside.tolist(), strict=True)]
    )
    return mean, deviation, likely


def _tail(ends: int, inside: int, total: int) -> float:
    """Return how likely `inside` pairs or more are among `ends` of `total` ends."""
    from scipy.special import gammaln, logsumexp  # noqa: PLC0415 - only tests need them

    lowest = max(0, ends - total // 2)  # ends outside may be too few to take all others
    if inside <= lowest:
        return 1.0
    constant = gammaln(total / 2 + 1) + gammaln(ends + 1) + gammaln(total - ends + 1) - gammaln(total + 1)
    sums = []
    for first in range(inside, ends // 2 + 1, TERMS):
        x = np.arange(first, min(first + TERMS, ends // 2 + 1), dtype=np.float64)
        across = ends - 2 * x
        outside = (total - ends - across) / 2
        terms = across * np.log(2.0) - gammaln(x + 1) - gammaln(across + 1) - gammaln(outside + 1)
        sums.append(float(logsumexp(terms)))
    return float(min(1.0, np.exp(constant + logsumexp(sums))))


def holm(likely: Floats) -> Floats:
    """Return p-values for all at once, by Holm's rule: the k-th smallest of n times n - k + 1, never falling.

    >>> holm(np.array([0.04, 0.01, 0.03])).tolist()
    [0.06, 0.03, 0.06]
    """
    order = np.argsort(likely, kind="stable")
    raised = np.maximum.accumulate(likely[order] * np.arange(len(likely), 0, -1))
    adjusted = np.empty(len(likely))
    adjusted[order] = np.minimum(raised, 1.0)
    return adjusted


# --- drawn at random -------------------------------------------------------------------------------------


class _Graphs:
    """Random graphs with the degrees of one, by number."""

    def __init__(self, graph: Adjacency, seed: Callable[[int], int]) -> None:
        self.n, self.weights, self.seed = graph.n, graph.edges.weights, seed
        self.tails, self.heads = graph.tails, graph.edges.others.astype(np.int64)

    def __getitem__(self, item: int) -> tuple[Integers, Integers]:
        return rewired(self.tails, self.heads, self.n, self.seed(item))

    def matrix(self, item: int) -> Any:
        """Return a random graph as a sparse matrix."""
        from scipy import sparse  # noqa: PLC0415

        tails, heads = self[item]
        weights = np.ones(len(tails)) if self.weights is None else self.weights
        half = sparse.csr_array((weights, (tails, heads)), shape=(self.n, self.n))
        return half + half.T


def _inside(ends: tuple[Integers, Integers], source: GraphPartition) -> Floats:
    """Return the weight of the edges inside each cluster of a random graph."""
    first, second = (source.codes[each] for each in ends)
    same, weights = first == second, source.graph.edges.weights
    return np.bincount(first[same], None if weights is None else weights[same], minlength=source.k).astype(np.float64)


def _searched(graphs: _Graphs, find: Callable[[Any], Any], count: int, likely: Floats) -> Floats:
    """Return how often the least likely community that is found in a random graph is as unlikely as each of ours."""
    least = np.empty(count)
    for item in range(count):
        matrix = graphs.matrix(item)
        source = graph_partition(matrix, find(matrix), weight=None)
        least[item] = matched(source[ClusterEdges])[2].min(initial=1.0)  # no community is no evidence
    return np.asarray((1 + (least[:, None] <= likely).sum(axis=0)) / (1 + count))
