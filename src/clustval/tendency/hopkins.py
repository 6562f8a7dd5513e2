"""Whether random places are farther from the data than the data from each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats
from clustval.errors import InputError
from clustval.inputs import at_least
from clustval.passes.work import threads
from clustval.progress import bar
from clustval.result import Result
from clustval.seeding import generators
from clustval.tables import Tabular, html_table
from clustval.tendency.uniform_box import NOT_UNIFORM, varying

SHARE = 10  # one point in so many is drawn, so that draws hardly depend on each other
MOST = 1000  # points are enough for a standard deviation of 0.01


@dataclass(frozen=True, repr=False, eq=False)
class Hopkins(Tabular, Result):
    """Hopkins statistics, one per sample: near 0.5 for points uniform in their box, near 1 for clusters.

    One round cluster is far from uniform, too: its statistic is well above 0.5.
    """

    values: Floats
    m: int

    @property
    def mean(self) -> float:
        """Mean over samples."""
        return float(self.values.mean())

    @property
    def std(self) -> float:
        """Standard deviation over samples."""
        return float(self.values.std())

    @property
    def p_value(self) -> float:
        """Probability that uniform points give one sample as large as the mean, by the Beta(m, m) distribution."""
        from scipy.special import betaincc  # noqa: PLC0415 - only the p-value needs it

        return float(betaincc(self.m, self.m, self.mean))

    def _records(self) -> list[dict[str, Any]]:
        return [{"sample": sample, "hopkins": value} for sample, value in enumerate(self.values.tolist())]

    def __str__(self) -> str:
        return (
            f"Hopkins statistic {self.mean:.3f} (s.d. {self.std:.3f}, {len(self.values)} samples of {self.m} points), "
            f"p = {self.p_value:.2g}; 0.5: as uniform points, 1: clusters. {NOT_UNIFORM}"
        )

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = ("Hopkins", "s.d.", "samples", "m", "p")
        row = (f"{self.mean:.3f}", f"{self.std:.3f}", str(len(self.values)), str(self.m), f"{self.p_value:.2g}")
        return html_table([head, row])


def hopkins(
    X: Any,
    m: int | None = None,
    *,
    n_samples: int = 500,
    random_state: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Hopkins:
    r"""Share of random places in the volume of balls, around random places and around points, up to the nearest point.

    .. math:: H = \frac{\sum_j u_j^d}{\sum_j u_j^d + \sum_j w_j^d}

    with u the distances of m places, uniform in the range of each column, to the nearest point of X, and w those of
    m points of X, drawn without replacement, to the nearest other point; d is the number of columns that vary. 1
    means clusters, as in Zaki and Meira (17.3.2); some programs give 1 - H, or leave out the exponent.

    Parameters
    ----------
    X
        One row per point.
    m
        Points in a sample: by default a tenth, 1,000 at most.
    n_samples
        Number of samples.
    random_state
        A seed, a generator, or None.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Hopkins
        ``values`` (one per sample), ``mean``, ``std``, ``p_value``. Samples share the data, so that many of them do
        not make the p-value smaller. It holds for m well below the number of points.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.1, (50, 2)) for c in range(3)])
    >>> hopkins(X, random_state=0).mean > 0.9
    True
    """
    from scipy.spatial import cKDTree  # noqa: PLC0415 - only this needs it

    points = varying(inputs.as_points(X))
    n, d = points.shape
    size = min(max(n // SHARE, 1), MOST) if m is None else at_least(m, 1, "m")
    if size > n:
        msg = f"m must be at most {n}, the number of points; it is {size}."
        raise InputError(msg)
    generator = generators(random_state)
    low, high = points.min(axis=0), points.max(axis=0)
    tree = cKDTree(points)
    values = np.empty(at_least(n_samples, 1, "n_samples"))

    def work(item: int) -> None:
        rng = generator(item)
        places = rng.uniform(low, high, (size, d))
        sample = points[rng.choice(n, size, replace=False)]
        to_places = np.asarray(tree.query(places)[0])
        to_points = np.asarray(tree.query(sample, k=2)[0])[:, 1]  # the nearest is the point itself
        values[item] = _share(to_places, to_points, d)

    with bar("Drawing samples", shown=progress, total=len(values)) as done:
        threads.run(work, len(values), inputs.as_jobs(n_jobs), done)
    return Hopkins(values, size)


def _share(u: Floats, w: Floats, d: int) -> float:
    largest = max(u.max(), w.max())  # a power of d overflows unless distances are at most 1
    over, under = ((u / largest) ** d).sum(), ((w / largest) ** d).sum()
    return float(over / (over + under))
