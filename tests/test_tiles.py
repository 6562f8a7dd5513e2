"""All pairs met in tiles by an executor: the values of the same points in memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval.kernels.metrics.form import EUCLIDEAN, Form
from clustval.passes.pairs.tiles import Stripe, meeting, meeting_numpy
from clustval.stats.pairs.pair_distances import PointMeans

N = 1100
RNG = np.random.default_rng(0)
CODES = RNG.choice(5, N, p=[0.4, 0.3, 0.2, 0.09, 0.01])
CODES[:300] = RNG.integers(0, 2, 300)  # so that stripes lack clusters
X = RNG.normal(size=(N, 3)) + 2 * RNG.normal(size=(5, 3))[CODES] + [0, 0, 4]
LABELS = CODES.astype(object)
LABELS[80:320] = None  # a stripe of noise alone
NAMES = ["silhouette", "alternative_silhouette", "mcclain_rao", "hubert_normalized", "dunn", "gdi12", "gdi23", "gdi61",
         "hennig_pamc", "hennig_maxdiameter", "medoid_silhouette", "c_index"]  # fmt: skip


@pytest.fixture(autouse=True)
def _small_stripes(set_limits):
    set_limits(rows_per_stripe=110, rows_per_piece=150)


@pytest.fixture
def path(tmp_path):
    np.save(tmp_path / "X.npy", X)
    return str(tmp_path / "X.npy")


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as pool:
        yield pool


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "cosine", "minkowski(3)"])
def test_pairs_in_tiles_give_the_values_of_memory(path, pool, metric):
    whole = cv.evaluate(X, LABELS, NAMES, metric=metric)
    scores = cv.evaluate(path, LABELS, NAMES, metric=metric, executor=pool)
    assert (scores.source._tiles is None) == metric.startswith("minkowski")  # whose kernels cannot name a bad point
    for name in NAMES[:-1]:
        assert scores[name] == approx(whole[name], rel=1e-12), name
    assert scores.reasons == {
        "c_index": "c_index compares all distances with each other, which is done on one machine, not by an executor; "
        "approximate=0.01 estimates it with an error bar."
    }


def test_sums_alone_are_met_without_extremes_and_these_when_they_are_asked_for(path, pool):
    scores = cv.evaluate(path, LABELS, "silhouette", executor=pool)
    assert not scores.source._tiles.full
    assert cv.internal.dunn(X, LABELS) == cv.evaluate(path, LABELS, "dunn", executor=pool)["dunn"]
    assert scores.source.tiles(full=True).full


def test_weighted_points_and_many_clusters_are_met_in_the_memory_of_the_caller(path, pool):
    heavy = RNG.integers(1, 4, N)
    scores = cv.evaluate(path, LABELS, "silhouette", sample_weight=heavy, executor=pool)
    assert scores.source._tiles is None
    assert scores["silhouette"] == approx(cv.internal.silhouette(X, LABELS, sample_weight=heavy))
    source = cv.evaluate(path, LABELS, "silhouette", executor=pool).source
    assert source.spread(PointMeans)
    source.memory = 32 * 5 * source.n - 1
    assert not source.spread(PointMeans)


def test_noise_of_which_the_metric_makes_nothing_is_left_out(tmp_path, pool):
    noisy, labels = np.concatenate([np.zeros((40, 3)), X]), np.concatenate([np.full(40, -1), LABELS])
    np.save(tmp_path / "noisy.npy", noisy)
    scores = cv.evaluate(tmp_path / "noisy.npy", labels, "point_biserial", metric="cosine", executor=pool)
    assert scores.source._tiles is not None
    expected = cv.internal.point_biserial(X, LABELS, metric="cosine")
    assert scores["point_biserial"] == approx(expected, rel=1e-12)


def test_an_executor_may_be_asked_for_more_pairs_than_one_machine(path, pool, set_limits):
    set_limits(exact_pairs=300_000)
    assert np.isnan(cv.evaluate(path, LABELS, "silhouette")["silhouette"])
    assert cv.evaluate(path, LABELS, "silhouette", executor=pool)["silhouette"] > 0
    set_limits(exact_pairs=100_000)
    reason = cv.evaluate(path, LABELS, "silhouette", executor=pool).reasons["silhouette"]
    assert reason.startswith("silhouette needs 3.69e+05 distances, about 0 seconds on 2 cores; approximate=0.01")


def test_partitions_of_dask_are_tiles_too(pool):
    da = pytest.importorskip("dask.array")
    lazy = da.from_array(X, chunks=(170, 3))
    scores = cv.evaluate(lazy, LABELS, ["silhouette", "dunn"], executor=pool)
    assert scores.source._tiles is not None
    assert scores.to_dict() == approx(cv.evaluate(X, LABELS, ["silhouette", "dunn"]).to_dict(), rel=1e-12)


@pytest.mark.parametrize("form", [EUCLIDEAN, Form("cityblock")], ids=lambda form: form.name)
@pytest.mark.parametrize("other", ["another", "itself", "empty"])
def test_kernels_meet_stripes_as_numpy_does(form, other):
    sizes = np.array([9, 0, 70, 1]), np.array([0, 13, 40, 2])
    a, b = (Stripe(RNG.normal(size=(s.sum(), 3)), s) for s in sizes)
    b = {"another": b, "itself": None, "empty": Stripe(np.empty((0, 3)), np.zeros(4, dtype=np.int64))}[other]
    one, twin = meeting(a, b, form, 1.5, full=True), meeting_numpy(a, b, form, 1.5, full=True)
    assert one.squares == approx(twin.squares)
    own = np.repeat(np.arange(4), sizes[0])
    for ours, theirs in zip(one.sums, twin.sums, strict=True):
        assert ours == approx(theirs)
    for ours, theirs in zip(one.lows, twin.lows, strict=True):
        if other == "itself":  # the nearest of its own cluster is not asked for
            ours[np.arange(len(own)), own] = theirs[np.arange(len(own)), own] = 0
        assert ours == approx(theirs)
    assert one.highs == approx(twin.highs)
    assert meeting(a, b, form, 1.5, full=False).lows is None
