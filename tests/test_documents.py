"""The examples in the documents: what a reader pastes, works and gives what is printed."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SESSIONS = [path for path in sorted((ROOT / "docs").glob("*.md")) if ">>>" in path.read_text(encoding="utf-8")]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def blocks(path: Path) -> list[str]:
    return BLOCK.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_sessions_in_the_guides_give_what_they_print(path, doctest_namespace):
    text = "\n".join(block for block in blocks(path) if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(text, dict(doctest_namespace), path.name, str(path), 0)
    assert test.examples
    told: list[str] = []
    failed = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False).run(test, out=told.append).failed
    assert not failed, "".join(told)


def test_the_example_of_the_readme_works_when_pasted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    examples = blocks(ROOT / "README.md")
    assert examples
    for example in examples:
        exec(compile(example, "README.md", "exec"), {})
    assert capsys.readouterr().out


@pytest.mark.large
@pytest.mark.skipif(shutil.which("git") is None, reason="no git to apply the diff with")
def test_the_diff_that_adds_an_index_passes_the_tests_that_it_adds(tmp_path):
    (diff,) = re.findall(
        r"^```diff\n(.*?)^```$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    subprocess.run(["git", "apply", "-"], cwd=tmp_path, input=diff, encoding="utf-8", check=True)
    tests = [
        "tests/test_laws.py",
        "tests/test_house.py",
        "tests/test_internal_naive.py::test_the_engine_agrees_with_the_definition[all]",
        "src/clustval/formulas/internal/sums_of_squares.py",
    ]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:xdist",
        "-k",
        "wb_index or zhao2014 or definition",
        *tests,
    ]
    paths = {"PYTHONPATH": str(tmp_path / "src"), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | paths, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 10
