"""Partitions ranked by the scores that the rule of an index gives them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.rules import Rule


def ranks_by_rule(rule: Rule, values: Floats, k: NDArray[np.int64]) -> Floats:
    """Return the rank of each partition, 1 for the best; equals share the mean of their ranks.

    Partitions with the same number of clusters have the same score by a rule that compares neighbours, and are told
    apart by their values. NaN ranks last. A partition that has a value but no score is not ranked, and the ranks of
    the others are stretched to reach from 1 to the number of partitions.

    >>> from clustval.rules import highest
    >>> ranks_by_rule(highest, np.array([0.2, 0.9, np.nan, 0.9]), np.array([2, 3, 4, 5])).tolist()
    [3.0, 1.5, 4.0, 1.5]
    """
    count = len(values)
    positions, scores = rule.read(values, k)
    score, merit = np.full(count, np.nan), np.zeros(count)
    score[positions] = scores
    if rule.compares > 1:
        by_k = dict(zip(k[positions].tolist(), scores.tolist(), strict=True))
        score = np.array([by_k[number] for number in k.tolist()])
        merit = values if rule.better == "higher" else -values
    missing = np.isnan(values)
    ranked = ~np.isnan(score) & ~missing
    ranks = np.full(count, np.nan)
    if not ranked.any():
        return ranks
    keys = np.stack([-score, -merit], axis=1)[ranked]
    _, group, sizes = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    places = np.cumsum(sizes) - (sizes - 1) / 2
    ranks[ranked] = places[group.ravel()]
    ranks[missing] = ranked.sum() + (missing.sum() + 1) / 2
    return 1 + (ranks - 1) * (count - 1) / max(int((ranked | missing).sum()) - 1, 1)
