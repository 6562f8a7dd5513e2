"""``clustval diagnose`` answers: what is wrong with this clustering, and what to do."""

from typing import Annotated, Any

import typer

from clustval.cli import command_line, parameters
from clustval.errors import InputError

COLUMN = "repaired"


def diagnose(
    data: parameters.Data,
    labels: parameters.Labels,
    names: parameters.Names = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write DATA with a column 'repaired' to this CSV."),
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", metavar="COL", help="Column of documents; shows the words of each cluster.")
    ] = None,
    batch: Annotated[
        str | None, typer.Option("--batch", metavar="COL", help="Column of batches: do clusters follow them?")
    ] = None,
    weights: parameters.Weights = None,
    metric: parameters.Metric = "euclidean",
    noise: parameters.Noise = "drop",
    neighbours: Annotated[
        int | None, typer.Option("--neighbours", help="Nearest neighbours (default: by the number of points).")
    ] = None,
    features: parameters.Features = "",
    use_rep: parameters.UseRep = None,
    force: parameters.Force = False,
    exclude: parameters.Exclude = None,
    standardize: parameters.Standardize = False,
    drop_missing: parameters.DropMissing = False,
    report: parameters.Report = None,
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = None,
    memory: parameters.Memory = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """What is wrong with this clustering? Clusters to merge or to split, points in the wrong one, and what to do.

    clustval diagnose points.csv --labels cluster --report d.html --out repaired.csv
    """
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.cli import columns, open_table, output  # noqa: PLC0415
    from clustval.diagnosis.diagnosis import COLUMNS  # noqa: PLC0415
    from clustval.whole_files import check_folder, write  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    if out is not None:
        check_folder(out)
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    if out is not None and COLUMN in table.columns:
        msg = f"{table.name} has a column '{COLUMN}' already, which --out would write; rename it first."
        raise InputError(msg)
    column = table.labels(labels)
    beside = {name: table.column(name) for name in (text, batch) if name is not None}
    points = table.points(
        features,
        used=[labels, *beside],
        exclude=exclude,
        labels=[column],
        weights=weights,
        drop_missing=drop_missing,
        standardize=standardize,
        metric=metric,
    )
    output.warn(points.doubts)
    rows = points.rows
    result = cv.diagnose(
        points.X,
        column.gather(rows),
        metric=metric,
        noise=noise,
        names=columns.names_of_clusters(names, column),
        sample_weight=points.weights,
        neighbours=neighbours,
        texts=None if text is None else beside[text].gather(rows).to_list(),
        batch=None if batch is None else beside[batch].gather(rows),
        random_state=seed,
        n_jobs=jobs,
        memory=memory,
        progress=True,
    )
    records = [{name: record[name] for name in COLUMNS} for record in result.clusters.records]
    if style != "table":
        facts = {"data": table.name, **points.facts, "labels": labels}
        facts |= {"title": result.title, "alarms": result.alarms, "actions": result.actions}
        facts |= {"merges": result.merges, "splits": result.splits, "misplaced": rows[result.misplaced].tolist()}
        output.print_rows(records, style, facts, "clusters")
    else:
        notes = [*result.alarms, *(result.actions or ["Nothing to do."]), *columns.used(points)]
        shown = [{COLUMNS[name]: value for name, value in record.items()} for record in records]
        output.print_table(shown, title=result.title, notes=notes, digits=2)
    if out is not None:
        write(out, output.own_table(_repaired(table, rows, result)))
        output.say(f"Wrote {out}: {'; '.join(result.steps) or 'nothing was changed'}")
    if report is not None:
        about = {"facts": points.about(), "made_by": command_line(), "warnings": points.warnings}
        result.to_html(report, title=f"{table.name}: what is wrong with {labels}?", **about)
        output.say(f"Wrote {report}")


def _repaired(table: Any, rows: Any, result: Any) -> Any:
    """Return the table with the cluster of each row after following the sure advice, nothing for noise."""
    import polars as pl  # noqa: PLC0415

    repaired = result.repaired
    kind: Any = pl.Int64 if repaired.dtype.kind == "i" else pl.String
    labels = [None if kind == pl.Int64 and label == -1 else label for label in repaired.tolist()]
    if all(label is None or isinstance(label, bool) for label in labels):
        kind = pl.Boolean  # which CSV writes in its own way, as in the column of labels
    clusters: list[Any] = [None] * table.n
    for row, label in zip(rows.tolist(), labels, strict=True):
        clusters[row] = str(label) if kind == pl.String and label is not None else label
    return pl.DataFrame({**table.columns, COLUMN: pl.Series(clusters, dtype=kind)})
