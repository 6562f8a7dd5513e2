"""Density inside and between clusters."""
