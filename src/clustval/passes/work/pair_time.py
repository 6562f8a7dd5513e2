"""How long it takes to meet all pairs of points: one arithmetic for every reason and every warning that says so."""

from __future__ import annotations

# A pair takes as long as 20 numbers, and each column one more. Of 8 columns one core meets 4e8 pairs a second, of 64
# columns 1.3e8, of 784 1.4e7: a half to a quarter of what a quiet machine does, so that times are on the safe side.
PAIR = 20
COLUMNS = 8
PAIRS_PER_SECOND = 4 * 10**8  # by one core, of so many columns


def pairs_of(n: int) -> int:
    """Return how many pairs so many points have."""
    return n * (n - 1) // 2


def seconds_of(pairs: float, columns: int, *, rounds: float = 1, cores: int = 1) -> float:
    """Return about how long so many pairs take; each round beyond the first takes what 8 columns do.

    >>> seconds_of(4e8, 8), seconds_of(4e8, 8, rounds=20), seconds_of(4e8, 784, cores=2)
    (1.0, 20.0, 14.357142857142858)
    """
    numbers = PAIR + columns + (rounds - 1) * (PAIR + COLUMNS)
    return pairs * numbers / ((PAIR + COLUMNS) * PAIRS_PER_SECOND * cores)
