"""Everything works where numba compiles nothing: plain NumPy takes the place of kernels, whatever the size."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval.kernels.kmeans import lloyd as kernels
from clustval.kernels.pairs.distance_histogram import distance_histogram
from clustval.passes.kmeans import lloyd_numpy
from clustval.passes.pairs.distance_histogram import distance_histogram_numpy
from clustval.passes.work import thresholds

PROGRAM = """
import json, sys
import numpy as np
import clustval as cv

def points(n):
    rng = np.random.default_rng(n)
    labels = rng.integers(0, 4, n)
    return rng.normal(size=(n, 3)) + 4 * labels[:, None], labels, rng

def values():
    X, labels, rng = points(1100)
    few, some = X[:300], labels[:300]
    weights = rng.integers(0, 3, len(few))
    D = np.abs(few[:, None] - few).sum(axis=2)
    yield "all", cv.evaluate(X, labels, "all")
    yield "metric", cv.evaluate(few, some, "all", metric="cityblock")
    yield "precomputed", cv.evaluate(D, rng.permutation(some), "all", metric="precomputed")
    yield "weights", cv.evaluate(few, some, "all", sample_weight=weights)
    X, labels, rng = points(5000)
    yield "fast", cv.evaluate(X, labels, "fast")
    truth, labels = rng.integers(0, 9, (2, 20_000))
    yield "agreement", cv.agreement(truth.astype(str), labels.astype(str), "all")
    sweep = cv.sweep(few, k=range(2, 5), indices=["silhouette", "dunn", "gamma"], random_state=0)
    for name, row in sweep.to_pandas().iterrows():
        yield f"sweep {name}", row
    gap = cv.gap_statistic(few, range(1, 4), n_references=3, random_state=0)
    yield "gap", dict(enumerate(gap.table["gap"]))
    yield "distances", {0: cv.distance_distribution(few, n_samples=3, random_state=0).mean}

json.dump({name: {str(k): float(v) for k, v in dict(table).items()} for name, table in values()}, sys.stdout)
"""


@pytest.mark.large
@pytest.mark.large
def test_without_a_compiler_all_values_are_the_same():
    def output(**environment):
        run = subprocess.run(
            [sys.executable, "-c", PROGRAM], env=os.environ | environment, capture_output=True, text=True, check=False
        )
        assert not run.returncode, run.stderr
        return json.loads(run.stdout)

    plain, compiled = output(NUMBA_DISABLE_JIT="1"), output(NUMBA_DISABLE_JIT="0")
    assert len(compiled["all"]) > 60
    assert plain.keys() == compiled.keys()
    for table, values in compiled.items():
        assert plain[table] == pytest.approx(values, rel=1e-9, abs=1e-12, nan_ok=True), table


@pytest.mark.parametrize("seed", range(20))
def test_runs_of_k_means_in_numpy_end_where_those_of_the_kernel_do(seed):
    rng = np.random.default_rng(seed)
    n, p, k = rng.integers(5, 60), rng.integers(1, 12), rng.integers(1, 6)
    X = rng.normal(size=(n, p)) if seed % 2 else rng.integers(0, 3, (n, p)).astype(float)
    draws = rng.random((3, k, 4))
    outcomes = []
    for module in (kernels, lloyd_numpy):
        centres, labels = np.empty((k, p)), np.empty(n, dtype=np.int64)
        inertia = module.best_run(X, module.tiled(X), draws, centres, labels, 300, 0.0)
        starts = np.stack([X[:k], X[np.zeros(k, dtype=int)], X[-k:] + 50])  # the second and third leave clusters empty
        runs, inertias = np.empty((3, n), dtype=np.int64), np.empty(3)
        module.lloyd_runs(X, module.tiled(X), starts, runs, inertias, 5, 1e-4)
        outcomes.append((centres, labels, inertia, runs, inertias, starts))
    for compiled, plain in zip(*outcomes, strict=True):
        assert plain == pytest.approx(compiled, rel=1e-12, abs=1e-12)


def test_histograms_of_distances_in_numpy_are_those_of_the_kernel():
    rng = np.random.default_rng(0)
    for X in (rng.normal(size=(50, 3)), rng.integers(0, 3, (40, 2)).astype(float), np.eye(4)):
        counts = np.zeros(7)
        distance_histogram(np.ascontiguousarray(X.T), counts)
        assert distance_histogram_numpy(X, np.zeros(7)).tolist() == counts.tolist()


def test_compiled_code_is_the_default():
    assert thresholds.COMPILED
    assert cv.internal.silhouette(np.eye(80), np.arange(80) % 2) == approx(0, abs=1e-15)  # all distances are equal
