"""What the examples in docstrings may use, and what is tidied up after each test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

import clustval as cv
from clustval.formulas.internal import dunn


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close what a test or an example draws: pyplot keeps figures, and warns when they are many."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")


@pytest.fixture(autouse=True)
def names_of_examples(doctest_namespace: dict[str, Any]) -> None:
    """Let an example call an index that its module makes from a table."""
    doctest_namespace.update(dunn.__test__, cv=cv)
