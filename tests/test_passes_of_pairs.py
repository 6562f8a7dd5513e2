"""Passes over pairs and what they are fed: where work is cut, what is held, and what comes out where data are odd."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from pytest import approx
from scipy import sparse
from scipy.spatial.distance import cdist

from clustval.kernels.metrics.form import EUCLIDEAN, Form
from clustval.passes.metrics import measure_forms, prepared
from clustval.passes.metrics.measure_images import form_distances_numpy, tied
from clustval.passes.metrics.measure_sparse import sparse_moments
from clustval.passes.pairs import half_square as pairs
from clustval.passes.pairs import half_square_numpy as plain
from clustval.passes.pairs.distance_matrix import matrix_pass

MEMORY = 1 << 30


def points(n, p):
    return np.random.default_rng(0).normal(size=(n, p))


# --- chunks of points, and groups of chunks -----------------------------------------------------------------


def test_long_clusters_are_cut_evenly_and_those_without_points_have_no_chunk():
    chunks = pairs.Chunks.of(np.array([0, 5, 12, 12, 13]), 4)
    assert chunks.edges.tolist() == [0, 2, 5, 8, 12, 13]
    assert chunks.owners.tolist() == [0, 0, 1, 1, 3]
    assert chunks.first.tolist() == [0, 2, 4, 4, 5]
    assert chunks.groups == [0, 1, 2, 3, 4, 5]


def test_one_long_cluster_among_short_ones_is_cut():
    chunks = pairs.Chunks.of(np.array([0, 1, 9, 10]), 4)
    assert chunks.edges.tolist() == [0, 1, 5, 9, 10]
    assert chunks.owners.tolist() == [0, 1, 1, 2]


def test_short_clusters_are_chunks_but_for_those_without_points():
    chunks = pairs.Chunks.of(np.array([0, 2, 2, 5]), 9)
    assert chunks.edges.tolist() == [0, 2, 5]
    assert chunks.owners.tolist() == [0, 2]
    assert chunks.first.tolist() == [0, 1, 1, 2]
    assert chunks.groups == [0, 2]


def test_a_group_gathers_as_many_points_as_a_chunk_may_have():
    starts = np.array([0, 1, 3, 6, 7])
    assert pairs.Chunks.of(starts, 3).groups == [0, 2, 3, 4]
    assert pairs.Chunks.of(starts, 6).groups == [0, 3, 4]
    assert pairs.Chunks.of(starts, 7).groups == [0, 4]


def test_no_points_are_no_work():
    chunks = pairs.Chunks.of(np.array([0]), 4)
    assert len(chunks) == 0
    assert chunks.groups == [0]


# --- strips, panels, and the room they take -----------------------------------------------------------------


def test_strips_take_as_many_places_as_whole_strips_need():
    X = np.arange(30.0).reshape(15, 2)
    packed, places = pairs.strips_of(X, np.array([0, 5, 14, 15]))
    assert places.tolist() == [0, 8, 24, 32]
    rows = packed.reshape(4, 2, 8).transpose(0, 2, 1).reshape(32, 2)  # strip, dimension, lane
    of_places = [*range(5), *[4] * 3, *range(5, 14), *[13] * 7, *[14] * 8]
    assert rows.tolist() == X[of_places].tolist()


def test_room_for_strips_begins_with_a_cache_line():
    for size in range(1, 200):
        for dtype in (np.float32, np.float64):
            room = pairs.aligned(size, dtype)
            assert room.ctypes.data % 64 == 0
            assert room.shape == (size,)


@pytest.mark.parametrize("p", [1, 100, 2048, 2049, 10**6])
def test_a_panel_holds_whole_strips_of_rows_in_any_number_of_dimensions(p):
    panel = pairs.Panel.of(p, np.dtype(np.float64))
    assert panel.rows >= pairs.WIDTH
    assert panel.rows % pairs.WIDTH == 0
    assert panel.strips >= 1


def test_points_of_very_many_dimensions_are_met_like_others():
    X, starts = points(70, 2500), np.array([0, 30, 70])
    visit = pairs.half_square_pass(X, starts, pairs.Chunks.of(starts, 64), full=True, n_jobs=1)
    expected = plain.numpy_pass(plain.rows_numpy(EUCLIDEAN, X), len(X), starts, full=True)
    for name in ("sums", "own", "nearest", "mins", "maxs", "hausdorff"):
        assert getattr(visit, name) == approx(getattr(expected, name), rel=1e-12), name


def record_room(monkeypatch):
    """Return a list of the bytes that tables will have been given."""
    given, aligned = [], pairs.aligned

    def recording(size, dtype=np.float64):
        given.append(size * np.dtype(dtype).itemsize)
        return aligned(size, dtype)

    monkeypatch.setattr(pairs, "aligned", recording)
    return given


def test_tables_of_half_a_square_are_held_just_if_they_fit_into_memory(monkeypatch):
    X, starts = points(363, 2), np.array([0, 121, 242, 363])  # 121 points leave seven places of a strip to copies
    given = record_room(monkeypatch)
    pairs.half_square_pass(X, starts, pairs.Chunks.of(starts, 256), full=True, n_jobs=1)
    held = sum(given)
    for memory, once in ((held, True), (held - 1, False)):
        assert pairs.meets_once(pairs.Chunks.of(starts, pairs.longest_chunk(363)), 363, memory) == once
        given.clear()
        pairs.euclidean_pass(X, starts, full=True, n_jobs=1, memory=memory)
        assert (sum(given) == held) == once  # the other way holds less


def test_a_piece_of_a_full_square_holds_no_more_points_than_it_meets(monkeypatch):
    X, starts = points(200, 3), np.array([0, 90, 200])
    given = record_room(monkeypatch)
    pairs.full_square_pass(X, starts, full=False, n_jobs=1, columns=16)
    assert len(given) > 10
    assert max(given[1:]) <= 16 * 3 * 8  # the first is a copy of all points


# --- few points, and numbers of single precision ------------------------------------------------------------


def test_few_points_are_one_piece_of_work():
    items = []
    pairs.few_pass(points(70, 2), np.array([0, 30, 70]), full=False, done=items.append)
    assert items == [0]


def test_a_distance_in_single_precision_does_not_depend_on_how_points_are_met():
    X, starts = points(150, 40).astype(np.float32), np.array([0, 70, 150])
    few = pairs.euclidean_pass(X, starts, full=True, n_jobs=1, memory=MEMORY)
    half = pairs.half_square_pass(X, starts, pairs.Chunks.of(starts, 64), full=True, n_jobs=1)
    full = pairs.full_square_pass(X, starts, full=True, n_jobs=1)
    for name in ("mins", "maxs", "hausdorff"):
        assert np.array_equal(getattr(few, name), getattr(full, name)), name
        assert np.array_equal(getattr(half, name), getattr(full, name)), name
    d, cuts = cdist(X.astype(np.float64), X.astype(np.float64)), list(pairwise(starts))
    for visit in (few, half, full):
        assert visit.maxs == approx(np.array([[d[a:b, c:e].max() for c, e in cuts] for a, b in cuts]), rel=1e-6)
        assert visit.own == approx(np.concatenate([d[a:b, a:b].sum(axis=1) for a, b in cuts]), rel=1e-6)


# --- the pass in plain NumPy --------------------------------------------------------------------------------


def test_the_mean_of_two_points_is_their_distance():
    assert plain.mean_apart(np.array([[0.0, 3.0], [3.0, 0.0]])) == 3
    assert plain.mean_apart(np.zeros((1, 1))) == 0


def test_what_a_metric_gives_for_a_point_and_itself_is_left_out():
    D = np.array(
        [
            [0.0, 4.0, 2.0, 5.0, 6.0],
            [4.0, 9.0, 1.0, 3.0, 7.0],
            [2.0, 1.0, 0.0, 8.0, 2.5],
            [5.0, 3.0, 8.0, 9.5, 3.5],
            [6.0, 7.0, 2.5, 3.5, 0.0],
        ]
    )
    given = D.copy()
    visit = plain.numpy_pass(lambda lo, hi: D[lo:hi], 5, np.array([0, 3, 5]), full=True, block=10)  # two rows at a time
    assert np.array_equal(D, given)
    assert visit.own.tolist() == [6, 5, 3, 3.5, 3.5]
    assert visit.sums.tolist() == [[7, 31.5], [31.5, 3.5]]
    assert visit.maxs.tolist() == [[4, 8], [8, 3.5]]
    assert visit.mins.tolist() == [[np.inf, 2.5], [2.5, np.inf]]
    assert visit.hausdorff.tolist() == [[0, 5], [3, 0]]
    upper = D[np.triu_indices(5, 1)]
    assert visit.squares == approx(((upper - visit.shift) ** 2).sum(), rel=1e-14)


# --- a matrix of distances ----------------------------------------------------------------------------------


def of_matrix(D):
    n = len(D)
    return matrix_pass(D, np.zeros(n, dtype=np.int64), np.arange(n), full=False, n_jobs=1, memory=MEMORY)


def test_a_matrix_of_points_that_are_all_equal_is_sound():
    assert of_matrix(np.zeros((9, 9))).sound


def test_points_of_the_only_cluster_of_a_matrix_have_no_neighbour():
    X = points(20, 2)
    visit = of_matrix(cdist(X, X))
    assert visit.sound
    assert visit.neighbour.tolist() == [-1] * 20
    assert np.isinf(visit.nearest).all()


# --- distances by a form of metric --------------------------------------------------------------------------


@pytest.mark.parametrize("lo", [0, 3, 8, 66, 72, 90])
def test_later_rows_hold_the_distances_to_themselves_and_to_later_points(lo):
    rows = measure_forms.FormRows(EUCLIDEAN, points(101, 3))
    assert rows.columns is not None
    assert np.array_equal(rows.later(lo, 99)[:, lo:], rows(lo, 99)[:, lo:])


@pytest.mark.parametrize("form", [EUCLIDEAN, Form("cityblock"), Form("minkowski", 3.0, 1 / 3)])
def test_the_distances_of_a_row_do_not_depend_on_how_many_rows_are_asked_for(form):
    A, B = points(40, 7), points(100, 7) + 0.1
    every = measure_forms.FormRows(form, B).of(A)
    assert every == approx(form_distances_numpy(form, A, B), rel=1e-13)
    for count in (0, 1, 2, 8, 9, 40):
        assert np.array_equal(measure_forms.form_distances(form, A[:count], B), every[:count])
        assert np.array_equal(measure_forms.form_distances(form, B, A[:count]), every[:count].T)


def test_rounded_distances_are_of_the_size_they_had():
    distances = np.array([0.0, 3.0, 4.0, 4.0 * (1 + 2**-50), 1e3])
    rounded = tied(distances, 4.0, 2.0**20)
    assert rounded == approx(distances, rel=1e-8)
    assert rounded[3] == rounded[2] == 4


@pytest.mark.parametrize(("name", "far"), [("jaccard", 1.0), ("dice", 1.0), ("sokalsneath", 1.0), ("yule", 2.0)])
def test_sets_that_differ_in_all_of_few_members_are_as_far_apart_as_can_be(name, far):
    sets = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    packed = prepared.packed_bits(sets)
    distances = form_distances_numpy(Form(name, 2.0), packed, packed)
    assert distances[0, 1] == distances[1, 0] == far
    assert distances[0, 2] == (0 if name == "yule" else far)
    assert distances.diagonal().tolist() == [0, 0, 0]


# --- sparse points ------------------------------------------------------------------------------------------


def test_moments_of_sparse_points_of_little_weight_are_those_of_loops():
    X = np.array([[0.0, -3.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, -7.0], [4.0, 0.0, 5.0], [9.0, 0.0, 0.0]])
    codes, weights = np.array([0, 0, 1, 1, 2]), np.array([0.25, 0.5, 0.125, 0.125, 0.0])
    mass = np.array([0.75, 0.25, 0.0])
    means, squares, reach = sparse_moments(sparse.csr_array(X), codes, mass, weights)
    for c in range(2):
        mine, heavy = X[codes == c], weights[codes == c]
        mean = heavy @ mine / heavy.sum()
        assert means[c] == approx(mean, rel=1e-15)
        assert squares[c] == approx(heavy @ (mine - mean) ** 2, rel=1e-15)
    assert means[2].tolist() == squares[2].tolist() == [0, 0, 0]
    assert reach.tolist() == [9, 3, 7]


# --- points as metrics want them ----------------------------------------------------------------------------


def test_a_row_far_below_zero_has_a_length_among_others():
    X = np.array([[3.0, 4.0], [-4e200, 3.0], [3e-200, -4e-200]])
    assert prepared.unit_rows(X) == approx(np.array([[0.6, 0.8], [-1.0, 7.5e-201], [0.6, -0.8]]), rel=1e-15)


def test_whitened_rows_are_a_product_of_matrices():
    rows = prepared.whitened(
        np.array([[1.0, 2.0], [3.0, 5.0]]), np.array([1.0, 1.0]), np.array([[2.0, 1.0], [0.0, 3.0]])
    )
    assert rows.tolist() == [[0, 3], [4, 14]]
