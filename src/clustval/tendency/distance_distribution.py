"""Whether distances between points are distributed unlike those between random places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats
from clustval.inputs import at_least
from clustval.options import seeded
from clustval.passes.pairs.distance_histogram import distance_histogram
from clustval.passes.work import threads
from clustval.progress import bar
from clustval.readers.rows_in_memory import points_in_memory
from clustval.seeding import generators
from clustval.tendency.divergence import Divergence, divergence
from clustval.tendency.uniform_box import varying


@seeded
def distance_distribution(
    X: Any,
    bins: int = 25,
    *,
    n_samples: int = 500,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Divergence:
    r"""Divergence of the histogram of distances between points from those of uniform samples, in bits.

    .. math:: \mathrm{KL}(f | g_j) = \sum_i f(i) \log_2 \frac{f(i)}{g_j(i)}

    with f the share of the n (n - 1) / 2 distances of the data in bin i and g_j that of sample j, uniform in the range
    of each column (Zaki and Meira, 17.3.2). As in the book, the data and each sample are binned from their own
    smallest to their own largest distance. An empty bin of a sample counts as half a distance.

    Parameters
    ----------
    X
        One row per point.
    bins
        Number of bins.
    n_samples
        Number of uniform samples. Each takes time quadratic in the number of points, and memory linear in it.
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
    Divergence
        ``values`` (one per sample), ``mean``, ``std``; ``p_value``, and ``null_means``, the mean divergence of each
        sample from the others; and ``null``, the divergence of each sample from the next.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(c, 0.1, (50, 2)) for c in range(3)])
    >>> result = distance_distribution(X, n_samples=20, random_state=0)
    >>> bool(result.mean > result.null.max())
    True
    """
    points = varying(inputs.as_points(points_in_memory(X, features=features, use_rep=use_rep, force=force)))
    parts = at_least(bins, 2, "bins")
    histograms = np.zeros((at_least(n_samples, 1, "n_samples"), parts))
    generator = generators(random_state)
    low, high = points.min(axis=0), points.max(axis=0)

    def work(item: int) -> None:
        histograms[item] = distance_histogram(generator(item).uniform(low, high, points.shape), parts)

    with bar("Drawing samples", shown=progress, total=len(histograms)) as done:
        threads.run(work, len(histograms), inputs.as_jobs(n_jobs), done)
    data = distance_histogram(points, parts)
    values = np.array([divergence(data, counts) for counts in histograms])
    following = np.roll(histograms, -1, axis=0)
    null = np.array([divergence(*pair) for pair in zip(histograms, following, strict=True)])
    return Divergence("distance distribution", values, null, _means_of_samples(histograms))


def _means_of_samples(histograms: Floats) -> Floats:
    """Return the mean divergence of each sample from the others; there is none of one sample."""
    if len(histograms) == 1:
        return np.empty(0)
    own = (histograms * np.log2(np.maximum(histograms, 1))).sum(axis=1)
    logarithms = np.log2(np.maximum(histograms, 0.5))
    others = (logarithms.sum(axis=0) - logarithms) / (len(histograms) - 1)
    return np.asarray((own - (histograms * others).sum(axis=1)) / histograms.sum(axis=1))
