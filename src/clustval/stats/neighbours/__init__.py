"""Statistics of nearest points."""
