"""``clustval choose`` answers: which clusters are in the data, if any."""

from dataclasses import replace
from typing import Annotated, Any

import typer

from clustval.cli import command_line, parameters
from clustval.errors import InputError

SHOWN = 10


def choose(
    data: parameters.Data,
    candidates: Annotated[
        str,
        typer.Option("--candidates", "-c", metavar="A,B", help="Algorithms to try (default: all that can run here)."),
    ] = "",
    labels: Annotated[
        list[str] | None,
        typer.Option("--labels", "-l", metavar="COL", help="Columns with clusterings to choose from: a,b."),
    ] = None,
    k: Annotated[
        str, typer.Option("--k", "-k", metavar="2:10", help="Numbers of clusters (default: 2 to the root of n).")
    ] = "",
    judge: Annotated[str, typer.Option("--judge", help="The judge: consensus, or an index such as dcm.")] = "consensus",
    null: Annotated[bool, typer.Option("--null/--no-null", help="First test whether there is any structure.")] = True,
    time: Annotated[
        float | None, typer.Option("--time", metavar="SECONDS", help="Start no new work after so many seconds.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", metavar="FILE", help="Write DATA with a column 'cluster' to this CSV.")
    ] = None,
    metric: parameters.Metric = "euclidean",
    features: parameters.Features = "",
    use_rep: parameters.UseRep = None,
    force: parameters.Force = False,
    exclude: parameters.Exclude = None,
    standardize: parameters.Standardize = False,
    drop_missing: parameters.DropMissing = False,
    report: parameters.Report = None,
    coordinates: parameters.Coordinates = "",
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = None,
    memory: parameters.Memory = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """Which clusters, if any? Many algorithms cluster DATA; the best result is chosen, with its confidence.

    clustval choose iris --out labelled.csv --report iris.html
    """
    import clustval as cv  # noqa: PLC0415
    from clustval.choosing.choose import dominant_column  # noqa: PLC0415
    from clustval.cli import columns, open_table, output  # noqa: PLC0415
    from clustval.cli.sweep_command import numbers_of  # noqa: PLC0415
    from clustval.whole_files import check_folder, write  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    if out is not None:
        check_folder(out)
    numbers = numbers_of(k) if k else None
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    names = [name for text in labels or [] for name in table.several(text)]
    columns_of_labels = {name: table.labels(name) for name in names}
    if names and (candidates or k):
        msg = "Give either --labels, which are clustered already, or --candidates and --k."
        raise InputError(msg)
    if out is not None and "cluster" in table.columns:
        msg = f"{table.name} has a column 'cluster' already, which --out would write; rename it first."
        raise InputError(msg)
    axes, places = table.coordinates(coordinates)
    points = table.points(
        features,
        used=[*names, *axes],
        exclude=exclude,
        drop_missing=drop_missing,
        standardize=standardize,
        metric=metric,
    )
    output.warn(points.doubts)
    made: Any = [name.strip() for name in candidates.split(",") if name.strip()] or None
    choice = cv.choose(
        points.X,
        {name: column.gather(points.rows) for name, column in columns_of_labels.items()} or made,
        k=numbers,
        judge=judge,
        null=null,
        time=time,
        metric=metric,
        random_state=seed,
        n_jobs=jobs,
        memory=memory,
        progress=True,
    )
    if choice.dominant is not None:
        choice = replace(choice, dominant=dominant_column(points.X, points.features))
    if style != "table":
        facts = {"data": table.name, **points.facts, "k": choice.k}
        structure = choice.structure
        facts |= {"name": str(choice.name), "confidence": choice.confidence, "reasons": list(choice.reasons)}
        facts |= {"how_we_know": list(choice.how_we_know)}
        facts |= {"p_value": None if structure is None else structure.p_value}
        output.print_rows(choice.to_polars().to_dicts(), style, facts, "candidates")
    else:
        best = [{name: row[name] for name in row if name != "algorithm"} for row in choice.different[:SHOWN]]
        output.print_table(
            best, title=choice.title, digits=3, notes=[*choice.reasons, *choice.how_we_know, *columns.used(points)]
        )
    if out is not None:
        write(out, output.own_table(_labelled(table, points, choice)))
        output.say(f"Wrote {out}")
    if report is not None:
        from clustval import pages  # noqa: PLC0415
        from clustval.report import About  # noqa: PLC0415

        about = About(
            title=f"{table.name}: which clusters?",
            features=points.features,
            rows=points.rows + 1,
            facts=[*points.about(standardized=standardize), *([] if points.distances else [f"{metric} distance"])],
            made_by=command_line(),
            warnings=points.warnings,
            coordinates=None if places is None else places[points.rows],
        )
        pages.of_choice(choice, points.X, report, about=about)
        output.say(f"Wrote {report}")


def _labelled(table: Any, points: Any, choice: Any) -> Any:
    """Return the table with the cluster of each row, nothing for rows that were left out or are noise."""
    import polars as pl  # noqa: PLC0415

    clusters: list[int | None] = [None] * table.n
    for row, label in zip(points.rows.tolist(), choice.labels.tolist(), strict=True):
        clusters[row] = label if label >= 0 else None
    return pl.DataFrame({**table.columns, "cluster": pl.Series(clusters, dtype=pl.Int64)})
