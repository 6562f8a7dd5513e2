"""What all other kernels are made with: how loops are compiled, vectors of the processor, sizes of blocks."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
