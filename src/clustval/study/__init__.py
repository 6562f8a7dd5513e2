"""The benchmark of criteria: which of them can be trusted, on data whose clusters are known."""

from clustval.study.compare import compare
from clustval.study.comparison import Comparison, Pairwise
from clustval.study.milligan import milligan

__all__ = ["Comparison", "Pairwise", "compare", "milligan"]
