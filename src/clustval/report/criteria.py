"""Which criterion can be trusted, on the page: criteria from best to worst, and how far they are apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clustval import bibliography
from clustval.report.report_tables import PageTable, Row, order
from clustval.report.words import count, listed
from clustval.tables import decimal

if TYPE_CHECKING:
    from clustval.study.comparison import Comparison, Pairwise

ENOUGH = 12  # data sets from which rank sums are nearly normal
MOST_SETS = 12  # data sets that are named
UPRIGHT = 16  # criteria whose differences fit on upright paper
CORRELATED = (
    "On each data set, the values of a criterion over the partitions, flipped if lower is better, are correlated with "
    "those of an external index, which knows the truth; means and s.d. are over the n data sets that have a "
    "correlation."
)
HIT = (
    "A hit is a chain of partitions (one tree, or one run for each number of clusters) in which the criterion prefers "
    "one with the true number of clusters."
)
TESTED = (
    "Differences are tested one-sided by the rank-sum test of Mann and Whitney and by Friedman's test over design "
    "cells, each pair at 5 % without correction for their number."
)
MARKS = ("", "one", "two")  # by how many tests a difference is significant


@dataclass(frozen=True)
class Rank:
    """One line of the ranked table; numbers are beside what they are sorted by."""

    rank: int
    name: str
    trusted: bool
    mean: tuple[str, str]
    sd: tuple[str, str]
    n: int
    hits: int
    share: str  # of hits
    meaning: str
    reference: list[tuple[str, str]]  # pieces of text, with the keys of works


@dataclass(frozen=True)
class Measure:
    """The ranking of criteria by one correlation with one external index."""

    title: str
    ranks: list[Rank]
    chains: int
    triangle: PageTable | None  # of differences; None for a single criterion


@dataclass(frozen=True)
class Study:
    """What the template shows of a comparison."""

    measures: list[Measure]
    method: list[str]


def study(comparisons: Mapping[str, Comparison], trusted: Sequence[str] = ()) -> Study:
    """Return the tables of comparisons by name; criteria to be trusted are marked in the first, which decided it."""
    measures: list[Measure] = []
    for name, comparison in comparisons.items():
        for external in comparison.external:
            for correlation in comparison.correlation:
                marked = () if measures else trusted
                measures.append(_measure(comparison, name, external, correlation, marked))
    return Study(measures, list(dict.fromkeys(sentence for one in comparisons.values() for sentence in _method(one))))


def _measure(comparison: Comparison, name: str, external: str, correlation: str, trusted: Sequence[str]) -> Measure:
    pairwise = comparison.pairwise(external, correlation)
    title = f"{pairwise.what}, {name}" if name else pairwise.what
    triangle = _triangle(pairwise) if len(pairwise.criteria) > 1 else None
    return Measure(title, _ranks(comparison, external, correlation, trusted), comparison.chains, triangle)


def _ranks(comparison: Comparison, external: str, correlation: str, trusted: Sequence[str]) -> list[Rank]:
    ranks = []
    for row in comparison.ranking(external, correlation):
        index = comparison.choices[row["criterion"]].index
        ranks.append(
            Rank(
                rank=row["rank"],
                name=row["criterion"],
                trusted=row["criterion"] in trusted,
                mean=(decimal(row["mean"]), order(row["mean"])),
                sd=(decimal(row["sd"]), order(row["sd"])),
                n=row["n"],
                hits=row["hits"],
                share=f"{row['hit_rate']:.0%}",
                meaning=index.summary,
                reference=bibliography.pieces(index.reference),
            )
        )
    return ranks


def _triangle(pairwise: Pairwise) -> PageTable:
    """Return the differences of the criteria of rows from the better ones in columns, and the means below."""
    names = pairwise.criteria
    rows = []
    for i in range(1, len(names)):
        tests = pairwise.significant[i, :i].tolist()
        values = [decimal(value) for value in pairwise.differences[:i, i].tolist()]
        cells = [f"{value}{'*' * many}" for value, many in zip(values, tests, strict=True)]
        empty = [""] * (len(names) - i)
        rows.append(Row([names[i], *cells, *empty], ["", *(MARKS[many] for many in tests)]))
    rows.append(Row(["mean", *map(decimal, pairwise.means.tolist())], ["", *["mean"] * len(names)]))
    return PageTable(
        ["criterion", *names],
        rows,
        f"Mean of the column minus mean of the row: {pairwise.what}",
        "Significant at 5 %: ** by the Mann-Whitney and the Friedman test, * by one of them.",
        "triangle" if len(names) <= UPRIGHT else "triangle wide",
    )


def headline(comparison: Comparison, name: str = "") -> list[str]:
    """Say which criterion follows the truth most closely, and how sure that is."""
    pairwise = comparison.pairwise()
    best, mean = pairwise.criteria[0], float(pairwise.means[0])
    what = f"{pairwise.what} ({name})" if name else pairwise.what
    if math.isnan(mean):
        return [f"No criterion has a {what} on these data sets."]
    over = count(pairwise.n, "data set")
    return [
        f"{best} follows the truth most closely: the mean of its {what} over {over} is {mean:.3f}.",
        _rivals(pairwise),
        _other_measures(comparison, best),
        _most_hits(comparison),
        _without(pairwise),
        "" if pairwise.n >= ENOUGH else f"With {over}, read the tests with care.",
    ]


def _rivals(pairwise: Pairwise) -> str:
    places = [at for at, mean in enumerate(pairwise.means.tolist()) if not math.isnan(mean)][1:]
    near = [pairwise.criteria[at] for at in places if pairwise.significant[0, at] == 0]
    if not places:
        return ""
    if not near:
        return "Every other criterion is significantly behind, by at least one of two tests."
    return _sentence(f"Not significantly behind, by either of two tests: {listed(near)}")


def _other_measures(comparison: Comparison, best: str) -> str:
    leaders: dict[str, list[str]] = {}
    for external in comparison.external:
        for correlation in comparison.correlation:
            pairwise = comparison.pairwise(external, correlation)
            if not np.isnan(pairwise.means[0]):
                leaders.setdefault(pairwise.criteria[0], []).append(pairwise.what)
    measures = sum(map(len, leaders.values()))
    if measures == 1:
        return ""
    if len(leaders) == 1:
        return f"It is first by all {measures} measures."
    others = [f"{name} by {listed(kinds)}" for name, kinds in leaders.items() if name != best]
    return f"It is first by {len(leaders[best])} of {measures} measures; first by the others: {'; '.join(others)}."


def _most_hits(comparison: Comparison) -> str:
    most = int(comparison.hits.max())
    names = [name for name, hits in zip(comparison.criteria, comparison.hits.tolist(), strict=True) if hits == most]
    if not most:
        return ""
    how_often = f"in {most:,} of {count(comparison.chains, 'chain')} of partitions"
    return f"The right number of clusters is found most often by {listed(names)}: {how_often}."


def _without(pairwise: Pairwise) -> str:
    names = [name for name, mean in zip(pairwise.criteria, pairwise.means, strict=True) if np.isnan(mean)]
    return _sentence(f"Without any correlation here: {listed(names)}") if names else ""


def _sentence(text: str) -> str:
    """Return the text with a full stop, unless it ends in an ellipsis."""
    return text if text.endswith("…") else f"{text}."


def _method(comparison: Comparison) -> list[str]:
    cells = len(set(comparison.cells))
    alike = "" if cells == len(comparison) else f" of {count(cells, 'design cell')}"
    return [
        _sentence(f"{count(len(comparison), 'data set')}{alike}: {listed(comparison.names, MOST_SETS)}"),
        *comparison.method,
        CORRELATED,
        HIT,
        TESTED,
    ]


def references(comparison: Comparison) -> list[str]:
    """Return where the method, the criteria and the external indices come from."""
    choices = [*comparison.choices.values(), *comparison.judges.values()]
    return ["vendramin2010", *(choice.index.reference for choice in choices)]
