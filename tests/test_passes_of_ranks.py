"""Passes that rank distances: where work and memory are cut, and distances at the ends of a range."""

from __future__ import annotations

import threading
from itertools import combinations
from math import comb, fsum, inf

import numpy as np
import pytest
from scipy.spatial.distance import squareform

from clustval import kernels
from clustval.kernels.ranks import rank_lines as layout
from clustval.passes.ranks import dsi as contrasts
from clustval.passes.ranks import rank_extremes
from clustval.passes.ranks.dsi import ContrastCuts
from clustval.passes.ranks.rank_concordance import Cells, ComparisonCuts, StreamedComparison, compiled_concordance
from clustval.passes.ranks.rank_extremes import SumCuts, ValueParts, compiled_extreme_sums
from clustval.passes.ranks.rank_pairs_numpy import concordance_numpy
from clustval.passes.ranks.rank_source import END, DistanceSource, Pairs, Queue

ULP = 2.0**-52
LEAST_ABOVE_ZERO = 5e-324
HALVES = np.array([0, 20, 40])  # two clusters of 20 points: 380 pairs within, 400 between
SCARCE = {"n_jobs": 1, "memory": 0}
EVEN = np.array([0, 4, 8])  # two clusters of four points
ABOVE_ONE = float(np.nextafter(1, 2))
SOON = 60  # seconds after which a thread that should have come by now will not


def bits(distance):
    return int(np.float64(distance).view(np.int64))


def from_matrix(D):
    return lambda lo, hi: D[lo:hi]


def matrix_of(within, between):
    """Distances of two clusters of 20 points, both kinds repeated as often as there are pairs."""
    pairs = list(combinations(range(40), 2))
    inside = np.array([i // 20 == j // 20 for i, j in pairs])
    distances = np.empty(len(pairs))
    distances[inside], distances[~inside] = np.resize(within, 380), np.resize(between, 400)
    return squareform(distances)


def comparison_of(within, between=(3.0,), memory=0, **cuts):
    """Store the distances within clusters, to stream those between past them."""
    source = DistanceSource.of_rows(from_matrix(matrix_of(within, between)), 40)
    ends = np.repeat(HALVES[1:], 20)
    stored, streamed = Pairs(source, np.arange(1, 41), ends), Pairs(source, ends, np.full(40, 40))
    return StreamedComparison(stored, streamed, memory, Queue(1, None), ComparisonCuts(**cuts))


def runs_of(comparison):
    return list(comparison.sweeps(Cells.below(comparison.stored.source.reach())))


def test_no_distance_is_asked_for_where_there_is_nothing_to_compare():
    def rows(_lo, _hi):
        raise AssertionError

    for starts in (np.array([0, 5]), np.arange(6)):
        assert compiled_concordance(DistanceSource.of_rows(rows, 5), starts, **SCARCE) == (0, 0, 0)


def test_the_few_distances_beyond_those_of_the_first_point_are_compared():
    D = matrix_of(1 + np.arange(380) / 500, 1 + np.arange(400) / 450)
    D[[3, 5, 7], [4, 6, 25]] = D[[4, 6, 25], [3, 5, 7]] = 1e6, 1e9, 1e7
    source = DistanceSource.of_rows(from_matrix(D), 40)
    found = compiled_concordance(source, HALVES, **SCARCE, cuts=ComparisonCuts(least=100))
    assert found == concordance_numpy(from_matrix(D), 40, HALVES)


@pytest.mark.parametrize("hi", [END, END - 1, 2**62 + 1, 2**61])
def test_the_difference_of_infinity_and_the_first_cell_fits_64_bits(hi):
    assert bits(inf) - Cells.within(0, hi).base < 2**63


def test_ranks_in_lines_have_31_bits_however_large_the_memory():
    assert comparison_of([1.0], memory=1 << 60).room < layout.CROWDED


def test_distances_of_a_range_have_one_value_or_none():
    comparison = comparison_of([1, 1 + ULP])
    one = bits(1)
    assert comparison.only_value(one, one + 2) is None
    assert comparison.only_value(one - 1, one + 1) == one
    assert comparison.only_value(one + 1, one + 3) == one + 1
    assert comparison.only_value(one + 1, one + 1 + 2**41) == one + 1
    assert comparison.only_value(one, one + 2**41) is None


@pytest.mark.parametrize("distance", [0.0, 1.0])
def test_equal_distances_take_no_room_however_many_they_are(distance):
    comparison = comparison_of([distance], [distance, 2.0], least=50, share=20)  # no share has more than fit
    assert comparison.sums() == (200 * 380, 200 * 380)
    assert len(comparison.store) <= comparison.room


def test_distances_that_do_not_fit_at_once_are_stored_in_equal_shares():
    runs = runs_of(comparison_of(1 + np.arange(38) / 2048, least=300))  # ten in each of 38 cells
    assert [int(run.counts.sum()) for run in runs] == [200, 180]


def test_distances_that_fit_are_stored_at_once():
    (run,) = runs_of(comparison_of(1 + np.arange(38) / 2048))
    assert run.counts.sum() == 380


def test_no_bin_writes_lines_of_others_or_beyond_the_last(monkeypatch):
    comparison = comparison_of(1 + np.arange(380) / 380, [1.0], bin=20)  # none of those between beyond the last bin
    (run,) = runs_of(comparison)
    facts = []
    monkeypatch.setattr(comparison, "stream_side", lambda _run, _bins, about: facts.append(about))
    comparison.sweep(run)
    stored = facts[0][facts[0][:, layout.DISTINCT] > 0]
    first, last = stored[:, layout.LINE], stored[:, layout.LINE] + stored[:, layout.PARTS]
    taken = np.concatenate([np.arange(lo, hi + 1) for lo, hi in zip(first, last, strict=True)])
    assert len(stored) > 5
    assert len(np.unique(taken)) == len(taken)
    assert 0 <= taken.min() <= taken.max() < len(comparison.lines) // layout.LANES


def test_the_smallest_number_above_zero_is_told_from_zero():
    source = DistanceSource.of_rows(from_matrix(squareform([1.0, 0.0, LEAST_ABOVE_ZERO])), 3)
    assert compiled_extreme_sums(source, 1, **SCARCE) == (0, 1)
    assert compiled_extreme_sums(source, 2, **SCARCE) == (LEAST_ABOVE_ZERO, 1)


@pytest.mark.parametrize("pairs", [SumCuts().kept_item, 60])
def test_any_number_of_distances_that_share_a_cell_is_summed(pairs):
    distances = 1 + ULP * np.random.default_rng(0).permutation(comb(30, 2))
    source = DistanceSource.of_rows(from_matrix(squareform(distances)), 30)
    ordered = np.sort(distances)
    for count in (*range(1, 12), 100, 217, 318, 434):
        found = compiled_extreme_sums(source, count, **SCARCE, cuts=SumCuts(kept_item=pairs))
        assert found == (fsum(ordered[:count]), fsum(ordered[-count:]))


def test_a_thread_has_room_for_the_distances_of_one_piece(monkeypatch):
    collect, room = rank_extremes.collect, []

    def watched(*arguments):
        room.append(len(arguments[-1]))
        return collect(*arguments)

    monkeypatch.setattr(rank_extremes, "collect", watched)
    distances = 1 + ULP * np.arange(comb(40, 2))
    source = DistanceSource.of_rows(from_matrix(squareform(distances)), 40)
    compiled_extreme_sums(source, 100, **SCARCE, cuts=SumCuts(kept_item=60))
    assert len(room) == 13  # of 60 pairs each
    assert max(room) <= 60 + 40  # no piece ends between the pairs of a point


def test_what_two_threads_tally_at_a_time_is_added():
    distances = np.random.default_rng(0).permutation(np.geomspace(0.3, 9, 45))
    D, meanwhile = squareform(distances), []

    def rows(lo, hi):
        while meanwhile:
            meanwhile.pop()()
        return D[lo:hi]

    class Overlapping:
        """Do the second piece while the first waits for its rows."""

        n_jobs = 2

        def __call__(self, work, count):
            assert count == 2
            meanwhile.append(lambda: work(1))
            work(0)

    source = DistanceSource.of_rows(rows, 10)
    pairs = Pairs(source, np.arange(1, 11), np.full(10, 10))
    found = ValueParts(pairs, 0, Overlapping(), SumCuts(item=23))  # of 45 pairs
    shift, spelled = 51, distances.view(np.int64)
    begin, end = bits(1) >> shift, bits(4) >> shift  # four cells: up to 1.5, 2, 3 and 4
    number, low, high, largest = found.tally(begin, end, shift)
    cells = np.clip((spelled >> shift) - begin + 1, 0, 5)
    assert number.tolist() == np.bincount(cells, minlength=6).tolist()
    assert len(low) == len(high) == 6
    for cell in range(1, 5):
        assert low[cell] + (high[cell] << 32) == (spelled[cells == cell] & (2**shift - 1)).sum()
    assert largest.tolist() == [spelled[cells == 0].max(), spelled[cells == 5].max()]


def test_reach_is_twice_the_largest_distance_of_the_first_point():
    D = squareform([1.0, 3.0, 2.0, 50.0, 60.0, 70.0])
    assert DistanceSource.of_rows(from_matrix(D), 4).reach() == bits(6)
    assert DistanceSource.of(np.array([[0.0], [3.0], [-4.0]])).reach() == bits(8)


def test_reach_ends_with_infinity():
    assert DistanceSource.of(np.array([[-1e308], [1e308]])).reach() == bits(inf)


@pytest.mark.parametrize(
    ("pairs", "size", "most", "limits"),
    [
        ([1] * 6, 2, None, [0, 2, 4, 6]),
        ([1] * 6, 2, 2, [0, 3, 6]),
        ([1] * 5, 4, None, [0, 3, 5]),
        ([1] * 6, 6, None, [0, 6]),
        ([4, 1, 1, 1, 1], 4, None, [0, 1, 5]),
        ([0, 0, 0], 4, None, [0, 3]),
    ],
)
def test_points_are_cut_into_runs_of_as_many_pairs(pairs, size, most, limits):
    first = np.arange(1, len(pairs) + 1)
    source = DistanceSource.of(np.zeros((len(pairs), 1)))
    assert Pairs(source, first, first + pairs).cut(size, most) == limits


# --- distances inside and outside clusters ---------------------------------------------------------------


def in_rows(D):
    return DistanceSource.of_rows(lambda lo, hi: D[lo:hi], len(D))


def inside_and_outside(starts, inside, outside):
    """Distances of which all inside clusters are equal, and all between them."""
    codes = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    D = np.where(codes[:, None] == codes, float(inside), float(outside))
    np.fill_diagonal(D, 0)
    return D


def test_equal_distances_inside_and_outside_do_not_differ():
    D = inside_and_outside(EVEN, 1, 1)
    assert contrasts.contrast_of_rows_numpy(D, EVEN).tolist() == [0, 0]
    assert contrasts.contrast(in_rows(D), EVEN, n_jobs=1, memory=2**31).tolist() == [0, 0]


def test_a_cluster_of_all_points_has_nothing_to_differ_from():
    starts = np.array([0, 5])
    D = inside_and_outside(starts, 1, 1)
    with np.errstate(all="raise"):
        assert np.isnan(contrasts.contrast(in_rows(D), starts, n_jobs=1, memory=2**31)).all()


def test_tallies_of_several_threads_add_up(monkeypatch):
    tally, both = kernels.ranks.dsi.tally, threading.Barrier(2)

    def at_once(*arguments):
        both.wait(SOON)  # so that no thread has given its table back when the other takes one
        tally(*arguments)

    monkeypatch.setattr(kernels.ranks.dsi, "tally", at_once)
    D, cuts = inside_and_outside(EVEN, 2, 1), ContrastCuts(item=14)  # of 28 pairs
    assert contrasts.contrast(in_rows(D), EVEN, n_jobs=2, memory=2**31, cuts=cuts).tolist() == [1, 1]


def test_no_more_distances_are_collected_than_there_is_room_for(monkeypatch):
    collect, rooms = kernels.ranks.dsi.collect, []

    def watched(*arguments):
        *rest, numbers, keys = arguments
        ample = np.empty(100, np.int32), np.empty(100, np.uint64)
        count = collect(*rest, *ample)
        assert count <= min(len(numbers), len(keys))
        numbers[:count], keys[:count] = ample[0][:count], ample[1][:count]
        rooms.append(count)
        return count

    monkeypatch.setattr(kernels.ranks.dsi, "collect", watched)
    D, cuts = inside_and_outside(EVEN, 1, ABOVE_ONE), ContrastCuts(kept_item=7)  # runs of 7, 11, 4 and 6 pairs
    assert contrasts.contrast(in_rows(D), EVEN, n_jobs=1, memory=2**31, cuts=cuts).tolist() == [1, 1]
    assert sum(rooms) == 2 * 6 + 2 * 16  # those between clusters are kept for both


def test_the_last_cell_ends_where_distances_begin_that_no_metric_has():
    # The first point is 1 from all others, so that cells end just above 2: distances of 3 come after all of them.
    starts = np.array([0, 1, 5, 9, 12])
    D = inside_and_outside(starts, 2, 2 + 2**-20)
    D[0, 1:] = D[1:, 0] = 1
    D[1:5, 5:7] = D[5:7, 1:5] = 3
    gaps = contrasts.contrast(in_rows(D), starts, n_jobs=1, memory=2**31)
    # All pairs inside are at 2, when of those outside only the pairs with the first point have come.
    assert gaps[1:].tolist() == [1 - 1 / 8, 1 - 1 / 8, 1 - 1 / 9]
    assert np.array_equal(gaps, contrasts.contrast_of_rows_numpy(D, starts), equal_nan=True)


def test_two_neighbouring_floats_are_told_apart_however_little_memory_there_is():
    D, cuts = inside_and_outside(EVEN, 1, ABOVE_ONE), ContrastCuts(least=1, cell_bits=3)
    # With so few bits cells become two floats wide before they become one.
    assert contrasts.contrast(in_rows(D), EVEN, n_jobs=1, memory=1, cuts=cuts).tolist() == [1, 1]
