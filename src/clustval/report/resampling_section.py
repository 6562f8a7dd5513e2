"""How many clusters by resampling, on the page: the gap with its errors, and how well samples agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.report.report_tables import PageTable, Row, number

if TYPE_CHECKING:
    from clustval.relative.gap import GapStatistic
    from clustval.relative.stability import Stability

RULE = "one_se"  # that of the paper: its choice is marked
REFERENCES = {"gap": "tibshirani2001", "stability": "zaki2014"}


@dataclass(frozen=True)
class Resampled:
    """A chart of values with errors, its words, and its table."""

    key: str
    title: str
    words: str
    axis: str
    error: str  # what the error is called
    records: list[dict[str, Any]]
    table: PageTable


def of_gap(gap: GapStatistic) -> Resampled:
    """Return how far the data are from data without clusters, for each number of clusters."""
    rules = "; ".join(f"{rule} {k or '—'}" for rule, k in gap.best.items())
    words = (
        f"A high value means that clusters are tighter than in {gap.n_references} sets of points without clusters. "
        f"Bars are one standard error. Chosen by each rule: {rules}."
    )
    records = _records(gap.table, "gap", "se", gap.best[RULE])
    table = _table(gap.table, "Gap statistic by number of clusters")
    return Resampled("gap", "Gap statistic", words, "Gap", "standard error", records, table)


def of_stability(stability: Stability) -> Resampled:
    """Return how well clusterings of samples agree, for each number of clusters."""
    words = (
        f"Mean {stability.index} over all pairs of clusterings of {stability.n_samples} samples, with its "
        f"standard deviation. Most stable: {stability.best or '—'}."
    )
    table = _table(stability.table, "Stability by number of clusters")
    records = _records(stability.table, "mean", "sd", stability.best)
    return Resampled("stability", "Stability", words, stability.index, "standard deviation", records, table)


def _records(table: Any, value: str, error: str, best: int | None) -> list[dict[str, Any]]:
    return [
        {
            "k": record["k"],
            "value": record[value],
            "error": record[error],
            "low": record[value] - record[error],
            "high": record[value] + record[error],
            "best": record["k"] == best,
        }
        for record in table.records
        if np.isfinite([record[value], record[error]]).all()
    ]


def _table(table: Any, caption: str) -> PageTable:
    rows = [Row([number(value, 4) for value in record.values()]) for record in table.records]
    return PageTable([name.replace("_", " ") for name in table.records[0]], rows, caption)
