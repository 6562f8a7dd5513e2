"""How long `choose` takes, without and with data without clusters beside it; calls into Python are counted.

Seconds are those of all cores together (``time.process_time``), since other programs share the machine; the clock is
beside them. Run ``python benchmarks/choosing_time.py``, or name one line: ``python benchmarks/choosing_time.py 5000``.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
from time import perf_counter, process_time

import numpy as np

import clustval as cv

# points, columns, whether there are nulls, seconds aimed at
CASES = ((300, 8, False, None), (1_000, 8, False, 1), (2_000, 8, False, None), (5_000, 5, True, 30))
COUNTED = 1_000  # points up to which calls are counted, which makes them slow


def points(n, p):
    """Return points of five clusters, some of which touch."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, p)) + 6 * rng.normal(size=(5, p))[rng.integers(0, 5, n)]


def calls_of(call):
    """Return how many functions are called, and how many of them are of this package."""
    profile = cProfile.Profile()
    profile.runcall(call, n_jobs=1)  # calls in other threads are not seen
    stats = pstats.Stats(profile).stats
    own = sum(row[1] for (path, _, _), row in stats.items() if "clustval" in path)
    return sum(row[1] for row in stats.values()), own


def main():
    cv.choose(points(120, 2), n_references=19, random_state=0)  # compiles
    for n, p, null, aim in CASES:
        if sys.argv[1:] and str(n) not in sys.argv[1:]:
            continue
        X = points(n, p)

        def call(X=X, null=null, n_jobs=None):
            return cv.choose(X, null=null, n_jobs=n_jobs, random_state=0)

        begin, cpu = perf_counter(), process_time()
        call()
        wall, cpu = perf_counter() - begin, process_time() - cpu
        line = f"choose, {n:,} x {p}, {'with' if null else 'without'} nulls: {cpu:.1f} s, {wall:.1f} s by the clock"
        line += f" (aim {aim} s)" if aim else ""
        if n <= COUNTED:
            line += ", {:,} calls, {:,} of them of clustval".format(*calls_of(call))
        print(line, flush=True)


if __name__ == "__main__":
    main()
