"""Memberships of points in several clusters: examples of fuzzy indices, and the laws that hold of these alone."""

from __future__ import annotations

import math
import re
from math import inf

import brute_force
import naive_memberships
import numpy as np
import pandas as pd
import polars as pl
import pytest
from pytest import approx
from scipy import sparse
from sklearn.mixture import GaussianMixture

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS, Index, Statistic
from clustval.passes.memberships import fuzzy_sums
from clustval.rules import highest
from clustval.sources.memberships import membership_blocks, memberships
from clustval.sources.takes import Takes
from clustval.stats.memberships.fuzzy_scatter import FuzzyScatter, InnerMembers
from clustval.stats.memberships.fuzzy_spread import FuzzySpread
from clustval.stats.memberships.prototypes import Prototypes
from clustval.stats.shares import Shares
from conftest import make_blobs
from kinds import Alike, Examples

catalogue.load("fuzzy")
FUZZY = KINDS["fuzzy"].indices
X, LABELS = make_blobs((30, 18, 7), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)
RNG = np.random.default_rng(2)
ORDER = RNG.permutation(len(X))
RANDOM = RNG.dirichlet(np.ones(3), len(X))
SHARP, VAGUE = 0.8 * np.eye(3)[LABELS] + 0.2 * RANDOM, 0.8 / 3 + 0.2 * RANDOM

EXAMPLES = Examples(
    good=(X, SHARP),
    bad=(X, VAGUE),
    others=[(X, RNG.dirichlet(np.full(k, spread), len(X))) for k in (2, 3, 9) for spread in (0.1, 1, 10)],
    alike={
        "the order of points": Alike((X, SHARP), (X[ORDER], SHARP[ORDER]), 1e-13),
        "the names of clusters": Alike((X, SHARP), (X, SHARP[:, [2, 0, 1]]), 1e-13),
    },
    degenerate={
        "one cluster": (X[:4], np.ones((4, 1))),
        "one point": (X[:1], SHARP[:1]),
        "every point in one cluster": (X, np.eye(3)[LABELS]),
        "every point in all clusters alike": (X, np.full((len(X), 3), 1 / 3)),
        "a cluster without points": (X, np.column_stack([SHARP, np.zeros(len(X))])),
        "more clusters than points": (X[:2], np.full((2, 5), 0.2)),
        "memberships without points": (None, SHARP),
        "identical points": (np.ones((4, 2)), SHARP[:4]),
    },
    summing={"fuzzy_silhouette": {"alpha"}},
)


# --- laws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_definitions(name):
    data, reference = brute_force.data(name), brute_force.values(name, "C")
    X, U, V = data["X"], data["U"], data["V"]
    for index, value in cv.fuzzy.evaluate(X, U, centres=V).items():
        assert value == approx(reference[index], rel=1e-9), index
    assert cv.fuzzy.fuzzy_silhouette(X, U, alpha=2) == approx(reference["fuzzy_silhouette_alpha2"], rel=1e-9)
    assert cv.fuzzy.fuzzy_hypervolume(X, U, centres=V, m=1) == approx(reference["fuzzy_hypervolume_m1"], rel=1e-9)
    by_data = cv.fuzzy.fukuyama_sugeno(X, U, centres=V, centre="data")
    assert by_data == approx(reference["fukuyama_sugeno_data"], rel=1e-9)


def test_clusters_without_doubt_are_as_sharp_as_can_be_and_equal_shares_are_not_sharp_at_all():
    crisp = cv.fuzzy.evaluate(*EXAMPLES.degenerate["every point in one cluster"])
    assert crisp["partition_coefficient"] == crisp["modified_partition_coefficient"] == 1
    assert math.copysign(1, crisp["partition_entropy"]) == 1
    assert crisp["partition_entropy"] == 0
    alike = cv.fuzzy.evaluate(*EXAMPLES.degenerate["every point in all clusters alike"])
    assert alike["partition_coefficient"] == approx(1 / 3)
    assert alike["modified_partition_coefficient"] == approx(0, abs=1e-15)
    assert alike["partition_entropy"] == approx(math.log(3))


def test_equal_shares_have_a_sharpness_of_exactly_0_and_less_only_where_shares_do_not_add_up():
    for k in range(2, 30):
        assert cv.fuzzy.modified_partition_coefficient(None, np.full((50, k), 1 / k)) == approx(0, abs=1e-15)
        assert cv.fuzzy.modified_partition_coefficient(None, np.full((50, k), 1 / k)) >= 0
    assert cv.fuzzy.modified_partition_coefficient(None, np.full((50, 3), 0.3333331)) == 0
    free = cv.fuzzy.modified_partition_coefficient(None, np.full((50, 3), 0.1), possibilistic=True)
    assert free == approx((3 * 0.03 - 1) / 2)


@pytest.mark.parametrize("weights", [None, [0.5, 0.7]])
def test_fewer_points_than_clusters_have_no_variance_within(weights):
    U = [[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]]
    reason = "has no value for this clustering: there are fewer points than clusters, or it is 0/0."
    with pytest.raises(cv.UndefinedIndexError, match=reason):
        cv.fuzzy.fuzzy_calinski_harabasz([[0.0], [1.0]], U, sample_weight=weights)


def test_a_large_exponent_leaves_the_silhouettes_of_the_clearest_points():
    widths = cv.fuzzy.evaluate(X, SHARP).per_point("fuzzy_silhouette")
    second, first = np.sort(SHARP, axis=1)[:, -2:].T
    for alpha in (1e6, 1e308):
        assert cv.fuzzy.fuzzy_silhouette(X, SHARP, alpha=alpha) == approx(widths[(first - second).argmax()])
    equal = np.full((len(X), 2), 0.5)
    equal[0] = 0.5 - 1e-9, 0.5 + 1e-9
    assert cv.fuzzy.fuzzy_silhouette(X, equal, alpha=100) == approx(cv.fuzzy.fuzzy_silhouette(X, equal))


def test_a_normalized_entropy_is_a_share_of_the_largest_in_any_base():
    entropy = cv.fuzzy.partition_entropy
    for base in (2, 10):
        assert entropy(X, VAGUE, base=base) * math.log(base) == approx(entropy(X, VAGUE), rel=1e-14)
        assert entropy(X, VAGUE, base=base, normalized=True) == entropy(X, VAGUE, normalized=True)
    assert entropy(X, np.full((len(X), 7), 1 / 7), normalized=True) == approx(1)


def test_one_cluster_is_not_enough():
    with pytest.raises(cv.UndefinedIndexError, match=r"^partition_coefficient needs 2 clusters or more; U has 1\.$"):
        cv.fuzzy.partition_coefficient(None, [[1], [1]])


@pytest.mark.parametrize("index", FUZZY.values(), ids=lambda index: index.name)
def test_whole_weights_are_repeated_points(index):
    weights = np.arange(len(X)) % 4
    repeated = np.repeat(X, weights, axis=0), np.repeat(SHARP, weights, axis=0)
    assert index.function(X, SHARP, sample_weight=weights) == approx(index.function(*repeated), rel=1e-13)


NAMES = sorted(set(FUZZY) - {"fuzzy_silhouette"})


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("m", [1.0, 1.5, 2.0, 3.0])
def test_every_index_follows_its_definition(seed, m):
    rng = np.random.default_rng(seed)
    n, k, p = int(rng.integers(6, 90)), int(rng.integers(2, 5)), int(rng.integers(1, 4))
    X, U = rng.normal(size=(n, p)) * 3 + 5, rng.dirichlet(np.full(k, 0.5), n)
    centres = X[rng.choice(n, k, replace=False)] + 0.1 if seed % 2 else None
    middles = naive_memberships.means(X.tolist(), U.tolist(), m) if centres is None else centres.tolist()
    for name, value in cv.fuzzy.evaluate(X, U, centres=centres, m=m).items():
        expected = getattr(naive_memberships, name)(X.tolist(), U.tolist(), middles, m)
        assert value == approx(expected, rel=1e-9), name


@pytest.mark.parametrize("weights", [None, np.arange(len(X)) % 4 / 2 + 0.1], ids=["points", "weighted points"])
@pytest.mark.parametrize("m", [1.0, 1.7, 2.0])
def test_compiled_sums_are_those_of_numpy(weights, m, monkeypatch, set_thresholds):
    monkeypatch.setattr(fuzzy_sums, "BLOCK", 16)
    set_thresholds(POINTS=2)
    centres, inverses = np.ascontiguousarray(X[[0, 30, 50]]), np.tril(np.ones((3, 3, 3)))
    for name, arguments in {
        "sharpness": (SHARP, weights),
        "weighted_means": (X, SHARP, weights, m, X[0]),
        "weighted_distances": (X, SHARP, weights, m, centres, X[1]),
        "weighted_scatter": (X, SHARP, weights, m, centres),
        "members_inside": (X, SHARP, weights, centres, inverses),
    }.items():
        compiled, plain = getattr(fuzzy_sums, name)(*arguments), getattr(fuzzy_sums, f"{name}_numpy")(*arguments)
        pairs = zip(compiled, plain, strict=True) if isinstance(plain, tuple) else [(compiled, plain)]
        for ours, theirs in pairs:
            assert ours == approx(theirs, rel=1e-12), name


def test_crisp_memberships_have_the_values_of_internal_indices():
    crisp = np.eye(3)[LABELS]
    assert cv.fuzzy.fuzzy_calinski_harabasz(X, crisp) == approx(cv.internal.calinski_harabasz(X, LABELS), rel=1e-12)
    assert cv.fuzzy.fuzzy_silhouette(X, crisp) == approx(cv.internal.silhouette(X, LABELS), rel=1e-12)
    scores = cv.fuzzy.evaluate(X, crisp, indices="fuzzy_silhouette", sample_weight=np.arange(len(X)) % 2)
    alone = cv.evaluate(X[1::2], LABELS[1::2], "silhouette").per_point("silhouette")
    assert scores.per_point("fuzzy_silhouette")[1::2] == approx(alone, rel=1e-12)
    assert np.isnan(scores.per_point("fuzzy_silhouette")[::2]).all()


@pytest.mark.parametrize("index", FUZZY.values(), ids=lambda index: index.name)
@pytest.mark.parametrize("power", [-400, -90, 3, 90, 400])
def test_scaling_points_scales_the_value_by_the_degree(index, power):
    value, scaled = index.function(X, SHARP), outcome(index, np.ldexp(X, power))
    if index.degree is None:
        assert scaled == approx(naive_memberships.tang(*as_lists(np.ldexp(X, power))), rel=1e-9)
        return
    degree = index.degree(3) if callable(index.degree) else index.degree
    if abs(degree * power) > 1000:
        assert isinstance(scaled, str) or scaled == 0
    else:
        assert scaled == approx(np.ldexp(value, degree * power), rel=1e-12)


def outcome(index, points):
    try:
        return index.function(points, SHARP)
    except cv.UndefinedIndexError as reason:
        return str(reason)


def as_lists(points):
    return points.tolist(), SHARP.tolist(), naive_memberships.means(points.tolist(), SHARP.tolist(), 2.0), 2.0


@pytest.mark.parametrize("index", FUZZY.values(), ids=lambda index: index.name)
def test_the_origin_does_not_matter(index):
    assert index.function(X + 1e8, SHARP) == approx(index.function(X, SHARP), rel=1e-6)


def test_memberships_of_a_model_may_be_rounded_to_single_precision():
    class Rounded:
        def predict_proba(self, points):
            return (SHARP * (1 + 3e-6)).astype(np.float32)[: len(points)]

    expected = cv.fuzzy.partition_coefficient(X, SHARP)
    assert cv.fuzzy.partition_coefficient(X, Rounded()) == approx(expected, rel=1e-6)


def test_centres_may_be_those_of_a_model_that_gives_memberships():
    model = GaussianMixture(3, random_state=0).fit(X)
    scores = cv.fuzzy.evaluate(X, model)
    assert scores.to_dict() == cv.fuzzy.evaluate(X, model.predict_proba(X), centres=model.means_).to_dict()
    assert cv.fuzzy.kwon(X, model, centres=X[:3]) == cv.fuzzy.kwon(X, model.predict_proba(X), centres=X[:3])


def test_sparse_memberships_and_frames_are_those_of_the_array():
    crisp = np.eye(3)[LABELS]
    for same in (sparse.csr_array(crisp), pd.DataFrame(crisp), pl.DataFrame(crisp)):
        assert cv.fuzzy.kwon(X, same) == cv.fuzzy.kwon(X, crisp)


def test_possibilistic_memberships_need_not_add_up():
    free = np.vstack([SHARP * 0.5, np.zeros((1, 3))])
    points = np.vstack([X, X[:1]])
    scores = cv.fuzzy.evaluate(points, free, possibilistic=True)
    assert scores["partition_coefficient"] == approx(cv.fuzzy.partition_coefficient(X, SHARP) / 4 * 55 / 56)
    assert scores["wu_li"] == approx(cv.fuzzy.wu_li(X, SHARP) / 2)
    for shares, message in (
        (np.full((2, 2), 1.5), "U must not be above 1; row 0, column 0 is 1.5."),
        (-free, f"U must not be negative; row 0, column 0 is {-free[0, 0]:g}."),
    ):
        with pytest.raises(cv.InputError) as error:
            cv.fuzzy.evaluate(None, shares, possibilistic=True)
        assert str(error.value) == message


def test_clusters_without_members_and_flat_ones_are_named():
    empty = cv.fuzzy.evaluate(*EXAMPLES.degenerate["a cluster without points"])
    reason = "Cluster 3 has no members, so that it has no centre; leave its column out of U, or give centres."
    assert empty.reasons["kwon"] == reason
    flat = cv.fuzzy.evaluate(X * [1, 0, 1], SHARP)
    assert flat["fuzzy_hypervolume"] == 0
    reason = "The covariance of cluster 0 is singular, so that no distance in units of it exists."
    assert flat.reasons["partition_density"] == reason
    one = cv.fuzzy.evaluate(X, VAGUE * [0.1, 0.1, 1] + [0, 0, 0.9] * VAGUE[:, :1] + [0, 0, 0.9] * VAGUE[:, 1:2])
    reason = "Every point belongs most to cluster 2; silhouettes need a second cluster."
    assert one.reasons["fuzzy_silhouette"] == reason


def test_centres_that_coincide_are_infinitely_bad():
    alike = cv.fuzzy.evaluate(*EXAMPLES.degenerate["every point in all clusters alike"])
    assert alike["fuzzy_xie_beni"] == alike["kwon"] == alike["wu_li"] == inf
    assert math.isfinite(alike["tang"])


def test_centres_that_only_rounding_parts_coincide():
    one = np.array([0.3, 0.7, 0.7, 0.3])  # so that both centres are the mean
    both = np.column_stack([one, 1 - one])
    for points in ([7.1, 7.3, 7.5, 7.7], [0.1, 0.2, 0.3, 0.4], [1, 2, 3, 4]):
        line = np.array(points)[:, None]
        for plane in (line, np.column_stack([line, np.zeros(4), line + 1e6])):
            scores = cv.fuzzy.evaluate(plane, both)
            assert scores["fuzzy_xie_beni"] == scores["kwon"] == scores["wu_li"] == inf
            assert scores["pbmf"] == scores["fuzzy_calinski_harabasz"] == scores["bouguessa_wang_sun"] == 0
            assert scores.reasons["pcaes"].endswith("all centres coincide.")
    near = cv.fuzzy.fuzzy_xie_beni(line, both, centres=[[2.5], [2.5 + 1e-12]])
    assert near == approx(2.9 / (4 * 1e-24), rel=1e-3)
    assert math.isfinite(cv.fuzzy.kwon(np.column_stack([line, np.zeros(4)]), both, centres=[[2.5, 0], [2.5, 0.1]]))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("blocks", [False, True])
def test_clusters_of_equal_points_have_no_spread_however_their_means_are_rounded(seed, blocks):
    first, second = np.random.default_rng(seed).random((2, 3)) + 0.1
    points, crisp = np.array([first] * 3 + [second] * 5), np.eye(2)[[0] * 3 + [1] * 5]
    cuts = [slice(0, 2), slice(2, 8)]
    source = (membership_blocks([(points[rows], crisp[rows]) for rows in cuts]),) if blocks else (points, crisp)
    scores = cv.fuzzy.evaluate(*source)
    assert scores["fuzzy_xie_beni"] == scores["wu_li"] == 0
    assert scores["fuzzy_calinski_harabasz"] == scores["pbmf"] == scores["bouguessa_wang_sun"] == inf


def test_all_pairs_of_very_many_points_are_not_visited_unasked(set_limits):
    set_limits(longest=1e-9)
    scores = cv.fuzzy.evaluate(X, SHARP)
    assert re.fullmatch(
        r"fuzzy_silhouette needs 1\.48e\+03 distances, about .* on \d+ cores; "
        r"clustval\.fuzzy\.fuzzy_silhouette\(X, U\) computes it, however long it takes\.",
        scores.reasons["fuzzy_silhouette"],
    )
    assert cv.fuzzy.fuzzy_silhouette(X, SHARP) > 0.5


def test_memberships_are_swept_by_number_and_by_fuzzifier():
    swept = cv.fuzzy.sweep(X, {3: SHARP, "vague": VAGUE}, m={3: 2, "vague": 1.5}, centres={3: X[:3], "vague": X[:3]})
    alone = cv.fuzzy.evaluate(X, VAGUE, m=1.5, centres=X[:3])
    assert dict(zip(swept.indices, [swept[index][1] for index in swept.indices], strict=True)) == alone.to_dict()
    assert swept.best()["partition_entropy"] == 3
    assert swept.k.tolist() == [3, 3]
    assert cv.fuzzy.sweep(X, [SHARP, VAGUE], "kwon").names == (0, 1)
    for partitions, options, message in (
        ({}, {}, "partitions is empty; give at least one matrix of memberships."),
        (3, {}, "partitions must be a mapping from names to memberships, or a list; it is 3."),
        ({"a": SHARP}, {"m": {}}, "m has no entry for 'a'; give one for each of the partitions."),
    ):
        with pytest.raises(cv.InputError) as error:
            cv.fuzzy.sweep(X, partitions, **options)
        assert str(error.value) == message


def test_the_size_of_a_cluster_is_the_sum_of_its_memberships():
    scores = cv.fuzzy.evaluate(None, [[1, 0], [0.5, 0.5], [0.25, 0.75]])
    assert scores.per_cluster() == {"size": {0: 1.75, 1: 1.25}}
    assert scores.coverage == 1


# --- blocks ----------------------------------------------------------------------------------------------

CUTS = {
    "one block": [np.arange(len(X))],
    "uneven blocks": np.split(ORDER, [1, 2, 20, 23]),
    "an empty block": [np.arange(10), np.array([], dtype=int), np.arange(10, len(X))],
    "blocks of one cluster": [np.flatnonzero(LABELS == c) for c in range(3)],
    "single points": [np.array([i]) for i in range(len(X))],
}
WEIGHTS = np.where(LABELS == 0, 0, RNG.random(len(X)))


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["points", "weighted points"])
def test_blocks_add_up_to_the_whole(cut, weights):
    blocks = membership_blocks((X[r], SHARP[r], *([] if weights is None else [weights[r]])) for r in CUTS[cut])
    whole = memberships(X, SHARP, sample_weight=weights)
    for statistic in (Shares, Prototypes, FuzzySpread, FuzzyScatter, InnerMembers):
        for field, sum_of_all in vars(whole[statistic]).items():
            if isinstance(sum_of_all, (float, np.ndarray)) and not field.startswith("_"):
                assert vars(blocks[statistic])[field] == approx(sum_of_all, rel=1e-12, abs=1e-12), field
    together = cv.fuzzy.evaluate(X, SHARP, sample_weight=weights, indices=NAMES)
    parts = cv.fuzzy.evaluate(blocks, indices=NAMES)
    assert parts.to_dict() == approx(together.to_dict(), rel=1e-11)
    assert parts.per_cluster("size") == approx(together.per_cluster("size"), rel=1e-13)


def test_an_index_needs_the_coordinates_that_its_statistics_need():
    class Spread(Statistic):
        takes = Takes(coordinates=True)

        @classmethod
        def part(cls, _block):
            return cls()

        def __add__(self, other):
            return other

    def spread(_s: Spread):
        return 1.0

    spread.__annotations__ = {"_s": Spread}
    index = Index("spread", "fuzzy", spread, highest, (0, inf), "", clusters=(2, None))
    assert index.value(memberships(X, SHARP)) == index.value(membership_blocks([(X, SHARP), (X, SHARP)])) == 1
    for source in (memberships(None, SHARP), membership_blocks([(X, SHARP), (None, SHARP)])):
        with pytest.raises(cv.UndefinedIndexError, match=r"^spread needs coordinates; X is None\.$"):
            index.value(source)


# --- errors ----------------------------------------------------------------------------------------------


def broken(row, column, number):
    shares = SHARP.copy()
    shares[row, column] = number
    return shares


WRONG = {
    "U negative": (
        lambda: cv.fuzzy.evaluate(X, broken(4, 1, -0.25)),
        "U must not be negative; row 4, column 1 is -0.25.",
    ),
    "U not finite": (
        lambda: cv.fuzzy.evaluate(X, broken(4, 1, np.nan)),
        "U must be finite; row 4, column 1 is nan.",
    ),
    "U adds up to more": (
        lambda: cv.fuzzy.evaluate(None, [[0.5, 0.5], [0.5, 0.50001]]),
        "Each row of U must add up to 1; row 1 adds up to 1.00001.",
    ),
    "U is turned": (
        lambda: cv.fuzzy.evaluate(X, SHARP.T),
        (
            f"Each row of U must add up to 1; row 0 adds up to {SHARP[:, 0].sum():.9g}. "
            "Its columns do: give U.T, with one row per point."
        ),
    ),
    "U of labels": (
        lambda: cv.fuzzy.evaluate(X, LABELS),
        "U has one dimension; give one row per point, as U.reshape(-1, 1) does for one column.",
    ),
    "X of another length": (lambda: cv.fuzzy.evaluate(X[:9], SHARP), "X has 9 rows but U has 55."),
    "too few centres": (
        lambda: cv.fuzzy.evaluate(X, SHARP, centres=X[:2]),
        "centres has 2 rows but U has 3 columns; give one centre per cluster.",
    ),
    "centres in another space": (
        lambda: cv.fuzzy.evaluate(X, SHARP, centres=X[:3, :2]),
        "centres has 2 columns but X has 3.",
    ),
    "a fuzzifier below 1": (
        lambda: cv.fuzzy.evaluate(X, SHARP, m=0.5),
        "m must be a number from 1; it is 0.5.",
    ),
    "weights of another length": (
        lambda: cv.fuzzy.evaluate(X, SHARP, sample_weight=[1, 2]),
        "U has 55 rows but sample_weight has 2 entries.",
    ),
    "a model that is not fitted": (
        lambda: cv.fuzzy.evaluate(X, GaussianMixture(2)),
        "The GaussianMixture is not fitted; call its fit(X) first.",
    ),
    "a model without points": (
        lambda: cv.fuzzy.evaluate(None, GaussianMixture(2)),
        "X is None; GaussianMixture needs points to give memberships to.",
    ),
    "no block": (
        lambda: membership_blocks([]),
        "There are no blocks; give at least one pair of points and memberships.",
    ),
    "blocks of other clusters": (
        lambda: membership_blocks([(X, SHARP), (X, SHARP @ np.eye(3, 4))]),
        "Blocks must have the same clusters; U has 3 columns in some and 4 in others.",
    ),
    "blocks without weight": (
        lambda: membership_blocks([(X, SHARP, np.zeros(55))] * 2),
        "The weights are 0 for every point of every block; at least one must weigh more.",
    ),
    "a suite of other kinds": (
        lambda: cv.fuzzy.evaluate(X, SHARP, indices="zaki"),
        "The suite 'zaki' has no fuzzy indices.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_memberships_is_named(what):
    call, message = WRONG[what]
    with pytest.raises(cv.InputError) as error:
        call()
    assert str(error.value) == message


def test_memberships_may_miss_one_by_their_rounding():
    shares = np.round(SHARP, 7)
    assert (shares.sum(axis=1) != 1).any()
    assert cv.fuzzy.partition_coefficient(X, shares) == approx(cv.fuzzy.partition_coefficient(X, SHARP), abs=1e-6)
