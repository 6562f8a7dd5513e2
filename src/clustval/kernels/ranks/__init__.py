"""Ranks of all distances."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
