"""Statistics of points and the centres of clusters."""
