"""Random numbers by number of the task: the same for a seed, whichever thread does the task and in which order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clustval.errors import InputError

Stream = Callable[..., np.random.Generator]


def streams(random_state: Any) -> Stream:
    """Return a function that gives a generator of its own to each task, named by one or more whole numbers.

    >>> stream = streams(0)
    >>> bool(stream(3, 1).random() == stream(3, 1).random())
    True
    """
    entropy = _entropy(random_state)

    def stream(*task: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(entropy, spawn_key=task))

    return stream


def _entropy(random_state: Any) -> int:
    whole = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if whole and random_state >= 0:
        return int(random_state)
    if random_state is None:
        return int.from_bytes(np.random.SeedSequence().generate_state(4).tobytes())
    if isinstance(random_state, np.random.SeedSequence):
        return int.from_bytes(random_state.generate_state(4).tobytes())
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    msg = f"random_state must be None, a whole number from 0, or a NumPy Generator; it is {random_state!r}."
    raise InputError(msg)
