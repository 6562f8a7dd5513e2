"""Silhouettes of squared distances: linear, and the same as from all pairs, in memory and in blocks."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx
from scipy.spatial.distance import cdist

import clustval as cv
from clustval.passes.points.unsorted_rows import rows_to_clusters, rows_to_clusters_numpy

N = 700
RNG = np.random.default_rng(5)
LABELS = np.repeat(["a", "b", "c", "alone"], [300, 300, 99, 1])
X = RNG.normal(size=(N, 3)) + np.where(LABELS == "a", 2, 0)[:, None] + [5, 0, 1]
NAMES = ["silhouette", "silhouette_by_cluster", "alternative_silhouette", "hennig_asw"]
WEIGHTS = RNG.choice([1.0, 2.0, 0.5], N)


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine", "correlation"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["points", "weighted points"])
def test_they_are_those_of_all_pairs(tmp_path, metric, weights):
    whole = cv.evaluate(cdist(X, X, metric), LABELS, NAMES, metric="precomputed", sample_weight=weights)
    linear = cv.evaluate(X, LABELS, NAMES, metric=metric, sample_weight=weights)
    np.save(tmp_path / "X.npy", X)
    blocks = cv.evaluate(str(tmp_path / "X.npy"), LABELS, NAMES, metric=metric, sample_weight=weights)
    for name in NAMES:
        assert linear[name] == approx(whole[name], rel=1e-11), name
        assert blocks[name] == approx(whole[name], rel=1e-11), name
    assert linear.per_point("silhouette") == approx(whole.per_point("silhouette"), abs=1e-11)
    assert linear.neighbours("silhouette").tolist() == whole.neighbours("silhouette").tolist()
    assert blocks.per_cluster("silhouette") == approx(whole.per_cluster("silhouette"), abs=1e-11)


def test_no_pairs_are_visited(monkeypatch):
    monkeypatch.setattr("clustval.sources.partition.Partition.pairs", None)
    assert cv.internal.silhouette(X, LABELS, metric="sqeuclidean") > 0


def test_directions_that_do_not_exist_are_refused(tmp_path):
    points = X.copy()
    points[17] = 0
    np.save(tmp_path / "X.npy", points)
    for given in (points, str(tmp_path / "X.npy")):
        with pytest.raises(cv.InputError, match="The metric 'cosine' gives no finite distance for"):
            cv.evaluate(given, LABELS, "silhouette", metric="cosine")


def test_the_kernel_agrees_with_numpy():
    Z, codes = RNG.normal(size=(5000, 3)), RNG.integers(0, 7, 5000)
    means, spreads = RNG.normal(size=(7, 3)), RNG.random(7)
    for kernel, plain in zip(
        rows_to_clusters(Z, codes, means, spreads), rows_to_clusters_numpy(Z, codes, means, spreads), strict=True
    ):
        assert kernel == approx(plain, rel=1e-14)


def test_nothing_is_lost_far_from_zero():
    near = cv.internal.silhouette(X, LABELS, metric="sqeuclidean")
    assert cv.internal.silhouette(X + 1e8, LABELS, metric="sqeuclidean") == approx(near, rel=1e-6)
