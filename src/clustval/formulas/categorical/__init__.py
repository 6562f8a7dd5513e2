"""How good clusters of points are whose attributes are categories."""
