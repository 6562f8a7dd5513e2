"""Random clusterings of every kind against definitions in loops, and against themselves in other clothes.

``python tests/fuzz_values.py --minutes 60`` draws clusterings until the time is over and prints the seed of each whose
values differ from the definitions, or change where nothing should: with the type or container of the input, with its
scale, with noise, with weights in place of repeated rows, in blocks, in a sweep, or with the metric spelt out; and
graphs, mixed tables, series, neighbours that are known and embeddings that differ from their definitions.
``--seed`` tries one again.
"""

# ruff: noqa: T201 - it prints

from __future__ import annotations

import argparse
import math
import sys
import time
import traceback
from dataclasses import dataclass

import naive
import naive_gower
import naive_graph
import numpy as np
import polars as pl
from pytest import approx
from scipy import sparse
from test_internal_naive import CONVENTIONS, UNDEFINED_HERE
from test_series import warped

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.sources.blocks import blocks_of
from clustval.sources.takes import takes_of

catalogue.load("internal")
INDICES = KINDS["internal"].indices
DEFINITIONS = {"clustercrit": naive.CLUSTERCRIT, "vendramin": naive.VENDRAMIN, "zaki": naive.ZAKI}
# Of points that lie in a plane or on a line, rounding decides whether a volume is 0; of ties, how they are ranked.
OF_VOLUMES = {
    "det_ratio",
    "log_det_ratio",
    "ksq_detw",
    "scott_symons",
    "trace_wib",
    "marriot",
    "scott",
    "friedman",
    "rubin",
}


@dataclass
class Case:
    """Points and labels, how many columns are not combinations of others, and whether distances are tied."""

    X: np.ndarray
    labels: np.ndarray
    rng: np.random.Generator
    kind: str


def case_of(seed):
    """Return a clustering: smooth, on a grid, with duplicates, on a line, or of uneven columns."""
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 6))
    n, p = int(rng.integers(2 * k + 1, 40)), int(rng.integers(1, 5))
    labels = rng.permutation(np.append(np.arange(k), rng.integers(k, size=n - k)))
    X = rng.normal(size=(k, p))[labels] * rng.uniform(0, 4) + rng.normal(size=(n, p))
    kind = ("smooth", "grid", "duplicates", "singletons", "uneven")[seed % 5]
    if kind == "grid":
        X = np.round(X)
    elif kind == "duplicates":
        X = X[rng.integers(n, size=n)]
    elif kind == "singletons":
        labels[: n // 3] = np.arange(k, k + n // 3)
    elif kind == "uneven":
        X *= 10.0 ** rng.integers(-2, 3, p)
    return Case(X, labels, rng, kind)


def same(one, other, rel, names=None, unit=None):
    """Assert that two mappings of values are the same up to rounding."""
    for name in names or one:
        low, high = INDICES[name].bounds if name in INDICES else (0, 1)
        term = 0 if low >= 0 else 1 if math.isfinite(low) and math.isfinite(high) else (unit or 100)
        assert other[name] == approx(one[name], rel=rel, abs=max(rel * term, 1e-12), nan_ok=True), (
            name,
            one[name],
            other[name],
        )


def against_definitions(case):
    """Compare with what loops over points and clusters give."""
    points, labels = case.X.tolist(), case.labels.tolist()
    for suite, definitions in DEFINITIONS.items():
        scores = cv.evaluate(case.X, case.labels, suite)
        for name, definition in definitions.items():
            if case.kind != "smooth" and name in OF_VOLUMES:
                continue
            expected, value = definition(points, labels), scores[name]
            if math.isnan(expected):
                assert math.isnan(value) or name in CONVENTIONS, (suite, name, value)
            elif math.isnan(value):
                assert name in UNDEFINED_HERE or "more than a float" in scores.reasons[name], (suite, name, expected)
            elif math.isinf(expected):
                assert value == expected, (suite, name, value)
            else:
                assert value == approx(expected, rel=1e-8, abs=1e-9), (suite, name, value, expected)


def in_other_clothes(case, plain):
    """Compare with the same data in other containers and types, which change nothing."""
    X, labels = case.X, case.labels
    words = np.array([f"{c:03d}" for c in labels])
    for Y, y in (
        (X.tolist(), labels.tolist()),
        (np.asfortranarray(X), words),
        (pl.DataFrame({f"c{j}": X[:, j] for j in range(X.shape[1])}), pl.Series(words)),
        (X[::-1][::-1], labels.astype(np.int16)),
    ):
        assert same_bits(cv.evaluate(Y, y, "all"), plain)


def same_bits(one, other):
    return all(one[name] == other[name] or (one[name] != one[name] and other[name] != other[name]) for name in one)


def at_another_scale(case, plain):
    """Compare with the same data times a power of two."""
    exponent = int(case.rng.integers(-300, 301))
    scaled = cv.evaluate(case.X * 2.0**exponent, case.labels, "all")
    for name, index in INDICES.items():
        if index.degree is not None:
            degree = index.degree(case.X.shape[1]) if callable(index.degree) else index.degree
            with np.errstate(over="ignore"):
                expected = float(np.ldexp(plain[name], degree * exponent))
            if math.isinf(expected) and math.isfinite(plain[name]):
                expected = math.nan
            assert same_bits({name: scaled[name]}, {name: expected}), (name, exponent, scaled[name], expected)


def with_noise(case, plain):
    """Compare with noise that is left out: points of no cluster, far away."""
    amount = int(case.rng.integers(1, 9))
    X = np.vstack([case.X, 3 * case.rng.normal(size=(amount, case.X.shape[1]))])
    labels = np.append(case.labels, np.full(amount, -1))
    names = [name for name in plain if name not in SEES_NOISE]
    same(plain, cv.evaluate(X, labels, names), 1e-9, names)


SEES_NOISE = {
    "dbcv", "disco", "hennig_denscut", "hennig_highdgap", "hennig_dindex", "viasckde", "cvdd", "knn_modularity", "dcm",
    "connectivity_silhouette", "connectivity", "knn_consistency", "knn_purity",
}  # fmt: skip


def with_weights(case, plain):
    """Compare whole weights with repeated rows, of indices that take them."""
    weights = case.rng.integers(1, 4, len(case.X))
    again = np.repeat(np.arange(len(case.X)), weights)
    names = [name for name in plain if not takes_of(INDICES[name]).no_weights_because and name not in OF_VOLUMES]
    repeated = cv.evaluate(case.X[again], case.labels[again], names)
    weighed = cv.evaluate(case.X, case.labels, names, sample_weight=weights)
    allowed = [name for name in names if name not in weighed.reasons and name not in repeated.reasons]
    same(repeated, weighed, 1e-8, [name for name in allowed if name not in AT_THE_EDGE])


AT_THE_EDGE = {"s_dbw", "hennig_kd_normal", "ccc", "trace_wib"}  # rounding decides whether a point is near


def in_blocks(case, plain):
    """Compare with the same rows in blocks."""
    cuts = np.sort(case.rng.integers(0, len(case.X) + 1, 2))
    pieces = np.split(np.arange(len(case.X)), cuts)
    source = blocks_of([(case.X[rows], case.labels[rows]) for rows in pieces if len(rows)])
    parts = cv.evaluate(source, indices="all")
    names = [
        n for n in plain if n not in parts.reasons and n not in plain.reasons and n not in OF_VOLUMES | AT_THE_EDGE
    ]
    same(plain, parts, 1e-8, names)


def in_a_sweep(case, plain):
    """Compare with the same partition among others."""
    names = [name for name in plain if name not in OF_VOLUMES]
    partitions = [case.labels, case.rng.permutation(case.labels), case.labels]
    swept = cv.sweep(case.X, partitions, names)
    for row in (0, 2):
        same(plain, {name: swept[name][row] for name in names}, 1e-12, names)


def by_another_name(case, plain):
    """Compare with the Euclidean metric as a function, and as a matrix of distances."""
    D = np.sqrt(((case.X[:, None] - case.X) ** 2).sum(-1))
    if case.kind != "smooth":
        return  # ties are ties only where they are computed alike
    given = cv.evaluate(D, case.labels, "all", metric="precomputed")
    names = [name for name in plain if name not in given.reasons]
    same(plain, given, 1e-8, names)


# --- other kinds of input --------------------------------------------------------------------------------

OF_GRAPHS = ("modularity", "conductance", "normalized_cut", "ratio_cut", "coverage", "performance", "surprise")


def as_a_graph(case, _plain):
    """Compare a graph of the points with the definitions, and with itself as another matrix and at another scale."""
    A = np.triu(case.rng.random((len(case.X), len(case.X))) < case.rng.uniform(0.05, 0.9), 1)
    A = A * (case.rng.integers(1, 9, A.shape) if case.kind == "grid" else case.rng.random(A.shape))
    A = A + A.T
    scores = cv.graph.evaluate(sparse.csr_array(A), case.labels, indices=OF_GRAPHS)
    for name in OF_GRAPHS if A.any() else ():
        expected = getattr(naive_graph, name)(A.tolist(), case.labels.tolist())
        assert scores[name] == approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), (name, scores[name], expected)
    assert same_bits(cv.graph.evaluate(A, case.labels, indices=OF_GRAPHS), scores)
    scaled = cv.graph.evaluate(A * 2.0 ** int(case.rng.integers(-200, 201)), case.labels, indices=OF_GRAPHS)
    free = [name for name in OF_GRAPHS if name not in {"ratio_cut", "surprise"}]  # which count in units of weight
    assert same_bits({name: scores[name] for name in free}, {name: scaled[name] for name in free})


def as_a_mixed_table(case, _plain):
    """Compare Gower's distances of numbers and categories, some missing, with the definition, and with a matrix."""
    n = len(case.X)
    rows = [[float(x), str(case.rng.integers(3)), bool(case.rng.integers(2)), *map(float, case.X[i, 1:])]
            for i, x in enumerate(case.X[:, 0])]  # fmt: skip
    gaps = case.rng.random((n, 2)) < 0.2
    for row, missing in zip(rows, gaps.tolist(), strict=True):
        row[1:3] = [None if gap else value for gap, value in zip(missing, row[1:3], strict=True)]
    types = ["numeric", "categorical", "categorical", *["numeric"] * (case.X.shape[1] - 1)]
    matrix = cv.gower(rows)
    np.testing.assert_allclose(matrix, naive_gower.distances(rows, types), rtol=1e-12, atol=1e-14)
    scores = cv.evaluate(rows, case.labels, "all", metric="gower")
    given = cv.evaluate(matrix, case.labels, "all", metric="precomputed")
    same(given, scores, 1e-9, [name for name in scores if name not in scores.reasons])


def as_series(case, _plain):
    """Compare series of uneven lengths under dynamic time warping with the matrix of the distances by definition."""
    series = [case.X[i, 0] + case.rng.normal(size=case.rng.integers(1, 7)) for i in range(len(case.X))]
    if case.kind == "duplicates":
        series = [series[i] for i in case.rng.integers(len(series), size=len(series))]
    columns = [each[:, None] for each in series]
    matrix = np.array([[warped(a, b) for b in columns] for a in columns])
    given = cv.evaluate(matrix, case.labels, "all", metric="precomputed")
    scores = cv.evaluate(series, case.labels, "all", metric="dtw")
    assert [*scores.reasons] == [*given.reasons]
    same(given, scores, 1e-9)


def with_known_neighbours(case, plain):
    """Compare with the graph of nearest neighbours of the same points, searched by loops."""
    if case.kind != "smooth":
        return  # of points that are as far, others may be the nearest
    D = np.sqrt(((case.X[:, None] - case.X) ** 2).sum(-1))
    np.fill_diagonal(D, np.inf)
    count = int(case.rng.integers(min(10, len(D) - 1), len(D)))
    nearest = np.argsort(D, axis=1)[:, :count]
    graph = (nearest, np.take_along_axis(D, nearest, axis=1))
    names = ["connectivity", "knn_consistency", "knn_purity", "knn_modularity"]
    scores = cv.evaluate(case.X, case.labels, names, neighbours=graph)
    same(plain, scores, 1e-12, [name for name in names if name not in scores.reasons])


def as_embeddings(case, _plain):
    """Compare the same numbers of 32 bits as an array, as a column of lists, and as lists of numbers."""
    X = case.X.astype(np.float32)
    single = cv.evaluate(X.astype(np.float64), case.labels, "all")
    frame = pl.DataFrame({"embedding": pl.Series(X.tolist(), dtype=pl.Array(pl.Float32, X.shape[1]))})
    for Y in (frame, frame.cast({"embedding": pl.List(pl.Float32)})):
        assert same_bits(cv.evaluate(Y, case.labels, "all", features="embedding"), single)
    assert same_bits(cv.evaluate(X, case.labels, "all"), single)


def with_weighted_noise(case, plain):
    """Compare whole weights with repeated rows where some points are noise, of indices that take weights."""
    case.labels[case.rng.random(len(case.X)) < 0.15] = -1
    if len(np.unique(case.labels[case.labels >= 0])) > 1:
        with_weights(case, plain)


CHECKS = (in_other_clothes, at_another_scale, with_noise, with_weights, in_blocks, in_a_sweep, by_another_name)
OTHER_INPUTS = (as_a_graph, as_a_mixed_table, as_series, with_known_neighbours, as_embeddings, with_weighted_noise)


def check(seed):
    """Raise an error if anything is wrong with the clustering of this seed."""
    case = case_of(seed)
    against_definitions(case)
    plain = cv.evaluate(case.X, case.labels, "all")
    CHECKS[seed % len(CHECKS)](case, plain)
    OTHER_INPUTS[seed % len(OTHER_INPUTS)](case, plain)


def main():
    """Draw clusterings until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    if arguments.seed is not None:
        check(arguments.seed)
        return 0
    end, seed, failures = time.monotonic() + 60 * arguments.minutes, int(time.time()) * 1000, 0
    first = seed
    while time.monotonic() < end:
        try:
            check(seed)
        except Exception:  # noqa: BLE001 - whatever it is, its seed is told
            failures += 1
            print(f"seed {seed}: {traceback.format_exc().strip().splitlines()[-1]}", flush=True)
        seed += 1
    print(f"{seed - first} clusterings from seed {first}, {failures} with faults")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
