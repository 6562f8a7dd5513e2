"""Categorical indices by name: ``clustval.categorical.category_utility(X, labels)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.categories import categories
from clustval.evaluation import evaluation_of
from clustval.relative.kind_sweep import sweep_of

evaluate = evaluation_of("categorical")
sweep = sweep_of("categorical", categories)
__getattr__, __dir__ = module_hooks("categorical", categories, sweep)
