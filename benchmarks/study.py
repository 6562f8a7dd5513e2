"""How quickly the study of criteria runs: criteria, k-means and external indices alone, and what both parts will take.

Times are of the processor, on one thread, so that other work on the machine counts little; the projections divide by
the number of cores. Run ``python benchmarks/study.py``, with ``--whole`` to time Part I itself by the clock.
"""

from __future__ import annotations

import sys
import tempfile
from time import perf_counter, process_time

import numpy as np
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from clustval import study
from clustval.catalogue import select
from clustval.passes.kmeans.lloyd import partitions
from clustval.passes.work.threads import available_cores
from clustval.relative.labellings import coded
from clustval.relative.scoring import table_of
from clustval.sources.space import Space
from clustval.study.correlations import finding
from clustval.study.designs import DESIGNS
from clustval.study.runs import EXTERNAL
from clustval.study.truth_agreement import agreements

N, RUNS = 500, 20
CLUSTERS = range(2, 51)
BARS = {2: 5000, 4: 5000, 22: 3000}  # partitions a second for the criteria, on two cores
CRITERIA = select("vendramin", "internal")


def cpu(call, repeats=3):
    """Return the least processor time of a call."""
    call()
    times = []
    for _ in range(repeats):
        begin = process_time()
        call()
        times.append(process_time() - begin)
    return min(times)


def parts(p, rng):
    """Print the speed of each part of the work in p dimensions."""
    X, truth = study.milligan(N, 6, p, random_state=0)
    rows = [rng.choice(N, k, replace=False) for k in CLUSTERS for _ in range(RUNS)]
    labels, _ = partitions(X, rows)
    classes, *codes = coded(dict(enumerate([truth, *labels])), "error")
    few = rows[::RUNS]

    def theirs():
        for row in few:
            KMeans(len(row), init=X[row], n_init=1, algorithm="lloyd").fit(X)

    criteria = len(codes) / cpu(lambda: table_of(Space(X), codes, CRITERIA))
    with threadpool_limits(1):
        ratio = cpu(theirs) / cpu(lambda: partitions(X, few))
    runs = len(rows) / cpu(lambda: partitions(X, rows))
    external = cpu(lambda: agreements(classes, codes, select(EXTERNAL, "external")))
    print(
        f"p={p:2}  criteria {criteria:6,.0f}/s on one core, {2 * criteria:6,.0f}/s on two (bar {BARS[p]:,})   "
        f"k-means {runs:6,.0f}/s, {ratio:4.1f}x scikit-learn (bar 6x)   external {1000 * external:.1f} ms a data set"
    )


def projected(part, sample):
    """Print what a part will take, from a sample of its data sets."""
    design = DESIGNS[part]
    external = select(EXTERNAL, "external")
    which = design.data_sets()[:sample]
    records = []

    def work():
        records[:] = [design.task(one, 0).record(CRITERIA, external) for one in which]

    each = cpu(work, repeats=1) / sample
    kinds = ["pearson", "wgk", "spearman"]
    tables = cpu(lambda: [finding(r, CRITERIA, kinds, most=m) for r in records for m in design.most]) / sample
    total, cores = len(design.data_sets()), available_cores()
    print(
        f"Part {part}: {each:.3f} s a data set, {total} of them on {cores} cores in {total * each / cores:.0f} s; "
        f"its tables {total * tables / cores:.0f} s more"
    )


def main():
    rng = np.random.default_rng(0)
    for p in BARS:
        parts(p, rng)
    projected(1, 20)
    projected(2, 12)
    if "--whole" in sys.argv:
        with tempfile.TemporaryDirectory() as directory:
            begin = perf_counter()
            study.part_one(directory)
            print(f"Part 1 took {perf_counter() - begin:.1f} s by the clock (bar 60 s)")


if __name__ == "__main__":
    main()
