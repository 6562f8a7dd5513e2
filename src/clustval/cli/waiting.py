"""How long work will take, said before it begins where that is long."""

from __future__ import annotations

from collections.abc import Iterable

from clustval.arrays import Floats
from clustval.catalogue import select
from clustval.passes.work.pair_time import pairs_of, seconds_of
from clustval.passes.work.threads import available_cores
from clustval.progress import duration
from clustval.sources.takes import RANKS

LONG = 20  # seconds


def pairwise_work(X: Floats, indices: str | Iterable[str], jobs: int | None, partitions: int = 1) -> str:
    """Return a line on how many distances will be computed and how long that may take; nothing if it is short.

    Sweeps visit the pairs once for all partitions, ranks apart.
    """
    names = [indices] if isinstance(indices, str) else list(indices)
    costs = {choice.index.cost for choice in select(names, "internal", swept=partitions > 1)}
    n, p = X.shape
    pairs, cores = pairs_of(n), jobs or available_cores()
    rounds = (1 if costs & {"quadratic", "rank"} else 0) + (RANKS * partitions if "rank" in costs else 0)
    seconds = seconds_of(pairs, p, rounds=rounds, cores=cores) if rounds else 0.0
    if seconds < LONG:
        return ""
    how = "--indices fast needs none of them" if "rank" not in costs else "--indices default takes a fraction of it"
    return f"{large(pairs)} distances: about {duration(seconds)} on {cores} cores; {how}."


def large(count: float) -> str:
    """Return a large number in words.

    >>> large(1.25e10), large(3.1e6)
    ('12.5 billion', '3.1 million')
    """
    unit, name = (1e9, "billion") if count >= 1e9 else (1e6, "million")
    return f"{count / unit:,.3g} {name}"
