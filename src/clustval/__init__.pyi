"""Every question about the quality of a clustering, answered with numbers that are right."""

# Written by `make stubs`; what is changed here by hand is lost.

from clustval import (
    categorical,
    covers,
    data,
    external,
    fuzzy,
    fuzzy_external,
    graph,
    internal,
    mixture,
    plot,
    study,
    trees,
)
from clustval.catalogue import Catalogue, indices
from clustval.choosing.choice import Choice
from clustval.choosing.choose import choose
from clustval.choosing.selector import ClusterSelector
from clustval.choosing.structure import Structure, structure
from clustval.choosing.value_significance import Significance, significance
from clustval.compare.agreement import Agreement, agreement, concordance, contingency
from clustval.compare.class_agreement import ClassAgreement, class_agreement
from clustval.compare.matched_clusters import Matched, matching
from clustval.compare.prayatul import Prayatul, prayatul
from clustval.compare.prayatul_table import PrayatulTable, prayatul_table
from clustval.compare.side_by_side import Agreements
from clustval.compare.tree_levels import FowlkesMallowsCurve
from clustval.compilation import compile
from clustval.diagnosis.diagnose import diagnose
from clustval.diagnosis.diagnosis import Diagnosis
from clustval.ensembles.consensus import Consensus, ConsensusByNumber, consensus
from clustval.errors import ClustvalError, InputError, MissingExtraError, UndefinedIndexError
from clustval.evaluation import evaluate
from clustval.evaluator import Evaluator
from clustval.explanation import Explanation, explain
from clustval.mixed_table import MixedTable, mixed
from clustval.relative.best import best
from clustval.relative.calibration import Calibration, calibrate
from clustval.relative.clusterwise import ClusterwiseStability, clusterwise_stability
from clustval.relative.communities import CommunityTest
from clustval.relative.gap import GapStatistic, gap_statistic
from clustval.relative.prediction import PredictionStrength, prediction_strength
from clustval.relative.scorers import scorer
from clustval.relative.seeded_sweep import SeededSweep
from clustval.relative.stability import Stability, stability
from clustval.relative.sweep import sweep
from clustval.relative.sweep_result import Sweep
from clustval.results import ScoreInterval, Scores
from clustval.sources.gower_matrix import gower
from clustval.stats.labels.contingency import Contingency
from clustval.tendency.distance_distribution import distance_distribution
from clustval.tendency.divergence import Divergence
from clustval.tendency.hopkins import Hopkins, hopkins
from clustval.tendency.spatial_histogram import spatial_histogram
from clustval.tendency.unimodality import Unimodality, unimodality
from clustval.tendency.vat import Picture, ivat, vat
from clustval.tracking.assign import Assignment, assign
from clustval.tracking.profile import Profile, profile
from clustval.tracking.track import Track, track
from clustval.version import __version__ as __version__

__all__ = [
    "Agreement",
    "Agreements",
    "Assignment",
    "Calibration",
    "Catalogue",
    "Choice",
    "ClassAgreement",
    "ClusterSelector",
    "ClusterwiseStability",
    "ClustvalError",
    "CommunityTest",
    "Consensus",
    "ConsensusByNumber",
    "Contingency",
    "Diagnosis",
    "Divergence",
    "Evaluator",
    "Explanation",
    "FowlkesMallowsCurve",
    "GapStatistic",
    "Hopkins",
    "InputError",
    "Matched",
    "MissingExtraError",
    "MixedTable",
    "Picture",
    "Prayatul",
    "PrayatulTable",
    "PredictionStrength",
    "Profile",
    "ScoreInterval",
    "Scores",
    "SeededSweep",
    "Significance",
    "Stability",
    "Structure",
    "Sweep",
    "Track",
    "UndefinedIndexError",
    "Unimodality",
    "agreement",
    "assign",
    "best",
    "calibrate",
    "categorical",
    "choose",
    "class_agreement",
    "clusterwise_stability",
    "compile",
    "concordance",
    "consensus",
    "contingency",
    "covers",
    "data",
    "diagnose",
    "distance_distribution",
    "evaluate",
    "explain",
    "external",
    "fuzzy",
    "fuzzy_external",
    "gap_statistic",
    "gower",
    "graph",
    "hopkins",
    "indices",
    "internal",
    "ivat",
    "matching",
    "mixed",
    "mixture",
    "plot",
    "prayatul",
    "prayatul_table",
    "prediction_strength",
    "profile",
    "scorer",
    "significance",
    "spatial_histogram",
    "stability",
    "structure",
    "study",
    "sweep",
    "track",
    "trees",
    "unimodality",
    "vat",
]
