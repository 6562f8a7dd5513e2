"""A progress bar for long work, shown only when asked for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any

from clustval.errors import optional


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


@contextlib.contextmanager
def bar(title: str, *, shown: bool, total: int | None = None) -> Iterator[Callable[[int], None] | None]:
    """Give a function to be called once per finished piece of work, or None if nothing is shown."""
    if not shown:
        yield None
        return
    progress = optional("rich.progress", "cli")
    counts = (progress.MofNCompleteColumn(),) if total is not None else (progress.TimeElapsedColumn(),)
    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), *counts, progress.TimeRemainingColumn())
    console = optional("rich.console", "cli").Console(stderr=True)
    with progress.Progress(*columns, console=console) as display:
        yield Count(display, display.add_task(title, total=total), known=total is not None)
