"""Many labellings of the same points: how often two points are together, and which points belong together."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
