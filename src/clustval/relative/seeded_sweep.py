"""Clusterings over a parameter and over seeds: which are the same, where they stay the same, which points are sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers, numbered
from clustval.errors import InputError
from clustval.labels import as_text, objects
from clustval.layered import Cluster, LayeredDrawing, Scale, layered
from clustval.passes.labels.element_centric import similarities
from clustval.relative.estimators import number_parameter, parameters_of
from clustval.relative.grids import has_grid, runs_of
from clustval.relative.leiden import Leiden
from clustval.relative.sweep_result import Sweep
from clustval.relative.tree_colours import Colours, colours_of
from clustval.seeding import generators
from clustval.sources.adjacency import Adjacency
from clustval.tables import Table

ALIKE = 0.99  # similarity from one value to the next from which a plateau goes on
DIGITS, ALL_DIGITS = 4, 17  # of the values of a parameter in names


class SeededSweep(Sweep):
    """A sweep over a parameter and over seeds.

    The partitions are those that stand for the values of the parameter: of all that the seeds give, the one most like
    the others. Those that are the same are counted once, and named after their values ("0.2 to 1.5").

    Attributes
    ----------
    parameter
        What was changed: "resolution", "k", or the name of a parameter.
    layers
        For each value of the parameter: the number of clusters, the partition that stands for it, how many different
        partitions the seeds gave, the mean consistency of points over seeds, and how like the value before it is.
    consistency
        For each value of the parameter, the consistency of each point over seeds: the mean element-centric similarity
        over pairs of seeds (Gates et al. 2019).
    """

    def __init__(
        self, swept: Sweep, parameter: str, layers: Table, consistency: Floats, graph: Adjacency | None = None
    ) -> None:
        super().__init__(**swept._parts())  # noqa: SLF001 - its own kind
        self.parameter, self.layers, self.consistency = parameter, layers, consistency
        self.graph = graph  # that was clustered, if one was; JSON, which keeps values only, has none

    def _plain(self) -> Sweep:
        return Sweep(**self._parts())

    def _content(self) -> dict[str, Any]:
        own = {"parameter": self.parameter, "layers": self.layers, "consistency": self.consistency}
        return {"swept": self._plain(), **own}

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._plain(), self.parameter, self.layers, self.consistency, self.graph)

    @property
    def _long_runs(self) -> list[list[int]]:
        """The places of the values of each plateau."""
        records = self.layers.records
        runs: list[list[int]] = []
        for at, record in enumerate(records):
            goes_on = at > 0 and record["k"] == records[at - 1]["k"] and record["similarity"] >= ALIKE
            if goes_on:
                runs[-1].append(at)
            else:
                runs.append([at])
        return [run for run in runs if len(run) > 1]

    @property
    def plateaus(self) -> Table:
        """Values of the parameter over which the clustering stays the same, or 99 % alike with as many clusters."""
        records, long = self.layers.records, self._long_runs
        return Table(
            {
                "first": objects([records[run[0]]["value"] for run in long]),
                "last": objects([records[run[-1]]["value"] for run in long]),
                "k": np.array([records[run[0]]["k"] for run in long], dtype=np.int64),
                "values": np.array([len(run) for run in long], dtype=np.int64),
                "same": np.array([len({records[at]["partition"] for at in run}) == 1 for run in long], dtype=bool),
                "consistency": np.array([np.mean([records[at]["consistency"] for at in run]) for run in long]),
            }
        )

    @property
    def sentences(self) -> list[str]:
        """The plateaus in words, the longest first."""
        texts = texts_of(self.layers["value"].tolist())
        plateaus = zip(self.plateaus.records, self._long_runs, strict=True)
        return [
            f"{texts[run[0]]} to {texts[run[-1]]}: "
            + (f"the same {r['k']} clusters" if r["same"] else f"{r['k']} clusters, 99 % alike from one to the next")
            for r, run in sorted(plateaus, key=lambda plateau: -len(plateau[1]))
        ]

    @property
    def _conclusion(self) -> str:
        plateaus = "; ".join(self.sentences[:3]) or "no plateau"
        return f"{super()._conclusion}\n{self.parameter}: {plateaus}".strip()

    def _of_points(self) -> dict[str, Any]:
        columns: dict[str, Any] = {}
        for name, labels in self.labels.items():
            columns[f"{self.parameter}_{name}"] = objects(as_text(labels))
            columns[f"consistency_{name}"] = self._consistency(name)
        return columns

    def _tables(self) -> dict[str, Any]:
        return super()._tables() | {name: getattr(self, name).to_pandas() for name in ("layers", "plateaus")}

    def _parameters(self) -> dict[str, Any]:
        return {"parameter": self.parameter}

    def drawing(self, colour: Any = None) -> LayeredDrawing:
        """Where the tree of clusters is drawn: a column for each partition, equal partitions and equal clusters once.

        `colour` is what deepens the colour of a cluster: None for the mean consistency of its points over seeds; one
        class for each point, for its purity; one number for each point, for their mean; "gap" for how far the parts lie
        apart that it falls into next (their mean silhouette; in a graph, 1 minus the edges between parts over those
        that chance would put there); or a mapping from the name of each partition to a value for each of its clusters.
        """
        names = list(dict.fromkeys(self.layers["partition"].tolist()))
        codes = [np.asarray(self.labels[name]) for name in names]
        if colour is None:
            consistency = [self._sure(name, own) for name, own in zip(names, codes, strict=True)]
            colours = Colours("consistency over seeds", consistency)
        else:
            colours = colours_of(colour, names, codes, self.space, self.graph)
        columns = [
            [
                Cluster(
                    number,
                    int(size),
                    f"{self.parameter} {name}, cluster {number}: {size:,} points, {colours.words(at, number)}",
                    value=colours.share(at, number),
                )
                for number, size in enumerate(np.bincount(own[own >= 0]).tolist())
            ]
            for at, (name, own) in enumerate(zip(names, codes, strict=True))
        ]
        shared = [_shared(one, other) for one, other in pairwise(codes)]
        scale = Scale(colours.what, colours.low, colours.high)
        return layered(columns, shared, [str(name) for name in names], scale=scale, once=True)

    def _sure(self, name: Any, codes: Integers) -> Floats:
        """Return the mean consistency of the points of each cluster, over the values that have this partition."""
        points, present = self._consistency(name), codes >= 0
        sums: Floats = np.bincount(codes[present], weights=points[present]) / np.bincount(codes[present])
        return sums

    def _consistency(self, name: Any) -> Floats:
        """Return the mean consistency of each point, over the values that have this partition."""
        lines = [at for at, own in enumerate(self.layers["partition"].tolist()) if own == name]
        means: Floats = self.consistency[lines].mean(axis=0)
        return means

    def plot(self, indices: str | Iterable[str] | None = None, **options: Any) -> Any:
        """Draw the curves of indices; or with "tree" the clusters of each value, sized by points, and what they share.

        For the tree, `colour` is what deepens the colour of clusters, as in `drawing`.
        """
        if indices != "tree":
            return super().plot(indices, **options)
        from clustval.plot import cluster_tree  # noqa: PLC0415 - loads matplotlib

        return cluster_tree(self, **options)


# --- runs ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layer:
    """What all seeds give for one value of the parameter: each different partition, and how often it was found."""

    value: Any
    codes: Integers  # (partitions, points)
    counts: Integers

    @classmethod
    def of(cls, value: Any, runs: Sequence[Integers]) -> Layer:
        """Count partitions that are the same once, whatever their clusters are called."""
        found: dict[bytes, int] = {}
        for codes in runs:
            key = codes.tobytes()
            found[key] = found.get(key, 0) + 1
        distinct = [np.frombuffer(key, dtype=np.int64) for key in found]
        return cls(value, np.array(distinct), np.array(list(found.values()), dtype=np.int64))


def seeds_of(seeds: Any) -> list[int]:
    """Return seeds: so many from 0 on, or those that are listed."""
    if isinstance(seeds, Iterable) and not isinstance(seeds, (str, bytes)):
        listed = [inputs.at_least(seed, 0, "seeds") for seed in seeds]
        if not listed or len(set(listed)) != len(listed):
            msg = f"seeds must be a number, or different whole numbers; it is {seeds!r}."
            raise InputError(msg)
        return listed
    return list(range(inputs.at_least(seeds, 1, "seeds")))


def resolutions_of(resolution: Any) -> list[float]:
    """Return resolutions, ascending, each once."""
    given = [resolution] if isinstance(resolution, (int, float, np.number)) else resolution
    try:
        values = np.unique(np.asarray(list(given), dtype=np.float64))
    except (TypeError, ValueError):
        values = np.empty(0)
    if len(values) == 0 or not (np.isfinite(values) & (values > 0)).all():
        msg = f"resolution must be positive numbers, such as np.geomspace(0.1, 4, 24); it is {resolution!r}."
        raise InputError(msg)
    return [float(value) for value in values]


def leiden_layers(leiden: Leiden, resolutions: list[float], seeds: list[int], done: Any) -> list[Layer]:
    """Return the communities of a graph for each resolution and seed."""
    layers = []
    for value in resolutions:
        runs = []
        for seed in seeds:
            runs.append(leiden.labels(value, seed))
            if done is not None:
                done(0)
        layers.append(Layer.of(value, runs))
    return layers


def estimator_layers(
    X: Any, estimator: Any, numbers: Iterable[int], seeds: list[int], done: Any
) -> tuple[str, list[Layer]]:
    """Return what is changed, and what the seeds give for each of its values.

    An algorithm that draws no random numbers runs once for each value: all seeds would give the same.
    """
    alone, grid = estimator if has_grid(estimator) else (estimator, {})
    if isinstance(alone, (Mapping, list, tuple)):
        msg = "seeds= goes over one estimator, alone or with the values of its parameters: (HDBSCAN(), {...})."
        raise InputError(msg)
    counted = not hasattr(alone, "fit_predict") or number_parameter(alone) not in {None, *grid}
    names = [*grid, *(["k"] if counted else [])]
    draws = not hasattr(alone, "fit_predict") or any("random_state" in name for name in parameters_of(alone))
    values = _values_by_run(grid, list(numbers) if counted else [None])
    layers = []
    for run, value in zip(runs_of([estimator], numbers), values, strict=True):
        runs = []
        for seed in seeds if draws else seeds[:1]:
            labels = inputs.as_labels(run.labels(X, generators(seed)), f"the result of {run.name}").codes
            runs.append(numbered(labels))
            if done is not None:
                done(0)
        layer = Layer.of(value, runs)
        layers.append(layer if draws else Layer(value, layer.codes, np.array([len(seeds)])))
    return ", ".join(names), layers


def _values_by_run(grid: Mapping[str, Any], numbers: list[Any]) -> list[Any]:
    """Return the values of what is changed, in the order of runs: alone where one thing is changed, else as text."""
    rows = [(*setting, *([] if k is None else [k])) for setting in product(*grid.values()) for k in numbers]
    return [row[0] if len(row) == 1 else ", ".join(map(str, row)) for row in rows]


def seeded_sweep(
    parameter: str,
    layers: list[Layer],
    scored: Callable[[dict[str, Integers]], Sweep],
    graph: Adjacency | None = None,
) -> SeededSweep:
    """Return the sweep of layers; `scored` evaluates partitions by name, of a graph or of points."""
    consistency, middles, seen = [], [], []
    for layer in layers:
        alike, points = similarities(layer.codes, layer.counts)
        means = alike @ layer.counts
        middles.append(layer.codes[int(np.lexsort((-layer.counts, -means))[0])])
        consistency.append(points)
        seen.append(len(layer.counts))
    same: dict[bytes, list[int]] = {}
    for at, codes in enumerate(middles):
        same.setdefault(codes.tobytes(), []).append(at)
    texts = texts_of([layer.value for layer in layers])
    names = {key: _named([texts[at] for at in places], places) for key, places in same.items()}
    before = [np.nan]
    for one, other in pairwise(middles):
        before.append(float(similarities(np.array([one, other]), np.array([1, 1]))[0][0, 1]))
    table = Table(
        {
            "value": objects([layer.value for layer in layers]),
            "k": np.array([int(codes.max()) + 1 for codes in middles], dtype=np.int64),
            "partition": objects([names[codes.tobytes()] for codes in middles]),
            "different": np.array(seen, dtype=np.int64),
            "consistency": np.array([float(points.mean()) for points in consistency]),
            "similarity": np.array(before),
        }
    )
    partitions = {names[key]: middles[places[0]] for key, places in same.items()}
    return SeededSweep(scored(partitions), parameter, table, np.array(consistency), graph)


# --- words -----------------------------------------------------------------------------------------------


def _named(texts: Sequence[str], places: Sequence[int]) -> str:
    """Return the name of a partition: its values, neighbours from the first to the last.

    >>> _named(["0.1", "0.2", "0.3", "0.5"], [0, 1, 2, 4])
    '0.1 to 0.3, 0.5'
    """
    runs: list[list[int]] = []
    for at, place in enumerate(places):
        if at and place == places[at - 1] + 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    parts = [texts[run[0]] + (f" to {texts[run[-1]]}" if len(run) > 1 else "") for run in runs]
    return ", ".join(parts)


def texts_of(values: Sequence[Any]) -> list[str]:
    """Return values as different texts: numbers to four digits, or to more where others would have the same text.

    Values that are the same in all digits are counted, since seeds may give different partitions for each of them.

    >>> texts_of([0.123456, 1.0, 1.00002, 1.00005, 2.0, 2.0])
    ['0.1235', '1', '1.00002', '1.00005', '2', '2 (2)']
    """
    texts = [_text(value, DIGITS) for value in values]
    for text in set(texts):
        places = [at for at, other in enumerate(texts) if other == text]
        written = [[_text(values[at], digits) for at in places] for digits in range(DIGITS, ALL_DIGITS + 1)]
        different = len(set(written[-1]))
        shortest = next(row for row in written if len(set(row)) == different)
        for at, longer in zip(places, shortest, strict=True):
            texts[at] = longer
    seen: Counter[str] = Counter()
    for at, text in enumerate(texts):
        seen[text] += 1
        texts[at] = text if seen[text] == 1 else f"{text} ({seen[text]})"
    return texts


def _text(value: Any, digits: int) -> str:
    return f"{value:.{digits}g}" if isinstance(value, float) else str(value)


def _shared(before: Integers, after: Integers) -> dict[tuple[Any, Any], int]:
    both = (before >= 0) & (after >= 0)
    pairs, counts = np.unique(np.column_stack([before[both], after[both]]), axis=0, return_counts=True)
    return {(int(c), int(d)): int(n) for (c, d), n in zip(pairs.tolist(), counts.tolist(), strict=True)}
