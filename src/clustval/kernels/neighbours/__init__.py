"""Nearest points: of all, of other clusters, of each cluster."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
