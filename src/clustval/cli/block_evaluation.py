"""Evaluation of files that are read in blocks: folders and patterns, on this machine or on a cluster."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from clustval.cli import columns, command_line, output
from clustval.cli.cell_table import are_many, parts_of, refuse_columns, representation
from clustval.cli.columns import InputTable
from clustval.cli.open_table import is_cells
from clustval.errors import InputError, optional
from clustval.homes.cell_files import CellFile, has_cells, is_pattern, zarr_array
from clustval.homes.frames import listed
from clustval.inputs import as_memory
from clustval.readers.file_rows import array_of_points, layout_of_table, paths_of, point_columns
from clustval.readers.mixed_rows import is_read_at_once
from clustval.readers.pieces import Limits


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
    return (data != "" and os.path.isdir(data)) or is_pattern(data)  # noqa: PTH112 - which takes names of any length


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

    used = {labels, truth, weights}
    chosen = features_of(data, features, used, options, **cells)
    output.warn(columns.naming(chosen.identifiers))
    with _client(scheduler) as client, _said_here():
        asked = {**chosen.asked, "sample_weight": weights, "executor": client}
        scores = cv.evaluate(data, labels, indices, **asked, **options)
        chosen = chosen.seen(scores.source)
        names = chosen.names
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
        "left_out": {"identifiers": chosen.identifiers, "not_numbers": chosen.left_out, "rows": 0},
        "labels": labels,
        "truth": truth,
        "weights": weights,
        "clusters": len(clusters),
        "coverage": scores.coverage,
        "metric": options["metric"],
    }
    if style != "table":
        output.print_rows(output.even(rows), style, facts)
        return
    notes = [f"{facts['points']:,} points, {len(clusters)} clusters by {labels!r}; features: {listed(names)}."]
    if scores.coverage < 1:
        notes.append(output.noise_note(scores.coverage))
    if chosen.identifiers:
        notes.append(f"Left out, naming the rows: {listed(chosen.identifiers)}.")
    if chosen.left_out:
        notes.append(f"Left out, not numbers: {listed(chosen.left_out)}.")
    output.print_table(output.readable(rows), notes=notes)


def explained(
    data: str,
    labels: str,
    indices: str | list[str],
    weights: str | None,
    features: str,
    options: Mapping[str, Any],
    cells: Mapping[str, Any],
) -> Any:
    """Return what an evaluation of files in blocks will take."""
    import clustval as cv  # noqa: PLC0415

    chosen = features_of(data, features, {labels, weights}, options, **cells)
    output.warn(columns.naming(chosen.identifiers))
    with _said_here():
        return cv.explain(data, labels, indices, sample_weight=weights, **chosen.asked, **options)


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


@dataclass(frozen=True)
class Chosen:
    """How the library is asked for the points, the names of their columns, and what else the table has."""

    asked: dict[str, Any]
    names: list[str]
    identifiers: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    mixed: bool = False  # whether columns of all types are compared, but for those that name rows

    def seen(self, source: Any) -> Chosen:
        """Return the same with what only the points show: which text names the rows, and how wide an array is."""
        if not self.mixed:
            return replace(self, names=_parts(self.names, source.p))
        names = self.names if source.column_names is None else source.column_names
        identifiers = [name for name in self.names if name not in names]
        output.warn(columns.naming(identifiers))
        return replace(self, names=names, identifiers=[*self.identifiers, *identifiers])


def features_of(
    data: str, features: str, used: set[str | None], options: Mapping[str, Any], *, use_rep: str | None, force: bool
) -> Chosen:
    """Return which columns are the points: those that are named, or those that the library would choose."""
    if has_cells(data):
        refuse_columns({"--features": features}, data)
        points = representation(CellFile.of(data), use_rep, force=force)
        return Chosen({"use_rep": use_rep, "force": force}, parts_of(use_rep, points.shape[1]))
    mixed, others = options["metric"] == "gower", [name for name in used if name]
    if features:
        names = columns.names_in(features, ())
        return Chosen({"features": names}, names, mixed=mixed)
    if mixed and is_read_at_once(data, Limits(as_memory(options["memory"]))):
        points = InputTable.read(paths_of(data)[0]).points(used=others, metric="gower")
        return Chosen({"features": points.features}, points.features, list(points.identifiers), mixed=True)
    array = None if mixed else array_of_points(data, others)
    if array is not None:
        return Chosen({"features": [array]} if array else {}, [array or "X"])
    layout = layout_of_table(data, others)
    if mixed:
        rest = [name for name in layout.types if name not in used]
        names = [name for name in rest if name not in layout.identifiers]
        return Chosen({"features": names}, names, [name for name in rest if name not in names], mixed=True)
    names, identifiers, left_out = point_columns(layout, others, data)
    return Chosen({"features": names}, names, identifiers, left_out)


@contextmanager
def _said_here() -> Iterator[None]:
    """Keep the library from saying which columns name the rows: the program does, in its own words."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Columns? .* names? the rows of")
        yield


def _parts(names: list[str], columns: int) -> list[str]:
    """Return a name for each column: an array, and a column of lists, that is all of the points has several."""
    return [f"{names[0]}{j}" for j in range(columns)] if len(names) == 1 < columns else names


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
