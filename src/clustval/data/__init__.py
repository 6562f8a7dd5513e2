"""Two small data sets that everybody knows, with their classes and two clusterings of each.

iris: 150 flowers of three species (Fisher, 1936). wine: 178 wines of three cultivars (Aeberhard and Forina, 1992).
The columns ``kmeans`` and ``ward`` are partitions into three by these algorithms, of wine after standardization.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError
from clustval.tables import html_table, number, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Axes

FOLDER = Path(__file__).parent
NAMES = ("iris", "wine")
CLUSTERINGS = ("kmeans", "ward")
SHOWN = 5  # rows in a notebook


class DataSet(NamedTuple):
    """Points, their true classes, and what the columns measure."""

    X: NDArray[np.float64]
    truth: NDArray[np.str_]
    features: list[str]
    clusterings: dict[str, NDArray[np.str_]]

    def __repr__(self) -> str:
        cells, about = self._first_rows()
        return f"{text_table(cells, right=range(len(self.features)))}\n{about}"

    def _repr_html_(self) -> str:
        cells, about = self._first_rows()
        return f"{html_table(cells)}<p>{about}</p>"

    def plot(self, **options: Any) -> Axes:
        """Draw the points on two principal components, coloured by class, and return the axes; needs matplotlib."""
        from clustval.plot.principal_components import scatter  # noqa: PLC0415 - a convenience

        return scatter(self.X, self.truth, **options)

    def _first_rows(self) -> tuple[list[list[str]], str]:
        """Return the first rows as cells below headings, and how many rows there are."""
        columns = {"class": self.truth, **self.clusterings}
        rows = zip(self.X[:SHOWN].tolist(), *(column[:SHOWN].tolist() for column in columns.values()), strict=True)
        cells = [[*map(number, point), *labels] for point, *labels in rows]
        about = f"{len(self.X):,} points, {len(self.features)} features, {len(set(self.truth.tolist()))} classes"
        shown = f"; the first {SHOWN} are shown" if len(self.X) > SHOWN else ""
        return [[*self.features, *columns], *cells], f"{about}{shown}"


def path(name: str) -> Path:
    """Return where the bundled file lies."""
    if name not in NAMES:
        msg = f"No bundled data set is called {name!r}; there are {' and '.join(NAMES)}."
        raise InputError(msg)
    return FOLDER / f"{name}.csv"


def load(name: str) -> DataSet:
    """Return a bundled data set.

    >>> iris = load("iris")
    >>> iris.X.shape, str(iris.truth[0]), iris.features[0]
    ((150, 4), 'setosa', 'sepal_length')
    """
    with path(name).open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    table = np.array(rows)
    count = len(header) - 1 - len(CLUSTERINGS)
    return DataSet(
        X=table[:, :count].astype(np.float64),
        truth=table[:, count],
        features=header[:count],
        clusterings={c: table[:, header.index(c)] for c in CLUSTERINGS},
    )
