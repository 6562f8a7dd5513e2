"""How well many labellings of the same points agree with each other, pair by pair."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds


def rand_matrix(codes: Integers, *, n_jobs: int) -> Floats:
    """Return the adjusted Rand index of every two labellings, rows of `codes` that count from 0; 1 on the diagonal.

    >>> rand_matrix(np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 0, 1]]), n_jobs=1).round(3).tolist()
    [[1.0, 1.0, -0.5], [1.0, 1.0, -0.5], [-0.5, -0.5, 1.0]]
    """
    m, n = codes.shape
    both = pairs_together_numpy(codes) if m * n <= thresholds.PAIRS else _pairs_together(codes, n_jobs)
    alone = both.diagonal()
    expected = np.outer(alone, alone) / max(n * (n - 1) / 2, 1)
    most = (alone[:, None] + alone) / 2
    same = most == expected  # all points together, or each alone, in both
    return np.where(same, 1.0, (both - expected) / np.where(same, 1.0, most - expected))


def _pairs_together(codes: Integers, n_jobs: int) -> Floats:
    m = len(codes)
    clusters = codes.max(axis=1) + 1
    both = np.empty((m, m), dtype=np.int64)

    def work(item: int) -> None:
        kernels.labels.many_labellings.together(
            codes[item], clusters[item], codes[item:], clusters[item:].max(), both[item, item:], np.empty(m)
        )

    threads.run(work, m, n_jobs)
    return (np.triu(both) + np.triu(both, 1).T).astype(np.float64)


def pairs_together_numpy(codes: Integers) -> Floats:
    """Return the number of pairs of points that both of two labellings put together, for every two."""
    pairs = np.triu_indices(codes.shape[1], 1)
    same = (codes[:, pairs[0]] == codes[:, pairs[1]]).astype(np.float64)
    return np.asarray(same @ same.T)
