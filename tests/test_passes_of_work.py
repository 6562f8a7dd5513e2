"""Who does the work: threads, executors, clusters of Dask, and how many pairs there are to meet."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import comb
from types import SimpleNamespace

import pytest

from clustval.passes.work import run_pieces, threads
from clustval.passes.work.pair_time import pairs_of

SOON = 60  # seconds after which a thread that should have come by now will not


@pytest.mark.parametrize("n", [0, 1, 2, 3, 2**31 - 1])
def test_pairs_of_any_number_of_points_are_counted_exactly(n):
    assert pairs_of(n) == comb(n, 2)


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


def test_an_item_that_takes_long_stops_where_another_failed():
    both = threading.Barrier(2)

    def work(item):
        both.wait(60)
        if item == 0:
            msg = "the first fails"
            raise ValueError(msg)
        while True:
            threads.go_on()

    with pytest.raises(ValueError, match="the first fails"):
        threads.run(work, 2, 2)
    threads.go_on()  # outside of a queue nothing stops


def test_a_queue_inside_a_queue_leaves_the_outer_one_as_it_was():
    def work(_item):
        threads.run(lambda _: None, 4, 2)
        threads.go_on()

    threads.run(work, 4, 2)


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
