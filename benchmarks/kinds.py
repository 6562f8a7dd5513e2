"""How fast are indices of memberships and of clusterings that overlap? Beside reading them, and beside plain loops.

Run ``python benchmarks/kinds.py`` for everything, or name parts: ``python benchmarks/kinds.py fuzzy covers consensus``.
Ratios are taken in one process from interleaved repeats, the fastest of each kept.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
import scipy.sparse
from agreement import compare, fastest, line

import clustval as cv
from clustval.ensembles.co_clusters import Ensemble

RNG = np.random.default_rng(0)


def fuzzy():
    """Memberships of 1e6 points in 8 clusters, in 10 columns: beside reading both from a file, and from memory."""
    n, p, k = 10**6, 10, 8
    X, U = RNG.normal(size=(n, p)), RNG.dirichlet(np.ones(k), n)
    linear = [name for name in cv.fuzzy.evaluate(X[:99], U[:99]) if name != "fuzzy_silhouette"]
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{name}.npy" for name in "XU"]
        for path, array in zip(paths, (X, U), strict=True):
            np.save(path, array)
        from_file = lambda: [np.load(path) for path in paths]  # noqa: E731
        from_memory = lambda: (X.max(), U.max())  # noqa: E731
        for name, indices in (
            ("partition_coefficient", "partition_coefficient"),
            ("fuzzy_xie_beni", "fuzzy_xie_beni"),
            (f"all {len(linear)} linear indices", linear),
        ):
            ours = lambda: cv.fuzzy.evaluate(X, U, indices=indices)  # noqa: B023, E731
            a, b, c = fastest(ours, from_file, from_memory)
            line(
                f"{name}, 1e6 x 10 x 8, against reading files",
                f"{a * 1e3:.0f} ms",
                f"{b * 1e3:.0f} ms",
                f"{a / b:.2f}x",
                "<= 3x",
                a / b <= 3,
            )
            line("  against reading memory once", "", f"{c * 1e3:.0f} ms", f"{a / c:.2f}x", "<= 3x", a / c <= 3)


def covers():
    """Covers of 1e5 points by 1e3 clusters; each point is in 2 clusters on average, or in 10."""
    n, k = 10**5, 10**3
    for several in (2, 10):

        def cover(several=several):
            rows = np.concatenate([np.arange(n), RNG.integers(0, n, n * (several - 1))])
            columns = np.concatenate([np.arange(n) % k, RNG.integers(0, k, n * (several - 1))])
            table = scipy.sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, k))
            table.data[:] = 1
            return table

        A, B = cover(), cover()
        for name in ("omega", "onmi_max", "best_match_f", "bcubed_f"):
            begin = perf_counter()
            getattr(cv.covers, name)(A, B)
            seconds = perf_counter() - begin
            line(
                f"{name}, 1e5 points x 1e3 clusters, {several} of each point",
                f"{seconds:.2f} s",
                "",
                "",
                "<= 10 s",
                seconds <= 10,
            )


def consensus():
    """Labels of 5,000 points in 50 samples: beside the co-association as a product of matrices of 0 and 1."""
    n, samples, k = 5000, 50, 5
    truth = RNG.integers(0, k, n)
    codes = np.array([np.where(RNG.random(n) < 0.2, RNG.integers(0, k, n), truth) for _ in range(samples)])
    codes[RNG.random(codes.shape) < 0.2] = -1

    def plain():
        ones = np.hstack([row[:, None] == np.arange(k) for row in codes]).astype(np.float32)
        there = (codes.T >= 0).astype(np.float32)
        shares = (ones @ ones.T) / (there @ there.T)
        above = shares[np.triu_indices(n, 1)]
        return ((above > 0.1) & (above <= 0.9)).mean(), 1 - above.mean()

    def ours():
        values, counts = Ensemble(codes).distribution
        return counts[(values > 0.1) & (values <= 0.9)].sum() / counts.sum(), 1 - values @ counts / counts.sum()

    assert np.allclose(ours(), plain(), rtol=1e-4)
    compare("PAC and area of 5,000 points, 50 samples, against products of matrices", ours, plain, 1, repeats=3)


PARTS = {"fuzzy": fuzzy, "covers": covers, "consensus": consensus}

if __name__ == "__main__":
    print(f"{'':<70} {'ours':>10} {'other':>10} {'ratio':>8} {'bar':>8}  met")
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
