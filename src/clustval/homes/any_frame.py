"""Data frames and columns of whatever library, as those of narwhals."""

from __future__ import annotations

from typing import Any

from clustval.errors import InputError


def as_frame(X: Any, called: str = "X", *, series: bool = True) -> Any:
    """Return a data frame as one of narwhals, and a column, too, unless told otherwise; anything else as it is.

    >>> as_frame([1, 2])
    [1, 2]
    """
    import narwhals as nw  # noqa: PLC0415 - only data frames need it
    from narwhals.exceptions import DuplicateError  # noqa: PLC0415

    try:
        return nw.from_native(X, pass_through=True, allow_series=series or None)
    except DuplicateError:
        names = [str(name) for name in getattr(X, "column_names", X.columns)]  # columns of Arrow are data
        twice = next(name for name in names if names.count(name) > 1)
        msg = f"{called} has {names.count(twice)} columns called {twice!r}; name each column once."
        raise InputError(msg) from None
