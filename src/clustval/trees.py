"""Indices of hierarchies by name: ``clustval.trees.cophenetic_correlation(Z, X)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.compare.tree_levels import fowlkes_mallows_bk_curve
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = module_hooks("trees", fowlkes_mallows_bk_curve)
evaluate = evaluation_of("trees")
