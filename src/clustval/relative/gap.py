"""How much tighter the clusters of the data are than those of data without clusters, for each number of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from clustval import inputs, kernels
from clustval.arrays import Floats, Integers
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.inputs import at_least, is_number, one_of
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import coordinates_in_memory
from clustval.relative.estimators import clusterer, numbers_for_points
from clustval.result import Result
from clustval.rules import one_standard_error
from clustval.seeding import generators
from clustval.tables import Table, WithTable, html_table

Sample = Callable[[np.random.Generator], Floats]
Reference = Literal["box", "pca"]
Dispersion = Literal["pairs", "squared"]
FEWEST_STARTS, MOST_STARTS, STARTED_NUMBERS = 5, 25, 500_000  # of k-means on a reference


@dataclass(frozen=True, repr=False, eq=False)
class GapStatistic(WithTable, Drawn, Result):
    """Gaps by number of clusters, and the number that each rule chooses."""

    _figure = "gap"

    table: Table
    best: Mapping[str, int | None]
    dispersion: Dispersion
    reference: Reference
    base: float
    n_references: int

    @property
    def _conclusion(self) -> str:
        return "chosen: " + ", ".join(f"{rule} {k or '—'}" for rule, k in self.best.items())

    def to_html(self, path: Any = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`."""
        from clustval.report import About, of_resampled  # noqa: PLC0415 - only reports need it

        return of_resampled(About(gap=self, **about), path)

    def _repr_html_(self) -> str:
        choices = [(rule, str(k or "—")) for rule, k in self.best.items()]
        return self.table._repr_html_() + html_table([("rule", "k"), *choices])


@seeded
def gap_statistic(
    X: Any,
    k: int | Iterable[int] = range(1, 11),
    *,
    estimator: Any = None,
    n_references: int = 100,
    reference: Reference = "box",
    dispersion: Dispersion = "pairs",
    base: float | None = None,
    n_init: int | None = None,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> GapStatistic:
    r"""Gap between the log of the dispersion expected without clusters and that of the data, for each k.

    .. math:: \mathrm{gap}(k) = \frac1B \sum_{b=1}^B \log W_k(R_b) - \log W_k(X)

    Parameters
    ----------
    X
        One row per point.
    k
        Numbers of clusters.
    estimator
        None for our own k-means; an object with ``fit_predict`` and ``n_clusters``; or a function
        ``(X, k, rng) -> labels``. It clusters the data and every reference. Points that it calls noise, -1, are one
        cluster.
    n_references
        B, the number of samples R without clusters, each of as many points as X.
    reference
        Where references are uniform: "box", the range of each column; "pca", the range along each principal axis.
    dispersion
        W: "pairs", the sum of the distances inside clusters (Zaki and Meira, eq. 17.23), or "squared", the sum of
        squared distances to the means (Tibshirani, Walther and Hastie 2001).
    base
        Base of the logarithm: by default 2 for "pairs", as in the book, and e for "squared", as in the paper.
    n_init
        Starts of our own k-means, of which the best result counts. By default, for the data from 100 for up to 2,000
        numbers in X down to 10 for 20,000 and more, since too few leave them above their optimum, and the gap too
        small; for a reference from 25 for up to 20,000 numbers down to 5 for 100,000 and more, which leave their logs
        above their optimum by less than 0.4 of the s.d.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, by either name. The value at one k does not depend on which others are asked for.
    n_jobs
        Number of threads; None for all cores. The values do not depend on it.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    GapStatistic
        ``table``: for each k the gap, the s.d. of the logs over references (divided by B), the s.e. that adds the
        error of their mean, :math:`\mathrm{sd} \sqrt{1 + 1/B}`, and both logs. NaN where a dispersion is 0.
        ``best``: the number of clusters by each rule, None if no gap is defined. ``one_sd``, ``two_sd`` (Zaki and
        Meira) and ``one_se`` (Tibshirani) take the least k with a gap at least that of the next k less so many of
        its deviations, the last k if there is none; ``max`` the largest gap; ``first_max`` the first gap that the
        next does not exceed; ``max_se`` and ``first_max_se`` the least k whose gap is within one s.e. of these two.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.1, (20, 2)) for c in range(3)])
    >>> gap_statistic(X, range(1, 6), n_references=20, random_state=0).best["one_se"]
    3
    """
    points = coordinates_in_memory(X, features=features, use_rep=use_rep, force=force)
    ks = numbers_for_points(k, points)
    cluster = clusterer(estimator, n_init=n_init)
    cluster_reference = cluster
    if estimator is None and n_init is None:
        cluster_reference = clusterer(n_init=min(MOST_STARTS, max(FEWEST_STARTS, STARTED_NUMBERS // points.size)))
    count = at_least(n_references, 1, "n_references")
    sample = REFERENCES[one_of(reference, REFERENCES, "reference")](points)
    spread = DISPERSIONS[one_of(dispersion, DISPERSIONS, "dispersion")]
    logarithm = math.log(_base(base, dispersion))
    generator = generators(random_state)
    dispersions = np.empty((count + 1, len(ks)))

    def work(item: int) -> None:
        who, which = divmod(item, len(ks))  # 0 is the data; the references follow
        data, method = (points, cluster) if who == 0 else (sample(generator(who, 0)), cluster_reference)
        labels = method(data, ks[which], generator(who, ks[which]))
        dispersions[who, which] = spread(data, labels)

    with bar("Clustering references", shown=progress, total=dispersions.size) as done:
        cluster.run(work, dispersions.size, inputs.as_jobs(n_jobs), done)

    dispersions[dispersions <= 0] = np.nan
    logs = np.log(dispersions) / logarithm
    expected, sd = logs[1:].mean(axis=0), logs[1:].std(axis=0)
    gap = expected - logs[0]
    se = sd * math.sqrt(1 + 1 / count)
    table = Table({"k": np.array(ks), "gap": gap, "sd": sd, "se": se, "log_w": logs[0], "expected_log_w": expected})
    best = {rule: None if np.isnan(gap).all() else ks[choose(gap, sd, se)] for rule, choose in RULES.items()}
    return GapStatistic(table, best, dispersion, reference, math.exp(logarithm), count)


def box(X: Floats) -> Sample:
    """Return draws that are uniform in the box of the columns."""
    low, high = X.min(axis=0), X.max(axis=0)
    return lambda rng: rng.uniform(low, high, X.shape)


def along_axes(X: Floats) -> Sample:
    """Return draws that are uniform in the box of the principal components of the data."""
    mean = X.mean(axis=0)
    _, _, axes = np.linalg.svd(X - mean, full_matrices=False)
    uniform = box((X - mean) @ axes.T)
    return lambda rng: uniform(rng) @ axes + mean


def gaussian(X: Floats) -> Sample:
    """Return draws of one Gaussian with the mean and the covariance of the data."""
    mean = X.mean(axis=0)
    _, _, axes = np.linalg.svd(X - mean, full_matrices=False)
    scores = (X - mean) @ axes.T
    spread = scores.std(axis=0, ddof=1)
    return lambda rng: mean + (rng.normal(size=scores.shape) * spread) @ axes


def permuted(X: Floats) -> Sample:
    """Return draws with the columns of the data, each in an order of its own: codes stay codes.

    A table for Gower's distance that has a weight before each number keeps its missing values where they are.
    """
    weighted = bool(X.size) and bool(X[0, 0] < 0)

    def draw(rng: np.random.Generator) -> Floats:
        if not weighted:
            return rng.permuted(X, axis=0)
        drawn = X.copy()
        for at in range(1, X.shape[1], 2):
            known = np.flatnonzero(X[:, at - 1] <= X[:, at - 1].min())
            drawn[known, at] = X[rng.permutation(known), at]
        return drawn

    return draw


def _sorted(X: Floats, labels: Integers) -> tuple[Floats, Integers]:
    sizes = np.bincount(labels)
    return X[np.argsort(labels, kind="stable")], np.concatenate([[0], np.cumsum(sizes)])


def _within_pairs(X: Floats, labels: Integers) -> float:
    points, starts = _sorted(X, labels)
    return float(kernels.kmeans.dispersion.distances_within(np.ascontiguousarray(points.T), starts))


def _within_squares(X: Floats, labels: Integers) -> float:
    from clustval.stats.points.moments import Moments  # noqa: PLC0415

    return float(Moments.of_points(*_sorted(X - X.mean(axis=0), labels)).within)


def _base(base: float | None, dispersion: str) -> float:
    if base is None:
        return 2.0 if dispersion == "pairs" else math.e
    if not is_number(base) or not 1 < base < math.inf:
        msg = f"base must be a number above 1, such as 2, 10 or math.e; it is {base!r}."
        raise InputError(msg)
    return float(base)


def _largest(gap: Floats) -> int:
    return int(np.nanargmax(gap))


def _first_peak(gap: Floats) -> int:
    peaks = np.flatnonzero(gap[:-1] >= gap[1:])
    return int(peaks[0]) if len(peaks) else _largest(gap)


def _near(gap: Floats, se: Floats, peak: int) -> int:
    """Return the first position whose gap is within one s.e. of that at the peak."""
    return int(np.flatnonzero(gap >= gap[peak] - se[peak])[0])


REFERENCES: dict[str, Callable[[Floats], Sample]] = {"box": box, "pca": along_axes}
DISPERSIONS: dict[str, Callable[[Floats, Integers], float]] = {"pairs": _within_pairs, "squared": _within_squares}
RULES: dict[str, Callable[[Floats, Floats, Floats], int]] = {
    "one_sd": lambda gap, sd, _se: one_standard_error(gap, sd),
    "two_sd": lambda gap, sd, _se: one_standard_error(gap, sd, times=2),
    "one_se": lambda gap, _sd, se: one_standard_error(gap, se),
    "max": lambda gap, _sd, _se: _largest(gap),
    "max_se": lambda gap, _sd, se: _near(gap, se, _largest(gap)),
    "first_max": lambda gap, _sd, _se: _first_peak(gap),
    "first_max_se": lambda gap, _sd, se: _near(gap, se, _first_peak(gap)),
}
