"""Agreement of overlapping clusterings by name: ``clustval.covers.omega(A, B)``."""

from __future__ import annotations

from clustval.catalogue import face
from clustval.evaluation import evaluation_of

__getattr__, __dir__ = face("covers")
evaluate = evaluation_of("covers")
