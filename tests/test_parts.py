"""The law of parts: what the blocks of a source leave behind adds up to the statistic of the whole."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass

import numpy as np
import pandas as pd
import pytest
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.declare import Statistic, ways_of
from clustval.errors import InputError
from clustval.sources.blocks import Block, blocks_of
from clustval.sources.label_pair import LabelPair, label_blocks, label_pair
from clustval.sources.partition import Partition, partition
from clustval.sources.takes import takes_of
from clustval.stats.pairs.pair_distances import PairSums, PointMeans
from clustval.stats.pairs.square_moments import SquareMoments
from clustval.stats.points.point_values import PointValues
from clustval.stats.ranks.rank_concordance import Concordance

catalogue.load()
RNG = np.random.default_rng(8)
N = 61
LABELS = np.array(["b", "a", "d", "c"])[RNG.integers(0, 4, N)]
NOISY = np.where(np.arange(N) % 7 == 3, None, LABELS)
TRUTH = RNG.integers(0, 5, N)
X = RNG.normal(size=(N, 3)) @ np.diag([1, 3, 0.2]) + 100 * (LABELS == "a")[:, None] + 1e4
WEIGHTS = RNG.choice([0.0, 0.5, 1.0, 2.0, 3.25], N)

CUTS = {
    "one block": [np.arange(N)],
    "uneven blocks": np.split(RNG.permutation(N), [1, 2, 20, 23]),
    "an empty block": [np.arange(10), np.array([], dtype=int), np.arange(10, N)],
    "blocks of one cluster": [np.flatnonzero(LABELS == name) for name in "abcd"],
    "single points": [np.array([i]) for i in range(N)],
}  # fmt: skip


def adding(source: type) -> list[type[Statistic]]:
    """Return the statistics of a source that are the sum of their parts."""
    classes, todo = [], [Statistic]
    while todo:
        subclasses = todo.pop().__subclasses__()
        todo += subclasses
        classes += [c for c in subclasses if "part" in vars(c)]
    homes = {c: {of for way in ways_of(c, source) if way.part for of in way.sources} for c in classes}
    of_squares = {SquareMoments}  # for some metrics only; it has a law of its own
    return sorted((c for c in classes if source in homes[c] and c not in of_squares), key=lambda c: c.__name__)


def contents(statistic, source):
    """Return what a statistic holds, values of points in the order of the input, as plain arrays by name."""
    values = {}
    for field in fields(statistic):
        value = getattr(statistic, field.name)
        if value is None or is_dataclass(value) or field.name == "heights":
            continue
        if hasattr(statistic, "factors") and field.name in {"factors", "rows"}:  # one of many with one cross product
            value = np.array([f.T @ f for f in statistic.factors])
        elif isinstance(value, list):
            value = np.array([str(v) for v in value])
        elif isinstance(statistic, PointValues) and np.shape(value)[:1] == (source.n,):
            value = source.unsorted(np.asarray(value, dtype=float))
        values[field.name] = np.asarray(value)
    return values


def assert_equal(parts, whole):
    assert parts.keys() == whole.keys()
    for name, value in whole.items():
        if value.dtype.kind in "iUO":
            assert parts[name].tolist() == value.tolist(), name
        else:
            scale = float(np.abs(value[np.isfinite(value)]).max(initial=0.0))
            assert parts[name] == approx(value, rel=1e-11, abs=1e-11 * scale, nan_ok=True), name


def of_blocks(rows, labels, weights, **options):
    columns = [(X[r], labels[r], *([weights[r]] if weights is not None else [])) for r in rows]
    return blocks_of(columns, **options)


def compare_partitions(statistic, rows, labels, weights=None, **options):
    order = np.concatenate(rows)
    whole = partition(X[order], labels[order], sample_weight=None if weights is None else weights[order], **options)
    parts = of_blocks(rows, labels, weights, **options)
    if statistic is PairSums:  # sums of squares about different shifts
        assert parts[PairSums].variance == approx(whole[PairSums].variance, rel=1e-11)
        parts[PairSums].__dict__.update(squares=whole[PairSums].squares, shift=whole[PairSums].shift)
    assert_equal(contents(parts[statistic], parts), contents(whole[statistic], whole))


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("statistic", adding(Partition), ids=lambda s: s.__name__)
def test_statistics_of_points_are_the_sum_of_their_parts(statistic, cut):
    compare_partitions(statistic, CUTS[cut], LABELS)
    compare_partitions(statistic, CUTS[cut], NOISY)
    compare_partitions(statistic, CUTS[cut], LABELS, weights=WEIGHTS)


@pytest.mark.parametrize("metric", ["cityblock", "seuclidean", "mahalanobis"])
@pytest.mark.parametrize("statistic", adding(Partition), ids=lambda s: s.__name__)
def test_parts_are_measured_by_the_metric_of_the_whole(statistic, metric):
    compare_partitions(statistic, CUTS["uneven blocks"], LABELS, metric=metric)


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_means_of_squares_are_the_sum_of_their_parts(metric):
    for weights in (None, WEIGHTS):
        compare_partitions(PointMeans, CUTS["uneven blocks"], NOISY, weights, metric=metric)


@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("statistic", adding(LabelPair), ids=lambda s: s.__name__)
@pytest.mark.parametrize("noise", ["cluster", "drop"])
def test_statistics_of_two_labellings_are_the_sum_of_their_parts(statistic, cut, noise):
    for weights in (None, WEIGHTS, np.ceil(WEIGHTS)):
        w = [] if weights is None else [weights]
        whole = label_pair(TRUTH, NOISY, noise=noise, sample_weight=weights)[statistic]
        rows = [r for r in CUTS[cut] if len(r) and (weights is None or weights[r].any())]
        parts = label_blocks([(TRUTH[r], NOISY[r], *(v[r] for v in w)) for r in rows], noise=noise)[statistic]
        assert_equal(contents(parts, None), contents(whole, None))


@pytest.mark.parametrize("statistic", adding(Partition), ids=lambda s: s.__name__)
def test_a_wrong_sum_is_noticed(statistic, monkeypatch):
    monkeypatch.setattr(statistic, "__add__", lambda self, _other: self)
    with pytest.raises((AssertionError, ValueError)):
        compare_partitions(statistic, CUTS["uneven blocks"], LABELS)


@pytest.mark.parametrize(
    "statistic", [s for s in adding(Partition) if not takes_of(s).extremes], ids=lambda s: s.__name__
)  # one point less need not change an extreme
def test_a_part_that_leaves_out_a_point_is_noticed(statistic, monkeypatch):
    (way,) = (way for way in ways_of(statistic, Block) if way.part and way.when is None)
    part = way.run

    def short(block, *known):
        if 1 < block.n < N:
            smaller = of_blocks([np.arange(block.n - 1)], LABELS, None).blocks[0]
            if smaller.k == block.k:
                block = smaller
        return part(block, *known)

    monkeypatch.setitem(vars(way), "run", short)
    with pytest.raises((AssertionError, ValueError, IndexError)):
        compare_partitions(statistic, CUTS["uneven blocks"], LABELS)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["points", "weighted points"])
@pytest.mark.parametrize("cut", CUTS)
def test_every_index_of_blocks_has_the_value_of_the_whole_or_says_why_not(cut, weights):
    rows = CUTS[cut]
    order = np.concatenate(rows)
    whole = cv.evaluate(X[order], NOISY[order], "all", sample_weight=None if weights is None else weights[order])
    parts = cv.evaluate(of_blocks(rows, NOISY, weights), indices="all")
    for name, value in whole.items():
        if not all(map(parts.source._adds_up, whole.choices[name].index.statistics)):
            assert math.isnan(parts[name])
            assert parts.reasons[name] == f"{name} needs all points at once; from blocks of rows it cannot be had."
        else:
            assert parts[name] == approx(value, rel=1e-9, nan_ok=True), name
    assert parts.per_point("silhouette") == approx(whole.per_point("silhouette"), rel=1e-11, nan_ok=True)
    assert parts.per_cluster("ball_hall") == approx(whole.per_cluster("ball_hall"), rel=1e-9)
    assert parts.coverage == whole.coverage


def test_agreement_of_blocks_is_that_of_the_whole():
    whole = cv.agreement(TRUTH, NOISY, "all")
    rows = [r for r in CUTS["uneven blocks"] if len(r)]
    parts = cv.agreement(label_blocks([(TRUTH[r], NOISY[r]) for r in rows]), indices="all")
    assert parts.to_dict() == whole.to_dict()


def test_statistics_of_ranks_do_not_add_up():
    assert not Concordance.is_mergeable


def test_a_statistic_says_in_one_way_how_it_is_computed():
    hooks = {name: classmethod(lambda cls, *_known: cls()) for name in ("derived", "of")}
    with pytest.raises(TypeError, match="Two must define one of part, derived and of; it defines"):
        type("Two", (Statistic,), hooks)
    with pytest.raises(TypeError, match="Half has parts, so it must define"):
        type("Half", (Statistic,), {"part": classmethod(lambda cls, _block: cls())})


@pytest.mark.parametrize(("hook", "missing"), [("relabelled", "moved"), ("moved", "relabelled")])
def test_a_statistic_that_merges_says_both_where_its_clusters_and_its_origin_go(hook, missing):
    with pytest.raises(TypeError, match=f"Half defines {hook}, so it must define {missing}"):
        type("Half", (Statistic,), {hook: lambda self, *_: self})


BAD = {
    "no block": ([], "There are no blocks; give at least one pair of points and labels."),
    "other columns": (
        [(X[:5], LABELS[:5]), (X[5:9, :2], LABELS[5:9])],
        "Blocks must have the same columns; some have 2 and others 3.",
    ),
    "weights of some": (
        [(X[:5], LABELS[:5]), (X[5:9], LABELS[5:9], WEIGHTS[5:9])],
        "Either all blocks have weights or none; some do and some do not.",
    ),
    "columns in another order": (
        [(pd.DataFrame(X[:5], columns=list(names)), LABELS[:5]) for names in ("abc", "cba")],
        (
            "Blocks must have the same columns in the same order; column 0 of one is 'c', and of others 'a'. "
            "Choose columns by name: X[['a', ...]]."
        ),
    ),
    "labels of another length": ([(X[:5], LABELS[:4])], "Block 0 of X has 5 rows but its labels has 4 entries."),
}


@pytest.mark.parametrize("case", BAD)
def test_blocks_that_do_not_fit_are_refused(case):
    rows, message = BAD[case]
    with pytest.raises(InputError) as error:
        blocks_of(rows)
    assert str(error.value) == message


@pytest.mark.parametrize("weighted", [False, True])
def test_a_page_of_blocks_says_how_many_points_are_noise(weighted):
    labels = np.where(np.arange(N) % 10 == 3, None, LABELS).astype(object)
    weights = np.full(N, 2.0 if weighted else 1.0)
    parts = [(X[rows], labels[rows], weights[rows]) for rows in (slice(0, 30), slice(30, N))]
    page = cv.evaluate(blocks_of([part[: 2 + weighted] for part in parts]), indices="ch").to_html(look=False)
    assert f"{12 if weighted else 6} points (9.8%) are noise" in page
