"""Passes over all pairs of points, and searches that need fewer."""
