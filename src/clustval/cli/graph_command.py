"""``clustval graph`` answers: how good is a partition of a graph, and is each community more than chance."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from clustval.cli import parameters

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from clustval.cli.columns import InputTable

WEIGHT = "weight"
BESIDE = ("index", "direction", "range", "reason")  # what rows have beside a value for each partition


def graph(
    edges: Annotated[
        str, typer.Argument(metavar="EDGES", help="A table with a row for each edge; - for standard input.")
    ],
    labels: Annotated[
        str,
        typer.Option(
            "--labels", "-l", metavar="FILE", help="A table of vertices, first, and their labels: FILE, or FILE:COL."
        ),
    ],
    ends: Annotated[
        str, typer.Option("--ends", metavar="A,B", help="Columns of the two ends (default: the first two).")
    ] = "",
    weight: Annotated[
        str | None,
        typer.Option("--weight", "-w", metavar="COL", help="Column of weights (default: weight, if there is one)."),
    ] = None,
    count: Annotated[bool, typer.Option("--count", help="Count edges and ignore weights.")] = False,
    asymmetric: Annotated[
        str | None,
        typer.Option("--asymmetric", metavar="RULE", help="Combine both directions of edges: max, min, mean or sum."),
    ] = None,
    test: Annotated[bool, typer.Option("--test", help="Test each community against chance.")] = False,
    indices: Annotated[str, typer.Option("--indices", "-i", help="all, or a,b.")] = "all",
    noise: parameters.Noise = "drop",
    no_header: parameters.NoHeader = False,
    encoding: parameters.Encoding = "utf-8",
    seed: parameters.Seed = 0,
    as_json: parameters.Json = False,
    as_csv: parameters.Csv = False,
    as_md: parameters.Markdown = False,
) -> None:
    """How good is a partition of a graph? Modularity, conductance, cuts, of the whole and of each community.

    clustval graph edges.csv --labels communities.csv
    """
    import clustval as cv  # noqa: PLC0415
    from clustval.cli import columns, open_table, output  # noqa: PLC0415
    from clustval.tables import keys_beside  # noqa: PLC0415

    style = output.style_of(as_json=as_json, as_csv=as_csv, as_md=as_md)
    table = open_table.table(edges, encoding=encoding, header=not no_header)
    labelled, partitions = _partitions(labels, encoding=encoding, header=not no_header)
    sides = _ends(table, ends)
    texts = [_vertices(labelled, next(iter(labelled.columns))), *(_vertices(table, name) for name in sides)]
    vertices, tails, heads = columns.alike(texts)
    _check_distinct(vertices, labelled.name)
    weights = None if count else _weights(table, weight, sides)
    matrix, names = _matrix(table.name, vertices, tails, heads, weights, directed=asymmetric is not None)
    whole = cv.graph.adjacency(matrix, asymmetric=asymmetric)
    beyond = [None] * (len(names) - len(vertices))  # vertices with labels come first
    in_order = {name: [*column, *beyond] for name, column in partitions.items()}
    chosen = columns.names_of(indices)
    scores = {name: cv.graph.evaluate(whole, each, indices=chosen, noise=noise) for name, each in in_order.items()}
    tests = {}
    if test:
        tests = {
            name: cv.graph.community_test(whole, each, noise=noise, random_state=seed).table.records
            for name, each in in_order.items()
        }
    facts = {
        "data": table.name,
        "vertices": len(names),
        "edges": table.n,
        "coverage": {name: score.coverage for name, score in scores.items()},
    }
    rows = _rows(scores)
    clusters = [
        {"labels": name, "cluster": cluster, **{part: values[cluster] for part, values in parts.items()}}
        for name, score in scores.items()
        for parts in [score.per_cluster()]
        for cluster in parts["size"]
    ]
    if style == "json":
        output.print_json({**facts, "indices": rows, "clusters": clusters, "tests": tests})
        return
    if style != "table":
        output.print_rows(rows, style, facts)
        return
    headings = ["index", *keys_beside(scores, BESIDE).values(), "direction", "range"]
    output.print_table(rows, columns=headings, notes=_notes(facts, rows))
    for name, records in tests.items():
        output.print_table(records, title=f"Edges inside each community of {name}, and by chance")


def _partitions(labels: str, *, encoding: str, header: bool) -> tuple["InputTable", dict[str, list[Any]]]:
    """Return a table of vertices and their labels, and each column of labels, or the one that is named."""
    import os  # noqa: PLC0415

    from clustval.cli import open_table  # noqa: PLC0415
    from clustval.errors import InputError  # noqa: PLC0415

    path, _, chosen = labels.rpartition(":")
    if os.path.isfile(labels) or not os.path.isfile(path):  # noqa: PTH113 - which takes names of any length
        path, chosen = labels, ""
    table = open_table.table(path, encoding=encoding, header=header)
    _, *rest = table.columns
    if not rest:
        msg = f"{table.name} has one column; it must have the vertices first, and then their labels."
        raise InputError(msg)
    named = [table.column(chosen).name] if chosen else rest
    return table, {name: table.columns[name].to_list() for name in named}


def _check_distinct(vertices: list[str], name: str) -> None:
    """Raise an error if a table of labels has a vertex twice."""
    from clustval.errors import InputError  # noqa: PLC0415

    seen: set[str] = set()
    for vertex in vertices:
        if vertex in seen:
            msg = f"{name} has vertex {vertex!r} twice."
            raise InputError(msg)
        seen.add(vertex)


def _vertices(table: "InputTable", name: str) -> "pl.Series":
    """Return a column that names vertices, or raise an error if a name is missing."""
    from clustval.errors import InputError  # noqa: PLC0415

    column = table.column(name)
    if column.null_count():
        row = int(column.is_null().arg_true()[0])
        msg = f"Column {name!r} of {table.name} names vertices; row {row + 1} is empty."
        raise InputError(msg)
    return column


def _ends(table: "InputTable", ends: str) -> list[str]:
    """Return the columns of the two ends of edges."""
    from clustval.errors import InputError  # noqa: PLC0415

    named = table.several(ends) if ends else list(table.columns)[:2]
    if len(named) != 2:
        what = f"--ends names {len(named)} columns" if ends else f"{table.name} has one column"
        msg = f"{what}; an edge has two ends, in two columns."
        raise InputError(msg)
    return named


def _weights(table: "InputTable", weight: str | None, sides: list[str]) -> "NDArray[np.float64] | None":
    """Return the weights of edges: a column that is named, or the one that is called so."""
    column = weight or (WEIGHT if WEIGHT in table.columns and WEIGHT not in sides else None)
    return None if column is None else table.weights(column)


def _matrix(
    table: str,
    vertices: list[str],
    tails: list[str],
    heads: list[str],
    weights: "NDArray[np.float64] | None",
    *,
    directed: bool,
) -> tuple[Any, list[str]]:
    """Return the adjacency matrix, and the vertices: those with labels first."""
    import numpy as np  # noqa: PLC0415
    from scipy import sparse  # noqa: PLC0415

    from clustval.errors import InputError  # noqa: PLC0415

    places = {vertex: place for place, vertex in enumerate(dict.fromkeys([*vertices, *tails, *heads]))}
    rows, columns = (np.array([places[vertex] for vertex in side]) for side in (tails, heads))
    weights = np.ones(len(rows)) if weights is None else weights
    half = sparse.csr_array((weights, (rows, columns)), shape=(len(places), len(places)))
    if directed:
        return half, list(places)
    back = half.T.tocsr()
    twice = sparse.coo_array(sparse.tril(half.multiply(back), -1))
    if twice.nnz:
        names = list(places)
        one, other = (names[int(axis[0])] for axis in twice.coords)
        msg = (
            f"{table} has an edge from {one!r} to {other!r} and one from {other!r} to {one!r}. If rows have a "
            "direction, or each edge is listed twice, say --asymmetric max (or min, mean, sum)."
        )
        raise InputError(msg)
    return half + back, list(places)


def _rows(scores: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each index and a column for each partition."""
    from clustval.tables import keys_beside  # noqa: PLC0415

    first = next(iter(scores.values()))
    keys = keys_beside(scores, BESIDE)
    rows = []
    for index, choice in first.choices.items():
        low, high = map(float, choice.index.bounds)
        reasons = dict.fromkeys(score.reasons[index] for score in scores.values() if index in score.reasons)
        rows.append(
            {
                "index": index,
                **{keys[name]: score[index] for name, score in scores.items()},
                "direction": choice.best.better,
                "range": f"{low:g} … {high:g}",
                "reason": "; ".join(reasons),
            }
        )
    return rows


def _notes(facts: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    notes = [f"{facts['vertices']:,} vertices, {facts['edges']:,} edges."]
    for name, coverage in facts["coverage"].items():
        if coverage < 1:
            notes.append(
                f"{1 - coverage:.1%} of the vertices have no label in {name!r} and are left out, with their edges."
            )
    notes += [f"{row['reason']}" for row in rows if row["reason"]]
    return notes
