"""Indices of two labellings of the same points: a truth and a result, or two results."""

from clustval.indices.external import (
    bcubed,
    chance,
    entropies,
    majorities,
    matchings,
    pair_correlation,
    pair_retrieval,
    pair_shares,
    shared_information,
)

__all__ = [
    "bcubed",
    "chance",
    "entropies",
    "majorities",
    "matchings",
    "pair_correlation",
    "pair_retrieval",
    "pair_shares",
    "shared_information",
]
