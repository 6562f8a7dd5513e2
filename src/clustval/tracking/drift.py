"""How far a cluster has moved between two times: the distance of its centres, and the energy distance with its p."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.sources.space import Space

MOST = 500  # rows of each time that are compared: of more, as many at random


def energy_distance(D: Floats, first: Floats) -> Floats:
    """Return twice the mean distance between two sets of rows less the mean distances inside each.

    `D` holds the distances of all rows, and each line of `first` says with 1 and 0 which rows are of the first set.
    """
    second = 1.0 - first
    m, n = first.sum(axis=1), second.sum(axis=1)
    to_first, to_second = first @ D, second @ D
    across = np.einsum("ij,ij->i", to_first, second) / (m * n)
    inside = np.einsum("ij,ij->i", to_first, first) / m**2 + np.einsum("ij,ij->i", to_second, second) / n**2
    energies: Floats = np.maximum(2 * across - inside, 0.0)
    return energies


def exchanged(pairs: Integers, m: int, n: int, count: int, rng: np.random.Generator) -> Floats:
    """Return which rows are of the first set in `count` exchanges of m rows before and n rows after.

    `pairs` holds, for each row that is in both, its place before and its place after: such rows change places with
    themselves, half of the time; all others are dealt out anew.
    """
    sets = np.zeros((count, m + n))
    before, after = pairs[:, 0], m + pairs[:, 1]
    alone = np.setdiff1d(np.arange(m + n), np.concatenate([before, after]))
    fewer = int((alone < m).sum())
    for line in sets:
        stays = rng.random(len(pairs)) < 0.5
        line[before[stays]] = 1.0
        line[after[~stays]] = 1.0
        line[rng.permutation(alone)[:fewer]] = 1.0
    return sets


def drift(
    space: Space, before: Floats, after: Floats, pairs: Integers, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the distance of the centres, and the energy distance.

    Categories have no centres, and NaN for their distance. `pairs` are the places of rows that are in both. Of many
    rows some are compared, pairs first.
    """
    shift = float(np.sqrt(((after.mean(axis=0) - before.mean(axis=0)) ** 2).sum()))
    shift = np.nan if space.without_means else shift  # of categories
    D, actual, _ = _compared(space, before, after, pairs, rng)
    return shift, float(energy_distance(D, actual)[0])


def chance(space: Space, before: Floats, after: Floats, pairs: Integers, count: int, rng: np.random.Generator) -> float:
    """Return how likely rows that change places between the two times are as far apart; NaN without rows or changes."""
    if count == 0 or not (len(before) and len(after)):
        return np.nan
    D, actual, pairs = _compared(space, before, after, pairs, rng)
    m = int(actual.sum())
    energy = energy_distance(D, actual)[0]
    others = energy_distance(D, exchanged(pairs, m, len(D) - m, count, rng))
    tolerance = ROUNDING_OF_VALUES * float(D.max(initial=0.0))
    return (1 + int((others >= energy - tolerance).sum())) / (1 + count)


def _compared(
    space: Space, before: Floats, after: Floats, pairs: Integers, rng: np.random.Generator
) -> tuple[Floats, Floats, Integers]:
    """Return the distances of all rows that are compared, which are of the time before, and pairs of rows in both."""
    before, after, pairs = _fewer(before, after, pairs, rng)
    rows = np.vstack([before, after])
    actual = np.zeros((1, len(rows)))
    actual[0, : len(before)] = 1.0
    return space.between(rows, rows), actual, pairs


def _fewer(before: Floats, after: Floats, pairs: Integers, rng: np.random.Generator) -> tuple[Floats, Floats, Integers]:
    """Return up to `MOST` rows of each time, in the shares of rows that are in both and rows that are not."""
    if max(len(before), len(after)) <= MOST:
        return before, after, pairs
    kept = rng.permutation(len(pairs))[: round(len(pairs) * MOST / max(len(before), len(after)))]
    chosen = pairs[np.sort(kept)]
    sides = []
    for rows, column in ((before, 0), (after, 1)):
        alone = np.setdiff1d(np.arange(len(rows)), pairs[:, column])
        room = round(len(alone) * min(1.0, MOST / len(rows)))
        sides.append(rows[np.concatenate([chosen[:, column], rng.permutation(alone)[: max(room, 0)]])])
    places = np.arange(len(chosen))
    return sides[0], sides[1], np.column_stack([places, places])
