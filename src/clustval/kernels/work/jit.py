"""How every kernel is compiled: serial, without the GIL, cached on disk where a disk can be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def kernel(
    function: Callable[..., Any] | None = None, *, fastmath: bool | set[str] = False, inline: bool = False
) -> Any:
    """Compile `function` on its first call, so that threads can run it side by side.

    Floating point is strict unless a kernel asks otherwise: ties and minima must not depend on the order
    in which a compiler adds. `inline` is for parts of other kernels, whose lanes must stay in registers.
    """
    if function is None:
        return lambda f: kernel(f, fastmath=fastmath, inline=inline)
    options: dict[str, Any] = {"nogil": True, "fastmath": fastmath, "error_model": "numpy", "forceinline": inline}
    try:
        return numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no cache directory is writable: compile in each process instead
        return numba.njit(**options)(function)
