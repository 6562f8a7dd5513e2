"""How well a fitted mixture describes the points, and how surely it assigns them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.declare import Statistic
from clustval.sources.fitted_mixture import FittedMixture


@dataclass(frozen=True)
class MixtureFit(Statistic):
    """What information criteria read of a fitted mixture."""

    n: int
    log_likelihood: float
    parameters: int
    hard: float  # minus the sum of ln max_k t_ik
    soft: float  # minus the sum of t_ik ln t_ik

    @classmethod
    def of(cls, source: FittedMixture) -> MixtureFit:
        """Add up the entropies of the points."""
        t = source.responsibilities
        hard = -float(np.log(t.max(axis=1)).sum()) + 0.0
        soft = -float((t * np.log(np.where(t > 0, t, 1.0))).sum()) + 0.0
        return cls(source.n, source.log_likelihood, source.parameters, hard, soft)

    @property
    def bic(self) -> float:
        """The Bayesian information criterion."""
        return -2 * self.log_likelihood + self.parameters * float(np.log(self.n))
