"""How much memory does an evaluation take where clusters are many? The peak of every suite, with ``memory="64 MiB"``.

``python benchmarks/memory.py`` measures every suite at every size, names some suites, ``--small`` a tenth of the sizes,
to see that it works. Peaks are over what the process had before the first suite, the points and the compiled library;
times are of the processor.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import clustval as cv
from clustval.suites import SUITES

BUDGET, CONSTANT = 64, 48  # MiB: the budget, and what stacks, copies of the points and the allocator add
NAMES = [name for name in sys.argv[1:] if name != "--small"] or ["fast", "default", *SUITES, "all"]
SIZES = [(50_000, 8, ""), (20_000, 2_000, ""), (20_000, 18_000, ""), (50_000, 10_001, "giant")]
STATUS, REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak():
    """Most memory that the process had since the peak began anew, in MiB."""
    return next(int(line.split()[1]) for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")) / 1024


def points(n, k, giant):
    """Points in the plane: clusters of about n / k, or one of n - k + 1 beside k - 1 of one point."""
    rng = np.random.default_rng(0)
    labels = np.append(np.arange(k), np.zeros(n - k, int) if giant else rng.integers(k, size=n - k))
    return 10 * rng.normal(size=(k, 2))[labels] + rng.normal(size=(n, 2)), labels


def main():
    """Print a line for each size and suite."""
    for suite in NAMES:
        for size in ((1_500, 800, ""), (6_000, 8, "")):  # then whatever is loaded and compiled is there: trees, too
            cv.evaluate(*points(*size), suite, memory=f"{BUDGET} MiB")
    for n, k, giant in SIZES:
        scale = 10 if "--small" in sys.argv else 1
        X, labels = points(n // scale, max(k // scale, 2), giant)
        REFS.write_text("5")
        before = peak()
        for suite in NAMES:
            REFS.write_text("5")
            start = time.process_time()
            scores = cv.evaluate(X, labels, suite, memory=f"{BUDGET} MiB")
            seconds, most = time.process_time() - start, peak() - before
            title = f"{suite}, {len(X)} points in {labels.max() + 1} clusters" + ", one giant" * bool(giant)
            large = sum("needs tables of" in reason for reason in scores.reasons.values())
            verdict = "ok" if most <= BUDGET + CONSTANT else "MISSED"
            print(
                f"{title:<58} {most:6.0f} MiB <= {BUDGET + CONSTANT}  {verdict:<6} {seconds:7.1f} s"
                f"  {large} of {len(scores)} have tables that are too large",
                flush=True,
            )
            del scores  # with all statistics that it holds


if __name__ == "__main__":
    main()
