"""What kernels do with arrays and numbers by short ways of our own: the same as Python, and in one compilation."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import numpy as np
import pytest
from numba.core import event

from clustval.kernels.work.jit import kernel


def compiled(function):
    """Return a kernel that is not kept on disk."""
    result = kernel(function)
    result._cache.disable()
    return result


class Compilations(event.Listener):
    """Counts what numba compiles."""

    def __init__(self):
        self.names = []

    def on_start(self, event):
        self.names.append(event.data["dispatcher"].py_func.__name__)

    def on_end(self, event):
        pass


@contextmanager
def compilations():
    listener = Compilations()
    event.register("numba:compile", listener)
    yield listener.names
    event.unregister("numba:compile", listener)


def new_arrays(n, X):
    empty = np.empty((n, 3), np.int32)
    for i in range(n):
        for j in range(3):
            empty[i, j] = 10 * i + j
    return (
        (empty, np.empty(n).shape, np.empty(X.shape, dtype=np.bool_).shape),
        (np.zeros(n), np.zeros((2, n), np.bool_), np.zeros(X.shape, dtype=np.uint8)),
        (
            np.full(n, -1),
            np.full((2, n), np.inf),
            np.full(n, 7, np.int32),
            np.full(n, n > 2),
            np.full(n, n, np.float64),
        ),
    )


def extremes(i, x, y):
    return min(i, 2), max(i, 2), min(i, x), max(x, i), min(x, y), max(x, y), min(y, x), max(y, x), max(i, 4, x)


def last_and_first(a, B, flags, n):
    total = 0.0
    for i in range(n):
        total += a[i] + a[-2] + a[np.uint8(i)] + B[i, -1] + B[np.int32(0), i]
        flags[i] = B[i % 2, 1] > 1
        B[-1, i % 2] = i
        a[-1] = 3
    return total, a[0], B[1][0], flags[-1], flags[0], a[::2][1], B[:, 1][2]


def swapped(a, b):
    for _ in range(3):
        c = a
        a = b
        b = c
    return (a, b)[0][0] - b[0]


def at(a, i):
    return a[i]


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (new_arrays, (4, np.ones((2, 3)))),
        (new_arrays, (0, np.ones((0, 1)))),
        (extremes, (3, 2.5, np.nan)),
        (extremes, (-1, np.nan, 0.0)),
        (extremes, (2, -0.0, 0.0)),
        (last_and_first, (np.arange(9.0), np.arange(6, dtype=np.float32).reshape(3, 2), np.zeros(3, bool), 2)),
        (swapped, (np.arange(3.0), np.arange(4.0, 6.0))),
    ],
)
def test_a_kernel_gives_what_python_gives(function, arguments):
    def copies():
        return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]

    found, expected = compiled(function)(*copies()), function(*copies())
    np.testing.assert_equal(found, expected)
    if function is new_arrays:
        for some, others in zip(found, expected, strict=True):
            assert [getattr(a, "dtype", None) for a in some] == [getattr(b, "dtype", None) for b in others]


def test_new_arrays_and_extremes_are_not_compiled_by_themselves():
    with compilations() as names:
        compiled(new_arrays)(4, np.ones((2, 3)))
        compiled(extremes)(3, 2.5, 0.0)
    assert {*names} <= {"new_arrays", "extremes", "impl"}
    assert names.count("impl") <= 2  # the call for memory, once in a process, and the largest of three


def test_arrays_without_a_shape_are_refused_as_by_numpy():
    with pytest.raises(ValueError, match="negative dimensions"):
        compiled(new_arrays)(-1, np.ones((2, 2)))


def test_kernels_hold_no_array_that_they_were_given_and_lose_none_that_they_return():
    kernels = [compiled(swapped), compiled(at)]
    array, other = np.arange(5.0), np.arange(5.0)
    before = sys.getrefcount(array)
    for _ in range(20):
        kernels[0](array, other)
        kernels[1](array, 1)
    assert sys.getrefcount(array) == before
    fresh = compiled(new_arrays)
    results = [fresh(50, np.ones((9, 9)))[2][4] for _ in range(20)]
    assert all((result == 50).all() for result in results)
