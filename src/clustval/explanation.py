"""What an evaluation will take, before any of it is done: passes, pairs, seconds, bytes, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.catalogue import select
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Request, plan_of
from clustval.errors import UndefinedIndexError
from clustval.evaluation import Names, source_of
from clustval.inputs import read_as
from clustval.progress import duration
from clustval.result import Result
from clustval.sources.blocks import Blocks
from clustval.sources.way_plan import Pass, WayPlan
from clustval.tables import Table, WithTable, text_table

SHOWN = 12  # indices that are left out, by name
WIDTH = 60  # letters of names of statistics


@dataclass(frozen=True, repr=False, eq=False)
class Explanation(WithTable, Result):
    """The passes of an evaluation with their cost, and why indices are left out."""

    points: int
    columns: int | None  # None where there are only distances
    clusters: int
    indices: int  # that will be computed
    table: Table  # one row per pass: its name, its statistics, pairs, seconds, bytes
    left_out: Mapping[str, str]  # reasons, by index

    @property
    def seconds(self) -> float:
        """About how long all passes take, on the safe side."""
        return float(self.table["seconds"].sum())

    @property
    def bytes(self) -> int:
        """About how many bytes are held at most, beside the data."""
        return int(self.table["bytes"].max(initial=0))

    @property
    def pairs(self) -> int:
        """Pairs of points that are visited, in all passes together."""
        return int(self.table["pairs"].sum())

    @property
    def _conclusion(self) -> str:
        return "\n".join(self.notes)

    @property
    def notes(self) -> list[str]:
        """How many indices there will be, in which time, and which are left out, in lines."""
        amount = f"about {duration(self.seconds)}" if self.seconds >= 1 else "less than a second"
        lines = [f"{self.indices} indices in {amount}, with {_amount(self.bytes)} beside the data."]
        if self.left_out:
            lines.append(f"{len(self.left_out)} left out:")
            lines += [f"  {name}: {reason}" for name, reason in list(self.left_out.items())[:SHOWN]]
            if len(self.left_out) > SHOWN:
                lines.append(f"  ... and {len(self.left_out) - SHOWN} more in .left_out")
        return lines

    @property
    def head(self) -> str:
        """What is evaluated, in a line."""
        columns = "distances only" if self.columns is None else f"{self.columns} columns"
        return f"{self.points:,} points, {columns}, {self.clusters:,} clusters."

    @property
    def rows(self) -> list[dict[str, str]]:
        """The passes as they are printed."""
        return [
            {
                "pass": row["pass"],
                "statistics": _shortened(row["statistics"]),
                "pairs": f"{row['pairs']:,}" if row["pairs"] else "—",
                "seconds": f"{row['seconds']:.2g}" if row["seconds"] else "—",
                "bytes": _amount(row["bytes"]),
            }
            for row in self.table.records
        ]

    def __str__(self) -> str:
        cells = [tuple(self.table), *(tuple(row.values()) for row in self.rows)]
        return f"{self.head}\n{text_table(cells, right=(2, 3, 4))}\n{self._conclusion}"

    __repr__ = __str__


def explain(
    X: Any,
    labels: Any = None,
    indices: Names = "default",
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    sample_weight: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    features: Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    neighbours: Any = None,
    executor: Any = None,
) -> Explanation:
    """Return what `evaluate` will do with the same arguments: its passes, their cost, and what it leaves out.

    No statistic is computed. Of data that are read in blocks the labels are read once, to know the clusters. Seconds
    are those of a slow machine, so that they are rather too many than too few; bytes are those beside the data.

    Parameters
    ----------
    X
        As `evaluate` takes it.
    labels
        As `evaluate` takes them.
    indices
        A suite, a name, several, or a mapping from names to options.
    metric
        The distance between two points.
    noise
        What happens to noise: "drop", "cluster", "singletons", "error" or "penalty".
    sample_weight
        How often each point counts.
    n_jobs
        Number of threads; None for all cores.
    memory
        Budget for pairwise work in bytes or as text, "2 GiB".
    features
        Columns that are the points, where X is read in blocks.
    use_rep
        Which representation of annotated cells is the points, X_pca unless it is said. UMAP and t-SNE are refused.
    force
        Judge in UMAP or t-SNE all the same.
    neighbours
        A graph of nearest neighbours that is there already.
    executor
        Who reads the blocks.

    >>> plan = explain([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], ["dunn", "calinski_harabasz"])
    >>> plan.pairs, plan.left_out
    (15, {})
    """
    noise, _ = read_as(noise)
    choices = select(indices, "internal", metric=metric)
    if isinstance(X, Blocks):
        return explanation_of(X, choices)
    plan = plan_of(choices, memory=memory, limited=True, dry=True)
    common: dict[str, Any] = {"metric": metric, "noise": noise, "n_jobs": n_jobs, "plan": plan}
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force, "neighbours": neighbours}
    source = source_of(X, labels, sample_weight=sample_weight, executor=executor, **home, **common)
    return explanation_of(source, choices)


def explanation_of(source: Any, choices: Sequence[Request]) -> Explanation:
    """Return what the indices of a source take."""
    left_out: dict[str, str] = {}
    for choice in choices:
        try:
            source.check(choice.index)
        except UndefinedIndexError as reason:
            left_out[choice.name] = str(reason)
    needs = {need for choice in choices if choice.name not in left_out for need in choice.needs}
    passes = WayPlan(source, needs).passes
    columns = source.p if source.has_coordinates else None
    return Explanation(source.n, columns, source.k, len(choices) - len(left_out), _table(passes), left_out)


def _table(passes: Sequence[Pass]) -> Table:
    return Table(
        {
            "pass": np.array([one.name for one in passes], dtype=object),
            "statistics": np.array([", ".join(one.statistics) for one in passes], dtype=object),
            "pairs": np.array([one.pairs for one in passes], dtype=np.int64),
            "seconds": np.array([one.seconds for one in passes], dtype=np.float64),
            "bytes": np.array([one.bytes for one in passes], dtype=np.int64),
        }
    )


def _shortened(names: str) -> str:
    first, *others = names.split(", ")
    shown = [first]
    while others and len(", ".join([*shown, others[0]])) <= WIDTH:
        shown.append(others.pop(0))
    return ", ".join(shown) + (f" and {len(others)} more" if others else "")


def _amount(count: float) -> str:
    """Return a number of bytes in words.

    >>> _amount(0), _amount(2500), _amount(3 * 2**20)
    ('—', '2.44 KiB', '3 MiB')
    """
    for unit in ("B", "KiB", "MiB"):
        if count < 1024:
            return f"{count:.3g} {unit}" if count else "—"
        count /= 1024
    return f"{count:.3g} GiB"
