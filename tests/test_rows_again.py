"""What rows in blocks give after a number of each point was kept, or after several passes, is what memory gives."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval.passes.density import cdbw
from clustval.sources import stream
from clustval.stats.centres.centre_spread import FarthestTenth
from clustval.stats.points.kept_values import KeptValues

NAMES = ["sv", "hennig_kd_normal", "cdbw"]
RNG = np.random.default_rng(11)
N = 900
CODES = RNG.choice(4, N, p=[0.6, 0.25, 0.1, 0.05])


def points(kind):
    """Points that are awkward in one way."""
    X = RNG.normal(size=(N, 3)) @ np.diag([1, 3, 0.2]) + 4 * RNG.normal(size=(4, 3))[CODES]
    if kind == "far from 0":
        return X + 1e7
    if kind == "32 bits":
        return X.astype(np.float32)
    if kind == "on a grid":  # ties of distances, and many equal points
        return np.round(X)
    if kind == "corners":  # every point is as far from the centre of its cluster as the others, or nearly so
        return RNG.choice([-1.0, 1.0], (N, 3)) + 10 * CODES[:, None]
    if kind == "a column depends on others":
        X[:, 2] = X[:, 0] + X[:, 1]
    if kind == "equal points":
        X[CODES == 2] = [1, 2, 3]
    return X


KINDS = (
    "plain", "far from 0", "32 bits", "on a grid", "corners", "a column depends on others", "equal points",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _small_blocks(set_limits):
    """Let blocks be of a few rows, pieces of a few blocks, and nothing fit into memory."""
    set_limits(rows_per_block=37, rows_per_piece=200, room=10**9)


def on_disk(X, tmp_path):
    np.save(tmp_path / "X.npy", X)
    return str(tmp_path / "X.npy")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blocks_have_the_values_of_memory(kind, n_jobs, tmp_path):
    X = points(kind)
    whole = cv.evaluate(X, CODES, NAMES)
    scores = cv.evaluate(on_disk(X, tmp_path), CODES, NAMES, n_jobs=n_jobs)
    assert isinstance(scores._source, stream.Stream)
    for name in NAMES:
        assert scores[name] == approx(whole[name], rel=1e-10, nan_ok=True), name
    assert math.isfinite(whole["sv"])


@pytest.mark.parametrize("metric", ["cosine", "cityblock"])
def test_blocks_have_the_values_of_memory_by_other_metrics(metric, tmp_path):
    X = np.abs(points("plain")) + 1
    whole = cv.evaluate(X, CODES, NAMES, metric=metric)
    scores = cv.evaluate(on_disk(X, tmp_path), CODES, NAMES, metric=metric)
    assert scores.reasons == whole.reasons
    assert dict(scores) == approx(dict(whole), rel=1e-10, nan_ok=True)


@pytest.mark.parametrize("count", [1, 2, 25])
def test_any_number_of_representatives_is_chosen_as_in_memory(count, tmp_path):
    X, options = points("on a grid"), {"cdbw": {"representatives": count}}
    whole = cv.evaluate(X, CODES, options)["cdbw"]
    assert cv.evaluate(on_disk(X, tmp_path), CODES, options)["cdbw"] == approx(whole, rel=1e-13)


def test_clusters_of_one_point_and_noise_have_the_values_of_memory(tmp_path):
    X, labels = points("plain"), CODES.astype(object)
    labels[::13] = None
    labels[4] = "alone"
    labels = np.array([name if name is None else str(name) for name in labels], dtype=object)
    whole, scores = cv.evaluate(X, labels, NAMES), cv.evaluate(on_disk(X, tmp_path), labels, NAMES)
    assert dict(scores) == approx(dict(whole), rel=1e-10, nan_ok=True)
    assert scores.reasons.keys() == whole.reasons.keys()


@pytest.mark.parametrize("fewest", [10, 10**6])
def test_the_farthest_tenth_goes_by_weight_in_blocks_as_well(fewest, tmp_path, set_limits):
    set_limits(fewest_dropped=fewest)
    X, weights = points("plain"), RNG.choice([0.0, 0.01, 0.5, 1.0, 7.0], N)
    whole = cv.evaluate(X, CODES, NAMES, sample_weight=weights)
    scores = cv.evaluate(on_disk(X, tmp_path), CODES, NAMES, sample_weight=weights)
    assert scores["sv"] == approx(whole["sv"], rel=1e-12)
    assert scores.reasons == whole.reasons
    assert set(whole.reasons) == {"hennig_kd_normal", "cdbw"}


def test_what_is_too_near_to_be_of_the_tenth_is_dropped_while_rows_are_read(tmp_path, set_limits):
    X = points("plain")
    path, whole = on_disk(X, tmp_path), cv.evaluate(X, CODES, "sv")["sv"]
    kept = cv.evaluate(path, CODES, "sv")
    set_limits(fewest_dropped=10)
    some = cv.evaluate(path, CODES, "sv")
    assert kept["sv"] == approx(whole, rel=1e-12)
    assert some["sv"] == approx(whole, rel=1e-12)
    assert kept._source[FarthestTenth].kept.count == N
    assert some._source[FarthestTenth].kept.count <= 2 * (N / 10 + 4) + 200


def test_processes_read_the_rows_again_as_threads_do(tmp_path):
    path = on_disk(points("plain"), tmp_path)
    with ProcessPoolExecutor(1) as pool:
        scores = cv.evaluate(path, CODES, NAMES, executor=pool)
    assert dict(scores) == approx(dict(cv.evaluate(path, CODES, NAMES)), rel=1e-12)


def test_numbers_of_points_that_do_not_fit_are_a_reason_before_any_pass(tmp_path, set_limits):
    set_limits(least_memory=1)
    path = on_disk(points("plain"), tmp_path)
    scores = cv.evaluate(path, CODES, NAMES, memory=80_000)
    assert scores.reasons == {
        "hennig_kd_normal": "hennig_kd_normal sorts a number of each point, some 2.01e-05 GiB; it may have a quarter "
        "of 7.45e-05 GiB. Raise memory=, or leave it out."
    }
    assert cv.explain(path, CODES, NAMES, memory=80_000).left_out == scores.reasons


def test_tables_of_columns_that_do_not_fit_are_a_reason_before_any_pass(tmp_path):
    X = RNG.normal(size=(600, 250)) + CODES[:600, None]
    path, names = on_disk(X, tmp_path), ["ch", "sv", "hennig_kd_normal", "log_det_ratio"]
    scores = cv.evaluate(path, CODES[:600], names, memory="16 MiB", n_jobs=8)
    assert scores.reasons == {
        name: f"{name} adds up 250 x 250 numbers of each of 4 clusters, some 0.0186 GiB; the budget is 0.0156 GiB. "
        "Raise memory=, or leave it out."
        for name in names[2:]
    }
    assert cv.explain(path, CODES[:600], names, memory="16 MiB", n_jobs=8).left_out == scores.reasons


def test_a_plan_names_the_passes_of_one_statistic_alone(tmp_path):
    plan = cv.explain(on_disk(points("plain"), tmp_path), CODES, [*NAMES, "ch"])
    passes = {row["pass"]: row["statistics"] for row in plan.table.records}
    assert passes == {
        "rows, pass 1": "Moments",
        "rows, pass 2": "Radii, FarthestTenth, Scatter",
        "rows, pass 3": "NormalFit",
        "rows, passes of Representatives alone": "Representatives",
        "no pass": "ClusterUnits",
    }
    assert not plan.left_out


# --- parts -----------------------------------------------------------------------------------------------


@given(st.lists(st.sampled_from([0.0, 1.0, 1.0 + 1e-13, 1.0 + 2e-13, 1.1]), min_size=1, max_size=12), st.data())
def test_the_first_of_the_farthest_is_found_whatever_the_cuts(squares, data):
    """Only rounding may part the first representative from the farthest point."""
    values = np.array(squares)
    expected = next(at for at, value in enumerate(squares) if value * (1 + 1e-12) >= max(squares))
    cuts = sorted({0, len(values), *data.draw(st.lists(st.integers(0, len(values)), max_size=4))})
    left = np.arange(0)
    for low, high in pairwise(cuts):
        rows = np.append(left, np.arange(low, high))
        left = rows[cdbw.leaders_of(np.array([0, len(rows)]), values[rows])]
    assert left[0] == expected


@given(st.lists(st.lists(st.integers(0, 4), max_size=9), min_size=1, max_size=5))
def test_kept_values_come_cluster_by_cluster_in_the_order_of_rows(blocks):
    codes = np.array([code for block in blocks for code in block], dtype=int)
    values = np.arange(len(codes), dtype=float)
    ends = np.cumsum([len(block) for block in blocks])
    parts = [KeptValues.of(codes[lo:hi], values[lo:hi]) for lo, hi in pairwise([0, *ends])]
    whole = sum(parts[1:], parts[0])
    assert whole.count == len(codes)
    ordered = whole.by_cluster(np.bincount(codes, minlength=5))
    assert ordered.tolist() == values[np.argsort(codes, kind="stable")].tolist()
