"""The algorithms whose clusterings are compared if the user brings none, and those that the user brings.

Trees are grown once and cut into every number of clusters, neighbours are shared with the judge, and Gaussian mixtures
start from k-means. Some algorithms run only if the user names them: they raised the best candidate of a pool, but not
what was chosen (docs/choose_evidence.md).
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import warnings
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.choosing.clusterers.neighbour_communities import communities
from clustval.choosing.clusterers.shrunk_mixture import shrunk_mixture
from clustval.choosing.clusterers.spherical_kmeans import spherical_kmeans
from clustval.choosing.evidence.axes import scores_beyond_chance
from clustval.errors import optional
from clustval.passes.kmeans.lloyd import Lloyd
from clustval.passes.trees.genie import even_merges
from clustval.passes.trees.reach_tree import tree_of_points, tree_of_rows
from clustval.relative.labellings import cuts, tree
from clustval.seeding import TaskGenerator
from clustval.sources.space import DIRECTIONS, Space
from clustval.stats.neighbours.nearest import Neighbours

UNEQUAL = 0.3  # Gini index of sizes above which Genie joins the smallest cluster; what its authors recommend
SMALLEST = (5, 10, 20, 40, 80)  # clusters that HDBSCAN takes for more than noise
NEAR = 10  # neighbours in the graph of spectral clustering and of Leiden
RESOLUTIONS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)  # of Leiden: from few communities to many
FEWEST_AXES = 2
MOST_COLUMNS = 50  # of a mixture with shrunk covariances; of more, it sees the axes beyond chance
SPECTRAL_POINTS = 5000  # beyond, eigenvectors take too long
DENSE_POINTS = 600  # up to here all eigenvectors are computed at once
MOST_VECTORS = 20
MOST_COMPONENTS = 15  # of a mixture: more take seconds
FEWEST_POINTS = 3  # a component of a mixture, times dimensions: fewer do not fix its covariance
REGULAR = 1e-6  # of the mean variance, added to the covariances of mixtures


class Points:
    """The points to be clustered, with what algorithms share."""

    def __init__(self, space: Space, generator: TaskGenerator, *, starts: int = 10) -> None:
        self.space, self.generator, self.starts = space, generator, starts
        self.lloyd = None if space.X is None else Lloyd(space.X)
        self.by_means: dict[int, Integers] = {}  # what k-means made of the points, by k: mixtures start from it

    @property
    def matrix(self) -> Floats:
        """Coordinates where distances are Euclidean, otherwise distances."""
        if self.space.euclidean:
            assert self.space.X is not None
            return self.space.X
        return self.space.rows(np.arange(self.space.n))


Settings = Sequence[Hashable]


@dataclass(frozen=True)
class Algorithm:
    """A way to cluster points, with the settings that make sense for them."""

    name: str
    setting: str  # what a setting is: "k", or a parameter; "" where settings are names
    settings: Callable[[Points, Sequence[int]], Settings]  # from numbers of clusters to settings
    run: Callable[[Points, Any], list[Integers]]  # codes for each setting; -1 is noise
    at_once: bool = True  # whether all settings are one piece of work, as cuts of one tree
    needs: str = ""  # the package that it takes
    family: str = ""  # the algorithm that it is a form of, so that the two are one witness; "" for none
    by_default: Callable[[Space], bool] = lambda _space: True  # whether it runs if the user names no algorithms

    def title(self, setting: Hashable) -> str:
        """Return the name of a candidate."""
        return f"{self.name}, {self.setting}={setting}" if self.setting else str(setting)


def _of_tree(linkage: str) -> Algorithm:
    def run(points: Points, numbers: Sequence[int]) -> list[Integers]:
        merges = _genie(points.space) if linkage == "genie" else tree(points.space, linkage)
        return list(cuts(merges, list(numbers)).values())

    def settings(points: Points, numbers: Sequence[int]) -> Settings:
        return numbers if linkage != "ward" or points.space.euclidean else ()

    return Algorithm(linkage, "k", settings, run)


def _genie(space: Space) -> Floats:
    """Return the merges of Genie: single linkage that joins a smallest cluster while sizes are too unequal."""
    core = np.zeros(space.n)
    if space.euclidean:
        assert space.X is not None
        edges, _ = tree_of_points(space.X, core, n_jobs=1)
    else:
        edges, _ = tree_of_rows(space.rows, core)
    return even_merges(edges, UNEQUAL).astype(np.float64)


def _kmeans(points: Points, numbers: Sequence[int]) -> list[Integers]:
    assert points.lloyd is not None
    for k in numbers:
        points.by_means[k] = points.lloyd.best(k, points.generator(0, k), points.starts).labels
    return [points.by_means[k] for k in numbers]


def _with_means(points: Points, numbers: Sequence[int]) -> Settings:
    return numbers if points.space.euclidean else ()


def _mixture(points: Points, numbers: Sequence[int]) -> list[Integers]:
    """Fit Gaussian mixtures with a covariance for each component, from where k-means ends."""
    mixture = optional("sklearn.mixture", "sklearn")
    X = points.space.X
    assert X is not None
    labels = []
    for k in numbers:
        if k not in points.by_means:
            _kmeans(points, [k])
        codes = np.unique(points.by_means[k], return_inverse=True)[1]  # points that are equal leave clusters empty
        shares, means, precisions = _components(X, codes)
        model = mixture.GaussianMixture(
            len(shares),
            weights_init=shares,
            means_init=means,
            precisions_init=precisions,
            reg_covar=REGULAR * float(X.var(axis=0).mean() or 1.0),
            random_state=0,
        )
        labels.append(model.fit_predict(X).astype(np.int64))
    return labels


def _components(X: Floats, codes: Integers) -> tuple[Floats, Floats, Floats]:
    """Return the shares, means and inverse covariances of clusters; a small cluster has the covariance within all."""
    (n, p), k = X.shape, int(codes.max()) + 1
    sizes, means = np.bincount(codes), np.empty((k, p))
    scatters = np.empty((k, p, p))
    for cluster in range(k):
        centred = X[codes == cluster]
        means[cluster] = centred.mean(axis=0)
        centred = centred - means[cluster]
        scatters[cluster] = centred.T @ centred
    floor = REGULAR * (X.var(axis=0).mean() or 1.0) * np.eye(p)
    large = (sizes > FEWEST_POINTS * p)[:, None, None]
    covariances = np.where(large, scatters / sizes[:, None, None], scatters.sum(axis=0) / n) + floor
    return np.asarray(sizes / n), means, np.asarray(np.linalg.inv(covariances))


def _for_mixtures(points: Points, numbers: Sequence[int]) -> Settings:
    if not points.space.euclidean:
        return ()
    assert points.space.X is not None
    n, p = points.space.X.shape
    return [k for k in numbers if k <= MOST_COMPONENTS and n >= k * FEWEST_POINTS * p]


def _hdbscan(points: Points, sizes: Sequence[int]) -> list[Integers]:
    cluster = optional("sklearn.cluster", "sklearn")
    metric = "euclidean" if points.space.euclidean else "precomputed"
    return [
        cluster.HDBSCAN(min_cluster_size=size, metric=metric, copy=True).fit_predict(points.matrix).astype(np.int64)
        for size in sizes
    ]


def _spectral(points: Points, numbers: Sequence[int]) -> list[Integers]:
    vectors = _eigenvectors(points.space, max(numbers))
    labels = []
    for k in numbers:
        rows = vectors[:, :k]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        lloyd = Lloyd(rows / np.where(lengths == 0, 1.0, lengths))
        labels.append(lloyd.best(k, points.generator(1, k), points.starts).labels)
    return labels


def _for_spectral(points: Points, numbers: Sequence[int]) -> Settings:
    most = min(MOST_VECTORS, points.space.n - 2)
    return [k for k in numbers if k <= most] if points.space.n <= SPECTRAL_POINTS else ()


def _eigenvectors(space: Space, count: int) -> Floats:
    """Return the first eigenvectors of the graph of nearest points, normalised by degrees."""
    from scipy import sparse  # noqa: PLC0415 - only spectral clustering needs it

    n = space.n
    near = space.statistic(Neighbours, neighbours=NEAR).numbers
    rows = np.repeat(np.arange(n), near.shape[1])
    graph = sparse.csr_array((np.full(near.size, 0.5), (rows, near.ravel())), shape=(n, n))
    graph = graph + graph.T
    scale = 1.0 / np.sqrt(graph.sum(axis=1))
    graph = sparse.diags_array(scale) @ graph @ sparse.diags_array(scale)
    if n <= DENSE_POINTS:
        from scipy.linalg import eigh  # noqa: PLC0415 - only small graphs need it

        _, vectors = eigh(graph.toarray(), subset_by_index=[n - count, n - 1])
        return np.asarray(vectors[:, ::-1])
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh  # noqa: PLC0415 - only large graphs need it

    try:
        values, vectors = eigsh(graph, count, which="LA", tol=1e-4, v0=np.sqrt(np.arange(1.0, n + 1)))
    except ArpackNoConvergence as stopped:
        values, vectors = stopped.eigenvalues, stopped.eigenvectors
    return np.asarray(vectors[:, np.argsort(-values)])


def _leiden(points: Points, resolutions: Sequence[float]) -> list[Integers]:
    near = points.space.statistic(Neighbours, neighbours=NEAR).numbers
    return communities(near, resolutions, [points.generator(7, RESOLUTIONS.index(each)) for each in resolutions])


def _of_directions(points: Points, numbers: Sequence[int]) -> list[Integers]:
    """Cluster directions from the origin where the metric compares these, otherwise from the mean of all points."""
    X = points.space.X
    assert X is not None
    if points.space.metric == "correlation":
        X = X - X.mean(axis=1, keepdims=True)
    elif points.space.euclidean:
        X = X - X.mean(axis=0)
    return spherical_kmeans(X, numbers, points.generator, points.starts)


def _with_directions(points: Points, numbers: Sequence[int]) -> Settings:
    return numbers if points.space.euclidean or _compares_directions(points.space) else ()


def _compares_directions(space: Space) -> bool:
    return space.X is not None and space.metric in DIRECTIONS


def _axes(points: Points) -> Floats:
    assert points.space.X is not None
    return scores_beyond_chance(points.space.X, points.generator(8), FEWEST_AXES)


def _on_axes(points: Points, numbers: Sequence[int]) -> list[Integers]:
    lloyd = Lloyd(_axes(points))
    return [lloyd.best(k, points.generator(9, k), points.starts).labels for k in numbers]


def _shrunk(points: Points, numbers: Sequence[int]) -> list[Integers]:
    X = points.space.X
    assert X is not None
    if X.shape[1] > MOST_COLUMNS:
        X = _axes(points)[:, :MOST_COLUMNS]
    _kmeans(points, [k for k in numbers if k not in points.by_means])
    starts = [np.unique(points.by_means[k], return_inverse=True)[1] for k in numbers]
    return [shrunk_mixture(X, codes) for codes in starts]


def _for_shrunk(points: Points, numbers: Sequence[int]) -> Settings:
    return [k for k in numbers if k <= MOST_COMPONENTS] if points.space.euclidean else ()


def _only_by_name(_space: Space) -> bool:
    return False


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep other packages from warning of fits that did not converge: they are candidates all the same.

    The process has one list of filters: entered in several threads, it would end with that of another thread.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


ALGORITHMS = {
    algorithm.name: algorithm
    for algorithm in (
        *map(_of_tree, ("ward", "average", "complete", "single", "genie")),
        Algorithm("k-means", "k", _with_means, _kmeans, at_once=False),
        Algorithm(
            "hdbscan",
            "min_cluster_size",
            lambda points, _numbers: [size for size in SMALLEST if 4 * size <= points.space.n],
            _hdbscan,
            at_once=False,
            needs="sklearn",
        ),
        Algorithm("spectral", "k", _for_spectral, _spectral),
        Algorithm("mixture", "k", _for_mixtures, _mixture, at_once=False, needs="sklearn"),
        Algorithm("leiden", "resolution", lambda _points, _numbers: RESOLUTIONS, _leiden, False, "igraph"),
        Algorithm(
            "spherical k-means",
            "k",
            _with_directions,
            _of_directions,
            family="k-means",
            by_default=_compares_directions,
        ),
        Algorithm("k-means on axes", "k", _with_means, _on_axes, family="k-means", by_default=_only_by_name),
        Algorithm("shrunk mixture", "k", _for_shrunk, _shrunk, family="mixture", by_default=_only_by_name),
    )
}


def default_numbers(n: int) -> range:
    """Return the numbers of clusters that are tried: from 2 to the root of n, but to 12 at least and 50 at most."""
    return range(2, min(n - 1, max(12, min(50, math.isqrt(n)))) + 1)


def installed(package: str) -> bool:
    """Return whether a package can be imported."""
    return importlib.util.find_spec(package) is not None
