"""The benchmark of criteria: which of them can be trusted, on data whose clusters are known."""

from clustval.study.milligan import milligan

__all__ = ["milligan"]
