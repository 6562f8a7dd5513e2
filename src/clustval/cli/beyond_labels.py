"""Memberships and clusterings that overlap, in the columns of a table: how they are read, judged and compared."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from clustval.cli import columns, command_line, output
from clustval.errors import InputError
from clustval.homes.frames import listed
from clustval.sources import cover_pair, membership_pair, memberships
from clustval.tables import keys_beside

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from clustval.cli.columns import InputTable
    from clustval.results import Scores


def missing_labels() -> InputError:
    """Return the error of a command that was given nothing to judge."""
    return InputError("Missing option '--labels' / '-l', or '--memberships'.")


def refuse(options: Mapping[str, Any], what: str) -> None:
    """Raise an error if an option is given that only labels take."""
    for name, value in options.items():
        if value:
            msg = f"{name} is for labels; {what} have none."
            raise InputError(msg)


# --- memberships -----------------------------------------------------------------------------------------


def member_columns(table: InputTable, text: str) -> list[str]:
    """Return the columns of memberships: names that commas separate, or patterns such as u*."""
    names: list[str] = []
    for each in table.several(text):
        if each in table.columns or "*" not in each:
            table.column(each)
            names.append(each)
            continue
        matching = [name for name in table.columns if fnmatchcase(name, each)]
        if not matching:
            msg = f"No column of {table.name} is like {each!r}. It has {listed(map(repr, table.columns))}."
            raise InputError(msg)
        names += matching
    return list(dict.fromkeys(names))


def matrix_of(table: InputTable, names: list[str]) -> NDArray[np.float64]:
    """Return columns of numbers as a matrix."""
    import numpy as np  # noqa: PLC0415

    return np.column_stack([table.number_column(name).to_numpy() for name in names])


def evaluate_memberships(
    table: InputTable,
    text: str,
    *,
    m: float,
    truth: str | None,
    weights: str | None,
    indices: str,
    style: output.Style,
    report: str | None,
    **choosing: Any,
) -> None:
    """Judge memberships by the other columns of numbers, if there are any, and compare them with a truth.

    `choosing` are the options of `InputTable.points` that say which columns and rows are used, and how.
    """
    import clustval as cv  # noqa: PLC0415

    names = member_columns(table, text)
    used = [*names, *([truth] if truth else []), *([weights] if weights else [])]
    U, X, features = matrix_of(table, names), None, []
    rows: Any = slice(None)
    heavy = None if weights is None else table.weights(weights)
    if choosing.get("features") or table.has_numbers(used):
        points = table.points(used=used, weights=weights, **choosing)
        X, rows, features, heavy = points.X, points.rows, points.features, points.weights
        output.warn(points.doubts)
    scores = cv.fuzzy.evaluate(X, U[rows], indices=columns.names_of(indices), m=m, sample_weight=heavy)
    results = [(scores, memberships.KIND)]
    if truth:
        classes = table.labels(truth).to_numpy()[rows]
        results.append((cv.fuzzy_external.evaluate(classes, U[rows]), membership_pair.KIND))
    facts = {
        "data": table.name, "points": len(U[rows]), "features": features, "memberships": names, "m": m, "truth": truth,
        "weights": weights,
    }  # fmt: skip
    _print(
        results,
        style,
        facts,
        f"{len(U[rows]):,} points, {len(names)} clusters: {listed(names)}; {_of(features)}.",
    )
    _write(report, scores, f"{table.name}: the memberships {listed(names)}")


def _write(report: str | None, scores: Scores, title: str) -> None:
    if report is not None:
        scores.to_html(report, title=title, made_by=command_line())
        output.say(f"Wrote {report}")


def _of(features: list[str]) -> str:
    return f"features: {listed(features)}" if features else "no features"


def agree_memberships(
    table: InputTable, truth: str, text: str, indices: str, style: output.Style, report: str | None
) -> None:
    """Compare memberships with a truth, which is one column of classes, or a pattern of columns of memberships."""
    import clustval as cv  # noqa: PLC0415

    names = member_columns(table, text)
    soft = "*" in truth or len(table.several(truth)) > 1
    true: Any = matrix_of(table, member_columns(table, truth)) if soft else table.labels(truth).to_numpy()
    scores = cv.fuzzy_external.evaluate(true, matrix_of(table, names), indices=columns.names_of(indices))
    facts = {"data": table.name, "points": table.n, "truth": truth, "memberships": names}
    _print([(scores, membership_pair.KIND)], style, facts, f"Agreement of {listed(names)} with {truth}.")
    _write(report, scores, f"{table.name}: agreement of {listed(names)} with {truth}")


# --- covers ----------------------------------------------------------------------------------------------


def overlapping(column: pl.Series, separator: str | None) -> bool:
    """Return whether cells of a column may name several clusters: lists, or text with a separator."""
    import polars as pl  # noqa: PLC0415

    return isinstance(column.dtype, (pl.List, pl.Array)) or separator is not None


def cover_in(column: pl.Series, separator: str | None) -> dict[int, list[Any]]:
    """Return the clusters of each row; an empty cell is in none."""
    clusters: dict[int, list[Any]] = {}
    for row, cell in enumerate(column.to_list()):
        if isinstance(cell, list):
            clusters[row] = [name for name in cell if name is not None]
        elif separator is None:
            clusters[row] = [] if cell is None else [str(cell)]
        else:
            parts = [] if cell is None else [part.strip() for part in str(cell).split(separator)]
            clusters[row] = [part for part in parts if part]
    return clusters


def agree_covers(
    table: InputTable,
    truth: str,
    labels: Mapping[str, pl.Series],
    separator: str | None,
    indices: str,
    style: output.Style,
) -> None:
    """Compare clusterings that overlap with a truth that may overlap."""
    import clustval as cv  # noqa: PLC0415

    if separator == "":
        msg = "--separator must not be empty; it stands between the clusters in a cell, as ';' does in 'a;b'."
        raise InputError(msg)
    true = cover_in(table.labels(truth), separator)
    scores = {
        name: cv.covers.evaluate(true, cover_in(column, separator), indices=columns.names_of(indices))
        for name, column in labels.items()
    }
    first = next(iter(scores.values()))
    keys = keys_beside(labels, ("index", "direction", "reason"))
    rows = [
        {
            "index": index,
            **{keys[name]: each[index] for name, each in scores.items()},
            "direction": first.choices[index].best.better,
            "reason": "; ".join(
                dict.fromkeys(each.reasons[index] for each in scores.values() if index in each.reasons)
            ),
        }
        for index in first
    ]
    facts = {"data": table.name, "points": table.n, "truth": truth, "labels": list(labels), "kind": cover_pair.KIND}
    if style != "table":
        output.print_rows(rows, style, facts)
        return
    reasons = ["reason"] if any(row["reason"] for row in rows) else []
    headings = ["index", *keys.values(), "direction", *reasons]
    output.print_table(rows, title=f"Agreement of overlapping clusters with {truth}", columns=headings)


def _print(results: list[tuple[Scores, str]], style: output.Style, facts: Mapping[str, Any], note: str) -> None:
    rows = [row for scores, kind in results for row in output.score_rows(scores, kind)]
    if style != "table":
        output.print_rows(rows, style, facts)
    else:
        output.print_table(output.readable(rows), notes=[note])
