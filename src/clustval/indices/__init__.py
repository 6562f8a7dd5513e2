"""Formulas: one file, one idea; one folder, one kind of question.

The package is callable, because ``clustval.indices()`` lists the indices that ``clustval.indices`` holds.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Catalogued(ModuleType):
    def __call__(self, kind: Any = None) -> Any:
        from clustval.catalogue import indices  # noqa: PLC0415 - the catalogue reads the indices

        return indices(kind)


sys.modules[__name__].__class__ = _Catalogued
