"""One look at a clustering: which pairs are separate, which clusters are two, which points are in the wrong one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.diagnosis.evidence.borders import border
from clustval.diagnosis.evidence.cuts import candidate_cuts
from clustval.diagnosis.evidence.learned import border_inputs, kind, log_odds, p_value, probability
from clustval.diagnosis.evidence.members import TRUST, Crowd, Views, views, voted, with_rates
from clustval.diagnosis.evidence.pairs import (
    INSIDE_ANOTHER,
    SMALL,
    Pair,
    cores,
    dissolved,
    judged,
    neighbouring,
    smallest,
)
from clustval.diagnosis.scene import BLOCK, Sample, Scene
from clustval.passes.work import threads

# Chosen on development data, as docs/diagnose_evidence.md tells.
NO_VALLEY = 0.3  # P(separate) up to which two clusters have no gap between them
ONE_POPULATION = 0.35  # P(two populations) up to which they are merged as well
SEPARATE = 0.9  # P(separate) from which on two clusters are shown to be separate
TWO = 0.9  # P(two) from which on a cluster is split
MISPLACED = 0.8  # P(wrong) from which on a point is moved
DOUBTFUL = 0.5  # P(wrong) from which on a point does not count for a second cluster
STRAY = 0.8
SURE = 0.5  # P(separate) below which a point of two clusters is in the wrong one less surely

Pairs = dict[tuple[int, int], Pair]


@dataclass(frozen=True, eq=False)
class Cut:
    """The best way to cut a cluster in two."""

    two: float  # probability that the parts are two clusters
    p_value: float  # share of searched cuts of homogeneous clusters with as much evidence
    way: str
    rows: Integers  # members that were cut, by rows of the data
    sides: Integers  # 0 or 1 for each


@dataclass(frozen=True, eq=False)
class PointVerdicts:
    """What is said of each point."""

    wrong: Floats  # probability that it belongs to `other`
    other: Integers
    stray: Floats  # probability that it belongs to no cluster; of noise, not to the nearest one either
    purity: Floats  # share of its neighbours in its own cluster; of noise, in the nearest one


@dataclass(frozen=True, eq=False)
class Look:
    """What was seen of a clustering."""

    labels: Integers
    k: int
    pairs: Pairs
    cuts: dict[int, Cut]
    small: frozenset[int]  # clusters that are too small to judge
    points: PointVerdicts | None = None

    @property
    def merges(self) -> Pairs:
        """Pairs between which there is no valley, and which together look like one population."""
        return {
            pair: seen
            for pair, seen in self.pairs.items()
            if seen.separate <= NO_VALLEY and seen.populations <= ONE_POPULATION
        }

    @property
    def splits(self) -> dict[int, Cut]:
        """Clusters that are two."""
        return {cluster: cut for cluster, cut in self.cuts.items() if cut.two >= TWO}

    @property
    def misplaced(self) -> Integers:
        """Rows that are in the wrong cluster."""
        if self.points is None:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero((self.points.wrong >= MISPLACED) & (self.labels >= 0))


@dataclass(eq=False)
class Observer:
    """Looks at clusterings of the same points, and remembers pairs and cuts that it saw before."""

    scene: Scene
    _pairs: dict[tuple[bytes, ...], Pair] = field(default_factory=dict)
    _cuts: dict[bytes, Cut | None] = field(default_factory=dict)

    def look(self, labels: Integers, k: int, *, points: bool = True) -> Look:
        """Look at pairs and cuts of a clustering by labels 0 ... k-1, -1 for noise, and at its points."""
        sample = self.scene.sample(k)
        some = labels[sample.rows]
        sizes = np.bincount(some[some >= 0], minlength=k)
        small = frozenset(np.flatnonzero(sizes < smallest(sample.around)).tolist())
        pairs = self._seen_pairs(sample, some, k)
        verdicts = self._seen_points(labels, k, pairs) if points else None
        doubtful = np.zeros(len(some), dtype=bool) if verdicts is None else verdicts.wrong[sample.rows] >= DOUBTFUL
        cuts = {}
        for cluster in range(k):
            members = np.flatnonzero((some == cluster) & ~doubtful)
            if cluster not in small and len(members) >= 3 * SMALL:
                cut = self._seen_cut(sample, members)
                if cut is not None:
                    cuts[cluster] = self._carried_over(cut, sample, labels, cluster)
        return Look(labels, k, pairs, cuts, small, verdicts)

    def _seen_pairs(self, sample: Sample, labels: Integers, k: int) -> Pairs:
        if k < 2:
            return {}
        around = sample.around
        by_vote = voted(around, labels, k)
        settled = cores(around, labels, by_vote, k)
        members = [np.flatnonzero(labels == cluster) for cluster in range(k)]
        inner = [np.flatnonzero(settled == cluster) for cluster in range(k)]
        enough = [min(len(a), len(b)) >= smallest(around) for a, b in zip(members, inner, strict=True)]
        todo = [(a, b) for a, b in neighbouring(around, settled, k) if enough[a] and enough[b]]
        keys = [tuple(each.tobytes() for each in (members[a], members[b], inner[a], inner[b])) for a, b in todo]
        new = [at for at, key in enumerate(keys) if key not in self._pairs]

        def work(item: int) -> None:
            a, b = todo[new[item]]
            self._pairs[keys[new[item]]] = judged(around, members[a], members[b], (inner[a], inner[b]))

        threads.run(work, len(new), self.scene.space.n_jobs)
        pairs = {pair: self._pairs[key] for pair, key in zip(todo, keys, strict=True)}
        for cluster in range(k):
            other = dissolved(around, labels, by_vote, cluster)
            if other is not None:
                pairs[min(cluster, other), max(cluster, other)] = INSIDE_ANOTHER
        return pairs

    def _seen_cut(self, sample: Sample, members: Integers) -> Cut | None:
        """Return the best cut of some points of the sample, with rows of the sample."""
        key = members.tobytes()
        if key not in self._cuts:
            around, best = sample.around, None
            name = kind(around, "cut")
            for way, sides in candidate_cuts(around, members).items():
                a, b = members[sides == 0], members[sides == 1]
                odds = float(log_odds(name, border_inputs(around, border(around, a, b)[0], min(len(a), len(b)))))
                two = float(probability(odds))
                if best is None or two > best.two:
                    best = Cut(two, p_value(name, odds), way, members, sides)
            self._cuts[key] = best
        return self._cuts[key]

    def _carried_over(self, cut: Cut, sample: Sample, labels: Integers, cluster: int) -> Cut:
        """Return the cut of a sample as one of all points: each as the nearest point of the sample that was cut."""
        if sample.is_whole or cut.two < TWO:
            return Cut(cut.two, cut.p_value, cut.way, sample.rows[cut.rows], cut.sides)
        rows = np.flatnonzero(labels == cluster)
        part = Sample(self.scene, sample.rows[cut.rows])
        sides = np.empty(len(rows), dtype=np.int64)
        for lo in range(0, len(rows), BLOCK):
            sides[lo : lo + BLOCK] = cut.sides[self.scene.nearest(rows[lo : lo + BLOCK], part)]
        places = part.places(rows)
        sides[places >= 0] = cut.sides[places[places >= 0]]
        return Cut(cut.two, cut.p_value, cut.way, rows, sides)

    def _seen_points(self, labels: Integers, k: int, pairs: Pairs) -> PointVerdicts:
        scene = self.scene
        sample = scene.sample(k) if scene.is_large else scene.whole
        crowd = Crowd(sample.around, labels[sample.rows], k)
        if sample.is_whole:
            around = sample.around
            seen = views(crowd, around.numbers, around.log_radius, around.X, labels)
        else:
            seen = self._in_blocks(crowd, sample, labels)
        seen = with_rates(seen, labels, k)
        wrong = probability(log_odds(kind(crowd.around, "wrong"), seen.evidence)) if k > 1 else np.zeros(len(labels))
        odds = np.ones((k, k))
        for (a, b), pair in pairs.items():
            odds[a, b] = odds[b, a] = pair.separate if pair.separate < SURE else 1.0
        wrong = np.where(labels >= 0, wrong * odds[np.maximum(labels, 0), seen.nearest], 0.0)
        sizes = np.bincount(labels[labels >= 0], minlength=k)
        doubted = np.bincount(labels[(labels >= 0) & (wrong >= DOUBTFUL)], minlength=k)
        broken = doubted > (1 - TRUST) * sizes  # so many cannot be wrong: then the views are
        wrong = np.where(broken[labels] & (labels >= 0), np.minimum(wrong, DOUBTFUL), wrong)
        stray = probability(log_odds("stray", seen.thin))
        return PointVerdicts(wrong, seen.nearest, stray, seen.purity)

    def _in_blocks(self, crowd: Crowd, sample: Sample, labels: Integers) -> Views:
        parts, X = [], self.scene.X
        for lo in range(0, len(labels), BLOCK):
            rows = np.arange(lo, min(lo + BLOCK, len(labels)))
            distances, numbers = self.scene.near(rows, sample)
            radius = np.log(np.maximum(distances[:, -1], 1e-300))
            parts.append(views(crowd, numbers, radius, None if X is None else X[rows], labels[rows]))
        return Views(
            np.concatenate([part.nearest for part in parts]),
            np.concatenate([part.evidence for part in parts]),
            np.concatenate([part.thin for part in parts]),
            np.concatenate([part.purity for part in parts]),
        )
