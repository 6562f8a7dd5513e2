"""The result of a comparison of criteria: a ranked table, and which differences are significant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.declare import Request
from clustval.errors import InputError, optional
from clustval.inputs import one_of
from clustval.lazy import cached_property
from clustval.result import Result
from clustval.study.correlations import Finding
from clustval.study.significance import LEVEL, TESTS, overall, p_values
from clustval.tables import decimal, html_table, number, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tables import PandasFrame, PolarsFrame

SHOWN_TESTS = ("mann_whitney", "friedman")  # the two of the 2010 study


class Pairwise(Result):
    """Differences of the mean correlations of all pairs of criteria, best first, and how significant they are.

    Attributes
    ----------
    what
        What the means are of, such as "pearson correlation with jaccard".
    n
        Over how many data sets.
    criteria
        The criteria, by mean, the best first.
    means
        The mean correlation of each.
    differences
        Mean of the row less mean of the column.
    p_values
        From the name of a test to the p-values that the row is better than the column.
    """

    def __init__(
        self, criteria: Sequence[str], values: Floats, cells: Sequence[str], what: str = "correlation"
    ) -> None:
        means = mean_of(values)
        order = np.argsort(-np.nan_to_num(means, nan=-np.inf), kind="stable")
        self.what, self.n = what, len(values)
        self.criteria = tuple(criteria[at] for at in order)
        self.means = means[order]
        self.differences = self.means[:, None] - self.means[None, :]
        self._values, self._cells = values[:, order], cells

    def _content(self) -> dict[str, Any]:
        return {"criteria": self.criteria, "values": self._values, "cells": self._cells, "what": self.what}

    @cached_property
    def p_values(self) -> dict[str, Floats]:
        """P-values by test: that the criterion of the row is better than that of the column."""
        return {test: p_values(self._values, self._cells, test) for test in TESTS}

    @cached_property
    def significant(self) -> NDArray[np.int64]:
        """By how many of the two tests of the 2010 study the difference is significant at 5 %: 0, 1 or 2.

        They test whether the criterion with the higher mean is better; ranks may say that the other one is.
        """
        rejections = np.sum([self.p_values[test] < LEVEL for test in SHOWN_TESTS], axis=0)
        higher: NDArray[np.int64] = np.triu(rejections, 1)  # the mean of the row, for the best comes first
        return higher + higher.T

    @property
    def overall(self) -> float:
        """P-value that all criteria are alike (Friedman's test over the data sets)."""
        return overall(self._values)

    def _columns(self) -> dict[str, list[Any]]:
        pairs = [(i, j) for i in range(len(self.criteria)) for j in range(i + 1, len(self.criteria))]
        return {
            "better": [self.criteria[i] for i, _ in pairs],
            "worse": [self.criteria[j] for _, j in pairs],
            "difference": [float(self.differences[pair]) for pair in pairs],
            **{f"p_{test}": [float(p[pair]) for pair in pairs] for test, p in self.p_values.items()},
            "significant": [int(self.significant[pair]) for pair in pairs],
        }

    def to_polars(self) -> PolarsFrame:
        """Return a polars data frame with a row for each two criteria."""
        frame: PolarsFrame = optional("polars", "report").DataFrame(self._columns())
        return frame

    def to_pandas(self) -> PandasFrame:
        """Return a pandas data frame with a row for each two criteria."""
        frame: PandasFrame = optional("pandas", "pandas").DataFrame(self._columns())
        return frame

    def _rows(self) -> list[list[str]]:
        columns = self._columns()
        return [list(columns), *([number(value) for value in row] for row in zip(*columns.values(), strict=True))]

    def __str__(self) -> str:
        rows = self._rows()
        return f"Differences of {self.what} over {self.n} data sets\n\n{text_table(rows, right=range(2, len(rows[0])))}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._rows())


class Comparison(Result):
    """How well criteria follow external indices, over data sets whose clusters are known.

    Attributes
    ----------
    values
        Correlations: data sets x external indices x kinds of correlation x criteria; NaN where there is none.
    names, cells
        The name of each data set, and its design cell.
    criteria, external, correlation
        The names along the other axes.
    hits
        How many chains of partitions each criterion reads rightly: its best partition has as many clusters as the
        truth, that with the fewest clusters being best among equals. This is the traditional way to judge criteria.
    chains
        How many chains there are.
    method
        How the partitions were made and the criteria prepared, in sentences.
    """

    def __init__(
        self,
        findings: Iterable[Finding],
        criteria: Sequence[Request],
        external: Sequence[Request],
        correlation: Sequence[str],
        method: Sequence[str] = (),
    ) -> None:
        self._findings = findings = [Finding(*finding) for finding in findings]
        if not findings:
            msg = "There are no data sets to compare criteria on."
            raise InputError(msg)
        self.choices = {choice.name: choice for choice in criteria}
        self.judges = {choice.name: choice for choice in external}
        self.criteria, self.external = tuple(self.choices), tuple(self.judges)
        self.correlation, self.method = tuple(correlation), tuple(method)
        self.names = tuple(finding.name for finding in findings)
        self.cells = tuple(finding.cell for finding in findings)
        self.values: Floats = np.stack([finding.correlations for finding in findings])
        self.hits: NDArray[np.int64] = np.sum([finding.hits for finding in findings], axis=0)
        self.chains = sum(finding.chains for finding in findings)

    def _content(self) -> dict[str, Any]:
        return {
            "findings": self._findings,
            "criteria": list(self.choices.values()),
            "external": list(self.judges.values()),
            "correlation": self.correlation,
            "method": self.method,
        }

    def __len__(self) -> int:
        return len(self.names)

    def of(self, external: str | None = None, correlation: str | None = None) -> Floats:
        """Return the correlations of data sets (rows) and criteria (columns); of the first kinds unless named."""
        return self.values[
            :, _at(self.external, external, "external"), _at(self.correlation, correlation, "correlation")
        ]

    def means(self, external: str | None = None, correlation: str | None = None) -> dict[str, float]:
        """Return the mean correlation of each criterion over the data sets, the best first."""
        pairwise = self.pairwise(external, correlation)
        return dict(zip(pairwise.criteria, pairwise.means.tolist(), strict=True))

    def pairwise(self, external: str | None = None, correlation: str | None = None) -> Pairwise:
        """Return the differences between all pairs of criteria, with significance."""
        kinds = (correlation or self.correlation[0], external or self.external[0])
        return Pairwise(self.criteria, self.of(external, correlation), self.cells, " correlation with ".join(kinds))

    def ranking(self, external: str | None = None, correlation: str | None = None) -> list[dict[str, Any]]:
        """Return the criteria from best to worst: rank, mean, s.d. and number of correlations, hits and their rate."""
        values, rows = self.of(external, correlation), []
        for rank, (criterion, mean) in enumerate(self.means(external, correlation).items(), start=1):
            column = self.criteria.index(criterion)
            correlations = values[~np.isnan(values[:, column]), column]
            hits = int(self.hits[column])
            rows.append({
                "rank": rank, "criterion": criterion, "mean": mean,
                "sd": float(correlations.std(ddof=1)) if len(correlations) > 1 else np.nan,
                "n": len(correlations), "hits": hits, "hit_rate": hits / max(self.chains, 1),
            })  # fmt: skip
        return rows

    def _columns(self) -> dict[str, list[Any]]:
        rows = [
            {"external": external, "correlation": correlation, **row}
            for external in self.external
            for correlation in self.correlation
            for row in self.ranking(external, correlation)
        ]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def to_polars(self) -> PolarsFrame:
        """Return a polars data frame: for each external index and correlation, the criteria from best to worst."""
        frame: PolarsFrame = optional("polars", "report").DataFrame(self._columns())
        return frame

    def to_pandas(self) -> PandasFrame:
        """Return a pandas data frame: for each external index and correlation, the criteria from best to worst."""
        frame: PandasFrame = optional("pandas", "pandas").DataFrame(self._columns())
        return frame

    def to_html(self, path: Any = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`."""
        from clustval.report import About, of_comparisons  # noqa: PLC0415 - only reports need it

        return of_comparisons({"": self}, path, about=About(**about))

    def plot(self, external: str | None = None, correlation: str | None = None, **options: Any) -> Axes:
        """Draw the differences between all pairs of criteria, shaded by significance, over their means."""
        from clustval.plot import comparison  # noqa: PLC0415 - loads matplotlib

        return comparison(self, external=external, correlation=correlation, **options)

    def _rows(self) -> list[list[str]]:
        kinds = [(e, c) for e in self.external for c in self.correlation]
        rows = [["rank", "criterion", *(f"{e} {c}" for e, c in kinds), "hits"]]
        means = [self.means(*kind) for kind in kinds]
        for rank, criterion in enumerate(means[0], start=1):
            cells = [decimal(m[criterion]) for m in means]
            rows.append([str(rank), criterion, *cells, f"{self.hits[self.criteria.index(criterion)]}/{self.chains}"])
        return rows

    def __str__(self) -> str:
        rows = self._rows()
        sets = "1 data set" if len(self) == 1 else f"{len(self)} data sets"
        numeric = [column for column, heading in enumerate(rows[0]) if heading != "criterion"]
        return f"Mean correlation with external indices over {sets}\n\n{text_table(rows, right=numeric)}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._rows())


def mean_of(values: Floats) -> Floats:
    """Return the mean of each column over the rows that have a value, NaN where none has."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means: Floats = np.where(defined, values, 0.0).sum(axis=0) / defined.sum(axis=0)
    return means


def _at(names: Sequence[str], name: str | None, what: str) -> int:
    return 0 if name is None else names.index(one_of(name, names, what))
