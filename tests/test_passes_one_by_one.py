"""Passes one by one on few points: ties, empty clusters, neighbouring floats, and work that is shared out."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest

from clustval import kernels
from clustval.kernels.kmeans import lloyd as lloyd_compiled
from clustval.passes.kmeans import lloyd_numpy
from clustval.passes.kmeans.lloyd import kmeans, partitions
from clustval.passes.labels import cells as cell_counts
from clustval.passes.labels.many_labellings import pairs_together_numpy
from clustval.passes.labels.matching import heaviest_matching
from clustval.passes.ranks import dsi as contrasts
from clustval.passes.ranks.dsi import ContrastCuts
from clustval.passes.ranks.rank_source import DistanceSource
from clustval.passes.work import run_pieces, threads, thresholds
from clustval.passes.work.pair_time import pairs_of

SOON = 60  # seconds after which a thread that should have come by now will not
EVEN = np.array([0, 4, 8])  # two clusters of four points
ABOVE_ONE = float(np.nextafter(1, 2))


def in_rows(D):
    return DistanceSource.of_rows(lambda lo, hi: D[lo:hi], len(D))


def inside_and_outside(starts, inside, outside):
    """Distances of which all inside clusters are equal, and all between them."""
    codes = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    D = np.where(codes[:, None] == codes, float(inside), float(outside))
    np.fill_diagonal(D, 0)
    return D


# Distances inside and outside clusters


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


# Labels


def test_pairs_that_two_labellings_put_together_are_counted():
    codes = np.array([[0, 0, 0, 1], [0, 0, 1, 1], [0, 1, 2, 3]])
    assert pairs_together_numpy(codes).tolist() == [[3, 1, 0], [1, 2, 0], [0, 0, 0]]


def test_many_labels_below_zero_are_counted(set_thresholds):
    set_thresholds(LABELS=1)
    numbers, counts = cell_counts.tabulate([np.array([-5, -3, -5, -5]), np.array([1, 0, 0, 1])])
    assert [column.tolist() for column in numbers] == [[-5, -5, -3], [0, 1, 0]]
    assert counts.tolist() == [1, 2, 1]


def test_a_matching_leaves_alone_who_shares_no_cell_with_anyone():
    rows, columns = np.array([0, 1]), np.array([0, 0])
    assert heaviest_matching(rows, columns, np.array([5.0, 1]), (2, 2)).tolist() == [0]


def test_few_labels_are_compiled_only_if_the_compiler_is_there(monkeypatch, set_thresholds):
    set_thresholds(POINTS=65)
    monkeypatch.setitem(sys.modules, "numba", SimpleNamespace())
    assert thresholds.whole_numbers_compiled(65)
    assert not thresholds.whole_numbers_compiled(64)
    monkeypatch.delitem(sys.modules, "numba")
    assert not thresholds.whole_numbers_compiled(10**6)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 2**31 - 1])
def test_pairs_of_any_number_of_points_are_counted_exactly(n):
    assert pairs_of(n) == comb(n, 2)


# k-means


@pytest.mark.parametrize("module", [lloyd_compiled, lloyd_numpy])
def test_points_on_their_centres_stay_where_they_are_though_a_cluster_is_empty(module):
    X = np.array([[0.0], [1], [1]])
    centres, labels = np.array([[0.0], [1], [5]]), np.empty(3, dtype=np.int64)
    assert module.lloyd(X, module.tiled(X), centres, labels, 9, 0.0) == (0, 2)
    assert labels.tolist() == [0, 1, 1]
    assert centres.tolist() == [[0], [1], [1]]


@pytest.mark.parametrize("module", [lloyd_compiled, lloyd_numpy])
def test_each_empty_cluster_takes_a_far_point_of_its_own(module):
    X = np.array([[0.0], [0.25], [0.5], [0.75]])  # whose squared distances are all below 1
    centres, labels = np.array([[0.0], [8], [9]]), np.empty(4, dtype=np.int64)
    module.lloyd(X, module.tiled(X), centres, labels, 1, 0.0)
    assert centres.tolist() == [[0.125], [0.75], [0.5]]


def test_a_draw_of_one_chooses_the_last_point():
    X, draws = np.array([[0.0], [1], [3]]), np.ones((2, 2))
    rows, compiled = np.empty((2, 2), dtype=np.int64)
    lloyd_numpy.plus_plus(X, draws, rows)
    lloyd_compiled.plus_plus(X, lloyd_compiled.tiled(X), draws, compiled)
    assert rows.tolist() == compiled.tolist() == [2, 2]


@pytest.mark.parametrize("module", [lloyd_compiled, lloyd_numpy])
def test_of_equally_good_runs_the_first_is_kept(module):
    X = np.array([[0.0], [1]])
    draws = np.full((2, 2, 2), 0.5)
    draws[:, 0] = [[0.1], [0.9]]  # the first run starts from the first point, the second from the second
    centres, labels = np.empty((2, 1)), np.empty(2, dtype=np.int64)
    assert module.best_run(X, module.tiled(X), draws, centres, labels, 9, 0.0) == 0
    assert labels.tolist() == [0, 1]
    assert centres.tolist() == [[0], [1]]


def test_centres_of_the_best_run_are_where_the_points_are():
    X = np.array([[10.0], [11], [20], [21]])
    clustering = kmeans(X, 2, rng=np.random.default_rng(0))
    assert sorted(clustering.centres.tolist()) == [[10.5], [20.5]]
    assert clustering.inertia == 1


@pytest.mark.parametrize("starts", [[[0, 2]], [[0, 2], [0, 1, 2], [2, 0]]])
def test_single_runs_and_runs_of_changing_numbers_of_clusters_are_all_done(starts):
    X = np.array([[0.0], [1], [4], [5]])
    expected = {(0, 2): [0, 0, 1, 1], (0, 1, 2): [0, 1, 2, 2], (2, 0): [1, 1, 0, 0]}
    labels, inertias = partitions(X, [np.array(rows) for rows in starts])
    assert labels.tolist() == [expected[tuple(rows)] for rows in starts]
    assert inertias.tolist() == [1 if len(rows) == 2 else 0.5 for rows in starts]


# Who does the work


def test_cores_are_those_that_this_process_may_use(monkeypatch):
    mine, everyone = {0, 3, 5}, set(range(8))
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: everyone if pid else mine, raising=False)
    assert threads.available_cores() == 3


@pytest.mark.parametrize(("count", "cores"), [(7, 7), (None, 1)])
def test_without_affinities_cores_are_those_of_the_machine(monkeypatch, count, cores):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: count)
    assert threads.available_cores() == cores


def test_one_thread_takes_all_items_at_once_and_several_take_them_one_by_one():
    for n_jobs, expected in [(1, [(0, 3)]), (2, [(0, 1), (1, 2), (2, 3)])]:
        taken = []
        threads.run_ranges(lambda *ends, taken=taken: taken.append(ends), 3, n_jobs)
        assert sorted(taken) == expected


def test_two_threads_work_on_two_items_at_once():
    both = threading.Barrier(2)
    threads.run(lambda _item: both.wait(SOON), 2, 2)
    assert sorted(run_pieces.results(lambda _piece: both.wait(SOON), "ab", n_jobs=2)) == [0, 1]


class Client:
    """What is asked of a client of Dask, done here and now when results are gathered."""

    def __init__(self, *threads_of_workers):
        self.threads_of_workers, self.under_way, self.most = threads_of_workers, 0, 0

    def scheduler_info(self):
        raise NotImplementedError

    def nthreads(self):
        return {f"tcp://127.0.0.1:{port}": count for port, count in enumerate(self.threads_of_workers)}

    def submit(self, work, *arguments, pure, retries):
        assert not pure
        assert retries == run_pieces.RETRIES
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        return partial(work, *arguments)

    def compute(self, task, retries):
        return self.submit(task, pure=False, retries=retries)

    def gather(self, futures, direct):
        assert direct
        self.under_way -= len(futures)
        return [future() for future in futures]


class Lazy:
    """A piece whose data is still to be computed, by the cluster."""

    def __init__(self, number):
        self.number = number

    def lazy(self):
        return 10 * self.number

    def without_data(self):
        return self

    def with_data(self, data):
        return data + self.number


@pytest.mark.parametrize("piece", [int, Lazy])
def test_a_cluster_gives_results_in_order_and_is_sent_few_pieces_at_a_time(monkeypatch, piece):
    def delayed(function, *, pure):
        assert not pure
        return lambda work, piece, lazy, common: lambda: function(work, piece, lazy(), common)

    dask = SimpleNamespace(delayed=delayed, KilledWorker=TimeoutError)
    monkeypatch.setattr(run_pieces, "optional", lambda _module, _extra: dask)
    client, pieces = Client(1), [piece(number) for number in range(8)]
    found = list(run_pieces.results(lambda number, more: number + more, pieces, common=(100,), executor=client))
    assert found == [100 + (11 if piece is Lazy else 1) * number for number in range(8)]
    assert (client.most, client.under_way) == (3, 0)  # two for the worker, and the one that is waited for


def test_as_many_pieces_are_worked_on_at_once_as_there_are_workers():
    assert run_pieces.workers_of(None, 3) == 3
    with ThreadPoolExecutor(2) as pool:
        assert run_pieces.workers_of(pool, 3) == 2
    assert run_pieces.workers_of(Client(2, 3), 1) == 5
    assert run_pieces.workers_of(Client(), 3) == 1  # whose workers are still to come


def test_clients_of_dask_are_known_by_their_module_and_what_they_can_tell():
    def of(module, *bases):
        return type("Client", bases, {"__module__": module})(*[1] * len(bases))

    assert run_pieces.is_client(of("distributed.client", Client))
    assert run_pieces.is_client(of("distributed", Client))
    assert not run_pieces.is_client(of("distributed.client"))
    assert not run_pieces.is_client(of("elsewhere.distributed", Client))
