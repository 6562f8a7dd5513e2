"""Spanning trees of points, and paths along them."""
