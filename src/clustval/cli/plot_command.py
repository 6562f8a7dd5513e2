"""``clustval plot`` draws a figure of a table into a file."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clustval.cli import parameters
from clustval.errors import InputError, optional

if TYPE_CHECKING:
    from clustval.cli.columns import InputPoints

WITH_LABELS = ("scatter", "silhouette", "contingency")
OF_DISTANCES = ("silhouette", "vat", "ivat")
FIGURES = (*WITH_LABELS, "curves", "gap", "stability", "vat", "ivat", "hopkins", "dendrogram")
ENDINGS = (".png", ".svg", ".pdf")
MOST_IN_IMAGE = 20_000  # points whose distances are all drawn
MOST_IN_TREE = 10_000  # points whose distances are all held in memory, 400 MB of them


def plot(
    figure: Annotated[str, typer.Argument(metavar="FIGURE", help=f"What to draw: {', '.join(FIGURES)}.")],
    data: parameters.Data,
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="File to write: .png, .svg or .pdf.")],
    labels: Annotated[
        str | None, typer.Option("--labels", "-l", metavar="COL", help="Column with the labels; or a file.")
    ] = None,
    names: parameters.Names = None,
    truth: Annotated[
        str | None, typer.Option("--truth", "-t", metavar="COL", help="Column with the true classes; or a file.")
    ] = None,
    k: parameters.Clusters = "2:10",
    indices: parameters.Indices = "default",
    features: parameters.Features = "",
    use_rep: parameters.UseRep = None,
    force: parameters.Force = False,
    exclude: parameters.Exclude = None,
    metric: parameters.Metric = "euclidean",
    standardize: parameters.Standardize = False,
    drop_missing: parameters.DropMissing = False,
    seed: parameters.Seed = 0,
    jobs: parameters.Jobs = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
) -> None:
    """Draw DATA: points by cluster, silhouettes, curves of indices over k, distances in order ...

    clustval plot scatter iris --labels kmeans --truth species --out iris.svg
    """
    from clustval.cli import columns, open_table, output  # noqa: PLC0415 - the engine loads when a command runs
    from clustval.cli.sweep_command import numbers_of  # noqa: PLC0415

    _check(figure, out, labels, truth)
    if metric != "euclidean" and figure not in OF_DISTANCES:
        msg = f"--metric is for figures of distances, {', '.join(OF_DISTANCES)}; a figure of {figure} has none."
        raise InputError(msg)
    optional("matplotlib.pyplot", "plot").switch_backend("agg")  # into files, with or without a screen
    table = open_table.table(data, encoding=encoding, header=not no_header, use_rep=use_rep, force=force)
    labellings = {name: table.labels(name) for name in (labels, truth) if name}
    points = table.points(
        features,
        used=list(labellings),
        exclude=exclude,
        labels=labellings.values(),
        drop_missing=drop_missing,
        standardize=standardize,
        metric=metric,
    )
    output.warn(points.doubts)
    chosen = {name: column.gather(points.rows) for name, column in labellings.items()}
    options = {"n_jobs": jobs, "progress": True}
    seeded = {**options, "random_state": seed}
    axes = _drawing(figure)(
        points,
        labels=chosen.get(labels or ""),
        names=columns.names_of_clusters(names, labellings[labels]) if labels else None,
        truth=chosen.get(truth or ""),
        k=numbers_of(k),
        indices=columns.names_of(indices),
        options={**options, "metric": metric},
        seeded=seeded,
    )
    canvas = axes.figure if hasattr(axes, "figure") and not hasattr(axes, "savefig") else axes
    _save(canvas, out)
    output.say(f"Wrote {out}")


def _check(figure: str, out: str, labels: str | None, truth: str | None) -> None:
    from clustval.inputs import one_of  # noqa: PLC0415
    from clustval.whole_files import check_folder  # noqa: PLC0415

    one_of(figure, FIGURES, "FIGURE")
    if figure in WITH_LABELS and not labels:
        msg = f"A figure of {figure} needs labels: --labels COL."
        raise InputError(msg)
    if figure == "contingency" and not truth:
        msg = "A figure of contingency needs a truth: --truth COL."
        raise InputError(msg)
    if Path(out).suffix.lower() not in ENDINGS:
        msg = f"--out must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}; it is {out!r}."
        raise InputError(msg)
    check_folder(out)


def _save(canvas: Any, out: str) -> None:
    import io  # noqa: PLC0415

    from clustval.whole_files import write  # noqa: PLC0415

    stream = io.BytesIO()
    canvas.savefig(stream, format=Path(out).suffix[1:].lower(), bbox_inches="tight", dpi=150)
    write(out, stream.getvalue())


def _drawing(figure: str) -> Callable[..., Any]:
    import clustval as cv  # noqa: PLC0415

    def image(points: "InputPoints", picture: Callable[..., Any], distance: str, options: dict[str, Any]) -> Any:
        if len(points.X) > MOST_IN_IMAGE:
            msg = (
                f"An image of the distances of {len(points.X):,} points takes long; give up to {MOST_IN_IMAGE:,} rows."
            )
            raise InputError(msg)
        return cv.plot.vat(picture(points.X, **options), distance=distance)

    drawings: dict[str, Callable[..., Any]] = {
        "scatter": lambda points, labels, truth, names, **_: cv.plot.scatter(
            _frame(points), labels, truth, names=names
        ),
        "silhouette": lambda points, labels, names, options, **_: cv.plot.silhouette(
            cv.evaluate(points.X, labels, "silhouette", **options), names=names
        ),
        "contingency": lambda _points, labels, truth, **_: cv.plot.contingency(cv.contingency(truth, labels)),
        "curves": lambda points, k, indices, seeded, **_: cv.plot.curves(
            cv.sweep(points.X, k=k, indices=indices, **seeded)
        ),
        "gap": lambda points, k, seeded, **_: cv.plot.gap(cv.gap_statistic(points.X, k, **seeded)),
        "stability": lambda points, k, seeded, **_: cv.plot.stability(cv.stability(points.X, k, **seeded)),
        "vat": lambda points, options, **_: image(points, cv.vat, "distance", options),
        "ivat": lambda points, options, **_: image(points, cv.ivat, "longest step of the best path", options),
        "dendrogram": lambda points, **_: cv.plot.dendrogram(_tree(points)),
        "hopkins": lambda points, seeded, **_: cv.plot.hopkins(cv.hopkins(points.X, **seeded)),
    }
    return drawings[figure]


def _tree(points: "InputPoints") -> Any:
    """Return the tree of Ward's linkage of the points."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415

    from clustval.inputs import as_points  # noqa: PLC0415

    if len(points.X) > MOST_IN_TREE:
        msg = f"A tree of {len(points.X):,} points takes all their distances; give up to {MOST_IN_TREE:,} rows."
        raise InputError(msg)
    if len(points.X) < 2:
        msg = "A tree needs two points or more; there is one."
        raise InputError(msg)
    return linkage(as_points(points.X), "ward")


def _frame(points: "InputPoints") -> Any:
    """Return the points with the names of their columns, which the axes bear."""
    import polars as pl  # noqa: PLC0415

    return pl.DataFrame({name: points.X[:, at] for at, name in enumerate(points.features)})
