"""Eight numbers side by side, for kernels whose speed and order of summation must not hang on a vectoriser.

A kernel that says `add(load(x, i), y)` adds eight numbers lane by lane: two instructions of AVX2, one of AVX-512
or four of NEON. Sums then run in the order that is written down, so that two kernels agree to the last bit;
minima vectorise, which in plain loops they do not; and compilation takes a third of the time.

Positions are offsets into flat C-contiguous arrays of float64 and are not checked.
"""

# ruff: noqa: ARG001 - numba passes the types of all arguments

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

WIDTH = 8

_DOUBLE, _FLOAT = ir.DoubleType(), ir.FloatType()
_VECTOR, _SINGLES = ir.VectorType(_DOUBLE, WIDTH), ir.VectorType(_FLOAT, 2 * WIDTH)
_HALF = ir.VectorType(_DOUBLE, WIDTH // 2)
_STRIP = ir.VectorType(_FLOAT, WIDTH)
_WORDS = ir.VectorType(ir.IntType(64), WIDTH)
_INDEX = ir.IntType(32)


class LanesType(types.Type):
    """The numba type of eight numbers side by side."""

    def __init__(self):
        super().__init__(name="Lanes")


class SinglesType(types.Type):
    """The numba type of sixteen numbers of single precision, which take as much room as eight others."""

    def __init__(self):
        super().__init__(name="Singles")


class HalfType(types.Type):
    """The numba type of four numbers side by side, for rows of so few columns."""

    def __init__(self):
        super().__init__(name="Half")


Lanes, Singles, Half = LanesType(), SinglesType(), HalfType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, frontend_type):
        super().__init__(manager, frontend_type, _VECTOR)


@register_model(SinglesType)
class _SinglesModel(models.PrimitiveModel):
    def __init__(self, manager, frontend_type):
        super().__init__(manager, frontend_type, _SINGLES)


@register_model(HalfType)
class _HalfModel(models.PrimitiveModel):
    def __init__(self, manager, frontend_type):
        super().__init__(manager, frontend_type, _HALF)


def field(context, builder, kind, array, name):
    """Return a field of an array, such as `data`; numba takes all of it apart."""
    return builder.extract_value(array, context.data_model_manager[kind].get_field_position(name))


def _address(context, builder, signature, args, pointee):
    data = field(context, builder, signature.args[0], args[0], "data")
    return builder.bitcast(builder.gep(data, [args[1]], inbounds=True), pointee.as_pointer())


def _copies(builder, scalar, count=WIDTH):
    one = builder.insert_element(
        ir.Constant(ir.VectorType(scalar.type, count), ir.Undefined), scalar, ir.Constant(_INDEX, 0)
    )
    first = ir.Constant(ir.VectorType(_INDEX, count), [0] * count)
    return builder.shuffle_vector(one, ir.Constant(one.type, ir.Undefined), first)


def _neighbours(builder, a, b, first, count):
    """Return `count` neighbours among the lanes of a and, after them, of b."""
    places = ir.Constant(ir.VectorType(_INDEX, count), list(range(first, first + count)))
    return builder.shuffle_vector(a, b, places)


def _call(name, *, flags=()):
    """Return the lowering to the LLVM function `name` of one or more lanes."""

    def codegen(_context, builder, _signature, args):
        kind = args[0].type
        suffix = {_DOUBLE: "f64", _SINGLES: f"v{2 * WIDTH}f32"}.get(kind) or f"v{kind.count}f64"
        function_type = ir.FunctionType(kind, [kind] * len(args))
        function = cgutils.get_or_insert_function(builder.module, function_type, f"llvm.{name}.{suffix}")
        return builder.call(function, args, fastmath=flags)

    return codegen


def _across(fold):
    """Return the lowering that folds the upper half of the lanes onto the lower until one is left."""

    def codegen(context, builder, signature, args):
        lanes, count = args[0], WIDTH
        while count > 1:
            count //= 2
            lower, upper = (
                _neighbours(builder, lanes, ir.Constant(lanes.type, ir.Undefined), first, count) for first in (0, count)
            )
            lanes = fold(context, builder, signature, (lower, upper))
        return builder.extract_element(lanes, ir.Constant(_INDEX, 0))

    return codegen


def _sum(_context, builder, _signature, args):
    return builder.fadd(*args)


_SMALLER = _call("minnum", flags=("nnan", "nsz"))
_LARGER = _call("maxnum", flags=("nnan", "nsz"))


@intrinsic
def load(_typing, array, at):
    """Eight neighbours: array[at : at + 8]."""

    def codegen(context, builder, signature, args):
        return builder.load(_address(context, builder, signature, args, _VECTOR), align=8)

    return Lanes(array, types.intp), codegen


@intrinsic
def load_half(_typing, array, at):
    """Four neighbours: array[at : at + 4]."""

    def codegen(context, builder, signature, args):
        return builder.load(_address(context, builder, signature, args, _HALF), align=8)

    return Half(array, types.intp), codegen


@intrinsic
def store(_typing, array, at, value):
    """Put all lanes at array[at : at + 8], of a half at array[at : at + 4]."""

    def codegen(context, builder, signature, args):
        builder.store(args[2], _address(context, builder, signature, args, args[2].type), align=8)
        return context.get_dummy_value()

    return types.none(array, types.intp, value), codegen


@intrinsic
def spread(_typing, array, at):
    """Eight copies of array[at]."""

    def codegen(context, builder, signature, args):
        return _copies(builder, builder.load(_address(context, builder, signature, args, _DOUBLE), align=8))

    return Lanes(array, types.intp), codegen


@intrinsic
def load_widened(_typing, array, at):
    """Eight neighbours of an array of float32 in double precision."""

    def codegen(context, builder, signature, args):
        return builder.fpext(builder.load(_address(context, builder, signature, args, _STRIP), align=4), _VECTOR)

    return Lanes(array, types.intp), codegen


@intrinsic
def load_singles(_typing, array, left, right):
    """Eight neighbours of an array of float32 and eight others: array[left : left + 8], array[right : right + 8]."""

    def codegen(context, builder, signature, args):
        strips = [
            builder.load(_address(context, builder, signature, (args[0], at), _STRIP), align=4) for at in args[1:]
        ]
        return _neighbours(builder, *strips, 0, 2 * WIDTH)

    return Singles(array, types.intp, types.intp), codegen


@intrinsic
def load_both(_typing, array, at):
    """Sixteen neighbours of an array of float32: array[at : at + 16]."""

    def codegen(context, builder, signature, args):
        return builder.load(_address(context, builder, signature, args, _SINGLES), align=4)

    return Singles(array, types.intp), codegen


@intrinsic
def fetch(_typing, array, at):
    """Bring the cache line of array[at] near; nothing waits for it."""

    def codegen(context, builder, signature, args):
        byte = ir.IntType(8).as_pointer()
        address = _address(context, builder, signature, args, ir.IntType(8))
        kind = ir.FunctionType(ir.VoidType(), [byte, _INDEX, _INDEX, _INDEX])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, ir.Constant(_INDEX, 0), ir.Constant(_INDEX, 3), ir.Constant(_INDEX, 1)])
        return context.get_dummy_value()

    return types.none(array, types.intp), codegen


@intrinsic
def store_singles(_typing, array, at, value):
    """Put sixteen numbers of single precision at array[at : at + 16]."""

    def codegen(context, builder, signature, args):
        builder.store(args[2], _address(context, builder, signature, args, _SINGLES), align=4)
        return context.get_dummy_value()

    return types.none(array, types.intp, value), codegen


@intrinsic
def spread_single(_typing, array, at):
    """Sixteen copies of array[at], of float32."""

    def codegen(context, builder, signature, args):
        number = builder.load(_address(context, builder, signature, args, _FLOAT), align=4)
        return _copies(builder, number, 2 * WIDTH)

    return Singles(array, types.intp), codegen


@intrinsic
def no_singles(_typing):
    """Sixteen zeros of single precision."""
    return Singles(), lambda *_: ir.Constant(_SINGLES, [0.0] * (2 * WIDTH))


def _widened(first):
    """Return the lowering to eight lanes in double precision, from `first` on."""

    def codegen(_context, builder, _signature, args):
        half = _neighbours(builder, args[0], ir.Constant(_SINGLES, ir.Undefined), first, WIDTH)
        return builder.fpext(half, _VECTOR)

    return codegen


@intrinsic
def widened_left(_typing, singles):
    """The first eight numbers in double precision."""
    return Lanes(singles), _widened(0)


@intrinsic
def widened_right(_typing, singles):
    """The last eight numbers in double precision."""
    return Lanes(singles), _widened(WIDTH)


@intrinsic
def strided(_typing, array, at, stride):
    """Eight numbers `stride` apart: array[at], array[at + stride] ..."""

    def codegen(context, builder, signature, args):
        data = field(context, builder, signature.args[0], args[0], "data")
        position, lanes = args[1], ir.Constant(_VECTOR, ir.Undefined)
        for lane in range(WIDTH):
            number = builder.load(builder.gep(data, [position], inbounds=True), align=8)
            lanes = builder.insert_element(lanes, number, ir.Constant(_INDEX, lane))
            position = builder.add(position, args[2])
        return lanes

    return Lanes(array, types.intp, types.intp), codegen


@intrinsic
def splat(_typing, value):
    """Eight copies of a number."""

    def codegen(_context, builder, _signature, args):
        return _copies(builder, args[0])

    return Lanes(types.float64), codegen


@intrinsic
def step(_typing, first):
    """1 in the lanes from `first` on, 0 in those before."""

    def codegen(_context, builder, _signature, args):
        lane = ir.Constant(ir.VectorType(args[0].type, WIDTH), list(range(WIDTH)))
        return builder.uitofp(builder.icmp_signed(">=", lane, _copies(builder, args[0])), _VECTOR)

    return Lanes(types.intp), codegen


@intrinsic
def add(_typing, a, b):
    """Sum, lane by lane."""
    return a(a, b), _sum


@intrinsic
def sub(_typing, a, b):
    """Difference, lane by lane."""
    return a(a, b), lambda _context, builder, _signature, args: builder.fsub(*args)


@intrinsic
def mul(_typing, a, b):
    """Product, lane by lane."""
    return a(a, b), lambda _context, builder, _signature, args: builder.fmul(*args)


@intrinsic
def fma(_typing, a, b, c):
    """Return a * b + c, rounded once where the processor can do so at the speed of a product."""
    return a(a, b, c), _call("fmuladd")


@intrinsic
def root(_typing, a):
    """Square root, correctly rounded."""
    return Lanes(a), _call("sqrt")


@intrinsic
def quotient(_typing, a, b):
    """Quotient, lane by lane."""
    return Lanes(a, b), lambda _context, builder, _signature, args: builder.fdiv(*args)


@intrinsic
def absolute(_typing, a):
    """Value without its sign."""
    return Lanes(a), _call("fabs")


@intrinsic
def power(_typing, a, b):
    """Return a to the power of b, lane by lane."""
    return Lanes(a, b), _call("pow")


@intrinsic
def logarithm(_typing, a):
    """Natural logarithm, lane by lane."""
    return Lanes(a), _call("log")


@intrinsic
def unequal(_typing, a, b):
    """1 where two numbers differ, 0 where they are equal."""

    def codegen(_context, builder, _signature, args):
        return builder.uitofp(builder.fcmp_unordered("!=", *args), _VECTOR)

    return Lanes(a, b), codegen


@intrinsic
def where_equal(_typing, a, b, x, y):
    """The number of x where a and b are equal, that of y where they differ."""

    def codegen(_context, builder, _signature, args):
        return builder.select(builder.fcmp_ordered("==", *args[:2]), *args[2:])

    return Lanes(a, b, x, y), codegen


def _count(builder, words):
    """Return how many bits of each word are set."""
    name = f"llvm.ctpop.v{WIDTH}i64"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_WORDS, [_WORDS]), name)
    return builder.call(function, [words])


def _counted(met):
    """Return the lowering that adds to counts, whole numbers in lanes, the bits of what two words leave."""

    def codegen(_context, builder, _signature, args):
        counts, a, b = (builder.bitcast(arg, _WORDS) for arg in args)
        return builder.bitcast(builder.add(counts, _count(builder, met(builder, a, b))), _VECTOR)

    return codegen


@intrinsic
def count_both(_typing, counts, a, b):
    """Add the number of bits that are set in both words."""
    return Lanes(counts, a, b), _counted(lambda builder, a, b: builder.and_(a, b))


@intrinsic
def count_either(_typing, counts, a, b):
    """Add the number of bits that are set in one of the words or in both."""
    return Lanes(counts, a, b), _counted(lambda builder, a, b: builder.or_(a, b))


@intrinsic
def count_first(_typing, counts, a, b):
    """Add the number of bits that are set in the first word only."""
    return Lanes(counts, a, b), _counted(lambda builder, a, b: builder.and_(a, builder.not_(b)))


@intrinsic
def numbers(_typing, counts):
    """Counts as numbers."""

    def codegen(_context, builder, _signature, args):
        return builder.sitofp(builder.bitcast(args[0], _WORDS), _VECTOR)

    return Lanes(counts), codegen


@intrinsic
def least(_typing, a, b):
    """Smaller of two, lane by lane; neither may be NaN."""
    return a(a, b), _SMALLER


@intrinsic
def most(_typing, a, b):
    """Larger of two, lane by lane; neither may be NaN."""
    return a(a, b), _LARGER


@intrinsic
def farthest(_typing, a, b):
    """Larger of two that are not below 0, lane by lane: then their bits are whole numbers in the same order.

    A maximum of numbers takes a unit of the processor twice as long as one of whole numbers, where it has the latter.
    """

    def codegen(_context, builder, _signature, args):
        kind = ir.FunctionType(_WORDS, [_WORDS, _WORDS])
        function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.smax.v{WIDTH}i64")
        return builder.bitcast(builder.call(function, [builder.bitcast(arg, _WORDS) for arg in args]), _VECTOR)

    return Lanes(a, b), codegen


@intrinsic
def total(_typing, a):
    """Sum of all lanes."""
    return types.float64(a), _across(_sum)


@intrinsic
def totals(_typing, a, b, c, d, e, f, g, h):
    """Sums of all lanes of eight, or of eight halves, each rounded as `total` rounds it, side by side."""

    def codegen(_context, builder, _signature, args):
        count = args[0].type.count
        half = count // 2
        while half:  # of each two neighbours, the upper halves of the groups of lanes are folded onto the lower
            places = [lane for lane in range(2 * count) if lane // half % 2 == 0]
            folded = []
            for left, right in zip(args[::2], args[1::2], strict=True):
                lower, upper = (
                    builder.shuffle_vector(
                        left, right, ir.Constant(ir.VectorType(_INDEX, count), [lane + step for lane in places])
                    )
                    for step in (0, half)
                )
                folded.append(builder.fadd(lower, upper))
            args, half = folded, half // 2
        return args[0] if len(args) == 1 else _neighbours(builder, *args, 0, WIDTH)

    return Lanes(a, b, c, d, e, f, g, h), codegen


@intrinsic
def lowest(_typing, a):
    """Smallest of all lanes."""
    return types.float64(a), _across(_SMALLER)


@intrinsic
def highest(_typing, a):
    """Largest of all lanes."""
    return types.float64(a), _across(_LARGER)


@intrinsic
def rolled(_typing):
    """Keep the loop around this from being unrolled, which would spill a full set of registers to memory."""

    def codegen(context, builder, _signature, _args):
        builder.asm(ir.FunctionType(ir.VoidType(), []), "", "", [], side_effect=True)
        return context.get_dummy_value()

    return types.none(), codegen


@intrinsic
def fma_scalar(_typing, a, b, c):
    """Return a * b + c of single numbers, rounded as `fma` rounds its lanes."""
    return types.float64(types.float64, types.float64, types.float64), _call("fmuladd")
