"""Gower's distance from its definition, one pair and one column at a time; None is missing."""

from __future__ import annotations

import math


def distance(table, types, weights, i, j):
    """Return the weighted mean over the columns that count for both rows."""
    above = below = 0.0
    for column, kind in enumerate(types):
        x, y = table[i][column], table[j][column]
        if x is None or y is None or (kind == "asymmetric" and not x and not y):
            continue
        if kind in {"numeric", "ordinal"}:
            known = [row[column] for row in table if row[column] is not None]
            span = max(known) - min(known)
            apart = abs(x - y) / span if span else 0.0
        else:
            apart = float(x != y)
        above += weights[column] * apart
        below += weights[column]
    return above / below if below else math.nan


def distances(table, types, weights=None):
    n = len(table)
    weights = weights or [1.0] * len(types)
    return [[0.0 if i == j else distance(table, types, weights, i, j) for j in range(n)] for i in range(n)]
