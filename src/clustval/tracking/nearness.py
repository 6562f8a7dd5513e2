"""How far rows are from each cluster of other rows: the mean distance to its nearest members, whatever its shape."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes.work import threads
from clustval.sources.space import Space

NEAR = 5  # members that say how far a cluster is; fewer in clusters of 5 and less
FEW_DIMENSIONS = 15  # up to which a tree finds neighbours faster than all distances do
CELLS = 2**21  # distances at a time


class Nearness:
    """Clusters of the points of a space, and how far rows are from them."""

    def __init__(self, space: Space, codes: Integers, k: int) -> None:
        self.space, self.k = space, k
        assert space.X is not None
        self.members = [space.X[codes == cluster] for cluster in range(k)]
        self.numbers = [max(1, min(NEAR, len(rows) - 1)) for rows in self.members]

    def of(self, rows: Floats) -> Floats:
        """Return the mean distance of each row to the nearest members of each cluster (rows, clusters)."""
        columns = [self._nearest(rows, cluster, self.numbers[cluster]).mean(axis=1) for cluster in range(self.k)]
        return np.stack(columns, axis=1)

    def of_members(self, rows: Floats, codes: Integers) -> Floats:
        """Return what `of` returns, for rows some of which are members, as their codes say: no row is near itself."""
        distances = self.of(rows)
        for cluster in range(self.k):
            distances[codes == cluster, cluster] = self.own(cluster)
        return distances

    def own(self, cluster: int) -> Floats:
        """Return the mean distance of each member of a cluster to the members nearest to it; 0 where it is alone."""
        members = self.members[cluster]
        if len(members) == 1:
            return np.zeros(1)
        near = self._nearest(members, cluster, self.numbers[cluster] + 1)
        distances: Floats = near[:, 1:].mean(axis=1)  # the first is the member itself
        return distances

    def _nearest(self, rows: Floats, cluster: int, count: int) -> Floats:
        """Return the distances to the nearest members, in order (rows, count)."""
        members = self.members[cluster]
        if self.space.metric == "euclidean" and rows.shape[1] <= FEW_DIMENSIONS:
            from scipy.spatial import cKDTree  # noqa: PLC0415 - only new rows need it

            distances, _ = cKDTree(members).query(rows, k=count, workers=self.space.n_jobs)
            return np.asarray(distances).reshape(len(rows), count)
        near = np.empty((len(rows), count))
        step = max(1, CELLS // len(members))
        starts = range(0, len(rows), step)

        def work(item: int) -> None:
            here = slice(starts[item], starts[item] + step)
            distances = self.space.between(rows[here], members)
            near[here] = np.sort(np.partition(distances, count - 1, axis=1)[:, :count], axis=1)

        threads.run(work, len(starts), self.space.n_jobs)
        return near
