"""The words that answers are made of, each explained once, in `terms.md`: pages, figures and the glossary read it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def terms() -> Mapping[str, str]:
    """Return the terms and what each means."""
    entries = files("clustval").joinpath("terms.md").read_text(encoding="utf-8").strip().split("\n\n")
    pairs = (entry.split("\n: ", 1) for entry in entries)
    return dict(pairs)
