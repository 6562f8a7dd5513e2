"""Passes over points and centres, and the gaps between centres."""
