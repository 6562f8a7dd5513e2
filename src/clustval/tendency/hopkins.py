"""Whether random places are farther from the data than the data from each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.inputs import at_least
from clustval.options import seeded
from clustval.passes.neighbours.across import Reference
from clustval.passes.work import threads, thresholds
from clustval.progress import bar
from clustval.readers.rows_in_memory import coordinates_in_memory
from clustval.result import Result
from clustval.seeding import generators
from clustval.tables import Tabular, html_table
from clustval.tendency.uniform_box import NOT_UNIFORM, varying

SHARE = 10  # one point in so many is drawn, so that draws hardly depend on each other
MOST = 1000  # points are enough for a standard deviation of 0.01
DRAWS = 49  # sets of uniform points that say how the mean over samples is distributed
SAMPLES = 20  # of each: what fewer samples add to the scatter of their mean is known, and taken off


@dataclass(frozen=True, repr=False, eq=False)
class Hopkins(Tabular, Drawn, Result):
    """Hopkins statistics, one per sample: near 0.5 for points uniform in their box, near 1 for clusters.

    One round cluster is far from uniform, too: its statistic is well above 0.5.
    """

    _figure = "hopkins"

    values: Floats
    m: int
    null_mean: float  # of the mean over as many samples of points that are uniform in the box
    null_std: float
    null_skewness: float
    null_error: float  # standard error of null_mean

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
        """Probability that uniform points give a mean as large, by Student's t of the means of 49 sets of them.

        The means of a set are of fewer samples than that of the data, which is taken off their variance: what is left
        is known as well as from fewer sets.
        """
        from scipy.special import stdtr  # noqa: PLC0415 - only the p-value needs it

        if self.null_error == 0:
            return float(self.mean <= self.null_mean)
        steps = (self.mean - self.null_mean) / math.hypot(self.null_std, self.null_error)
        share_left = self.null_std**2 / (DRAWS * self.null_error**2)
        return float(stdtr((DRAWS - 1) * share_left**2, -_without_skewness(steps, self.null_skewness)))

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


@seeded
def hopkins(
    X: Any,
    m: int | None = None,
    *,
    n_samples: int = 500,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Hopkins:
    r"""How much farther random places are from the nearest point than points are: 0.5 if uniform, near 1 for clusters.

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
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, by either name.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Hopkins
        ``values`` (one per sample), ``mean``, ``std``; ``p_value``, and the mean and the standard deviation that the
        mean of as many samples has for uniform points in the same box, ``null_mean`` and ``null_std``.
        The nearest points of 49 uniform sets are searched, too: a million points take half a minute.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.1, (50, 2)) for c in range(3)])
    >>> hopkins(X, random_state=0).mean > 0.9
    True
    """
    points = varying(coordinates_in_memory(X, features=features, use_rep=use_rep, force=force))
    n, d = points.shape
    size = min(max(n // SHARE, 1), MOST) if m is None else at_least(m, 1, "m")
    if size > n:
        msg = f"m must be at most {n}, the number of points; it is {size}."
        raise InputError(msg)
    generator = generators(random_state)
    low, high = points.min(axis=0), points.max(axis=0)
    values = np.empty(at_least(n_samples, 1, "n_samples"))
    of_points = _sampler(points, low, high, size, len(values))
    null = np.empty((DRAWS, SAMPLES))

    def work(item: int) -> None:
        if item < len(values):
            values[item] = of_points(generator(item))
            return
        rng = generator(0, item - len(values))
        # The range of a set of points lies inside their box: that of each draw is its own, as that of the data is.
        drawn = rng.uniform(low, high, (n, d))
        of_draw = _sampler(drawn, drawn.min(axis=0), drawn.max(axis=0), size, SAMPLES)
        null[item - len(values)] = [of_draw(rng) for _ in range(SAMPLES)]

    with bar("Drawing samples", shown=progress, total=len(values) + DRAWS) as done:
        threads.run(work, len(values) + DRAWS, inputs.as_jobs(n_jobs), done)
    return Hopkins(values, size, *_moments(null, len(values)))


def _sampler(
    points: Floats, low: Floats, high: Floats, size: int, count: int
) -> Callable[[np.random.Generator], float]:
    """Return a function that draws places and points, and gives their statistic; it will be called so many times."""
    n, d = points.shape
    wide = d > thresholds.TREE_DIMENSIONS and n <= thresholds.NEIGHBOURS << d
    search = Reference(points) if wide else Tree(points)
    every = search.least_distances(points, np.arange(n)) if n <= count * size else None

    def sample(rng: np.random.Generator) -> float:
        places = rng.uniform(low, high, (size, d))
        chosen = rng.choice(n, size, replace=False)
        near = search.least_distances(points[chosen], chosen) if every is None else every[chosen]
        return _share(search.least_distances(places, np.full(size, -1)), near, d)

    return sample


class Tree:
    """Points among which the nearest are searched in a k-d tree."""

    def __init__(self, points: Floats) -> None:
        """Take the points (n, p)."""
        from scipy.spatial import cKDTree  # noqa: PLC0415 - only this needs it

        self.tree = cKDTree(points, balanced_tree=False)

    def least_distances(self, X: Floats, places: Integers) -> Floats:
        """Return the distance of each row of X to the nearest point; -1 in `places` says that rows are no points."""
        themselves = bool(places[0] >= 0)
        near = np.asarray(self.tree.query(X, k=2 if themselves else 1)[0])
        return near[:, 1] if themselves else near


def _moments(null: Floats, count: int) -> tuple[float, float, float, float]:
    """Return the mean, standard deviation and skewness of the mean of so many samples of a set, a row of each set.

    And the standard error of the mean over sets. At least half of the variance of sets stays when the scatter of their
    samples is taken off: less is known too badly.
    """
    means, scatter = null.mean(axis=1), float(null.var(axis=1, ddof=1).mean())
    variance = float(means.var(ddof=1))
    std = math.sqrt(max(variance + scatter * (1 / count - 1 / null.shape[1]), variance / 2))
    third = float(((means - means.mean()) ** 3).mean())
    return float(means.mean()), std, third / std**3 if std else 0.0, math.sqrt(variance / len(null))


def _without_skewness(steps: float, skewness: float) -> float:
    """Return standard deviations of a Gamma distribution as those of a Gaussian, by the cube root of the variable.

    >>> round(_without_skewness(2.0, 0.5), 2)  # a long tail has more
    1.82
    """
    if skewness <= 0:
        return steps
    root = math.cbrt(max(1 + skewness * steps / 2, 0.0))
    return 6 / skewness * (root - 1) + skewness / 6


def _share(u: Floats, w: Floats, d: int) -> float:
    largest = max(u.max(), w.max())  # a power of d overflows unless distances are at most 1
    over, under = ((u / largest) ** d).sum(), ((w / largest) ** d).sum()
    return float(over / (over + under))
