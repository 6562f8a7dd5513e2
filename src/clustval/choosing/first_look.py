"""A first look at clusterings that are there, in seconds: whether there is anything to find, and what fits better.

Quick algorithms cluster a sample of the points; the judge of `choose` ranks what they find among what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Integers
from clustval.choosing.algorithms import ALGORITHMS, Points
from clustval.choosing.choice import Choice
from clustval.choosing.choose import choose
from clustval.choosing.pool import made_pool, numbers_to_try
from clustval.choosing.structure import FEWEST, NOTHING, POINTS, Structure, sampled, some_of, structure
from clustval.seeding import generators
from clustval.sources.space import Space, space_of
from clustval.tables import number

QUICK = ("ward", "average", "single", "genie", "k-means")
FEW_DRAWS: dict[str, Any] = {"n_references": 39, "sample": 800}


@dataclass(frozen=True)
class FirstLook:
    """Whether there are clusters, None where that cannot be asked, and all clusterings in the order of the judge."""

    structure: Structure | None
    choice: Choice
    names: tuple[str, ...]  # of the clusterings that were there, best first

    def sentences(self, shown: str = "") -> list[str]:
        """Say what was seen, of the clustering that is shown and of the other partitions; of the best, without one."""
        sentences = [] if self.structure is None else [self.structure.answer]
        others = [name for name in self.names if name != shown]
        if self.structure is not None and self.structure.evidence == NOTHING:
            least = [f"If there must be clusters, {others[0]} is the best of these partitions."] if others else []
            return [*sentences, *least]
        if others:
            sentences.append(f"The best of these partitions is {others[0]}, by the consensus judge.")
        name = shown if shown in self.names else others[0]
        if self.choice.is_poor(name):
            best, value = (number(self.choice.ranking[each]["judge"], 3) for each in (self.choice.best, name))
            sentences.append(f"{self.choice.best} is clearly better than {name}: {best} against {value} by consensus.")
        return sentences if self.choice.misleading is None else [*sentences, self.choice.warning]


def first_look(space: Space, partitions: Mapping[str, Integers]) -> FirstLook | None:
    """Look at clusterings, codes of the points with -1 for noise; None where there is too little to see.

    The same data are seen alike each time.
    """
    if space.n < FEWEST or not isinstance(space.metric, str):  # a function of two points would take minutes
        return None
    rows = sampled(space.n, POINTS, generators(0))
    some = some_of(space, rows)
    codes = {name: each if rows is None else each[rows] for name, each in partitions.items()}
    codes = {name: each for name, each in codes.items() if len(np.unique(each[each >= 0])) > 1}
    if not codes:
        return None
    points = some.again
    options: dict[str, Any] = {"metric": space.metric, "random_state": 0, "n_jobs": space.n_jobs}
    fresh = space_of(points, metric=space.metric, n_jobs=space.n_jobs)
    algorithms = {name: ALGORITHMS[name] for name in QUICK}
    pool = made_pool(Points(fresh, generators(0)), algorithms, numbers_to_try(None, fresh.n), n_jobs=fresh.n_jobs)
    quick = {candidate.name: candidate.codes for candidate in pool.candidates if candidate.k > 1}
    choice = choose(points, {**quick, **codes}, null=False, **options)
    seen = None if some.X is None else structure(points, **FEW_DRAWS, **options)
    return FirstLook(seen, choice, tuple(str(name) for name in choice.ranking if name in codes))
