"""``clustval track`` answers: what became of the clusters from one file to the next."""

from pathlib import Path
from typing import Annotated, Any

import typer

from clustval.cli import command_line, parameters
from clustval.errors import InputError


def track(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE FILE [FILE]...", help="Two tables or more, in the order of time.")
    ],
    labels: Annotated[
        str, typer.Option("--labels", "-l", metavar="COL", help="Column with the labels, in every file.")
    ],
    key: Annotated[
        str | None, typer.Option("--id", metavar="COL", help="Column that names rows (default: by where rows lie).")
    ] = None,
    features: parameters.Features = "",
    use_rep: parameters.UseRep = None,
    force: parameters.Force = False,
    exclude: parameters.Exclude = None,
    standardize: Annotated[
        bool, typer.Option("--standardize", help="Give every column variance 1 over all files.")
    ] = False,
    drop_missing: parameters.DropMissing = False,
    metric: parameters.Metric = "euclidean",
    permutations: Annotated[
        int, typer.Option("--permutations", help="Number of random exchanges for the p-value of a drift.")
    ] = 199,
    moves: Annotated[
        str | None,
        typer.Option("--moves", metavar="FILE", help="Write the rows that changed their cluster to this CSV."),
    ] = None,
    report: parameters.Report = None,
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """How did clusters change? Which continue, split, merge, are born or dissolve, which rows moved, how far all drift.

    clustval track jan.csv jun.csv --labels segment --id customer --report track.html
    """
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.cli import open_table, output  # noqa: PLC0415
    from clustval.whole_files import check_folder, write  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    if moves is not None:
        check_folder(moves)
        if key is None:
            msg = "--moves lists rows by their id; name the column with --id."
            raise InputError(msg)
    if len(files) < 2:
        msg = f"Give two files or more, in the order of time; there is one: {files[0]}."
        raise InputError(msg)
    snapshots: list[tuple[Any, Any, list[str]]] = []
    ids: list[Any] = []
    names: list[str] = []
    for path in files:
        table = open_table.table(path, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
        column = table.labels(labels)
        used = [labels, *([] if key is None else [key])]
        points = table.points(
            features, used=used, exclude=exclude, labels=[column], drop_missing=drop_missing, metric=metric
        )
        output.warn(points.doubts)
        _check_features(snapshots, points.features, names, table.name)
        snapshots.append((points.X, column.gather(points.rows), points.features))
        if key is not None:
            ids.append(table.column(key).gather(points.rows))
        names.append(table.name)
    result = cv.track(
        *((X, own) for X, own, _ in snapshots),
        id=_ids(ids) or None,
        times=_times(names),
        standardize=standardize,
        metric=metric,
        n_permutations=permutations,
        random_state=seed,
        n_jobs=jobs,
    )
    records = result.table.records
    if style != "table":
        facts: dict[str, Any] = {
            "files": names,
            "by": result.by,
            "features": snapshots[0][2],
            "sentences": result.sentences,
        }
        facts["moves"] = result.moves.records
        output.print_rows(records, style, facts, "clusters")
    else:
        said = f"{len(result.moves['id']):,} rows changed their cluster." if key is not None else ""
        output.print_table(
            records, title="What became of the clusters", notes=[*result.sentences, *filter(None, [said])]
        )
    if moves is not None:
        columns = [values.tolist() for values in result.moves.values()]
        write(moves, output.csv_text(result.moves, zip(*columns, strict=True)))
        output.say(f"Wrote {moves}: {len(result.moves['id']):,} rows")
    if report is not None:
        rows = [f"{time}: {len(own):,} rows" for time, own in zip(result.times, result.labels, strict=True)]
        result.to_html(report, title="What became of the clusters?", facts=rows, made_by=command_line())
        output.say(f"Wrote {report}")


def _ids(columns: list[Any]) -> list[list[Any]]:
    """Return the ids of all files; as text where the files have them in different types."""
    from clustval.cli.columns import alike  # noqa: PLC0415

    return alike(columns) if len({column.dtype for column in columns}) > 1 else [each.to_list() for each in columns]


def _check_features(snapshots: list[Any], features: list[str], names: list[str], name: str) -> None:
    """Raise an error if a file has other columns than the first."""
    if snapshots and features != snapshots[0][2]:
        odd = sorted({*features} ^ {*snapshots[0][2]})
        what = f"column {odd[0]!r} is in one of them only" if odd else "their columns stand in another order"
        msg = f"{names[0]} and {name} must have the same columns; {what}. Choose columns with --features."
        raise InputError(msg)


def _times(names: list[str]) -> list[str]:
    """Return what the files are called: their names without ending, or with it where two are the same."""
    stems = [Path(name).stem for name in names]
    for short in (stems, names):
        if len(set(short)) == len(short):
            return short
    return [f"{name} ({at})" for at, name in enumerate(names, start=1)]
