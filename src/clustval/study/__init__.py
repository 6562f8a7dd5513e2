"""The benchmark of criteria: which of them can be trusted, on data whose clusters are known."""

from clustval.study.compare import compare
from clustval.study.comparison import Comparison, Pairwise
from clustval.study.milligan import milligan
from clustval.study.recommend import Recommendation, recommend
from clustval.study.runs import Run, part_one, part_two
from clustval.study.study_tables import summary

__all__ = [
    "Comparison",
    "Pairwise",
    "Recommendation",
    "Run",
    "compare",
    "milligan",
    "part_one",
    "part_two",
    "recommend",
    "summary",
]
