"""How far a histogram of the data is from the histograms of random samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.arrays import Floats
from clustval.result import Result
from clustval.tables import Tabular, html_table
from clustval.tendency.uniform_box import NOT_UNIFORM

if TYPE_CHECKING:
    from clustval.plot.style import Axes


@dataclass(frozen=True, repr=False, eq=False)
class Divergence(Tabular, Result):
    """Kullback-Leibler divergences in bits: of the data from each random sample, and of the samples from each other.

    Random samples are uniform in the box of the columns. One round cluster is far from them, too.
    """

    name: str
    values: Floats
    null: Floats  # of each sample from the next: what random data would give
    null_means: Floats  # of uniform points, as many as samples: the mean that each would have in place of the data

    @property
    def mean(self) -> float:
        """Mean over samples."""
        return float(self.values.mean())

    @property
    def std(self) -> float:
        """Standard deviation over samples."""
        return float(self.values.std())

    @property
    def p_value(self) -> float:
        """Share of uniform points, the data included, whose mean divergence is as large."""
        return (1 + int((self.null_means >= self.mean).sum())) / (1 + len(self.null_means))

    def plot(self, **options: Any) -> Axes:
        """Draw both divergences as histograms with matplotlib and return the axes."""
        from clustval import plot  # noqa: PLC0415 - loads matplotlib

        draw = plot.spatial_histogram if self.name == "spatial histogram" else plot.distance_distribution
        axes: Axes = draw(self, **options)
        return axes

    def _records(self) -> list[dict[str, Any]]:
        rows = (("data", self.values), ("random samples", self.null))
        return [{"what": what, "divergence": value} for what, values in rows for value in values.tolist()]

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.mean:.3g} bits from random samples (s.d. {self.std:.2g}, {len(self.values)} samples); "
            f"random samples from each other: {self.null.mean():.3g} (s.d. {self.null.std():.2g}); "
            f"p = {self.p_value:.2g}. {NOT_UNIFORM}"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = ((self.name, self.values), ("random samples", self.null))
        cells = [(name, f"{values.mean():.3g}", f"{values.std():.2g}") for name, values in rows]
        return html_table([("", "mean", "s.d."), *cells])


def divergence(counts: Floats, others: Floats) -> float:
    """Return the divergence in bits of one histogram from another with the same total, in the cells of the first.

    A cell that is empty in the other counts as if it held half a point, so that one cell does not make the
    divergence infinite, and a cell without any random point still counts as evidence of clusters.

    Here half of the points are in a cell with a quarter of the others, half in a cell with three quarters:

    >>> from math import log2
    >>> divergence(np.array([2.0, 2.0]), np.array([1.0, 3.0])) == 0.5 * 1 + 0.5 * log2(2 / 3)
    True
    """
    occupied = counts > 0
    f, g = counts[occupied], np.maximum(others[occupied], 0.5)
    return float((f * np.log2(f / g)).sum() / counts.sum())
