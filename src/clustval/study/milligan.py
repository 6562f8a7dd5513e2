"""Data with known clusters that stand apart in the first dimension, after Milligan (1981, 1985)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, ndtri

from clustval.arrays import Floats, Integers
from clustval.errors import InputError
from clustval.inputs import at_least, is_number, one_of
from clustval.options import seeded
from clustval.seeding import generators

Balance = Literal["equal", "10%", "60%"]

BALANCES = ("equal", "10%", "60%")
MANY = 12  # clusters from which "60%" means 20 %


@seeded
def milligan(
    n: int,
    k: int,
    d: int,
    balance: Balance = "equal",
    *,
    range: float = 1.0,  # noqa: A002 - the word of the field
    cut: float = 2.0,
    gaps: tuple[float, float] = (0.25, 0.75),
    lengths: tuple[float, float] = (10.0, 40.0),
    random_state: Any = None,
    rng: Any = None,
) -> tuple[Floats, Integers]:
    r"""Points in k clusters that do not overlap in the first dimension and may in the others, and their labels.

    In each dimension a cluster has boundaries, whose distance is uniform on `lengths`. Its coordinates are normal
    around their midpoint and cut off at the boundaries, `cut` standard deviations away. In the first dimension
    clusters follow each other in random order, with gaps :math:`f (s_i + s_j)` between the boundaries of neighbours,
    where s are standard deviations and f is uniform on `gaps`. In the others, boundaries lie at random within a
    width that is `range` times that of the first dimension.

    Parameters
    ----------
    n, k, d
        Numbers of points, clusters and dimensions.
    balance
        "equal": sizes as even as possible. "10%" and "60%": one cluster, chosen at random, has that share of the
        points, and the others are as even as possible; from 12 clusters on, "60%" means 20 %.
    range
        Width of each other dimension in units of the first, from 0.01 to 100. Clusters are at most as wide.
    cut
        Standard deviations from the midpoint of a cluster to its boundaries, from 0.1 to 30.
    gaps
        The least and the largest f, from 0 to 100.
    lengths
        The least and the largest distance of boundaries, from 0.001 to 1000; their ratio shapes the clusters.
    random_state, rng
        A seed, a generator, or None, by either name.

    Notes
    -----
    Vendramin, Campello and Hruschka (2010, section 5.1) say that clusters are "mildly truncated" normal and may
    overlap in all but the first dimension, and refer to Milligan's papers for the rest. `range`, `cut`, `gaps` and
    `lengths` were chosen among several by the hits that the study prints (Fig. 9). Open and chosen here: which cluster
    is the large or small one (any, equally likely); which clusters get the points that are left when sizes cannot be
    equal (the first ones by label); dimensions are independent within a cluster; rows come in random order.

    >>> X, labels = milligan(50, 3, 4, "60%", random_state=0)
    >>> X.shape, np.bincount(labels)
    ((50, 4), array([10, 10, 30]))
    """
    k, d = at_least(k, 1, "k"), at_least(d, 1, "d")
    share, limit = _number(range, "range", 0.01, 100), _number(cut, "cut", 0.1, 30)
    closest, farthest = _interval(gaps, "gaps", 0, 100)
    shortest, longest = _interval(lengths, "lengths", 0.001, 1000)
    rng = generators(random_state)(0)
    sizes = _sizes(at_least(n, 1, "n"), k, balance, rng)
    widths, centres = np.empty((k, d)), np.empty((k, d))
    widths[:, 0] = rng.uniform(shortest, longest, k)
    order = rng.permutation(k)
    placed = widths[order, 0]
    distances = rng.uniform(closest, farthest, k - 1) * (placed[:-1] + placed[1:]) / (2 * limit)
    ends = np.cumsum(placed) + np.concatenate([[0], np.cumsum(distances)])
    centres[order, 0] = ends - placed / 2
    room = share * ends[-1] if k > 1 else longest
    widths[:, 1:] = rng.uniform(min(shortest, room), min(longest, room), (k, d - 1))
    centres[:, 1:] = rng.uniform(0, room - widths[:, 1:]) + widths[:, 1:] / 2
    labels = rng.permutation(np.repeat(np.arange(k), sizes))
    return centres[labels] + widths[labels] * _cut_normal(rng, (n, d), limit) / (2 * limit), labels


def _number(value: Any, name: str, least: float, most: float) -> float:
    if not is_number(value) or not least <= value <= most:
        msg = f"{name} must be a number from {least:g} to {most:g}; it is {value!r}."
        raise InputError(msg)
    return float(value)


def _interval(pair: Any, name: str, least: float, most: float) -> tuple[float, float]:
    try:
        low, high = (_number(value, name, least, most) for value in pair)
    except (TypeError, ValueError):  # InputError is one
        pass
    else:
        if low <= high:
            return low, high
    msg = f"{name} must be two numbers from {least:g} to {most:g}, the smaller first; they are {pair!r}."
    raise InputError(msg) from None


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


def _cut_normal(rng: np.random.Generator, shape: tuple[int, int], limit: float) -> Floats:
    """Standard normal numbers within the limit on both sides of 0."""
    values = ndtri(rng.uniform(ndtr(-limit), ndtr(limit), shape))
    return np.clip(values, -limit, limit)
