"""The examples in the documents: what a reader pastes, works and gives what is printed."""

from __future__ import annotations

import doctest
import re
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
