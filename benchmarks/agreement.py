"""How fast are comparisons of labels? Ratios against scikit-learn and NumPy, and against reading the labels once.

Run ``python benchmarks/agreement.py`` for everything, or name parts: ``python benchmarks/agreement.py tables strings``.
Ratios are taken in one process from interleaved repeats, the fastest of each kept: other work on the machine slows
single runs, seldom all of them. The last columns are the bar and whether it is met.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal, getcontext
from itertools import product
from time import perf_counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.cluster import contingency_matrix, expected_mutual_information

from clustval.compare.agreement import agreement, contingency
from clustval.compare.prayatul import prayatul
from clustval.labels import encode
from clustval.passes.labels.cells import tabulate
from clustval.sources.label_pair import LabelPair, label_pair
from clustval.stats.labels.information import ExpectedInformation

RNG = np.random.default_rng(0)


def fastest(*functions, repeats=5):
    """Shortest time of each function in seconds; they take turns."""
    for function in functions:
        function()  # compile, touch memory
    times = np.full(len(functions), np.inf)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            begin = perf_counter()
            function()
            times[i] = min(times[i], perf_counter() - begin)
    return times


def line(name, ours, other, ratio, bar, passed):
    print(f"{name:<70} {ours:>10} {other:>10} {ratio:>8} {bar:>8}  {'yes' if passed else 'NO'}")


def compare(name, ours, other, bar, repeats=5):
    """Print how many times as fast as `other` we are."""
    a, b = fastest(ours, other, repeats=repeats)
    line(name, f"{a * 1e3:.2f} ms", f"{b * 1e3:.1f} ms", f"{b / a:.1f}x", f">= {bar}x", b / a >= bar)


def within(name, ours, other, bar, repeats=7):
    """Print how many times as long as `other` we take."""
    a, b = fastest(ours, other, repeats=repeats)
    line(name, f"{a * 1e3:.2f} ms", f"{b * 1e3:.1f} ms", f"{a / b:.2f}x", f"<= {bar}x", a / b <= bar)


def pair(n, k, dtype=np.int64):
    """A truth, and labels of which half agree with it."""
    truth = RNG.integers(0, k, n, dtype=dtype)
    return truth, np.where(RNG.random(n, dtype=np.float32) < 0.5, truth, RNG.integers(0, k, n, dtype=dtype))


def tables():
    for k, bar in ((10, 30), (1000, 15)):
        truth, labels = pair(10**7, k)
        ours, theirs = lambda: contingency(truth, labels), lambda: contingency_matrix(truth, labels)  # noqa: B023
        compare(f"table, n = 1e7, {k} x {k}, against contingency_matrix", ours, theirs, bar, repeats=3)


def indices():
    truth, labels = pair(10**7, 10)
    names = "table and every external index, n = 1e7, against adjusted_rand_score"
    compare(names, lambda: agreement(truth, labels, "all"), lambda: adjusted_rand_score(truth, labels), 20, repeats=3)


def reading():
    truth, labels = pair(10**8, 20, np.int32)
    name = "table, n = 1e8 int32, against reading both vectors once"
    within(name, lambda: contingency(truth, labels), lambda: (truth.max(), labels.max()), 3)


def strings():
    names = np.array([f"cluster {i:03d}" for i in range(100)])
    text = names[RNG.integers(0, 100, 10**6)]
    objects = text.astype(object)
    columns = {
        "fixed-width text": (text, text),
        "objects": (objects, objects),
        "pandas text": (pd.Series(text), objects),
        "polars text": (pl.Series(text), objects),
        "arrow text": (pa.array(objects), objects),
        "pandas categories": (pd.Series(text, dtype="category"), objects),
    }
    for kind, (given, array) in columns.items():
        ours, theirs = lambda: encode(given, "labels"), lambda: np.unique(array, return_inverse=True)  # noqa: B023
        compare(f"codes of 1e6 labels, {kind}, against np.unique", ours, theirs, 10, repeats=2)


def integers():
    wide = RNG.integers(-(2**62), 2**62, 100)[RNG.integers(0, 100, 10**7)]
    name = "codes of 1e7 integers of a wide range, against np.unique"
    compare(name, lambda: encode(wide, "labels"), lambda: np.unique(wide, return_inverse=True), 10, repeats=2)


def three():
    truth, primary = pair(10**7, 10)
    alternative = np.where(RNG.random(10**7, dtype=np.float32) < 0.4, truth, RNG.integers(0, 10, 10**7))
    three_way, two_way = lambda: tabulate([truth, primary, alternative]), lambda: tabulate([truth, primary])
    within("three-way table, n = 1e7, against two-way", three_way, two_way, 2)
    ours, theirs = lambda: prayatul(truth, primary, alternative), lambda: adjusted_rand_score(truth, primary)
    compare("Prayatul matrix, n = 1e7, against adjusted_rand_score", ours, theirs, 20, repeats=2)
    ours = lambda: prayatul(truth, primary, alternative).points  # noqa: E731
    compare("  and the pairs of every point, against the same", ours, theirs, 1, repeats=2)


def chance():
    for n, k, bar in ((10**4, 20, 20), (10**5, 100, 100)):
        truth, labels = pair(n, k)
        table = contingency(truth, labels)
        sparse = scipy.sparse.csr_array(table.table)
        information = label_pair(truth, labels)[ExpectedInformation].shared
        assert math.isclose(information, expected_mutual_information(sparse, n), rel_tol=1e-9)
        ours = lambda: LabelPair(table)[ExpectedInformation]  # noqa: B023, E731
        theirs = lambda: expected_mutual_information(sparse, n)  # noqa: B023, E731
        compare(f"expected information of a table, n = {n:.0e}, {k} x {k}", ours, theirs, bar)
    n, sizes, others = 3000, (1200, 1000, 800), (2500, 400, 100)
    truth, labels = np.repeat([0, 1, 2], sizes), np.repeat([0, 1, 2], others)
    exact = exact_information(n, sizes, others)
    error = abs(label_pair(truth, labels)[ExpectedInformation].shared / exact - 1)
    line("relative error of the expected information, n = 3000", f"{error:.0e}", "", "", "<= 1e-12", error <= 1e-12)


def second():
    truth, labels = pair(10**7, 10)
    for name in ("element_centric", "modified_adjusted_rand", "reduced_mutual_info", "pair_agreement_z"):
        ours, table = lambda: agreement(truth, labels, name), lambda: contingency(truth, labels)  # noqa: B023
        within(f"{name}, n = 1e7, against the table alone", ours, table, 3)


def exact_information(n, sizes, others):
    """Mean mutual information in 40 digits."""
    getcontext().prec = 40
    total = Decimal(0)
    for a, b in product(sizes, others):
        for x in range(max(1, a + b - n), min(a, b) + 1):
            ways = Decimal(math.comb(b, x) * math.comb(n - b, a - x)) / Decimal(math.comb(n, a))
            total += ways * x / n * (Decimal(n * x) / Decimal(a * b)).ln()
    return float(total)


PARTS = {
    "tables": tables,
    "indices": indices,
    "reading": reading,
    "strings": strings,
    "integers": integers,
    "three": three,
    "chance": chance,
    "second": second,
}

if __name__ == "__main__":
    print(f"{'':<70} {'ours':>10} {'other':>10} {'ratio':>8} {'bar':>8}  met")
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
