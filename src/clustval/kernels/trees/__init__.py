"""Spanning trees and search trees."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
