"""Which cluster new rows belong to, how clearly, and which rows are like none of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Flags, Floats, Integers
from clustval.choices import MetricName
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.labels import as_text, objects
from clustval.mixed_table import on_one_scale
from clustval.readers.rows_in_memory import points_in_memory
from clustval.result import Result
from clustval.seeding import generators
from clustval.sources.space import Space, space_of
from clustval.tables import Table, WithTable
from clustval.tracking.labelled import check_columns, check_comparable, features_like, labelled
from clustval.tracking.nearness import Nearness

SURE = 0.01  # chance by which more rows than expected may be outside before it says something


@dataclass(frozen=True, repr=False, eq=False)
class Assignment(Drawn, WithTable, Result):
    """The cluster of each new row, how clearly it is nearest, and whether the row is unlike all clusters."""

    _figure = "assignment"

    table: (
        Table  # a row for each cluster: rows that are nearest to it, how many are outside, how many would be by chance
    )
    codes: Integers  # the position of the nearest cluster among `names`, for each row
    names: list[Any]
    margin: Floats  # 1 - d1 / d2 of the distances to the nearest and the next cluster
    depth: Floats  # (1 + members of the nearest cluster that are at least as far from the others) / (1 + members)
    outside: Flags  # whether a row is farther from its cluster than `level` of the members
    level: float
    halves: Table | None = None  # what the p-value is of: the same, of half of the members and the other half

    @property
    def labels(self) -> NDArray[Any]:
        """The name of the nearest cluster of each row."""
        return _named(self.names, self.codes)

    @property
    def accepted(self) -> NDArray[Any]:
        """The name of the nearest cluster, or noise (-1 beside whole numbers, else None) where a row is like none."""
        return _named(self.names, np.where(self.outside, -1, self.codes))

    @property
    def share_outside(self) -> float:
        """Share of the rows that are like none of the clusters."""
        return float(self.outside.mean())

    @property
    def expected(self) -> float:
        """Share of the rows that would be outside if they were as those that were clustered."""
        return float(self.table["expected"].sum() / len(self.codes))

    @property
    def p_value(self) -> float:
        """How likely so many rows or more are outside by chance, if rows are as those that were clustered.

        Half of the members, drawn at random, are scored as new rows are: by how far they are from the other half. Of m
        rows nearest to a cluster beside n such members, a beta-binomial number is beyond the member of rank r: its
        parameters are n + 1 - r and r. The sum over clusters is taken for one that has its mean and its variance. NaN
        where clusters have no such member.
        """
        from scipy.stats import betabinom, binom  # noqa: PLC0415 - only this needs them

        if self.halves is None or not self.halves["rows"].any():
            return math.nan  # nothing to compare new rows with
        m, n = self.halves["rows"], self.halves["members"]
        ranks = np.array([rank_of(self.level, size) for size in n.tolist()])
        expected = m * (n + 1 - ranks) / (n + 1)
        variance = float(np.sum(expected * ranks / (n + 1) * (n + 1 + m) / (n + 2)))
        count, total = int(self.halves["outside"].sum()), int(m.sum())
        share = float(expected.sum()) / total
        alone = total * share * (1 - share)  # the variance of a binomial number
        if variance <= (1 + ROUNDING_OF_VALUES) * alone:
            return float(binom.sf(count - 1, total, share))
        size = (alone * total - variance) / (variance - alone)
        return float(betabinom.sf(count - 1, total, share * size, (1 - share) * size))

    @property
    def anew(self) -> bool:
        """Whether it is time to cluster anew: more rows are outside than chance puts there (p up to 0.01)."""
        return self.p_value <= SURE

    @property
    def rows(self) -> Table:
        """The label, margin and depth of each row, and whether it is outside."""
        return Table({"label": self.labels, "margin": self.margin, "depth": self.depth, "outside": self.outside})

    def _of_points(self) -> dict[str, Any]:
        return {**self.rows, "label": objects(as_text(self.labels))}

    @property
    def _conclusion(self) -> str:
        shares = f"{self.share_outside:.1%} of the rows are like none of the clusters; {self.expected:.1%} would be"
        if math.isnan(self.p_value):
            return f"{shares} by chance. Clusters are too small to say whether that is more."
        advice = "cluster anew" if self.anew else "the clusters still hold"
        return f"{shares} by chance (p = {self.p_value:.2g}): {advice}."


def assign(
    new: Any,
    like: tuple[Any, Any],
    *,
    level: float = 0.99,
    metric: MetricName = "euclidean",
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    n_jobs: int | None = None,
) -> Assignment:
    """Return the cluster that each new row belongs to, how clearly, and whether the row is unlike all clusters.

    A row is as far from a cluster as from its 5 nearest members in the mean, so that clusters may have any shape. It
    is outside if it is farther than 99 % of the members are from those nearest to them. In a cluster of n members, one
    in n + 1 such rows is outside by chance where that is more than 1 %.

    Parameters
    ----------
    new
        One row per point, as those that were clustered; columns of frames are matched by name. Annotated cells, or a
        path.
    like
        The rows that were clustered and their labels: ``(X, labels)``, or ``(frame, "column")``. Noise is left out.
    level
        Share of the members of a cluster that are inside.
    metric
        The distance, as in `evaluate`; "gower" for tables of numbers and categories, with the ranges of the rows that
        were clustered.
    features, use_rep, force
        Columns of data frames or of files that are the points; of annotated cells, the representation that is: X_pca by
        default, and maps for the eye, such as UMAP, only by force.
    n_jobs
        Number of threads; None for all cores.

    >>> X = [[0.0], [1.0], [2.0], [3.0], [10.0], [11.0], [12.0], [13.0]]
    >>> assignment = assign([[1.5], [12.5], [7.5], [40.0]], like=(X, list("aaaabbbb")))
    >>> assignment.labels.tolist(), assignment.outside.tolist()
    (['a', 'b', 'b', 'b'], [False, False, True, True])
    """
    if not isinstance(like, (tuple, list)) or len(like) != 2:
        msg = "like must be the rows that were clustered and their labels: like=(X, labels), or like=(frame, 'column')."
        raise InputError(msg)
    share = level_between(level)
    check_comparable(metric, "new rows")
    home: dict[str, Any] = {"features": features, "metric": metric, "use_rep": use_rep, "force": force}
    X, labels = labelled(like[0], like[1], "like[0]", **home)
    other = home if features is not None else home | {"features": features_like(new, X, "new")}
    table, rows = coordinates(X, points_in_memory(new, name="new", **other), metric)
    space, codes, names = clustered(table, labels, metric, n_jobs, inputs.row_names(X))
    assignment = assigned(Nearness(space, codes, len(names)), names, rows, share)
    return replace(assignment, halves=_halves(space, codes, names, rows, share))


def assigned(nearness: Nearness, names: list[Any], rows: Floats, level: float) -> Assignment:
    """Return the assignment of rows to clusters."""
    distances = nearness.of(rows)
    codes = distances.argmin(axis=1)
    first, second = np.sort(np.column_stack([distances, np.full(len(rows), np.inf)]), axis=1)[:, :2].T
    with np.errstate(invalid="ignore"):
        margin = np.where(second > 0, 1 - first / second, 0.0)
    depth, outside = np.empty(len(rows)), np.zeros(len(rows), dtype=bool)
    expected = np.zeros(len(names))
    for cluster in range(len(names)):
        here = codes == cluster
        own = np.sort(nearness.own(cluster))
        depth[here] = 1 - np.searchsorted(own, first[here], side="left") / (len(own) + 1)
        rank = rank_of(level, len(own))
        outside[here] = first[here] > own[rank - 1]
        expected[cluster] = here.sum() * (1 - rank / (len(own) + 1))
    counts = np.bincount(codes, minlength=len(names))
    beyond = np.bincount(codes[outside], minlength=len(names))
    members = np.array([len(each) for each in nearness.members])
    columns = {"members": members, "rows": counts, "outside": beyond, "expected": expected}
    table = Table({"cluster": objects(names), **columns})
    return Assignment(table, codes, list(names), margin, depth, outside, level)


def _halves(space: Space, codes: Integers, names: list[Any], rows: Floats, level: float) -> Table:
    """Return how many new rows are beyond the limit of half of the members, both scored by the other half.

    Rows and members are alike then: given the other half, nothing tells them apart if rows are as those that were
    clustered. Rows nearest to a cluster to which no such member is nearest do not count.
    """
    assert space.X is not None
    order = np.lexsort((generators(0)(0).random(len(codes)), codes))
    sizes = np.bincount(codes, minlength=len(names))
    places = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)  # among the members of a cluster
    reference = np.zeros(len(codes), dtype=bool)
    reference[order[places % 2 == 0]] = True
    nearness = Nearness(space.restricted(reference), codes[reference], len(names))
    scored = [nearness.of(points) for points in (space.X[~reference], rows)]
    nearest = [distances.argmin(axis=1) for distances in scored]
    columns: dict[str, list[int]] = {name: [] for name in ("members", "rows", "outside")}
    for cluster in range(len(names)):
        members, new = (np.sort(d[own == cluster, cluster]) for d, own in zip(scored, nearest, strict=True))
        limit = members[rank_of(level, len(members)) - 1] if len(members) else np.inf
        counts = len(members), len(new) if len(members) else 0, int((new > limit).sum())
        for column, count in zip(columns.values(), counts, strict=True):
            column.append(count)
    return Table({"cluster": objects(names), **{name: np.array(column) for name, column in columns.items()}})


def rank_of(level: float, members: int) -> int:
    """Return the rank of the member that is the limit: one row more is beyond it with a chance of up to 1 - level.

    Of fewer members than that takes, the farthest is the limit.

    >>> rank_of(0.99, 199), rank_of(0.99, 20)
    (198, 20)
    """
    return min(members, math.ceil(level * (members + 1)))


# --- checks ----------------------------------------------------------------------------------------------


def level_between(level: Any) -> float:
    """Return a share between 0 and 1, or raise an error."""
    if not inputs.is_number(level) or not 0 < level < 1:
        msg = f"level must be a share between 0 and 1, such as 0.99; it is {level!r}."
        raise InputError(msg)
    return float(level)


def clustered(X: Any, labels: Any, metric: Any, n_jobs: int | None, rows: Any) -> tuple[Space, Integers, list[Any]]:
    """Return the points that are in clusters, and the number and the names of their clusters."""
    space = space_of(X, metric=metric, n_jobs=n_jobs)
    own = inputs.as_labels(labels, rows=rows)
    inputs.check_length(space.n, own)
    present = own.codes >= 0
    if not present.any():
        msg = "labels mark every row as noise; there is no cluster that rows could be like."
        raise InputError(msg)
    return space.restricted(present), own.codes[present], own.names


def coordinates(X: Any, new: Any, metric: Any) -> tuple[Any, Floats]:
    """Return rows that were clustered as a space takes them, and new rows as kernels read them beside these."""
    if metric == "gower":
        table, other = on_one_scale([X, new], ["like[0]", "new"], by_first=True)
        return table, other.image
    points, rows = inputs.as_points(X), inputs.as_points(new, "new")
    check_columns(rows, points.shape[1], "new")
    return points, rows


def _named(names: list[Any], codes: Integers) -> NDArray[Any]:
    """Return the names of codes, as whole numbers where all are; -1 or None for the code -1."""
    if all(isinstance(name, int) and not isinstance(name, bool) for name in names):
        return np.array([*names, -1], dtype=np.int64)[codes]
    values: NDArray[Any] = objects([*names, None])[codes]
    return values
