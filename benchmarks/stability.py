"""How long Algorithm 17.1 takes on Iris with 500 samples and k from 2 to 10: clustering, and 1,122,750 comparisons.

Run ``python benchmarks/stability.py``.
"""

from __future__ import annotations

import csv
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from clustval.catalogue import select
from clustval.passes.work.threads import available_cores
from clustval.relative.estimators import clusterer
from clustval.relative.stability import agreement, clusterings, samples
from clustval.seeding import generators

IRIS = Path(__file__).parents[1] / "tests" / "golden" / "iris_uci_pc2.csv"
INDICES = ("vi", "fowlkes_mallows", "adjusted_rand", "jaccard", "rand", "nmi")
SAMPLES = 500
CLUSTERS = range(2, 11)
BAR = 60


def main():
    with IRIS.open() as file:
        X = np.array([[row["pc1"], row["pc2"]] for row in csv.DictReader(file)], dtype=float)
    generator, cluster = generators(0), clusterer()
    rows = samples(len(X), SAMPLES, "bootstrap", None, generator, fewest=CLUSTERS[-1])
    begin = perf_counter()
    labels = [clusterings(X, rows, k, cluster, generator, available_cores(), None) for k in CLUSTERS]
    print(f"clustering, 100 starts each: {perf_counter() - begin:.1f} s")
    pairs = SAMPLES * (SAMPLES - 1) // 2 * len(CLUSTERS)
    for name in INDICES:
        (choice,) = select(name, "external")
        agreement(rows[:2], labels[0][:2], choice)  # compiles
        begin = process_time()  # one thread does it
        means = [agreement(rows, codes, choice)[0] for codes in labels]
        cpu = process_time() - begin
        best = CLUSTERS[choice.best.choose(np.array(means))]
        print(f"{name:16} {cpu:5.1f} s of one core for {pairs:,} comparisons (bar {BAR} s); most stable: k = {best}")
        print(" " * 16, " ".join(f"{mean:.3f}" for mean in means))


if __name__ == "__main__":
    main()
