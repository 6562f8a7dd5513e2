"""Evaluation of files that are read in blocks: folders and patterns, on this machine or on a cluster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clustval.cli import command_line, output
from clustval.cli.cell_table import are_many, parts_of, refuse_columns, representation
from clustval.cli.open_table import is_cells
from clustval.errors import InputError, optional
from clustval.homes.cell_files import CellFile, has_cells, is_pattern, zarr_array
from clustval.homes.frames import listed
from clustval.readers.file_rows import array_of_points, types_of
from clustval.readers.pieces import is_list


def wanted(data: str, scheduler: str | None, *, use_rep: str | None, force: bool, in_memory: Mapping[str, Any]) -> bool:
    """Return whether data are read in blocks: a folder, a pattern, many cells, or anything that a cluster is to read.

    Raise an error if they are and an option that needs all points in memory is given; cells are read for it.
    """
    if is_cells(data, use_rep=use_rep, force=force):
        blocks = scheduler is not None or not any(in_memory.values())
        blocks = blocks and (scheduler is not None or are_many(CellFile.of(data), use_rep, force=force))
    else:
        blocks = scheduler is not None or (zarr_array(data) is None and _is_several(data))
    if blocks:
        _refuse(in_memory)
    return blocks


def _is_several(data: str) -> bool:
    """Return whether data are a folder or a pattern."""
    return Path(data).is_dir() or is_pattern(data)


def _refuse(options: Mapping[str, Any]) -> None:
    """Raise an error if an option is given that needs all points in memory."""
    for name, value in options.items():
        if value:
            msg = f"{name} needs the points in memory; folders, patterns and --scheduler read them in blocks."
            raise InputError(msg)


def run(
    data: str,
    labels: str,
    truth: str | None,
    weights: str | None,
    features: str,
    indices: str | list[str],
    scheduler: str | None,
    style: output.Style,
    report: str | None,
    options: Mapping[str, Any],
    cells: Mapping[str, Any],
) -> None:
    """Evaluate files in blocks, print the scores, and write a report if one is wanted."""
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs

    chosen, names, left_out = features_of(data, features, {labels, truth, weights}, **cells)
    with _client(scheduler) as client:
        columns = {**chosen, "sample_weight": weights, "executor": client}
        scores = cv.evaluate(data, labels, indices, **columns, **options)
        names = _parts(names, scores.source.p)
        rows, agreement = output.score_rows(scores, "internal"), None
        if truth:
            agreement = cv.agreement(truth, labels, data=data, sample_weight=weights, executor=client)
            rows += output.score_rows(agreement, "external")
        if report is not None:
            _write_report(report, scores, agreement, data, names, labels, truth or "")
    clusters = scores.per_cluster("size")
    facts = {
        "data": data,
        "points": scores.source.total,
        "features": names,
        "labels": labels,
        "truth": truth,
        "weights": weights,
        "clusters": len(clusters),
        "coverage": scores.coverage,
        "metric": options["metric"],
    }
    if style != "table":
        output.print_rows(_even(rows), style, facts)
        return
    notes = [f"{facts['points']:,} points, {len(clusters)} clusters by {labels!r}; features: {listed(names)}."]
    if scores.coverage < 1:
        notes.append(output.noise_note(scores.coverage))
    if left_out:
        notes.append(f"Left out, not numbers: {listed(left_out)}.")
    output.print_table(output.readable(rows), notes=notes)


def _write_report(
    path: str, scores: Any, agreement: Any, data: str, features: list[str], labels: str, truth: str
) -> None:
    from clustval import pages  # noqa: PLC0415
    from clustval.report import About  # noqa: PLC0415

    about = About(
        title=f"{data}: the clusters of {labels}",
        features=features,
        facts=[f"{scores.source.total:,} points", f"{len(features)} features: {listed(features, 6)}"],
        made_by=command_line(),
        labels=labels,
        truth_name=truth,
    )
    pages.of_scores(scores, path, about=about, known=agreement, progress=True)
    output.say(f"Wrote {path}")


def features_of(
    data: str, features: str, used: set[str | None], *, use_rep: str | None, force: bool
) -> tuple[dict[str, Any], list[str], list[str]]:
    """Return how the library is asked for the points, their columns, and columns left out as they hold no numbers."""
    if has_cells(data):
        refuse_columns({"--features": features}, data)
        points = representation(CellFile.of(data), use_rep, force=force)
        return {"use_rep": use_rep, "force": force}, parts_of(use_rep, points.shape[1]), []
    names = [name.strip() for name in features.split(",") if name.strip()]
    if names:
        return {"features": names}, names, []
    array = array_of_points(data, [name for name in used if name])
    if array is not None:
        return {"features": [array]} if array else {}, [array or "X"], []
    names, left_out = _numbers(data, used)
    return {"features": names}, names, left_out


def _numbers(data: str, used: set[str | None]) -> tuple[list[str], list[str]]:
    """Return the columns that hold numbers and are not used otherwise, and the others that are left out."""
    types = types_of(data)
    rest = [name for name in types if name not in used]
    numbers = [name for name in rest if types[name].is_numeric()]
    lists = [name for name in rest if is_list(types[name])]
    if not numbers and len(lists) == 1:
        numbers = lists
    if not numbers:
        msg = f"{data} has no column of numbers besides the labels; its columns are {listed(map(repr, types))}."
        raise InputError(msg)
    return numbers, [name for name in rest if name not in numbers]


def _parts(names: list[str], columns: int) -> list[str]:
    """Return a name for each column: an array, and a column of lists, that is all of the points has several."""
    return [f"{names[0]}{j}" for j in range(columns)] if len(names) == 1 < columns else names


def _even(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows that all have the same columns: exact agreement has no intervals."""
    columns = dict.fromkeys(key for row in rows for key in row)
    return [{key: row.get(key, 0.0 if key == "error" else "") for key in columns} for row in rows]


@contextmanager
def _client(scheduler: str | None) -> Iterator[Any]:
    """Give the client of a cluster, None for this machine."""
    if scheduler is None:
        yield None
        return
    client = optional("distributed", "dask").Client
    try:
        connected = client(scheduler, timeout=10)
    except (OSError, ValueError, TimeoutError):
        msg = f"No scheduler of Dask answers at {scheduler}; --scheduler takes an address such as tcp://host:8786."
        raise InputError(msg) from None
    with connected:
        yield connected
