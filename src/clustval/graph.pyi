"""Graph indices by name: ``clustval.graph.modularity(A, labels)``."""

# Written by `make stubs`; what is changed here by hand is lost.

from collections.abc import Callable
from typing import Any, Literal

from clustval.choices import MetricName, NoisePolicy
from clustval.evaluation import Names
from clustval.relative.communities import CommunityTest
from clustval.relative.sweep_result import Sweep
from clustval.results import Scores
from clustval.sources.adjacency import Adjacency

__all__ = [
    "adjacency",
    "community_test",
    "conductance",
    "coverage",
    "evaluate",
    "modularity",
    "ncut",
    "normalized_cut",
    "performance",
    "ratio_cut",
    "rcut",
    "significance",
    "surprise",
    "sweep",
]

def adjacency(
    A: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    n_jobs: int | None = None,
) -> Adjacency:
    """Return a checked graph, which can be passed in place of `A`: many partitions of it are then checked once."""

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
    """Return how likely it is that each community has so many edges inside, if degrees alone decided."""

def conductance(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    combine: Literal["mean", "max"] = "mean",
) -> float:
    """Share of a cluster's edges that leave it, by the smaller side of the cut: mean over clusters, or the largest."""

def coverage(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """Share of the weight of all edges that lies inside clusters."""

def evaluate(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    indices: Names = "all",
) -> Scores:
    """Return the values of all graph indices, or of those named in `indices`, as `Scores`."""

def modularity(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    resolution: float = 1.0,
) -> float:
    """Share of the edges that lie inside clusters, less the share expected of a graph with the same degrees."""

def ncut(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """Sum over clusters of the share of their edges that leave them."""

def normalized_cut(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """Sum over clusters of the share of their edges that leave them."""

def performance(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """Share of the pairs of vertices that are joined inside a cluster, or not joined between clusters."""

def ratio_cut(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """Sum over clusters of the weight of the edges that leave them, by number of vertices."""

def rcut(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """Sum over clusters of the weight of the edges that leave them, by number of vertices."""

def significance(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """How unlikely clusters of such densities are in a random graph that is as dense as this one, asymptotically."""

def surprise(
    A: Any,
    labels: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
) -> float:
    """How unlikely it is that so large a share of the edges falls on the pairs inside clusters, asymptotically."""

def sweep(
    A: Any,
    partitions: Any,
    *,
    weight: str | None = "weight",
    asymmetric: str | None = None,
    neighbours: Any = None,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    n_jobs: int | None = None,
    indices: Names = "all",
) -> Sweep:
    """Return the values of graph indices of many partitions of the same `A`, as a `Sweep`."""
