"""Distances by a user's own compiled function of two points."""

from __future__ import annotations

import numba


@numba.njit(nogil=True)  # not cached: the function is the user's, and no other process has it
def function_rows(metric, A, B, out):
    """Fill in the distances of rows of A to rows of B."""
    for i in range(len(A)):
        for j in range(len(B)):
            out[i, j] = metric(A[i], B[j])


@numba.njit(nogil=True)
def function_pairs(metric, A, B, out):
    """Fill in the distances of rows of A to the same rows of B."""
    for i in range(len(A)):
        out[i] = metric(A[i], B[i])
