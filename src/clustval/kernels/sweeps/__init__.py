"""Many partitions of the same points at once."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
