"""Agreement of memberships by name: ``clustval.fuzzy_external.aci(U, V)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = module_hooks("fuzzy_external")
evaluate = evaluation_of("fuzzy_external")
