"""Statistics of the merges of a hierarchy."""
