"""``clustval indices`` answers: what an index is, and which there are."""

import inspect
from typing import Annotated, Any

import typer

from clustval.cli import parameters

SEVERAL = "partitions into several numbers of clusters: clustval sweep"


def indices(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="The index to explain.")] = None,
    suite: Annotated[str | None, typer.Option("--suite", "-s", help="Only those of a suite.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="Only those of a kind, such as internal.")] = None,
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """List all indices, or explain NAME: formula, direction, range, source.

    clustval indices --suite zaki

    clustval indices dunn
    """
    from clustval.cli import output  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    if name is None:
        rows = _listed(suite, kind)
        if style != "table":
            output.print_rows(rows, style, {})
        else:
            output.print_table(rows, columns=["index", "kind", "direction", "range", "what it is"])
        return
    record = _explained(name, kind)
    if style != "table":
        output.print_rows([record], style, {})
        return
    text, works = record.pop("text"), record.pop("works")
    width = max(map(len, record))
    lines = [f"{key:<{width}}  {value}" for key, value in record.items() if value not in ("", None)]
    print("\n".join([*lines, "", text.replace(".. math::", "   "), "", *works]))  # noqa: T201


def _listed(suite: str | None, kind: str | None) -> list[dict[str, Any]]:
    from clustval import catalogue  # noqa: PLC0415
    from clustval.bibliography import readable  # noqa: PLC0415
    from clustval.suites import OWN, SUITES  # noqa: PLC0415

    records = catalogue.indices(kind)
    if suite is None or suite == "all":
        entries = [(record["name"], record["name"], record["kind"]) for record in records]
    else:
        _check_suite(suite)
        kinds = [each.name for each in catalogue.kinds(kind) if kind or suite in OWN or each.name in SUITES[suite]]
        entries = [(c.name, c.index.name, each) for each in kinds for c in catalogue.select(suite, each, swept=True)]
    by_name = {(record["name"], record["kind"]): record for record in records}
    rows = []
    for title, name, each in entries:
        record = by_name[name, each]
        low, high = record["bounds"]
        rows.append(
            {
                "index": title,
                **({"is": name} if suite not in (None, *OWN) else {}),
                "kind": each,
                "direction": record["direction"],
                "range": f"{low:g} … {high:g}",
                "cost": record["cost"],
                "needs": SEVERAL if record["sweep"] else "",
                "what it is": record["summary"],
                "reference": readable(record["reference"]),
                "aliases": list(record["aliases"]),
                "suites": list(record["suites"]),
            }
        )
    return rows


def _check_suite(suite: str) -> None:
    import difflib  # noqa: PLC0415

    from clustval.errors import InputError  # noqa: PLC0415
    from clustval.suites import OWN, SUITES  # noqa: PLC0415

    suites = [*OWN, *SUITES]
    if suite not in suites:
        near = difflib.get_close_matches(suite, suites, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"There are {', '.join(suites)}."
        msg = f"No suite is called {suite!r}. {hint}"
        raise InputError(msg)


def _explained(name: str, kind: str | None) -> dict[str, Any]:
    from clustval import catalogue  # noqa: PLC0415
    from clustval.bibliography import cited, readable  # noqa: PLC0415
    from clustval.declare import KINDS  # noqa: PLC0415

    index = catalogue.find(name, kind)
    low, high = index.bounds
    return {
        "index": index.name,
        "kind": index.kind,
        "also": ", ".join(index.aliases),
        "direction": index.best.better,
        "rule": index.best.name,
        "range": f"{low:g} … {high:g}",
        "cost": index.cost,
        "needs": SEVERAL if index.name in KINDS[index.kind].of_sweeps else "",
        "reference": readable(index.reference),
        "works": [str(work) for work in cited(index.reference)],
        "text": inspect.getdoc(index.formula) or "",
    }
