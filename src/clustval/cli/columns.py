"""Which columns of a table are the points, and which the labels."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from clustval.alarms import percent
from clustval.errors import InputError
from clustval.file_faults import PROGRAM
from clustval.homes.frames import listed
from clustval.number_words import number_of
from clustval.readers.file_table import FileTable

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

PART = re.compile(r'\s*"((?:[^"]|"")+)"\s*(?=,|$)|([^,]+)')  # of a list: a name in quotes, or one without commas


@dataclass(frozen=True)
class InputPoints:
    """Coordinates, the columns they come from, the numbers of their rows, and the columns left out."""

    X: Any  # an array of numbers; a frame where columns of all types are compared
    features: list[str]
    rows: NDArray[np.int64]
    left_out: list[str]
    dropped: int
    weights: NDArray[np.float64] | None = None  # how often each point counts
    doubts: tuple[str, ...] = ()  # about columns that may be no features, a line each
    identifiers: tuple[str, ...] = ()  # columns left out since they name the rows
    distances: bool = False  # whether they are distances of points, whose columns are no features

    @property
    def amount(self) -> str:
        """How many points there are, in words."""
        rows = f"{len(self.X):,} points"
        return rows if self.weights is None else f"{rows} of weight {self.weights.sum():,.10g} in all"

    @property
    def apart(self) -> list[str]:
        """What of the table is not used, and why, a line for each reason."""
        lines = []
        if self.identifiers:
            lines.append(f"Left out, naming the rows: {listed(self.identifiers)}.")
        if self.left_out:
            lines.append(f"Left out, not numbers: {listed(self.left_out)}.")
        if self.dropped:
            lines.append(f"Left out, with missing values: {self.dropped:,} rows.")
        return lines

    @property
    def warnings(self) -> list[str]:
        """What to know before a report is trusted: doubts about columns, and rows without values, a sentence each."""
        lines = [f"{line}." for line in self.doubts]
        if self.dropped:
            all_rows = len(self.X) + self.dropped
            share = percent(self.dropped / all_rows)
            lines.append(f"{self.dropped:,} of {all_rows:,} rows ({share}) lack a value and are left out.")
        return [*lines, *self._gaps()]

    def _gaps(self) -> list[str]:
        """Say in which columns of a table values are missing, where columns of all types are compared."""
        if not hasattr(self.X, "null_count"):
            return []
        counts = {name: int(count) for name, count in self.X.null_count().row(0, named=True).items() if count}
        if not counts:
            return []
        shown = ", ".join(f"{name!r} ({percent(counts[name] / len(self.X))})" for name in list(counts)[:5])
        more = f" and {len(counts) - 5} more" if len(counts) > 5 else ""
        return [f"Values are missing in {shown}{more}; distances compare what two rows both have."]

    @property
    def facts(self) -> dict[str, Any]:
        """What was used and what was not, for output that programs read."""
        return {
            "points": len(self.X),
            "features": self.features,
            "left_out": {"identifiers": list(self.identifiers), "not_numbers": self.left_out, "rows": self.dropped},
        }

    def about(self, *, standardized: bool = False) -> list[str]:
        """Return facts for a report: how many points, by which features, and what was left out."""
        if self.distances:
            return [f"{self.amount}, by their distances"]
        scaled = ", standardized" if standardized else ""
        features = f"{len(self.features)} features{scaled}: {listed(self.features, 6)}"
        return [self.amount, features, *(line.removesuffix(".") for line in self.apart)]


class InputTable(FileTable):
    """A table that a user of the program passes, and its name in messages."""

    remedies = PROGRAM
    fuller: ClassVar[str] = "fuller columns with --features"  # what to do where every row lacks a value

    def several(self, text: str) -> list[str]:
        """Return the names in a list such as "a,b", unless it is the name of a column or file itself."""
        return names_in(text, self.columns)

    def weights(self, name: str, rows: Any = None) -> NDArray[np.float64]:
        """Return how often each row counts, or each of some: a column of numbers, of this table or of another file."""
        from clustval.inputs import as_weights  # noqa: PLC0415

        numbers = self.other_numbers(name)
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
        metric: str | None = None,
    ) -> InputPoints:
        """Return the points: the chosen columns, or all columns of numbers that are not `used` as labels or weights.

        Left out are the columns to `exclude`, and such that hold the same as `labels`, which may come from elsewhere.
        """
        from clustval.inputs import as_metric  # noqa: PLC0415

        if metric is not None:
            as_metric(metric)
        if metric == "gower":
            return self.with_dates()._mixed(  # noqa: SLF001 - of the same class
                features, used, exclude, labels, weights, drop_missing=drop_missing, standardize=standardize
            )
        from clustval.cli.doubts import doubts  # noqa: PLC0415

        excluded = [name for text in exclude or () if text for name in self.several(text)]
        for name in excluded:
            self.column(name)
        copies = [] if features else self.copies(labels, {*used, *excluded})
        others = [*used, *excluded, *copies, *([] if weights is None else [weights])]
        names, left_out, identifiers = self.chosen(self.several(features) if features else [], others)
        if features and excluded:
            names = [name for name in names if name not in excluded]
        if not names:
            msg = "--exclude leaves no column of --features."
            raise InputError(msg)
        parts = self.columns_of(names)
        has_gower = metric is not None  # the caller has --metric
        points = self.complete(self.numbers(names), parts, weights, drop_missing=drop_missing, has_gower=has_gower)
        lines = [f"Column {name!r} holds the labels themselves and is left out" for name in copies]
        lines += [*naming(identifiers), *self.decimal_commas(left_out)]
        used_columns = [self.columns[name] for name in names]
        matrix = metric == "precomputed" or parts != names  # whose columns are not doubted one by one
        lines += doubts(
            used_columns,
            points.X,
            chosen=bool(features),
            standardized=standardize,
            matrix=matrix,
            metric=metric or "euclidean",
        )
        X = _standardized(points.X, points.weights) if standardize else points.X
        out: dict[str, Any] = {"left_out": left_out, "identifiers": tuple(identifiers), "doubts": tuple(lines)}
        return replace(points, X=X, distances=metric == "precomputed", **out)

    def complete(
        self,
        X: NDArray[Any],
        parts: list[str],
        weights: str | None,
        *,
        drop_missing: bool,
        standardize: bool = False,
        has_gower: bool = False,
    ) -> InputPoints:
        """Return the rows of numbers that lack no value; an error if some do and are not to be dropped."""
        import numpy as np  # noqa: PLC0415

        good = np.isfinite(X).all(axis=1)
        if not good.all() and not drop_missing:
            raise self._missing(X, parts, has_gower=has_gower)
        rows = np.flatnonzero(good)
        self._check_complete(len(rows))
        X = X if len(rows) == len(X) else X[rows]
        heavy = None if weights is None else self.weights(weights, rows)
        X = _standardized(X, heavy) if standardize else X
        return InputPoints(np.ascontiguousarray(X), parts, rows, [], self.n - len(X), heavy)

    def _check_complete(self, rows: int) -> None:
        """Raise an error if no rows are left that lack no value."""
        if not rows:
            msg = f"Every row of {self.name} lacks a value; choose {self.fuller}."
            raise InputError(msg)

    def _mixed(
        self,
        features: str,
        used: Collection[str],
        exclude: Iterable[str] | None,
        labels: Iterable[pl.Series],
        weights: str | None,
        *,
        drop_missing: bool,
        standardize: bool,
    ) -> InputPoints:
        """Return the points as columns of numbers, text and whatever else is not `used`; values may be missing."""
        import numpy as np  # noqa: PLC0415

        from clustval.categories import is_missing  # noqa: PLC0415

        if standardize:
            msg = "--metric gower brings columns to their ranges; leave --standardize out."
            raise InputError(msg)
        excluded = [self.column(name).name for text in exclude or () if text for name in self.several(text)]
        copies = [] if features else self.copies(labels, {*used, *excluded})
        apart = {*used, *excluded, *copies, weights}
        rest = self.several(features) if features else [name for name in self.columns if name not in apart]
        names = [self.column(name).name for name in dict.fromkeys(rest) if name not in excluded]
        counters = [] if features else self.counters(names)
        names = [name for name in names if name not in counters]
        identifiers = [] if features else self.identifiers(names)
        names = [name for name in names if name not in identifiers]
        if not names:
            msg = f"{self.name} has no columns besides the labels; --metric gower compares all others."
            raise InputError(msg)
        lines = [f"Column {name!r} holds the labels themselves and is left out" for name in copies]
        lines += naming(identifiers)
        frame, rows = self.frame.select(names), np.arange(self.n)
        if drop_missing:
            rows = np.flatnonzero([not any(map(is_missing, row)) for row in frame.rows()])
            self._check_complete(len(rows))
        heavy = None if weights is None else self.weights(weights, rows)
        dropped = self.n - len(rows)
        return InputPoints(frame[rows], names, rows, [], dropped, heavy, tuple(lines), tuple(identifiers))

    def has_numbers(self, used: Collection[str]) -> bool:
        """Return whether a column holds numbers, beside those that are used and those that count rows."""
        rest = [name for name in self.columns if name not in used]
        counters = self.counters(rest)
        return any(self._holds_numbers(name) for name in rest if name not in counters)

    def coordinates(self, text: str) -> tuple[list[str], pl.DataFrame | None]:
        """Return the names of two columns in which points are drawn, and the columns; nothing for an empty text."""
        import polars as pl  # noqa: PLC0415

        names = self.several(text) if text else []
        if len(names) not in (0, 2):
            msg = f"--coordinates must name two columns, as x,y does; it is {text!r}."
            raise InputError(msg)
        return names, pl.DataFrame({name: self.number_column(name) for name in names}) if names else None

    def _missing(self, X: Any, names: list[str], *, has_gower: bool) -> InputError:
        import numpy as np  # noqa: PLC0415

        bad = ~np.isfinite(X)
        rows = int(np.count_nonzero(bad.any(axis=1)))
        by_column = {name: int(count) for name, count in zip(names, bad.sum(axis=0), strict=True) if count}
        where = ", ".join(f"{name!r}: {count}" for name, count in list(by_column.items())[:5])
        where += ", ..." if len(by_column) > 5 else ""
        lacking = bool(np.isnan(X[bad]).any())
        what = "lack a value" if lacking else "hold an infinite value"
        gaps = ", or compare what is there with --metric gower" if lacking and has_gower else ""
        return InputError(
            f"{rows} of {self.n} rows of {self.name} {what} ({where}); "
            f"fill them in, or leave these rows out with --drop-missing{gaps}."
        )


def names_in(text: str, columns: Collection[str]) -> list[str]:
    """Return the names in a list such as "a,b", unless it is the name of one of the columns, or of a file, itself.

    Names that hold a comma stand in quotes; blanks around names count only where a column has them.

    >>> names_in('x, y,"height, cm"', ["x", " y", "height, cm"])
    ['x', ' y', 'height, cm']
    """
    if text in columns or os.path.isfile(text):  # noqa: PTH113 - a list may be too long for a path
        return [text]
    parts = [quoted.replace('""', '"') or plain for quoted, plain in PART.findall(text)]
    names = [part if part in columns else part.strip() for part in parts if part.strip()]
    if not names:
        msg = f"{text!r} names no column; give names that commas separate, as a,b."
        raise InputError(msg)
    return names


def alike(columns: Sequence[pl.Series]) -> list[list[Any]]:
    """Return names of rows in several columns as text, where one column may hold 01 as text and another as a number.

    >>> import polars as pl
    >>> alike([pl.Series(["01", "A1"]), pl.Series([1, 2])])
    [['1', 'A1'], ['1', '2']]
    """
    import polars as pl  # noqa: PLC0415

    texts: list[list[Any]] = [column.cast(pl.String).str.strip_chars().to_list() for column in columns]
    kinds = {"whole" if column.dtype.is_integer() else str(column.dtype) for column in columns if column.count()}
    return texts if len(kinds) < 2 else [[_as_number(text) for text in each] for each in texts]


def _as_number(text: str | None) -> str | None:
    """Return the text of a number as all columns write it, and other text as it is."""
    value = number_of(text or "")
    if value is None:
        return text
    if not value.is_integer():
        return repr(value) if math.isfinite(value) else text
    try:
        return str(int(text or ""))  # exact, of any length
    except ValueError:
        return str(int(value))


def _standardized(X: NDArray[Any], weights: NDArray[np.float64] | None) -> NDArray[Any]:
    """Return numbers whose columns have mean 0 and variance 1; constant columns become 0."""
    import numpy as np  # noqa: PLC0415

    from clustval.inputs import as_points  # noqa: PLC0415

    X = as_points(X)  # refuses numbers whose squares overflow
    mean = np.average(X, axis=0, weights=weights)
    spread = X.std(axis=0) if weights is None else np.sqrt(np.average((X - mean) ** 2, axis=0, weights=weights))
    return np.ascontiguousarray((X - mean) / np.where(spread > 0, spread, 1))


def naming(identifiers: list[str]) -> list[str]:
    """Return a line for each column that is left out since it names the rows."""
    return [f"Column {name!r} names the rows and is left out; --features takes any column" for name in identifiers]


def used(points: InputPoints) -> list[str]:
    """Return what was used of a table, in a line, and what was left out and why, in others."""
    features = ", by their distances" if points.distances else f"; features: {listed(points.features)}"
    return [f"{points.amount}{features}.", *points.apart]


def names_of(indices: str) -> str | list[str]:
    """Return one name of an index or suite, or several that commas separate."""
    names = [name.strip() for name in indices.split(",") if name.strip()]
    return names[0] if len(names) == 1 else names


def names_of_clusters(texts: Iterable[str] | None, labels: pl.Series) -> dict[Any, str] | None:
    """Return what each label is called, by texts such as "0=loyal,1=new"; None without any.

    A comma inside a name stays, where no other name follows it.
    """
    pairs = [part for text in texts or () for part in _parts_of(text)]
    if not pairs:
        return None
    by_text = {str(label): label for label in labels.drop_nulls().unique().to_list()}
    names = {}
    for pair in pairs:
        label, equals, name = pair.partition("=")
        if not equals or not name.strip():
            msg = f"--names takes LABEL=NAME, as 0=loyal,1=new; {pair!r} is none."
            raise InputError(msg)
        if label.strip() not in by_text:
            msg = f"--names: no cluster is called {label.strip()!r}; {listed(sorted(by_text), 10)} are."
            raise InputError(msg)
        names[by_text[label.strip()]] = name.strip()
    return names


def _parts_of(text: str) -> list[str]:
    parts: list[str] = []
    for part in text.split(","):
        if "=" in part or not parts:
            parts.append(part)
        else:
            parts[-1] += f",{part}"
    return parts


def check_clusters(labels: pl.Series, name: str, noise: str) -> None:
    """Raise an error if the labels form fewer than two clusters: nothing can be said about that."""
    noisy = labels.is_null()
    if labels.dtype.is_signed_integer():
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
