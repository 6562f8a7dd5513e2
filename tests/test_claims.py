"""What the pages claim: counts are those of the catalogue, numbers those that were measured, commands are there."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import clustval as cv
from clustval.catalogue import kinds
from clustval.suites import SUITES

ROOT = Path(__file__).parents[1]
COUNTS = {kind.name: len(kind.records) for kind in kinds()}
# What a page writes around the count of a kind.
PHRASES = {
    "README.md": {"internal": r"\| internal indices \| (\d+) ", "external": r"\| external indices \| (\d+) "},
    "paper/paper.md": {"internal": r"\b(\d+) internal ind", "external": r"\b(\d+) external ones"},
    "CHANGELOG.md": {
        "internal": r"\b(\d+) internal and",
        "external": r"\b(\d+) external ind",
        "fuzzy": r"\b(\d+) of memberships",
        "fuzzy_external": r"\b(\d+) that compare them",
        "covers": r"\b(\d+) of overlapping",
        "graph": r"\b(\d+) of communities",
        "trees": r"\b(\d+) of hierarchies",
        "categorical": r"\b(\d+) of categories",
        "mixture": r"\b(\d+) of fitted mixtures",
    },
}


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def rows_of(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]


@pytest.mark.parametrize(
    ("page", "kind", "phrase"),
    [(page, kind, phrase) for page, some in PHRASES.items() for kind, phrase in some.items()],
)
def test_a_count_of_indices_is_that_of_the_catalogue(page, kind, phrase):
    numbers = re.findall(phrase, text_of(page))
    assert numbers
    assert {int(number) for number in numbers} == {COUNTS[kind]}


def test_the_table_of_the_paper_counts_as_the_catalogue_does():
    (row,) = (row for row in rows_of(text_of("paper/paper.md")) if row[0] == "clustval")
    assert row[1:3] == [str(COUNTS["internal"]), str(COUNTS["external"])]


def test_the_evidence_counts_every_kind_of_index():
    text = text_of("docs/evidence.md")
    counts = {row[0]: int(row[1]) for row in rows_of(text) if len(row) == 2 and row[1].isdecimal()}
    assert counts == COUNTS
    assert f"{len(SUITES['density']['internal'])} of the internal indices judge clusters of any shape" in text


def test_numbers_of_the_evidence_are_those_that_were_measured():
    lines = [" ".join(line.split()) for line in text_of("benchmarks/RESULTS.md").splitlines()]
    checked = 0
    for row in rows_of(text_of("docs/evidence.md")):
        if len(row) in (3, 5) and row[2].startswith("`") and row[2] != "line of `benchmarks/RESULTS.md`":
            start = row[2].strip("`")
            line = next((line for line in lines if line.startswith(start)), "")
            assert re.search(rf"(?<![\d.]){re.escape(row[1])}(?![\d.])", line), (row, line)
            checked += 1
    assert checked == 18


def test_regrets_of_the_evidence_are_those_of_its_tables():
    judges = {row[0].strip("*"): row for row in rows_of(text_of("docs/choose_evidence.md")) if len(row) == 5}
    regrets = [row[1:] for row in rows_of(text_of("docs/evidence.md")) if row[0].startswith("regret")]
    assert len(regrets) == 4
    for at, row in enumerate(regrets, 1):
        tables = [judges[judge][at] for judge in ("consensus", "calinski_harabasz", "silhouette")]
        assert row == [cell.strip("*").split()[0] for cell in tables]


def test_times_of_the_readme_are_those_of_the_evidence():
    (times,) = (row for row in rows_of(text_of("README.md")) if row[0] == "its time divided by ours")
    claims = [int(number) for cell in times[2:] for number in re.findall(r": (\d+)\b", cell)]
    ratios = [row[1] for row in rows_of(text_of("docs/evidence.md")) if row[1].endswith("x")]
    assert sorted(claims) == sorted(int(float(ratio[:-1]) + 0.5) for ratio in ratios)


def test_files_that_the_evidence_runs_are_there():
    paths = re.findall(r"\b(?:tests|benchmarks|src)/[\w./]+", text_of("docs/evidence.md"))
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []
    targets = set(re.findall(r"`make (\w+)", text_of("docs/evidence.md")))
    assert targets <= set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.MULTILINE))


WISHES = [row for row in rows_of(text_of("docs/i_want_to.md")) if row[1].startswith("`")]


def thing_of(node: ast.expr):
    """Return what `cv.graph.evaluate` and the like mean; of a call the class of its result."""
    if isinstance(node, ast.Name):
        return {"cv": cv}[node.id]
    if isinstance(node, ast.Attribute):
        home = thing_of(node.value)
        if inspect.isclass(home) and node.attr in home.__annotations__:
            return None  # a field of a result
        return getattr(home, node.attr)
    assert isinstance(node, ast.Call)
    function = thing_of(node.func)
    arguments = [object()] * len(node.args) + [None] * (not isinstance(node.func.value, ast.Name | ast.Attribute))
    signature = inspect.signature(function)
    signature.bind(*arguments, **{word.arg: object() for word in node.keywords})
    return getattr(cv, str(signature.return_annotation).split(" | ")[0], None)


@pytest.mark.parametrize("row", WISHES, ids=lambda row: row[0])
def test_a_call_that_answers_a_wish_takes_what_is_written(row):
    thing_of(ast.parse(row[1].strip("`"), mode="eval").body)


def test_no_wish_is_there_twice():
    assert len(WISHES) > 30
    assert len({row[0] for row in WISHES}) == len({row[1] for row in WISHES}) == len(WISHES)
