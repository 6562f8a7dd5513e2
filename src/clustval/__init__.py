"""Every question about the quality of a clustering, answered with numbers that are right.

>>> import clustval as cv
>>> cv.internal.dunn([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
1.5
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from clustval.errors import ClustvalError, InputError, MissingExtraError, UndefinedIndexError

if TYPE_CHECKING:
    from clustval import internal
    from clustval.catalogue import indices
    from clustval.evaluation import evaluate
    from clustval.results import Scores

__version__ = "0.1.0"

_HOMES = {
    "Scores": "clustval.results",
    "evaluate": "clustval.evaluation",
    "indices": "clustval.catalogue",
}
_MODULES = ("internal",)

__all__ = [
    "ClustvalError",
    "InputError",
    "MissingExtraError",
    "Scores",
    "UndefinedIndexError",
    "evaluate",
    "indices",
    "internal",
]


def __getattr__(name: str) -> Any:
    """Load what is asked for, when it is asked for: importing clustval stays quick."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"clustval.{name}")
    msg = f"module 'clustval' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return __all__
