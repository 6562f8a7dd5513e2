"""Labels of points: numbered, counted in cells, matched."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
