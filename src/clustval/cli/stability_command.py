"""``clustval stability`` answers: how many clusters, by how well clusterings of samples agree."""

from typing import Annotated

import typer

from clustval.cli import command_line, parameters


def stability(
    data: parameters.Data,
    k: parameters.Clusters = "2:10",
    samples: Annotated[int, typer.Option("--samples", help="Samples that are clustered and compared.")] = 100,
    index: Annotated[
        str, typer.Option("--index", help="External index that compares: vi, adjusted_rand, fowlkes_mallows, ...")
    ] = "vi",
    metric: parameters.Metric = "euclidean",
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
    """Which number of clusters is stable? Samples of DATA are clustered and compared, for each k.

    clustval stability iris --k 2:6
    """
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.cli import columns, open_table, output  # noqa: PLC0415
    from clustval.cli.sweep_command import numbers_of  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    numbers = numbers_of(k)
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    points = table.points(features, exclude=exclude, drop_missing=drop_missing, standardize=standardize, metric=metric)
    output.warn(points.doubts)
    result = cv.stability(
        points.X,
        numbers,
        n_samples=samples,
        index=index,
        metric=metric,
        random_state=seed,
        n_jobs=jobs,
        progress=True,
    )
    facts = {"data": table.name, **points.facts, "best": result.best}
    if report is not None:
        about = {"facts": points.about(standardized=standardize), "made_by": command_line()}
        result.to_html(report, title=f"{table.name}: how many clusters come back?", **about)
        output.say(f"Wrote {report}")
    if style != "table":
        output.print_rows(result.table.records, style, {**facts, "index": result.index}, "values")
        return
    what = f"{result.index} between clusterings of {result.n_samples} samples"
    output.print_table(
        result.table.records, notes=[f"{what}; most stable: k = {result.best or '—'}.", *columns.used(points)]
    )
