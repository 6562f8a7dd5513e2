"""Internal indices by name: ``clustval.internal.silhouette(X, labels)``."""

from __future__ import annotations

from clustval.catalogue import face
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = face("internal")
evaluate = evaluation_of("internal")
