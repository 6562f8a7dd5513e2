"""One page for each index, written from its record in the registry."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from clustval import registry
from clustval.suites import SUITES

KINDS = {"internal": "Judged from the points alone", "external": "Agreement of two labellings"}
COSTS = {
    "linear": "grows with the number of points",
    "quadratic": "grows with the number of pairs of points",
    "rank": "grows with the number of pairs of points, whose distances are ranked",
}


def bibliography() -> dict[str, str]:
    """Return each entry of the bibliography as a line of text."""
    text = (Path(__file__).parent / "references.bib").read_text()
    found = {}
    for key, body in re.findall(r"^@\w+\{(\w+),(.*?)^\}", text, re.MULTILINE | re.DOTALL):
        fields = {
            name: re.sub(r"[{}]", "", value)
            for name, value in re.findall(r"(\w+)\s*=\s*\{(.*?)\}\s*,", body, re.DOTALL)
        }
        where = next(
            (fields[f] for f in ("journal", "booktitle", "publisher", "organization", "institution") if f in fields), ""
        )
        numbers = ", ".join(
            part for part in (fields.get("volume", ""), fields.get("pages", "").replace("--", "–")) if part
        )
        parts = [
            fields.get("author", ""),
            f"({fields.get('year', '')}).",
            f"{fields.get('title', '')}.",
            f"*{where}*" if where else "",
            numbers,
        ]
        line = re.sub(r"\s+", " ", " ".join(p for p in parts if p)).replace("\\'n", "ń").replace("\\'", "")
        found[key] = line.rstrip(" ,") + "."
    return found


def page(index: registry.Index, references: dict[str, str]) -> str:
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
    cited = "\n".join(f"- {references[key]}" for key in re.findall(r"[a-z]+\d{4}", index.reference))
    doc = inspect.getdoc(index.formula) or ""
    return (
        f"# {index.name}\n\n```{{eval-rst}}\n{doc}\n```\n\n| | |\n|---|---|\n{table}\n\n"
        f"## Reference\n\n{index.reference}\n\n{cited}\n"
    )


def write_pages(folder: Path) -> None:
    """Write the page of every index and the lists of them."""
    registry.load()
    references = bibliography()
    for kind, title in KINDS.items():
        (folder / kind).mkdir(parents=True, exist_ok=True)
        table = registry.INDICES[kind]  # type: ignore[index]
        for name, index in table.items():
            write(folder / kind / f"{name}.md", page(index, references))
        names = "\n".join(f"{kind}/{name}" for name in sorted(table))
        lines = "\n".join(f"| [{n}]({kind}/{n}.md) | {table[n].summary} |" for n in sorted(table))
        toc = f"```{{toctree}}\n:hidden:\n\n{names}\n```"
        write(
            folder / f"{kind}.md",
            f"# {kind.capitalize()} indices\n\n{title}.\n\n| index | what it is |\n|---|---|\n{lines}\n\n{toc}\n",
        )


def write(path: Path, text: str) -> None:
    """Write only what changed, so that Sphinx rebuilds only that."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
