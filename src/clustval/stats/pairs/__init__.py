"""Statistics of all pairs of points."""
