"""Many partitions of the same data, and which of them to choose."""
