"""How long do files and pages take beyond the numbers? In units of the same call in memory, and of seconds.

Run ``python benchmarks/tables.py``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from unittest.mock import patch

import polars as pl
from pairs import clustered, fastest, show

import clustval as cv
from clustval import pages
from clustval.readers.pieces import Limits

IN_BLOCKS = patch.object(Limits, "hold", lambda _limits, _numbers: False)  # as where rows do not fit into memory


def files(folder):
    """Evaluate tables in files next to the same points in memory, and next to files that are read again and again."""
    for n, repeats, suites in ((300, 50, ("default", "fast")), (1_500_000, 3, ("fast",))):
        X, labels = clustered(n, 8, 10)
        frame = pl.DataFrame({f"x{j}": X[:, j] for j in range(8)} | {"cluster": labels})
        csv, parquet = str(folder / f"{n}.csv"), str(folder / f"{n}.parquet")
        frame.write_parquet(parquet)
        frame.write_csv(csv)
        for suite in suites:
            memory, once, often, text = fastest(
                lambda X=X, labels=labels, suite=suite: cv.evaluate(X, labels, suite),
                lambda path=parquet, suite=suite: cv.evaluate(path, "cluster", suite),
                lambda path=parquet, suite=suite: IN_BLOCKS(cv.evaluate)(path, "cluster", suite),
                lambda path=csv, suite=suite: cv.evaluate(path, "cluster", suite),
                repeats=repeats,
            )
            show(f"Parquet / memory, {suite}, n={n}", once / memory, 6, (memory, once), at_most=True)
            show("... read for each pass / read once", often / once, 1, (often, once))
            show("... CSV / memory", text / memory, 10, (memory, text), at_most=True)


def page():
    """Write the page of 300 points, with a first look that was taken before and without any."""
    X, labels = clustered(300, 4, 3)
    scores = cv.evaluate(X, labels)
    look = pages.look_at(scores, "labels", None)
    without, given, whole = fastest(
        lambda: scores.to_html(look=False),
        lambda: scores.to_html(look=look),
        scores.to_html,
        repeats=5,
    )
    for what, seconds in (("without a look", without), ("with a look taken before", given)):
        print(f"page of 300 points, {what:<24}{seconds:8.2f} s   <= 0.5 {'ok' if seconds <= 0.5 else 'MISSED'}")
    print(f"page of 300 points, and the look itself     {whole:8.2f} s")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        files(Path(name))
    page()
