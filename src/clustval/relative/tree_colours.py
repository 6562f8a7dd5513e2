"""What the clusters of a tree are coloured by: consistency, the purity of classes, gaps between parts, any values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.errors import InputError
from clustval.evaluation import evaluate
from clustval.seeding import generators
from clustval.sources.adjacency import Adjacency
from clustval.sources.space import Space

GAP = "gap"
MOST = 1000  # points of a cluster whose silhouettes say how far its parts lie from each other
PARTED = 0.99  # share of a cluster in its largest part up to which it has parts
HELP = (
    "colour must be 'gap' (between the parts that a cluster falls into next), one class or one number for each point, "
    "or values for the clusters of each partition, by its name"
)


@dataclass(frozen=True)
class Colours:
    """A value for each cluster of each partition, what it is, and the values of the lightest and the deepest colour."""

    what: str
    values: list[Floats]
    low: float = 0.0
    high: float = 1.0

    def share(self, at: int, cluster: int) -> float | None:
        """Return how deep the colour of a cluster is, from 0 to 1; None where it has no value."""
        value = float(self.values[at][cluster])
        return None if np.isnan(value) else (value - self.low) / (self.high - self.low)

    def words(self, at: int, cluster: int) -> str:
        """Return the value of a cluster in words."""
        value = float(self.values[at][cluster])
        return f"no {self.what}" if np.isnan(value) else f"{self.what} {value:.3g}"


def colours_of(
    colour: Any, names: Sequence[Any], codes: Sequence[Integers], space: Space | None, graph: Adjacency | None
) -> Colours:
    """Return the values that a caller asks for, of clusters in the order of the partitions that are named."""
    if isinstance(colour, Mapping):
        return _given(colour, names, codes)
    if isinstance(colour, str):
        if colour != GAP:
            msg = f"{HELP}; it is {colour!r}."
            raise InputError(msg)
        return Colours("gap between its parts", _gaps(codes, space, graph))
    values = inputs.aligned(colour, None if space is None else space.row_names, "colour")
    n = len(codes[0])
    if not hasattr(values, "__len__") or len(values) != n:
        length = f"it has {len(values)} entries for {n} points" if hasattr(values, "__len__") else f"it is {values!r}"
        msg = f"{HELP}; {length}."
        raise InputError(msg)
    numbers = np.asarray(values)
    if numbers.dtype.kind == "f":
        means = [_means(own, numbers.astype(np.float64)) for own in codes]
        return _ranged("mean", means)
    classes = inputs.as_labels(values, "colour").codes
    return Colours("purity", [_purities(own, classes) for own in codes])


def _given(colour: Mapping[Any, Any], names: Sequence[Any], codes: Sequence[Integers]) -> Colours:
    values = []
    for name, own in zip(names, codes, strict=True):
        count = int(own.max()) + 1
        if name not in colour or np.shape(colour[name]) != (count,):
            has = f"has {np.size(colour[name])}" if name in colour else "has none"
            msg = f"{HELP}; {name!r} has {count} clusters, and colour {has}."
            raise InputError(msg)
        values.append(np.asarray(colour[name], dtype=np.float64))
    return _ranged("value", values)


def _ranged(what: str, values: list[Floats]) -> Colours:
    """Return colours from the least value to the largest; from 0 to 1 where all lie there."""
    every = np.concatenate(values)
    every = every[np.isfinite(every)]
    if not len(every) or (every.min() >= 0 and every.max() <= 1):
        return Colours(what, values)
    low, high = float(every.min()), float(every.max())
    return Colours(what, values, low, high if high > low else low + 1.0)


def _means(codes: Integers, numbers: Floats) -> Floats:
    """Return the mean of the numbers of each cluster, without those that are missing."""
    there = (codes >= 0) & np.isfinite(numbers)
    k = int(codes.max()) + 1
    with np.errstate(invalid="ignore"):
        means: Floats = np.bincount(codes[there], numbers[there], k) / np.bincount(codes[there], minlength=k)
    return means


def _purities(codes: Integers, classes: Integers) -> Floats:
    """Return the share of the most frequent class in each cluster, of the points that have a class."""
    there = (codes >= 0) & (classes >= 0)
    table = np.zeros((int(codes.max()) + 1, int(classes.max(initial=0)) + 1))
    np.add.at(table, (codes[there], classes[there]), 1)
    with np.errstate(invalid="ignore"):
        purities: Floats = table.max(axis=1) / table.sum(axis=1)
    return purities


# --- gaps between parts ----------------------------------------------------------------------------------


def _gaps(codes: Sequence[Integers], space: Space | None, graph: Adjacency | None) -> list[Floats]:
    """Return how far apart the parts lie that each cluster falls into in the next partition; NaN where it has none."""
    if space is None and graph is None:
        msg = "colour='gap' needs the points or the graph, which the result has no more; make it again."
        raise InputError(msg)
    gaps = []
    for own, following in zip(codes, [*codes[1:], codes[-1]], strict=True):
        values = np.full(int(own.max()) + 1, np.nan)
        for cluster in range(len(values)):
            rows = np.flatnonzero((own == cluster) & (following >= 0))
            parts = np.unique(following[rows], return_inverse=True)[1]
            if len(rows) == 0 or np.bincount(parts).max() > PARTED * len(rows):
                continue
            values[cluster] = _of_points(space, rows, parts) if graph is None else _of_edges(graph, rows, parts)
        gaps.append(values)
    return gaps


def _of_points(space: Space | None, rows: Integers, parts: Integers) -> float:
    """Return the mean silhouette of points of a cluster among its parts."""
    assert space is not None
    if len(rows) > MOST:
        some = np.sort(generators(0)(len(rows)).choice(len(rows), MOST, replace=False))
        rows, parts = rows[some], parts[some]
    keep = np.zeros(space.n, dtype=bool)
    keep[rows] = True
    own = space.restricted(keep)
    return float(evaluate(own.again, parts, "silhouette", metric=own.metric, n_jobs=own.n_jobs)["silhouette"])


def _of_edges(graph: Adjacency, rows: Integers, parts: Integers) -> float:
    """Return 1 minus the weight between parts over what chance would put there, given the degrees inside the cluster.

    1 means that no edge leads from part to part, 0 that as many do as by chance.
    """
    place = np.full(graph.n, -1)
    place[rows] = parts
    tails, heads = place[graph.tails], place[graph.edges.others.astype(np.int64)]
    inside = (tails >= 0) & (heads >= 0)
    weights = np.ones(len(tails)) if graph.edges.weights is None else graph.edges.weights
    a, b, w = tails[inside], heads[inside], weights[inside]
    if not w.sum() > 0:
        return 1.0
    degrees = np.bincount(a, w, int(parts.max()) + 1) + np.bincount(b, w, int(parts.max()) + 1)
    expected = 1 - float(((degrees / degrees.sum()) ** 2).sum())
    return 1.0 if expected <= 0 else 1 - float(w[a != b].sum() / w.sum()) / expected
