"""How long `choose` takes, without and with data without clusters beside it; calls into Python are counted.

Seconds are those of all cores together (``time.process_time``), since other programs share the machine; the clock is
beside them. Run ``python benchmarks/choosing_time.py``, or name one line: ``python benchmarks/choosing_time.py 5000``,
or ``calls`` for the calls of all verbs that cluster.
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
LABELLINGS = 50, 500  # partitions of a sweep, of 2 to 11 clusters


def points(n, p):
    """Return points of five clusters, some of which touch."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, p)) + 6 * rng.normal(size=(5, p))[rng.integers(0, 5, n)]


def calls_of(call):
    """Return how many functions are called, how many of them are of this package, and of its declarations."""
    profile = cProfile.Profile()
    profile.runcall(call)  # with one thread: calls in others are not seen
    rows = pstats.Stats(profile).stats.items()
    return [sum(row[1] for (path, _, _), row in rows if part in path) for part in ("", "clustval", "clustval/declare")]


def counted():
    """Print the calls of each verb, in all and for each candidate: a clustering that is made or judged."""
    X = points(300, 8)
    rng = np.random.default_rng(0)
    verbs = {
        "choose": lambda **o: cv.choose(X, null=False, random_state=0, **o),
        "choose with 19 nulls": lambda **o: cv.choose(X, n_references=19, random_state=0, **o),
        "structure with 19 nulls": lambda **o: cv.structure(X, n_references=19, random_state=0, **o),
        "stability": lambda **o: cv.stability(X, range(2, 8), random_state=0, **o),
        "gap_statistic": lambda **o: cv.gap_statistic(X, range(2, 8), random_state=0, **o),
    }
    candidates = {"stability": 600, "gap_statistic": 606, "structure with 19 nulls": 20}
    for count in LABELLINGS:
        labels = [rng.permutation(np.arange(300) % (2 + i % 10)) for i in range(count)]
        for suite in ("default", "all"):
            name = f"sweep of {count}, {suite}"
            verbs[name] = lambda labels=labels, suite=suite, **o: cv.sweep(X, labels, suite, **o)
            candidates[name] = count
    print(
        f"{'calls, 300 x 8':<26}{'in all':>10}{'clustval':>10}{'declare':>9}{'candidates':>12}{'clustval for each':>19}"
    )
    for name, verb in verbs.items():
        result = verb(n_jobs=1)  # loads what it needs
        number = candidates.get(name) or len(result.candidates)
        total, own, declared = calls_of(lambda verb=verb: verb(n_jobs=1))
        print(f"{name:<26}{total:>10,}{own:>10,}{declared:>9,}{number:>12,}{own / number:>19.0f}", flush=True)


def main():
    cv.choose(points(120, 2), n_references=19, random_state=0)  # compiles
    for n, p, null, aim in CASES:
        if sys.argv[1:] and str(n) not in sys.argv[1:]:
            continue
        X = points(n, p)
        begin, cpu = perf_counter(), process_time()
        cv.choose(X, null=null, random_state=0)
        wall, cpu = perf_counter() - begin, process_time() - cpu
        line = f"choose, {n:,} x {p}, {'with' if null else 'without'} nulls: {cpu:.1f} s, {wall:.1f} s by the clock"
        print(line + (f" (aim {aim} s)" if aim else ""), flush=True)
    if not sys.argv[1:] or "calls" in sys.argv[1:]:
        counted()


if __name__ == "__main__":
    main()
