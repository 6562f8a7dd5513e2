"""Compiled loops: arrays in, arrays out, nothing of clustval known.

Modules are loaded when they are first named, as in ``kernels.point_sums.extent``: the compiler comes with the first.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """Load a module, after which it is an attribute as any other."""
    try:
        return import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        msg = f"There are no kernels called {name!r}."
        raise AttributeError(msg) from error
