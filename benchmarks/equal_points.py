"""How long suites take where most points are equal: python benchmarks/equal_points.py [n ...]."""

from __future__ import annotations

import sys
import time

import numpy as np

import clustval as cv

SUITES = ("density", "hennig")
CROWDS = {
    "one place": lambda n, _: np.ones((n, 2)),
    "nine places": lambda n, rng: rng.integers(0, 3, (n, 2)).astype(float),
    "last digits": lambda n, rng: 1 + 1e-16 * rng.integers(0, 8, (n, 2)),
}


def main():
    sizes = [int(argument) for argument in sys.argv[1:]] or [10_000, 20_000, 40_000]
    for suite in SUITES:
        for name, crowd in CROWDS.items():
            rng = np.random.default_rng(0)
            few = crowd(4000, rng)
            cv.evaluate(few, rng.integers(0, 3, len(few)), suite)  # compile
            seconds = []
            for n in sizes:
                X, labels = crowd(n, rng), rng.integers(0, 3, n)
                begin = time.perf_counter()
                cv.evaluate(X, labels, suite)
                seconds.append(time.perf_counter() - begin)
            columns = "  ".join(f"{n:>7}: {s:6.2f} s" for n, s in zip(sizes, seconds, strict=True))
            print(f"{suite:<8} {name:<12} {columns}", flush=True)


if __name__ == "__main__":
    main()
