"""``clustval demo``: a look at what there is, on data that are bundled."""

from typing import Annotated

import typer

from clustval.cli import command_line, parameters

SPECIES = {"iris": "species", "wine": "cultivar"}


def demo(
    name: Annotated[str, typer.Argument(metavar="[DATA]", help="iris or wine.")] = "iris",
    report: parameters.Report = None,
) -> None:
    """Evaluate the bundled Iris data, and write a report."""
    from pathlib import Path  # noqa: PLC0415

    import clustval as cv  # noqa: PLC0415
    from clustval import data, pages  # noqa: PLC0415
    from clustval.cli import output  # noqa: PLC0415
    from clustval.report import About  # noqa: PLC0415

    bundled = data.load(name)
    X = bundled.X
    if name == "wine":
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    scores = cv.evaluate(X, bundled.clusterings["kmeans"])
    swept = cv.sweep(X, k=range(2, 9), random_state=0)
    output.print_table(output.readable(output.score_rows(scores, "internal")))
    look = pages.look_at(scores, "kmeans", swept, progress=True)
    for sentence in look.sentences("kmeans") if look else []:
        print(sentence)  # noqa: T201
    path = Path(report or f"clustval-{name}.html")
    about = About(
        title=f"The {name} data, clustered by k-means",
        features=bundled.features,
        facts=[f"{len(X)} points", f"{len(bundled.features)} features", "k-means with 3 clusters"],
        rows=range(1, len(X) + 1),
        made_by=command_line(),
        labels="kmeans",
        truth=bundled.truth,
        truth_name=SPECIES[name],
        against={"ward": bundled.clusterings["ward"]},
        look=look or True,
    )
    pages.of_scores(scores, path, about=about, sweep=swept)
    print(f"The report is in {path.absolute()}")  # noqa: T201
