"""How far the points of clusters are from their centres on average, and how far centres are from each other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.passes.centres.centre_gaps import FEW, Gaps
from clustval.passes.points.own_centres import sums_to_own
from clustval.passes.points.row_moments import AT_ONCE
from clustval.passes.work import thresholds
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes, euclidean_in_read_order
from clustval.stats.centres.radii import Radii
from clustval.stats.points.moments import Moments


@dataclass(frozen=True, eq=False)
class MeanRadii(Statistic):
    """Sums of the distances of points to the centre of their own cluster, and distances between centres.

    Those of disjoint sets of points, with the same centres, add up.
    """

    takes = Takes(centre_pairs=True)
    after = (Radii,)

    mass: Any
    sums: Floats  # (k,) over the points of a cluster, by weight
    gaps: Gaps  # distances between centres
    n_jobs: int = 1  # threads that measure centres against each other

    @classmethod
    def derived(cls, r: Radii) -> MeanRadii:
        """Take them from the distances of points to all centres."""
        return cls(r.mass, r.own_sums, r.gaps)

    @classmethod
    @way(
        of=Partition,
        after=(Moments,),
        when=euclidean_in_read_order,
        takes=Takes(coordinates=True, centres=True, centre_pairs=True),
        part=True,
    )
    def from_rows(cls, block: Partition, m: Moments) -> MeanRadii:
        """Measure points against their own centre alone, in the order of the input."""
        rows = block.rows_as_read
        jobs = block.jobs if rows.size > AT_ONCE or m.k > FEW else 1
        sums = sums_to_own(rows, block.codes_as_read, block.origin, m.means, jobs)
        return cls(m.mass, sums, m.gaps, jobs if m.n > thresholds.GAPS else 1)

    def __add__(self, other: MeanRadii) -> MeanRadii:
        """Sums over the union of two disjoint sets of points."""
        return replace(self, sums=self.sums + other.sums)

    @property
    def means(self) -> Floats:
        """Mean distance of the points of each cluster to its centre (k,)."""
        return self.sums / self.mass
