"""``clustval tendency`` answers: is there any structure in the data."""

from collections.abc import Callable
from typing import Annotated, Any

import typer

from clustval.cli import parameters
from clustval.errors import MissingExtraError

MOST = 5000  # points that are compared with each of many random samples
MOST_IN_PAIRS = 2000  # points whose distances are all compared
CLEAR = 0.05
UNIFORM, ONE_MODE = "uniform in the box", "one mode"
NO_GAPS, NO_GROUPS = "no gaps", "columns and correlations"
READINGS = {  # of a null that is rejected, and of one that is not
    UNIFORM: ("not uniform", "as uniform points"),
    ONE_MODE: ("more than one mode", "one mode is possible"),
    NO_GAPS: ("gaps", "one cluster is possible"),
    NO_GROUPS: ("more clustered", "as data without clusters"),
}


def tendency(
    data: parameters.Data,
    samples: Annotated[int, typer.Option("--samples", help="Number of random samples to compare with.")] = 200,
    features: parameters.Features = "",
    use_rep: parameters.UseRep = None,
    force: parameters.Force = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--exclude", "-x", "--ignore", metavar="A,B", help="Columns of numbers to leave out."),
    ] = None,
    labels: Annotated[
        str | None, typer.Option("--labels", "-l", metavar="COL", help="Column with labels, to be left out.")
    ] = None,
    metric: parameters.Metric = "euclidean",
    standardize: parameters.Standardize = False,
    drop_missing: parameters.DropMissing = False,
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """Is there structure at all? Tests of DATA against uniform points, one mode, and data without clusters.

    clustval tendency iris

    clustval tendency customers.csv --metric gower
    """
    import numpy as np  # noqa: PLC0415

    import clustval as cv  # noqa: PLC0415
    from clustval.choosing.first_look import FEW_DRAWS  # noqa: PLC0415
    from clustval.choosing.structure import NOTHING  # noqa: PLC0415
    from clustval.cli import open_table, output  # noqa: PLC0415
    from clustval.homes.frames import listed  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    points = table.points(
        features,
        used=[labels] if labels else [],
        exclude=ignore,
        labels=[table.labels(labels)] if labels else [],
        drop_missing=drop_missing,
        standardize=standardize,
        metric=metric,
    )
    output.warn(points.doubts)
    options: dict[str, Any] = {"n_samples": samples, "random_state": seed, "n_jobs": jobs, "progress": True}
    order = np.random.default_rng(seed).permutation(len(points.X))
    many, few = (points.X[np.sort(order[:most])] for most in (MOST, MOST_IN_PAIRS))
    structure = cv.structure(few, **FEW_DRAWS, random_state=seed, n_jobs=jobs, progress=True, metric=metric)
    rows = _of_structure(structure)
    plain = metric == "euclidean"
    if plain:  # the others compare with points in a box, and distances of coordinates
        rows = [
            _of_hopkins(cv.hopkins(many, **options)),
            _of_divergence("spatial histogram", cv.spatial_histogram(many, **options)),
            _of_divergence("distance distribution", cv.distance_distribution(few, **options)),
            *_of_modes(lambda: cv.unimodality(few, random_state=seed)),
            *rows,
        ]
    counts = {"points": len(order), "points used": len(many), "points used in pairs": len(few), "samples": samples}
    if style != "table":
        output.print_rows(rows, style, {"data": table.name, **points.facts, **counts}, "tests")
        return
    drawn = f", {samples} random samples" if plain else ""
    notes = [f"{len(order):,} points{drawn}; features: {listed(points.features)}.", *points.apart]
    if len(few) < len(order):
        notes.append(f"Drawn at random: {len(many):,} of the points, {len(few):,} for the distance distribution.")
    if plain and structure.evidence == NOTHING and rows[0]["p"] < CLEAR:
        notes.append("The points are not uniform, but one cluster explains them as well as several do.")
    output.print_table(rows, notes=[str(structure), *notes], digits=4)


def _of_hopkins(result: Any) -> dict[str, Any]:
    facts = result.mean, result.std, result.null_mean, result.null_std
    return _row("hopkins", UNIFORM, *facts, result.p_value)


def _of_divergence(name: str, result: Any) -> dict[str, Any]:
    draws = result.null_means
    null = (float(draws.mean()), float(draws.std())) if len(draws) else (float("nan"),) * 2
    return _row(name, UNIFORM, result.mean, result.std, *null, result.p_value)


def _of_modes(unimodality: Callable[[], Any]) -> list[dict[str, Any]]:
    """Return the dips, or a row without numbers that says what they need."""
    nothing = float("nan")
    try:
        result = unimodality()
    except MissingExtraError:
        row = _row("dips", ONE_MODE, nothing, nothing, nothing, nothing, nothing)
        return [row | {"reading": "needs diptest: pip install 'clustval[tendency]'"}]
    dips = {
        "dip of the first component": (result.projection_dip, result.projection_p_value),
        "dip of distances": (result.distances_dip, result.distances_p_value),
    }
    return [_row(name, ONE_MODE, dip, nothing, nothing, nothing, p) for name, (dip, p) in dips.items()]


def _of_structure(result: Any) -> list[dict[str, Any]]:
    """Return what was asked about clusters: gaps by halves that did not find them, the continuum by draws."""
    rows = []
    for name, p in result.p_values.items():
        if name in result.reasons:
            continue
        nothing = float("nan")
        facts = (nothing,) * 4
        if name == "continuum":
            draws = list(result.null.values())[-1]
            facts = result.statistic, nothing, float(draws.mean()), float(draws.std())
        rows.append(_row(name, NO_GAPS if name == "gaps" else NO_GROUPS, *facts, p))
    return rows


def _row(test: str, null: str, mean: float, std: float, random: float, spread: float, p: float) -> dict[str, Any]:
    rejected, kept = READINGS[null]
    return {
        "test": test,
        "null": null,
        "mean": mean,
        "s.d.": std,
        "random": random,
        "random s.d.": spread,
        "p": p,
        "reading": rejected if p <= CLEAR else kept,
    }
