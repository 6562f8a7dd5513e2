"""Random numbers by number of the task: the same for a seed, whichever thread does the task and in which order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.errors import InputError

TaskGenerator = Callable[..., np.random.Generator]  # from the numbers of a task to the generator of that task alone


def generators(random_state: Any) -> TaskGenerator:
    """Return a function that gives a generator of its own to each task, named by one or more whole numbers.

    >>> generator = generators(0)
    >>> bool(generator(3, 1).random() == generator(3, 1).random())
    True
    """
    return _OfEntropy(_entropy(random_state))


@dataclass(frozen=True)
class _OfEntropy:
    """Gives generators by task; a class, so that results which hold it can be pickled."""

    entropy: int

    def __call__(self, *task: int) -> np.random.Generator:
        return np.random.default_rng(np.random.SeedSequence(self.entropy, spawn_key=task))


def _entropy(random_state: Any) -> int:
    integer = isinstance(random_state, (int, np.integer)) and not isinstance(random_state, bool)
    if integer and random_state >= 0:
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
