"""Kernels that other kernels call: typed and lowered, but made into machine code inside their callers alone.

numba compiles a function that another one calls as if Python called it, too: with a wrapper that unpacks Python's
objects, optimised by itself, and as machine code of its own. The caller then takes its unwrapped form in and
optimises it again. For kernels that only kernels call, all of the former is thrown away; it was a third of the time
that the first call of a process takes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class PartLibrary(JITCodeLibrary):
    """The code of a part, with that of its own parts: ready to be linked, not to be run."""

    def _optimize_final_module(self) -> None:
        """Leave it to the caller, which optimises what it has taken in."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class PartCompiler(Compiler):
    """Compiles a kernel so that other kernels can call it, and Python cannot."""

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Return the result of compiling, whose entry point is a name for callers to look it up by."""
        context = self.state.targetctx
        self.state.flags.no_compile = True
        self.state.library = PartLibrary(context.codegen(), func.__qualname__)
        part = super().compile_extra(func)
        nowhere = 0
        entry = make_function(
            part.fndesc.lookup_module(), func.__name__, "a part of kernels", nowhere, part.environment, (part.library,)
        )
        context.insert_user_function(entry, part.fndesc, [part.library])
        return part._replace(entry_point=entry)
