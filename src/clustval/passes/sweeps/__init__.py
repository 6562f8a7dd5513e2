"""Passes over many partitions of the same points at once."""
