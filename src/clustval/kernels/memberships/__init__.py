"""Memberships of points in several clusters: weighted sums, pairs of points."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
