"""``clustval explain`` answers: what will an evaluation take, and what will it leave out."""

from typing import Any

import typer  # noqa: F401 - the program finds its parameters by it

from clustval.cli import parameters


def explain(
    data: parameters.Data,
    labels: parameters.Labels,
    weights: parameters.Weights = None,
    indices: parameters.Indices = "default",
    metric: parameters.Metric = "euclidean",
    noise: parameters.Noise = "drop",
    features: parameters.Features = "",
    use_rep: parameters.UseRep = None,
    force: parameters.Force = False,
    exclude: parameters.Exclude = None,
    standardize: parameters.Standardize = False,
    drop_missing: parameters.DropMissing = False,
    jobs: parameters.Jobs = None,
    memory: parameters.Memory = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """What will an evaluation of DATA cost? Its passes, pairs, seconds and bytes, and what it will leave out.

    clustval explain iris --labels species

    clustval explain 'points/*.parquet' -l cluster --indices all
    """
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.cli import block_evaluation, columns, open_table, output  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    options: dict[str, Any] = {"metric": metric, "noise": noise, "n_jobs": jobs, "memory": memory}
    names = columns.names_of(indices)
    cells: dict[str, Any] = {"use_rep": use_rep, "force": force}
    in_memory = {"--standardize": standardize, "--drop-missing": drop_missing, "--exclude": exclude}
    if block_evaluation.wanted(data, None, **cells, in_memory=in_memory):
        plan = block_evaluation.explained(data, labels, names, weights, features, options, cells)
    else:
        table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
        column = table.labels(labels)
        columns.check_clusters(column, labels, noise)
        points = table.points(
            features,
            used=[labels],
            exclude=exclude,
            labels=[column],
            weights=weights,
            drop_missing=drop_missing,
            standardize=standardize,
            metric=metric,
        )
        output.warn(points.doubts)
        plan = cv.explain(points.X, column.gather(points.rows), names, sample_weight=points.weights, **options)
    if style == "table":
        output.print_table(plan.rows, notes=[plan.head, *plan.notes])
        return
    facts = {"data": data, "points": plan.points, "clusters": plan.clusters, "seconds": plan.seconds}
    facts |= {"bytes": plan.bytes, "left_out": dict(plan.left_out)}
    output.print_rows(plan.table.records, style, facts, "passes")
