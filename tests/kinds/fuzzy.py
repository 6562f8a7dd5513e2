"""Memberships of points in several clusters: examples of fuzzy indices, and the laws that hold of these alone."""

from __future__ import annotations

import math
from math import inf

import numpy as np
import pytest
import second_wave
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS, Index, Statistic
from clustval.rules import highest
from clustval.sources.memberships import membership_blocks, memberships
from clustval.sources.takes import Takes
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
)


# --- laws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", second_wave.SETS)
def test_values_are_those_of_the_definitions(name):
    data, reference = second_wave.data(name), second_wave.values(name, "C")
    for index, value in cv.fuzzy.evaluate(data["X"], data["U"], centres=data["V"]).items():
        assert value == approx(reference[index], rel=1e-12), index


def test_clusters_without_doubt_are_as_sharp_as_can_be_and_equal_shares_are_not_sharp_at_all():
    crisp = cv.fuzzy.evaluate(*EXAMPLES.degenerate["every point in one cluster"])
    assert crisp["partition_coefficient"] == crisp["modified_partition_coefficient"] == 1
    assert math.copysign(1, crisp["partition_entropy"]) == 1
    assert crisp["partition_entropy"] == 0
    alike = cv.fuzzy.evaluate(*EXAMPLES.degenerate["every point in all clusters alike"])
    assert alike["partition_coefficient"] == approx(1 / 3)
    assert alike["modified_partition_coefficient"] == approx(0, abs=1e-15)
    assert alike["partition_entropy"] == approx(math.log(3))


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
    for field, sum_of_all in vars(whole[Shares]).items():
        assert vars(blocks[Shares])[field] == approx(sum_of_all, rel=1e-13), field
    together = cv.fuzzy.evaluate(X, SHARP, sample_weight=weights)
    parts = cv.fuzzy.evaluate(blocks)
    assert parts.to_dict() == approx(together.to_dict(), rel=1e-13)
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
