"""Statistics of the ranks of all distances."""
