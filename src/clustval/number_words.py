"""Numbers in text: which words are numbers."""

from __future__ import annotations

import re

DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")


def number_of(text: str) -> float | None:
    """Return the number that a text is, or None: 2024_01 is text, though Python's own programs write numbers so.

    >>> number_of(" 1.5"), number_of("2024_01")
    (1.5, None)
    """
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def is_number(text: str) -> bool:
    """Return whether a text is a number."""
    return number_of(text) is not None
