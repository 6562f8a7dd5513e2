"""Metrics, eight pairs at a time: what a dimension adds, and what becomes of the sum.

A kernel that takes a `Form` calls `start`, `added` and `finished`; it is compiled for the form in use only, for the
name of a form is part of its type, and cached as others are. A metric is a line in `ADDED` and one in `FINISHED`; both
are symmetric to the last bit: |x - y| is |y - x|, and two terms are added whichever comes first.
"""

# ruff: noqa: ARG001, ARG005 - all metrics take the same arguments

from __future__ import annotations

from functools import cache
from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    make_attribute_wrapper,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from clustval.kernels.metrics.form import ABSENT, NEGLIGIBLE, PARTS, Form
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    absolute,
    add,
    count_both,
    count_either,
    count_first,
    farthest,
    fma,
    least,
    load,
    logarithm,
    most,
    mul,
    numbers,
    power,
    quotient,
    rolled,
    root,
    splat,
    spread,
    sub,
    unequal,
    where_equal,
)

TINY = 5e-324  # the smallest number above 0: what is divided by it instead of by 0 is 0


class FormType(types.Type):
    """The numba type of a form: one for each name."""

    def __init__(self, form):
        self.form = form
        super().__init__(name=f"Form({form})")


@typeof_impl.register(Form)
def _typeof(value, _context):
    return _type_of(value.name)


@cache
def _type_of(name):
    """Return the type of a form, made once: kernels are called often for one row."""
    return FormType(name)


@register_model(FormType)
class _FormModel(models.StructModel):
    def __init__(self, manager, frontend_type):
        super().__init__(manager, frontend_type, [("a", types.float64), ("b", types.float64)])


make_attribute_wrapper(FormType, "a", "a")
make_attribute_wrapper(FormType, "b", "b")


@unbox(FormType)
def _unboxed(frontend_type, value, context):
    form = cgutils.create_struct_proxy(frontend_type)(context.context, context.builder)
    for name in ("a", "b"):
        number = context.pyapi.object_getattr_string(value, name)
        setattr(form, name, context.pyapi.float_as_double(number))
        context.pyapi.decref(number)
    return NativeValue(form._getvalue())  # noqa: SLF001 - how numba reads a struct


# --- what a dimension adds to d: c are columns, x is a row ------------------------------------------------


def _square(form, d, c, x):
    e = sub(c, x)
    return fma(e, e, d)


def _difference(form, d, c, x):
    # Times 1, which no compiler can see: the units that multiply and add are idle, those that add take differences.
    return fma(absolute(sub(c, x)), splat(form.a), d)


def _largest(form, d, c, x):
    return farthest(d, absolute(sub(c, x)))


def _power(form, d, c, x):
    return add(d, power(absolute(sub(c, x)), splat(form.a)))


def _share(form, d, c, x):
    return add(d, quotient(absolute(sub(c, x)), most(add(absolute(c), absolute(x)), splat(TINY))))


def _difference_and_sum(form, d, c, x):
    return add(d[0], absolute(sub(c, x))), add(d[1], absolute(add(c, x)))


def _unequal(form, d, c, x):
    return add(d, unequal(c, x))


def _at_most_one(form, d, c, x):
    """Gower: numbers lie within 1 of each other; numbers of categories are 1 apart or more, which counts as 1."""
    return add(d, least(absolute(sub(c, x)), splat(1.0)))


def _weighed(form, d, c, x):
    """Gower with gaps: before each number stands its weight, below 0, nearly 0 where the number is missing.

    The sums are of weights times differences, of weights that count, and the weight that came last. Weights do not
    count where a column says no of both, if that means nothing.
    """
    larger = most(c, x)
    smaller_weight = sub(splat(0.0), larger)
    no_weight = most(larger, splat(0.0))  # equal to `larger` where there is a number, not a weight
    apart = least(absolute(sub(c, x)), splat(1.0))
    counts = unequal(least(c, x), splat(ABSENT))
    return (
        where_equal(no_weight, larger, fma(d[2], apart, d[0]), d[0]),
        where_equal(no_weight, larger, fma(d[2], counts, d[1]), d[1]),
        where_equal(no_weight, larger, d[2], smaller_weight),
    )


def _divergence(form, d, c, x):
    half = mul(add(c, x), splat(0.5))
    tiny = splat(TINY)
    middle = most(half, tiny)
    left = mul(c, logarithm(most(quotient(c, middle), tiny)))
    right = mul(x, logarithm(most(quotient(x, middle), tiny)))
    return add(d, add(left, right))


def _both(form, d, c, x):
    return count_both(d, c, x)


def _both_and_either(form, d, c, x):
    return count_both(d[0], c, x), count_either(d[1], c, x)


def _both_and_each(form, d, c, x):
    return count_both(d[0], c, x), count_first(d[1], c, x), count_first(d[2], x, c)


ADDED = {
    "euclidean": _square,
    "sqeuclidean": _square,
    "angle": _square,
    "tied": _square,
    "cityblock": _difference,
    "chebyshev": _largest,
    "minkowski": _power,
    "canberra": _share,
    "braycurtis": _difference_and_sum,
    "hamming": _unequal,
    "gower": _at_most_one,
    "gower_gaps": _weighed,
    "jensenshannon": _divergence,
    "russellrao": _both,
    "yule": _both_and_each,
} | dict.fromkeys(("jaccard", "dice", "rogerstanimoto", "sokalsneath"), _both_and_either)


# --- what the sum becomes ---------------------------------------------------------------------------------


def _as_it_is(form, d):
    return d


def _root(form, d):
    return root(d)


def _half(form, d):
    return mul(d, splat(0.5))


def _tied(form, d):
    """Round the root to so many digits that what differs by rounding alone is equal, as `passes.measure_images`."""
    shares = quotient(root(d), splat(form.a))
    coarse = mul(shares, splat(form.b))
    return mul(add(coarse, sub(shares, coarse)), splat(form.a))


def _inverse_power(form, d):
    return power(d, splat(form.b))


def _mean(form, d):
    return quotient(d, splat(form.a))


def _ratio(form, d):
    return quotient(d[0], d[1])


def _weighed_mean(form, d):
    sums = sub(add(d[0], splat(NEGLIGIBLE)), splat(NEGLIGIBLE))
    return quotient(sums, most(d[1], splat(TINY)))  # strips are filled up with points that have no columns


def _half_root(form, d):
    return root(most(mul(d, splat(0.5)), splat(0.0)))


def _outside(form, d):
    """Russell-Rao: the share of all elements, form.a of them, that are not in both sets."""
    return quotient(sub(splat(form.a), numbers(d)), splat(form.a))


def _jaccard(form, d):
    either = numbers(d[1])
    return quotient(sub(either, numbers(d[0])), most(either, splat(TINY)))  # two empty sets are equal


def _dice(form, d):
    both = numbers(d[0])
    either = numbers(d[1])
    return quotient(sub(either, both), most(add(either, both), splat(TINY)))


def _rogerstanimoto(form, d):
    apart = sub(numbers(d[1]), numbers(d[0]))
    return quotient(add(apart, apart), add(splat(form.a), apart))


def _sokalsneath(form, d):
    both = numbers(d[0])
    apart = sub(numbers(d[1]), both)
    return quotient(add(apart, apart), most(add(both, add(apart, apart)), splat(TINY)))


def _yule(form, d):
    both = numbers(d[0])
    crossed = mul(numbers(d[1]), numbers(d[2]))
    neither = sub(sub(sub(splat(form.a), both), numbers(d[1])), numbers(d[2]))
    return quotient(add(crossed, crossed), most(add(mul(both, neither), crossed), splat(TINY)))


FINISHED = {
    "euclidean": _root,
    "sqeuclidean": _as_it_is,
    "angle": _half,
    "tied": _tied,
    "cityblock": _as_it_is,
    "chebyshev": _as_it_is,
    "minkowski": _inverse_power,
    "canberra": _as_it_is,
    "braycurtis": _ratio,
    "hamming": _mean,
    "gower": _mean,
    "gower_gaps": _weighed_mean,
    "jensenshannon": _half_root,
    "russellrao": _outside,
    "jaccard": _jaccard,
    "dice": _dice,
    "rogerstanimoto": _rogerstanimoto,
    "sokalsneath": _sokalsneath,
    "yule": _yule,
}


# --- what kernels call ------------------------------------------------------------------------------------

_INLINE: Any = {"forceinline": True, "error_model": "numpy"}


def start(form):
    """Return the sum over no dimension."""


def added(form, d, c, x):
    """Return the sum d with one dimension more, columns c and a row x."""


def finished(form, d):
    """Return the distances that sums over all dimensions make."""


@overload(added, jit_options=_INLINE)
def _added(form, d, c, x):
    return ADDED[form.form]


@overload(finished, jit_options=_INLINE)
def _finished(form, d):
    return FINISHED[form.form]


@overload(start, jit_options=_INLINE)
def _start(form):
    return {
        1: lambda form: splat(0.0),
        2: lambda form: (splat(0.0), splat(0.0)),
        3: lambda form: (splat(0.0), splat(0.0), splat(0.0)),
    }[PARTS.get(form.form, 1)]


@kernel(inline=True)
def add_dimensions(form, rows, x, columns, strip, begin, end, d0, d1, d2, d3):
    """Add what dimensions begin..end-1 give to the sums of four rows and a strip."""
    for q in range(begin, end):
        rolled()
        c = load(columns, strip + WIDTH * q)
        d0 = added(form, d0, c, spread(rows, x + WIDTH * q))
        d1 = added(form, d1, c, spread(rows, x + WIDTH * q + 1))
        d2 = added(form, d2, c, spread(rows, x + WIDTH * q + 2))
        d3 = added(form, d3, c, spread(rows, x + WIDTH * q + 3))
    return d0, d1, d2, d3
