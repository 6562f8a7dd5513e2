"""External indices by name: ``clustval.external.adjusted_rand(truth, labels)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = module_hooks("external")
evaluate = evaluation_of("external")
