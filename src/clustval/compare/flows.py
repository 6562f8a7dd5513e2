"""Labellings of the same points side by side: which points of a cluster are in which cluster of the next one."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from clustval.arrays import Integers
from clustval.labels import encode, noise_name
from clustval.layered import Cluster, LayeredDrawing, layered

MOST_CLUSTERS = 60  # of one labelling: more cannot be told apart


def flows_between(labellings: Mapping[str, Any]) -> LayeredDrawing | None:
    """Return bars for the clusters of each labelling and ribbons for the points that neighbouring ones share.

    A cluster has the colour of the cluster of the first labelling that most of its points are in. Noise is a cluster.
    None where there are more clusters than can be told apart.

    >>> drawing = flows_between({"truth": ["a", "a", "b"], "found": [0, 1, 1]})
    >>> [(ribbon.source.cluster.name, ribbon.target.cluster.name, ribbon.size) for ribbon in drawing.ribbons]
    [('a', 0, 1), ('a', 1, 1), ('b', 1, 1)]
    """
    columns = [_with_noise(*encode(labels, name)) for name, labels in labellings.items()]
    if len(columns) < 2 or max(len(names) for _, names in columns) > MOST_CLUSTERS:
        return None
    first = columns[0]
    clusters = []
    for codes, names in columns:
        counts = _table(first, (codes, names))
        sizes, groups = counts.sum(axis=0).tolist(), counts.argmax(axis=0).tolist()
        parts = zip(names, sizes, groups, strict=True)
        clusters.append([Cluster(name, size, f"{name}: {size:,} points", group) for name, size, group in parts])
    shared = []
    for before, after in pairwise(columns):
        counts = _table(before, after)
        cells = zip(*np.nonzero(counts), strict=True)
        shared.append({(before[1][row], after[1][column]): int(counts[row, column]) for row, column in cells})
    return layered(clusters, shared, list(labellings))


Column = tuple[Integers, list[Any]]


def _with_noise(codes: Integers, names: list[Any]) -> Column:
    """Return codes and names with a name for noise, if there is noise."""
    noise = codes < 0
    return (np.where(noise, len(names), codes), [*names, noise_name(names)]) if noise.any() else (codes, names)


def _table(one: Column, other: Column) -> Integers:
    """Return how many points are in each cluster of one and of the other."""
    (a, rows), (b, columns) = one, other
    counts = np.bincount(a * len(columns) + b, minlength=len(rows) * len(columns))
    return counts.reshape(len(rows), len(columns))
