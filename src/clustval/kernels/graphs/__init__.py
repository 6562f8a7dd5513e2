"""Graphs: the edges of a partition, and graphs at random with the same degrees."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
