"""Passes over the merges of a hierarchy."""
