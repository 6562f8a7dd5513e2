"""The points as a diagnosis sees them: coordinates, neighbours, and samples as large as those evidence comes from."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.diagnosis.evidence.surroundings import Surroundings, default_count
from clustval.diagnosis.evidence.ties import unrounded
from clustval.lazy import cached_property
from clustval.passes.metrics.measure_between import squares_of
from clustval.passes.neighbours.across import nearest_across
from clustval.seeding import TaskGenerator
from clustval.sources.space import Space, SparseSpace
from clustval.stats.neighbours.nearest import nearest_neighbours

PER_CLUSTER = 400  # points on average up to which evidence was learned; of more, a sample is looked at
FEWEST_CLUSTERS = 3
MOST = 8000  # points of a sample, unless clusters are many
LEAST_PER_CLUSTER = 40
WHOLE = 20_000  # points up to which each is seen among all others, and not among a sample
MOST_COLUMNS = 60  # columns that directions are looked for in; of more, the principal components
ROUNDED = {"euclidean", "sqeuclidean", "cityblock", "manhattan", "chebyshev", "seuclidean", "mahalanobis"}
BLOCK = 2**14  # points that are seen at a time


class Scene:
    """Points, with the neighbours of all of them or of samples."""

    def __init__(self, space: Space, generator: TaskGenerator, neighbours: int | None = None) -> None:
        self.generator, self.neighbours = generator, neighbours
        self.space = _spread(space, generator)
        self._samples: dict[int, Sample] = {}

    @property
    def n(self) -> int:
        """Number of points."""
        return self.space.n

    @cached_property
    def X(self) -> Floats | None:
        """Coordinates whose Euclidean distances are, as nearly as can be, those of the metric; None for distances."""
        if self.space.distances is not None:
            return None
        if self.space.factor is not None and not self.space.boolean:
            X = self.space.image
        else:
            assert self.space.X is not None
            X = np.asarray(self.space.X, dtype=np.float64)
        return _principal(X, self.generator) if X.shape[1] > MOST_COLUMNS else X

    def sample(self, k: int) -> Sample:
        """Return the points that evidence about k clusters is taken from: all, or a random sample."""
        size = min(PER_CLUSTER * max(k, FEWEST_CLUSTERS), max(MOST, LEAST_PER_CLUSTER * k))
        if self.n <= size:
            return self.whole
        if size not in self._samples:
            rows = np.sort(self.generator(1, size).choice(self.n, size, replace=False))
            self._samples[size] = Sample(self, rows)
        return self._samples[size]

    @cached_property
    def whole(self) -> Sample:
        """All points."""
        return Sample(self, np.arange(self.n))

    @property
    def is_large(self) -> bool:
        """Whether points are seen among a sample only."""
        return self.n > WHOLE

    def lengths(self, distances: Floats) -> Floats:
        """Return distances as lengths: roots where the metric gives squares, as between directions."""
        factor = self.space.factor
        return distances if not factor else np.sqrt(squares_of(distances, factor))

    def near(self, rows: Integers, sample: Sample, count: int | None = None) -> tuple[Floats, Integers]:
        """Return the lengths to the nearest points of a sample, itself left out, and which of the sample they are."""
        count = count or sample.around.count
        places = sample.places(rows)
        if self.space.factor is not None and not self.space.boolean:
            image = self.space.image
            return nearest_across(image[rows], image[sample.rows], count, places, n_jobs=self.space.n_jobs)
        distances = self.space.rows(rows)[:, sample.rows]
        own = np.flatnonzero(places >= 0)
        distances[own, places[own]] = np.inf
        numbers = np.argsort(distances, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(distances, numbers, axis=1), numbers

    def nearest(self, rows: Integers, sample: Sample) -> Integers:
        """Return which point of a sample is nearest to each of some points."""
        return self.near(rows, sample, 1)[1][:, 0]


class Sample:
    """Some of the points of a scene, with their neighbours among themselves."""

    def __init__(self, scene: Scene, rows: Integers) -> None:
        self.scene, self.rows = scene, rows

    @property
    def is_whole(self) -> bool:
        """Whether it has all points."""
        return len(self.rows) == self.scene.n

    @cached_property
    def around(self) -> Surroundings:
        """Neighbours and densities of these points."""
        scene = self.scene
        space = scene.space
        if not self.is_whole:
            keep = np.zeros(scene.n, dtype=bool)
            keep[self.rows] = True
            space = space.restricted(keep)
        count = min(scene.neighbours or default_count(space.n), space.n - 1)
        near = nearest_neighbours(space, count)
        X = scene.X
        return Surroundings(None if X is None else X[self.rows], scene.lengths(near.distances), near.numbers)

    def places(self, rows: Integers) -> Integers:
        """Return where rows of the data are in the sample; -1 where they are not in it."""
        at = np.minimum(np.searchsorted(self.rows, rows), len(self.rows) - 1)
        return np.where(self.rows[at] == rows, at, -1)


def _spread(space: Space, generator: TaskGenerator) -> Space:
    """Return the space with rounded columns spread out again, and without coordinates that are mostly zeros."""
    if isinstance(space, SparseSpace):
        space = Space(_of_sparse(space), None, space.metric, space.n_jobs, space.memory, space.done)
    if (
        space.X is None
        or not isinstance(space.metric, str)
        or space.metric.split("(")[0] not in ROUNDED | {"minkowski"}
    ):
        return space
    X = unrounded(space.X, generator(0))
    if X is space.X:
        return space
    return Space(X, None, space.metric, space.n_jobs, space.memory, space.done)


def _of_sparse(space: SparseSpace) -> Floats:
    """Return the coordinates of a sparse table: all where they fit, else its principal directions."""
    n, p = space.table.shape
    if 8 * n * p <= space.memory:
        return space.X
    from scipy.sparse.linalg import svds  # noqa: PLC0415 - only large sparse tables need it

    left, values, _ = svds(
        space.measured_table.astype(np.float64), k=min(MOST_COLUMNS, n - 1, p - 1), v0=np.ones(min(n, p))
    )
    return np.asarray(left * values)


def _principal(X: Floats, generator: TaskGenerator) -> Floats:
    """Return the leading principal components of some thousand points, for all points."""
    rows = generator(2).choice(len(X), min(len(X), MOST), replace=False)
    mean = X[rows].mean(axis=0)
    Z = X[rows] - mean
    if Z.shape[1] <= len(Z):
        vectors = np.linalg.eigh(Z.T @ Z)[1][:, ::-1]
    else:
        values, left = np.linalg.eigh(Z @ Z.T)
        kept = values > 1e-12 * max(float(values[-1]), 1e-300)
        vectors = (Z.T @ left[:, kept] / np.sqrt(values[kept]))[:, ::-1]
    return np.asarray((X - mean) @ vectors[:, :MOST_COLUMNS])
