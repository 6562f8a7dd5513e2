"""Searches for the nearest points: of all, of other clusters, of each cluster."""
