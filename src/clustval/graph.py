"""Graph indices by name: ``clustval.graph.modularity(A, labels)``."""

from __future__ import annotations

from clustval.catalogue import module_hooks
from clustval.evaluation import evaluation_of
from clustval.relative.communities import community_test
from clustval.relative.kind_sweep import sweep_of
from clustval.sources.adjacency import adjacency

evaluate = evaluation_of("graph")
sweep = sweep_of("graph", adjacency)
__getattr__, __dir__ = module_hooks("graph", adjacency, community_test, sweep)
