"""Compiled loops: arrays in, arrays out, nothing of clustval known."""
