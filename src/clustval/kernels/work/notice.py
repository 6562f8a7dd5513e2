"""A line on standard error when compiling takes long: silence of many seconds looks like a fault."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

from clustval.kernels.work.cache import KernelCache

PATIENCE = 1.0  # seconds of compiling, over all kernels of a process, before the line
KEPT = "compiling for this processor, once, usually 5 to 20 s ('clustval compile' does it beforehand)"
LOST = (
    "compiling, usually 5 to 20 s in every process, since no cache can be written ('clustval compile' beforehand, or "
    "CLUSTVAL_CACHE=folder, saves it)"
)


class Notice(event.Listener):
    """Adds up how long kernels are compiled, counts them, and says so once."""

    def __init__(self) -> None:
        self.seconds, self.kernels = 0.0, 0
        self.shown = os.environ.get("CLUSTVAL_QUIET", "0") in {"", "0"}
        self._depth, self._begin = 0, 0.0
        self._timer: threading.Timer | None = None

    def on_start(self, event: Any) -> None:
        """Begin to wait; kernels that a kernel calls are compiled inside it."""
        kept = getattr(event.data["dispatcher"], "_cache", None)
        if not isinstance(kept, KernelCache):
            return
        self._depth += 1
        if self._depth > 1:
            return
        self._begin = time.monotonic()
        if self.shown and self._timer is None:
            line = KEPT if kept.writable() else LOST
            self._timer = threading.Timer(max(PATIENCE - self.seconds, 0.0), self._say, (line,))
            self._timer.daemon = True
            self._timer.start()

    def on_end(self, event: Any) -> None:
        """Stop waiting."""
        if not isinstance(getattr(event.data["dispatcher"], "_cache", None), KernelCache):
            return
        self._depth -= 1
        self.kernels += 1
        if self._depth == 0:
            self.seconds += time.monotonic() - self._begin
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def _say(self, line: str) -> None:
        self.shown = False
        print(f"clustval: {line}", file=sys.stderr, flush=True)  # noqa: T201

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Say nothing: whoever asked for compiling is not surprised by it."""
        shown, self.shown = self.shown, False
        yield
        self.shown = shown


NOTICE = Notice()
event.register("numba:compile", NOTICE)
