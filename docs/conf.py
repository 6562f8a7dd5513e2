"""How the documentation is built; the pages of the indices are written from the registry, pictures are drawn."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from figures import draw
from index_pages import write_pages
from stories import write_notebooks

import clustval

project = "clustval"
author = "The clustval developers"
copyright = "2026, The clustval developers"  # noqa: A001 - Sphinx's name
release = version = clustval.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "mathml"]
html_math_renderer = "mathml"
myst_enable_extensions = ["dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 3
autodoc_typehints = "none"
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["code.css"]
html_title = f"clustval {release}"
exclude_patterns = ["_build"]

write_pages(Path(__file__).parent / "indices")
draw(Path(__file__).parent / "figures")
write_notebooks(Path(__file__).parent / "notebooks")


def set_examples_apart(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Give the example below the parameters a heading, or it would be read as one more parameter."""
    examples = [at for at, line in enumerate(lines) if line.startswith(">>>")]
    if examples and any(line.startswith("---") for line in lines):
        lines[examples[0] : examples[0]] = ["Examples", "--------"]


def setup(app: Any) -> None:
    """Register what prepares docstrings before napoleon reads them."""
    app.connect("autodoc-process-docstring", set_examples_apart, priority=100)
