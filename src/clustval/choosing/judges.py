"""What says which of several clusterings is the best: the consensus of three or four views, or any index.

Up to four columns the consensus is (S + 0.02) Q sqrt(A). S says how well dense paths connect the points of a cluster
and no others, the mean of `connectivity_silhouette` at two densities; Q how few nearest neighbours end up in different
clusters, `knn_modularity`; A is the mean agreement with the candidates that are most alike. The small number lets Q and
A decide where clusters touch and no path is sparse.

From five columns on it is (S + s) Q B. Distances become alike in many columns, and dense paths then say little: the
silhouette s stands beside S. B is the agreement with candidates of other algorithms, since candidates of one algorithm
are alike also where there is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from clustval.arrays import Floats, Integers, numbered
from clustval.catalogue import select
from clustval.choosing.pool import Candidate
from clustval.declare import Request
from clustval.errors import InputError
from clustval.inputs import Labels
from clustval.passes.labels.many_labellings import rand_matrix
from clustval.relative.scoring import table_of
from clustval.rules import Rule
from clustval.sources.space import Space

CONSENSUS = "consensus"
DENSITIES = (5, 10)  # min_points of the silhouettes along dense paths
FLOOR = 0.02
COMPANY = 12  # candidates most like one that it must agree with
WITNESSES = 3  # other algorithms that a candidate must agree with
DIFFERENT = 0.8  # adjusted Rand index below which two clusterings differ clearly
WIDE = 5  # columns from which on the silhouette stands beside paths


class Verdicts:
    """What the judge and the views beside it say of each candidate; the larger `values`, the better.

    `compactness` is what candidates are worth by the silhouette in place of paths: s Q B.
    """

    def __init__(self, space: Space, candidates: Sequence[Candidate], judge: str, *, n_jobs: int) -> None:
        self.judge = judge
        views = [*dense_views(DENSITIES), *select(["knn_modularity", "silhouette"], "internal")]
        mine = [] if judge == CONSENSUS else [judge_of(judge)]
        table = table_of(space, [candidate.labels for candidate in candidates], [*views, *mine]).values
        self.connected = np.maximum(table[:, : len(DENSITIES)], 0.0).mean(axis=1)
        self.uncut, self.silhouette = table[:, len(DENSITIES)], table[:, len(DENSITIES) + 1]
        self.matrix = rand_matrix(alone([c.codes for c in candidates]), n_jobs=n_jobs)
        self.wide = columns_of(space) >= WIDE
        others = witnesses(self.matrix, [candidate.origin for candidate in candidates])
        self.agreement = others if self.wide else company(self.matrix)
        self.compactness = self._positive(self.silhouette) * self._positive(self.uncut) * self._positive(others)
        if mine:
            self.values = np.where(np.isnan(table[:, -1]), -np.inf, direction(mine[0].best) * table[:, -1])
            self.shown = table[:, -1]
        else:
            self.values = self.shown = self._by_compactness() if self.wide else self._by_paths()

    def _by_paths(self) -> Floats:
        agreement = np.sqrt(np.maximum(self.agreement, 0.0))
        return np.asarray((np.nan_to_num(self.connected) + FLOOR) * self._positive(self.uncut) * agreement)

    def _by_compactness(self) -> Floats:
        worth = np.nan_to_num(self.connected) + self._positive(self.silhouette)
        return np.asarray(worth * self._positive(self.uncut) * np.maximum(self.agreement, 0.0))

    @staticmethod
    def _positive(values: Floats) -> Floats:
        return np.maximum(np.nan_to_num(values), 0.0)

    def rival(self, values: Floats, first: int) -> float:
        """Return the best value of a candidate that differs clearly from one of them, as a share of its value."""
        others = values[self.matrix[first] < DIFFERENT].max(initial=0.0)
        return float(others / values[first]) if values[first] > 0 else np.inf


def columns_of(space: Space) -> int:
    """Return the number of columns that vary; none for distances, whose dimension is not known."""
    return 0 if space.X is None else int((np.ptp(space.X, axis=0) > 0).sum())


def dense_views(densities: Sequence[int]) -> list[Request]:
    """Return the silhouette along dense paths at each of several densities, numbers of points."""
    (view,) = select("connectivity_silhouette", "internal")
    return [replace(view, name=f"min_points={m}", options={"min_points": m}) for m in densities]


def dense_table(space: Space, labels: Sequence[Labels], densities: Sequence[int]) -> Floats:
    """Return S at each of several densities, then Q, of each labelling: 0 where they are below it or undefined."""
    views = [*dense_views(densities), *select("knn_modularity", "internal")]
    return np.maximum(np.nan_to_num(table_of(space, labels, views).values), 0.0)


def judge_of(judge: str, called: str = "judge") -> Request:
    """Return the index that judges, or raise an error if it cannot, which calls it as its parameter is called."""
    choices = select(judge, "internal", called=called) if isinstance(judge, Iterable) else []
    if len(choices) != 1 or direction(choices[0].best) == 0:
        what = f"{CONSENSUS!r} or an index" if called == "judge" else "one"
        msg = (
            f"{called} must be {what} of which the highest or the lowest value is best, such as 'dcm' or "
            f"'silhouette'; it is {judge!r}."
        )
        raise InputError(msg)
    return choices[0]


def direction(rule: Rule) -> int:
    """Return 1 where large values are better, -1 where small ones are, 0 where neighbours are compared."""
    if rule.compares > 1:
        return 0
    return {"higher": 1, "lower": -1}.get(rule.better, 0)


def company(matrix: Floats) -> Floats:
    """Return the mean agreement of each candidate with those most like it."""
    if len(matrix) == 1:
        return np.ones(1)
    others = np.sort(np.where(np.eye(len(matrix), dtype=bool), -np.inf, matrix), axis=1)[:, ::-1]
    return np.asarray(others[:, : min(COMPANY, len(matrix) - 1)].mean(axis=1))


def witnesses(matrix: Floats, origins: Sequence[str]) -> Floats:
    """Return how well each candidate agrees with those of other algorithms.

    For each other algorithm that is the largest adjusted Rand index with any of its candidates, and of these the mean
    of the three largest. Where all candidates come from one algorithm it is the agreement with those most alike.
    """
    names = sorted(set(origins))
    if len(names) == 1:
        return company(matrix)
    origin = np.array([names.index(each) for each in origins])
    best = np.stack([matrix[:, origin == each].max(axis=1) for each in range(len(names))], axis=1)
    best[np.arange(len(matrix)), origin] = -np.inf
    return np.asarray(np.sort(best, axis=1)[:, ::-1][:, : min(WITNESSES, len(names) - 1)].mean(axis=1))


def alone(codes: Sequence[Integers]) -> Integers:
    """Return the labellings as rows, with noise as a cluster of its own."""
    return np.stack([numbered(np.where(row < 0, row.max() + 1, row)) for row in codes])
