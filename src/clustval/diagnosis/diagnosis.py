"""The diagnosis: what is wrong with a clustering, on which evidence, what to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.diagnosis.look import Look, Observer
from clustval.diagnosis.repair import Step, repaired
from clustval.errors import InputError, suggestion
from clustval.inputs import is_number
from clustval.lazy import cached_property
from clustval.result import Result
from clustval.tables import Table, html_table, number, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tables import PandasFrame, PolarsFrame

SHOWN = 30  # clusters in the printed table
MOST_ACTIONS = 12
RANKED = 0.5  # P(in no cluster) from which on a point is ranked among strays
COLUMNS = {
    "cluster": "cluster",
    "size": "size",
    "verdict": "verdict",
    "nearest": "nearest",
    "separate": "P(separate)",
    "two": "P(two)",
    "purity": "purity",
    "silhouette": "silhouette",
}


@dataclass(frozen=True, eq=False)
class Behind:
    """What a diagnosis was made from, for what is computed when it is asked for."""

    observer: Observer
    look: Look
    names: list[Any]
    labels: np.ndarray  # names by point, None for noise
    rows: Integers  # rows of X that were looked at


@dataclass(frozen=True, repr=False, eq=False)
class Diagnosis(Result):
    """Verdicts on clusters, pairs of neighbouring clusters and points, with the evidence and what to do.

    Attributes
    ----------
    title
        The diagnosis in a sentence.
    clusters
        Table of one row per cluster: ``cluster``, ``size``, ``verdict``, ``nearest`` (the neighbour that it is least
        separate from, or the cluster with the nearest mean where it borders on none), ``separate`` (P(separate) from
        the neighbour; NaN without one), ``two`` (P(two)), ``purity`` (share of nearest neighbours
        in the same cluster), ``silhouette``; with an estimator ``stability`` (mean Jaccard) and
        ``stability_of_nothing``.
    pairs
        Table of one row per pair of neighbouring clusters: ``a``, ``b``, ``verdict``, ``separate``, ``populations``
        (P(two populations)), ``p_value`` and ``p_holm`` against cuts of homogeneous clusters, and each witness.
    points
        Table of one row per row of X: ``row``, ``label``, ``better``, ``wrong`` (P(wrong)), ``stray`` (P(in no
        cluster)), ``kind``: core, border, misplaced, outlier, noise, or noise that belongs to a cluster.
    merges, splits
        Pairs of names that are one population, and names of clusters that are two.
    misplaced
        Rows of X that are in the wrong cluster.
    actions
        What to do, in sentences with their evidence, surest first.
    alarms
        Oddities that sizes alone show: one giant cluster, much noise, clusters that cannot be judged.
    valleys
        For each pair the density along its axis: ``places``, ``density``, and the place of the ``valley``.
    places
        Where clusters lie on the map that `plot` draws (k, 2): by the distances of their means.
    topics, batches
        What `texts` and `batch` show, None without them.
    """

    _sources = ("behind",)

    title: str
    clusters: Table
    pairs: Table
    points: Table
    merges: list[tuple[Any, Any]]
    splits: list[Any]
    misplaced: Integers
    actions: list[str]
    alarms: list[str]
    halves: dict[Any, tuple[Integers, Integers]]
    valleys: dict[tuple[Any, Any], dict[str, Any]]
    places: Floats
    topics: Table | None = None
    batches: Table | None = None
    behind: Behind | None = None

    # --- what to do ----------------------------------------------------------------------------------------

    def parts(self, name: Any) -> tuple[Integers, Integers]:
        """Return the rows of the two parts that a cluster would be split into."""
        if name not in self.halves:
            names = self.clusters["cluster"].tolist()
            if name in names:
                msg = f"{name!r} is not to be split; {self._to_split}."
            else:
                msg = f"No cluster is called {name!r}; {suggestion(str(name), [str(each) for each in names])}"
                msg = f"{msg} {self._to_split.capitalize()}.".replace(";  ", "; ")
            raise InputError(msg)
        return self.halves[name]

    @property
    def _to_split(self) -> str:
        return "clusters to split: " + ", ".join(map(repr, self.splits)) if self.splits else "no cluster is"

    @property
    def strays(self) -> Integers:
        """Rows of X that may belong to no cluster, most likely first: a ranking, not a verdict."""
        stray = np.where(np.array([label is not None for label in self.points["label"]]), self.points["stray"], 0.0)
        order = np.argsort(-stray, kind="stable")
        return self.points["row"][order[: np.count_nonzero(stray >= RANKED)]]

    @cached_property
    def _repair(self) -> tuple[np.ndarray, list[str]]:
        behind = self._behind(self.behind)
        codes, steps = repaired(behind.observer, behind.look)
        names = _new_names(behind.names, steps)
        labels = behind.labels.copy()
        labels[behind.rows] = _by_name(names, codes)
        return labels, [_said(step, names) for step in steps]

    @property
    def repaired(self) -> np.ndarray:
        """Labels after following the sure advice again and again; computed when it is asked for.

        Noise is -1 where labels are whole numbers, and None otherwise. A part that was split off is called after the
        cluster it comes from; of merged clusters the first name stays.
        """
        return _plain(self._repair[0])

    @property
    def steps(self) -> list[str]:
        """What was done for `repaired`, in order."""
        return self._repair[1]

    def rescue(self, at_most: float = 0.05) -> np.ndarray:
        """Return labels with noise given to the cluster it belongs to, surest first, down to that share of noise.

        Points that lie in no cluster stay noise: the share may remain larger.
        """
        if not is_number(at_most) or not 0 <= at_most <= 1:
            msg = f"at_most is a share of the points from 0 to 1; it is {at_most!r}."
            raise InputError(msg)
        labels = self.points["label"].copy()
        homes, stray = self.points["better"], self.points["stray"]
        noise = np.flatnonzero([label is None for label in labels])
        able = noise[[homes[at] is not None for at in noise]] if len(noise) else noise
        order = able[np.argsort(stray[able], kind="stable")]
        spare = max(0, len(noise) - int(float(at_most) * len(labels)))
        labels[order[:spare]] = homes[order[:spare]]
        return _plain(labels)

    # --- shown ---------------------------------------------------------------------------------------------

    def _rows(self) -> list[list[str]]:
        columns = [column for column in COLUMNS if column in self.clusters]
        extra = [column for column in self.clusters if column.startswith("stability")]
        rows = [[*(COLUMNS[column] for column in columns), *(name.replace("_", " ") for name in extra)]]
        for record in self.clusters.records[:SHOWN]:
            cells = (record[column] for column in [*columns, *extra])
            rows.append(["—" if cell is None else number(cell, 2) for cell in cells])
        return rows

    def _sentences(self) -> list[str]:
        more = len(self.actions) - MOST_ACTIONS
        left = [f"... and {more} more in .actions."] if more > 0 else []
        return [*self.alarms, *self.actions[:MOST_ACTIONS], *left] or ["Nothing to do."]

    def __str__(self) -> str:
        more = len(self.clusters["cluster"]) - SHOWN
        rest = [f"... and {more} more clusters in .clusters."] if more > 0 else []
        table = [text_table(self._rows(), right=(1, 4, 5, 6, 7, 8, 9)), *rest] if len(self.clusters["cluster"]) else []
        return "\n".join([self.title, *self._sentences(), "", *table]).rstrip()

    __repr__ = __str__

    def _repr_html_(self) -> str:
        sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in self._sentences())
        return f"<p><b>{escape(self.title)}</b></p><ul>{sentences}</ul>{html_table(self._rows())}"

    def to_pandas(self) -> PandasFrame:
        """Return the table of clusters as a pandas data frame."""
        return self.clusters.to_pandas()

    def to_polars(self) -> PolarsFrame:
        """Return the table of clusters as a polars data frame."""
        return self.clusters.to_polars()

    def _of_points(self) -> dict[str, Any]:
        return {name: self.points[name] for name in ("kind", "better", "wrong", "stray")}

    def _tables(self) -> dict[str, Any]:
        return {name: getattr(self, name).to_pandas() for name in ("clusters", "pairs")}

    def _parameters(self) -> dict[str, Any]:
        return {"actions": self.actions}

    def plot(self, pair: tuple[Any, Any] | None = None, *, ax: Axes | None = None) -> Axes:
        """Draw the map of clusters; for a pair of names, the density along its axis with the valley marked."""
        from clustval.plot.diagnosis_map import diagnosis, valley  # noqa: PLC0415 - a convenience

        return diagnosis(self, ax=ax) if pair is None else valley(self, pair, ax=ax)

    def to_html(self, path: str | Path | None = None, **about: Any) -> str:
        """Return the page of the diagnosis; write it if a path is given. `about` has the fields of `report.About`."""
        from clustval import report  # noqa: PLC0415 - a convenience

        return report.of_diagnosis(self, path, about=report.About(**about))


def _new_names(names: list[Any], steps: list[Step]) -> dict[int, Any]:
    """Return the names of clusters by number, with new ones for parts that were split off."""
    by_code = dict(enumerate(names))
    whole = all(isinstance(name, (int, np.integer)) and not isinstance(name, bool) for name in names)
    for step in steps:
        if step.what == "split":
            old, new = step.clusters
            if whole:
                by_code[new] = max(by_code.values()) + 1
            else:
                number_of_part = 2
                while f"{by_code[old]} ({number_of_part})" in by_code.values():
                    number_of_part += 1
                by_code[new] = f"{by_code[old]} ({number_of_part})"
    return by_code


def _said(step: Step, names: Mapping[int, Any]) -> str:
    if step.what == "move":
        return f"{step.points:,} point{'s' * (step.points != 1)} moved to other clusters"
    a, b = (names[cluster] for cluster in step.clusters)
    if step.what == "merge":
        return f"{a} and {b} merged into {a}, {step.points:,} points"
    return f"{a} split, its second part called {b}"


def _by_name(names: Mapping[int, Any], codes: Integers) -> np.ndarray:
    table = np.empty(max(names, default=0) + 2, dtype=object)
    for code, name in names.items():
        table[code] = name
    return table[codes]  # the last one, which -1 means, is None


def _plain(labels: np.ndarray) -> np.ndarray:
    """Return labels as whole numbers, -1 for noise, where all names are whole numbers; as they are otherwise."""
    kinds = {type(label) for label in labels if label is not None}
    if kinds and kinds <= {int, np.int64}:
        return np.array([-1 if label is None else label for label in labels], dtype=np.int64)
    return labels.copy()
