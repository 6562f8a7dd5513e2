"""A queue of numbered work items, shared by Python threads that run compiled code without the GIL.

Items are taken one by one by whoever is free, so a slow core delays only its own item; there is no barrier.
Work items must write to places of their own: then the result does not depend on the number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

_running = threading.local()  # the event that tells each thread that its queue broke

SHARE = 2**19  # numbers that one core reads while others are being started, several times over


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        return os.cpu_count() or 1


def worth(n_jobs: int, numbers: int, *, share: int = SHARE) -> int:
    """Return how many threads are worth starting for so many numbers, if each number is read once or twice."""
    return min(n_jobs, 1 + numbers // share)


class QueueStopped(BaseException):
    """Another thread of the queue failed, or the user interrupted it."""


def go_on() -> None:
    """Raise an error if the queue of this thread was stopped; work items that take minutes ask now and then."""
    broken = getattr(_running, "broken", None)
    if broken is not None and broken.is_set():
        raise QueueStopped


def run_ranges(work: Callable[[int, int], object], count: int, n_jobs: int) -> None:
    """Call ``work(first, last)`` until it was asked for all items below `count`: at once if there is one thread."""
    if n_jobs == 1:
        work(0, count)
    else:
        run(lambda item: work(item, item + 1), count, n_jobs)


def run(  # noqa: C901 - one loop, its worker, and the end of both
    work: Callable[[int], object],
    count: int,
    n_jobs: int,
    done: Callable[[int], object] | None = None,
) -> None:
    """Call ``work(i)`` for every i below `count`, on up to `n_jobs` threads, the caller's among them.

    `done` is called after each item, from whichever thread finished it. The first exception stops the
    queue and is raised here; so does an interrupt from the keyboard. If `done` has a method
    `expect`, that is called first with the number of items, so that it can say how long they will take.
    """
    expect = getattr(done, "expect", None)
    if expect is not None:
        expect(count)
    if n_jobs == 1 or count <= 1:
        for item in range(count):
            work(item)
            if done is not None:
                done(item)
        return

    items = iter(range(count))
    lock = threading.Lock()
    stop, broken = threading.Event(), threading.Event()  # the queue stops at its end, too
    failures: list[BaseException] = []

    def worker() -> None:
        outer, _running.broken = getattr(_running, "broken", None), broken
        try:
            while not stop.is_set():
                with lock:
                    item = next(items, None)
                if item is None:
                    return
                work(item)
                if done is not None:
                    done(item)
        except BaseException as error:  # noqa: BLE001 - handed to the caller's thread
            failures.append(error)
            broken.set()
            stop.set()
        finally:
            _running.broken = outer

    threads = [threading.Thread(target=worker, daemon=True) for _ in range(min(n_jobs, count) - 1)]
    for thread in threads:
        thread.start()
    try:
        worker()
    except BaseException:  # an interrupt just before or after the work
        broken.set()
        raise
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]
