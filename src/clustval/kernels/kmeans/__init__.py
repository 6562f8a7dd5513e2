"""k-means and growth from seeds."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
