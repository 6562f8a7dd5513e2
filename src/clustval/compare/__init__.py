"""Labellings of the same points side by side: a result with the truth, two results with the truth."""
