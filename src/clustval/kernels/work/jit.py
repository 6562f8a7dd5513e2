"""How every kernel is compiled: serial, without the GIL, kept on disk where a disk can be written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from clustval.kernels.work import notice
from clustval.kernels.work.cache import KernelCache

NOTICE = notice.NOTICE  # loading it makes numba report to it


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
    compiled = numba.njit(**options)(function)
    if compiled is not function:  # with NUMBA_DISABLE_JIT=1 it is
        compiled._cache = KernelCache(function)  # noqa: SLF001 - what `cache=True` does, with a cache of our own
    return compiled
