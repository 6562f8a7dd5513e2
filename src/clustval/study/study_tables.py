"""The tables of a run in Markdown, beside those of the 2010 study, and how far the orders agree."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clustval import whole_files
from clustval.errors import InputError
from clustval.study import published
from clustval.study.comparison import Comparison, mean_of
from clustval.study.correlations import spearman
from clustval.study.designs import Cell
from clustval.study.runs import EXTERNAL, Run

KINDS = ("pearson", "wgk", "spearman")
NAMES = {"jaccard": "Jaccard", "adjusted_rand": "ARI", "pearson": "Pearson", "wgk": "WGK", "spearman": "Spearman"}

# The collections of Part II, and the figure that shows each.
COLLECTIONS: dict[str, tuple[Callable[[Cell], bool], str, Mapping[str, float]]] = {
    "k* in {2, 4, 6}, d in {2, 3, 4}": (lambda c: c.k <= 6 and c.d <= 4, "Fig. 13", published.FIG_13),
    "k* in {2, 4, 6}, d in {22, 23, 24}": (lambda c: c.k <= 6 and c.d > 4, "Fig. 14", published.FIG_14),
    "k* in {12, 14, 16}, d in {2, 3, 4}": (lambda c: c.k > 6 and c.d <= 4, "Fig. 15", published.FIG_15),
    "k* in {12, 14, 16}, d in {22, 23, 24}": (lambda c: c.k > 6 and c.d > 4, "Fig. 16", published.FIG_16),
    "all data sets": (lambda _cell: True, "Fig. 17", published.FIG_17),
}


def summary(run: Run | str | os.PathLike[str], into: str | os.PathLike[str], *, n_jobs: int | None = None) -> None:
    """Write the tables of a run, or of that in a directory, as Markdown into a file.

    If the file has lines ``<!-- part 1 -->`` and ``<!-- end of part 1 -->`` (or 2), the tables replace what is
    between them, and the rest stays; a file that is not there is made.
    """
    run = run if isinstance(run, Run) else Run(run)
    part = run.design.part
    begin, end = f"<!-- part {part} -->", f"<!-- end of part {part} -->"
    file = Path(into)
    whole_files.check_folder(file)
    old = file.read_text(encoding="utf-8") if file.exists() else f"{begin}\n{end}\n"
    if begin not in old or end not in old:
        msg = f"{file} has no lines {begin} and {end} for the tables to go between."
        raise InputError(msg)
    head, _, rest = old.partition(begin)
    _, _, tail = rest.partition(end)
    text = (_part_one if part == 1 else _part_two)(run, n_jobs)
    whole_files.write(file, f"{head}{begin}\n\n{text}\n\n{end}{tail}")


def _part_one(run: Run, n_jobs: int | None) -> str:
    small, large = run.compare_several(run.design.most, correlation=KINDS, n_jobs=n_jobs)
    hits = dict(zip(large.criteria, large.hits.astype(float).tolist(), strict=True))
    means = large.means("jaccard", "pearson")
    return "\n\n".join(
        [
            _extent(run),
            f"### Hits of the right number of clusters (Fig. 9), of {large.chains}",
            _beside(hits, published.FIG_9, "hits", "{:.0f}", 1),
            "### Hits of difference-like criteria by transform",
            _transforms(run, large, n_jobs),
            f"### Mean Pearson correlation with the Jaccard index, k up to {max(run.design.most)} (Fig. 10)",
            _beside(means, published.FIG_10, "mean", "{:.3f}", 3),
            _leaders(large),
            "### Every correlation and external index",
            _all_kinds(dict(zip(run.design.most, (small, large), strict=True))),
        ]
    )


def _part_two(run: Run, n_jobs: int | None) -> str:
    comparisons = dict(
        zip(run.design.most, run.compare_several(run.design.most, correlation=KINDS, n_jobs=n_jobs), strict=True)
    )
    small, large = (comparisons[most] for most in run.design.most)
    cells = [which.cell for which in run.finished]
    return "\n\n".join(
        [
            _extent(run),
            "### Mean Pearson correlation with the Jaccard index, k up to 50 (Figs. 13 to 17)",
            _by_collection(large, cells, beside=True),
            _agreement(large, cells),
            _leaders(large),
            "### Every correlation and external index, all data sets",
            _all_kinds(comparisons),
            "### Mean Pearson correlation with the Jaccard index, k up to 23",
            _by_collection(small, cells, beside=False),
        ]
    )


def _extent(run: Run) -> str:
    finished, total = len(run.finished), len(run.design.data_sets())
    extent = f"All {total} data sets" if finished == total else f"A sample of {finished} of the {total} data sets"
    partitions = finished * len(run.design.chains) * (max(run.design.most) - 1)
    return f"{extent}, seed {run.seed}; {partitions:,} partitions. Difference-like criteria have an asterisk."


def _beside(ours: Mapping[str, float], printed: Mapping[str, float], what: str, form: str, digits: int) -> str:
    """A table of our values and the printed ones, in our order, and how near they are."""
    order = sorted(ours, key=lambda name: -np.nan_to_num(ours[name], nan=-np.inf))
    theirs = sorted(printed, key=lambda name: -printed[name])
    rows = [
        [
            str(rank),
            published.PRINTED[name],
            form.format(ours[name]),
            form.format(printed[name]) if name in printed else "",
            str(theirs.index(name) + 1) if name in printed else "",
        ]
        for rank, name in enumerate(order, start=1)
    ]
    near = _Nearness.of(ours, printed)
    note = (
        f"Over {near.criteria} criteria: rank correlation (Spearman) between the two orders **{near.rho:.3f}**, "
        f"mean difference {near.difference:+.{digits}f}, mean absolute difference **{near.distance:.{digits}f}**."
    )
    return f"{_markdown(['rank', 'criterion', what, f'{what}, 2010', 'rank, 2010'], rows)}\n\n{note}"


class _Nearness(NamedTuple):
    """How near our values are to the printed ones, over the criteria that have both."""

    criteria: int
    rho: float
    difference: float
    distance: float

    @classmethod
    def of(cls, ours: Mapping[str, float], printed: Mapping[str, float]) -> _Nearness:
        a, b = np.array([ours[name] for name in printed]), np.array(list(printed.values()))
        return cls(len(printed), spearman(a, b), float(np.mean(a - b)), float(np.mean(np.abs(a - b))))


def _transforms(run: Run, knee: Comparison, n_jobs: int | None) -> str:
    """Hits of difference-like criteria by each of the three equations."""
    by = {"knee": knee.hits}
    for name in ("change", "step"):
        by[name] = run.compare(correlation="pearson", transform=name, n_jobs=n_jobs).hits
    head = ["criterion", "eq. 37 (knee)", "eq. 36 (change)", "eq. 35 (step)"]
    rows = [
        [published.PRINTED[choice.name], *(str(int(hits[at])) for hits in by.values())]
        for at, choice in enumerate(run.criteria)
        if choice.best.compares > 1
    ]
    return _markdown(head, sorted(rows, key=lambda row: -int(row[1])))


def _all_kinds(comparisons: Mapping[int, Comparison]) -> str:
    """A row for each criterion, a column for each largest k, external index and correlation."""
    columns = [(most, e, c) for most in comparisons for e in EXTERNAL for c in KINDS]
    head = ["criterion", *(f"{NAMES[e]} {NAMES[c]} {most}" for most, e, c in columns)]
    means = [comparisons[most].means(e, c) for most, e, c in columns]
    last = comparisons[max(comparisons)].means("jaccard", "pearson")
    rows = [[published.PRINTED[name], *(f"{m[name]:.3f}" for m in means)] for name in last]
    return _markdown(head, rows)


def _by_collection(comparison: Comparison, cells: Sequence[Cell], *, beside: bool) -> str:
    """A row for each criterion, a column for each collection, with the printed means beside ours if told."""
    columns = {}
    for title, (_, figure, printed) in COLLECTIONS.items():
        means = _means_of(comparison, cells, title)
        notes = {name: f" ({printed[name]:.3f})" for name in printed if beside}
        columns[f"{title} ({figure})" if beside else title] = {
            name: f"{mean:.3f}{notes.get(name, '')}" if np.isfinite(mean) else "" for name, mean in means.items()
        }
    rows = [
        [published.PRINTED[name], *(column[name] for column in columns.values())]
        for name in comparison.means("jaccard", "pearson")
    ]
    table = _markdown(["criterion", *columns], rows)
    return f"In brackets the means of 2010.\n\n{table}" if beside else table


def _agreement(comparison: Comparison, cells: Sequence[Cell]) -> str:
    """How near our means are to those of each figure."""
    rows = []
    for title, (_, figure, printed) in COLLECTIONS.items():
        near = _Nearness.of(_means_of(comparison, cells, title), printed)
        if np.isfinite(near.distance):
            values = [f"{near.rho:.3f}", f"{near.difference:+.3f}", f"{near.distance:.3f}"]
        else:
            values = ["no data set of this kind is done", "", ""]
        rows.append([figure, str(near.criteria), *values])
    head = ["figure", "criteria", "rank correlation (Spearman)", "mean difference", "mean absolute difference"]
    return _markdown(head, rows)


def _means_of(comparison: Comparison, cells: Sequence[Cell], title: str) -> dict[str, float]:
    """Return the mean of each criterion over the data sets of a collection, NaN if none is done."""
    rows = np.array([COLLECTIONS[title][0](cell) for cell in cells])
    means = mean_of(comparison.of("jaccard", "pearson")[rows])
    return dict(zip(comparison.criteria, means.tolist(), strict=True))


def _leaders(comparison: Comparison) -> str:
    """Which criteria the best one does not exceed significantly, and how many each of the first ten exceeds."""
    pairwise = comparison.pairwise("jaccard", "pearson")
    both = (pairwise.significant == 2) & (pairwise.differences > 0)
    beats = both.sum(axis=1)
    rows = [
        [published.PRINTED[name], f"{mean:.3f}", str(int(beaten))]
        for name, mean, beaten in list(zip(pairwise.criteria, pairwise.means, beats, strict=True))[:10]
    ]
    head = ["criterion", "mean", "criteria it exceeds significantly by both tests"]
    note = (
        "Significance is one-sided at 5 %, by the rank-sum test of Mann and Whitney and by Friedman's test over cells."
    )
    return f"{note}\n\n{_markdown(head, rows)}"


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (head, *rows)]
    rule = ["---" if at < 2 and not cells[1][at].replace(".", "").isdigit() else "---:" for at in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (cells[0], rule, *cells[1:]))
