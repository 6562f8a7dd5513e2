"""One page for each index, written from its record in the registry."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scenes import WORDS

from clustval import bibliography, catalogue
from clustval.declare import KINDS, Index
from clustval.sources.sweep_curves import SweepIndex
from clustval.sources.takes import takes_of
from clustval.suites import SUITES
from clustval.tables import number

RANGES = json.loads((Path(__file__).parent / "reference_ranges.json").read_text(encoding="utf-8"))
CASES = {
    "internal": {"none": "one Gaussian, cut by k-means", "clear": "clear, round clusters"},
    "external": {"chance": "labels at random", "tenth": "one label in ten at random"},
}
VARIANTS = tomllib.loads((Path(__file__).parent / "variants.toml").read_text(encoding="utf-8"))

PROOFS = (  # the second of sweeps
    "on the reference data of our tests",
    "on the reference data of our tests for NbClust, by their code for others",
)
COSTS = {
    "linear": "grows with the number of points",
    "quadratic": "grows with the number of pairs of points",
    "rank": "grows with the number of pairs of points, whose distances are ranked",
}
CENTRES = (
    'means of points, of directions under `metric="cosine"` and `"correlation"`; '
    "[where a metric has no means](../../evaluating.md#centres), medoids take their place in other indices"
)


def page(index: Index) -> str:
    """Return the page of one index."""
    low, high = index.bounds
    suites = [
        f"`{name}`" + "".join(f" with {option}={value!r}" for option, value in options.items())
        for name, meant, options in meanings(index.kind)
        if meant == index.name
    ]
    rows = [
        ("kind", f"{index.kind}: {KINDS[index.kind].title.lower()}"),
        ("direction", index.best.better),
        ("rule", index.best.name),
        ("range", f"{low:g} … {high:g}"),
        ("cost", COSTS[index.cost]),
        ("also called", ", ".join(f"`{a}`" for a in index.aliases) or "–"),
        ("in the suites", ", ".join(suites) or "–"),
    ]
    if index.symmetric is None:
        fewest, fewer = index.clusters
        most = {None: "", 0: " to n"}.get(fewer, f" to n − {fewer}")
        if fewest:
            rows.append(("clusters", f"from {fewest}{most}"))
        rows.append(("NaN where", index.undefined))
    if takes_of(index).centres:
        rows.append(("centres", CENTRES))
    if isinstance(index, SweepIndex):
        rows.append(("needs", "a sweep, `cv.sweep(X, partitions, ...)`: one partition has no value"))
        if index.details:
            rows.append(("beside it", ", ".join(f"`{name}`" for name in index.details) + " in `Sweep.details`"))
    table = "\n".join(f"| {name} | {text} |" for name, text in rows)
    source = "".join(f"[{text}](#{key})" if key else text for text, key in bibliography.pieces(index.reference))
    works = "\n".join(f"- {work}" for work in bibliography.cited(index.reference))
    doc = called_in_full(index, inspect.getdoc(index.formula) or "")
    return (
        f"# {index.name}\n\n```{{eval-rst}}\n{doc}\n```\n\n| | |\n|---|---|\n{table}\n\n"
        f"## How to read it\n\n{reading(index)}\n\n{rewarded(index)}{typical(index)}"
        f"## In other packages\n\n{elsewhere(index)}\n\n## Reference\n\n{source}\n\n{works}\n"
    )


def called_in_full(index: Index, doc: str) -> str:
    """Return a docstring whose examples call indices as users do: ``cv.internal.dunn``."""
    names = "|".join(sorted((each.name for each in catalogue.every_index(index.kind)), key=len, reverse=True))
    call = re.compile(rf"(?<![\w.'\"])({names})\(")
    lines = doc.splitlines()
    for at, line in enumerate(lines):
        if line.startswith((">>>", "...")):
            lines[at] = call.sub(rf"cv.{index.kind}.\1(", line)
    return "\n".join(lines)


def rewarded(index: Index) -> str:
    """Return small sets of points with the value of each, from best to worst where the index judges."""
    values = {scene: RANGES["scenes"][scene].get(index.name) for scene in WORDS if index.kind == "internal"}
    judged = {scene: value for scene, value in values.items() if value is not None}
    if len(judged) < 2:
        return ""
    better = index.best.better
    if better in ("higher", "lower", "nearer 0"):
        key = {"higher": lambda value: -value, "lower": lambda value: value, "nearer 0": abs}[better]
        order = sorted(judged, key=lambda scene: key(judged[scene]))
        what = "Good values on the left, bad values on the right, for 150 points in three clusters"
        what += "." if index.degree == 0 else ", whose units differ too."
    else:
        order, what = list(judged), "Its values for 150 points in three clusters."
    pictures = " | ".join(f"![{WORDS[scene]}](../../figures/scene_{scene}.svg){{width=90px}}" for scene in order)
    texts = " | ".join(f"{WORDS[scene]}: {number(judged[scene], 3)}" for scene in order)
    return f"{what}\n\n| {pictures} |\n|{'---|' * len(order)}\n| {texts} |\n\n"


def typical(index: Index) -> str:
    """Return simulated values by number of points, columns and clusters."""
    cases = CASES.get(index.kind, {})
    rows = [row for row in RANGES.get(index.kind, ()) if any(index.name in row[case] for case in cases)]
    if not rows:
        return ""
    sizes = [name for name in ("n", "p", "k") if name in rows[0]]
    lines = [
        " | ".join([*(str(row[name]) for name in sizes), *(_range(row[case].get(index.name)) for case in cases)])
        for row in rows
    ]
    head = " | ".join([*sizes, *cases.values()])
    table = "\n".join(f"| {line} |" for line in [head, " | ".join(["---"] * (len(sizes) + len(cases))), *lines])
    meant = "points, columns and clusters" if "p" in sizes else "points and clusters"
    return (
        f"### Typical values\n\nThe median of {RANGES['sets']} simulated sets, and between which values eight of ten "
        f"lie, by numbers of {meant}:\n\n{table}\n\n"
    )


def _range(quantiles: list[float] | None) -> str:
    if quantiles is None:
        return "–"
    low, middle, high = (number(value, 3) for value in quantiles)
    return f"{middle} ({low} … {high})"


def reading(index: Index) -> str:
    """Say which values are better, and between which partitions and data they can be compared."""
    rule = index.best
    judged = f"{rule.better.capitalize()} is better."
    if rule.better == "neither":
        judged = "It describes the clustering and does not judge it."
    if index.symmetric is not None:
        both = "The labellings" if index.clusters[0] else "The two"
        swapped = f"{both} may be swapped" if index.symmetric else "The truth comes first; swapped, it is another"
        return f"{judged} {swapped}."
    if index.clusters[0] == 0:
        numbers = "Trees of the same points can be compared."
    elif rule.refuses:
        numbers = f"Among several numbers of clusters, the rule for the best is: {rule.name}."
    elif rule.compares > 1:
        numbers = f"It changes with the number of clusters; the rule for the best number is: {rule.name}."
    else:
        numbers = "You can compare partitions of the same points into different numbers of clusters."
    if index.degree == 0:
        unit = "The unit of the data does not matter."
    elif isinstance(index.degree, int):
        unit = f"The unit of the data matters: data multiplied by c have the value times $c^{{{index.degree}}}$."
    else:
        unit = "The unit of the data matters."
    return f"{judged} {numbers} {unit}"


def elsewhere(index: Index) -> str:
    """Say what other packages give for the index, and what our suites mean by its name."""
    tables = VARIANTS["sweeps"] if isinstance(index, SweepIndex) else VARIANTS.get(index.kind, {})
    claims = tables.get(index.name, {})
    rows = [
        f"| {package(name)} | `{claims[name]['name']}` | {'yes' if claims[name]['same'] else 'no'} "
        f"| {difference(index, claims[name])} |"
        for name in VARIANTS["packages"]
        if name in claims
    ]
    parts = []
    if rows:
        parts.append("\n".join(["| package | name there | same value | how it differs |", "|---|---|---|---|", *rows]))
        parts.append(
            f"Same value: {PROOFS[isinstance(index, SweepIndex)]}. Packages that are not listed lack the index or were "
            "not compared. Numbers are in [where we differ](../../parity.md)."
        )
    else:
        compared = index.name in tables
        parts.append("No package that was compared has it." if compared else "Not compared with other packages yet.")
    namesakes = [
        f"`{name}` means [{meant}]({meant}.md)."
        for name, meant, _ in meanings(index.kind)
        if name.partition(":")[2] in (index.name, *index.aliases) and meant != index.name
    ]
    if namesakes:
        parts.append(f"A source of our suites has another index by this name: {' '.join(namesakes)}")
    return "\n\n".join(parts)


def package(name: str) -> str:
    """Return the name of a package, its version if it was run, and its language."""
    record = VARIANTS["packages"][name]
    return f"{' '.join([name, *([record['version']] if 'version' in record else [])])} ({record['language']})"


def difference(index: Index, claim: dict[str, Any]) -> str:
    """Return how a package differs, and what gives its value here."""
    if "ours" not in claim:
        return str(claim.get("note", ""))
    meanings_by_name = {name: meant for name, meant, _ in meanings(index.kind)}
    meant = meanings_by_name.get(claim["ours"], claim["ours"].partition("(")[0])
    return f"{claim['note']}; here [`{claim['ours']}`]({meant}.md)"


def meanings(kind: str) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Return every name of a suite with the index and the options that it means."""
    for source, suite in SUITES.items():
        for name, entry in suite.get(kind, {}).items():
            yield f"{source}:{name}", catalogue.find(entry.index, kind).name, entry.options


def write_pages(folder: Path) -> None:
    """Write the page of every index, the lists of them, and the works that they come from."""
    for each in catalogue.kinds():
        kind, table = each.name, each.records
        (folder / kind).mkdir(parents=True, exist_ok=True)
        for name, index in table.items():
            write(folder / kind / f"{name}.md", page(index))
        names = "\n".join(f"{kind}/{name}" for name in sorted(table))
        lines = "\n".join(f"| [{n}]({kind}/{n}.md) | {table[n].summary} |" for n in sorted(table))
        toc = f"```{{toctree}}\n:hidden:\n\n{names}\n```"
        write(
            folder / f"{kind}.md",
            f"# {kind.capitalize()} indices\n\n{each.title}.\n\n| index | what it is |\n|---|---|\n{lines}\n\n{toc}\n",
        )
    kinds = catalogue.kinds()
    lines = "\n".join(f"| [{kind.name}]({kind.name}.md) | {kind.title} | {len(kind.indices)} |" for kind in kinds)
    toc = "\n".join(["```{toctree}", ":hidden:", "", *(kind.name for kind in kinds), "```"])
    table = f"| kind | what is judged | indices |\n|---|---|---|\n{lines}"
    write(folder / "index.md", f"# Indices\n\n{table}\n\n{toc}\n")
    entries = sorted(bibliography.works().values(), key=lambda work: str(work).casefold())
    works = "\n\n".join(f"({work.key})=\n{work}" for work in entries)
    write(folder / "references.md", f"# References\n\n{works}\n")


def write(path: Path, text: str) -> None:
    """Write only what changed, so that Sphinx rebuilds only that."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
