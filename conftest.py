"""What the examples in docstrings may use: every index by its name."""

from __future__ import annotations

import pytest

import clustval as cv
from clustval import catalogue


@pytest.fixture(autouse=True)
def names_of_examples(doctest_namespace):
    """Let an example call an index that its module makes from a table."""
    doctest_namespace.update({index.name: index.function for index in catalogue.every_index("internal")}, cv=cv)
