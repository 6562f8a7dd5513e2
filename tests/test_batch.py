"""Many partitions at once give the values that each gives alone."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist, squareform
from way_calls import note_calls

from clustval import catalogue
from clustval.catalogue import select
from clustval.declare import KINDS, Need, Plan
from clustval.errors import UndefinedIndexError
from clustval.inputs import Labels
from clustval.kernels.work.sizes import STRIP
from clustval.passes.sweeps.partitions import Block, Distances
from clustval.relative import scoring
from clustval.relative.labellings import coded
from clustval.sources.many import BlockTables, Group, Shared, stacks
from clustval.sources.partition import Partition
from clustval.sources.space import Space, space_of
from clustval.stats.pairs.pair_distances import PairSums
from clustval.stats.points.moments import Moments
from clustval.stats.points.scatter import Scatter
from clustval.stats.ranks.rank_concordance import Concordance, ExtremeSums

approx = pytest.approx
catalogue.load()
ROOMY = Space(np.zeros((1, 1)), memory=2**31)
STACKED = [index for index in KINDS["internal"].indices.values() if stacks(ROOMY, index.needs())]
NEEDS = frozenset(need for index in STACKED for need in index.needs())
RNG = np.random.default_rng(3)
BLOBS = np.vstack([RNG.normal(4 * c, w, (n, 3)) for c, (n, w) in enumerate([(31, 1.0), (17, 0.6), (22, 0.3)])])
DATA = {
    "blobs": BLOBS,
    "far from zero": RNG.normal(size=(101, 4)) * [1, 10, 0.1, 3] + 1e6,
    "a lattice, full of ties": RNG.integers(0, 4, (90, 2)).astype(float),
    "a plane in three dimensions": RNG.integers(0, 5, (60, 2)) @ np.array([[1.0, 2, 3], [0, 1, 1]]),
    "a constant column": np.column_stack([RNG.normal(size=(45, 2)), np.full(45, 7.0)]),
    "nearly flat": np.column_stack([RNG.normal(size=60), RNG.normal(size=60) * 1e-9]),
    "one dimension": RNG.normal(size=(40, 1)),
    "more dimensions than points": RNG.normal(size=(12, 20)),
    "all points equal": np.ones((20, 2)),
}


def partitions(n, ks, count=2, seed=0):
    """Give codes of random partitions with every cluster filled."""
    rng = np.random.default_rng(seed)
    for k in ks:
        for _ in range(count):
            codes = rng.integers(0, k, n)
            codes[rng.permutation(n)[:k]] = np.arange(k)
            yield codes, k


def labelled(n, ks, **options):
    return [Labels(codes, list(range(k))) for codes, k in partitions(n, ks, **options)]


def group(X, codes, k):
    space = space_of(X, n_jobs=1)
    codes = np.array(codes)
    return Group(BlockTables(Shared(space, NEEDS), codes, np.full(len(codes), k)), 0, len(codes))


def value_or_nan(index, source):
    try:
        return index.value(source)
    except UndefinedIndexError:
        return math.nan


@pytest.mark.parametrize("name", DATA)
def test_every_index_of_many_partitions_has_the_values_of_each_alone(name):
    X = DATA[name]
    space = space_of(X, n_jobs=1)
    for k in (2, 3, 6, len(X) // 2):
        labels = labelled(len(X), [k])
        many = group(X, [given.codes for given in labels], k)
        singles = [Partition(space, given, NEEDS) for given in labels]
        found = {index.name: index.values(many).tolist() for index in STACKED}
        expected = {index.name: [value_or_nan(index, single) for single in singles] for index in STACKED}
        assert found == {n: approx(v, rel=1e-10, abs=1e-13, nan_ok=True) for n, v in expected.items()}


@pytest.mark.parametrize("name", ["blobs", "a lattice, full of ties"])
def test_comparisons_of_distances_are_counted_exactly(name):
    X = DATA[name]
    space = space_of(X, n_jobs=1)
    for codes, k in partitions(len(X), (2, 3, 9, 30), count=1):
        many: Concordance = group(X, [codes], k)[Concordance]
        one: Concordance = Partition(space, Labels(codes, list(range(k))))[Concordance]
        assert (many.plus.tolist(), many.minus.tolist(), many.ties.tolist()) == ([one.plus], [one.minus], [one.ties])


def test_sums_of_extreme_distances_are_rounded_once():
    X = BLOBS * [1, 1e4, 1e-4]
    ordered = np.sort(pdist(X))
    for codes, k in partitions(len(X), (2, 5, 60), count=1):
        g = group(X, [codes], k)
        found: ExtremeSums = g[ExtremeSums]
        within = int(g[PairSums].pairs_within[0])
        assert found.smallest[0] == approx(math.fsum(ordered[:within]), rel=3e-16)
        assert found.largest[0] == approx(math.fsum(ordered[len(ordered) - within :]), rel=3e-16)


def test_distances_are_those_of_scipy_to_the_last_bit():
    X = DATA["far from zero"]
    distances = Distances.of_points(X, n_jobs=2)
    assert np.array_equal(distances.ranking.ordered, np.sort(pdist(X)))
    assert np.array_equal(distances.ranking.ordered[distances.ranking.ranks // 2 - 1], pdist(X))
    assert distances.symmetric


@pytest.mark.parametrize(("n", "p"), [(1, 1), (17, 32), (16, 33), (40, 100)])
@pytest.mark.parametrize(("factor", "scale"), [(0.0, np.sqrt), (1.0, np.asarray), (0.5, lambda squares: squares / 2)])
def test_strips_of_distances_over_many_columns_have_the_bits_of_scipy(n, p, factor, scale):
    rng = np.random.default_rng(p)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-5, 5, p)
    strips = Distances.of_points(X, n_jobs=1, factor=factor).strips.reshape(-1, n, STRIP)
    rows = np.concatenate([strip.T for strip in strips])
    assert np.array_equal(rows[:n], scale(cdist(X, X, "sqeuclidean")))
    assert not rows[n:].any()  # sums over strips count them


def test_distances_that_differ_by_direction_are_found_out():
    D = squareform(pdist(BLOBS))
    D[3, 60] += 1e-12
    assert not Distances.of_rows(lambda lo, hi: D[lo:hi], len(D), n_jobs=1).symmetric


def test_ranks_are_the_mean_ranks_of_equal_distances():
    from scipy.stats import rankdata

    ranking = Distances.of_points(DATA["a lattice, full of ties"], n_jobs=1).ranking
    distances = pdist(DATA["a lattice, full of ties"])
    assert ranking.ranks.tolist() == (2 * rankdata(distances)).astype(int).tolist()
    _, sizes = np.unique(distances, return_counts=True)
    assert sorted(ranking.tie_sizes.tolist()) == sorted(sizes[sizes > 1].tolist())


def test_all_distances_equal_share_one_rank():
    simplex = np.eye(5)
    ranking = Distances.of_points(simplex, n_jobs=1).ranking
    assert set(ranking.ranks.tolist()) == {11}
    assert ranking.tie_sizes.tolist() == [10]


def test_a_matrix_that_is_nearly_singular_is_factored_from_the_points(monkeypatch):
    X = DATA["nearly flat"]
    exact = []
    note_calls(monkeypatch, Scatter, lambda block, *_: isinstance(block, Partition) and exact.append(block))
    for name in ("det_ratio", "scott_symons"):
        KINDS["internal"].indices[name].values(group(X, [c for c, _ in partitions(60, [3])], 3))
    assert len(exact) == 1 + 1  # the scatter of all points, once for each group: W itself is regular
    group(X @ np.array([[1.0, 1], [1, -1]]), [c for c, _ in partitions(60, [3])], 3)[Scatter]
    assert len(exact) == 3 + 2  # and that of both partitions, where the columns are all but the same


# Blocks


def test_blocks_hold_each_partition_with_clusters_once_sorted_by_their_number():
    rng = np.random.default_rng(0)
    for jobs, most in itertools.product((1, 2, 7), (1, 60, 500)):
        ks = rng.integers(0, 9, most)
        ks[0] = 3
        blocks = scoring.blocks_of(ks, jobs)
        together = np.concatenate(blocks)
        assert sorted(together.tolist()) == np.flatnonzero(ks).tolist()
        assert (np.diff(ks[together]) >= 0).all()
        assert max(map(len, blocks)) <= scoring.BLOCK


def test_partitions_with_very_many_clusters_have_blocks_of_their_own():
    ks = np.array([2, 2, 3000, 3000])
    assert [block.tolist() for block in scoring.blocks_of(ks, 1)] == [[0, 1], [2], [3]]


@pytest.fixture(name="blocks")
def _blocks(set_thresholds):
    """Take the road of blocks however little there is to do."""
    set_thresholds(SWEEP_WORK=0)


def table(X, labels, suite="all", *, metric="euclidean", n_jobs=None, memory=None):
    space = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory))
    return scoring.table_of(space, labels, select(suite, "internal"))


@pytest.mark.usefixtures("blocks")
def test_blocks_and_single_partitions_give_the_same_table(set_thresholds):
    labels = labelled(len(BLOBS), (1, 2, 5, 69, 70))
    labels.append(Labels(np.where(np.arange(70) < 9, -1, np.arange(70) % 3), [0, 1, 2]))  # with noise
    labels.append(Labels(np.full(70, -1), []))  # nothing but noise
    many = table(BLOBS, labels)
    set_thresholds(SWEEP_WORK=10**9)
    single = table(BLOBS, labels)
    assert many.values == approx(single.values, rel=1e-10, abs=1e-13, nan_ok=True)
    assert many.reasons == single.reasons
    assert {row for row, _ in many.reasons} >= {0, 1, 8, 9, 11}


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("n", [1, 2, 3, pytest.param(33, marks=pytest.mark.large)])
def test_few_points_are_no_exception(set_thresholds, n):
    labels = [Labels(np.minimum(np.arange(n), k - 1), list(range(k))) for k in range(1, n + 1)]
    many = table(BLOBS[:n], labels)
    set_thresholds(SWEEP_WORK=10**9)
    single = table(BLOBS[:n], labels)
    assert many.values == approx(single.values, rel=1e-10, abs=1e-13, nan_ok=True)
    assert many.reasons == single.reasons


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize("metric", ["cityblock", "cosine", "jaccard"])
def test_blocks_serve_any_metric(set_thresholds, metric):
    X = np.abs(BLOBS) if metric != "jaccard" else (BLOBS > [1, 1, 0]).astype(float)
    labels = labelled(len(X), (2, 4))
    many = table(X, labels, metric=metric)
    set_thresholds(SWEEP_WORK=10**9)
    single = table(X, labels, metric=metric)
    assert many.values == approx(single.values, rel=1e-10, abs=1e-12, nan_ok=True)
    assert many.reasons == single.reasons


@pytest.mark.usefixtures("blocks")
def test_blocks_serve_distances_without_coordinates():
    D = squareform(pdist(BLOBS))
    labels = labelled(len(D), (2, 4))
    names = ["silhouette", "gamma", "c_index", "gdi61", "pbm"]
    space, choices = space_of(D, metric="precomputed"), select(names, "internal")
    found, expected = scoring.table_of(space, labels, choices), scoring.table_of(space_of(BLOBS), labels, choices)
    assert found.values[:, :4] == approx(expected.values[:, :4], rel=1e-12)
    assert found.reasons[0, "pbm"] == "pbm needs coordinates; metric='precomputed' gives only distances."


@pytest.mark.usefixtures("blocks")
def test_distances_that_differ_by_direction_are_ranked_as_they_are_alone(set_thresholds):
    rng = np.random.default_rng(2)
    D = squareform(pdist(DATA["a lattice, full of ties"]))
    D *= 1 + 1e-12 * rng.random(D.shape)  # ties are broken, one way or the other
    labels = labelled(len(D), (2, 4))
    many = table(D, labels, ["gamma", "g_plus"], metric="precomputed")
    set_thresholds(SWEEP_WORK=10**9)
    assert many.values.tolist() == table(D, labels, ["gamma", "g_plus"], metric="precomputed").values.tolist()


@pytest.mark.usefixtures("blocks")
def test_clusters_of_points_that_are_equal_up_to_rounding_have_no_extent(set_thresholds):
    sizes = [11, 13, 29, 61]
    X = np.repeat(np.random.default_rng(4).normal(size=(4, 5)), sizes, axis=0)
    X[::2] = np.nextafter(X[::2], 0)
    labels = [Labels(np.repeat([0, 1, 2, 3], sizes), [0, 1, 2, 3])]
    many = table(X, labels)
    names = [choice.name for choice in select("all", "internal")]
    assert many.values[0, names.index("banfeld_raftery")] == -math.inf
    assert many.values[0, names.index("trace_w")] == 0
    set_thresholds(SWEEP_WORK=10**9)
    assert many.values == approx(table(X, labels).values, rel=1e-10, nan_ok=True)


def first_within(m: Moments):
    return float(np.ravel(m.within)[0])


@pytest.mark.usefixtures("blocks")
def test_a_formula_that_cannot_take_many_partitions_gets_one_after_another():
    (choice,) = select("trace_w", "internal")
    single = replace(choice.index, formula=first_within)
    labels = labelled(len(BLOBS), (3,))
    space = space_of(BLOBS)
    found = scoring.table_of(space, labels, [replace(choice, index=single)]).values
    assert found == approx(scoring.table_of(space, labels, [choice]).values)
    assert found[0, 0] != found[1, 0]


@pytest.mark.usefixtures("blocks")
def test_progress_is_told_of_every_partition_once():
    labels = labelled(len(BLOBS), (2, 3), count=5)
    labels.append(Labels(np.where(np.arange(70) < 9, -1, np.arange(70) % 3), [0, 1, 2]))
    told = []
    scoring.table_of(space_of(BLOBS, n_jobs=2), labels, select("fast", "internal"), told.append)
    assert sorted(told) == list(range(11))


@pytest.mark.usefixtures("blocks")
def test_the_number_of_threads_does_not_change_the_values():
    labels = labelled(len(BLOBS), range(2, 12), count=7)
    one, many = (table(BLOBS, labels, n_jobs=jobs).values for jobs in (1, 3))
    assert one == approx(many, rel=1e-13, nan_ok=True)


def test_where_distances_do_not_fit_the_memory_less_is_shared():
    X, ranks, sums = np.zeros((2000, 1)), [Need(Concordance)], [Need(PairSums)]
    plenty, less, least = (space_of(X, plan=Plan(memory=memory)) for memory in ("1 GiB", "64 MiB", "16 MiB"))
    assert stacks(plenty, NEEDS)
    assert stacks(less, sums)
    assert not stacks(less, ranks)
    assert not stacks(least, sums)


@pytest.mark.usefixtures("blocks")
def test_the_memory_budget_does_not_change_the_values():
    X = np.random.default_rng(1).normal(size=(1100, 2))
    labels = labelled(1100, (2, 5), count=1)
    names = ["silhouette", "gamma", "c_index", "dunn", "det_ratio"]
    plenty, less, least = (table(X, labels, names, memory=m).values for m in ("1 GiB", "20 MiB", "16 MiB"))
    assert less == approx(plenty, rel=1e-10)
    assert least == approx(plenty, rel=1e-10)


def test_plain_labels_are_coded_together_as_they_are_alone():
    rows = [np.array([5, 5, 2, 2]), np.array([1, 0, 3, 0]), np.array([7, 7, 7, 7])]
    quick, slow = (
        coded(dict(enumerate(rows)), "drop"),
        coded({0: rows[0]}, "drop") + coded({0: rows[1].tolist()}, "drop"),
    )
    assert [l.codes.tolist() for l in quick] == [[1, 1, 0, 0], [1, 0, 2, 0], [0, 0, 0, 0]]
    assert [l.codes.tolist() for l in quick[:2]] == [l.codes.tolist() for l in slow]
    assert [l.names for l in quick] == [[2, 5], [0, 1, 3], [7]]
    with_noise = coded(dict(enumerate([*rows, np.array([0, -1, 0, 1])])), "drop")
    assert with_noise[3].codes.tolist() == [0, -1, 0, 1]
    far_apart = coded(dict(enumerate([*rows, np.array([0, 10**12, 0, 1])])), "drop")
    assert far_apart[3].codes.tolist() == [0, 2, 0, 1]
    dense = coded(
        dict(enumerate([np.array([1, 0, 2, 0], dtype=np.uint8), np.array([0, 0, 0, 0], dtype=np.uint8)])), "drop"
    )
    assert [(l.codes.tolist(), l.names) for l in dense] == [([1, 0, 2, 0], [0, 1, 2]), ([0, 0, 0, 0], [0])]
    assert all(l.codes.dtype == np.int64 for l in dense)


def test_a_block_lists_points_cluster_by_cluster():
    block = Block(np.array([[1, 0, 1, 0, 0], [2, 0, 1, 1, 0]]), np.array([2, 3]))
    assert block.order.tolist() == [[1, 3, 4, 0, 2], [1, 4, 2, 3, 0]]
    assert block.starts.tolist() == [0, 3, 5, 0, 2, 4, 5]
