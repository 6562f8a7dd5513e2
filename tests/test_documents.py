"""The examples in the documents: what a reader pastes, works and gives what is printed."""

from __future__ import annotations

import doctest
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import clustval as cv
from clustval.catalogue import find

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SESSIONS = [path for path in sorted((ROOT / "docs").glob("*.md")) if ">>>" in path.read_text(encoding="utf-8")]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(path: Path) -> list[str]:
    return BLOCK.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_sessions_in_the_guides_give_what_they_print(path, doctest_namespace, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(block for block in blocks(path) if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(text, dict(doctest_namespace), path.name, str(path), 0)
    assert test.examples
    told: list[str] = []
    failed = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=told.append).failed
    assert not failed, "".join(told)


def test_the_example_of_the_readme_works_when_pasted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    examples = blocks(ROOT / "README.md")
    assert "cv.diagnose" in examples[0]
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
    (page,) = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert capsys.readouterr().out == page
    assert (tmp_path / "iris.html").is_file()


def test_the_readme_is_one_page_that_begins_with_the_line_to_install():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 90
    first = re.search(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    commands = [line.partition("#")[0].strip() for line in first[1].splitlines()]
    assert commands == ["pip install 'clustval[cli,report]'", "make demo", "make test"]
    assert text.index("```sh") < text.index("```python")


def test_links_of_the_readme_lead_somewhere_on_a_package_index_too(monkeypatch):
    interface = ModuleType("interface")
    interface.MetadataHookInterface = object  # hatchling is there when the package is built, not now
    monkeypatch.setitem(sys.modules, "hatchling.metadata.plugin.interface", interface)
    rules = runpy.run_path(str(ROOT / "tools" / "package_metadata.py"))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    paths = [path for _, _, path in rules["LINK"].findall(text)]
    assert "docs/report.png" in paths
    assert all((ROOT / path).is_file() for path in paths)
    monkeypatch.setenv("REPOSITORY_URL", "https://host/us/clustval/")
    links = re.findall(r"\]\(([^)]*)\)", rules["readme"](text, rules["address"]()))
    assert len(links) == len(paths)
    assert "https://host/us/clustval/raw/HEAD/docs/report.png" in links
    assert all(link.startswith("https://host/us/clustval/") for link in links)
    assert "](" not in rules["readme"](text, "")
    assert ".png" not in rules["readme"](text, "")


@pytest.mark.large
@pytest.mark.skipif(shutil.which("git") is None, reason="no git to apply the diffs with")
def test_the_diffs_that_add_an_index_a_statistic_and_a_kind_pass_the_tests_that_they_add(tmp_path):
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    diffs = re.findall(r"^```diff\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(diffs) == 3
    for name in ("src", "tests", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "conftest.py"):
        shutil.copy(ROOT / name, tmp_path)
    for diff in diffs:
        subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff, encoding="utf-8", check=True)
    tests = ["laws", "house", "layers", "parts", "statistics_by_source", "trace_ratio"]
    formulas = ["internal/trace_ratio.py", "internal/box_diagonals.py", "portions"]
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-p", "no:xdist"),
        *("-k", "trace_ratio or bibliography or box_diagonals or Boxes or portions or evenness or layer or file"),
        *(f"tests/test_{name}.py" for name in tests),
        *(f"src/clustval/formulas/{name}" for name in formulas),
    ]
    paths = {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_DISABLE_JIT": "1"}  # compiling a copy takes half a minute
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | paths, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 40


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*.md")), ids=lambda path: path.name)
def test_what_the_guides_name_is_there(path):
    for home, name in re.findall(r"`cv\.(\w+)(?:\.(\w+))?", path.read_text(encoding="utf-8")):
        thing = getattr(cv, home)
        if name and not isinstance(thing, type):
            assert hasattr(thing, name), f"cv.{home}.{name}"


def test_indices_in_the_page_of_which_index_when_are_there():
    text = (ROOT / "docs" / "which_index.md").read_text(encoding="utf-8")
    names = [
        name for line in text.splitlines() if line.startswith("|") for name in re.findall(r"`([a-z][a-z0-9_]+)`", line)
    ]
    assert len(names) > 20
    for name in set(names) - {"density", "fast", "clustercrit"}:
        assert find(name), name


def test_the_recipe_of_conda_asks_for_what_the_package_needs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    recipe = (ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8")
    needs = [line.strip("- ").replace(" ", "") for line in recipe.partition("  run:")[2].splitlines()]
    assert set(project["dependencies"]) <= set(needs)
    assert f'version: "{project["version"]}"' in recipe
    assert f"version: {project['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_named_by_the_digest_of_their_code(path):
    names = re.findall(r"uses: (\S+)", path.read_text(encoding="utf-8"))
    assert names
    for name in names:
        assert re.fullmatch(r"\./\S+|[\w./-]+@[0-9a-f]{40}", name), name


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_checkout_leaves_a_password_behind(path):
    _, *steps = re.split(r"uses: actions/checkout@\S+", path.read_text(encoding="utf-8"))
    for step in steps:
        assert "persist-credentials: false" in step.partition("- ")[0]


def test_every_work_that_the_paper_cites_is_in_its_bibliography():
    text, entries = ((ROOT / "paper" / f"paper.{ending}").read_text(encoding="utf-8") for ending in ("md", "bib"))
    assert set(re.findall(r"@(\w+\d{4})", text)) == set(re.findall(r"^@\w+\{(\w+),", entries, re.MULTILINE))


PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "changes").glob("*.md")]


@pytest.mark.parametrize("path", sorted(PAGES), ids=lambda path: path.name)
def test_links_to_files_lead_to_files(path):
    made = ("indices/", "figures/", "notebooks/")  # which the documents write when they are built
    for link in re.findall(r"\]\(([^)#\s]+?)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "://" not in link and not link.startswith(made):
            assert (path.parent / link).exists(), link


def test_the_simulated_values_are_those_of_indices_that_exist():
    ranges = json.loads((ROOT / "docs" / "reference_ranges.json").read_text(encoding="utf-8"))
    for kind, cases in (("internal", ("none", "clear")), ("external", ("chance", "tenth"))):
        for row in ranges[kind]:
            for case in cases:
                for name, (low, middle, high) in row[case].items():
                    index = find(name, kind)
                    assert index.name == name
                    assert index.bounds[0] - 1e-3 <= low <= middle <= high <= index.bounds[1] + 1e-3
