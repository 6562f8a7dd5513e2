"""Tables before the names of their columns, as in ``agreement(adata, "cell_type", "leiden")``."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from clustval.errors import InputError
from clustval.homes.rows_at_home import home_of

F = TypeVar("F", bound=Callable[..., Any])


def with_table_first(function: F) -> F:
    """Let a function of labellings take the table of which they are columns before them, as well as by data=."""

    @functools.wraps(function)
    def taking(*positional: Any, **named: Any) -> Any:
        if len(positional) > 2 and _is_table(*positional[:3]):
            if named.get("data") is not None:
                msg = "The table comes first, or by data=; give it once."
                raise InputError(msg)
            positional, named = positional[1:], {**named, "data": positional[0]}
        return function(*positional, **named)

    return cast("F", taking)


def _is_table(first: Any, second: Any, third: Any) -> bool:
    """Return whether the first of several labellings is a table instead, in memory or in a file, of columns by name."""
    if isinstance(first, (str, os.PathLike)):
        named = isinstance(second, str) and not Path(second.rpartition(":")[0] or second).exists()
        return named and Path(first).exists()
    home = home_of(first)
    return home is not None and (isinstance(second, str) or (isinstance(third, str) and home.has(third)))
