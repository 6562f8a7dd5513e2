"""Agreement of overlapping clusterings by name: ``clustval.covers.omega(A, B)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = module_hooks("covers")
evaluate = evaluation_of("covers")
