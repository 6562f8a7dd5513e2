"""How fast are mixed tables and categories? Ratios against the packages gower and kmodes, and against plain passes.

``pip install gower kmodes`` brings them. Run ``python benchmarks/mixed.py`` for everything, or name parts:
``python benchmarks/mixed.py gower``. A ratio is taken in one process from interleaved repeats, the fastest of each.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import perf_counter

import gower
import numpy as np
import pandas as pd
from memory import REFS, peak
from pairs import fastest, show
from sklearn.metrics import silhouette_score

import clustval as cv

MOST = 200  # MiB, of 3,000,000 rows


def mixed(n, *, gaps=False, seed=0):
    """Return a frame of six columns of numbers and six of categories in five clusters, and the clusters."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 5, n)
    numbers = rng.random((n, 6)) + labels[:, None] / 4 + 0.5
    codes = np.where(rng.random((n, 6)) < 0.4, rng.integers(0, 8, (n, 6)), labels[:, None])
    words = np.array(list("abcdefgh"), dtype=object)[codes]
    frame = pd.DataFrame({f"x{j}": numbers[:, j] for j in range(6)})
    frame = frame.assign(**{f"c{j}": pd.Series(words[:, j], dtype=object) for j in range(6)})
    return (frame.mask(rng.random(frame.shape) < 0.05) if gaps else frame), labels


def of_gower():
    frame, labels = mixed(10_000)
    ours = lambda: cv.internal.silhouette(frame, labels, metric="gower")  # noqa: E731
    begin = perf_counter()
    value = silhouette_score(gower.gower_matrix(frame), labels, metric="precomputed")  # a minute or more: once
    theirs = perf_counter() - begin
    np.testing.assert_allclose(ours(), value, rtol=1e-4)  # the package computes in single precision
    (a,) = fastest(ours, repeats=3)
    show("silhouette, 10,000 x 12 mixed, gower", theirs / a, 20, (a, theirs))
    few = frame[:1000]
    a, b = fastest(lambda: cv.gower(few), lambda: gower.gower_matrix(few), repeats=1)
    show("the matrix of 1,000 rows, gower", b / a, 20, (a, b))
    with_gaps, _ = mixed(10_000, gaps=True)
    a, b = fastest(lambda: cv.internal.silhouette(with_gaps, labels, metric="gower"), ours, repeats=3)
    show("with 5 % missing, without", a / b, 10, (a, b), at_most=True)
    numbers = np.ascontiguousarray(cv.mixed(frame).image)
    a, b = fastest(ours, lambda: cv.internal.silhouette(numbers, labels, metric="cityblock"), repeats=3)
    show("gower, cityblock of as many columns", a / b, 3, (a, b), at_most=True)


def blocks():
    """Print the peak and the time of an estimate from a file of mixed rows, over what the process had before."""
    n, step = 3_000_000, 250_000
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / f"{at}.parquet") for at in range(n // step)]
        for at, path in enumerate(paths):
            frame, labels = mixed(step, gaps=True, seed=at)
            frame.assign(cluster=labels).to_parquet(path)
        del frame, labels
        options = {"metric": "gower", "approximate": 0.01, "memory": "256 MiB"}
        cv.evaluate(paths[:2], "cluster", "silhouette", **options)  # then whatever is loaded and compiled is there
        REFS.write_text("5")
        before, begin = peak(), perf_counter()
        scores = cv.evaluate(paths, "cluster", "silhouette", **options)
        most, seconds = peak() - before, perf_counter() - begin
        verdict = "ok" if most <= MOST else "MISSED"
        print(f"silhouette, {n:,} x 12 mixed in files, estimated: {most:.0f} MiB over the base <= {MOST}  {verdict}")
        print(f"  {scores['silhouette']:.4f} ± {scores.error('silhouette'):.4f} in {seconds:.1f} s")


def categories():
    frame, labels = mixed(1_000_000)
    codes = frame[[f"c{j}" for j in range(6)]].astype("category")
    table = cv.categorical.categories(codes)
    counted = lambda: [pd.crosstab(labels, codes[name]) for name in codes]  # noqa: E731
    a, b = fastest(lambda: cv.categorical.evaluate(table, labels), counted, repeats=3)
    show("3 indices, 1,000,000 x 6, pandas.crosstab", b / a, 3, (a, b))
    a, b = fastest(lambda: cv.categorical.evaluate(codes, labels), counted, repeats=3)
    show("... and columns are read", b / a, 1, (a, b))


PARTS = {"gower": of_gower, "categories": categories, "blocks": blocks}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
