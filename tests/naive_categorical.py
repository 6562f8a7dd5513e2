"""Indices of categories from their definitions, in loops over clusters, columns and categories; None is missing.

A missing value is left out of its column: P_k, P(v|k) and P(v) are of the points that have a value there.
"""

from __future__ import annotations

import math


def chance(value, among):
    return sum(other == value for other in among) / len(among)


def columns(X):
    return [[row[j] for row in X] for j in range(len(X[0]))]


def split(column, labels):
    """Return the known values of each cluster, of clusters that have any, and those of all."""
    known = [(value, label) for value, label in zip(column, labels, strict=True) if value is not None]
    groups = [[value for value, label in known if label == name] for name in sorted(set(labels))]
    return [group for group in groups if group], [value for value, _ in known]


def category_utility(X, labels, normalized=True):
    total = 0.0
    for column in columns(X):
        groups, everything = split(column, labels)
        for group in groups:
            gain = sum(chance(v, group) ** 2 - chance(v, everything) ** 2 for v in set(everything))
            total += len(group) / len(everything) * gain
    return total / len(set(labels)) if normalized else total


def expected_entropy(X, labels, base=math.e):
    total = 0.0
    for column in columns(X):
        groups, everything = split(column, labels)
        for group in groups:
            entropy = -sum(chance(v, group) * math.log(chance(v, group), base) for v in set(group))
            total += len(group) / len(everything) * entropy
    return total


def k_modes_cost(X, labels):
    total = 0
    for column in columns(X):
        for group in split(column, labels)[0]:
            total += min(sum(value != mode for value in group) for mode in set(group))
    return total
