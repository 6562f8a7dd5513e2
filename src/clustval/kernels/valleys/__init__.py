"""Loops over a graph of neighbours: excess mass of branches, layers beside a border, labels that flow downhill."""

from __future__ import annotations

from clustval.kernels import loader

__getattr__ = loader(__name__)
