"""Series that dynamic time warping compares: of one length or of many, of one dimension or of several."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.errors import InputError
from clustval.homes.any_frame import as_frame
from clustval.homes.embeddings import is_embedding, only_lists
from clustval.homes.tensors import host_array
from clustval.kernels.work.rounding import LARGEST, SMALLEST

WARPING = re.compile(r"dtw(\((window=)?\d+\))?")


def is_warping(metric: Any) -> bool:
    """Return whether a metric is "dtw", or "dtw(10)" with a window."""
    return isinstance(metric, str) and WARPING.fullmatch(metric.lower().replace(" ", "")) is not None


def window_of(metric: str) -> int | None:
    """Return the window of a metric "dtw(10)": how many steps apart two steps may be that are matched; None for all.

    >>> window_of("dtw(10)"), window_of("dtw")
    (10, None)
    """
    digits = re.search(r"\d+", metric)
    return int(digits[0]) if digits else None


def has_instances(X: Any) -> bool:
    """Return whether X is data of pandas with an index of series and time."""
    return getattr(getattr(X, "index", None), "nlevels", 1) == 2


def instances_of(X: Any) -> list[Any]:
    """Return the rows of each series of data of pandas with an index of series and time.

    >>> import pandas as pd
    >>> instances_of(pd.Series([1, 2, 3], index=[["a", "b", "b"], [0, 0, 1]]))
    [array([1]), array([2, 3])]
    """
    return [rows.to_numpy() for _, rows in X.groupby(level=0, sort=False)]


def series_of(X: Any) -> list[Floats]:
    """Return series as arrays of steps and dimensions, checked.

    X is an array of one row per series, an array of series, steps and dimensions, or a list of series of any lengths;
    or a column of such, or data of pandas with an index of series and time.
    NaN at the end of a series in an array means that it is shorter.
    """
    import narwhals as nw  # noqa: PLC0415

    if hasattr(X, "tocsr"):
        msg = "metric='dtw' takes series in an array or a list; X is a sparse matrix, which X.toarray() writes out."
        raise InputError(msg)
    frame = as_frame(X)
    column = only_lists(frame) if isinstance(frame, nw.DataFrame) else frame
    if isinstance(column, nw.Series) and (is_embedding(column) or not has_instances(X)):
        X = column.to_list()
    elif isinstance(frame, (nw.Series, nw.DataFrame)):
        X = instances_of(X) if has_instances(X) else frame.to_numpy()
    rows: Sequence[Any] = host_array(X)
    if isinstance(rows, np.ndarray) and rows.ndim not in (1, 2, 3):
        msg = f"metric='dtw' takes series in two or three dimensions, or a list of them; X has {rows.ndim} dimensions."
        raise InputError(msg)
    if not len(rows):
        msg = "X is empty: it has no series."
        raise InputError(msg)
    padded = isinstance(rows, np.ndarray) and rows.ndim > 1
    series = [_one(row, at, padded=padded) for at, row in enumerate(rows)]
    for at, each in enumerate(series):
        if each.shape[1] != series[0].shape[1]:
            widths = series[0].shape[1], each.shape[1]
            msg = f"Series must have the same dimensions; series 0 has {widths[0]} and series {at} has {widths[1]}."
            raise InputError(msg)
    spread = max(float(each.max()) for each in series) - min(float(each.min()) for each in series)
    if 0 < spread < SMALLEST:
        msg = f"X spreads over {spread:.3g}, whose square vanishes; rescale it to above {SMALLEST:g}."
        raise InputError(msg)
    return series


def _one(row: Any, at: int, *, padded: bool) -> Floats:
    """Return a series as an array of steps and dimensions, or raise an error that names it."""
    try:
        values = np.array(row, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"Series {at} of X must hold numbers, the same number of them in each step."
        raise InputError(msg) from None
    if values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2 or values.shape[1] == 0:
        msg = f"Series {at} of X must have steps and dimensions; it has {values.ndim} axes, of {values.shape}."
        raise InputError(msg)
    if padded:
        there = np.flatnonzero(~np.isnan(values).all(axis=1))
        values = values[: there[-1] + 1 if len(there) else 0]
    if not len(values):
        msg = f"Series {at} of X has length 0; leave it out."
        raise InputError(msg)
    bad = ~(np.abs(values) <= LARGEST).all(axis=1)
    if bad.any():
        step = int(bad.argmax())
        msg = f"X must be finite, and below {LARGEST:g}; step {step} of series {at} is not. Fill gaps first."
        raise InputError(msg)
    return np.ascontiguousarray(values)
