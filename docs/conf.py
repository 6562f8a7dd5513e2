"""How the documentation is built; the pages of the indices are written from the registry."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from index_pages import write_pages

import clustval

project = "clustval"
author = "The clustval developers"
copyright = "2026, The clustval developers"  # noqa: A001 - Sphinx's name
release = version = clustval.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.napoleon"]
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
autodoc_typehints = "none"
html_theme = "furo"
html_title = "clustval"
exclude_patterns = ["_build"]

write_pages(Path(__file__).parent / "indices")
