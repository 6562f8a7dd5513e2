"""How every kernel is compiled: serial, without the GIL, kept on disk where a disk can be written."""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numba
from numba.core import config
from numba.core.registry import CPUDispatcher

from clustval.kernels.work import notice
from clustval.kernels.work.cache import KernelCache

TRIED = (0, 68)  # the newest numba whose inner names are known: with a newer one, parts are compiled as numba does
TAKES_PARTS = numba.version_info.short <= TRIED
NOTICE = notice.NOTICE  # loading it makes numba report to it


def _load_numba() -> None:
    """Load what numba knows of arrays without SciPy's linear algebra, which takes a tenth of a new process.

    numba loads that to see whether it is there, and again where something calls it, which no kernel does.
    """
    linalg: Any = import_module("numba.np.linalg")
    look = linalg.ensure_blas
    linalg.ensure_blas = getattr(linalg, "_check_lapack_int_width", bool)  # what newer ones do beside loading it
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = look


if TAKES_PARTS:
    _load_numba()


class Kernel(CPUDispatcher):
    """A function that Python calls as machine code of its own, and that other kernels take into theirs."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        if TAKES_PARTS:
            from clustval.kernels.work.parts import (  # noqa: PLC0415 - names that a newer numba may not have
                KernelCompiler,
                PartCompiler,
            )

            super().__init__(function, targetoptions=options, pipeline_class=KernelCompiler)
            inner = {**options, "no_cpython_wrapper": True}
            self._part: Any = CPUDispatcher(function, targetoptions=inner, pipeline_class=PartCompiler)
        else:
            super().__init__(function, targetoptions=options)
            self._part = super()
        self._cache = KernelCache(function)  # what `cache=True` does, with a cache of our own

    def compile(self, sig: Any) -> Any:
        """Compile for some types, without looking for garbage meanwhile: a compiler makes much that lives on."""
        collecting = gc.isenabled()
        gc.disable()
        try:
            return super().compile(sig)
        finally:
            if collecting:
                gc.enable()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return what the types of a call inside a kernel are."""
        return self._part.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        """Return what a call inside a kernel calls."""
        return self._part.get_overload(sig)


def kernel(
    function: Callable[..., Any] | None = None, *, fastmath: bool | set[str] = False, inline: bool = False
) -> Any:
    """Compile `function` on its first call, so that threads can run it side by side.

    Floating point is strict unless a kernel asks otherwise: ties and minima must not depend on the order
    in which a compiler adds. `inline` is for parts of other kernels, whose lanes must stay in registers.
    """
    if function is None:
        return lambda f: kernel(f, fastmath=fastmath, inline=inline)
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    options: dict[str, Any] = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy"}
    return Kernel(function, options | {"fastmath": fastmath, "forceinline": inline, "no_cfunc_wrapper": True})
