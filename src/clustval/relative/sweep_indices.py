"""Indices that need the whole of a sweep: a value of one partition depends on the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.catalogue import select
from clustval.declare import Choice
from clustval.rules import Rule, elbow_of_fall, lowest


@dataclass(frozen=True)
class SweepIndex:
    """The record of an index that is made of other indices of all partitions of a sweep."""

    name: str
    parts: tuple[str, ...]  # names of indices that it is made of
    combine: Callable[[Mapping[str, Floats], NDArray[np.int64]], Floats]  # of their values and the numbers of clusters
    best: Rule  # our own
    printed: Mapping[str, Rule]  # those of the suites that have it when they are asked for over a sweep
    bounds: tuple[float, float]
    reference: str
    undefined: str
    kind: str = "internal"

    @property
    def without_value(self) -> str:
        """Why a partition has no value."""
        return f"{self.name} has no value for this clustering: {self.undefined}."

    def read_by(self, suite: str) -> SweepIndex:
        """Return the index with the rule that a suite prints for it."""
        return replace(self, best=self.printed.get(suite, self.best))


def scatter_and_distance(values: Mapping[str, Floats], k: NDArray[np.int64]) -> Floats:
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


def select_for_sweep(
    indices: str | Iterable[str] | Mapping[str, Mapping[str, Any]], kind: str = "internal"
) -> list[Choice | SweepIndex]:
    """Return the indices that were asked for, with those of the kind that only a sweep has."""
    names = [indices] if isinstance(indices, str) else list(indices)
    choices: dict[str, Choice | SweepIndex] = {}
    if not names:
        select(names, kind)  # raises the error that says what to give
    of_sweeps = {name: index for name, index in SWEEP_INDICES.items() if index.kind == kind}
    for name in names:
        key = name.strip().lower() if isinstance(name, str) else ""
        suite, _, member = key.rpartition(":")
        if member in of_sweeps and suite in ("", *of_sweeps[member].printed):
            choices[member] = of_sweeps[member].read_by(suite)
            continue
        request = {name: indices[name]} if isinstance(indices, Mapping) else [name]
        choices.update({choice.name: choice for choice in select(request, kind)})
        choices.update({n: index.read_by(key) for n, index in of_sweeps.items() if key in index.printed})
    return list(choices.values())
