"""One pass over rows in any order: kernels of ranges, moments, distances to centres and codes equal plain NumPy."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval import inputs, kernels
from clustval.declare import KINDS
from clustval.inputs import Labels
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS
from clustval.labels import counted, encode
from clustval.passes.centres.centre_distances import centre_distances_numpy
from clustval.passes.centres.centre_gaps import BetweenMeans, Gaps
from clustval.passes.points import own_centres, row_moments
from clustval.passes.points.row_moments import RowSums
from clustval.sources.clustered_points import checked_rows
from clustval.sources.partition import Partition, partition
from clustval.sources.read_once import RowsReadOnce, read_once
from clustval.sources.space import Space
from clustval.stats.centres.mean_radii import MeanRadii
from clustval.stats.centres.radii import Radii
from clustval.stats.points.moments import Moments, MomentsOfTable

WIDTHS = [1, 2, 3, 7, 8, 9, 16, 17]


def clustered(n, p, k, seed=0):
    """Return points around k places, some clusters being empty where k is large, and the cluster of each."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, k, n)
    return rng.normal(size=(n, p)) + 10 * rng.normal(size=(k, p))[codes] + 100, codes


@pytest.mark.parametrize("p", WIDTHS)
@pytest.mark.parametrize("n", [65, 127, 1000])
def test_columns_have_the_means_and_ranges_of_numpy(n, p):
    X, _ = clustered(n, p, 3)
    for block in (None, 50):
        columns = row_moments.columns_of(X, block=block)
        plain = row_moments.columns_numpy(X)
        assert columns.means == approx(plain[0], rel=1e-14)
        assert columns.table[1:].tolist() == plain[1:].tolist()
        assert (columns.low, columns.high) == (X.min(), X.max())


@pytest.mark.parametrize("fault", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("row", [0, 64, 129])
def test_one_number_that_is_none_is_seen_wherever_it_is(fault, row):
    X, _ = clustered(130, 3, 2)
    X[row, 1] = fault
    columns = row_moments.columns_of(X)
    assert not np.isfinite(columns.low + columns.high)


@pytest.mark.parametrize("p", WIDTHS)
@pytest.mark.parametrize("k", [1, 5, 80])
def test_moments_of_rows_are_those_of_sorted_points(p, k):
    X, codes = clustered(700, p, k)
    sizes = np.bincount(codes, minlength=k)
    columns = row_moments.columns_of(X).table
    table = row_moments.moments_of_rows(X, codes, sizes, columns, 1e-15).table
    means, squares, reach, about = table[:k], table[k : 2 * k], table[2 * k], table[2 * k + 1 :]
    for c in np.flatnonzero(sizes):
        mean = X[codes == c].mean(axis=0)
        assert means[c] + columns[0] == approx(mean, rel=1e-14)
        assert squares[c] == approx(((X[codes == c] - mean) ** 2).sum(axis=0), rel=1e-12, abs=1e-20)
    assert not means[sizes == 0].any()
    assert not squares[sizes == 0].any()
    assert reach.tolist() == np.abs(X - columns[0]).max(axis=0).tolist()
    assert about[2] == approx(((X - X.mean(axis=0)) ** 2).sum(axis=0), rel=1e-12)


def test_moments_in_blocks_on_threads_are_those_of_one_call():
    X, codes = clustered(900, 5, 4)
    sizes, columns = np.bincount(codes), row_moments.columns_of(X).table
    one = MomentsOfTable(row_moments.moments_of_rows(X, codes, sizes, columns, ROUNDING_OF_MEANS), sizes, 900)
    other = Moments.of_rows(X, RowSums.of(X, codes, sizes, 2, block=100), sizes, columns[0])
    for name in ("means", "squares", "reach", "mean", "offsets", "between_by_dimension", "total_by_dimension", "n"):
        assert getattr(one, name) == approx(getattr(other, name), rel=1e-13, abs=1e-13), name


@given(st.integers(0, 10**6), st.sampled_from([0.0, 1e4, -1e8]), st.integers(1, 10))
def test_means_and_squares_keep_their_digits_far_from_the_origin(seed, shift, p):
    rng = np.random.default_rng(seed)
    X, codes = rng.integers(0, 64, (80, p)) / 64 + shift, rng.integers(0, 3, 80)
    source = partition(X, codes)
    moments = source[Moments]
    for at, c in enumerate(np.unique(codes)):
        for j in range(p):
            column = [Fraction(x) for x in X[codes == c, j].tolist()]
            mean = sum(column) / len(column)
            exact = float(sum((x - mean) ** 2 for x in column))
            assert moments.squares[at, j] == approx(exact, rel=1e-13, abs=1e-30)
            from_origin = float(mean - Fraction(float(source.origin[j])))
            assert moments.means[at, j] == approx(from_origin, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("p", WIDTHS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("block", [None, 100])
def test_sums_to_own_centres_are_those_of_all_distances(p, dtype, block):
    X, codes = clustered(300, p, 4)
    X = X.astype(dtype)
    order, starts = np.argsort(codes, kind="stable"), np.concatenate([[0], np.cumsum(np.bincount(codes))])
    origin = X.mean(axis=0, dtype=np.float64)
    centres = np.array([X[codes == c].mean(axis=0, dtype=np.float64) for c in range(4)]) - origin
    expected = centre_distances_numpy((X - origin)[order], starts, centres, centres[0], table=False)[3]
    ours = own_centres.sums_to_own(X, codes, origin, centres, 2, block=block)
    assert ours == approx(expected, rel=1e-13)


def test_mean_radii_of_rows_are_those_of_all_distances_to_centres():
    X, codes = clustered(500, 3, 4)
    source = partition(X, codes)
    ours, theirs = source[MeanRadii], MeanRadii.derived(source[Radii])
    assert source.way(MeanRadii).run.__name__ == "from_rows"
    assert ours.means == approx(theirs.means, rel=1e-14)
    assert (ours + ours).sums.tolist() == (2 * ours.sums).tolist()


def test_weights_ask_for_mean_radii_by_way_of_all_distances():
    X, codes = clustered(200, 2, 3)
    weights = 1.0 + np.arange(200) % 2
    twice = np.repeat(np.arange(200), weights.astype(int))
    ours = cv.internal.davies_bouldin(X, codes, sample_weight=weights)
    assert ours == approx(cv.internal.davies_bouldin(X[twice], codes[twice]), rel=1e-13)


@pytest.mark.parametrize("k", [2, 5])
def test_the_worst_overlap_is_that_of_a_table(k):
    rng = np.random.default_rng(k)
    means, spreads = rng.normal(size=(k, 3)), rng.random(k)
    compiled = Gaps(BetweenMeans(means, 0.0, 1000), k).worst_overlap(spreads)
    assert compiled.tolist() == Gaps(BetweenMeans(means, 0.0, 2), k).worst_overlap(spreads).tolist()
    means[1], spreads[:2] = means[0], 0.0  # 0/0
    with np.errstate(all="ignore"):
        plain = Gaps(BetweenMeans(means, 0.0, 2), k).worst_overlap(spreads)
    compiled = Gaps(BetweenMeans(means, 0.0, 1000), k).worst_overlap(spreads)
    assert np.array_equal(compiled, plain, equal_nan=True)
    assert np.isnan(compiled[:2]).all()


@given(st.lists(st.integers(-3, 6), min_size=65, max_size=200), st.sampled_from([np.int8, np.int32, np.int64]))
def test_labels_are_coded_and_counted_at_once_as_they_are_one_after_the_other(values, dtype):
    kernels.labels.numbering  # noqa: B018 - loads the compiler, without which others do it
    labels = np.array(values, dtype=dtype)
    codes, names, sizes, whole = counted(labels)
    expected, expected_names = encode(labels, "labels")
    assert codes.tolist() == expected.tolist()
    assert names.tolist() == expected_names
    assert sizes.tolist() == np.bincount(expected[expected >= 0], minlength=len(names)).tolist()
    assert whole == (-1 not in values)


def test_codes_do_not_change_with_the_labels_that_they_were_made_of():
    labels = np.arange(100) % 3
    coded = inputs.as_labels(labels)
    labels[:] = 7
    assert coded.codes.tolist() == (np.arange(100) % 3).tolist()


@pytest.mark.parametrize("labels", [np.arange(100) * 10**15, np.array([np.iinfo(np.int64).min, 5] * 40)])
def test_labels_far_apart_are_left_to_others(labels):
    assert counted(labels) is None
    assert inputs.as_labels(labels).k == len(np.unique(labels))


# --- many points, read once ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("numbers", "left"), [(10**4, "moment_table"), (100, "row_sums")])
@pytest.mark.parametrize("name", ["calinski_harabasz", "davies_bouldin", "davies_bouldin_rms", "trace_w"])
def test_points_that_are_read_once_have_the_values_of_those_that_are_checked_first(name, numbers, left, set_limits):
    X, codes = clustered(400, 3, 4)
    index = KINDS["internal"].indices[name]
    value = index.value(Partition(Space(X), Labels(codes, [0, 1, 2, 3])))
    set_limits(numbers_in_one_call=numbers)
    source = checked_rows(X, codes, metric="euclidean", noise="drop", n_jobs=2, plan=index.plain_plan)
    assert type(source) is RowsReadOnce
    assert {"moment_table", "row_sums"} & vars(source).keys() == {left}
    assert index.value(source) == approx(value, rel=1e-13)
    assert cv.evaluate(X, codes, [name])[name] == getattr(cv.internal, name)(X, codes) == index.value(source)
    assert cv.evaluate(X, codes, [name], n_jobs=1)[name] == index.value(source)


@pytest.mark.parametrize("travels", [False, True])
def test_points_that_are_read_once_answer_whatever_other_points_answer(travels):
    X, codes = clustered(400, 3, 4)
    other = partition(X, codes + 5)
    plan = KINDS["internal"].indices["trace_w"].plain_plan
    source = read_once(X, codes + 5, metric="euclidean", noise="drop", n_jobs=1, plan=plan)
    if travels:
        source = pickle.loads(pickle.dumps(source))
    for name in ("names", "n", "k", "p", "total", "total_mass", "coverage", "count", "metric", "sparse", "searchable"):
        assert getattr(source, name) == getattr(other, name)
    for name in ("codes", "order", "sizes", "mass", "origin", "columns", "X", "Z", "noise", "kept"):
        assert getattr(source, name).tolist() == getattr(other, name).tolist()
    assert source.surroundings[1].tolist() == codes.tolist()
    assert source[Moments].squares.tolist() == other[Moments].squares.tolist()
    assert KINDS["internal"].indices["dunn"].value(source) == cv.internal.dunn(X, codes)


def test_clusters_for_which_there_was_no_room_are_added_up_as_others_are():
    X, codes = clustered(700, 3, 40)
    rows, again = (row_moments.labelled_rows(X, codes, 1e-15, room=room) for room in (50, 7))
    assert rows.moments.table.tolist() == again.moments.table.tolist()
    assert rows.sizes.tolist() == again.sizes.tolist() == np.bincount(codes).tolist()
    assert again.names.tolist() == list(range(40))


@pytest.mark.parametrize("p", [1, 2, 3, 4])
def test_rows_of_few_columns_have_the_bits_of_rows_of_many(p):
    X, codes = clustered(1003, p, 5)
    wide = np.column_stack([X, np.zeros((1003, 9 - p))])
    few, many = (row_moments.labelled_rows(points, codes, 1e-15) for points in (X, wide))
    assert few.moments.table.tolist() == many.moments.table[:, :p].tolist()
    eight, centres = wide[:, :8].copy(), np.zeros((5, 8))
    centres[:, :p] = 3.0
    sums = own_centres.sums_to_own(X, codes, np.zeros(p), centres[:, :p].copy())
    assert sums.tolist() == own_centres.sums_to_own(eight, codes, np.zeros(8), centres).tolist()
    blocks, others = (RowSums.of(points, codes, few.sizes, block=100) for points in (X, wide))
    assert blocks.squares.tolist() == others.squares[:, :p].tolist()
    assert (blocks.lows.tolist(), blocks.highs.tolist()) == (X.min(axis=0).tolist(), X.max(axis=0).tolist())
    assert others.highs[:p].tolist() == blocks.highs.tolist()


@pytest.fixture(params=[10**4, 100])
def points_are_read_once(request, set_limits):
    set_limits(numbers_in_one_call=request.param)


def test_a_table_that_may_be_one_of_distances_is_left_to_those_who_look_at_it():
    X = np.abs(np.subtract.outer(np.arange(80.0), np.arange(80.0)))
    with pytest.warns(UserWarning, match="looks like distances"):
        cv.internal.calinski_harabasz(X, np.arange(80) % 2)


@pytest.mark.usefixtures("points_are_read_once")
@pytest.mark.parametrize("fault", [np.nan, np.inf, 1e160])
def test_many_points_with_a_fault_are_refused_as_few_are(fault):
    X, codes = clustered(400, 3, 4)
    X[333, 1] = fault
    with pytest.raises(cv.InputError, match=r"column 1 is|reaches 1e"):
        cv.internal.calinski_harabasz(X, codes)


@pytest.mark.usefixtures("points_are_read_once")
def test_many_points_with_noise_or_too_few_labels_are_left_to_others():
    X, codes = clustered(400, 3, 4)
    some = np.where(np.arange(400) % 7, codes, -1)
    assert cv.internal.calinski_harabasz(X, some) == approx(
        cv.internal.calinski_harabasz(X[some >= 0], some[some >= 0])
    )
    with pytest.raises(cv.InputError, match="400 rows but labels has 399"):
        cv.internal.calinski_harabasz(X, codes[1:])
    with pytest.raises(cv.InputError, match="noise must be one of"):
        cv.internal.calinski_harabasz(X, codes, noise="none")


@pytest.mark.usefixtures("points_are_read_once")
def test_many_points_for_which_more_than_sums_is_asked_are_left_to_others():
    X, codes = clustered(400, 3, 4)
    plan = KINDS["internal"].indices["silhouette"].plain_plan
    assert read_once(X, codes, metric="euclidean", noise="drop", n_jobs=1, plan=plan) is None
