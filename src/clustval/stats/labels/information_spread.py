"""How far the mutual information of random tables scatters, and how many tables with the same sizes there are."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.errors import UndefinedIndexError
from clustval.passes.work import thresholds
from clustval.sources.takes import Takes
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.information import ExpectedInformation

MOST_STEPS = 10**9  # of the variance of the mutual information, some five seconds
REACH = 17  # standard deviations of a count that are looked at

Sizes = NDArray[np.int64]


def gammaln(values: Any) -> Floats:
    """Return the logarithm of the gamma function."""
    from scipy import special  # noqa: PLC0415 - takes long to load

    return np.asarray(special.gammaln(values))


@dataclass(frozen=True)
class InformationSpread(Statistic):
    """Variance of the mutual information, in nats, over all labels with the same sizes of clusters."""

    after = (Contingency, ExpectedInformation)
    takes = Takes(whole_weights_because="the correction for chance counts whole points")

    variance: float

    @classmethod
    def derived(cls, t: Contingency, expected: ExpectedInformation) -> InformationSpread:
        """Take the square of the mean off the mean of the squares, both of sums without negative terms."""
        if expected.certain:
            return cls(0.0)
        a, times_a = np.unique(t.row_sizes, return_counts=True)
        b, times_b = np.unique(t.column_sizes, return_counts=True)
        check_steps(a, b, t.n)
        if t.n <= thresholds.SIZES:
            squares = second_moment_numpy(a, times_a, b, times_b, t.n)
        else:
            floats = a.astype(np.float64), b.astype(np.float64)
            squares = kernels.labels.information_spread.second_moment(
                floats[0], times_a, floats[1], times_b, float(t.n)
            )
        return cls(max(0.0, squares / t.n**2 - expected.shared**2))


def check_steps(a: Sizes, b: Sizes, n: int) -> None:
    """Raise an error if the variance would take minutes."""

    def steps(one: Sizes, other: Sizes) -> float:
        counts = np.minimum(one, REACH * np.sqrt(one * other.max() / n) + 10)
        return float(len(one) * int(other.max()) * counts.sum())

    if steps(a, b) + steps(b, a) > MOST_STEPS:
        msg = (
            f"The exact variance of the mutual information takes too long for {n} points in clusters of {len(a)} and "
            f"{len(b)} different sizes; pair_agreement_z has one at any size, and agreement(..., permutations=999) "
            "draws tables."
        )
        raise UndefinedIndexError(msg)


def second_moment_numpy(a: Sizes, times_a: Sizes, b: Sizes, times_b: Sizes, n: int) -> float:
    """Return what the kernel `second_moment` returns, in plain NumPy."""
    terms = []
    for row, times in zip(a.tolist(), times_a.tolist(), strict=True):
        for column, repeats in zip(b.tolist(), times_b.tolist(), strict=True):
            counts, chances = _hypergeometric(n, column, row)
            own = _excess(counts, row * column / n)
            sums = []
            for (size, line), others, often in (((row, column), a, times_a), ((column, row), b, times_b)):
                counted = often - (others == size)
                rest = [
                    sum(
                        count * _mean_excess(n - size, left, other, other * line / n)
                        for other, count in zip(others.tolist(), counted.tolist(), strict=True)
                        if count
                    )
                    for left in (line - counts).tolist()
                ]
                sums.append(own + rest)
            terms.append(times * repeats * float(chances @ (sums[0] * sums[1])))
    return math.fsum(terms)


def _hypergeometric(points: int, size: int, drawn: int) -> tuple[Floats, Floats]:
    """Return the counts that may be drawn of a cluster, but for those with no chance, and the chance of each."""
    mean = size * drawn / max(points, 1)
    reach = REACH * math.sqrt(mean) + 10  # the standard deviation is no larger
    least, most = max(0, size + drawn - points, math.floor(mean - reach)), min(size, drawn, math.ceil(mean + reach))
    x = np.arange(least, most + 1, dtype=np.float64)
    logs = -np.sum([gammaln(v + 1) for v in (x, size - x, drawn - x, points - size - drawn + x)], axis=0)
    chances = np.exp(logs - logs.max())
    return x, chances / chances.sum()


def _excess(counts: Floats, expected: float) -> Floats:
    """Return x log(x / m) - x + m of counts x."""
    logs = np.log(counts / expected, out=np.zeros_like(counts), where=counts > 0)
    return counts * logs - counts + expected


def _mean_excess(points: int, size: float, drawn: int, expected: float) -> float:
    counts, chances = _hypergeometric(points, int(size), drawn)
    return float(chances @ _excess(counts, expected))


# --- numbers of tables -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReducedInformation(Statistic):
    """Mutual information, less what it takes to tell the table from all others with the same sizes; in nats."""

    after = (Contingency,)
    takes = Takes(whole_weights_because="tables of whole points are counted")

    shared: float
    truth: float  # what the truth shares with itself
    labels: float
    identical: bool

    @classmethod
    def derived(cls, t: Contingency) -> ReducedInformation:
        """Count points exactly and tables by an approximation (Newman, Cantwell and Young 2020, eq. 25)."""
        a, b, n = t.row_sizes, t.column_sizes, t.n
        truth, labels = (_reduced(sizes, sizes, sizes, n) for sizes in (a, b))
        return cls(_reduced(t.counts, a, b, n), truth, labels, t.identical)


def _reduced(cells: Sizes, a: Sizes, b: Sizes, n: int) -> float:
    if n in (len(a), len(b)) or 1 in (len(a), len(b)):
        return 0.0  # of singletons or a single cluster, all is told by the sizes alone
    whole, rows, columns = (_log_factorials(counts) for counts in (np.array([n]), a, b))
    # Tables are no more than labellings with these sizes: of many small clusters the approximation counts too many.
    tables = min(log_tables(a, b, n), whole - max(rows, columns))
    return (whole + _log_factorials(cells) - rows - columns - tables) / n


def _log_factorials(counts: Sizes) -> float:
    return math.fsum(gammaln(counts + 1.0).tolist())


def log_tables(a: Sizes, b: Sizes, n: int) -> float:
    """Return about the logarithm of the number of tables with these sums of rows and of columns.

    It is off by 0.2 or less where clusters are few and large, and by more where most have one or two points.

    >>> log_tables(np.array([2, 2]), np.array([2, 2]), 4)  # of 3 tables, log 3 = 1.0986
    0.9347
    """
    r, s = len(a), len(b)
    w = n / (n + r * s / 2)
    x, y = (1 - w) / r + w * a / n, (1 - w) / s + w * b / n
    mu = (r + 1) / (r * (y**2).sum()) - 1 / r
    nu = (s + 1) / (s * (x**2).sum()) - 1 / s
    gammas = gammaln([mu * r, nu * s, mu, s, nu, r])
    return float(
        (r - 1) * (s - 1) * math.log(n + r * s / 2)
        + (r + nu - 2) / 2 * np.log(y).sum()
        + (s + mu - 2) / 2 * np.log(x).sum()
        + (gammas[0] + gammas[1] - r * (gammas[2] + gammas[3]) - s * (gammas[4] + gammas[5])) / 2
    )
