"""The points that the page draws: where they lie on two axes, and how well each fits its cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.catalogue import find
from clustval.errors import InputError, UndefinedIndexError
from clustval.outlines import outline
from clustval.results import Scores
from clustval.sources.partition import Partition

MOST_DRAWN = 2000
FEWEST_DRAWN = 5  # of each cluster, where so few clusters allow it
FEW_CLUSTERS = 200
MOST_NOISE = 500
ALIKE = 5  # axes of which one is longer by more than this are not drawn to the same scale
MARGIN = 0.05  # of the plane, beyond the outermost points
MANY_COLUMNS = 1000
MOST_OUTLINED = 20  # clusters
GAPS = 80  # a gap between clusters is one part in so many of the bars; less if there are many clusters
GOLDEN = (5**0.5 - 1) / 2


@dataclass(frozen=True)
class Fit:
    """How well each point fits its cluster (-1 ... 1), and which cluster it would move to."""

    index: str
    values: Floats
    neighbours: Integers
    weights: Floats | None = None

    @property
    def mean(self) -> float:
        """The mean of the values, by weight."""
        return float(np.average(self.values, weights=self.weights))


@dataclass(frozen=True)
class Classes:
    """The true class of each point, and whether it is not the class that the cluster of the point is matched with."""

    names: list[str]
    astray: NDArray[np.bool_]


@dataclass(frozen=True)
class Plane:
    """Two coordinates for each point and for noise, what the axes are, and whether distances on both compare."""

    x: Floats
    y: Floats
    titles: tuple[str, str]
    noise: Floats  # (points left out, 2), in the order of the input
    comparable: bool = True

    @property
    def ends(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """From where to where each axis reaches, with a margin."""
        return _ends(self.x, self.noise[:, 0]), _ends(self.y, self.noise[:, 1])

    @property
    def equal(self) -> bool:
        """Whether both axes are to be drawn to the same scale: where distances compare, and both can be seen so."""
        return self.comparable and 1 / ALIKE <= self._ratio <= ALIKE

    @property
    def shape(self) -> float | None:
        """How high the plane is over its width, where both axes have the same scale."""
        return self._ratio if self.equal else None

    @property
    def _ratio(self) -> float:
        width, height = (high - low for low, high in self.ends)
        return height / width


def _ends(*coordinates: Floats) -> tuple[float, float]:
    values = np.concatenate(coordinates)
    low, high = float(values.min()), float(values.max())
    margin = MARGIN * (high - low) or 0.5
    return low - margin, high + margin


def at_hand(scores: Scores) -> Partition | None:
    """Return the source with all points; None where they were read in blocks, and are not to be had at once."""
    source = scores.source
    if isinstance(source, Partition):
        return source
    try:
        return source.gathered("a picture of the points") if hasattr(source, "gathered") else None
    except UndefinedIndexError:
        return None


def estimated(scores: Scores, name: str) -> bool:
    """Return whether a value comes from a sample, so that those of single points would take all pairs."""
    return name in scores.intervals and scores.intervals[name].estimated


def fit(scores: Scores) -> Fit | None:
    """Return the silhouettes if they were evaluated, else the simplified ones, which cost little."""
    source = at_hand(scores)
    if source is None:
        return None
    evaluated = {choice.index.name for choice in scores.choices.values() if not estimated(scores, choice.name)}
    for name in ("silhouette", "silhouette_by_cluster", "simplified_silhouette"):
        index = find(name, "internal")
        if index.points is None or index.neighbours is None:
            continue
        if name not in evaluated and (name != "simplified_silhouette" or not source.space.has_columns):
            continue
        try:
            values = index.part(index.points, source)
        except UndefinedIndexError:
            return None
        if np.isnan(values).any():
            return None
        title = "silhouette" if name == "silhouette_by_cluster" else name
        return Fit(title, values, index.part(index.neighbours, source), source.weights)
    return None


def plane(source: Partition, features: Sequence[str] | None, coordinates: Any = None) -> Plane | None:
    """Return the points on two axes of the caller's, on those of X, or on its two main directions; None without."""
    if coordinates is not None:
        places = _checked(coordinates, source)
        axes = getattr(coordinates, "columns", ("First coordinate", "Second coordinate"))
        named = str(axes[0]), str(axes[1])
        return Plane(places[source.kept, 0], places[source.kept, 1], named, places[source.noise])
    if not source.space.has_columns:
        return None
    names = list(features) if features else [f"column {j}" for j in range(source.p)]
    whole = source.as_given
    noise = _noise(whole)
    if source.p == 1:
        spread: Floats = np.arange(source.n, dtype=np.float64) * GOLDEN % 1
        noise = np.column_stack([noise[:, 0], np.arange(len(noise)) * GOLDEN % 1])
        return Plane(whole.X[:, 0], spread, (names[0], "spread out to be seen"), noise, comparable=False)
    if source.p == 2:
        return Plane(whole.X[:, 0], whole.X[:, 1], (names[0], names[1]), noise)
    Z = whole.Z
    total = float(np.square(Z).sum())
    directions = _main_directions(Z)
    projected = Z @ directions
    shares = np.square(projected).sum(axis=0) / total if total > 0 else np.zeros(2)
    titles = [
        f"{nth} principal component ({share:.0%} of the variance)" for nth, share in zip(NTH, shares, strict=True)
    ]
    projected_noise = (noise - whole.origin) @ directions
    return Plane(projected[:, 0], projected[:, 1], (titles[0], titles[1]), projected_noise)


NTH = ("First", "Second")


def _checked(coordinates: Any, source: Partition) -> Floats:
    """Return the caller's two coordinates of each row of X, or raise an error if they are not."""
    places = inputs.as_points(inputs.aligned(coordinates, source.row_names, "coordinates"), "coordinates")
    if places.shape != (source.total, 2):
        shape = f"{places.shape[0]} rows and {places.shape[1]} columns"
        msg = f"coordinates must have two columns and a row for each of the {source.total} rows of X; it has {shape}."
        raise InputError(msg)
    return places


def _noise(source: Partition) -> Floats:
    """Return the coordinates of points that were left out as noise, in the order of the input."""
    if not len(source.noise):
        return np.empty((0, source.p))
    space, codes = source.surroundings
    assert space.X is not None
    return space.X[codes < 0]


def _main_directions(Z: Floats) -> Floats:
    """Return the two directions (p, 2) along which centred points vary most, their signs settled."""
    if Z.shape[1] <= MANY_COLUMNS:
        directions = np.linalg.eigh(Z.T @ Z)[1][:, :-3:-1]
    else:
        from scipy.sparse.linalg import svds  # noqa: PLC0415 - only wide data need it

        directions = svds(Z, k=2, v0=np.ones(min(Z.shape)))[2][::-1].T
    largest = np.abs(directions).argmax(axis=0)
    return directions * np.where(directions[largest, [0, 1]] < 0, -1, 1)


def sample(codes: Integers, sizes: Integers, values: Floats | None) -> Integers:
    """Return the points to draw, cluster after cluster, the best-fitting first.

    Points are taken at even steps of their order, so that the outline of each cluster's silhouettes is kept.
    """
    order: Integers = np.lexsort((-values, codes)) if values is not None else np.argsort(codes, kind="stable")
    n = len(codes)
    if n <= MOST_DRAWN:
        return order
    if len(sizes) > FEW_CLUSTERS:
        return order[_even_steps(n, MOST_DRAWN)]
    share = np.maximum(sizes * MOST_DRAWN // n, np.minimum(sizes, FEWEST_DRAWN))
    starts = np.cumsum(sizes) - sizes
    steps = [start + _even_steps(size, count) for start, size, count in zip(starts, sizes, share, strict=True)]
    return order[np.concatenate(steps)]  # type: ignore[no-any-return]


def _even_steps(size: int, count: int) -> Integers:
    return np.linspace(0, size - 1, count).round().astype(np.int64)


def names_of_rows(source: Partition, rows: Any = None) -> NDArray[Any]:
    """Return what each row of the input is called: as the caller says, by the index of pandas, or from 0."""
    if rows is not None:
        return np.asarray(rows)
    if source.row_names is None:
        return np.arange(source.total)
    return np.array([name if isinstance(name, (int, np.integer)) else str(name) for name in source.row_names], object)


def how_rows_are_named(source: Partition, rows: Any = None) -> str:
    """Say what the names of rows are."""
    if rows is not None:
        return "Rows are those of the file, counted from 1."
    return "Rows are counted from 0." if source.row_names is None else "Rows are named by the index of the data."


def records(
    source: Partition,
    clusters: Sequence[str],
    sample: Integers,
    plane: Plane | None,
    fit: Fit | None,
    names: NDArray[Any],
    classes: Classes | None,
    room: float = 0.0,
) -> dict[str, list[dict[str, Any]]]:
    """Return the data sets of the charts: the drawn points, and the stretch of bars of each cluster.

    `names` are those of all rows of the input. `room` is the share of the height that a stretch needs to bear its
    name.
    """
    numbers = names[source.kept]
    codes = source.codes[sample]
    gap = max(1.0, len(sample) / max(GAPS, 8 * len(clusters)))
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    places = np.arange(len(sample)) + gap * (np.cumsum(np.diff(codes, prepend=codes[:1]) != 0))
    points = []
    for place, i in zip(places.tolist(), sample.tolist(), strict=True):
        record: dict[str, Any] = {"row": _row_name(numbers[i]), "cluster": clusters[source.codes[i]]}
        if plane is not None:
            record |= {"x": float(plane.x[i]), "y": float(plane.y[i])}
        if fit is not None:
            near = clusters[fit.neighbours[i]]
            record |= {"fit": float(fit.values[i]), "next": near, "place": place, "below": place + 1}
        if classes is not None:
            record |= {"truth": classes.names[i], "astray": bool(classes.astray[i])}
        points.append(record)
    ends = [*starts[1:].tolist(), len(sample)]
    height = float(places[-1]) + 1
    blocks = [
        {
            "cluster": clusters[codes[start]],
            "middle": (places[start] + places[end - 1] + 1) / 2,
            "tall": (places[end - 1] + 1 - places[start] + gap) / height >= room,
        }
        for start, end in zip(starts.tolist(), ends, strict=True)
    ]
    return {
        "points": points,
        **(
            {}
            if plane is None
            else {
                "noise": _noise_records(source, plane, names),
                "centres": _centres(source, clusters, plane),
                "outlines": _outlines(source, clusters, plane),
            }
        ),
        "blocks": [{k: v.item() if hasattr(v, "item") else v for k, v in b.items()} for b in blocks],
    }


def _row_name(name: Any) -> str | int:
    return name if isinstance(name, str) else int(name)


def _noise_records(source: Partition, plane: Plane, names: NDArray[Any]) -> list[dict[str, Any]]:
    """Return the points left out as noise, or as many of them as are drawn."""
    rows = source.noise
    some = _even_steps(len(rows), min(len(rows), MOST_NOISE))
    return [
        {"row": _row_name(names[rows[i]]), "x": float(plane.noise[i, 0]), "y": float(plane.noise[i, 1])} for i in some
    ]


def _centres(source: Partition, clusters: Sequence[str], plane: Plane) -> list[dict[str, Any]]:
    """Return where the middle of each cluster is drawn: the median along each axis."""
    parts = [slice(start, end) for start, end in pairwise(source.starts.tolist())]
    return [
        {"cluster": name, "x": float(np.median(plane.x[part])), "y": float(np.median(plane.y[part]))}
        for name, part in zip(clusters, parts, strict=True)
    ]


def _outlines(source: Partition, clusters: Sequence[str], plane: Plane) -> list[dict[str, Any]]:
    """Return the corners of an outline around most points of each cluster, in turn; none of many clusters."""
    if len(clusters) > MOST_OUTLINED:
        return []
    corners = []
    for name, (start, end) in zip(clusters, pairwise(source.starts.tolist()), strict=True):
        places = outline(np.column_stack([plane.x[start:end], plane.y[start:end]]))
        corners += [{"cluster": name, "x": x, "y": y, "corner": at} for at, (x, y) in enumerate(places.tolist())]
    return corners


def display(names: Sequence[Any]) -> list[str]:
    """Return the names of clusters as text, told apart where two read the same: 1 and '1'."""
    texts = [str(name) for name in names]
    return texts if len(set(texts)) == len(texts) else [repr(name) for name in names]
