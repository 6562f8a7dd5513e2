"""What the examples in docstrings may use."""

from __future__ import annotations

from typing import Any

import pytest

import clustval as cv
from clustval.formulas.internal import dunn


@pytest.fixture(autouse=True)
def names_of_examples(doctest_namespace: dict[str, Any]) -> None:
    """Let an example call an index that its module makes from a table."""
    doctest_namespace.update(dunn.__test__, cv=cv)
