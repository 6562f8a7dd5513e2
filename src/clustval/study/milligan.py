"""Data with known clusters that stand apart in the first dimension, after Milligan (1981, 1985)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.errors import InputError
from clustval.inputs import at_least, one_of
from clustval.seeding import generators

Balance = Literal["equal", "10%", "60%"]

BALANCES = ("equal", "10%", "60%")
LENGTHS = (10.0, 40.0)  # of a cluster in one dimension
DEVIATIONS = 3.0  # a length is so many standard deviations: 1.5 on each side of the centre
GAPS = (0.25, 0.75)  # between neighbours, in units of the sum of their standard deviations
RANGE = 2 / 3  # of the other dimensions, at most, in units of that of the first
MANY = 12  # clusters from which "60%" means 20 %


def milligan(
    n: int, k: int, d: int, balance: Balance = "equal", *, random_state: Any = None
) -> tuple[Floats, Integers]:
    r"""Points in k clusters that do not overlap in the first dimension and may in the others, and their labels.

    Within a cluster each coordinate is normal, cut off at 1.5 standard deviations. In each dimension a cluster has
    boundaries whose distance is uniform on [10, 40]; its centre is their midpoint and its standard deviation a
    third of the distance, so that all points lie within the boundaries. In the first dimension clusters follow each
    other in random order, with gaps :math:`f (s_i + s_j)` between the boundaries of neighbours, f uniform on
    [0.25, 0.75]. In the others, boundaries lie at random in a range two thirds as long as the first dimension.

    Parameters
    ----------
    n, k, d
        Numbers of points, clusters and dimensions.
    balance
        "equal": sizes as even as possible. "10%" and "60%": one cluster, chosen at random, has that share of the
        points, and the others are as even as possible; from 12 clusters on, "60%" means 20 %.
    random_state
        A seed, a generator, or None.

    Notes
    -----
    Vendramin, Campello and Hruschka (2010, section 5.1) refer to Milligan's papers for the widths. The papers leave
    open what was chosen here: which cluster is the large or small one (any, equally likely); which clusters get the
    points that are left when sizes cannot be equal (the first ones by label); dimensions are independent within a
    cluster; a boundary length in the other dimensions is uniform on what fits into the range; the position of the
    boundaries there is uniform; rows come in random order.

    >>> X, labels = milligan(50, 3, 4, "60%", random_state=0)
    >>> X.shape, np.bincount(labels)
    ((50, 4), array([10, 10, 30]))
    """
    k, d = at_least(k, 1, "k"), at_least(d, 1, "d")
    rng = generators(random_state)(0)
    sizes = _sizes(at_least(n, 1, "n"), k, balance, rng)
    centres, deviations = np.empty((k, d)), np.empty((k, d))
    lengths = rng.uniform(*LENGTHS, k)
    order = rng.permutation(k)
    deviations[:, 0] = lengths / DEVIATIONS
    placed = deviations[order, 0]
    gaps = rng.uniform(*GAPS, k - 1) * (placed[:-1] + placed[1:])
    ends = np.cumsum(lengths[order]) + np.concatenate([[0], np.cumsum(gaps)])
    centres[order, 0] = ends - lengths[order] / 2
    room = RANGE * ends[-1] if k > 1 else LENGTHS[1]
    for j in range(1, d):
        lengths = rng.uniform(LENGTHS[0], min(LENGTHS[1], room), k)
        deviations[:, j] = lengths / DEVIATIONS
        centres[:, j] = rng.uniform(0, room - lengths) + lengths / 2
    labels = rng.permutation(np.repeat(np.arange(k), sizes))
    return centres[labels] + deviations[labels] * _cut_normal(rng, (n, d)), labels


def _sizes(n: int, k: int, balance: str, rng: np.random.Generator) -> Sequence[int]:
    one_of(balance, BALANCES, "balance")
    shares = {"equal": 0.0, "10%": 0.1, "60%": 0.2 if k >= MANY else 0.6}
    special = max(1, round(shares[balance] * n)) if k > 1 and balance != "equal" else 0
    others = k - 1 if special else k
    if n - special < others:
        msg = f"{n} points are too few for {k} clusters with balance {balance!r}; each needs a point."
        raise InputError(msg)
    sizes = [(n - special) // others + (i < (n - special) % others) for i in range(others)]
    if special:
        sizes.insert(int(rng.integers(k)), special)
    return sizes


def _cut_normal(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Standard normal numbers, those beyond the boundaries drawn again."""
    values = rng.standard_normal(shape)
    while (beyond := np.abs(values) > DEVIATIONS / 2).any():
        values[beyond] = rng.standard_normal(int(beyond.sum()))
    return values
