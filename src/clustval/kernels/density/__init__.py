"""Density inside and between clusters."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
