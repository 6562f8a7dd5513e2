"""What says which of several clusterings is the best: the consensus of three views, or any index.

The consensus is (S + 0.02) Q sqrt(A): S says how well dense paths connect the points of a cluster and nothing else,
the mean of `connectivity_silhouette` at two densities; Q how few nearest neighbours the clusters part,
`knn_modularity`; A how well the candidate agrees with the others that are most like it, which many algorithms find only
where there is something to find. The small number lets Q and A decide where clusters touch and no path is sparse.
"""

from __future__ import annotations

from collections.abc import Sequence
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


class Verdicts:
    """What the judge and the views beside it say of each candidate; the larger `values`, the better."""

    def __init__(self, space: Space, candidates: Sequence[Candidate], judge: str, *, n_jobs: int) -> None:
        self.judge = judge
        views = [*dense_views(DENSITIES), *select(["knn_modularity", "silhouette"], "internal")]
        mine = [] if judge == CONSENSUS else [chosen(judge)]
        table = table_of(space, [candidate.labels for candidate in candidates], [*views, *mine]).values
        self.connected = np.maximum(table[:, : len(DENSITIES)], 0.0).mean(axis=1)
        self.uncut, self.silhouette = table[:, len(DENSITIES)], table[:, len(DENSITIES) + 1]
        self.matrix = rand_matrix(alone([c.codes for c in candidates]), n_jobs=n_jobs)
        self.agreement = company(self.matrix)
        if mine:
            self.values = np.where(np.isnan(table[:, -1]), -np.inf, direction(mine[0].best) * table[:, -1])
            self.shown = table[:, -1]
        else:
            connected, uncut = np.nan_to_num(self.connected), np.maximum(np.nan_to_num(self.uncut), 0.0)
            self.values = self.shown = (connected + FLOOR) * uncut * np.sqrt(np.maximum(self.agreement, 0.0))


def dense_views(densities: Sequence[int]) -> list[Request]:
    """Return the silhouette along dense paths at each of several densities, numbers of points."""
    (view,) = select("connectivity_silhouette", "internal")
    return [replace(view, name=f"min_points={m}", options={"min_points": m}) for m in densities]


def dense_table(space: Space, labels: Sequence[Labels], densities: Sequence[int]) -> Floats:
    """Return S at each of several densities, then Q, of each labelling: 0 where they are below it or undefined."""
    views = [*dense_views(densities), *select("knn_modularity", "internal")]
    return np.maximum(np.nan_to_num(table_of(space, labels, views).values), 0.0)


def chosen(judge: str) -> Request:
    """Return the index that judges, or raise an error if it cannot."""
    (choice, *others) = select(judge, "internal")
    if others or direction(choice.best) == 0:
        msg = (
            f"judge must be {CONSENSUS!r} or an index of which the highest or the lowest value is best, such as "
            f"'dcm' or 'silhouette'; it is {judge!r}."
        )
        raise InputError(msg)
    return choice


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


def alone(codes: Sequence[Integers]) -> Integers:
    """Return the labellings as rows, with noise as a cluster of its own."""
    return np.stack([numbered(np.where(row < 0, row.max() + 1, row)) for row in codes])
