"""How many labellings of the same points are brought together."""
