"""Distances of points to centres."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
