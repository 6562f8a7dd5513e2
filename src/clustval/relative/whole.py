"""Indices that need the whole of a sweep: a value of one partition depends on the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from clustval.rules import Rule, elbow_of_fall, lowest
from clustval.suites import Choice, select

Curve = NDArray[np.float64]


@dataclass(frozen=True)
class SweepIndex:
    """The record of an index that is made of other indices of all partitions of a sweep."""

    name: str
    parts: tuple[str, ...]  # names of indices that it is made of
    combine: Callable[[Mapping[str, Curve], NDArray[np.int64]], Curve]  # of their values and the numbers of clusters
    best: Rule  # our own
    printed: Mapping[str, Rule]  # those of the suites that have it when they are asked for over a sweep
    bounds: tuple[float, float]
    reference: str
    undefined: str

    @property
    def without_value(self) -> str:
        """Why a partition has no value."""
        return f"{self.name} has no value for this clustering: {self.undefined}."

    def read_by(self, suite: str) -> SweepIndex:
        """Return the index with the rule that a suite prints for it."""
        return replace(self, best=self.printed.get(suite, self.best))


def scatter_and_distance(values: Mapping[str, Curve], k: NDArray[np.int64]) -> Curve:
    """Scat times alpha plus Dis, alpha being Dis at the largest number of clusters (Desgraupes eq. 84).

    The largest at which Dis is finite; of several such partitions, the one with the smallest Dis.
    """
    scat, dis = values["sd_scat"], values["sd_dis"]
    usable = np.isfinite(dis)
    if not usable.any():
        return np.full(len(dis), np.nan)
    alpha = float(dis[usable & (k == k[usable].max())].min())
    return alpha * scat + dis


SWEEP_INDICES = {
    index.name: index
    for index in (
        SweepIndex(
            name="sd",
            parts=("sd_scat", "sd_dis"),
            combine=scatter_and_distance,
            best=elbow_of_fall,
            printed={"clustercrit": lowest, "all": elbow_of_fall},
            bounds=(0, inf),
            reference="halkidi2000; desgraupes2017, eq. 84",
            undefined="it needs sd_scat and sd_dis, of which one has no value",
        ),
    )
}


def select_for_sweep(indices: str | Iterable[str]) -> list[Choice | SweepIndex]:
    """Return the indices that were asked for, with those that only a sweep has."""
    names = [indices] if isinstance(indices, str) else list(indices)
    chosen: dict[str, Choice | SweepIndex] = {}
    if not names:
        select(names, "internal")  # raises the error that says what to give
    for name in names:
        key = name.strip().lower() if isinstance(name, str) else ""
        suite, _, member = key.rpartition(":")
        if member in SWEEP_INDICES and suite in ("", *SWEEP_INDICES[member].printed):
            chosen[member] = SWEEP_INDICES[member].read_by(suite)
            continue
        chosen.update({choice.name: choice for choice in select([name], "internal")})
        chosen.update({n: index.read_by(key) for n, index in SWEEP_INDICES.items() if key in index.printed})
    return list(chosen.values())
