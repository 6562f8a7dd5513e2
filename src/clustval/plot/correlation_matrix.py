"""How alike criteria order the partitions of a sweep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clustval.plot.style import axes, name_cells, write_cells

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.relative.sweep_result import Sweep

Matrix = NDArray[np.float64]

WRITTEN = 20  # indices up to which numbers fit into the cells


def correlations(sweep: Sweep, *, ordered: bool = True, ax: Axes | None = None) -> Axes:
    """Show the rank correlation of each two indices over the partitions of a sweep.

    1 means that both order the partitions alike. Indices of which lower values are better are negated first. Each
    correlation is Spearman's, over the partitions for which both indices have a value; cells without enough of them
    are empty. `ordered` puts indices that agree next to each other.
    """
    values = rank_correlations(sweep)
    order = _neighbours(values) if ordered else np.arange(len(values))
    values = values[np.ix_(order, order)]
    side = float(np.clip(0.4 * len(values), 2.4, 9))
    ax = axes(ax, (side + 3, side + 1.9))
    image = ax.imshow(values, cmap="cividis", vmin=-1, vmax=1, aspect="auto", interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="rank correlation over partitions", fraction=0.06)
    names = [sweep.indices[at] for at in order]
    name_cells(ax, names, names)
    if len(values) <= WRITTEN:
        texts = np.vectorize(_short, otypes=[object])(values)
        write_cells(ax, texts, np.nan_to_num(values, nan=1) < 0.2, size=7)
    return ax


def rank_correlations(sweep: Sweep) -> Matrix:
    """Return Spearman's correlation of each two indices, higher being better; NaN where there is none."""
    from scipy.stats import rankdata  # noqa: PLC0415 - slow to load

    signs = [-1.0 if sweep.rules[index].better == "lower" else 1.0 for index in sweep.indices]
    columns = [
        -np.abs(sweep[index]) if sweep.rules[index].better == "nearer 0" else sign * sweep[index]
        for index, sign in zip(sweep.indices, signs, strict=True)
    ]
    table = np.full((len(columns), len(columns)), np.nan)
    for i, a in enumerate(columns):
        for j, b in enumerate(columns[: i + 1]):
            both = ~(np.isnan(a) | np.isnan(b))
            ranks = [rankdata(column[both]) for column in (a, b)]
            if all(len(set(rank.tolist())) > 1 for rank in ranks):
                table[i, j] = table[j, i] = np.corrcoef(ranks[0], ranks[1])[0, 1]
    return table


def _neighbours(values: Matrix) -> NDArray[np.int64]:
    """Return an order in which indices that agree are near each other."""
    from scipy.cluster.hierarchy import leaves_list, linkage  # noqa: PLC0415 - slow to load
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    if len(values) < 3:
        return np.arange(len(values))
    apart = np.clip(1 - np.nan_to_num(values), 0, 2)
    np.fill_diagonal(apart, 0)
    return np.asarray(leaves_list(linkage(squareform(apart, checks=False), "average")), dtype=np.int64)


def _short(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.2f}"
