"""All pairs of points: half the square of pairs, matrices of distances, weighted pairs, farthest pairs."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
