"""How kernels read and write one number of an array, and count who holds it, in a few instructions.

For each number that is read or written, and for each variable that names an array, numba writes down thirty
instructions: the array is copied to memory and taken apart again. All of them vanish when the code is optimised, but
they have to be made, written as text, read and optimised first: most of the time of the first call of a process.
Whether a place of flat numbers is below zero, and counts from the end, is not asked either: passes over points spent a
tenth to a third of their time on it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler_machinery import register_pass
from numba.core.lowering import Lower
from numba.core.typed_passes import BaseNativeLowering
from numba.np.arrayobj import load_item, store_item

from clustval.kernels.work.lanes import field

MEMORY = types.MemInfoPointer(types.voidptr)


class KernelLower(Lower):
    """Writes down what a kernel does, with short ways to and from arrays of numbers."""

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """Write down how a number is read."""
        if not self._is_plain(signature):
            return super().lower_getitem(resty, expr, value, index, signature)
        place = self._place(value, index, signature)
        number = load_item(self.context, self.builder, signature.args[0], place)
        return self.context.cast(self.builder, number, signature.return_type, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """Write down how a number is written."""
        array, _, number = signature.args
        if not (self._is_plain(signature) and isinstance(number, types.Number | types.Boolean)):
            return super().lower_setitem(target_var, index_var, value_var, signature)
        kind = self.typeof(value_var.name)
        number = self.context.cast(self.builder, self.loadvar(value_var.name), kind, array.dtype)
        place = self._place(target_var, index_var, signature)
        return store_item(self.context, self.builder, array, number, place)

    def incref(self, typ: Any, val: Any) -> None:
        """Write down that a variable holds this value, too."""
        super().incref(*self._holder(typ, val))

    def decref(self, typ: Any, val: Any) -> None:
        """Write down that a variable holds this value no longer."""
        super().decref(*self._holder(typ, val))

    def _holder(self, kind: Any, value: Any) -> tuple[Any, Any]:
        """Return what counts the holders of an array, with its type: the array itself would be taken apart."""
        if isinstance(kind, types.Array):
            return MEMORY, field(self.context, self.builder, kind, value, "meminfo")
        return kind, value

    def _is_plain(self, signature: Any) -> bool:
        """Return whether whole numbers lead to one number of a contiguous array."""
        array, index = signature.args[:2]
        return (
            isinstance(array, types.Array)
            and array.layout == "C"
            and isinstance(array.dtype, types.Number | types.Boolean)
            and not self.context.enable_boundscheck
            and array.ndim == (len(index) if isinstance(index, types.BaseTuple) else 1)
            and all(isinstance(kind, types.Integer) for kind in _each(index))
        )

    def _place(self, array: Any, index: Any, signature: Any) -> Any:
        """Write down where a number is; in flat arrays, only a place written as a number counts from the end."""
        builder, context = self.builder, self.context
        kind, kinds = signature.args[:2]
        base = self.loadvar(array.name)
        places = context.cast(builder, self.loadvar(index.name), self.typeof(index.name), kinds)
        places = cgutils.unpack_tuple(builder, places) if isinstance(kinds, types.BaseTuple) else [places]
        lengths = cgutils.unpack_tuple(builder, field(context, builder, kind, base, "shape"))
        offset = None
        for place, its_kind, length in zip(places, _each(kinds), lengths, strict=True):
            whole = context.cast(builder, place, its_kind, types.intp)
            if isinstance(whole, ir.Constant):
                whole = builder.add(whole, length) if whole.constant < 0 else whole
            elif its_kind.signed and len(lengths) > 1:  # a number that is written is no constant here
                below = builder.icmp_signed("<", whole, ir.Constant(whole.type, 0))
                whole = builder.select(below, builder.add(whole, length), whole)
            offset = whole if offset is None else builder.add(builder.mul(offset, length), whole)
        return builder.gep(field(context, builder, kind, base, "data"), [offset])


def _each(index: Any) -> list[Any]:
    """Return the types of the whole numbers of an index."""
    kinds: Any = index
    return list(kinds) if isinstance(index, types.BaseTuple) else [kinds]


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(BaseNativeLowering):
    """Writes kernels down in the language of LLVM."""

    _name: Any = "clustval_lowering"
    lowering_class = KernelLower
