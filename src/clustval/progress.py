"""A progress bar for long work, shown only when asked for; lines now and then where no terminal shows a bar."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from clustval.errors import optional

EVERY = 20.0  # seconds between lines


def duration(seconds: float) -> str:
    """Return a time in words that are easy to read.

    >>> duration(42), duration(200), duration(9500)
    ('42 seconds', '3 minutes', '3 hours')
    """
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} seconds"


class Count:
    """Counts finished pieces of work; where it is not known how many there are, those that begin are added up."""

    def __init__(self, display: Any, task: Any, *, known: bool) -> None:
        self._display, self._task = display, task
        self._lock, self._known, self._total = threading.Lock(), known, 0

    def __call__(self, _item: int) -> None:
        """Count one."""
        with self._lock:
            self._display.advance(self._task)

    def expect(self, count: int) -> None:
        """Add what begins to the total, unless that is known."""
        if not self._known:
            with self._lock:
                self._total += count
                self._display.update(self._task, total=self._total)


class Lines:
    """Shows one task, as a bar does, by lines that say now and then on standard error how much is left."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._count, self._total = title, 0, total or 0
        self._begin = self._last = time.monotonic()

    def advance(self, _task: Any) -> None:
        """Count one."""
        self._count += 1
        now = time.monotonic()
        if now - self._last >= EVERY:
            self._last = now
            left = (now - self._begin) * max(0.0, self._total / self._count - 1)
            line = f"{self._title}: {self._count:,} of {self._total:,}, about {duration(left)} left"
            print(line, file=sys.stderr, flush=True)  # noqa: T201

    def update(self, _task: Any, *, total: int) -> None:
        """Say how many there are."""
        self._total = total


@contextlib.contextmanager
def bar(title: str, *, shown: bool, total: int | None = None) -> Iterator[Callable[[int], None] | None]:
    """Give a function to be called once per finished piece of work, or None if nothing is shown."""
    if not shown:
        yield None
        return
    console = optional("rich.console", "cli").Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        yield Count(Lines(title, total), None, known=total is not None)
        return
    progress = optional("rich.progress", "cli")
    counts = (progress.MofNCompleteColumn(),) if total is not None else (progress.TimeElapsedColumn(),)
    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), *counts, progress.TimeRemainingColumn())
    with progress.Progress(*columns, console=console) as display:
        yield Count(display, display.add_task(title, total=total), known=total is not None)
