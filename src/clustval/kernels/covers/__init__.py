"""Clusters that overlap: how many of them two points share."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
