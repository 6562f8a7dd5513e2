"""The guides that tell a story from a file to a decision: their pictures, and the same story as a notebook."""

from __future__ import annotations

import contextlib
import doctest
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

STORIES = ("tutorial", "customers", "embeddings", "series", "single_cells")
IMAGE = re.compile(r"^!\[.*\]\(figures/(\w+)\.svg\)\n", re.MULTILINE)
BLOCK = re.compile(r"^```python\n(>>> .*?)^```\n", re.MULTILINE | re.DOTALL)
HERE = re.compile(r"^\[.*\]\(notebooks/.*\)\.\n", re.MULTILINE)
GUIDE = re.compile(r"\[([^]]*)\]\(\w+\.md[^)]*\)")


def page(name: str) -> str:
    """Return the text of a story."""
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8")


def pictures(name: str) -> dict[str, Any]:
    """Run the code of a story and return its pictures: before each image stands the line that draws it."""
    text, names, drawings = page(name), {}, []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for example in doctest.DocTestParser().get_examples(text):
            with contextlib.suppress(Exception) if example.exc_msg else contextlib.nullcontext():
                exec(compile(example.source, f"{name}.md", "exec"), names)  # noqa: S102 - our own page
            if example.source.startswith("figure = "):
                drawings.append(names["figure"])
    return dict(zip(IMAGE.findall(text), drawings, strict=True))


def write_notebooks(folder: Path) -> None:
    """Write every story as a notebook without output."""
    folder.mkdir(exist_ok=True)
    for name in STORIES:
        nbformat.write(notebook(name), folder / f"{name}.ipynb")


def notebook(name: str) -> nbformat.NotebookNode:
    """Return a story as a notebook: text, and a cell of code up to each output. Cells draw the pictures."""
    text = HERE.sub("", IMAGE.sub("", page(name)))
    cells = []
    for position, part in enumerate(BLOCK.split(text)):
        if position % 2:
            cells += code(part)
        elif part.strip():
            cells.append(new_markdown_cell(GUIDE.sub(r"\1", part.strip())))
    for number, cell in enumerate(cells):
        cell.id = f"{name}-{number}"  # chosen at random otherwise
    return new_notebook(cells=cells, metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}})


def code(block: str) -> Iterator[nbformat.NotebookNode]:
    """Return the cells of a block: one ends wherever something is shown."""
    lines: list[str] = []
    examples = doctest.DocTestParser().get_examples(block)
    for example in examples:
        lines.append(example.source)
        if example.want or example is examples[-1]:
            tags = {"tags": ["raises-exception"]} if example.exc_msg else {}
            yield new_code_cell("".join(lines).rstrip(), metadata=tags)
            lines = []
