"""Clusterings of samples of data, and of data without clusters, to be compared by what they have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.choosing.nulls import null_of
from clustval.ensembles.co_clusters import Ensemble, Summary
from clustval.inputs import at_least
from clustval.relative.estimators import Clusterer, clusterer, numbers_for_points
from clustval.relative.stability import clusterings, samples
from clustval.seeding import TaskGenerator, generators

SHUFFLED = 2000  # points of shuffled labels, whose statistics are means over pairs: more would not change them
REFERENCES, SHUFFLES = 1, 2  # tasks of random numbers, beside those of samples

Done = Callable[[int], object]


def silent(_item: int) -> None:
    """Tell nobody of finished work."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Samples of points, and how they are clustered."""

    points: Floats
    rows: Integers  # (samples, points of each)
    numbers: list[int]
    cluster: Clusterer
    generator: TaskGenerator
    n_jobs: int

    def codes(self, k: int, points: Floats | None = None) -> Integers:
        """Return the clusters of each sample of these points, or of others, one row each; -1 for points left out."""
        points = self.points if points is None else points
        labels = clusterings(points, self.rows, k, self.cluster, self.generator, self.n_jobs, None)
        codes = np.full((len(self.rows), len(points)), -1, dtype=np.int64)
        codes[np.arange(len(self.rows))[:, None], self.rows] = labels
        return codes


def clustered_samples(
    X: Any, k: int | Iterable[int], estimator: Any, n_samples: int, fraction: float, random_state: Any, n_jobs: int
) -> Runs:
    """Return checked samples of points, and what clusters them."""
    points = inputs.as_points(X)
    numbers = numbers_for_points(k, points, fewest=2)
    generator = generators(random_state)
    count = at_least(n_samples, 2, "n_samples")
    rows = samples(len(points), count, "subsample", fraction, generator, fewest=numbers[-1])
    return Runs(points, rows, numbers, clusterer(estimator).without_noise, generator, n_jobs)


def null_summaries(runs: Runs, k: int, null: Any, count: int, done: Done) -> tuple[list[Summary], str]:
    """Return the statistics of data without clusters, sampled and clustered alike, and the name of the null."""
    name, draw = null_of(null, runs.points)
    summaries = []
    for reference in range(count):
        points = draw(runs.generator(reference, 0, REFERENCES))
        summaries.append(Ensemble(runs.codes(k, points)).summary(drawn=True))
        done(reference)
    return summaries, name


def shuffled_summaries(codes: Integers, count: int, random_state: Any, done: Done) -> list[Summary]:
    """Return the statistics of labels that are shuffled within each labelling, among the points that it has."""
    generator = generators(random_state)
    summaries = []
    for reference in range(count):
        rng = generator(reference, 0, SHUFFLES)
        some = rng.choice(codes.shape[1], min(SHUFFLED, codes.shape[1]), replace=False)
        drawn = codes[:, some].copy()
        for labels in drawn:
            present = labels >= 0
            labels[present] = rng.permutation(labels[present])
        summaries.append(Ensemble(drawn).summary(drawn=True))
        done(reference)
    return summaries
