"""Values of quadratic indices from a sample, with an interval that says how wrong they may be."""
