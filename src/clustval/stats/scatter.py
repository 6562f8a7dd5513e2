"""Scatter matrices within, between and in total, kept as triangular factors.

A factor R with R'R = W keeps half of the digits that W itself loses, its determinant cannot change sign, and
factors of blocks of points stack into the factor of the whole.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clustval.partition import Partition
from clustval.registry import Statistic
from clustval.stats.moments import Moments

Array = NDArray[np.float64]
EPSILON = float(np.finfo(np.float64).eps)
BLOCK = 2**16  # rows that are factored at a time


def triangle(rows: Array) -> Array:
    """Return R, upper triangular, with R'R = rows'rows."""
    p = rows.shape[1]
    factor: Array = np.zeros((0, p))
    for lo in range(0, len(rows), BLOCK):
        factor = np.asarray(np.linalg.qr(np.vstack([factor, rows[lo : lo + BLOCK]]), mode="r"))
    return factor


@dataclass(frozen=True, eq=False)
class Scatter(Statistic):
    """The scatter matrices W = sum of W_k, B and T = W + B as factors, and the determinant of each W_k."""

    coordinates = True

    n: int
    k: int
    within: Array  # R with R'R = W
    between: Array  # rows sqrt(n_k) (mean_k - mean): its cross product is B
    log_dets: Array  # (k,) log |W_k|; -inf where W_k is singular
    scales: Array  # (p,) norm of each centred column
    noise: Array  # (p,) what rounding of the coordinates may add to such a norm

    @classmethod
    def of(cls, source: Partition) -> Scatter:
        """Factor the centred points of each cluster and stack the factors."""
        m: Moments = source[Moments]
        scales = np.sqrt(m.total_by_dimension)
        noise = EPSILON * np.abs(source.X).max(axis=0) * math.sqrt(source.n)
        log_dets = np.full(m.k, -math.inf)
        factors: list[Array] = []
        pending: list[Array] = []
        for c, (lo, hi) in enumerate(zip(source.starts, source.starts[1:], strict=False)):
            rows = source.Z[lo:hi] - m.means[c]
            if hi - lo > m.p:
                factor = triangle(rows)
                log_dets[c] = log_det(factor, scales, noise)
                factors.append(factor)
            else:
                pending.append(rows)  # too few points for a determinant: stacked with the rest
        within = triangle(np.vstack([*factors, *pending]))
        between = np.sqrt(m.sizes)[:, None] * m.offsets
        return cls(m.n, m.k, within, between, log_dets, scales, noise)

    @cached_property
    def total(self) -> Array:
        """R with R'R = T."""
        return triangle(np.vstack([self.within, self.between]))

    @cached_property
    def log_det_within(self) -> float:
        """Return log |W|; -inf where W is singular."""
        return log_det(self.within, self.scales, self.noise) if self.n - self.k >= self.p else -math.inf

    @cached_property
    def log_det_total(self) -> float:
        """Return log |T|; -inf where T is singular."""
        return log_det(self.total, self.scales, self.noise) if self.n > self.p else -math.inf

    @cached_property
    def between_in_units_of_within(self) -> float:
        """tr(W^-1 B), NaN where W is singular."""
        if self.log_det_within == -math.inf:
            return math.nan
        return float((np.linalg.solve(self.within.T, self.between.T) ** 2).sum())

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.between.shape[-1]


def log_det(factor: Array, scales: Array, noise: Array) -> float:
    """Return log |R'R|, or -inf where R is singular up to the rounding of the data.

    Columns are brought to the size they have in the whole of the data before the rank is decided, so that the
    unit of a column does not matter.
    """
    p = factor.shape[1]
    if len(factor) < p or not (scales > 0).all():
        return -math.inf
    smallest = np.linalg.svd(factor / scales, compute_uv=False)[-1]
    if smallest <= 8 * max(p * EPSILON, float((noise / scales).max())):
        return -math.inf
    return 2 * float(np.log(np.abs(np.diagonal(factor))).sum())
