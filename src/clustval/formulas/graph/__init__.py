"""How good a partition of the vertices of a graph is."""
