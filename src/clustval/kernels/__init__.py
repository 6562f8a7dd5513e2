"""Compiled loops: arrays in, arrays out, nothing of clustval known.

Modules are loaded when they are first named, as in ``kernels.points.sorted_rows.extent``: the compiler comes with the
first.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def loader(package: str) -> Callable[[str], Any]:
    """Return the function by which a package loads a module when it is first named; it is then an attribute."""

    def load(name: str) -> Any:
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            msg = f"There are no kernels called {name!r}."
            raise AttributeError(msg) from error

    return load


__getattr__ = loader(__name__)
