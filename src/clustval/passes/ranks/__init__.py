"""Passes over the ranks of all distances."""
