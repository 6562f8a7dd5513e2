"""``clustval evaluate`` answers: how good is this clustering."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from clustval.cli import command_line, parameters

if TYPE_CHECKING:
    from clustval.cli.columns import InputPoints, InputTable


def evaluate(
    data: parameters.Data,
    labels: Annotated[
        str | None,
        typer.Option("--labels", "-l", metavar="COL", help="Column with the labels; or a file: FILE, FILE:COL."),
    ] = None,
    names: parameters.Names = None,
    memberships: parameters.Memberships = None,
    fuzzifier: Annotated[
        float, typer.Option("--fuzzifier", metavar="M", help="Exponent of memberships in the weights of centres.")
    ] = 2.0,
    truth: Annotated[
        str | None, typer.Option("--truth", "-t", metavar="COL", help="Column with the true classes; or a file.")
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="COL", help="Another clustering to compare with the truth in the report."),
    ] = None,
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
    report: parameters.Report = None,
    coordinates: parameters.Coordinates = "",
    jobs: parameters.Jobs = None,
    memory: parameters.Memory = None,
    approximate: parameters.Approximate = None,
    confidence: parameters.Confidence = None,
    scheduler: parameters.Scheduler = None,
    seed: parameters.Seed = 0,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """How good is this clustering? Many indices of DATA and its labels.

    clustval evaluate iris --labels species

    clustval evaluate points.parquet -l cluster --indices fast --report report.html

    clustval evaluate 'points/*.parquet' -l cluster --approximate 0.01

    clustval evaluate fuzzy.csv --memberships 'u*'

    clustval evaluate cells.h5ad -l leiden --use-rep X_pca
    """
    import clustval as cv  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.alarms import besides_noise  # noqa: PLC0415
    from clustval.cli import beyond_labels, block_evaluation, columns, open_table, output, waiting  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    if memberships is not None:
        beyond_labels.refuse({
            "--labels": labels, "--against": against, "--coordinates": coordinates, "--names": names,
            "--approximate": approximate, "--confidence": confidence, "--scheduler": scheduler,
            "--metric": metric != "euclidean", "--noise": noise != "drop",
        }, "memberships")  # fmt: skip
        beyond_labels.evaluate_memberships(
            open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force),
            memberships, m=fuzzifier, truth=truth, weights=weights, indices=indices, style=style, report=report,
            features=features, exclude=exclude, drop_missing=drop_missing, standardize=standardize,
        )  # fmt: skip
        return
    if labels is None:
        raise beyond_labels.missing_labels()
    options: dict[str, Any] = {
        "metric": metric,
        "noise": noise,
        "n_jobs": jobs,
        "memory": memory,
        "approximate": approximate,
        "confidence": confidence,
        "random_state": seed,
        "progress": True,
    }
    cells: dict[str, Any] = {"use_rep": use_rep, "force": force}
    in_memory: dict[str, Any] = {"--against": against, "--standardize": standardize, "--drop-missing": drop_missing}
    in_memory |= {"--coordinates": coordinates, "--exclude": exclude, "--names": names}
    if block_evaluation.wanted(data, scheduler, **cells, in_memory=in_memory):
        block_evaluation.run(
            data, labels, truth, weights, features, columns.names_of(indices), scheduler, style, report, options, cells
        )
        return
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    labellings = {name: table.labels(name) for name in [labels, *([truth] if truth else []), *(against or [])]}
    called = columns.names_of_clusters(names, labellings[labels])
    axes, places = table.coordinates(coordinates)
    columns.check_clusters(labellings[labels], labels, noise)
    points = table.points(
        features,
        used=[*labellings, *axes],
        exclude=exclude,
        labels=labellings.values(),
        weights=weights,
        drop_missing=drop_missing,
        standardize=standardize,
        metric=metric,
    )
    output.warn(points.doubts)
    output.say_if(waiting.pairwise_work(points.X, columns.names_of(indices), jobs))
    labellings = {name: column.gather(points.rows) for name, column in labellings.items()}
    scores = cv.evaluate(
        points.X,
        labellings[labels],
        columns.names_of(indices),
        sample_weight=points.weights,
        **options,
    )
    scores = scores if called is None else scores.renamed(called)
    agreement = None
    if truth:
        agreement = cv.agreement(labellings[truth], labellings[labels], sample_weight=points.weights)
    rows = [*output.score_rows(scores, "internal"), *(output.score_rows(agreement, "external") if agreement else [])]
    if metric == "gower" and indices in {"default", "all"}:
        rows += _of_categories(points, labellings[labels], noise)
    facts = {
        "data": table.name,
        **points.facts,
        "labels": labels,
        "truth": truth,
        "weights": weights,
        "clusters": len(scores.per_cluster("size")),
        "coverage": scores.coverage,
        "metric": metric,
        "standardized": standardize,
        "warnings": list(points.doubts),
    }
    if style != "table":
        output.print_rows(output.even(rows), style, facts)
    else:
        output.print_table(output.readable(rows), notes=[*_notes(facts, points), *besides_noise(scores.alarms)])
    if report is not None:
        _write_report(report, scores, facts, table, points, labellings, places)


def _of_categories(points: "InputPoints", labels: Any, noise: str) -> list[dict[str, Any]]:
    """Return a row for each index of categories, of the columns that hold some."""
    import polars as pl  # noqa: PLC0415

    import clustval as cv  # noqa: PLC0415
    from clustval.cli import output  # noqa: PLC0415

    types = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
    chosen = [column for column in points.X.iter_columns() if column.dtype in types and column.count()]
    if not chosen:
        return []
    scores = cv.categorical.evaluate(
        pl.DataFrame(chosen), labels, missing="skip", noise=noise, sample_weight=points.weights
    )
    (kind,) = {choice.index.kind for choice in scores.choices.values()}
    return output.score_rows(scores, kind)


def _notes(facts: dict[str, Any], points: "InputPoints") -> list[str]:
    from clustval.cli import output  # noqa: PLC0415
    from clustval.homes.frames import listed  # noqa: PLC0415

    clusters = f"{facts['clusters']} clusters by {facts['labels']!r}"
    notes = [f"{points.amount}, {clusters}; features: {listed(points.features)}."]
    if facts["coverage"] < 1:
        notes.append(output.noise_note(facts["coverage"]))
    return [*notes, *points.apart]


def _write_report(
    path: str,
    scores: Any,
    facts: dict[str, Any],
    table: "InputTable",
    points: "InputPoints",
    labellings: dict[str, Any],
    places: Any,
) -> None:
    from clustval import pages  # noqa: PLC0415
    from clustval.cli import output  # noqa: PLC0415
    from clustval.report import About  # noqa: PLC0415

    labels, truth = facts["labels"], facts["truth"]
    about = About(
        title=f"{table.name}: the clusters of {labels}",
        features=points.features,
        rows=points.rows + 1,
        facts=[
            *points.about(standardized=facts["standardized"]),
            f"{facts['metric']} distance",
        ],
        made_by=command_line(),
        warnings=points.warnings,
        labels=labels,
        truth=labellings[truth] if truth else None,
        truth_name=truth or "",
        against={name: column for name, column in labellings.items() if name not in {labels, truth}},
        sample_weight=points.weights,
        coordinates=None if places is None else places[points.rows],
    )
    pages.of_scores(scores, path, about=about, table=points.X, progress=True)
    output.say(f"Wrote {path}")
