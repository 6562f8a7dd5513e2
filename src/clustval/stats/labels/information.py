"""Entropies of two labellings, from their table; and what chance alone would let them share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.declare import Statistic
from clustval.passes.work import thresholds
from clustval.sources.takes import Takes
from clustval.stats.labels.contingency import Contingency


@dataclass(frozen=True)
class Information(Statistic):
    """Entropies of the truth and of the labels, what each leaves open about the other, and what they share; in nats.

    Each is summed from terms of one sign, so that what should be 0 is 0.
    """

    after = (Contingency,)

    truth: float  # H(T)
    labels: float  # H(C)
    truth_given_labels: float  # H(T|C)
    labels_given_truth: float  # H(C|T)
    shared: float  # I(C, T)
    identical: bool

    @classmethod
    def derived(cls, t: Contingency) -> Information:
        """Sum p log p over sizes and cells."""
        share = t.counts / t.n
        of_row, of_column = t.counts / t.row_sizes[t.rows], t.counts / t.column_sizes[t.columns]
        ratio = of_row * (t.n / t.column_sizes[t.columns])
        return cls(
            truth=_entropy(t.row_sizes),
            labels=_entropy(t.column_sizes),
            truth_given_labels=float(-(share * np.log(of_column)).sum()) + 0.0,
            labels_given_truth=float(-(share * np.log(of_row)).sum()) + 0.0,
            shared=0.0 if min(t.r, t.k) == 1 else max(0.0, float((share * np.log(ratio)).sum())),
            identical=t.identical,
        )

    @property
    def joint(self) -> float:
        """H(C, T)."""
        return self.labels + self.truth_given_labels

    @property
    def variation(self) -> float:
        """H(T|C) + H(C|T)."""
        return self.truth_given_labels + self.labels_given_truth

    def average(self, kind: str) -> float:
        """Return an average of H(T) and H(C)."""
        return AVERAGES[kind](self.truth, self.labels)


AVERAGES: dict[str, Callable[[float, float], float]] = {
    "arithmetic": lambda u, v: (u + v) / 2,
    "geometric": lambda u, v: math.sqrt(u * v),
    "min": min,
    "max": max,
}


def in_base(nats: float, base: float) -> float:
    """Return an entropy in the unit of logarithms to `base`."""
    return nats / math.log(base)


def _entropy(sizes: NDArray[Any]) -> float:
    shares = sizes / sizes.sum()
    return float(-(shares * np.log(shares)).sum()) + 0.0  # + 0.0 turns -0.0 into 0.0


@dataclass(frozen=True)
class ExpectedInformation(Statistic):
    """Mean mutual information, in nats, of all tables with the sizes of the truth and of the labels."""

    after = (Contingency, Information)
    takes = Takes(whole_weights_because="the correction for chance counts whole points")

    shared: float
    certain: bool  # whether all such tables share the same: one labelling is one cluster, or all singletons

    @classmethod
    def derived(cls, t: Contingency, info: Information) -> ExpectedInformation:
        """Sum over pairs of sizes; equal sizes are met once."""
        if t.r == 1 or t.k == 1 or t.n in (t.r, t.k):
            return cls(info.shared, certain=True)
        a, times_a = np.unique(t.row_sizes, return_counts=True)
        b, times_b = np.unique(t.column_sizes, return_counts=True)
        if t.n <= thresholds.SIZES:
            return cls(expected_information_numpy(a, times_a, b, times_b, t.n), certain=False)
        mean = kernels.labels.cells.expected_information(
            a.astype(np.float64), times_a, b.astype(np.float64), times_b, float(t.n)
        )
        return cls(float(mean), certain=False)


def expected_information_numpy(
    a: NDArray[np.int64], times_a: NDArray[np.int64], b: NDArray[np.int64], times_b: NDArray[np.int64], n: int
) -> float:
    """Return what the kernel of the same name returns, in plain NumPy: probabilities by products of their ratios."""
    terms = []
    for size, times in zip(a.tolist(), times_a.tolist(), strict=True):
        for other, repeats in zip(b.tolist(), times_b.tolist(), strict=True):
            x = np.arange(max(0, size + other - n), min(size, other) + 1, dtype=np.float64)
            ratios = (size - x[:-1]) * (other - x[:-1]) / (x[1:] * (n - size - other + x[1:]))
            mode = int(np.count_nonzero(ratios >= 1))
            weights = np.concatenate([np.cumprod(1 / ratios[:mode][::-1])[::-1], [1.0], np.cumprod(ratios[mode:])])
            mean = size * other / n
            d = (x - mean) / mean
            excess = np.where(x > 0, (1 + d) * np.log1p(np.where(x > 0, d, 0.0)) - d, 1.0)
            terms.append(times * repeats * mean / n * float(weights @ excess / weights.sum()))
    return math.fsum(terms)
