"""``clustval agree`` answers: does a clustering agree with the truth, and which of several does best."""

from itertools import combinations
from typing import Annotated, Any

import typer

from clustval.cli import command_line, parameters

BESIDE = ("index", "direction", "low", "high", "reason")  # what rows have beside a value for each clustering
COUNTS = ("both right", "only primary", "only alternative", "both wrong")


def agree(
    data: Annotated[str, typer.Argument(metavar="FILE", help="A table with the labels; - for standard input.")],
    truth: Annotated[
        str, typer.Option("--truth", "-t", metavar="COL", help="Column with the true classes; or a file.")
    ],
    labels: Annotated[
        list[str] | None,
        typer.Option("--labels", "-l", metavar="COL [COL]...", help="Columns with the labels; or files."),
    ] = None,
    more: Annotated[
        list[str] | None,
        typer.Argument(metavar="[COL]...", help="More columns, after --labels COL.", show_default=False),
    ] = None,
    memberships: parameters.Memberships = None,
    separator: Annotated[
        str | None,
        typer.Option("--separator", metavar="TEXT", help="Text between clusters in a cell, as ; in a;b."),
    ] = None,
    weights: parameters.Weights = None,
    indices: parameters.Indices = "default",
    noise: parameters.Noise = "cluster",
    report: parameters.Report = None,
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """Do clusterings agree with the truth? Indices for each, and where one is right and another wrong.

    clustval agree iris --truth species --labels kmeans ward

    clustval agree fuzzy.csv --truth species --memberships 'u*'

    clustval agree topics.csv --truth editor --labels found --separator ';'
    """
    import clustval as cv  # noqa: PLC0415
    from clustval.cli import beyond_labels, columns, open_table, output  # noqa: PLC0415
    from clustval.inputs import read_as  # noqa: PLC0415
    from clustval.tables import keys_beside  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    output.check_report(report)
    table = open_table.table(data, encoding=encoding, header=not no_header)
    given = [*(labels or []), *(more or [])]
    if memberships is not None:
        beyond_labels.refuse({"--labels": given, "--separator": separator, "--weights": weights}, "memberships")
        beyond_labels.agree_memberships(table, truth, memberships, indices, style, report)
        return
    if not given:
        raise beyond_labels.missing_labels()
    names = [name for text in given for name in table.several(text)]
    true = table.labels(truth)
    results = {name: table.labels(name) for name in names}
    if any(beyond_labels.overlapping(column, separator) for column in (true, *results.values())):
        beyond_labels.refuse({"--weights": weights, "--report": report}, "overlapping clusters")
        beyond_labels.agree_covers(table, truth, results, separator, indices, style)
        return
    heavy = None if weights is None else table.weights(weights)
    left_out, _ = read_as(noise)
    scores = {
        name: cv.agreement(true, column, columns.names_of(indices), noise=noise, sample_weight=heavy)
        for name, column in results.items()
    }
    rows, pairs = _rows(scores), []
    if len(results) > 1:
        pairs = _pairs(cv.prayatul_table(true, results, noise=left_out, sample_weight=heavy), list(results))
    facts = {"data": table.name, "points": table.n, "truth": truth, "labels": list(results), "weights": weights}
    if style == "json":
        output.print_json({**facts, "indices": rows, "prayatul": pairs})
    elif style != "table":
        output.print_rows(rows, style, {})
    else:
        headings = ["index", *keys_beside(results, BESIDE).values(), "direction"]
        output.print_table(rows, title=f"Agreement with {truth}", columns=headings)
        if pairs:
            headings = ["primary", "alternative", *COUNTS, "comparative deviation"]
            output.print_table(pairs, title="Pairs of points that each gets right (Prayatul)", columns=headings)
    if report is not None:
        from clustval import pages  # noqa: PLC0415
        from clustval.report import About  # noqa: PLC0415

        about = About(
            title=f"{table.name}: agreement with {truth}",
            facts=[f"{table.n:,} points" if heavy is None else f"{table.n:,} points, weighed by {weights}"],
            made_by=command_line(),
            truth=true,
            truth_name=truth,
            against=results,
            noise=noise,
            sample_weight=heavy,
        )
        pages.of_truth(about, report)
        output.say(f"Wrote {report}")


def _rows(scores: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each index and a column for each clustering."""
    from clustval.tables import keys_beside  # noqa: PLC0415

    first = next(iter(scores.values()))
    keys = keys_beside(scores, BESIDE)
    records = {record["index"]: record for record in first._records()}  # noqa: SLF001
    rows = []
    for index in first:
        better = first.choices[index].best.better
        values = {keys[name]: agreement[index] for name, agreement in scores.items()}
        reasons = "; ".join(
            dict.fromkeys(agreement.reasons[index] for agreement in scores.values() if index in agreement.reasons)
        )
        low, high = records[index]["low"], records[index]["high"]
        rows.append({"index": index, **values, "direction": better, "low": low, "high": high, "reason": reasons})
    return rows


def _pairs(table: Any, names: list[str]) -> list[dict[str, Any]]:
    """Return the Prayatul matrix and measures of each pair of clusterings."""
    return [
        {
            "primary": primary,
            "alternative": alternative,
            **dict(zip(COUNTS, comparison.counts, strict=True)),
            **{name.replace("_", " "): value for name, value in comparison.measures.items()},
        }
        for primary, alternative in combinations(names, 2)
        for comparison in [table[primary, alternative]]
    ]
