"""A choice among clusterings on the page: the answer in words, and all candidates in a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clustval.report.point_sections import display
from clustval.report.report_tables import PageTable, Row, number
from clustval.terms import terms

if TYPE_CHECKING:
    from clustval.choosing.choice import Choice


@dataclass(frozen=True)
class Nulls:
    """Values of data without clusters, and the value of the data, in words and as records of a chart."""

    words: str
    records: list[dict[str, float]]
    value: float


@dataclass(frozen=True)
class HowWeKnow:
    """What an answer rests on, and the terms in it with their meanings."""

    sentences: Sequence[str]
    terms: Sequence[tuple[str, str]]


TERMS = ("Gap", "p-value", "Judge", "Connected", "Uncut", "Agreement", "Stability")
REFERENCES = ("hennig2015", "besag1991")
MOST_SHOWN = 15
LIKE = {  # what sets without clusters have of the data
    "columns": "with the same columns and correlations",
    "elliptical": "with the same distances from one centre",
    "skeleton": "of the same shape with its gaps filled",
    "gaussian": "normal with the same covariance",
    "uniform": "uniform in the same box",
    "permuted": "with the same codes in each column",
    "sphere": "with directions at random",
}
COLUMNS = {
    "k": "clusters",
    "found": "found",
    "judge": "judge",
    "connected": "connected",
    "uncut": "uncut",
    "silhouette": "silhouette",
    "agreement": "agreement",
    "stability": "stability",
    "noise": "noise",
}


def verdict(choice: Choice) -> list[str]:
    """Say what was chosen, on which evidence, and what speaks against it."""
    return [choice.verdict, *choice.reasons]


def how_we_know(choice: Choice) -> HowWeKnow:
    """Return what the answer rests on, and what its words mean."""
    return HowWeKnow(choice.how_we_know, [(name, terms()[name]) for name in TERMS])


def nulls(choice: Choice) -> Nulls | None:
    """Return what data without clusters give beside these data; None where no such data were drawn."""
    structure = choice.structure
    if structure is None or not structure.null or not math.isfinite(structure.statistic):
        return None
    name, draws = list(structure.null.items())[-1]
    above = int((draws >= structure.statistic).sum())
    words = (
        f"How clustered the data are (line) beside {len(draws)} sets of points without clusters (bars), "
        f"{LIKE.get(name, name)}: {above} of them are clustered as well or better."
    )
    return Nulls(words, [{"value": float(value)} for value in draws], structure.statistic)


def ranking(choice: Choice) -> PageTable:
    """Return the best candidates, best first, with what is known of each."""
    different = choice.different
    best = different[:MOST_SHOWN]
    names = display([row["candidate"] for row in best])
    rows = [
        Row([name, *(number(float(row[column]), 3) for column in COLUMNS)])
        for name, row in zip(names, best, strict=True)
    ]
    count = f"The best {len(best)} of {len(different)}" if len(different) > len(best) else f"All {len(different)}"
    return PageTable(
        ["candidate", *COLUMNS.values()],
        rows,
        "Candidates and what is known of them",
        f"{count} different clusterings, by {choice.judge}; found: how many of the {len(choice.ranking)} candidates "
        "have the same clusters.",
    )
