"""Clustering tendency: the book's numbers on Iris, definitions in loops, and what random points give."""

from __future__ import annotations

import importlib
import itertools
import math
import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import beta, kstest, t

import clustval as cv
from clustval.seeding import generators
from clustval.tendency import distance_distribution, hopkins, ivat, spatial_histogram, vat
from clustval.tendency.hopkins import Hopkins, _moments, _sampler, _share
from conftest import iris_components, make_blobs

TESTS = {"hopkins": hopkins, "spatial histogram": spatial_histogram, "distance distribution": distance_distribution}


def groups(width=0.1, size=40):
    return make_blobs([size] * 3, range(3), width)[0]


# --- Zaki and Meira, examples 17.11 to 17.13 -------------------------------------------------------------


def test_iris_has_the_printed_hopkins_statistic():
    found = hopkins(iris_components()[0], m=30, random_state=0)
    assert found.mean == pytest.approx(0.935, abs=0.004)
    assert found.std == pytest.approx(0.025, abs=0.004)
    assert len(found.values) == 500
    assert found.p_value < 1e-6


def test_iris_has_the_printed_divergence_of_places():
    found = spatial_histogram(iris_components()[0], random_state=0)
    assert found.mean == pytest.approx(1.17, abs=0.03)
    assert found.std == pytest.approx(0.18, abs=0.02)
    assert found.null.max() < found.mean


def test_iris_has_the_printed_divergence_of_distances():
    found = distance_distribution(iris_components()[0], random_state=0)
    assert found.mean == pytest.approx(0.18, abs=0.005)
    assert found.std == pytest.approx(0.017, abs=0.003)
    assert found.null.max() < found.mean


# --- definitions in loops --------------------------------------------------------------------------------


def test_hopkins_follows_its_definition():
    X = np.random.default_rng(1).normal(size=(20, 3))
    found = hopkins(X, m=4, n_samples=3, random_state=9)
    generator = generators(9)
    for item, value in enumerate(found.values):
        rng = generator(item)
        places = rng.uniform(X.min(axis=0), X.max(axis=0), (4, 3))
        drawn = rng.choice(20, 4, replace=False)
        u = [min(math.dist(y, x) for x in X) ** 3 for y in places]
        w = [min(math.dist(X[i], X[j]) for j in range(20) if j != i) ** 3 for i in drawn]
        assert value == pytest.approx(sum(u) / (sum(u) + sum(w)), rel=1e-9)


def test_hopkins_of_uniform_points_follows_its_null_distribution():
    rng = np.random.default_rng(0)
    values = []
    for _ in range(150):  # points on a torus have no edge, but ours do: few draws far from it
        X = rng.uniform(size=(1500, 2))
        values.append(_sampler(X, X.min(axis=0), X.max(axis=0), 10, 1)(rng))
    assert kstest(values, beta(10, 10).cdf).pvalue > 0.01


def test_powers_of_many_dimensions_do_not_overflow():
    assert _share(np.array([1e200, 2e200]), np.array([1e200]), 3) == pytest.approx(0.9, rel=1e-12)
    X = np.random.default_rng(0).uniform(0, 1000, (40, 300))
    assert 0 < hopkins(X, n_samples=5, random_state=0).mean < 1


def divergence_in_loops(data, sample):
    total = sum(data.values())
    return sum(f / total * math.log2(f / (sample.get(cell, 0) or 0.5)) for cell, f in data.items())


def cells_in_loops(X, low, high, bins):
    counts: dict[tuple, int] = {}
    for x in X:
        cell = tuple(min(int((v - a) / (b - a) * bins), bins - 1) for v, a, b in zip(x, low, high, strict=True))
        counts[cell] = counts.get(cell, 0) + 1
    return counts


@pytest.mark.parametrize(("d", "bins"), [(1, 4), (2, 5), (12, 3), (3, 300)])
def test_places_are_counted_in_cells_few_or_many(d, bins):
    X = np.random.default_rng(2).normal(size=(60, d))
    found = spatial_histogram(X, bins, n_samples=3, random_state=4)
    low, high, generator = X.min(axis=0), X.max(axis=0), generators(4)
    drawn = [cells_in_loops(generator(item).uniform(low, high, X.shape), low, high, bins) for item in range(3)]
    data = cells_in_loops(X, low, high, bins)
    assert found.values == pytest.approx([divergence_in_loops(data, sample) for sample in drawn], rel=1e-9)
    following = [*drawn[1:], drawn[0]]
    null = [divergence_in_loops(a, b) for a, b in zip(drawn, following, strict=True)]
    assert found.null == pytest.approx(null, rel=1e-9)


def binned_distances(X, bins):
    distances = [math.dist(x, y) for x, y in itertools.combinations(X, 2)]
    low, high = min(distances), max(distances)
    counts: dict[int, int] = {}
    for d in distances:
        at = min(int((d - low) * (bins / (high - low))), bins - 1)
        counts[at] = counts.get(at, 0) + 1
    return counts


def test_distances_are_binned_from_the_least_to_the_largest_of_each_sample():
    X = np.random.default_rng(2).normal(size=(30, 3))
    found = distance_distribution(X, 8, n_samples=3, random_state=4)
    generator = generators(4)
    drawn = [binned_distances(generator(item).uniform(X.min(axis=0), X.max(axis=0), X.shape), 8) for item in range(3)]
    data = binned_distances(X, 8)
    assert found.values == pytest.approx([divergence_in_loops(data, sample) for sample in drawn], rel=1e-9)


def test_equal_distances_fall_into_one_bin():
    found = distance_distribution([[0.0], [1.0]], 3, n_samples=2, random_state=0)
    assert found.values.tolist() == [0, 0]


# --- p-values under the null -----------------------------------------------------------------------------


def p_values(test, shape, draws, **options):
    """Return the p-values of uniform points in a box of unequal sides."""
    rng = np.random.default_rng(3)
    sides = np.linspace(1, 3, shape[1])
    return np.array([test(rng.uniform(size=shape) * sides, random_state=at, **options).p_value for at in range(draws)])


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_p_values_of_uniform_points_are_uniform(test):
    found = p_values(test, (30, 2), 30, n_samples=39, n_jobs=1)
    assert 9 <= (found <= 0.5).sum() <= 21  # 15 are expected, with a standard deviation of 2.7
    assert 1 <= (found <= 0.2).sum() <= 13


def test_the_mean_of_many_samples_is_compared_with_means_of_many_samples():
    few, many = (hopkins(groups(0.8), n_samples=count, random_state=0) for count in (5, 500))
    assert many.null_std < few.null_std  # the mean of many samples varies less
    assert many.null_mean == few.null_mean
    assert many.p_value < 0.01
    assert many.p_value < beta(many.m, many.m).sf(many.mean) / 5  # the probability of a single sample


def test_what_is_left_of_the_scatter_of_means_is_known_as_from_fewer_sets():
    """The means of 49 sets vary by 0.07**2, of which 0.05**2 is left: half, known as well as from 48 / 4 + 1 sets."""
    found = Hopkins(np.array([0.6]), 5, 0.5, 0.05, 0.0, math.sqrt(2) * 0.05 / 7)
    assert found.p_value == pytest.approx(t.sf(0.1 / math.sqrt(0.05**2 + 2 * 0.05**2 / 49), 12))


def test_half_of_the_variance_of_sets_stays_however_much_their_samples_scatter():
    null = np.random.default_rng(0).normal(size=(49, 20))  # sets are alike: all variance is that of their samples
    _, std, _, error = _moments(null, 500)
    assert std == pytest.approx(7 * error / math.sqrt(2))
    assert _moments(null, 20)[1] == pytest.approx(7 * error)  # of as many samples nothing is taken off


def test_a_mean_as_large_as_the_null_has_is_no_evidence():
    even = hopkins(np.arange(50.0)[:, None], n_samples=20, random_state=0)  # points that keep apart
    assert even.mean < even.null_mean
    assert even.p_value > 0.95


def test_few_points_in_one_column_have_one_mode():
    rng = np.random.default_rng(0)
    found = [cv.unimodality(rng.uniform(size=(10, 1)), random_state=0) for _ in range(25)]
    assert min(one.distances_p_value for one in found) > 0.001
    assert sum(one.distances_p_value <= 0.05 for one in found) <= 4


def test_few_points_with_two_modes_have_two():
    X = np.concatenate([np.linspace(0, 1, 12), np.linspace(20, 21, 12)])[:, None]
    assert cv.unimodality(X, random_state=0).p_value < 0.01


def test_divergences_of_data_are_compared_with_those_of_uniform_points_in_their_place():
    X = np.random.default_rng(2).normal(size=(40, 2))
    found = distance_distribution(X, 8, n_samples=4, random_state=4)
    generator = generators(4)
    drawn = [binned_distances(generator(item).uniform(X.min(axis=0), X.max(axis=0), X.shape), 8) for item in range(4)]
    means = [np.mean([divergence_in_loops(a, b) for b in drawn if b is not a]) for a in drawn]
    assert found.null_means == pytest.approx(np.array(means), rel=1e-9)
    assert distance_distribution(X, 8, n_samples=1, random_state=4).p_value == 1


# --- all of them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_values_depend_on_the_seed_and_not_on_threads(test):
    X = groups()
    one, many = (test(X, n_samples=12, random_state=3, n_jobs=jobs) for jobs in (1, 4))
    assert np.array_equal(one.values, many.values)
    assert not np.array_equal(one.values, test(X, n_samples=12, random_state=4).values)


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_clusters_give_more_than_random_points(test):
    random = np.random.default_rng(0).uniform(size=(120, 2))
    assert test(groups(), n_samples=30, random_state=0).mean > test(random, n_samples=30, random_state=0).mean + 0.1


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_a_column_that_does_not_vary_changes_nothing(test):
    X = groups()
    with_constant = np.column_stack([X[:, 0], np.full(len(X), 7.0), X[:, 1]])
    plain, same = test(X, n_samples=5, random_state=0), test(with_constant, n_samples=5, random_state=0)
    assert np.array_equal(plain.values, same.values)


@pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
def test_results_can_be_read(test, capsys, set_limits):
    set_limits(seconds_between_reports=0)
    found = test(groups(), n_samples=5, random_state=0, progress=True)
    assert f"{found.mean:.3g}"[:4] in str(found)
    assert f"{found.std:.2g}"[:4] in found._repr_html_()
    assert "Drawing samples" in capsys.readouterr().err


def test_memory_stays_linear_in_the_number_of_points():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    distance_distribution(X[:10], n_samples=1, random_state=0)
    vat(X[:10])
    ivat(X[:10])
    tracemalloc.start()
    distance_distribution(X, n_samples=1, random_state=0)
    spatial_histogram(np.random.default_rng(0).normal(size=(1000, 30)), n_samples=2, random_state=0)
    vat(X, size=50)
    ivat(X, size=50)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5e6  # a matrix of distances would take 72 MB


def test_histograms_as_crowded_as_the_data_are_so_to_the_bit():
    """If rounding told them apart, p would be too small."""
    X = np.random.default_rng(5).uniform(size=(20, 1))
    found = spatial_histogram(X, n_samples=99, random_state=5)
    equal = np.isclose(found.null_means, found.mean, rtol=0, atol=1e-12)
    assert equal.any()
    assert (found.null_means[equal] == found.mean).all()


# --- VAT -------------------------------------------------------------------------------------------------


def order_in_loops(D):
    """Prim's algorithm from the first point of the largest distance, by definition."""
    n = len(D)
    order = [int(np.unravel_index(D.argmax(), D.shape)[0])]
    edges = [0.0]
    while len(order) < n:
        left = [j for j in range(n) if j not in order]
        chosen = min(left, key=lambda j: min(D[i, j] for i in order))
        edges.append(min(D[i, chosen] for i in order))
        order.append(chosen)
    return order, edges


def paths_in_loops(D):
    """Least longest step of a path between two points, by Floyd and Warshall."""
    paths = D.copy()
    for via in range(len(D)):
        paths = np.minimum(paths, np.maximum(paths[:, via : via + 1], paths[via : via + 1]))
    return paths


def distances(X):
    return np.sqrt(((X[:, None] - X) ** 2).sum(axis=-1))


@given(arrays(np.float64, st.tuples(st.integers(2, 12), st.integers(1, 3)), elements=st.integers(-5, 5)))
def test_points_follow_each_other_as_the_tree_takes_them_up(X):
    D, given_points = distances(X), X.copy()
    order, edges = order_in_loops(D)
    for picture in (vat(X), vat(D, metric="precomputed")):
        assert picture.order.tolist() == order
        assert picture.edges == pytest.approx(np.array(edges), rel=1e-12)
        assert picture.image == pytest.approx(D[np.ix_(order, order)], rel=1e-12)
    for picture in (ivat(X), ivat(D, metric="precomputed")):
        assert picture.image == pytest.approx(paths_in_loops(D)[np.ix_(order, order)], rel=1e-12)
    assert np.array_equal(X, given_points)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_a_small_image_holds_the_means_of_the_large_one(metric):
    X = groups()[:50]
    for picture in (vat, ivat):
        large, small = picture(X, metric=metric), picture(X, metric=metric, size=7)
        assert small.image.shape == (7, 7)
        bounds = [i * 50 // 7 for i in range(8)]
        for a, b in itertools.product(range(7), repeat=2):
            block = large.image[bounds[a] : bounds[a + 1], bounds[b] : bounds[b + 1]]
            assert small.image[a, b] == pytest.approx(block.mean(), rel=1e-12)


def test_clusters_are_blocks_of_the_picture():
    X = groups(width=0.01, size=20)[np.random.default_rng(0).permutation(60)]
    picture = ivat(X, n_jobs=3)
    middle = picture.image[:20, :20].max()
    assert middle < picture.image[:20, 20:].min()
    assert np.array_equal(picture.image, ivat(X, n_jobs=1).image)
    assert str(picture).startswith("60 points on 60 x 60 pixels, from 0 to ")


def test_work_on_many_points_is_done_in_pieces(set_limits, capsys):
    set_limits(seconds_between_reports=0)
    X = groups()
    whole = vat(X)
    set_limits(pairs_at_once=1000)
    pieces = vat(X, progress=True)
    assert np.array_equal(whole.order, pieces.order)
    assert np.array_equal(whole.image, pieces.image)
    by_rows = vat(distances(X), metric="precomputed", progress=True)
    assert np.array_equal(whole.order, by_rows.order)
    assert "Ordering points" in capsys.readouterr().err


BAD_CALLS = {
    "a sample larger than the data": (
        lambda: hopkins(groups()[:10], m=11),
        "m must be at most 10, the number of points; it is 11.",
    ),
    "an empty sample": (lambda: hopkins(groups(), m=0), "m must be a whole number from 1; it is 0."),
    "no sample": (lambda: hopkins(groups(), n_samples=0), "n_samples must be a whole number from 1; it is 0."),
    "one bin": (lambda: spatial_histogram(groups(), 1), "bins must be a whole number from 2; it is 1."),
    "no bin": (lambda: distance_distribution(groups(), 0), "bins must be a whole number from 2; it is 0."),
    "equal points": (
        lambda: hopkins(np.ones((5, 2))),
        "All 5 points of X are equal; clustering tendency needs points that differ.",
    ),
    "infinite points": (
        lambda: distance_distribution([[1.0], [np.inf]]),
        "X must be finite; row 1, column 0 is inf.",
    ),
    "no pixel": (lambda: vat(groups(), size=0), "size must be a whole number from 1; it is 0."),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_errors_say_what_to_do(case):
    call, message = BAD_CALLS[case]
    with pytest.raises(cv.InputError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize("d", [9, 40])
def test_many_columns_are_searched_without_trees_and_give_the_same_values(monkeypatch, d):
    module = importlib.import_module("clustval.tendency.hopkins")  # the function has its name
    points = np.random.default_rng(0).random((60, d)) + 1e4
    products = [cv.hopkins(points, n_samples=20, random_state=seed).values for seed in (0, 1)]
    monkeypatch.setattr(module, "Reference", module.Tree)
    for seed in (0, 1):
        assert products[seed] == pytest.approx(cv.hopkins(points, n_samples=20, random_state=seed).values, rel=1e-9)
    monkeypatch.undo()
    monkeypatch.setattr(module, "Tree", None)
    assert cv.hopkins(points, n_samples=20, random_state=0).values.tolist() == products[0].tolist()
