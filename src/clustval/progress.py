"""A progress bar for long work, shown only when asked for."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from clustval.errors import optional


@contextlib.contextmanager
def bar(title: str, *, shown: bool, total: int | None = None) -> Iterator[Callable[[int], None] | None]:
    """Give a function to be called once per finished piece of work, or None if nothing is shown."""
    if not shown:
        yield None
        return
    progress = optional("rich.progress", "cli")
    count_columns = (progress.MofNCompleteColumn(), progress.TimeRemainingColumn())
    times = (progress.TimeElapsedColumn(),) if total is None else count_columns
    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), *times)
    console = optional("rich.console", "cli").Console(stderr=True)
    lock = threading.Lock()
    with progress.Progress(*columns, console=console) as display:
        task = display.add_task(title, total=total)

        def done(_item: int) -> None:
            with lock:
                display.advance(task)

        yield done
