"""How a comparison was made, in sentences that go with its numbers."""

from __future__ import annotations

from collections.abc import Sequence

from clustval.declare import Request

EQUATIONS = {"knee": 37, "step": 35, "change": 36}  # of the 2010 study


def peaks(criteria: Sequence[Request], transform: str) -> list[str]:
    """Say how difference-like criteria were prepared, if there are any."""
    names = [choice.name for choice in criteria if choice.best.compares > 1]
    if not names:
        return []
    work = "Vendramin, Campello and Hruschka (2010)"
    return [f"Difference-like criteria ({', '.join(names)}) became peaks by eq. {EQUATIONS[transform]} of {work}."]


def clusters(numbers: Sequence[int]) -> str:
    """Return ascending numbers of clusters in words.

    >>> clusters([2, 3, 4]), clusters([2, 4, 9]), clusters([3])
    ('2 to 4 clusters', '2, 4, 9 clusters', '3 clusters')
    """
    if len(numbers) > 1 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]} clusters"
    return f"{', '.join(map(str, numbers))} clusters"


def joined(names: Sequence[str]) -> str:
    """Return names in a row, the last after "and".

    >>> joined(["single", "average", "ward"])
    'single, average and ward'
    """
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
