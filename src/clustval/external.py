"""External indices by name: ``clustval.external.adjusted_rand(truth, labels)``."""

from __future__ import annotations

from collections.abc import Callable

import clustval.indices.external  # noqa: F401 - enters the indices in the registry
from clustval.registry import FUNCTIONS


def __getattr__(name: str) -> Callable[..., float]:
    try:
        return FUNCTIONS["external"][name.lower()]
    except KeyError:
        msg = f"No external index is called {name!r}; dir(clustval.external) lists them."
        raise AttributeError(msg) from None


def __dir__() -> list[str]:
    return sorted(FUNCTIONS["external"])
