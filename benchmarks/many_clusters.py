"""How long the suite "fast" takes where every second point is a cluster: python benchmarks/many_clusters.py [n ...]."""

from __future__ import annotations

import sys
import time

import numpy as np

import clustval as cv

COLUMNS = 8


def main():
    sizes = [int(argument) for argument in sys.argv[1:]] or [25_000, 50_000, 100_000]
    rng = np.random.default_rng(0)
    few = rng.normal(size=(12_000, COLUMNS))
    cv.evaluate(few, np.arange(len(few)) // 2, "fast")  # compile
    for n in sizes:
        X, labels = rng.normal(size=(n, COLUMNS)), rng.permutation(n) // 2
        begin = time.perf_counter()
        scores = cv.evaluate(X, labels, "fast")
        seconds = time.perf_counter() - begin
        late = sum("each two of" in reason for reason in scores.reasons.values())
        print(f"fast, {n:>7} points in {n // 2:>6} clusters {seconds:8.1f} s  {late} refused for time", flush=True)


if __name__ == "__main__":
    main()
