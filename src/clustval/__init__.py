"""Every question about the quality of a clustering, answered with numbers that are right.

>>> import clustval as cv
>>> cv.internal.dunn([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
1.5
"""

from __future__ import annotations

import importlib
import os

from clustval.version import __version__ as __version__

# Each public name is written here once, behind the module that defines it. `make stubs` shows them to editors.
_NAMES = {
    "catalogue": ("Catalogue", "indices"),
    "choosing.choice": ("Choice",),
    "choosing.choose": ("choose",),
    "choosing.selector": ("ClusterSelector",),
    "choosing.value_significance": ("Significance", "significance"),
    "choosing.structure": ("Structure", "structure"),
    "compare.agreement": ("Agreement", "agreement", "concordance", "contingency"),
    "compare.class_agreement": ("ClassAgreement", "class_agreement"),
    "compare.matched_clusters": ("Matched", "matching"),
    "compare.prayatul": ("Prayatul", "prayatul"),
    "compare.prayatul_table": ("PrayatulTable", "prayatul_table"),
    "compare.side_by_side": ("Agreements",),
    "compare.tree_levels": ("FowlkesMallowsCurve",),
    "compilation": ("compile",),
    "diagnosis.diagnose": ("diagnose",),
    "diagnosis.diagnosis": ("Diagnosis",),
    "ensembles.consensus": ("Consensus", "ConsensusByNumber", "consensus"),
    "errors": ("ClustvalError", "InputError", "MissingExtraError", "UndefinedIndexError"),
    "evaluation": ("evaluate",),
    "evaluator": ("Evaluator",),
    "explanation": ("Explanation", "explain"),
    "mixed_table": ("MixedTable", "mixed"),
    "relative.best": ("best",),
    "relative.calibration": ("Calibration", "calibrate"),
    "relative.clusterwise": ("ClusterwiseStability", "clusterwise_stability"),
    "relative.communities": ("CommunityTest",),
    "relative.gap": ("GapStatistic", "gap_statistic"),
    "relative.prediction": ("PredictionStrength", "prediction_strength"),
    "relative.scorers": ("scorer",),
    "relative.stability": ("Stability", "stability"),
    "relative.seeded_sweep": ("SeededSweep",),
    "relative.sweep": ("sweep",),
    "relative.sweep_result": ("Sweep",),
    "results": ("ScoreInterval", "Scores"),
    "sources.gower_matrix": ("gower",),
    "stats.labels.contingency": ("Contingency",),
    "tendency.distance_distribution": ("distance_distribution",),
    "tendency.divergence": ("Divergence",),
    "tendency.hopkins": ("Hopkins", "hopkins"),
    "tendency.spatial_histogram": ("spatial_histogram",),
    "tendency.unimodality": ("Unimodality", "unimodality"),
    "tendency.vat": ("Picture", "ivat", "vat"),
    "tracking.assign": ("Assignment", "assign"),
    "tracking.profile": ("Profile", "profile"),
    "tracking.track": ("Track", "track"),
}
# A kind of index is a folder of formulas with a module of the same name. pathlib takes longer to load than all this.
_FILES = os.listdir(__path__[0])  # noqa: PTH208
_KINDS = sorted(kind for kind in os.listdir(f"{__path__[0]}/formulas") if f"{kind}.py" in _FILES)  # noqa: PTH208
_MODULES = ("data", "plot", "study", *_KINDS)
_HOMES = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted([*_HOMES, *_MODULES])  # noqa: PLE0605 - every name is written once, above


def __getattr__(name: str) -> object:
    """Load what is asked for, when it is asked for: importing clustval stays quick."""
    if name in _HOMES:
        return getattr(importlib.import_module(f"clustval.{_HOMES[name]}"), name)
    if name in _MODULES:
        return importlib.import_module(f"clustval.{name}")
    hint = _hint(name)
    msg = f"module 'clustval' has no attribute {name!r}. {hint}"
    raise AttributeError(msg, name=name)  # with a name and no object, Python adds no hint of its own


def _hint(name: str) -> str:
    """Say what a name that is not here may mean: a longer name, an index of some kind, or a name like it."""
    from clustval.errors import suggestion  # noqa: PLC0415 - loads typing

    longer = [f"clustval.{each}" for each in __all__ if each.startswith(f"{name}_")]
    own = name.startswith("_") or name in _FILES or f"{name}.py" in _FILES  # a module that is being imported
    if not longer and not own:
        whole = name.removesuffix("_score").removesuffix("_index")
        kinds = ((kind, importlib.import_module(f"clustval.{kind}")) for kind in _KINDS)
        longer = [f"clustval.{kind}.{whole}" for kind, module in kinds if whole in dir(module)]
    if longer:
        return f"Did you mean {' or '.join(longer)}?"
    return suggestion(name, __all__) or "dir(clustval) lists its functions, and clustval.indices() all indices."


def __dir__() -> list[str]:
    return ["__version__", *__all__]
