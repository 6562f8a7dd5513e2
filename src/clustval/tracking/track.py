"""Which cluster became which from one clustering to the next: births, deaths, splits, merges, and who moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Flags, Integers
from clustval.choices import MetricName
from clustval.errors import InputError
from clustval.labels import objects
from clustval.layered import Cluster, LayeredDrawing, layered
from clustval.options import seeded
from clustval.relative.communities import holm
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.tables import Table, WithTable
from clustval.tracking.assign import level_between
from clustval.tracking.labelled import check_comparable
from clustval.tracking.snapshots import Snapshot, snapshots_of, standardized
from clustval.tracking.steps import FEWEST_SHARED, Step

if TYPE_CHECKING:
    from clustval.plot.style import Axes

GONE, NEW, NOISE = "(gone)", "(new)", "(noise)"
WORDS = ("step", "before", "after", "name", "event")
NUMBERS = ("shared", "share_before", "share_after", "centre_shift", "energy", "p_value")


@dataclass(frozen=True, repr=False, eq=False)
class Track(WithTable, Result):
    """How clusters change from one clustering to the next."""

    table: Table  # a row for each cluster before and each that it became: event, shares, drift
    labels: list[NDArray[Any]]  # of the rows of each clustering: names that stay with a cluster from time to time
    moves: Table  # a row for each row of data that is in another cluster than before
    flows: Table  # how many rows go from each cluster to each; also to and from noise, gone and new
    times: list[str]
    by: str  # "ids" or "space"

    def _events(self, event: str, side: str) -> list[tuple[str, Any]]:
        chosen = {(r["step"], r[side]): None for r in self.table.records if r["event"] == event}
        return list(chosen)

    @property
    def births(self) -> list[tuple[str, Any]]:
        """Clusters that come from none before, with the step."""
        return self._events("born", "after")

    @property
    def deaths(self) -> list[tuple[str, Any]]:
        """Clusters that became none after, with the step."""
        return self._events("dissolved", "before")

    @property
    def splits(self) -> list[tuple[str, Any]]:
        """Clusters that became several, with the step."""
        return self._events("splits", "before") + self._events("splits and merges", "before")

    @property
    def merges(self) -> list[tuple[str, Any]]:
        """Clusters that several became, with the step."""
        return self._events("merges", "after") + self._events("splits and merges", "after")

    @property
    def sentences(self) -> list[str]:
        """What happened at each step, in words, and a line more where so few ids are shared that little is known."""
        lines = []
        for step in dict.fromkeys(self.table["step"].tolist()):
            own = [record for record in self.table.records if record["step"] == step]
            lines += [f"{step}: {_step_in_words(own)}", *self._few_shared(step)]
        return lines

    def _few_shared(self, step: str) -> list[str]:
        """Say how many rows of clusters are in both times, where these are so few that clusters come and go by it."""
        if self.by != "ids":
            return []
        flows = [flow for flow in self.flows.records if flow["step"] == step]

        def shared(side: str, other: str, end: str) -> tuple[int, int]:
            own = [flow for flow in flows if flow[side] not in {GONE, NEW, NOISE}]
            return sum(flow["rows"] for flow in own if flow[other] != end), sum(flow["rows"] for flow in own)

        counts = shared("before", "after", GONE), shared("after", "before", NEW)
        if all(both >= FEWEST_SHARED * rows for both, rows in counts):
            return []
        before, after = (f"{both:,} of {rows:,}" for both, rows in counts)
        few = f"few ids are in both, those of {before} rows in clusters before and {after} after"
        return [
            f"{step}: {few}, so that clusters count as gone or new; without ids, rows are compared by where they lie"
        ]

    @property
    def _conclusion(self) -> str:
        return "\n".join(self.sentences)

    @property
    def drawing(self) -> LayeredDrawing:
        """Where the clusters of each time and the rows that go from one to one are drawn."""
        present = [[name for name in labels.tolist() if name is not None] for labels in self.labels]
        counts = [Counter(each) for each in present]
        groups = {name: at for at, name in enumerate(dict.fromkeys(name for each in counts for name in each))}
        columns = [
            [Cluster(name, size, f"{name} at {time}: {size:,} rows", groups[name]) for name, size in each.items()]
            for each, time in zip(counts, self.times, strict=True)
        ]
        steps = list(dict.fromkeys(self.table["step"].tolist()))
        shared: list[dict[tuple[Any, Any], int]] = [{} for _ in steps]
        for record in self.flows.records:
            if record["before"] not in {NEW, NOISE} and record["after"] not in {GONE, NOISE}:
                shared[steps.index(record["step"])][record["before"], record["after"]] = record["rows"]
        return layered(columns, shared, self.times)

    def to_html(self, path: Any = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`."""
        from clustval import report  # noqa: PLC0415 - only reports need it

        page: str = report.of_track(self, path, about=report.About(**about))
        return page

    def plot(self, **options: Any) -> Axes:
        """Draw the flows of rows between clusters, from left to right."""
        from clustval.plot import flows  # noqa: PLC0415 - loads matplotlib

        return flows(self, **options)


@seeded
def track(
    before: Any,
    after: Any,
    *later: Any,
    id: Any = None,  # noqa: A002 - what a column of ids is called
    labels: str | None = None,
    features: Any = None,
    use_rep: str | None = None,
    force: bool = False,
    times: Sequence[str] | None = None,
    standardize: bool = False,
    metric: MetricName = "euclidean",
    level: float = 0.99,
    n_permutations: int = 199,
    random_state: Any = 0,
    rng: Any = None,
    n_jobs: int | None = None,
) -> Track:
    """Return which cluster became which from one clustering to the next, of the same rows or of others.

    Where rows have ids, shared rows say what a cluster becomes. Else each row is assigned to the clusters of the other
    time, as `assign` does. A cluster becomes another if most of its rows go there, or if most rows of the other come
    from it. A cluster that becomes several splits; several that become one merge; one without a cluster before is
    born; one without a cluster after dissolves.

    Parameters
    ----------
    before, after, later
        Two clusterings or more, in order: each ``(X, labels)``, ``(frame, "column")``, or a frame with `labels`.
        Columns of frames are matched by name. In place of frames, annotated cells and paths.
    id
        The name of the column that names rows; or a list with the ids of each clustering. None takes the index of
        pandas where it has a name or is no number, else rows are compared by where they lie.
    labels
        The name of the column of labels, for frames.
    features
        The columns by which rows are compared; None for all but id and labels.
    times
        What the clusterings are called; None for "1", "2", ...
    standardize
        Whether columns are divided by their standard deviation over all rows of all times.
    use_rep, force
        Which representation of annotated cells is the points, and whether it may be UMAP or t-SNE; as in `evaluate`.
    metric
        The distance, as in `evaluate`; "gower" compares numbers and categories, whose clusters have no centres.
    level
        Share of the members of a cluster that are inside, as in `assign`; rows that are like none go nowhere.
    n_permutations
        Exchanges of rows between two times, for a p-value; 0 for none. It is of rows that both clusterings put there by
        where they lie: a border that moved is no drift. NaN where these are none.
    random_state, rng
        Seed of the exchanges.
    n_jobs
        Number of threads; None for all cores.

    Returns
    -------
    Track
        ``table``: for each cluster and what it became, the event, the rows that both share, the share of the cluster
        before and after that these are, the distance of the centres, the energy distance, a p-value, and that for all
        at once (Holm). ``labels``: of each clustering, with names that stay. ``moves``: rows with an
        id that are in another cluster. ``flows``: how many rows go where.

    >>> before = ([[0.0], [1.0], [2.0], [9.0], [10.0], [11.0]], list("aaabbb"))
    >>> after = ([[0.5], [1.5], [9.0], [9.5], [10.5], [30.0], [31.0]], [2, 2, 7, 7, 7, 8, 8])
    >>> print("; ".join(track(before, after, n_permutations=0).sentences))
    1 to 2: a continues as 2; b continues as 7; 8 is born
    """
    given = [before, after, *later]
    every = range(1, len(given) + 1) if times is None else times
    names = [str(time) for time in every] if isinstance(every, Iterable) else []
    if len(names) != len(given) or len(set(names)) != len(names):
        msg = f"times must have a name for each of the {len(given)} clusterings, each another; it is {times!r}."
        raise InputError(msg)
    check_comparable(metric, "rows of two times")
    if standardize and metric == "gower":
        msg = "metric='gower' divides columns by their range already; leave standardize= out."
        raise InputError(msg)
    share, count = level_between(level), inputs.at_least(n_permutations, 0, "n_permutations")
    called = ["before", "after", *(f"clustering {at}" for at in range(3, len(given) + 1))] if times is None else names
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force, "metric": metric}
    read = snapshots_of(given, labels, id, called, **home)
    read = standardized(read) if standardize else read
    by = "space" if read[0].ids is None else "ids"
    generator = generators(random_state)
    tracked = _Tracker(read[0])
    for at in range(len(read) - 1):
        step = Step(read[at], read[at + 1], metric, share, inputs.as_jobs(n_jobs))
        tracked.add(f"{names[at]} to {names[at + 1]}", step, count, generator, at)
    return Track(tracked.table(), tracked.labels, tracked.moved(), tracked.flow_table(), names, by)


class _Tracker:
    """What becomes of clusters, step by step, under names that stay."""

    def __init__(self, first: Snapshot) -> None:
        self.names = list(first.names)
        self.used = set(self.names)
        self.labels = [_named(self.names, first.codes)]
        self.records: list[tuple[Any, ...]] = []
        self.movers: list[tuple[str, Any, Any, Any]] = []
        self.flows: list[tuple[str, Any, Any, int]] = []

    def add(self, step: str, pair: Step, count: int, generator: TaskGenerator, place: int) -> None:
        """Add what happens from one clustering to the next."""
        links, (out, into) = pair.links, pair.shares
        names = self._names_after(pair, links)
        for c, d in np.argwhere(links).tolist():
            shift, energy, chance = pair.drift(c, d, count, generator(place, c, d))
            event, end = _event(links, c, d), (pair.after.names[d], names[d])
            values = int(pair.forward[c, d]), float(out[c, d]), float(into[c, d]), shift, energy, chance
            self.records.append((step, self.names[c], *end, event, *values))
        for c in np.flatnonzero(~links.any(axis=1)).tolist():
            self.records.append((step, self.names[c], None, None, "dissolved", 0, *[np.nan] * 5))
        for d in np.flatnonzero(~links.any(axis=0)).tolist():
            self.records.append((step, None, pair.after.names[d], names[d], "born", 0, *[np.nan] * 5))
        self._add_flows(step, pair, names)
        self.names = names
        self.labels.append(_named(names, pair.after.codes))

    def _names_after(self, pair: Step, links: Flags) -> list[Any]:
        """Return the names of the clusters after: of the cluster before that each continues most, or new ones."""
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - only this needs it

        weights = np.where(links, pair.forward + pair.backward + 1.0, 0.0)
        rows, columns = linear_sum_assignment(-weights)
        names: list[Any] = [None] * len(pair.after.names)
        for c, d in zip(rows.tolist(), columns.tolist(), strict=True):
            if links[c, d]:
                names[d] = self.names[c]
        fresh = [d for d in range(len(names)) if not links[:, d].any() or names[d] is None]
        for d in fresh:
            names[d] = self._fresh(pair.after.names[d])
        return names

    def _fresh(self, name: Any) -> Any:
        """Return a name that no cluster has had: its own, or the next."""
        if name in self.used:
            whole = all(isinstance(each, int) for each in self.used)
            numbers = (max(self.used) + 1,) if whole else (f"{name} ({at})" for at in range(2, len(self.used) + 3))
            name = next(each for each in numbers if each not in self.used)
        self.used.add(name)
        return name

    def _add_flows(self, step: str, pair: Step, names: list[Any]) -> None:
        if pair.pairs is None:
            table = pair.forward
            rest = pair.before.sizes - table.sum(axis=1)
            news = pair.after.sizes - pair.backward.sum(axis=0)
            ends = [(c, GONE, int(n)) for c, n in zip(self.names, rest.tolist(), strict=True)]
            begins = [(NEW, d, int(n)) for d, n in zip(names, news.tolist(), strict=True)]
        else:
            codes = pair.before.codes[pair.pairs[:, 0]], pair.after.codes[pair.pairs[:, 1]]
            k, m = len(self.names), len(names)
            whole = np.zeros((k + 1, m + 1), dtype=np.int64)
            np.add.at(whole, codes, 1)
            table = whole[:-1, :-1]
            gone = pair.before.sizes - whole[:-1].sum(axis=1)
            news = pair.after.sizes - whole[:, :-1].sum(axis=0)
            ends = [(c, NOISE, int(n)) for c, n in zip(self.names, whole[:-1, -1].tolist(), strict=True)]
            ends += [(c, GONE, int(n)) for c, n in zip(self.names, gone.tolist(), strict=True)]
            begins = [(NOISE, d, int(n)) for d, n in zip(names, whole[-1, :-1].tolist(), strict=True)]
            begins += [(NEW, d, int(n)) for d, n in zip(names, news.tolist(), strict=True)]
            assert pair.after.ids is not None
            stays = [*self.names, None], [*names, None]
            for row, c, d in zip(pair.pairs[:, 1].tolist(), codes[0].tolist(), codes[1].tolist(), strict=True):
                if stays[0][c] != stays[1][d]:
                    self.movers.append((step, pair.after.ids[row], stays[0][c], stays[1][d]))
        inner = [(self.names[c], names[d], int(table[c, d])) for c, d in np.argwhere(table > 0).tolist()]
        self.flows += [(step, *flow) for flow in [*inner, *ends, *begins] if flow[2] > 0]

    def table(self) -> Table:
        """Return a row for each cluster before and each that it became."""
        texts = _lines(WORDS, [record[: len(WORDS)] for record in self.records])
        columns: dict[str, Any] = dict(texts)
        for at, name in enumerate(NUMBERS, start=len(WORDS)):
            columns[name] = np.array([record[at] for record in self.records])
        tested = ~np.isnan(columns["p_value"])
        columns["adjusted"] = np.full(len(tested), np.nan)
        if tested.any():
            columns["adjusted"][tested] = holm(columns["p_value"][tested])
        return Table(columns)

    def moved(self) -> Table:
        """Return a row for each row of data that is in another cluster than before."""
        return _lines(("step", "id", "before", "after"), self.movers)

    def flow_table(self) -> Table:
        """Return how many rows go from each cluster to each."""
        table = _lines(("step", "before", "after"), [flow[:3] for flow in self.flows])
        return Table({**table, "rows": np.array([flow[3] for flow in self.flows], dtype=np.int64)})


def _lines(names: tuple[str, ...], lines: Sequence[tuple[Any, ...]]) -> Table:
    return Table({name: objects([line[at] for line in lines]) for at, name in enumerate(names)})


def _named(names: list[Any], codes: Integers) -> NDArray[Any]:
    values: NDArray[Any] = objects([*names, None])[codes]
    return values


def _event(links: Flags, c: int, d: int) -> str:
    splits, merges = links[c].sum() > 1, links[:, d].sum() > 1
    return "splits and merges" if splits and merges else "splits" if splits else "merges" if merges else "continues"


def _step_in_words(records: list[dict[str, Any]]) -> str:
    parts = []
    for c in dict.fromkeys(r["before"] for r in records if r["event"] in {"splits", "splits and merges"}):
        ends = [str(r["after"]) for r in records if r["before"] == c and r["event"] in {"splits", "splits and merges"}]
        parts.append(f"{c} splits into {' and '.join(ends)}")
    for d in dict.fromkeys(r["after"] for r in records if r["event"] in {"merges", "splits and merges"}):
        origins = [
            str(r["before"]) for r in records if r["after"] == d and r["event"] in {"merges", "splits and merges"}
        ]
        parts.append(f"{' and '.join(origins)} merge into {d}")
    for record in records:
        c, d, event = record["before"], record["after"], record["event"]
        if event == "continues":
            parts.append(f"{c} continues" + ("" if c == d else f" as {d}"))
        elif event == "dissolved":
            parts.append(f"{c} dissolves")
        elif event == "born":
            parts.append(f"{d} is born")
    return "; ".join(parts)
