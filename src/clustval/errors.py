"""What can go wrong, in the caller's words.

ClustvalError
├── InputError (ValueError)            X, labels, names or options that cannot be used
├── UndefinedIndexError (ValueError)   the index has no value for this clustering
└── MissingExtraError (ImportError)    an optional package is not installed
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any


class ClustvalError(Exception):
    """Root of every error that clustval raises on purpose."""


class InputError(ClustvalError, ValueError):
    """Input that cannot be used; the message says what was given and what is allowed."""


class UndefinedIndexError(ClustvalError, ValueError):
    """An index that has no value for this clustering; the message says why."""


class MissingExtraError(ClustvalError, ImportError):
    """An optional package that is not installed; the message names the command that installs it."""


def optional(module: str, extra: str) -> Any:
    """Return the optional `module`, or raise an error that names the `extra` which brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        msg = f"This needs {package}, which is not installed. Run: pip install 'clustval[{extra}]'"
        raise MissingExtraError(msg) from error


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return a question for the one of `names` that is nearest to a wrong one, in any case; nothing if none is near."""
    import difflib  # noqa: PLC0415 - needed only where something went wrong

    lower = {each.lower(): each for each in names}
    near = difflib.get_close_matches(name.lower(), lower, n=1)
    return f"Did you mean {lower[near[0]]!r}?" if near else ""
