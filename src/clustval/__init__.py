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
    from clustval import external, internal, plot, study
    from clustval.catalogue import indices
    from clustval.compare.agreement import Agreement, agreement, concordance, contingency
    from clustval.compare.matching import matching
    from clustval.compare.prayatul import Prayatul, prayatul
    from clustval.compare.prayatul_table import PrayatulTable, prayatul_table
    from clustval.evaluation import evaluate
    from clustval.relative.best import best
    from clustval.relative.clusterwise import clusterwise_stability
    from clustval.relative.gap import GapStatistic, gap_statistic
    from clustval.relative.prediction import prediction_strength
    from clustval.relative.stability import Stability, stability
    from clustval.relative.sweep import Sweep, sweep
    from clustval.results import Scores
    from clustval.tendency.distance_distribution import distance_distribution
    from clustval.tendency.hopkins import hopkins
    from clustval.tendency.spatial_histogram import spatial_histogram
    from clustval.tendency.vat import ivat, vat

__version__ = "0.1.0"

_HOMES = {
    "Agreement": "clustval.compare.agreement",
    "GapStatistic": "clustval.relative.gap",
    "Prayatul": "clustval.compare.prayatul",
    "PrayatulTable": "clustval.compare.prayatul_table",
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
    "matching": "clustval.compare.matching",
    "prayatul": "clustval.compare.prayatul",
    "prayatul_table": "clustval.compare.prayatul_table",
    "prediction_strength": "clustval.relative.prediction",
    "spatial_histogram": "clustval.tendency.spatial_histogram",
    "stability": "clustval.relative.stability",
    "sweep": "clustval.relative.sweep",
    "vat": "clustval.tendency.vat",
}
_MODULES = ("external", "internal", "plot", "study")

__all__ = [
    "Agreement",
    "ClustvalError",
    "GapStatistic",
    "InputError",
    "MissingExtraError",
    "Prayatul",
    "PrayatulTable",
    "Scores",
    "Stability",
    "Sweep",
    "UndefinedIndexError",
    "agreement",
    "best",
    "clusterwise_stability",
    "concordance",
    "contingency",
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
