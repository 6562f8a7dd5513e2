"""Fuzzy indices by name: ``clustval.fuzzy.partition_coefficient(X, U)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.evaluation import evaluation_of
from clustval.relative.membership_sweep import sweep

__getattr__, __dir__ = module_hooks("fuzzy", sweep)
evaluate = evaluation_of("fuzzy")
