"""Compiled loops: arrays in, arrays out, nothing of clustval known.

A kernel is one loop over one piece of work, written in Python and compiled by numba when it is first called. It knows
no index and no thread: ``passes/`` cuts the work, runs kernels on threads and chooses between a kernel and
its twin in NumPy. Modules are loaded when they are first named, as in ``kernels.points.sorted_rows.extent``: a program
whose inputs are small never loads the compiler.

The loop that matters most measures pairs of points (``pairs/half_square.py``). Points are packed into strips of eight,
so that one instruction reads the same coordinate of eight points::

    packed[strip, dimension, lane]                       a strip: 8 points x p dimensions, one after the other

                          lane 0  1  2  3  4  5  6  7
            dimension 0      | x  x  x  x  x  x  x  x |  <- load(packed, strip + 8 * 0)      one cache line
            dimension 1      | x  x  x  x  x  x  x  x |  <- load(packed, strip + 8 * 1)
                ...          |                        |
            dimension p-1    | x  x  x  x  x  x  x  x |     the last strip of a chunk repeats its last point

    four rows against the eight columns of a strip: 32 pairs at once, their sums in registers

            row i    ---->  d0 |  .  .  .  .  .  .  .  . |      d = start(form)
            row i+1  ---->  d1 |  .  .  .  .  .  .  .  . |      for each dimension:
            row i+2  ---->  d2 |  .  .  .  .  .  .  .  . |          d = added(form, d, column, row)
            row i+3  ---->  d3 |  .  .  .  .  .  .  .  . |      d = finished(form, d)          the distances
                                  |  |  |  |  |  |  |  |
                   row sums <---- added both ways: a pair of chunks is visited once
                                  v  v  v  v  v  v  v  v
                                     column sums

A ``Form`` (``metrics/form.py``) says what a dimension adds and how the sum becomes a distance. Its name is part of its
type for numba, so that each metric has a loop of its own, without a branch inside. In the same way an argument that is
None, such as ``lows`` where no minimum is asked for, removes its lines from the loop.

Rules that every kernel keeps:

- It is decorated with ``@kernel`` (``work/jit.py``): serial, without the GIL, cached on disk. Never in parallel:
  numba's threads would compete with those of ``passes/work/threads.py``, and wait for each other at every loop.
- **Floating point is strict**. Where eight lanes are added side by side, ``work/lanes.py`` writes the order down, so
  that neither a compiler nor a processor chooses it: two kernels that measure the same two points get the same bits.
- What only kernels call becomes machine code inside its callers alone (``work/parts.py``). Slices are copied in
  loops and extremes taken by comparing: numba compiles ``a[:] = b``, ``a.max()`` and ``a[rows]`` as functions of
  their own, ``a[:] = b`` with the text of an error of shapes, which takes a second.
- A place counts from the end only where it is written as a number, ``a[-1]``; a variable must not be below zero.
- It allocates little and returns arrays or writes into those that it is given, each piece into places of its own.
- It trusts its arguments: what callers can get wrong is checked in ``inputs.py`` before any pass begins.
- Numbers that kernels share with their callers stand in two files that load no compiler: sizes in ``work/sizes.py``,
  tolerances for rounding in ``work/rounding.py``.
- Its twin in plain NumPy lives in ``passes/``, under the same topic, and a test compares the two.

To add one: write the twin first, then the loop, name it from a pass as ``kernels.topic.file.function``, and let the
pass choose by a size in ``passes/work/thresholds.py``. A compiled kernel is kept on disk (``work/cache.py``) until
its file changes, or a file of kernels that it imports.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def loader(package: str) -> Callable[[str], Any]:
    """Return the function by which a package loads a module when it is first named; it is then an attribute."""

    def load(name: str) -> Any:
        try:
            return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            msg = f"There are no kernels called {name!r}."
            raise AttributeError(msg) from error

    return load


__getattr__ = loader(__name__)
