"""External indices of the second wave: their definitions, reference values, models of chance, and values of points."""

from __future__ import annotations

import math
from fractions import Fraction

import brute_force
import naive_agreement as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval.compare.agreement import agreement
from clustval.errors import InputError, UndefinedIndexError
from clustval.kernels.labels.information_spread import second_moment
from clustval.sources.label_pair import label_blocks
from clustval.stats.labels.information_spread import log_tables, second_moment_numpy
from clustval.stats.labels.pair_moments import sum_of_products, triples
from clustval.stats.labels.partition_models import clusterings, together_of_any, together_of_number
from conftest import examples

RNG = np.random.default_rng(4)
TRUTH = np.repeat([0, 1, 2, 3], [20, 12, 7, 3])
LABELS = np.where(RNG.random(42) < 0.3, RNG.integers(0, 5, 42), TRUTH)


@st.composite
def labellings(draw, fewest=1, most=6, clusters=4):
    n = draw(st.integers(fewest, most))
    one = st.lists(st.integers(0, draw(st.integers(0, clusters - 1))), min_size=n, max_size=n)
    return [draw(one) for _ in range(2)]


def ours(name, *labels, **options):
    try:
        return getattr(cv.external, name)(*labels, **options)
    except UndefinedIndexError:
        return math.nan


def agree(value, defined):
    """Whether the values are the same; where the definition is 0/0, ours is that of identical labellings or none."""
    if math.isnan(defined):
        return math.isnan(value) or value in (0.0, 1.0)
    return value == approx(float(defined), rel=1e-9, abs=1e-9)


# --- definitions and reference values --------------------------------------------------------------------


@pytest.mark.large
@examples(60)
@given(labels=labellings())
def test_every_index_follows_its_definition(labels):
    for name, definition in naive.INDICES.items():
        assert agree(ours(name, *labels), definition(*labels)), name


FROM_POINTS = (
    "element_centric", "modified_adjusted_rand", "normalized_information_distance", "reduced_mutual_info",
    "larsen_aone", "meila_heckerman", "transfer_distance", "centroid_index",
)  # fmt: skip


@given(labels=labellings(most=14, clusters=5))
def test_indices_that_need_no_arrangements_follow_their_definitions_with_more_points(labels):
    for name in FROM_POINTS:
        assert agree(ours(name, *labels), naive.INDICES[name](*labels)), name
    assert agree(ours("modified_adjusted_rand", *labels, raw=True), naive.modified_adjusted_rand(*labels, raw=True))
    assert ours("reduced_mutual_info", *labels, raw=True) == approx(naive.reduced_information(*labels), abs=1e-12)
    assert ours("transfer_distance", *labels, normalized=True) == approx(1 - cv.external.accuracy(*labels))
    points = agreement(*labels, "element_centric").per_point("element_centric")
    assert points == approx(naive.element_centric_points(*labels))


OPTIONS = {
    "modified_adjusted_rand_raw": ("modified_adjusted_rand", {"raw": True}),
    "reduced_mutual_info_raw_nats": ("reduced_mutual_info", {"raw": True}),
}
GIVEN = {"table", "covers", "consensus", "element_centric_first10", "mi_mean", "mi_variance"}
ELSEWHERE = {"element_centric_overlap", "omega", "onmi_lfk", "onmi_max", "reduced_mutual_info_exact"}


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_definitions(name):
    data, reference = brute_force.data(name), brute_force.values(name, "D")
    compared = reference.keys() - GIVEN - ELSEWHERE
    assert len(compared) == 16
    for key in compared:
        index, options = OPTIONS.get(key, (key, {}))
        assert ours(index, data["truth"], data["other"], **options) == approx(reference[key], rel=1e-9), key
    scores = agreement(data["truth"], data["other"], "element_centric")
    assert scores.per_point("element_centric")[:10] == approx(reference["element_centric_first10"], rel=1e-12)


@pytest.mark.parametrize("name", brute_force.SETS)
def test_the_number_of_tables_is_near_the_exact_one(name):
    reference = brute_force.values(name, "D")
    if "reduced_mutual_info_exact" in reference:
        assert reference["reduced_mutual_info"] == approx(reference["reduced_mutual_info_exact"], abs=0.01)
    for a, b in (((4, 3), (5, 2)), ((6, 3, 3), (4, 4, 4)), ((9, 5, 2), (10, 6))):
        exact = math.log(naive.tables(a, b))
        assert log_tables(np.array(a), np.array(b), sum(a)) == approx(exact, abs=0.2)


# --- models of chance ------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [65, 80, 130, 300])
def test_shares_of_clusterings_are_those_of_whole_numbers(n):
    fewer, counts = [*clusterings(n - 1), 0], clusterings(n)
    for k in range(1, n + 1):
        assert float(together_of_number(n, k)) == approx(float(Fraction(fewer[k], counts[k])), rel=1e-11), k
    assert together_of_any(n) == approx(float(Fraction(sum(fewer), sum(counts))), rel=1e-11)


def test_shares_of_clusterings_of_many_points_have_their_limits():
    assert together_of_number(10**7, 1000) == approx(1 / 1000, rel=1e-12)
    assert together_of_number(1000, 2) == approx(0.5, rel=1e-12)
    for n in (10**5, 10**6, 10**7):
        assert together_of_number(n, n - 1) == approx(2 / (n * (n - 1)), rel=1e-8, abs=0), n


def test_labellings_of_nearly_as_many_clusters_as_points_agree_by_chance_alone():
    n = 10**6
    truth, labels = np.arange(n), np.arange(n)
    truth[1], labels[3] = 0, 2  # another pair together in each: 1 - 1 / (1 - p), with one pair's share p of all
    assert cv.external.adjusted_rand_num(truth, labels) == approx(-2 / (n * (n - 1)), abs=1e-9)
    assert cv.external.adjusted_rand_num_labels_only(truth, labels) == approx(-2 / (n * (n - 1)), abs=1e-9)


@given(st.integers(0, 10**6))
def test_sums_of_products_are_exact(seed):
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, 2**30, 5) for _ in range(3)]
    exact = sum(a * b * c for a, b, c in zip(*(c.tolist() for c in columns), strict=True))
    assert sum_of_products(*columns) == exact
    assert sum_of_products(columns[0] * 4, *columns[1:]) == 4 * exact
    assert sum_of_products(*(c.astype(float) for c in columns)) == approx(exact, rel=1e-14)


def test_chains_of_two_pairs_are_counted_also_in_clusters_of_one_point():
    assert triples(np.array([1, 1, 2])) == 0
    assert triples(np.array([3, 4])) == 6 + 24


@given(st.integers(0, 10**6), st.integers(6, 40))
def test_the_scatter_of_information_is_the_same_compiled_and_in_numpy(seed, n):
    rng = np.random.default_rng(seed)
    sides = [np.unique(rng.integers(0, rng.integers(2, 6), n), return_counts=True)[1] for _ in range(2)]
    (a, times_a), (b, times_b) = (np.unique(sizes, return_counts=True) for sizes in sides)
    plain = second_moment_numpy(a, times_a, b, times_b, n)
    compiled = second_moment(a.astype(float), times_a, b.astype(float), times_b, float(n))
    assert compiled == approx(plain, rel=1e-11)


def test_the_scatter_of_information_of_many_points_is_that_of_chi_squared():
    rng = np.random.default_rng(0)
    truth, labels = rng.integers(0, 4, 20_000), rng.integers(0, 6, 20_000)
    z = cv.external.standardized_mutual_info(truth, labels)
    degrees = 3 * 5  # of freedom, which 2 n I has
    chi_squared = 2 * 20_000 * cv.external.mutual_info(truth, labels)
    assert z == approx((chi_squared - degrees) / math.sqrt(2 * degrees), rel=0.02)


def test_what_would_take_minutes_has_a_reason():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(40), rng.integers(10_000, 40_000, 40))
    with pytest.raises(UndefinedIndexError, match=r"takes too long for \d+ points in clusters of 40 and 40 different"):
        cv.external.standardized_mutual_info(truth, truth)


def test_one_z_serves_every_index_that_is_linear_in_the_pairs():
    tested = agreement(TRUTH, LABELS, ["rand", "adjusted_rand", "fowlkes_mallows"], permutations=4000, random_state=0)
    z = cv.external.pair_agreement_z(TRUTH, LABELS)
    for name, null in tested.null.items():
        assert (tested[name] - null.mean) / null.std == approx(z, rel=0.05), name


def test_a_million_million_pairs_are_counted_exactly():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 50, 200_000)
    labels = np.where(rng.random(200_000) < 0.01, truth, rng.integers(0, 60, 200_000))
    z = cv.external.pair_agreement_z(truth, labels)
    few = cv.external.pair_agreement_z(rng.permutation(truth), labels)
    assert z > 10
    assert abs(few) < 5


# --- values of points ------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", ["cluster", "singletons", "drop"])
def test_values_of_points_average_to_the_index_whatever_noise_is(noise):
    truth, labels = np.where(TRUTH == 3, -1, TRUTH), np.where(LABELS == 4, -1, LABELS)
    scores = agreement(truth, labels, "element_centric", noise=noise)
    points = scores.per_point("element_centric")
    left_out = (truth == -1) | (labels == -1) if noise == "drop" else np.zeros(42, dtype=bool)
    assert np.isnan(points).tolist() == left_out.tolist()
    assert np.nanmean(points) == approx(scores["element_centric"], rel=1e-14)
    if noise != "drop":
        names = [np.where(side == -1, 100 + np.arange(42) * (noise == "singletons"), side) for side in (truth, labels)]
        assert points == approx(naive.element_centric_points(*(side.tolist() for side in names)))


def test_values_of_points_follow_weights_and_names():
    weights = np.arange(42) % 3
    scores = agreement(TRUTH, np.array(list("abcde"))[LABELS], "element_centric", sample_weight=weights)
    points = scores.per_point("element_centric")
    assert np.isnan(points).tolist() == (weights == 0).tolist()
    there = weights > 0
    assert np.average(points[there], weights=weights[there]) == approx(scores["element_centric"], rel=1e-14)
    rows = np.repeat(np.arange(42), weights)
    repeated = agreement(TRUTH[rows], LABELS[rows], "element_centric").per_point("element_centric")
    assert points[rows].tolist() == repeated.tolist()


def test_a_table_alone_has_no_values_of_points():
    table = cv.contingency(TRUTH, LABELS)
    with pytest.raises(InputError, match=r"^Values of points need the labels of the points; here only their table is"):
        agreement(table, indices="element_centric").per_point("element_centric")


def test_blocks_of_labels_have_the_values_of_the_whole():
    blocks = label_blocks([(TRUTH[i::3], LABELS[i::3]) for i in range(3)])
    names = [*naive.INDICES]
    assert agreement(blocks, indices=names).to_dict() == approx(agreement(TRUTH, LABELS, names).to_dict(), rel=1e-14)
