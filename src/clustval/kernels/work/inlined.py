"""New arrays and the smaller or larger of two numbers, written into the kernels that ask for them.

numba compiles `np.empty`, `np.zeros` and `np.full` as functions of their own, each calling others, for each type of
shape and of number, and `min` and `max` for each line that names them: a tenth of the time that the first call of a
process takes. Here a pass of the compiler puts a few instructions in their place. What it does not know, such as
`np.arange` or the largest of three numbers, stays numba's.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import cgutils, ir, types
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard
from numba.cpython.builtins import do_minmax
from numba.extending import intrinsic
from numba.np.arrayobj import _empty_nd_impl, _parse_shape

NOT_GIVEN = types.Omitted(None)


def _array_of(shape: Any, number: Any) -> Any:
    """Return the numba type of a new array."""
    dimensions: Any = shape
    return types.Array(number, len(dimensions) if isinstance(shape, types.BaseTuple) else 1, "C")


def _new(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Write down how an array without numbers is made."""
    shape = _parse_shape(context, builder, signature.args[0], args[0])
    return _empty_nd_impl(context, builder, signature.return_type, shape)


@intrinsic
def _empty(_context: Any, shape: Any, dtype: Any = None) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _new(context, builder, signature, args)._getvalue()  # noqa: SLF001 - numba's name for the whole struct

    number = types.float64 if dtype is None else dtype.dtype
    return _array_of(shape, number)(shape, dtype or NOT_GIVEN), write


@intrinsic
def _zeros(_context: Any, shape: Any, dtype: Any = None) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = _new(context, builder, signature, args)
        cgutils.memset(builder, array.data, builder.mul(array.itemsize, array.nitems), 0)
        return array._getvalue()  # noqa: SLF001

    number = types.float64 if dtype is None else dtype.dtype
    return _array_of(shape, number)(shape, dtype or NOT_GIVEN), write


@intrinsic
def _full(_context: Any, shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = _new(context, builder, signature, args)
        number = signature.return_type.dtype
        value = context.cast(builder, args[1], signature.args[1], number)
        with cgutils.for_range(builder, array.nitems) as loop:
            place = cgutils.gep_inbounds(builder, array.data, loop.index)
            builder.store(context.get_value_as_data(builder, number, value), place)
        return array._getvalue()  # noqa: SLF001

    number = types.unliteral(fill_value) if dtype is None else dtype.dtype
    return _array_of(shape, number)(shape, fill_value, dtype or NOT_GIVEN), write


def _extreme(than: Callable[..., Any]) -> Any:
    """Return the instructions for the one of two numbers that is smaller or larger than the other."""

    @intrinsic
    def extreme(context: Any, one: Any, other: Any) -> Any:
        def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return do_minmax(context, builder, signature.args, args, than)

        return context.unify_types(one, other)(one, other), write

    return extreme


_NEW = {"empty": _empty, "zeros": _zeros, "full": _full}
_EXTREMES: dict[Any, Any] = {min: _extreme(operator.lt), max: _extreme(operator.gt)}


def _instructions_for(function: Any, values: int, code: Any) -> Any:
    """Return what stands for a function that is called with so many values, None where it stays numba's."""
    if isinstance(function, ir.Global):
        return _EXTREMES.get(function.value) if values == 2 and callable(function.value) else None
    if isinstance(function, ir.Expr) and function.op == "getattr":
        module = guard(get_definition, code, function.value)
        return _NEW.get(function.attr) if isinstance(module, ir.Global) and module.value is np else None
    return None


@register_pass(mutates_CFG=False, analysis_only=False)
class Inlining(FunctionPass):
    """Puts our instructions in the place of functions of NumPy and Python."""

    _name = "clustval_inlining"

    def __init__(self) -> None:
        """Keep nothing: there is one of it for all kernels."""

    def run_pass(self, state: Any) -> bool:
        """Change what is called; return whether anything changed."""
        code = state.func_ir
        lines = [line for block in code.blocks.values() for line in block.body if isinstance(line, ir.Assign)]
        functions = {}
        for line in lines:
            if isinstance(line.value, ir.Expr) and line.value.op == "call":
                function = guard(get_definition, code, line.value.func)
                functions[id(function)] = _instructions_for(function, len(line.value.args), code)
        changed = False
        for line in lines:
            instructions = functions.get(id(line.value))
            if instructions is not None:
                line.value = ir.Global(instructions.__name__, instructions, line.loc)
                code._definitions[line.target.name] = [line.value]  # noqa: SLF001
                changed = True
        return changed
