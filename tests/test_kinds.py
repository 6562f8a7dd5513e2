"""What a kind of index brings with it: its module, suites, list, pages and laws follow from its own files alone."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import runpy
from pathlib import Path

import pytest
from kinds import examples

import clustval as cv
from clustval import catalogue
from clustval.cli import run
from clustval.declare import KINDS
from clustval.suites import DEFAULT

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "clustval"
NAMES = [kind.name for kind in catalogue.kinds()]
QUESTIONS = {"internal", "external"}  # kinds that other questions are made of: sweeps, agreement, the study
# Files that use the name of a kind as a word of their own.
OTHER_MEANINGS = {("mixture", name) for name in ("algorithms", "recommend", "recommend_command")}
OTHER_MEANINGS |= {("graph", "__init__")}  # a command of the program
OTHER_MEANINGS |= {("graph", "leiden"), ("graph", "neighbour_communities")}  # an extra
OTHER_MEANINGS |= {("graph", "sweep")}  # resolutions are swept on graphs alone
OTHER_MEANINGS |= {("categorical", "mixed_table")}  # a type of column
every_kind = pytest.mark.parametrize("kind", NAMES)


def own(path: Path, kind: str) -> bool:
    """Return whether a file belongs to the kind: its module, its formulas, or the source that declares it."""
    module = inspect.getsourcefile(KINDS[kind].source)
    return kind in (path.stem, path.parent.name) or str(path) == module


def test_a_kind_is_named_in_its_own_files_only():
    naming: dict[str, set[Path]] = {kind: set() for kind in NAMES if kind not in QUESTIONS}
    for path in SOURCES.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for kind in [kind for kind in naming if kind in text]:  # most files need not be parsed
            if any(isinstance(node, ast.Constant) and node.value == kind for node in ast.walk(ast.parse(text))):
                naming[kind].add(path)
    for kind, paths in naming.items():
        assert paths, kind
        assert not [path for path in paths if not own(path, kind) and (kind, path.stem) not in OTHER_MEANINGS]


@every_kind
def test_the_module_of_a_kind_has_all_its_indices(kind):
    module = getattr(cv, kind)
    assert module is importlib.import_module(f"clustval.{kind}")
    assert {*KINDS[kind].functions, "evaluate"} <= set(dir(module))
    assert kind in dir(cv)
    for name, index in KINDS[kind].indices.items():
        function = getattr(module, name)
        assert function is getattr(module, name.upper()) is index.function
        assert list(inspect.signature(function).parameters) == [
            *(parameter.name for parameter in KINDS[kind].parameters), *index.options,
        ]  # fmt: skip


@every_kind
def test_the_suites_of_a_kind_are_its_indices(kind):
    table, good = KINDS[kind].indices, examples(kind).good
    evaluate = getattr(cv, kind).evaluate
    assert list(evaluate(*good)) == list(evaluate(*good, indices="all")) == list(table)
    assert list(evaluate(*good, indices="default")) == list(DEFAULT.get(kind, table))
    assert list(evaluate(*good, indices="fast")) == [name for name in table if table[name].cost == "linear"]


@every_kind
def test_the_catalogue_and_the_program_list_every_index(kind, capsys):
    names = list(KINDS[kind].records)
    assert [record["name"] for record in cv.indices() if record["kind"] == kind] == names
    assert [record["name"] for record in cv.indices(kind)] == names
    run(["indices", "--kind", kind, "--json"])
    assert [row["index"] for row in json.loads(capsys.readouterr().out)["indices"]] == names
    name = next(iter(KINDS[kind].indices))
    run(["indices", name, "--kind", kind])
    assert KINDS[kind].indices[name].summary in capsys.readouterr().out


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory):
    """Where the pages of all indices are."""
    folder = tmp_path_factory.mktemp("indices")
    runpy.run_path(str(ROOT / "docs" / "index_pages.py"))["write_pages"](folder)
    return folder


@every_kind
def test_every_index_has_a_page_that_the_reader_is_led_to(kind, folder):
    assert f"\n{kind}\n" in (folder / "index.md").read_text(encoding="utf-8")
    assert "\nindices/index\n" in (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = (folder / f"{kind}.md").read_text(encoding="utf-8")
    assert KINDS[kind].title in listed
    for name, index in KINDS[kind].indices.items():
        page = (folder / kind / f"{name}.md").read_text(encoding="utf-8")
        assert f"| kind | {kind}: {KINDS[kind].title.lower()} |" in page
        assert index.summary in page
        assert f"\n{kind}/{name}\n" in listed


@pytest.mark.parametrize("kind", [name for name in NAMES if name not in QUESTIONS])
def test_values_of_any_kind_have_a_report(kind):
    scores = getattr(cv, kind).evaluate(*examples(kind).good)
    page = scores.to_html()
    for name in scores:
        assert f">{name}<" in page
        assert KINDS[kind].indices[name].summary[:40] in page.replace("&#39;", "'")


@every_kind
def test_a_kind_has_laws(kind):
    assert examples(kind).degenerate
    assert {"the order of points", "the names of clusters"} <= set(examples(kind).alike)
