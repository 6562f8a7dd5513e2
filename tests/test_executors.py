"""Blocks read by threads, processes and a cluster of Dask: the same values, whoever dies on the way."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pytest import approx

import clustval as cv
from clustval.errors import InputError
from clustval.passes.work.run_pieces import results
from clustval.readers.pieces import Piece

pytestmark = [
    pytest.mark.large,
    pytest.mark.filterwarnings("ignore:The inplace keyword"),  # Dask's use of pandas
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore:Sending large graph"),
]
N = 3000
RNG = np.random.default_rng(0)
LABELS = RNG.choice(["a", "b", "c"], N)
X = RNG.normal(size=(N, 3)) + np.where(LABELS == "a", 3, 0)[:, None]
NAMES = ["calinski_harabasz", "davies_bouldin", "simplified_silhouette", "det_ratio", "silhouette"]


@pytest.fixture(scope="module")
def client():
    distributed = pytest.importorskip("distributed")
    options = {"processes": True, "dashboard_address": ":0", "memory_limit": 0}
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def path(tmp_path):
    table = pa.table({"x": X[:, 0], "y": X[:, 1], "z": X[:, 2], "c": LABELS})
    pq.write_table(table, tmp_path / "points.parquet", row_group_size=250)
    return str(tmp_path / "points.parquet")


@pytest.fixture(autouse=True)
def _small_pieces(set_limits):
    set_limits(rows_per_file_piece=200, rows_per_piece=200)


def test_every_executor_gives_the_same_bits(path, client):
    dd = pytest.importorskip("dask.dataframe")
    one = cv.evaluate(path, "c", NAMES, n_jobs=1)
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for executor in (threads, processes, client):
            assert cv.evaluate(path, "c", NAMES, executor=executor) == one
    whole = cv.evaluate(X, LABELS, NAMES)
    frame = dd.read_parquet(path, split_row_groups=True)
    for points in (frame, frame.persist()):  # the second is in the memory of the workers
        scores = cv.evaluate(points, "c", NAMES, executor=client)
        assert scores.to_dict() == approx(whole.to_dict(), rel=1e-11)
    assert cv.agreement("c", "c", ["rand"], data=path, executor=client)["rand"] == 1


def test_all_pairs_are_met_in_tiles_by_every_executor(path, client, set_limits):
    dd = pytest.importorskip("dask.dataframe")
    set_limits(rows_per_stripe=700)
    names, whole = ["silhouette", "gdi61", "point_biserial"], None
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2) as processes:
        for executor in (threads, processes, client):
            scores = cv.evaluate(path, "c", names, executor=executor)
            assert scores.source._tiles is not None
            whole = whole or scores
            assert scores == whole
    assert whole.to_dict() == approx(cv.evaluate(X, LABELS, names).to_dict(), rel=1e-12)
    frame = dd.read_parquet(path, split_row_groups=True)
    assert cv.evaluate(frame, "c", names, executor=client).to_dict() == approx(whole.to_dict(), rel=1e-12)


def test_estimates_do_not_depend_on_the_executor(path, client, set_limits):
    set_limits(exact_points=100)
    names = ["silhouette", "gamma"]
    one = cv.evaluate(path, "c", names, approximate=0.05, n_jobs=1)
    assert one.error("silhouette") > 0
    assert cv.evaluate(path, "c", names, approximate=0.05, executor=client) == one


@dataclass(frozen=True)
class Marked(Piece):
    """A piece that ends the process that reads it, once or always."""

    number: int
    folder: str
    always: bool = False
    first: int = 0
    count: int = 1

    def blocks(self):
        """Give nothing: the work below reads the piece whole."""
        return iter(())

    def read(self) -> int:
        mark = f"{self.folder}/{self.number}"
        if self.number == 3 and (self.always or not os.path.exists(mark)):  # noqa: PTH110
            open(mark, "w").close()  # noqa: PTH123
            os.kill(os.getpid(), signal.SIGKILL)
        return self.number


def read(piece):
    return piece.read()


def test_a_worker_that_is_killed_changes_nothing(client, tmp_path):
    assert list(results(read, [Marked(i, str(tmp_path)) for i in range(8)], executor=client)) == list(range(8))


def rows(number, mark):
    """Return some rows; the process that reads the third piece first is killed on the way."""
    if number == 2 and mark is not None and not os.path.exists(mark):  # noqa: PTH110
        open(mark, "w").close()  # noqa: PTH123
        os.kill(os.getpid(), signal.SIGKILL)
    return X[number * 500 : (number + 1) * 500]


def test_values_are_the_same_to_the_bit_though_a_worker_is_killed(client, tmp_path):
    dask, da = pytest.importorskip("dask"), pytest.importorskip("dask.array")

    def collection(mark):
        parts = [dask.delayed(rows, pure=False)(number, mark) for number in range(6)]
        return da.concatenate([da.from_delayed(part, (500, 3), float) for part in parts])

    mark = str(tmp_path / "killed")
    killed = cv.evaluate(collection(mark), LABELS, NAMES[:4], executor=client)
    assert os.path.exists(mark)  # noqa: PTH110
    assert killed == cv.evaluate(collection(None), LABELS, NAMES[:4], executor=client)


def test_results_come_from_workers_of_this_machine_directly(client, monkeypatch):
    ways = []
    gather = client.gather
    monkeypatch.setattr(client, "gather", lambda futures, direct: ways.append(direct) or gather(futures, direct=direct))
    assert list(results(pow, [2, 3], common=(2,), executor=client)) == [4, 9]
    assert ways == [True, True]


class Doomed:
    """A client whose workers all die of the fourth piece, as the scheduler would say after some tries."""

    def nthreads(self):
        return {"tcp://10.0.0.7:42011": 1}

    def gather(self, futures, direct):
        assert direct is None  # workers elsewhere may be out of reach
        return [future.result() for future in futures]

    def submit(self, function, piece, *args, **options):
        assert options["retries"] > 0
        future = Future()
        if piece.number == 3:
            killed = pytest.importorskip("distributed").KilledWorker
            future.set_exception(killed("task", None, 4))
        else:
            future.set_result(function(piece, *args))
        return future


def test_a_block_that_kills_every_worker_is_named(tmp_path):
    with pytest.raises(InputError) as error:
        list(results(read, [Marked(i, str(tmp_path), count=5) for i in range(5)], executor=Doomed()))
    assert str(error.value) == (
        "Block 3 (rows 0 to 4) ended several workers, so that it was given up; it may not fit into their memory: "
        "cut the data into smaller blocks, or give workers more memory."
    )
    with ProcessPoolExecutor(1) as pool, pytest.raises(InputError, match=r"Block \d \(rows 0 to 0\) ended a worker"):
        list(results(read, [Marked(i, str(tmp_path), always=True) for i in range(5)], executor=pool))


def test_errors_of_workers_are_those_of_the_caller(path, client):
    bad = X.copy()
    bad[2731, 1] = np.nan
    table = pa.table({"x": bad[:, 0], "y": bad[:, 1], "c": LABELS})
    pq.write_table(table, path, row_group_size=250)
    with pytest.raises(InputError, match=r"X must be finite; row 2731, column 'y' is nan; drop"):
        cv.evaluate(path, "c", "ch", executor=client)


def test_only_so_many_pieces_are_under_way():
    under_way, most = [], []

    class Watched(ThreadPoolExecutor):
        def submit(self, *args, **kwargs):
            future = super().submit(*args, **kwargs)
            under_way.append(future)
            most.append(len(under_way))
            return future

    with Watched(2) as pool:
        for at, value in enumerate(results(lambda piece: piece, list(range(100)), executor=pool)):
            under_way.pop(0)
            assert value == at
    assert max(most) <= 6
