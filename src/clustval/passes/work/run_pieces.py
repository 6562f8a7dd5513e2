"""Pieces of work on whatever runs them: threads of this process, any executor of Python, or a cluster of Dask.

Results come back in the order of the pieces, so that sums do not depend on who was quicker; only so many pieces are
under way at a time, so that results that wait for an earlier one stay few.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar
from urllib.parse import urlsplit

from clustval.errors import InputError, optional

T = TypeVar("T")

RETRIES = 2  # times that a cluster tries a piece again whose worker was lost
AHEAD = 2  # pieces under way for each worker


def results(
    work: Callable[..., T],
    pieces: Sequence[Any],
    *,
    common: tuple[Any, ...] = (),
    executor: Any = None,
    n_jobs: int = 1,
    done: Callable[[int], object] | None = None,
) -> Iterator[T]:
    """Give ``work(piece, *common)`` of each piece, in their order; `done` is called after each piece."""
    for at, result in enumerate(_in_order(work, pieces, common, executor, n_jobs)):
        yield result
        if done is not None:
            done(at)


def _in_order(
    work: Callable[..., T], pieces: Sequence[Any], common: tuple[Any, ...], executor: Any, n_jobs: int
) -> Iterator[T]:
    if executor is None:
        if n_jobs == 1 or len(pieces) == 1:
            yield from (work(piece, *common) for piece in pieces)
            return
        with ThreadPoolExecutor(min(n_jobs, len(pieces))) as pool:
            yield from _from_pool(work, pieces, common, pool, n_jobs)
    elif isinstance(executor, Executor):
        yield from _from_pool(work, pieces, common, executor, workers_of(executor, n_jobs))
    else:
        yield from _from_cluster(work, pieces, common, executor)


def check_executor(executor: Any) -> None:
    """Raise an error unless pieces can be run by it: None, an executor of concurrent.futures, or a client of Dask."""
    if executor is None or isinstance(executor, Executor) or is_client(executor):
        return
    msg = (
        f"executor must be None, an executor of concurrent.futures, or a dask.distributed.Client; "
        f"it is of type {type(executor).__name__}."
    )
    raise InputError(msg)


def workers_of(executor: Any, n_jobs: int) -> int:
    """Return how many pieces are worked on at once."""
    if executor is None:
        return n_jobs
    if isinstance(executor, Executor):
        return int(getattr(executor, "_max_workers", n_jobs))
    return max(1, int(sum(executor.nthreads().values())))


def is_client(executor: Any) -> bool:
    """Return whether this is the client of a cluster of Dask, without loading Dask to see it."""
    return type(executor).__module__.partition(".")[0] == "distributed" and hasattr(executor, "scheduler_info")


def _from_pool(
    work: Callable[..., T], pieces: Sequence[Any], common: tuple[Any, ...], pool: Executor, workers: int
) -> Iterator[T]:
    under_way: deque[Any] = deque()
    waiting = iter(pieces)
    try:
        for at, piece in enumerate(pieces):
            while len(under_way) <= AHEAD * workers and (more := next(waiting, None)) is not None:
                under_way.append(pool.submit(work, more, *common))
            try:
                yield under_way.popleft().result()
            except BrokenProcessPool:
                raise _lost(at, piece, "a worker process") from None
    finally:
        for future in under_way:
            future.cancel()


def _from_cluster(work: Callable[..., T], pieces: Sequence[Any], common: tuple[Any, ...], client: Any) -> Iterator[T]:
    """Send pieces, which are descriptions and no data, to the workers of a cluster."""
    delayed = optional("dask", "dask").delayed
    killed = optional("distributed", "dask").KilledWorker

    def send(piece: Any) -> Any:
        lazy = getattr(piece, "lazy", None)
        if lazy is None:
            return client.submit(work, piece, *common, pure=False, retries=RETRIES)
        task = delayed(_with_data, pure=False)(work, piece.without_data(), lazy, common)
        return client.compute(task, retries=RETRIES)

    under_way: deque[Any] = deque()
    waiting = iter(pieces)
    # On one machine results come from the workers themselves; elsewhere the scheduler alone may reach them.
    direct = True if on_this_machine(client.nthreads()) else None
    try:
        for at, piece in enumerate(pieces):
            while len(under_way) <= AHEAD * workers_of(client, 1) and (more := next(waiting, None)) is not None:
                under_way.append(send(more))
            try:
                (result,) = client.gather([under_way.popleft()], direct=direct)
                yield result
            except killed:
                raise _lost(at, piece, "several workers") from None
    finally:
        for future in under_way:
            future.cancel()


def on_this_machine(workers: Iterable[str]) -> bool:
    """Return whether the workers of a cluster, by their addresses, are where the caller is.

    >>> on_this_machine(["tcp://127.0.0.1:42011"]), on_this_machine(["tcp://10.0.0.7:42011"])
    (True, False)
    """
    return all(urlsplit(address).hostname in {"127.0.0.1", "::1"} for address in workers)


def _with_data(work: Callable[..., T], piece: Any, data: Any, common: tuple[Any, ...]) -> T:
    """Do the work of a piece whose data the cluster has computed."""
    return work(piece.with_data(data), *common)


def _lost(at: int, piece: Any, who: str) -> InputError:
    return InputError(
        f"Block {at} ({piece}) ended {who}, so that it was given up; it may not fit into their memory: "
        "cut the data into smaller blocks, or give workers more memory."
    )
