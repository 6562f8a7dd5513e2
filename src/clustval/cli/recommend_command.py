"""``clustval recommend`` answers: which criteria to trust for data like these."""

from typing import Annotated, Any, cast

import typer

from clustval.cli import command_line, parameters


def recommend(
    data: parameters.Data,
    labels: Annotated[
        str | None, typer.Option("--labels", "-l", metavar="COL", help="A rough clustering (default: by k-means).")
    ] = None,
    criteria: Annotated[
        str, typer.Option("--criteria", help="A suite or names of internal indices: a,b.")
    ] = "vendramin",
    like: Annotated[str, typer.Option("--like", help="How similar data are made: mixture or milligan.")] = "mixture",
    sets: Annotated[int, typer.Option("--sets", help="Number of data sets to make.")] = 20,
    features: parameters.Features = "",
    use_rep: parameters.UseRep = None,
    force: parameters.Force = False,
    exclude: parameters.Exclude = None,
    standardize: parameters.Standardize = False,
    drop_missing: parameters.DropMissing = False,
    report: parameters.Report = None,
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """Which criteria can be trusted on data like DATA? They are tried on similar data sets with known truth.

    clustval recommend iris --labels kmeans --report trust.html
    """
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.cli import columns, open_table, output  # noqa: PLC0415
    from clustval.homes.frames import listed  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    column = table.labels(labels) if labels else None
    points = table.points(
        features,
        used=[labels] if labels else [],
        exclude=exclude,
        labels=[] if column is None else [column],
        drop_missing=drop_missing,
        standardize=standardize,
    )
    output.warn(points.doubts)
    advice = cv.study.recommend(
        points.X,
        None if column is None else column.gather(points.rows),
        criteria=columns.names_of(criteria),
        like=cast("Any", like),
        n_datasets=sets,
        random_state=seed,
        n_jobs=jobs,
        progress=True,
    )
    rows = [{**row, "trusted": row["criterion"] in advice.trusted} for row in advice.comparison.ranking()]
    facts = {"data": table.name, **points.facts, "trusted": list(advice.trusted)}
    if style != "table":
        output.print_rows(rows, style, facts, "criteria")
    else:
        shown = [{**row, "trusted": "yes" if row["trusted"] else ""} for row in rows]
        notes = [
            f"Data like yours: {advice.likeness}.",
            f"Trust {listed(advice.trusted)}.",
            *columns.used(points),
        ]
        output.print_table(shown, notes=notes)
    if report is not None:
        about = {"title": f"{table.name}: which criterion can be trusted?", "made_by": command_line()}
        advice.to_html(report, facts=[points.amount], **about)
        output.say(f"Wrote {report}")
