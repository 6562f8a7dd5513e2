"""One page for each index, written from its record in the registry."""

from __future__ import annotations

import inspect
from pathlib import Path

from clustval import bibliography, registry
from clustval.suites import SUITES

KINDS = {"internal": "Judged from the points alone", "external": "Agreement of two labellings"}
COSTS = {
    "linear": "grows with the number of points",
    "quadratic": "grows with the number of pairs of points",
    "rank": "grows with the number of pairs of points, whose distances are ranked",
}


def page(index: registry.Index) -> str:
    """Return the page of one index."""
    low, high = index.bounds
    suites = [
        f"`{s}:{name}`" for s, suite in SUITES.items() for name, e in suite[index.kind].items() if e.index == index.name
    ]
    rows = [
        ("kind", f"{index.kind}: {KINDS[index.kind].lower()}"),
        ("better", f"{index.best.better}; the best of several partitions is chosen by: {index.best.name}"),
        ("range", f"{low:g} … {high:g}"),
        ("cost", COSTS[index.cost]),
        ("also called", ", ".join(f"`{a}`" for a in index.aliases) or "–"),
        ("in the suites", ", ".join(suites) or "–"),
    ]
    if index.kind == "internal":
        fewest, fewer = index.clusters
        rows.append(("clusters", f"from {fewest} to {'n' if fewer == 0 else f'n − {fewer}'}"))
        rows.append(("NaN where", index.undefined))
    table = "\n".join(f"| {name} | {text} |" for name, text in rows)
    source = "".join(f"[{text}](#{key})" if key else text for text, key in bibliography.pieces(index.reference))
    works = "\n".join(f"- {work}" for work in bibliography.cited(index.reference))
    doc = inspect.getdoc(index.formula) or ""
    return (
        f"# {index.name}\n\n```{{eval-rst}}\n{doc}\n```\n\n| | |\n|---|---|\n{table}\n\n"
        f"## Reference\n\n{source}\n\n{works}\n"
    )


def write_pages(folder: Path) -> None:
    """Write the page of every index, the lists of them, and the works that they come from."""
    registry.load()
    for kind, title in KINDS.items():
        (folder / kind).mkdir(parents=True, exist_ok=True)
        table = registry.INDICES[kind]  # type: ignore[index]
        for name, index in table.items():
            write(folder / kind / f"{name}.md", page(index))
        names = "\n".join(f"{kind}/{name}" for name in sorted(table))
        lines = "\n".join(f"| [{n}]({kind}/{n}.md) | {table[n].summary} |" for n in sorted(table))
        toc = f"```{{toctree}}\n:hidden:\n\n{names}\n```"
        write(
            folder / f"{kind}.md",
            f"# {kind.capitalize()} indices\n\n{title}.\n\n| index | what it is |\n|---|---|\n{lines}\n\n{toc}\n",
        )
    entries = sorted(bibliography.works().values(), key=lambda work: str(work).casefold())
    works = "\n\n".join(f"({work.key})=\n{work}" for work in entries)
    write(folder / "references.md", f"# References\n\n{works}\n")


def write(path: Path, text: str) -> None:
    """Write only what changed, so that Sphinx rebuilds only that."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
