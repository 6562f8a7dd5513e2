"""The partitions of a sweep, however they come: labels that are there already, or an algorithm to run for each k."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers, numbered
from clustval.errors import InputError
from clustval.homes.any_frame import as_frame
from clustval.inputs import Labels, one_of
from clustval.relative.estimators import as_labelling, check_takes_distances, clusterer, numbers_of_clusters
from clustval.relative.grids import is_several, partitions_by
from clustval.seeding import generators
from clustval.sources.hierarchy import Tree
from clustval.sources.space import Space

LabelsByName = dict[Hashable, Any]

TOGETHER = 256  # labellings that are coded at a time
LINKAGES = ("single", "complete", "average", "weighted", "centroid", "median", "ward")
OF_CENTRES = ("centroid", "median", "ward")  # they move centres, which only Euclidean distances have


def labellings(
    space: Space,
    partitions: Any = None,
    *,
    estimator: Any = None,
    k: int | Iterable[int] | None = None,
    linkage: str | None = None,
    random_state: Any = None,
    called: str = "partitions",
) -> LabelsByName:
    """Return labels by the name of their partition, as the user passes them or as an algorithm makes them.

    Errors speak of partitions by the name of the parameter that the user calls them by.
    """
    options = [
        f"{name}=" for name, value in (("estimator", estimator), ("linkage", linkage), ("k", k)) if value is not None
    ]
    if partitions is not None:
        if options:
            hint = ""
            if isinstance(partitions, str):  # the name of an algorithm, more likely than that of a column
                name = partitions.lower()
                hint = f" linkage={name!r} cuts a tree." if name in LINKAGES else " estimator= takes an algorithm."
            msg = f"Give either partitions or {' and '.join(options)}; partitions are clustered already.{hint}"
            raise InputError(msg)
        return _checked(partitions, space, called)
    if estimator is not None and linkage is not None:
        msg = "Give either estimator= or linkage=, not both."
        raise InputError(msg)
    numbers = numbers_of_clusters(default_numbers(space.n) if k is None else k, space.n)
    if linkage is not None:
        return cuts(tree(space, linkage), numbers)
    if is_several(estimator):
        return partitions_by(clustered_rows(space, estimator), estimator, numbers, generators(random_state))
    return _clustered(space, estimator, numbers, random_state)


def default_numbers(n: int) -> range:
    """Return the numbers of clusters that are tried if none are named: 2 up to the root of n, rounded up."""
    return range(min(2, n), min(n, max(2, math.isqrt(n - 1) + 1)) + 1)


# --- labels that are there already -----------------------------------------------------------------------


def _checked(partitions: Any, space: Space, called: str) -> LabelsByName:
    n = space.n
    by_name = partitions_by_name(partitions, called)
    if not by_name:
        msg = f"{called} is empty; give at least one labelling of the rows of X."
        raise InputError(msg)
    for name, labels in by_name.items():
        if isinstance(labels, (str, bytes)) or not hasattr(labels, "__len__"):
            msg = f"{called} must hold one labelling per partition; {name!r} is {labels!r}. Put a single one in a list."
            raise InputError(msg)
        if len(labels) != n:
            hint = ""
            if isinstance(partitions, np.ndarray) and len(partitions) == n:
                hint = f" Give one row per partition, as {called}.T does."
            msg = f"X has {n} rows but partition {name!r} has {len(labels)} entries.{hint}"
            raise InputError(msg)
    rows = space.row_names
    return {name: inputs.aligned(labels, rows, f"partition {name!r}") for name, labels in by_name.items()}


def partitions_by_name(partitions: Any, called: str = "partitions") -> LabelsByName:
    """Return labels by the name of their partition: the keys, columns or positions of what was passed."""
    if inputs.clusters(partitions):
        msg = "partitions is an estimator; give it as estimator=, with the numbers of clusters to try as k=."
        raise InputError(msg)
    if isinstance(partitions, Mapping):
        return dict(partitions)
    if isinstance(partitions, (list, tuple, np.ndarray)):
        return dict(enumerate(partitions))
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame: Any = as_frame(partitions, called, series=False)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return {column: frame.get_column(column).to_native() for column in frame.columns}
    if isinstance(partitions, Iterable) and not isinstance(partitions, (str, bytes)):
        return dict(enumerate(partitions))
    msg = (
        f"{called} must be a mapping from names to labels, a list of labels, an array of one row per partition "
        f"or a data frame of one column per partition; it is {partitions!r}."
    )
    raise InputError(msg)


def coded(by_name: LabelsByName, noise: str, weights: Floats | None = None) -> list[Labels]:
    """Return the labels of each partition as codes, without points of weight 0."""
    names, columns = list(by_name), list(by_name.values())

    def alone(name: Hashable, labels: Any) -> Labels:
        return inputs.as_labels(labels, f"partition {name!r}", noise=noise, weights=weights)

    alone(names[0], columns[0])  # says if there is no such policy
    labels: list[Labels] = []
    for lo in range(0, len(columns), TOGETHER):
        some = columns[lo : lo + TOGETHER]
        plain = all(isinstance(g, np.ndarray) and g.dtype.kind in "iu" and g.ndim == 1 for g in some)
        quick = _coded_together(np.stack(some)) if plain and len(some) > 1 and weights is None else None
        labels += quick or [alone(name, g) for name, g in zip(names[lo:], some, strict=False)]
    return labels


def _coded_together(rows: NDArray[Any]) -> list[Labels] | None:
    """Return what `as_labels` returns for each row of small whole numbers; None if there are others, or noise."""
    if rows.min() < 0 or rows.max() >= 4 * rows.shape[1]:
        return None
    width = int(rows.max()) + 1
    at = rows + width * np.arange(len(rows))[:, None]
    present = np.zeros((len(rows), width), dtype=bool)
    present.ravel()[at] = True
    counts = present.sum(axis=1)
    dense = np.array_equal(counts, rows.max(axis=1) + 1)  # then labels are codes already
    codes = rows.astype(np.int64) if dense else (np.cumsum(present, axis=1) - 1).ravel()[at]
    names, ends = np.nonzero(present)[1].tolist(), np.cumsum(counts).tolist()
    return [Labels(row, names[lo:hi]) for row, (lo, hi) in zip(codes, pairwise([0, *ends]), strict=True)]


# --- algorithms ------------------------------------------------------------------------------------------


def _clustered(space: Space, estimator: Any, numbers: list[int], random_state: Any) -> LabelsByName:
    """Cluster for each k, with random numbers that depend on k and the seed, not on what else is tried."""
    points = clustered_rows(space, estimator)
    algorithm = clusterer(estimator)
    generator = generators(random_state)
    by_name: LabelsByName = dict.fromkeys(numbers)
    cluster = algorithm.of(points, numbers)

    def work(item: int) -> None:
        number = numbers[item]
        labels = cluster(number, generator(number))
        by_name[number] = as_labelling(labels, space.n, algorithm.name, number)

    # Estimators have threads of their own, and may not bear ours.
    algorithm.run(work, len(numbers), space.n_jobs if algorithm.built_in else 1)
    return by_name


def clustered_rows(space: Space, estimator: Any) -> Floats:
    """Return what is clustered: coordinates, or distances if there are no others."""
    if space.X is not None and space.metric != "gower":
        return space.X
    own = estimator.values() if isinstance(estimator, Mapping) else estimator
    if own is None or isinstance(own, str) or (isinstance(own, Iterable) and any(each is None for each in own)):
        msg = f"k-means needs coordinates; with metric={space.called!r} give an estimator of distances, or linkage=."
        raise InputError(msg)
    for each in own if isinstance(own, Iterable) and not isinstance(own, tuple) else [own]:
        check_takes_distances(each, space.called)
    return space.rows(np.arange(space.n)) if space.distances is None else space.distances


def tree(space: Space, linkage: str) -> NDArray[np.float64]:
    """Return the merges of SciPy's hierarchical clustering: n - 1 rows, of which the first two columns are merged."""
    from scipy.cluster.hierarchy import linkage as merge  # noqa: PLC0415 - only trees need it
    from scipy.spatial.distance import pdist, squareform  # noqa: PLC0415

    one_of(linkage, LINKAGES, "linkage")
    if linkage in OF_CENTRES and not space.euclidean:
        msg = (
            f"linkage={linkage!r} moves centres, which needs Euclidean distances of coordinates; the metric is "
            f"{space.metric!r}. Use 'average', 'complete', 'single' or 'weighted'."
        )
        raise InputError(msg)
    if space.n < 2:
        msg = "A tree needs at least 2 points; X has 1 row."
        raise InputError(msg)
    if 4 * space.n**2 > space.memory:
        msg = (
            f"A tree of {space.n} points needs {4 * space.n**2 / 2**30:.3g} GiB for distances, more than the budget of "
            f"{space.memory / 2**30:.3g} GiB. Raise memory= or use an estimator."
        )
        raise InputError(msg)
    distances: Any = space.X
    if space.distances is not None:
        distances = squareform(space.distances, checks=False)
    elif not space.euclidean:
        distances = squareform(space.between(distances, distances), checks=False)
    elif space.n == space.p:
        distances = pdist(distances)  # as SciPy does itself, but with a warning that X looks like distances
    return np.asarray(merge(distances, cast("Any", linkage)))


def cuts(merges: NDArray[np.float64], numbers: list[int]) -> LabelsByName:
    """Return the labels of a tree cut into each number of clusters, exactly that many even where heights are equal.

    >>> merges = np.array([[0, 1, 1.0, 2], [2, 3, 1.0, 2], [4, 5, 7.0, 4]])
    >>> {k: labels.tolist() for k, labels in cuts(merges, [1, 2, 3]).items()}
    {1: [0, 0, 0, 0], 2: [0, 0, 1, 1], 3: [0, 0, 1, 2]}
    """
    joined, n = merges[:, :2].astype(np.int64), len(merges) + 1
    sizes = [1] * n
    for left, right in joined.tolist():
        sizes.append(sizes[left] + sizes[right])
    tree = Tree(joined, np.arange(n - 1.0), np.array(sizes))  # in the order of the rows, whatever their heights

    def cut(number: int) -> Integers:
        begins = np.zeros(n, dtype=np.int64)
        begins[tree.spans[n - number :, 1]] = 1  # where the last merges joined two clusters, from left to right
        return numbered(begins.cumsum()[tree.places])

    return {number: cut(number) for number in numbers}
