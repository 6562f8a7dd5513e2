"""Random clusterings of the data themselves, each grown from as many random points as there are to be clusters.

They are silly in four ways, so that together they show what an index makes of clusterings nobody looked for (Hennig
2019; Akhanli and Hennig 2020): every point goes to the nearest of the random points ("centroids"), or clusters take up
one point after another, always the point and the cluster nearest to each other by the cluster's nearest point
("nearest"), by its farthest ("furthest") or on average ("average"). Ties go to the first point, then to the first
cluster.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval.arrays import Integers
from clustval.passes.kmeans.seeded_growth import WAYS, seeder
from clustval.passes.work import threads
from clustval.seeding import TaskGenerator
from clustval.sources.space import Space
from clustval.stats.neighbours.near_densities import rows_of

__all__ = ["WAYS", "random_clusterings"]


def random_clusterings(space: Space, generator: TaskGenerator) -> Callable[[int, int], Integers]:
    """Return a function of k and of a number per way, which gives that many clusterings into k clusters, way by way.

    Those for one k do not depend on which others are asked for, nor on the number of threads. All distances between
    points are held.
    """
    grow = seeder(rows_of(space), space.n, n_jobs=space.n_jobs)

    def draw(k: int, count: int) -> Integers:
        codes = np.empty((len(WAYS) * count, space.n), dtype=np.int64)

        def work(item: int) -> None:
            way, number = divmod(item, count)
            seeds = generator(k, way, number).choice(space.n, k, replace=False)
            codes[item] = grow(seeds, WAYS[way])

        threads.run(work, len(codes), space.n_jobs)
        return codes

    return draw
