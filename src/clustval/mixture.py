"""Indices of fitted mixture models by name: ``clustval.mixture.gmm_bic(X, model)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = module_hooks("mixture")
evaluate = evaluation_of("mixture")
