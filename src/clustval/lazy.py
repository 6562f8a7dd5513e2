"""Values that are computed when they are first asked for, and kept."""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801 - it stands for the one of newer versions
        """The property of Python 3.12 and later: without one lock for all objects, at which threads wait."""

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """Compute the value and keep it where it is found first from then on."""
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value
