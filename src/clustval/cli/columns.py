"""Which columns of a table are the points, and which the labels."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clustval import files
from clustval.errors import InputError
from clustval.lazy import cached_property

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

COUNTERS = ("", "Unnamed: 0")  # what data frames call the row numbers that they write
MOSTLY = 0.5  # a text column of which more is numbers was meant to be numbers


@dataclass(frozen=True)
class InputPoints:
    """Coordinates, the columns they come from, the numbers of their rows, and the columns left out."""

    X: NDArray[np.float64]
    features: list[str]
    rows: NDArray[np.int64]
    left_out: list[str]
    dropped: int
    weights: NDArray[np.float64] | None = None  # how often each point counts
    doubts: tuple[str, ...] = ()  # about columns that may be no features, a line each

    @property
    def amount(self) -> str:
        """How many points there are, in words."""
        rows = f"{len(self.X):,} points"
        return rows if self.weights is None else f"{rows} of weight {self.weights.sum():,.10g} in all"


@dataclass(frozen=True)
class InputTable:
    """A table that a user passes, and its name in messages."""

    frame: pl.DataFrame
    name: str

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.frame)

    @cached_property
    def columns(self) -> dict[str, pl.Series]:
        """The columns by name: a frame looks for each name among all of them."""
        return {column.name: column for column in self.frame.iter_columns()}

    def column(self, name: str) -> pl.Series:
        """Return a column, or raise an error with the nearest name."""
        if name in self.columns:
            return self.columns[name]
        lower = {column.lower(): column for column in self.columns}
        near = difflib.get_close_matches(name.lower(), lower, n=1)
        hint = f"Did you mean {lower[near[0]]!r}?" if near else f"It has {listed(map(repr, self.columns))}."
        msg = f"{self.name} has no column {name!r}. {hint}"
        raise InputError(msg)

    def several(self, text: str) -> list[str]:
        """Return the names in a list such as "a,b", unless it is the name of a column or file itself."""
        if text in self.columns or Path(text).is_file():
            return [text]
        return [name.strip() for name in text.split(",") if name.strip()]

    def labels(self, name: str) -> pl.Series:
        """Return the labels: a column of this table, or of another file (FILE, FILE:COL)."""
        if name in self.columns:
            return self.columns[name]
        if Path(name).is_file():
            return self._labels_from(name, "")
        path, _, column = name.rpartition(":")
        return self._labels_from(path, column) if Path(path).is_file() else self.column(name)

    def _labels_from(self, path: str, column: str) -> pl.Series:
        try:
            frame = files.read(path)
            headless = not column and len(frame) == self.n - 1
        except InputError:  # perhaps because the first line is a label, not a name
            headless = True
        if headless:
            frame = files.read(path, header=False)
        if len(frame) != self.n:
            lines = len(frame if column else files.read(path, header=False))
            msg = f"{path} has {lines} lines but {self.name} has {self.n} rows."
            raise InputError(msg)
        if column:
            return InputTable(frame, path).column(column)
        if frame.width > 1:
            msg = f"{path} has {frame.width} columns; choose one, as {path}:{frame.columns[0]} does."
            raise InputError(msg)
        return frame.to_series().rename(Path(path).stem)

    def weights(self, name: str, rows: Any = None) -> NDArray[np.float64]:
        """Return how often each row counts, or each of some: a column of numbers, of this table or of another file."""
        from clustval.inputs import as_weights  # noqa: PLC0415

        column = self.labels(name)
        numbers = InputTable(column.to_frame(), self.name)._numbers(column.name)  # noqa: SLF001 - of this class
        numbers = numbers if rows is None else numbers.gather(rows)
        return as_weights(numbers, len(numbers), f"Column {name!r}")

    def points(
        self,
        features: str = "",
        *,
        used: Collection[str] = (),
        exclude: Iterable[str] | None = None,
        labels: Iterable[pl.Series] = (),
        weights: str | None = None,
        drop_missing: bool = False,
        standardize: bool = False,
        matrix: bool = False,
    ) -> InputPoints:
        """Return the points: the chosen columns, or all columns of numbers that are not `used` as labels or weights.

        Left out are the columns to `exclude`, and such that hold the same as `labels`, which may come from elsewhere.
        """
        import numpy as np  # noqa: PLC0415

        from clustval.cli.doubts import doubts  # noqa: PLC0415
        from clustval.inputs import as_points  # noqa: PLC0415

        excluded = [name for text in exclude or () for name in self.several(text)]
        for name in excluded:
            self.column(name)
        copies = [] if features else self._copies(labels, {*used, *excluded})
        names, left_out = self._features(features, [*used, *excluded, *copies, *([] if weights is None else [weights])])
        if features and excluded:
            names = [name for name in names if name not in excluded]
        if not names:
            msg = "--exclude leaves no column of --features."
            raise InputError(msg)
        columns = [self._numbers(name) for name in names]
        X = np.column_stack([c.to_numpy() for c in columns])
        good = np.isfinite(X).all(axis=1)
        if not good.all() and not drop_missing:
            raise self._missing(X, names)
        if not good.any():
            msg = f"Every row of {self.name} lacks a value; choose fuller columns with --features."
            raise InputError(msg)
        X, rows = X[good], np.flatnonzero(good)
        lines = [f"Column {name!r} holds the labels themselves and is left out" for name in copies]
        used_columns = [self.columns[name] for name in names]
        lines += doubts(used_columns, X, chosen=bool(features), standardized=standardize, matrix=matrix)
        heavy = None if weights is None else self.weights(weights, rows)
        if standardize:
            X = as_points(X)  # refuses numbers whose squares overflow
            mean = np.average(X, axis=0, weights=heavy)
            spread = X.std(axis=0) if heavy is None else np.sqrt(np.average((X - mean) ** 2, axis=0, weights=heavy))
            X = (X - mean) / np.where(spread > 0, spread, 1)
        return InputPoints(np.ascontiguousarray(X), names, rows, left_out, self.n - len(X), heavy, tuple(lines))

    def numbers(self, name: str) -> pl.Series:
        """Return a column of numbers, or raise an error if it is none."""
        return self._numbers(self.column(name).name)

    def has_numbers(self, used: Collection[str]) -> bool:
        """Return whether a column holds numbers, beside those that are used and those that count rows."""
        rest = [name for name in self.columns if name not in used and not (name in COUNTERS and self._counts(name))]
        return any(map(self._holds_numbers, rest))

    def coordinates(self, text: str) -> tuple[list[str], pl.DataFrame | None]:
        """Return the names of two columns in which points are drawn, and the columns; nothing for an empty text."""
        import polars as pl  # noqa: PLC0415

        names = self.several(text) if text else []
        if len(names) not in (0, 2):
            msg = f"--coordinates must name two columns, as x,y does; it is {text!r}."
            raise InputError(msg)
        return names, pl.DataFrame({name: self._numbers(name) for name in names}) if names else None

    def _copies(self, labels: Iterable[pl.Series], used: Collection[str]) -> list[str]:
        """Return the columns that hold the same as labels from elsewhere: whole numbers, as labels are."""
        from clustval.cli.doubts import same_labels  # noqa: PLC0415

        others = [column for name, column in self.columns.items() if name not in used and column.dtype.is_integer()]
        return [column.name for column in others if any(same_labels(column, each) for each in labels)]

    def _features(self, features: str, used: Collection[str]) -> tuple[list[str], list[str]]:
        if features:
            names = self.several(features)
            for name in names:
                self.column(name)
            return list(dict.fromkeys(names)), []
        rest = [name for name in self.columns if name not in used]
        counters = [name for name in rest if name in COUNTERS and self._counts(name)]
        numeric = [name for name in rest if name not in counters and self._holds_numbers(name)]
        if not numeric:
            besides = " besides the labels" if used else ""
            others = f"its other columns are {listed(map(repr, rest))}" if rest else "it has no other columns"
            msg = f"{self.name} has no column of numbers{besides}; {others}."
            raise InputError(msg)
        taken = set(numeric)
        return numeric, [name for name in rest if name not in taken]

    def _counts(self, name: str) -> bool:
        column = self.columns[name]
        return column.dtype.is_integer() and bool((column.diff().drop_nulls() == 1).all())

    def _holds_numbers(self, name: str) -> bool:
        import polars as pl  # noqa: PLC0415

        column = self.columns[name]
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            return True
        if column.dtype != pl.String:
            return False
        parsed = column.str.strip_chars().cast(pl.Float64, strict=False)
        entries = len(column) - column.null_count()
        numbers = len(parsed) - parsed.null_count()
        if numbers <= MOSTLY * entries:
            return False
        if numbers < entries:
            row = int((parsed.is_null() & column.is_not_null()).arg_true()[0])
            msg = (
                f"Column {name!r} of {self.name} mixes numbers and text: row {row + 1} holds {column[row]!r}. "
                "Clean it, or choose other columns with --features."
            )
            raise InputError(msg)
        return True

    def _numbers(self, name: str) -> pl.Series:
        import polars as pl  # noqa: PLC0415

        column = self.columns[name]
        if not self._holds_numbers(name):
            example = f", such as {column.drop_nulls()[0]!r}" if column.dtype == pl.String and column.count() else ""
            msg = f"Column {name!r} of {self.name} holds {_kind(column.dtype)}{example}, not numbers."
            raise InputError(msg)
        if column.dtype == pl.String:
            column = column.str.strip_chars()
        return column.cast(pl.Float64)

    def _missing(self, X: Any, names: list[str]) -> InputError:
        import numpy as np  # noqa: PLC0415

        bad = ~np.isfinite(X)
        rows = int(np.count_nonzero(bad.any(axis=1)))
        by_column = {name: int(count) for name, count in zip(names, bad.sum(axis=0), strict=True) if count}
        where = ", ".join(f"{name!r}: {count}" for name, count in list(by_column.items())[:5])
        where += ", ..." if len(by_column) > 5 else ""
        what = "lack a value" if np.isnan(X[bad]).any() else "hold an infinite value"
        return InputError(
            f"{rows} of {self.n} rows of {self.name} {what} ({where}); "
            "fill them in, or leave these rows out with --drop-missing."
        )


def _kind(dtype: Any) -> str:
    return {"String": "text", "Date": "dates", "Datetime": "dates and times"}.get(
        str(dtype).partition("(")[0], str(dtype)
    )


def listed(names: Iterable[str], most: int = 10) -> str:
    """Return names in a row, the last ones counted if they are many."""
    texts = list(names)
    return ", ".join(texts) if len(texts) <= most else f"{', '.join(texts[:most])} and {len(texts) - most} more"


def used(points: InputPoints) -> str:
    """Return in a line what was used of a table."""
    return f"{points.amount}; features: {listed(points.features)}."


def names_of(indices: str) -> str | list[str]:
    """Return one name of an index or suite, or several that commas separate."""
    names = [name.strip() for name in indices.split(",") if name.strip()]
    return names[0] if len(names) == 1 else names


def table(path: str, *, encoding: str = "utf-8", header: bool = True) -> InputTable:
    """Return the table in a file; the bundled one if there is no such file but a data set of that name."""
    from clustval import data  # noqa: PLC0415

    source = str(data.path(path)) if path in data.NAMES and not Path(path).exists() else path
    return InputTable(files.read(source, encoding=encoding, header=header), files.display_name(path))


def check_clusters(labels: pl.Series, name: str, noise: str) -> None:
    """Raise an error if the labels form fewer than two clusters: nothing can be said about that."""
    noisy = labels.is_null()
    if labels.dtype.is_integer():
        noisy = noisy | (labels == -1)
    values = labels.filter(~noisy).unique()
    points = int(noisy.sum())
    extra = {"drop": 0, "cluster": min(points, 1)}.get(noise, points)
    if len(values) + extra > 1:
        return
    if not len(values):
        msg = f"The labels in {name!r} are all noise, -1 or missing; an evaluation needs two clusters or more."
    elif points:
        msg = (
            f"The labels in {name!r} are {values[0]!r} and noise: one cluster; an evaluation needs two or more. "
            "--noise cluster counts noise as one."
        )
    else:
        msg = f"The labels in {name!r} are all {values[0]!r}: one cluster; an evaluation needs two or more."
    raise InputError(msg)
