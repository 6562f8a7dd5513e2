"""Whether points have one mode: the dip test of Hartigan and Hartigan on a projection and on distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.errors import optional
from clustval.options import seeded
from clustval.readers.rows_in_memory import coordinates_in_memory
from clustval.result import Result
from clustval.seeding import generators
from clustval.tables import Tabular, html_table
from clustval.tendency.uniform_box import uniform, varying

POINTS = 1000  # whose distances are compared
FEW_POINTS = 100  # up to which the dips of distances between uniform points are drawn: they depend on each other
DRAWS = 999


@dataclass(frozen=True, repr=False, eq=False)
class Unimodality(Tabular, Result):
    """Dips of the first principal component and of the distances, and their p-values if there is one mode.

    A dip is how far a distribution is from the nearest one with a single mode, from 0 to 1/4. The p-values take values
    for independent, which distances are not: those of up to 100 points are also compared with the distances of as many
    uniform points with the same covariance, and the larger p-value counts.
    """

    projection_dip: float
    projection_p_value: float
    distances_dip: float
    distances_p_value: float
    points: int

    @property
    def p_value(self) -> float:
        """The smaller of the two p-values, times two: one mode is ruled out if either does."""
        return min(1.0, 2 * min(self.projection_p_value, self.distances_p_value))

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"of": "first principal component", "dip": self.projection_dip, "p": self.projection_p_value},
            {"of": "distances", "dip": self.distances_dip, "p": self.distances_p_value},
        ]

    def __str__(self) -> str:
        reading = "more than one mode" if self.p_value < 0.05 else "no sign of more than one mode"
        return (
            f"dip {self.projection_dip:.4f} (p = {self.projection_p_value:.2g}) of the first principal component, "
            f"{self.distances_dip:.4f} (p = {self.distances_p_value:.2g}) of the distances: {reading}"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [[str(record["of"]), f"{record['dip']:.4f}", f"{record['p']:.2g}"] for record in self._records()]
        return html_table([["of", "dip", "p"], *rows])


@seeded
def unimodality(
    X: Any,
    *,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
) -> Unimodality:
    """How far points are from having one mode, by dips of their first principal component and of their distances.

    One mode, of any shape, is the null here: a single Gaussian is not rejected, while tests against uniform points
    reject it. Clusters that overlap much may have one mode together, and one long or curved cluster can have distances
    with two.

    Parameters
    ----------
    X
        One row per point. Of more than 1,000 points, distances are those of a sample.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, for the sample, or for the uniform points that up to 100 points are compared with.

    Returns
    -------
    Unimodality
        ``p_value``, and both dips with their p-values.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(centre, 1, (50, 2)) for centre in (0, 9)])
    >>> unimodality(X).p_value < 0.05
    True
    """
    from scipy.spatial.distance import pdist  # noqa: PLC0415 - only this needs it

    diptest = optional("diptest", "tendency")
    points = varying(coordinates_in_memory(X, features=features, use_rep=use_rep, force=force))
    centred = points - points.mean(axis=0)
    first = np.linalg.svd(centred, full_matrices=False)[2][0]
    some, generator = points, generators(random_state)
    if len(points) > POINTS:
        some = points[generator(0).choice(len(points), POINTS, replace=False)]
    dips = [diptest.diptest(np.ascontiguousarray(values)) for values in (centred @ first, pdist(some))]
    (dip, p), (distances_dip, distances_p) = ((float(dip), float(p)) for dip, p in dips)
    if len(points) <= FEW_POINTS:
        draw = uniform(points)
        drawn = np.array([diptest.dipstat(pdist(draw(generator(1, item)))) for item in range(DRAWS)])
        distances_p = max(distances_p, (1 + int((drawn >= distances_dip).sum())) / (1 + DRAWS))
    return Unimodality(dip, p, distances_dip, distances_p, len(points))
