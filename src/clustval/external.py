"""External indices by name: ``clustval.external.adjusted_rand(truth, labels)``."""

from __future__ import annotations

from clustval.catalogue import face
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = face("external")
evaluate = evaluation_of("external")
