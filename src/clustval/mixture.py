"""Indices of fitted mixture models by name: ``clustval.mixture.gmm_bic(X, model)``."""

from __future__ import annotations

from clustval.catalogue import face
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = face("mixture")
evaluate = evaluation_of("mixture")
