"""Internal indices by name: ``clustval.internal.silhouette(X, labels)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = module_hooks("internal")
evaluate = evaluation_of("internal")
