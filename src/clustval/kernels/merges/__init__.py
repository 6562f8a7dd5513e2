"""Merges of a hierarchy."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
