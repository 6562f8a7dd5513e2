"""How good a clustering is, judged from the points alone."""

from clustval.indices.internal import (
    centres,
    density,
    determinants,
    dunn,
    pairs,
    ranks,
    silhouette,
    sums_of_squares,
)

__all__ = ["centres", "density", "determinants", "dunn", "pairs", "ranks", "silhouette", "sums_of_squares"]
