"""Whether data are more clustered than their columns and correlations explain, also where there is no gap.

The clusters of Ward's tree, improved by k-means, are compared with those of draws from nulls that fit the data: for 2
to 8 clusters the silhouette and the modularity of neighbours, each in standard deviations of data and draws together,
and of these the largest. The data must beat every null.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.choosing.nulls import Draw, null_of
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.passes.work import threads
from clustval.relative.labellings import cuts
from clustval.seeding import TaskGenerator

LEVEL = 0.05
LOOSER = {"skeleton": 2.0}  # times the level at which a null is asked: its draws are narrower than the data
POINTS = 300  # more are sampled
MOST_CLUSTERS = 8
PER_CLUSTER = 3  # points, at least
VARIANCE = 0.9  # share that the axes hold on which clusters are looked for
FEWEST_AXES = 2
NEAR = 10  # neighbours of modularity
ROUNDS = 5  # of k-means
FIRST = 19  # draws after which a p-value above CLEAR ends the comparison
CLEAR = 0.2


@dataclass
class Comparison:
    """The p-value and the draws by null, and whether time was enough for all."""

    p_values: dict[str, float] = field(default_factory=dict)
    draws: dict[str, Floats] = field(default_factory=dict)
    statistics: dict[str, float] = field(default_factory=dict)
    complete: bool = True

    @property
    def p_value(self) -> float:
        """The largest p-value of the nulls, in units of their levels: the data must beat each."""
        return max((p / LOOSER.get(name, 1.0) for name, p in self.p_values.items()), default=float("nan"))


def compared(
    X: Floats,
    nulls: Sequence[str],
    draws: int,
    generator: TaskGenerator,
    *,
    embedded: Callable[[Floats], Floats] | None = None,
    n_jobs: int = 1,
    deadline: float | None = None,
    done: Callable[[int], object] | None = None,
) -> Comparison:
    """Return how clustered the data are beside draws from each null; the first that is not beaten is the last.

    Points without coordinates of their own, as codes, are embedded, and so are their draws.
    """

    def value(points: Floats) -> Floats:
        return how_clustered(points if embedded is None else embedded(points))

    result = Comparison()
    observed = value(X)
    for at, name in enumerate(nulls):
        _, draw = null_of(name, X)
        values = np.empty((draws, len(observed)))
        count = 0
        while count < draws:
            if deadline is not None and clock.monotonic() >= deadline:
                result.complete = False
                return result
            start, count = count, FIRST if count == 0 else draws

            def work(item: int, start: int = start, values: Floats = values, at: int = at, draw: Draw = draw) -> None:
                values[start + item] = value(draw(generator(3, at, start + item)))

            threads.run(work, count - start, n_jobs, done)
            p, statistic, others = rank_of(observed, values[:count])
            if p > CLEAR:
                break
        result.p_values[name], result.statistics[name], result.draws[name] = p, statistic, others
        if p > LEVEL * LOOSER.get(name, 1.0):
            break
    return result


def rank_of(observed: Floats, draws: Floats) -> tuple[float, float, Floats]:
    """Return the p-value, the statistic of the data and those of the draws: the largest standardised value.

    Data and draws are standardised together, so that under the null each is as likely the largest. Here two values
    of the data beat both draws:

    >>> p, *_ = rank_of(np.array([9.0, 1.0]), np.array([[0.0, 0.0], [1.0, 0.5]]))
    >>> round(p, 3)
    0.333
    """
    together = np.vstack([observed, draws])
    spread = together.std(axis=0)
    apart = spread > ROUNDING_OF_VALUES  # of no more are those of the same points in another order
    largest = np.where(apart, (together - together.mean(axis=0)) / np.where(apart, spread, 1.0), 0.0).max(axis=1)
    p = (1 + int((largest[1:] >= largest[0]).sum())) / len(together)
    return p, float(largest[0]), np.asarray(largest[1:])


def how_clustered(X: Floats) -> Floats:
    """Return the silhouettes and modularities of the best clusters that are found quickly, by number of clusters."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415 - only the test of structure needs it
    from scipy.spatial.distance import cdist  # noqa: PLC0415

    left, lengths, _ = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    shares = np.cumsum(lengths**2) / max(float((lengths**2).sum()), np.finfo(float).tiny)
    count = min(max(int(np.searchsorted(shares, VARIANCE)) + 1, FEWEST_AXES), len(lengths))
    scores = left[:, :count] * lengths[:count]
    distances = cdist(scores, scores)
    others = distances + np.diag(np.full(len(X), np.inf))
    nearest = min(NEAR, len(X) - 1)
    near = np.argpartition(others, nearest - 1, axis=1)[:, :nearest]
    tree = linkage(scores, "ward")
    numbers = [_untied(tree[:, 2], k) for k in numbers_of(len(X))]
    partitions = cuts(tree, numbers)
    values = []
    for number in numbers:
        codes = _improved(scores, partitions[number])
        values.append((_silhouette(distances, codes), _modularity(near, codes)))
    return np.array(values).T.ravel()


def numbers_of(n: int) -> range:
    """Return the numbers of clusters that so many points allow."""
    return range(2, min(MOST_CLUSTERS, n // PER_CLUSTER) + 1)


def _untied(heights: Floats, k: int) -> int:
    """Return the most clusters, up to k, into which merges of these heights cut without choosing among equal ones.

    Equal points are a little apart on their axes, since processors round differently.
    """
    n, rounding = len(heights) + 1, ROUNDING_OF_VALUES * heights[-1]
    while k > 1 and heights[n - k] - heights[n - k - 1] <= rounding:
        k -= 1
    return k


def _improved(X: Floats, codes: Integers) -> Integers:
    """Return the clusters after points went to the nearest mean, a few times; none gets empty."""
    for _ in range(ROUNDS):
        sizes = np.bincount(codes)
        means = np.stack([np.bincount(codes, column) for column in X.T], axis=1) / sizes[:, None]
        nearest = ((means**2).sum(axis=1) - 2 * X @ means.T).argmin(axis=1)
        if len(np.unique(nearest)) < len(sizes) or (nearest == codes).all():
            break
        codes = nearest
    return codes


def _silhouette(distances: Floats, codes: Integers) -> float:
    """Return the mean silhouette; a point alone has 0."""
    sizes = np.bincount(codes)
    rows = np.arange(len(codes))
    sums = distances @ np.eye(len(sizes))[codes]
    own = sums[rows, codes] / np.maximum(sizes[codes] - 1, 1)
    others = sums / sizes
    others[rows, codes] = np.inf
    other = others.min(axis=1)
    widths = (other - own) / np.maximum(np.maximum(own, other), np.finfo(float).tiny)
    return float(np.where(sizes[codes] == 1, 0.0, widths).mean())


def _modularity(near: Integers, codes: Integers) -> float:
    """Return the modularity of the graph of nearest neighbours."""
    n, count = near.shape
    degrees = (count + np.bincount(near.ravel(), minlength=n)) / 2
    shares = np.bincount(codes, degrees) / (n * count)
    return float((codes[near] == codes[:, None]).mean() - (shares**2).sum())
