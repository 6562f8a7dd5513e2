"""What algorithms cluster again and again where only distances of a metric tell points apart: tables of some rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.errors import InputError
from clustval.relative.estimators import Clusterer, check_takes_distances, clusterer
from clustval.relative.gap import permuted
from clustval.relative.labellings import cuts
from clustval.sources.space import Space, space_of


@dataclass(frozen=True, eq=False)
class Distances:
    """The distances of all points, of which those of some rows are taken as rows of points are."""

    table: Floats  # square
    space: Space

    @classmethod
    def of(cls, space: Space) -> Distances:
        """Compute the distances of all points, or raise an error where they do not fit into memory."""
        size = 8 * space.n**2
        if space.distances is None and size > space.memory:
            msg = f"The distances of {space.n:,} rows take {size / 2**30:.3g} GiB; take a sample of the rows."
            raise InputError(msg)
        return cls(space.rows(np.arange(space.n)) if space.distances is None else space.distances, space)

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, rows: Integers) -> Floats:
        return self.table[np.ix_(rows, rows)]

    def permuted(self) -> Callable[[np.random.Generator], Distances] | None:
        """Return draws of the distances of rows whose columns are each in an order of its own; None without columns."""
        space = self.space
        if space.X is None:
            return None
        draw = permuted(space.X)

        def drawn(rng: np.random.Generator) -> Distances:
            return Distances.of(Space(draw(rng), None, space.metric, space.n_jobs, space.memory))

        return drawn


def whole(points: Floats | Distances) -> Floats:
    """Return what an algorithm takes of all points: coordinates, or the square table of distances."""
    return points.table if isinstance(points, Distances) else points


def clusterer_of(
    points: Floats | Distances, estimator: Any, *, metric: Any, n_init: int | None, counted: bool = True
) -> Clusterer:
    """Return what clusters coordinates, or square tables of distances: average linkage, unless it is given."""
    if isinstance(points, Distances):
        if estimator is None and n_init is None:
            return Clusterer("average linkage", _joined, built_in=True)
        check_takes_distances(estimator, metric)
    return clusterer(estimator, n_init=n_init, counted=counted)


def points_or_distances(points: Any, metric: Any, n_jobs: int | None) -> Floats | Distances:
    """Return what is clustered: coordinates of the Euclidean metric, and the distances of any other."""
    if inputs.as_metric(metric) != "euclidean":
        return Distances.of(space_of(points, metric=metric, n_jobs=n_jobs))
    coordinates = inputs.as_points(points)
    inputs.doubt_distances(coordinates)
    return coordinates


def _joined(D: Floats, k: int, _: np.random.Generator) -> Integers:
    """Return the clusters of average linkage."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415 - only distances need it
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    codes: Integers = cuts(linkage(squareform(D, checks=False), "average"), [k])[k]
    return codes
