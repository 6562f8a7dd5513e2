"""How kernels become machine code in less time than numba takes by itself.

numba compiles a function that another one calls as if Python called it, too: with a wrapper that unpacks Python's
objects, optimised by itself, and as machine code of its own. The caller then takes its unwrapped form in and
optimises it again. For parts, which only kernels call, all of the former is thrown away; it was a third of the time
that the first call of a process takes. They are typed and lowered, but made into machine code inside their callers
alone. The wrappers of other kernels are not optimised: they run once in a call, and are half of the code of short ones.
numba optimises each function by itself, all of a kernel lightly, and all of it once more; here it is done once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba._dynfunc import make_function
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typed_passes import NativeLowering
from numba.core.untyped_passes import IRProcessing

from clustval.kernels.work.inlined import Inlining
from clustval.kernels.work.lowering import KernelLowering

LEVEL = 2  # of optimisation; level 3 takes longer, and no kernel became quicker by it
WRAPPER = "wrapper"  # numba's name for the module of what Python calls


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel, with that of its parts."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Take a module in; compile what unpacks Python's objects as it stands."""
        if ir_module.name == WRAPPER:
            for function in ir_module.functions:
                if not function.is_declaration:
                    function.attributes.add("noinline")
                    function.attributes.add("optnone")
        super().add_ir_module(ir_module)

    def _optimize_functions(self, ll_module: Any) -> None:
        """Leave functions to the optimisation of the whole kernel."""
        ll_module.data_layout = self._codegen._data_layout  # noqa: SLF001

    def _optimize_final_module(self) -> None:
        """Optimise the whole kernel."""
        passes, builder = self._codegen._module_pass_manager(opt=LEVEL)  # noqa: SLF001
        passes.run(self._final_module, builder)


class PartLibrary(KernelLibrary):
    """The code of a part, with that of its own parts: ready to be linked, not to be run."""

    def _optimize_final_module(self) -> None:
        """Leave it to the caller, which optimises what it has taken in."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True


class KernelCompiler(Compiler):
    """Compiles a kernel so that Python can call it."""

    library = KernelLibrary

    def define_pipelines(self) -> list[Any]:
        """Return the passes of numba, with ours among them."""
        (passes,) = super().define_pipelines()
        passes.add_pass_after(Inlining, IRProcessing)
        passes.passes = [(KernelLowering if kind is NativeLowering else kind, name) for kind, name in passes.passes]
        passes.finalize()
        return [passes]

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Return the result of compiling."""
        self.state.library = self.library(self.state.targetctx.codegen(), func.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(func)


class PartCompiler(KernelCompiler):
    """Compiles a kernel so that other kernels can call it, and Python cannot."""

    library = PartLibrary

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        """Return the result of compiling, whose entry point is a name for callers to look it up by."""
        context = self.state.targetctx
        self.state.flags.no_compile = True
        part = super().compile_extra(func)
        nowhere = 0
        entry = make_function(
            part.fndesc.lookup_module(), func.__name__, "a part of kernels", nowhere, part.environment, (part.library,)
        )
        context.insert_user_function(entry, part.fndesc, [part.library])
        return part._replace(entry_point=entry)
