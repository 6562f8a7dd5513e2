"""The pass over pairs: kernels against plain NumPy, NumPy against loops, and all ways of cutting the work."""

from __future__ import annotations

import functools
import subprocess
import sys
from dataclasses import fields
from itertools import pairwise
from math import dist, fsum, inf

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from clustval.passes.pairs import half_square as pairs
from clustval.passes.pairs import search_extremes as extremes
from clustval.passes.pairs.distance_matrix import matrix_pass
from clustval.passes.pairs.half_square import (
    Chunks,
    compiled_rows_pass,
    euclidean_pass,
    few_pass,
    full_square_pass,
    half_square_pass,
)
from clustval.passes.pairs.half_square_numpy import PairPass, euclidean_rows_numpy, numpy_pass
from conftest import examples

MEMORY = 1 << 30
FIELDS = [field.name for field in fields(PairPass) if field.name != "sound"]


def rows_of(X):
    return lambda lo, hi: euclidean_rows_numpy(X, lo, hi)


def plain(X, starts, *, full=True):
    return numpy_pass(rows_of(X), len(X), starts, full=full)


def in_chunks(X, starts, longest, *, full=True, n_jobs=1):
    return half_square_pass(X, starts, Chunks.of(starts, longest), full=full, n_jobs=n_jobs)


def in_full(X, starts, *, full=True, n_jobs=1):
    return full_square_pass(X, starts, full=full, n_jobs=n_jobs)


def by_rows(X, starts, *, full=True, n_jobs=1, memory=MEMORY):
    return compiled_rows_pass(rows_of(X), len(X), starts, full=full, n_jobs=n_jobs, memory=memory)


def by_matrix(X, starts, *, full=True, n_jobs=1, memory=MEMORY):
    """Distances given as a matrix whose rows are in no order."""
    order = np.random.default_rng(len(X)).permutation(len(X))
    D, codes = np.empty((len(X), len(X))), np.empty(len(X), dtype=np.int64)
    D[np.ix_(order, order)] = rows_of(X)(0, len(X))
    codes[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    visit = matrix_pass(D, codes, order, full=full, n_jobs=n_jobs, memory=memory)
    assert visit.sound
    return visit


WAYS = {
    "half square": lambda X, starts, **options: in_chunks(X, starts, 2048, **options),
    "half square in short chunks": lambda X, starts, **options: in_chunks(X, starts, 12, **options),
    "full square": in_full,
    "few": lambda X, starts, full=True, **_: few_pass(X, starts, full=full),
    "rows": by_rows,
    "matrix": by_matrix,
}
way = pytest.mark.parametrize("compiled", WAYS.values(), ids=WAYS.keys())


def assert_same(a, b, *, without=()):
    for name in FIELDS:
        if name not in without:
            assert np.array_equal(getattr(a, name), getattr(b, name)), name


def assert_close(a, b, rel=1e-12):
    for name in FIELDS:
        x, y = getattr(a, name), getattr(b, name)
        if x is None or name == "neighbour":  # which of two clusters at one distance is nearer hangs on rounding
            assert y is not None or x is None
        elif name == "squares":  # a distance near the shift has few digits left of its deviation
            assert abs(x - y) <= rel * (abs(y) + len(a.own) ** 2 * a.shift**2 * 1e-3), name
        else:
            np.testing.assert_allclose(x, y, rtol=rel, err_msg=name)


@st.composite
def clusterings(draw, dimensions=(1, 9), most=70):
    """Points of a small lattice, so that ties, duplicates and singletons abound, sorted by cluster."""
    n = draw(st.integers(1, most))
    k = draw(st.sampled_from([1, n, *range(1, min(n, 12) + 1)]))
    p = draw(st.integers(*dimensions))
    width = draw(st.sampled_from([1, 2, 5, 1000]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    X = rng.integers(0, width, (n, p), endpoint=True) / draw(st.sampled_from([1, 7]))
    cuts = rng.choice(np.arange(1, n), k - 1, replace=False) if n > 1 else []
    return X, np.concatenate([[0], np.sort(cuts), [n]]).astype(np.int64)


def gaussians(n, p, k, seed=0, offset=0.0, width=1.0):
    rng = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.sort(rng.choice(np.arange(1, n), k - 1, replace=False)), [n]])
    centres = np.repeat(3 * rng.normal(size=(k, p)), np.diff(starts), axis=0)
    return offset + centres + width * rng.normal(size=(n, p)), starts


@functools.cache
def plain_gaussians(n, p, k, *, full):
    return plain(*gaussians(n, p, k), full=full)


@given(clusterings())
def test_the_plain_pass_is_what_loops_over_the_definitions_give(data):
    X, starts = data
    n, k = len(X), len(starts) - 1
    d = [[dist(x, y) for y in X] for x in X]
    clusters = [range(a, b) for a, b in pairwise(starts)]
    label = [c for c in range(k) for _ in clusters[c]]
    result = plain(X, starts)
    for a in range(k):
        for b in range(k):
            between = [d[i][j] for i in clusters[a] for j in clusters[b] if a != b or i < j]
            nearest = [min(d[i][j] for j in clusters[b]) for i in clusters[a]]
            assert result.sums[a, b] == pytest.approx(fsum(between), rel=1e-13)
            assert result.maxs[a, b] == pytest.approx(max(between, default=0), rel=1e-15)
            assert result.mins[a, b] == pytest.approx(min(between) if a != b else inf, rel=1e-15)
            assert result.hausdorff[a, b] == pytest.approx(max(nearest) if a != b else 0, rel=1e-15)
    squares = fsum((d[i][j] - result.shift) ** 2 for i in range(n) for j in range(i + 1, n))
    assert result.squares == pytest.approx(squares, rel=1e-12, abs=1e-12 * result.shift**2 * n * n)
    for i in range(n):
        assert result.own[i] == pytest.approx(fsum(d[i][j] for j in clusters[label[i]]), rel=1e-13)
        means = {c: fsum(d[i][j] for j in clusters[c]) / len(clusters[c]) for c in range(k) if c != label[i]}
        assert result.nearest[i] == pytest.approx(min(means.values(), default=inf), rel=1e-13)
        if k == 1:
            assert result.neighbour[i] == -1
        else:
            assert means[result.neighbour[i]] == pytest.approx(result.nearest[i], rel=1e-13)


@way
@examples(40)
@given(data=clusterings())
def test_kernels_agree_with_the_plain_pass(compiled, data):
    X, starts = data
    assume(len(X) >= 8 or compiled is not by_matrix)
    assert_close(compiled(X, starts), plain(X, starts))


@way
@pytest.mark.parametrize(("n", "p", "k"), [(300, 1, 4), (531, 3, 9), (403, 70, 5), (257, 2, 257), (200, 1500, 3)])
def test_kernels_agree_with_the_plain_pass_on_data_without_ties(compiled, n, p, k):
    X, starts = gaussians(n, p, k)
    for full in (True, False):
        assert_close(compiled(X, starts, n_jobs=2, full=full), plain_gaussians(n, p, k, full=full))


@way
def test_the_first_of_equally_near_clusters_is_the_neighbour(compiled):
    X = np.array([[0.0], [0.0], [-2.0], [2.0], [2.0], [-2.0], [-2.0], [100.0]])
    starts = np.array([0, 2, 3, 4, 5, 7, 8])
    for result in (compiled(X, starts), plain(X, starts)):
        assert result.neighbour.tolist() == [1, 1, 4, 3, 2, 1, 1, 2]


@way
def test_any_number_of_threads_gives_the_same_bits(compiled):
    X, starts = gaussians(700, 5, 11)
    one = compiled(X, starts, n_jobs=1)
    for n_jobs in (2, 7):
        assert_same(one, compiled(X, starts, n_jobs=n_jobs))


@way
@examples(20)
@given(data=clusterings())
def test_a_full_pass_gives_the_sums_of_a_short_one_to_the_last_bit(compiled, data):
    assume(len(data[0]) >= 8 or compiled is not by_matrix)
    full, short = compiled(*data, full=True), compiled(*data, full=False)
    assert_same(full, short, without=("mins", "maxs", "hausdorff"))
    assert short.mins is short.maxs is short.hausdorff is None


def test_little_memory_changes_the_order_of_sums_only():
    X, starts = gaussians(1300, 3, 6)
    much, little = (euclidean_pass(X, starts, full=True, n_jobs=2, memory=memory) for memory in (MEMORY, 1000))
    assert_close(little, much)
    assert_same(much, half_square_pass(X, starts, Chunks.of(starts, 256), full=True, n_jobs=1))
    assert_same(little, full_square_pass(X, starts, full=True, n_jobs=1))
    for a, b in ((much, little), *((f(X, starts), f(X, starts, memory=1000)) for f in (by_rows, by_matrix))):
        for name in ("mins", "maxs", "hausdorff", "neighbour"):
            assert np.array_equal(getattr(a, name), getattr(b, name))


def test_many_short_clusters_are_met_in_full_squares():
    X, starts = gaussians(1200, 2, 150)
    result = euclidean_pass(X, starts, full=True, n_jobs=2, memory=MEMORY)
    assert_same(result, full_square_pass(X, starts, full=True, n_jobs=1))
    assert_close(result, plain(X, starts))


def test_a_minimum_or_maximum_is_the_same_number_however_pairs_are_met():
    X, starts = gaussians(500, 7, 12)
    first, *others = (WAYS[name](X, starts) for name in WAYS if name not in {"rows", "matrix"})
    for other in others:
        for name in ("mins", "maxs", "hausdorff"):
            assert np.array_equal(getattr(first, name), getattr(other, name))


@functools.cache
def exact(offset, width):
    """Own sums, and sums by cluster, of gaussians from distances of more digits."""
    X, starts = gaussians(600, 4, 3, offset=offset, width=width)
    Y = X.astype(np.longdouble)
    d = np.sqrt(((Y[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2))
    label = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    same = label[:, None] == label
    by_cluster = np.add.reduceat(np.add.reduceat(d, starts[:-1], axis=0), starts[:-1], axis=1)
    np.fill_diagonal(by_cluster, np.diag(by_cluster) / 2)
    upper = d[np.triu_indices(len(X), 1)]
    return (d * same).sum(axis=1), by_cluster, upper


@way
@pytest.mark.parametrize(("offset", "width"), [(0.0, 1.0), (1e8, 1.0), (0.0, 1e-7), (1e8, 1e-3)])
def test_sums_are_exact_to_fourteen_digits_far_from_the_origin_and_in_tight_clusters(compiled, offset, width):
    X, starts = gaussians(600, 4, 3, offset=offset, width=width)
    own, sums, upper = exact(offset, width)
    result = compiled(X, starts)
    np.testing.assert_allclose(result.own, own.astype(float), rtol=1e-14)
    np.testing.assert_allclose(result.sums, sums.astype(float), rtol=1e-14)
    count = len(upper)
    variance = result.squares / count - (upper.mean() - result.shift) ** 2
    assert float(variance) == pytest.approx(float(((upper - upper.mean()) ** 2).mean()), rel=1e-12)


def test_the_variance_of_nearly_equal_distances_does_not_cancel():
    X, starts = np.eye(200), np.arange(0, 201, 10)
    for compiled in (plain, *WAYS.values()):
        assert compiled(X, starts).squares == pytest.approx(0, abs=1e-26)


@given(clusterings(dimensions=(1, 30)))
def test_plain_rows_are_those_of_scipy_to_the_last_bit(data):
    X, _ = data
    assert np.array_equal(euclidean_rows_numpy(X, 0, len(X)), cdist(X, X))
    lo, hi = len(X) // 3, len(X) // 2 + 1
    assert np.array_equal(euclidean_rows_numpy(X, lo, hi), cdist(X[lo:hi], X))


def test_rows_may_be_any_distance_and_are_asked_for_within_memory():
    X, starts = gaussians(1100, 3, 5)
    asked = []

    def rows(lo, hi):
        asked.append(hi - lo)
        return np.asfortranarray(cdist(X[lo:hi], X, "cityblock"))

    result = pairs.rows_pass(rows, len(X), starts, full=True, n_jobs=2, memory=1 << 20)
    assert_close(result, numpy_pass(rows_of_cityblock(X), len(X), starts, full=True))
    assert max(asked) * len(X) * 8 * 2 * 2 <= 1 << 20


def rows_of_cityblock(X):
    return lambda lo, hi: cdist(X[lo:hi], X, "cityblock")


def test_an_error_in_a_row_or_in_progress_reaches_the_caller():
    X, starts = gaussians(1100, 2, 3)

    def rows(lo, hi):
        if hi > 900:
            msg = "no such row"
            raise LookupError(msg)
        return euclidean_rows_numpy(X, lo, hi)

    with pytest.raises(LookupError, match="no such row"):
        pairs.compiled_rows_pass(rows, len(X), starts, full=False, n_jobs=2, memory=MEMORY)

    def interrupt(_item):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        euclidean_pass(X, starts, full=False, n_jobs=2, memory=MEMORY, done=interrupt)


def test_every_piece_of_work_is_reported_once():
    X, starts = gaussians(1100, 2, 3)
    for few_bytes in (MEMORY, 1000):
        items = []
        euclidean_pass(X, starts, full=False, n_jobs=2, memory=few_bytes, done=items.append)
        assert sorted(items) == list(range(len(items)))
        assert len(items) > 1


def test_few_points_do_not_load_a_compiler():
    code = (
        "import sys, numpy as np; from clustval.passes.pairs.half_square import euclidean_pass, rows_pass; "
        "from clustval.passes.work.thresholds import PAIRS as n; "
        "X = np.random.rand(n, 3); s = np.array([0, 40, n]); "
        "euclidean_pass(X, s, full=True, n_jobs=2, memory=10**9); "
        "rows_pass(lambda a, b: X[a:b] @ X.T, n, s, full=True, n_jobs=2, memory=10**9); "
        "assert not {'numba', 'scipy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def sphere(n, p, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, p))
    return X / np.linalg.norm(X, axis=1, keepdims=True)


@examples(60)
@given(clusterings(dimensions=(1, 8), most=150))
def test_searched_extremes_are_those_of_the_full_pass_to_the_last_bit(data):
    X, starts = data
    full = in_chunks(X, starts, 2048)
    found = extremes.searched_extremes(X, starts, n_jobs=2, budget=10**6)
    assert found == (full.mins.min(), full.maxs.diagonal().max())


@pytest.mark.parametrize("p", range(1, 9))
@pytest.mark.parametrize(("k", "offset", "width"), [(2, 0, 1), (7, 0, 0.01), (40, 1e6, 1), (1, 0, 1)])
def test_searched_extremes_are_those_of_the_full_pass_on_data_without_ties(p, k, offset, width):
    X, starts = gaussians(1500, p, k, seed=p, offset=offset, width=width)
    full = in_chunks(X, starts, 2048)
    found = extremes.searched_extremes(X, starts, n_jobs=1, budget=10**8)
    assert found == (full.mins.min(), full.maxs.diagonal().max())


def test_a_search_that_data_defeat_is_given_up_for_the_full_pass(monkeypatch):
    X, starts = np.vstack([sphere(2600, 3), 5 + sphere(2600, 3, seed=1)]), np.array([0, 2600, 5200])
    assert extremes.searched_extremes(X, starts, n_jobs=2, budget=len(X) ** 2 // 50) is None
    full = euclidean_pass(X, starts, full=True, n_jobs=2, memory=MEMORY)
    expected = (full.mins.min(), full.maxs.diagonal().max())
    assert extremes.cluster_extremes(X, starts, n_jobs=2, memory=MEMORY) == expected
    monkeypatch.setattr(extremes, "euclidean_pass", None)
    Y = np.random.default_rng(0).random((5200, 3)) + np.repeat([[0.0], [0.5]], 2600, axis=0)
    separation, diameter = extremes.cluster_extremes(Y, starts, n_jobs=2, memory=MEMORY)
    assert 0 < separation < diameter < 2
