"""A progress bar for long work, where somebody watches; lines now and then where no terminal shows a bar."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

from clustval.errors import optional

EVERY = 20.0  # seconds between lines
PATIENCE = 2.0  # seconds after which a bar appears that nobody asked for


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
        self.finished = 0

    def __call__(self, _item: int) -> None:
        """Count one."""
        with self._lock:
            self.finished += 1
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
        self._first = self._last = time.monotonic()

    def advance(self, _task: Any) -> None:
        """Count one; the first says nothing of the others, since all that is compiled is compiled in it."""
        self._count += 1
        now = time.monotonic()
        if self._count == 1:
            self._first = now
        if now - self._last >= EVERY:
            self._last = now
            line = f"{self._title}: {self._count:,} of {self._total:,}"
            if self._count > 1:
                left = (now - self._first) * max(0, self._total - self._count) / (self._count - 1)
                line += f", about {duration(left)} left"
            print(line, file=sys.stderr, flush=True)  # noqa: T201

    def update(self, _task: Any, *, total: int) -> None:
        """Say how many there are."""
        self._total = total


class Late:
    """Shows one task on a terminal or in a notebook, but only once it has taken so long that somebody waits."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._count, self._total = title, 0, total
        self._begin = time.monotonic()
        self._display: Any = None
        self._task: Any = None

    def advance(self, _task: Any) -> None:
        """Count one."""
        self._count += 1
        if self._display is not None:
            self._display.advance(self._task)
        elif time.monotonic() - self._begin > PATIENCE:
            self._display = _display(self._total, optional("rich.console", "cli").Console(stderr=True))
            self._display.start()
            self._task = self._display.add_task(self._title, total=self._total, completed=self._count)

    def update(self, _task: Any, *, total: int) -> None:
        """Say how many there are."""
        self._total = total
        if self._display is not None:
            self._display.update(self._task, total=total)

    def stop(self) -> None:
        """Leave the line as it is."""
        if self._display is not None:
            self._display.stop()


def somebody_watches() -> bool:
    """Return whether there is a terminal or a notebook, and rich to draw on it."""
    is_notebook = "ipykernel" in sys.modules
    return (sys.stderr.isatty() or is_notebook) and importlib.util.find_spec("rich") is not None


@contextlib.contextmanager
def bar(title: str, *, shown: bool | None, total: int | None = None) -> Iterator[Count | None]:
    """Give a function to be called once per finished piece of work, or None if nothing is shown.

    None shows a bar where somebody watches and the work takes more than two seconds. Who interrupts the work learns
    from a note on the interruption what it was.
    """
    with _shown(title, shown=shown, total=total) as count:
        try:
            yield count
        except KeyboardInterrupt as stop:
            stop.add_note(f"{title!r}" if count is None else f"{title!r} ({count.finished:,} done)")
            raise


@contextlib.contextmanager
def _shown(title: str, *, shown: bool | None, total: int | None) -> Iterator[Count | None]:
    if shown is None and somebody_watches():
        late = Late(title, total)
        try:
            yield Count(late, None, known=total is not None)
        finally:
            late.stop()
        return
    if not shown:
        yield None
        return
    console = optional("rich.console", "cli").Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        yield Count(Lines(title, total), None, known=total is not None)
        return
    with _display(total, console) as display:
        yield Count(display, display.add_task(title, total=total), known=total is not None)


def _display(total: int | None, console: Any) -> Any:
    progress = optional("rich.progress", "cli")
    counts = (progress.MofNCompleteColumn(),) if total is not None else (progress.TimeElapsedColumn(),)
    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), *counts, progress.TimeRemainingColumn())
    return progress.Progress(*columns, console=console)
