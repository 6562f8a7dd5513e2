"""How often two points are together in a clustering drawn at random from all, or from all with as many clusters."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.kernels.work.rounding import CONVERGED
from clustval.sources.takes import Takes
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.pair_counts import PairCounts

Share = Fraction | float  # exact where points are few
EXACT = 64  # points whose clusterings are counted in whole numbers
STEPS = 4  # of an integral, for each standard deviation of the bell that is summed
REACH = 12  # standard deviations beyond which nothing of it is left
NARROW = 1000  # inverse variance, in radians, of a bell whose ends lie within half a circle
FEWEST = 512  # steps of a whole circle
ROUNDS = 100  # of Newton's method, which takes fewer than ten


@dataclass(frozen=True)
class PartitionModels(Statistic):
    """Chance that two points are together, by the sizes of clusters as they are and under two models of clusterings.

    All clusterings with the same number of clusters are equally likely, or all clusterings are.
    """

    after = (Contingency, PairCounts)
    takes = Takes(whole_weights_because="clusterings of whole points are counted")

    truth_sizes: Share
    truth_number: Share
    labels_number: Share
    any_clustering: Share
    disagreement: Share  # of the pairs; None of them where there is one point

    @classmethod
    def derived(cls, t: Contingency, p: PairCounts) -> PartitionModels:
        """Divide numbers of clusterings of n - 1 points by those of n: two points together are as one."""
        if not p.total:
            return cls(*[math.nan] * 5)
        return cls(
            truth_sizes=Fraction(p.truth, p.total),
            truth_number=together_of_number(t.n, t.r),
            labels_number=together_of_number(t.n, t.k),
            any_clustering=together_of_any(t.n),
            disagreement=Fraction(p.yn + p.ny, p.total),
        )

    def adjusted(self, truth: Share, labels: Share) -> float:
        """Return the Rand index above what these chances of being together give, as a share of the most."""
        if self.disagreement == 0:  # identical labellings agree perfectly
            return 1.0
        apart = truth * (1 - labels) + labels * (1 - truth)  # 1 - E
        return float(1 - self.disagreement / apart) if apart else math.nan


def together_of_number(n: int, k: int) -> Share:
    r"""Return the share S(n-1, k) / S(n, k) of the clusterings of n points in k that have two given points together.

    Stirling numbers of the second kind are coefficients of (exp(z) - 1)**k, so that both are integrals over the same
    circle. Around the radius where the integrand peaks it is a bell, and sums of few steps are exact to rounding.

    >>> together_of_number(4, 2)
    Fraction(3, 7)
    """
    if k in (1, n):
        return Fraction(k == 1)
    if n <= EXACT:
        return Fraction(clusterings(n - 1)[k], clusterings(n)[k])
    mean = n / k
    r = mean
    for _ in range(ROUNDS):  # r / (1 - exp(-r)) = n / k
        rest = -math.expm1(-r)
        step = (r / rest - mean) / ((rest - r * math.exp(-r)) / rest**2)
        r -= step
        if abs(step) <= CONVERGED * r:
            break
    rest = -math.expm1(-r)
    spread = n * (1 - r * math.exp(-r) / rest)

    def bell(angles: Floats) -> np.ndarray[tuple[int], np.dtype[np.complex128]]:
        rise = -2 * np.sin(angles / 2) ** 2 + 1j * np.sin(angles)  # exp(i angle) - 1
        # (1 - exp(-r (1 + rise))) / (1 - exp(-r)) - 1, whose logarithm is multiplied by k: no digit of it may be lost.
        growth = 2 * np.exp(-r * (1 + rise / 2)) * np.sinh(r * rise / 2) / rest
        return np.exp(k * (r * rise + np.log1p(growth)) - 1j * n * angles)

    return r / n * _mean_turn(bell, spread)


def together_of_any(n: int) -> Share:
    r"""Return the share B(n-1) / B(n) of all clusterings of n points that have two given points together.

    Bell numbers are coefficients of exp(exp(z) - 1).

    >>> together_of_any(4)
    Fraction(1, 3)
    """
    if n <= EXACT:
        return Fraction(sum(clusterings(n - 1)), sum(clusterings(n)))
    r = math.log(n + 1)
    for _ in range(ROUNDS):  # r exp(r) = n
        step = (r - n * math.exp(-r)) / (1 + n * math.exp(-r))
        r -= step
        if abs(step) <= CONVERGED * r:
            break

    def bell(angles: Floats) -> np.ndarray[tuple[int], np.dtype[np.complex128]]:
        rise = -2 * np.sin(angles / 2) ** 2 + 1j * np.sin(angles)
        return np.exp(math.exp(r) * np.expm1(r * rise) - 1j * n * angles)

    return r / n * _mean_turn(bell, n * (1 + r))


@cache
def clusterings(n: int) -> list[int]:
    """Return how many clusterings of n points in 0, 1, ..., n clusters there are: Stirling numbers of the second kind.

    >>> clusterings(4)
    [0, 1, 7, 6, 1]
    """
    if n == 0:
        return [1]
    fewer = [*clusterings(n - 1), 0]
    return [0, *(k * fewer[k] + fewer[k - 1] for k in range(1, n + 1))]


def _mean_turn(bell: Callable[[Floats], np.ndarray[tuple[int], np.dtype[np.complex128]]], spread: float) -> float:
    """Return the mean of exp(i angle), weighed by a bell of this inverse variance around the angle 0."""
    if spread > NARROW:
        angles = np.arange(-REACH * STEPS, REACH * STEPS + 1, dtype=np.float64) * (1 / (STEPS * math.sqrt(spread)))
    else:
        angles = np.arange(FEWEST, dtype=np.float64) * (2 * math.pi / FEWEST)
    heights = bell(angles)
    return float((heights * np.exp(1j * angles)).sum().real / heights.sum().real)
