"""``clustval sweep`` answers: how many clusters."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clustval.cli import command_line, parameters
from clustval.errors import InputError

if TYPE_CHECKING:
    from clustval.cli.output import Style

LINKAGES = ("ward", "average", "complete", "single", "weighted", "centroid", "median")
ESTIMATORS = ("kmeans", *LINKAGES)
SHOWN = 12  # partitions whose values fit a terminal
MOST_RESOLUTIONS = 1_000


def sweep(
    data: parameters.Data,
    k: parameters.Clusters = "2:10",
    estimator: Annotated[
        str, typer.Option("--estimator", "-e", help=f"Algorithm: {', '.join(ESTIMATORS)}.")
    ] = "kmeans",
    labels: Annotated[
        list[str] | None,
        typer.Option("--labels", "-l", metavar="COL", help="Columns with partitions to compare: a,b."),
    ] = None,
    truth: Annotated[
        str | None, typer.Option("--truth", "-t", metavar="COL", help="Column with the true classes, for the report.")
    ] = None,
    resolution: Annotated[
        str | None,
        typer.Option("--resolution", metavar="A:B:N", help="Resolutions of Leiden: N from A to B, or a,b,c."),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", help="Number of seeds of Leiden for each resolution.")] = 10,
    neighbours: Annotated[
        int | None,
        typer.Option(
            "--neighbours",
            help="Neighbours of each point for Leiden (default: the graph of cells, or 15).",
        ),
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

    clustval sweep cells.h5ad --resolution 0.1:4:24 --report tree.html
    """
    import clustval as cv  # noqa: PLC0415
    from clustval.cli import columns, open_table, output, waiting  # noqa: PLC0415
    from clustval.pages import look_at  # noqa: PLC0415
    from clustval.report import curves  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    numbers = numbers_of(k)
    how = _how(estimator, "" if labels or resolution else metric)
    tried = None if resolution is None else resolutions_of(resolution)
    if tried is not None and labels:
        msg = "--resolution clusters anew and --labels are partitions that exist; give one of them."
        raise InputError(msg)
    if tried is not None and neighbours is None and use_rep is None and _has_graph(data):
        swept = cv.sweep(
            data, resolution=tried, seeds=seeds, indices=columns.names_of(indices), n_jobs=jobs, progress=True
        )
        _print_layers(swept, style, {"data": data}, report)
        return
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
    if tried is not None:
        swept = cv.sweep(
            points.X,
            resolution=tried,
            seeds=seeds,
            indices=columns.names_of(indices),
            neighbours=15 if neighbours is None else neighbours,
            metric=metric,
            n_jobs=jobs,
            progress=True,
        )
        _print_layers(swept, style, {"data": table.name, **points.facts}, report, columns.used(points))
        return
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


def _has_graph(data: str) -> bool:
    """Return whether a file holds annotated cells with a graph that can be clustered."""
    from clustval.homes.annotated_cells import GRAPH  # noqa: PLC0415
    from clustval.homes.cell_files import CellFile, has_cells  # noqa: PLC0415

    return has_cells(data) and GRAPH in CellFile.of(data).graphs


def resolutions_of(text: str) -> list[float]:
    """Return the resolutions that a text means: "0.1:4:24", so many from the first to the last by ratio, or "0.5,1".

    >>> resolutions_of("0.5:2:3"), resolutions_of("0.5,1")
    ([0.5, 1.0, 2.0], [0.5, 1.0])
    """
    spaced = ":" in text
    try:
        numbers = [float(part) for part in text.split(":" if spaced else ",")]
    except ValueError:
        numbers = []
    whole = not spaced or (len(numbers) == 3 and numbers[2].is_integer())
    count = numbers[2] if spaced and whole else len(numbers)
    if not numbers or not whole or not all(0 < number < math.inf for number in numbers):
        msg = f"--resolution must be numbers such as 0.1:4:24 or 0.5,1,2; it is {text!r}."
        raise InputError(msg)
    if count > MOST_RESOLUTIONS:
        msg = (
            f"--resolution must be {MOST_RESOLUTIONS:,} numbers or fewer, such as 0.1:4:24; {text!r} are {count:,.0f}."
        )
        raise InputError(msg)
    if not spaced:
        return numbers
    first, last, _ = numbers
    steps = max(int(count) - 1, 1)
    return [first * (last / first) ** (step / steps) for step in range(int(count))]


def _print_layers(
    swept: Any, style: "Style", facts: dict[str, Any], report: str | None, notes: Sequence[str] = ()
) -> None:
    """Print what each resolution gives and where it stays the same, and write the page with the tree."""
    from clustval.cli import output  # noqa: PLC0415

    if style == "table":
        output.print_table(swept.layers.records, notes=[*(swept.sentences or ["no plateau"]), *notes])
    else:
        output.print_rows(swept.layers.records, style, {**facts, "plateaus": swept.plateaus.records}, "layers")
    if report is not None:
        swept.to_html(report)
        output.say(f"Wrote {report}")


def _how(estimator: str, metric: str) -> dict[str, Any]:
    if estimator.lower() in {"kmeans", "k-means", "k_means"}:
        if metric in {"gower", "precomputed"}:
            msg = f"k-means needs coordinates; with --metric {metric} give a tree, such as --estimator average."
            raise InputError(msg)
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
    from clustval.tables import keys_beside  # noqa: PLC0415

    best = swept.best()
    partitions = range(len(swept)) if len(swept) <= SHOWN else ()
    keys = keys_beside(map(str, swept.names), ("index", "chooses"))
    rows = [
        {
            "index": index,
            "chooses": "—" if best[index] is None else str(best[index]),
            **{keys[str(swept.names[row])]: float(f"{swept[index][row]:.4g}") for row in partitions},
        }
        for index in swept.indices
    ]
    if (swept.coverage < 1).any():
        shares = {keys[str(swept.names[row])]: float(f"{swept.coverage[row]:.4g}") for row in partitions}
        rows.append({"index": "coverage", "chooses": "", **shares})
    return rows
