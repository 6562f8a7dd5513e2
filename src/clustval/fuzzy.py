"""Fuzzy indices by name: ``clustval.fuzzy.partition_coefficient(X, U)``."""

from __future__ import annotations

from clustval.catalogue import face
from clustval.evaluation import evaluation_of
from clustval.relative.membership_sweep import sweep

__getattr__, __dir__ = face("fuzzy", sweep)
evaluate = evaluation_of("fuzzy")
