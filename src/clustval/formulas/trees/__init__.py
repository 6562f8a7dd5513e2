"""Formulas of hierarchies, one idea per file."""
