"""Every question about the quality of a clustering, answered with numbers that are right.

>>> import clustval as cv
>>> cv.internal.dunn([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
1.5
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from clustval.errors import ClustvalError, InputError, MissingExtraError, UndefinedIndexError

if TYPE_CHECKING:
    from clustval import data, external, internal, plot, study
    from clustval.catalogue import indices
    from clustval.compare.agreement import Agreement, agreement, concordance, contingency
    from clustval.compare.matched_clusters import Matched, matching
    from clustval.compare.prayatul import Prayatul, prayatul
    from clustval.compare.prayatul_table import PrayatulTable, prayatul_table
    from clustval.evaluation import evaluate
    from clustval.relative.best import best
    from clustval.relative.clusterwise import ClusterwiseStability, clusterwise_stability
    from clustval.relative.gap import GapStatistic, gap_statistic
    from clustval.relative.prediction import PredictionStrength, prediction_strength
    from clustval.relative.stability import Stability, stability
    from clustval.relative.sweep import Sweep, sweep
    from clustval.results import Scores
    from clustval.stats.contingency import Contingency
    from clustval.tendency.distance_distribution import distance_distribution
    from clustval.tendency.divergence import Divergence
    from clustval.tendency.hopkins import Hopkins, hopkins
    from clustval.tendency.spatial_histogram import spatial_histogram
    from clustval.tendency.vat import Picture, ivat, vat

__version__ = "0.1.0"

_HOMES = {
    "Agreement": "clustval.compare.agreement",
    "ClusterwiseStability": "clustval.relative.clusterwise",
    "Contingency": "clustval.stats.contingency",
    "Divergence": "clustval.tendency.divergence",
    "GapStatistic": "clustval.relative.gap",
    "Hopkins": "clustval.tendency.hopkins",
    "Matched": "clustval.compare.matched_clusters",
    "Picture": "clustval.tendency.vat",
    "Prayatul": "clustval.compare.prayatul",
    "PrayatulTable": "clustval.compare.prayatul_table",
    "PredictionStrength": "clustval.relative.prediction",
    "Scores": "clustval.results",
    "Stability": "clustval.relative.stability",
    "Sweep": "clustval.relative.sweep",
    "agreement": "clustval.compare.agreement",
    "best": "clustval.relative.best",
    "clusterwise_stability": "clustval.relative.clusterwise",
    "concordance": "clustval.compare.agreement",
    "contingency": "clustval.compare.agreement",
    "distance_distribution": "clustval.tendency.distance_distribution",
    "evaluate": "clustval.evaluation",
    "gap_statistic": "clustval.relative.gap",
    "hopkins": "clustval.tendency.hopkins",
    "indices": "clustval.catalogue",
    "ivat": "clustval.tendency.vat",
    "matching": "clustval.compare.matched_clusters",
    "prayatul": "clustval.compare.prayatul",
    "prayatul_table": "clustval.compare.prayatul_table",
    "prediction_strength": "clustval.relative.prediction",
    "spatial_histogram": "clustval.tendency.spatial_histogram",
    "stability": "clustval.relative.stability",
    "sweep": "clustval.relative.sweep",
    "vat": "clustval.tendency.vat",
}
_MODULES = ("data", "external", "internal", "plot", "study")

__all__ = [
    "Agreement",
    "ClusterwiseStability",
    "ClustvalError",
    "Contingency",
    "Divergence",
    "GapStatistic",
    "Hopkins",
    "InputError",
    "Matched",
    "MissingExtraError",
    "Picture",
    "Prayatul",
    "PrayatulTable",
    "PredictionStrength",
    "Scores",
    "Stability",
    "Sweep",
    "UndefinedIndexError",
    "agreement",
    "best",
    "clusterwise_stability",
    "concordance",
    "contingency",
    "data",
    "distance_distribution",
    "evaluate",
    "external",
    "gap_statistic",
    "hopkins",
    "indices",
    "internal",
    "ivat",
    "matching",
    "plot",
    "prayatul",
    "prayatul_table",
    "prediction_strength",
    "spatial_histogram",
    "stability",
    "study",
    "sweep",
    "vat",
]


def __getattr__(name: str) -> Any:
    """Load what is asked for, when it is asked for: importing clustval stays quick."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"clustval.{name}")
    msg = f"module 'clustval' has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return __all__
