"""How fast are data where they live? Ratios against the packages that compare series, and what embeddings cost.

``pip install tslearn`` brings the peer. Run ``python benchmarks/homes.py`` for everything, or name parts:
``python benchmarks/homes.py series``. A ratio is taken in one process from interleaved repeats, the fastest of each.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
from pairs import fastest, show

import clustval as cv


def series():
    from tslearn.clustering import silhouette_score  # noqa: PLC0415 - of this part alone

    X = np.random.default_rng(0).normal(size=(500, 100)).cumsum(axis=1)
    labels = np.arange(500) % 4
    ours = lambda: cv.internal.silhouette(X, labels, metric="dtw", n_jobs=1)  # noqa: E731
    theirs = lambda: silhouette_score(X, labels, metric="dtw", n_jobs=1)  # noqa: E731
    np.testing.assert_allclose(ours(), theirs(), rtol=1e-10)
    a, b = fastest(ours, theirs, repeats=2)
    show("dtw silhouette, 500 series of 100, tslearn", b / a, 5, (a, b))
    a, b = fastest(lambda: cv.internal.silhouette(X, labels, metric="dtw(10)", n_jobs=1), ours, repeats=3)
    show("... with a window of 10, without", b / a, 3, (a, b))


def embeddings():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 8, 20_000)
    X = (rng.normal(size=(20_000, 384)) + labels[:, None]).astype(np.float32)
    frame = pl.DataFrame({"cluster": labels, "embedding": pl.Series(X, dtype=pl.Array(pl.Float32, 384))})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "documents.parquet"
        frame.write_parquet(path)
        plain = lambda: cv.evaluate(X, labels, "fast")  # noqa: E731
        a, b = fastest(lambda: cv.evaluate(frame, "cluster", "fast", features="embedding"), plain, repeats=3)
        show("suite fast, 20,000 x 384, a column of arrays, the array", a / b, 2, (a, b), at_most=True)
        a, b = fastest(lambda: cv.evaluate(path, "cluster", "fast", features="embedding"), plain, repeats=3)
        show("... from Parquet, the array", a / b, 4, (a, b), at_most=True)


PARTS = {"series": series, "embeddings": embeddings}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
