"""``clustval sweep`` answers: how many clusters."""

from typing import Annotated, Any

import typer

from clustval.cli import command_line, parameters
from clustval.errors import InputError

LINKAGES = ("ward", "average", "complete", "single", "weighted", "centroid", "median")
ESTIMATORS = ("kmeans", *LINKAGES)
SHOWN = 12  # partitions whose values fit a terminal


def sweep(
    data: parameters.Data,
    k: parameters.Clusters = "2:10",
    estimator: Annotated[
        str, typer.Option("--estimator", "-e", help=f"What clusters: {', '.join(ESTIMATORS)}.")
    ] = "kmeans",
    labels: Annotated[
        list[str] | None, typer.Option("--labels", "-l", metavar="COL", help="Partitions that exist, instead: a,b.")
    ] = None,
    truth: Annotated[
        str | None, typer.Option("--truth", "-t", metavar="COL", help="Column with the true classes, for the report.")
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
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = None,
    memory: parameters.Memory = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """How many clusters? DATA is clustered for each k, and every index chooses.

    clustval sweep wine --standardize --k 2:8 --estimator ward --report wine.html
    """
    import clustval as cv  # noqa: PLC0415
    from clustval.cli import columns, open_table, output, waiting  # noqa: PLC0415
    from clustval.pages import look_at  # noqa: PLC0415
    from clustval.report import curves  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    numbers = numbers_of(k)
    how = _how(estimator)
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    names = [name for text in labels or [] for name in table.several(text)]
    labellings = {name: table.labels(name) for name in names}
    true = table.labels(truth) if truth else None
    axes, places = table.coordinates(coordinates)
    used = [*names, *([truth] if truth else []), *axes]
    points = table.points(
        features,
        used=used,
        exclude=exclude,
        labels=[*labellings.values(), *([] if true is None else [true])],
        weights=weights,
        drop_missing=drop_missing,
        standardize=standardize,
        metric=metric,
    )
    output.warn(points.doubts)
    count = len(labellings) or len(numbers)
    output.say_if(waiting.pairwise_work(points.X, columns.names_of(indices), jobs, count))
    partitions = {name: column.gather(points.rows) for name, column in labellings.items()} or None
    swept = cv.sweep(
        points.X,
        partitions,
        columns.names_of(indices),
        **({} if partitions else {**how, "k": numbers, "random_state": seed}),
        metric=metric,
        noise=noise,
        n_jobs=jobs,
        memory=memory,
        sample_weight=points.weights,
        progress=True,
    )
    look = look_at(None, "", swept, progress=True)
    verdict = [] if look is None else look.sentences()
    facts = {"data": table.name, **points.facts, "weights": weights}
    facts |= {"verdict": verdict, "warnings": list(points.doubts)}
    facts |= {"coverage": {str(name): float(share) for name, share in zip(swept.names, swept.coverage, strict=True)}}
    facts |= {"best": swept.best(), "votes": {str(name): votes for name, votes in swept.votes().items()}}
    if style != "table":
        output.print_rows(_long(swept), style, facts, "values")
    else:
        output.print_table(_wide(swept), notes=[*verdict, curves.verdict(swept), *columns.used(points)])
    if report is not None:
        from clustval import pages  # noqa: PLC0415
        from clustval.report import About  # noqa: PLC0415

        winner = curves.winner(swept)
        scores = cv.evaluate(
            points.X,
            swept.labels[winner],
            metric=metric,
            noise=noise,
            n_jobs=jobs,
            memory=memory,
            sample_weight=points.weights,
        )
        about = About(
            title=f"{table.name}: how many clusters?",
            features=points.features,
            rows=points.rows + 1,
            facts=[
                *points.about(standardized=standardize),
                f"partitions by {'labels' if partitions else estimator}",
                f"points and indices below are those of {winner}",
            ],
            made_by=command_line(),
            warnings=points.warnings,
            labels=f"{'' if partitions else estimator + ' '}{winner}",
            truth=None if true is None else true.gather(points.rows),
            truth_name=truth or "",
            sample_weight=points.weights,
            coordinates=None if places is None else places[points.rows],
            look=look or True,
        )
        pages.of_scores(scores, report, about=about, sweep=swept, progress=True)
        output.say(f"Wrote {report}")


def numbers_of(text: str) -> list[int]:
    """Return the numbers that a text means: "2:10" with both ends, "2:20:2" in steps, "2,4,8".

    >>> numbers_of("2:5"), numbers_of("2:8:3"), numbers_of("2,4")
    ([2, 3, 4, 5], [2, 5, 8], [2, 4])
    """
    try:
        if ":" in text:
            first, last, *step = (int(part) for part in text.split(":"))
            numbers = list(range(first, last + 1, *step))
        else:
            numbers = [int(part) for part in text.split(",")]
    except (ValueError, TypeError):
        numbers = []
    if not numbers:
        msg = f"--k must be numbers such as 2:10 or 2,4,8; it is {text!r}."
        raise InputError(msg)
    return numbers


def _how(estimator: str) -> dict[str, Any]:
    if estimator.lower() in {"kmeans", "k-means", "k_means"}:
        return {}
    if estimator in LINKAGES:
        return {"linkage": estimator}
    import difflib  # noqa: PLC0415

    near = difflib.get_close_matches(estimator, ESTIMATORS, n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(ESTIMATORS)}."
    msg = f"No estimator is called {estimator!r}. {hint}"
    raise InputError(msg)


def _long(swept: Any) -> list[dict[str, Any]]:
    """Return a row for each partition and index."""
    best = swept.best()
    return [
        {
            "partition": name,
            "k": int(swept.k[row]),
            "index": index,
            "value": float(swept.values[row, column]),
            "chosen": best[index] == name,
            "reason": swept.reasons.get((name, index), ""),
        }
        for row, name in enumerate(swept.names)
        for column, index in enumerate(swept.indices)
    ]


def _wide(swept: Any) -> list[dict[str, Any]]:
    """Return a row for each index: what it chooses, and its values if there is room."""
    best = swept.best()
    partitions = range(len(swept)) if len(swept) <= SHOWN else ()
    rows = [
        {
            "index": index,
            "chooses": "—" if best[index] is None else str(best[index]),
            **{str(swept.names[row]): float(f"{swept[index][row]:.4g}") for row in partitions},
        }
        for index in swept.indices
    ]
    if (swept.coverage < 1).any():
        shares = {str(swept.names[row]): float(f"{swept.coverage[row]:.4g}") for row in partitions}
        rows.append({"index": "coverage", "chooses": "", **shares})
    return rows
