"""Discs on a plane: where clusters of a map lie without covering each other."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats

MOST = 60  # discs that are pushed: of more, nothing is written on them
ROUNDS = 200


def apart(places: Floats, radii: Floats, *, wide: float, between: float) -> Floats:
    """Return places on a map so wide, on which discs have at least so much room between them.

    >>> apart(np.zeros((2, 2)), np.ones(2), wide=10, between=1).tolist()
    [[1.5, 0.0], [-1.5, 0.0]]
    """
    reach = np.ptp(places, axis=0).max() if len(places) else 0.0
    places = places / reach * wide if reach > 0 else places
    if len(places) > MOST:
        return places
    turn = np.exp(2j * np.pi * np.arange(len(places)) / max(len(places), 1))  # where two centres are the same
    least = radii[:, None] + radii + between
    np.fill_diagonal(least, 0.0)
    for _ in range(ROUNDS):
        z = places[:, 0] + 1j * places[:, 1]
        away = z[:, None] - z
        away = np.where(away == 0, turn[:, None] - turn, away)
        lack = np.maximum(least - np.abs(z[:, None] - z), 0.0)
        if not lack.any():
            break
        push = (0.5 * lack * away / np.where(away == 0, 1.0, np.abs(away))).sum(axis=1)
        places = places + np.stack([push.real, push.imag], axis=1)
    return places
