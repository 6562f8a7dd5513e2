"""The stories of the guides as notebooks: the code of the page, without output, and they run."""

from __future__ import annotations

import pytest
from nbclient import NotebookClient
from stories import IMAGE, STORIES, code, notebook, page


@pytest.mark.parametrize("name", STORIES)
def test_a_notebook_has_the_code_of_its_page_and_no_output(name):
    story = notebook(name)
    cells = [cell for cell in story.cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    prompts = [line[4:] for line in page(name).splitlines() if line.startswith((">>> ", "... "))]
    assert [line for cell in cells for line in cell.source.splitlines()] == prompts


def test_a_cell_ends_where_something_is_shown_and_says_where_an_error_is_expected():
    block = ">>> a = 1\n>>> a\n1\n>>> a / 0\nTraceback (most recent call last):\nError: x\n>>> b = 2\n"
    first, second, third = code(block)
    assert first.source == "a = 1\na"
    assert second.metadata == {"tags": ["raises-exception"]}
    assert third.source == "b = 2"


@pytest.mark.large
@pytest.mark.parametrize("name", STORIES)
def test_notebooks_run_and_draw_their_pictures(name, tmp_path):
    story = notebook(name)
    NotebookClient(story, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in story.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == len(IMAGE.findall(page(name)))
