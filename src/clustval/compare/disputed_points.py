"""Which points carry the disagreement of two algorithms about the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import ROUNDING_OF_WEIGHTS
from clustval.labels import Column
from clustval.passes.labels.cells import at_points, tabulate, weigh
from clustval.result import Result
from clustval.tables import Tabular, html_table

SHOWN = 10  # points in a notebook


@dataclass(frozen=True, eq=False)
class Points(Tabular, Result):
    """For each point, on how many of its pairs only one algorithm is right; none for points that are left out.

    The other points count by weight; a point of weight 2 is two points, each with these pairs.
    """

    only_primary: NDArray[Any]
    only_alternative: NDArray[Any]

    def _records(self) -> list[dict[str, Any]]:
        pairs = zip(self.only_primary.tolist(), self.only_alternative.tolist(), strict=True)
        return [{"row": row, "only_primary": a, "only_alternative": b} for row, (a, b) in enumerate(pairs)]

    def __str__(self) -> str:
        one, other = (np.count_nonzero(values) for values in (self.only_primary, self.only_alternative))
        return (
            f"{len(self.only_primary)} points; {one} have pairs on which only the primary is right, "
            f"{other} such on which only the alternative is"
        )

    def _repr_html_(self) -> str:
        """Show the points whose pairs are disputed most."""
        disputed = np.argsort(-(self.only_primary + self.only_alternative), kind="stable")[:SHOWN]
        sides = (disputed, self.only_primary[disputed], self.only_alternative[disputed])
        rows = zip(*(side.tolist() for side in sides), strict=True)
        cells = [[str(cell) for cell in row] for row in rows]
        return f"<p>{self}</p>{html_table([('row', 'only primary', 'only alternative'), *cells])}"


def points_of(columns: Sequence[Column], noise: str, weights: Floats | None = None) -> Points:
    """Count the pairs of each point from the sizes of its clusters and of their overlaps.

    Points with the same three labels have the same counts, so that they are worked out once for each combination of
    labels. A pair is together in truth and primary but not in the alternative, or apart in both and together there;
    of the points together in all three, those of the first case and of the second cancel.
    """
    labels = [c.values for c in columns]
    numbers, counts = tabulate(labels) if weights is None else weigh(labels, weights)
    codes = [_codes(c, distinct) for c, distinct in zip(columns, numbers, strict=True)]
    noisy = np.any([c < 0 for c in codes], axis=0)
    if noise == "drop":
        counts = np.where(noisy, 0, counts)

    def size(*axes: int) -> NDArray[Any]:
        selection = [codes[axis] for axis in axes]
        keys = np.zeros(len(counts), dtype=np.int64)
        for c in selection:
            keys = np.unique(keys * (int(c.max()) + 2) + c + 1, return_inverse=True)[1]
        sizes = np.bincount(keys, weights=counts).astype(counts.dtype)[keys]
        alone = np.any([c < 0 for c in selection], axis=0)
        return np.where(alone, 1, sizes) if noise == "singletons" else sizes

    truth, primary, alternative = range(3)
    both, with_primary, with_alternative = size(primary, alternative), size(truth, primary), size(truth, alternative)
    values = np.stack([
        with_primary - with_alternative + size(alternative) - both,
        with_alternative - with_primary + size(primary) - both,
    ])  # fmt: skip
    if noise == "drop":
        values[:, noisy] = 0
    if counts.dtype.kind == "f":
        values[values < ROUNDING_OF_WEIGHTS * counts.sum()] = 0.0
    if weights is None:
        return Points(*at_points(labels, numbers, values))
    present = weights > 0
    at_all = np.zeros((2, len(weights)), dtype=values.dtype)
    at_all[:, present] = at_points([c[present] for c in labels], numbers, values)
    return Points(*at_all)


def _codes(column: Column, numbers: Integers) -> Integers:
    distinct, inverse = np.unique(numbers, return_inverse=True)
    return column.read(distinct)[0][inverse]
