"""Internal indices by name: ``clustval.internal.silhouette(X, labels)``."""

from __future__ import annotations

from collections.abc import Callable

import clustval.indices.internal  # noqa: F401 - enters the indices in the registry
from clustval.registry import FUNCTIONS


def __getattr__(name: str) -> Callable[..., float]:
    try:
        return FUNCTIONS["internal"][name]
    except KeyError:
        msg = f"No internal index is called {name!r}; dir(clustval.internal) lists them."
        raise AttributeError(msg) from None


def __dir__() -> list[str]:
    return sorted(FUNCTIONS["internal"])
