"""Distances by a form of metric, of points that were prepared for it: plain for few, compiled for more."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats
from clustval.kernels.metrics.form import Form
from clustval.passes.metrics.measure_images import form_distances_numpy, form_pairs_numpy
from clustval.passes.metrics.strips import WIDTH, Panel, aligned, strips_of
from clustval.passes.work import thresholds


class FormRows:
    """Distances of points lo ... hi-1 to all points, as `passes.measure_rows.Rows`."""

    def __init__(self, form: Form, X: Floats) -> None:
        self.form, self.X = form, X
        self.n, self.p = X.shape
        self.plain = self.n <= thresholds.PAIRS
        self.columns = None if self.plain else strips_of(X, np.array([0, self.n]))[0]

    def __call__(self, lo: int, hi: int) -> Floats:
        return self.of(self.X[lo:hi])

    def later(self, lo: int, hi: int) -> Floats:
        """Return the same, with columns before `lo` left as they happen to be: those pairs were met in earlier rows."""
        return self.of(self.X[lo:hi], lo // WIDTH * WIDTH)

    def of(self, points: Floats, first: int = 0) -> Floats:
        """Return the distances of some points to all, from column `first` on."""
        if self.columns is None:
            return form_distances_numpy(self.form, points, self.X)
        if len(points) <= WIDTH:  # trees ask for one row after the other
            strip = np.zeros((self.p, WIDTH))
            strip[:, : len(points)] = points.T
            rows: Floats = strip.ravel()
        else:
            rows, _ = strips_of(np.ascontiguousarray(points), np.array([0, len(points)]))
        out = np.empty((len(points), self.n))
        panel = Panel.of(self.p, self.X.dtype).rows
        kernels.metrics.form_rows.form_rows(
            self.form, rows, len(points), self.columns, first, self.n, self.p, panel, out.ravel()
        )
        return out


def form_distances(form: Form, A: Floats, B: Floats) -> Floats:
    """Return the distances of rows of A to rows of B, both prepared for the form."""
    if max(len(A), len(B)) <= thresholds.PAIRS or min(len(A), len(B)) == 0:
        return form_distances_numpy(form, A, B)
    return FormRows(form, B).of(A) if len(B) > thresholds.PAIRS else FormRows(form, A).of(B).T


def form_pairs(form: Form, A: Floats, B: Floats) -> Floats:
    """Return the distances of rows of A to the same rows of B, both prepared for the form."""
    if len(A) <= thresholds.PAIRS:
        return form_pairs_numpy(form, A, B)
    edges = np.array([0, len(A)])
    first, second = (strips_of(np.ascontiguousarray(points), edges)[0] for points in (A, B))
    out = aligned(-(-len(A) // WIDTH) * WIDTH)
    kernels.metrics.form_rows.form_pairs(form, first, second, A.shape[1], out)
    return out[: len(A)]


def function_distances(metric: Any, A: Floats, B: Floats) -> Floats:
    """Return the distances of rows of A to rows of B by a compiled function of two points."""
    out = np.empty((len(A), len(B)))
    kernels.metrics.function_rows.function_rows(metric, np.ascontiguousarray(A), np.ascontiguousarray(B), out)
    return out


def function_pairs(metric: Any, A: Floats, B: Floats) -> Floats:
    """Return the distances of rows of A to the same rows of B by a compiled function of two points."""
    out = np.empty(len(A))
    kernels.metrics.function_rows.function_pairs(metric, np.ascontiguousarray(A), np.ascontiguousarray(B), out)
    return out
