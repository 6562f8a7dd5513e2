"""``clustval gap`` answers: how many clusters, by the gap between the data and data without clusters."""

from typing import Annotated, Any, cast

import typer

from clustval.cli import command_line, parameters


def gap(
    data: parameters.Data,
    k: parameters.Clusters = "1:10",
    references: Annotated[int, typer.Option("--references", help="Samples without clusters to compare with.")] = 100,
    reference: Annotated[
        str, typer.Option("--reference", help="Where samples are uniform: box, or pca (box along the principal axes).")
    ] = "box",
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
    """How many clusters, without a criterion? The gap between DATA and random points, for each k.

    clustval gap iris --k 1:6
    """
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.cli import columns, open_table, output  # noqa: PLC0415
    from clustval.cli.sweep_command import numbers_of  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    numbers = numbers_of(k)
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    points = table.points(features, exclude=exclude, drop_missing=drop_missing, standardize=standardize)
    output.warn(points.doubts)
    result = cv.gap_statistic(
        points.X,
        numbers,
        n_references=references,
        reference=cast("Any", reference),
        random_state=seed,
        n_jobs=jobs,
        progress=True,
    )
    facts = {"data": table.name, **points.facts, "best": dict(result.best)}
    if report is not None:
        about = {"facts": points.about(standardized=standardize), "made_by": command_line()}
        result.to_html(report, title=f"{table.name}: how many clusters, by the gap?", **about)
        output.say(f"Wrote {report}")
    if style != "table":
        output.print_rows(result.table.records, style, facts, "gaps")
        return
    chosen = ", ".join(f"{rule} {number or '—'}" for rule, number in result.best.items())
    output.print_table(result.table.records, notes=[f"Chosen by each rule: {chosen}.", *columns.used(points)])
