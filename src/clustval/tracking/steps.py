"""Two clusterings that follow each other: how many rows of each cluster go where, and which cluster became which."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.errors import InputError
from clustval.lazy import cached_property
from clustval.mixed_table import MixedTable
from clustval.sources.space import space_of
from clustval.tracking.assign import assigned
from clustval.tracking.drift import chance, drift
from clustval.tracking.nearness import Nearness
from clustval.tracking.snapshots import Snapshot

MAJORITY = 0.5  # a share above which rows of a cluster decide what it becomes
FEWEST_SHARED = 0.1  # share of a cluster that must be in both clusterings; with fewer, it came or went as a whole


class Step:
    """Two clusterings that follow each other: how many rows of each cluster go to each, and where each comes from."""

    def __init__(self, before: Snapshot, after: Snapshot, metric: Any, level: float, n_jobs: int) -> None:
        self.before, self.after = before, after
        rows: Any = np.vstack([before.X, after.X])
        self.space = space_of(MixedTable(rows, {}) if metric == "gower" else rows, metric=metric, n_jobs=n_jobs)
        self.pairs = _shared(before, after)
        k, m = len(before.names), len(after.names)
        if self.pairs is not None:
            codes = before.codes[self.pairs[:, 0]], after.codes[self.pairs[:, 1]]
            self.forward = self.backward = _cells(*codes, k, m)
            shared = [
                np.bincount(c + 1, minlength=len(each.names) + 1)[1:]
                for c, each in zip(codes, (before, after), strict=True)
            ]
            self.out_of, self.into = (
                np.where(s >= FEWEST_SHARED * each.sizes, s, 0) for s, each in zip(shared, (before, after), strict=True)
            )
        else:
            self.forward = _cells(before.codes, self._placed(before, after, level), k, m)
            self.backward = _cells(self._placed(after, before, level), after.codes, k, m)
            self.out_of, self.into = before.sizes, after.sizes

    def _placed(self, rows: Snapshot, others: Snapshot, level: float) -> Integers:
        """Return the cluster of the other time that each row is assigned to, -1 where it is like none."""
        assignment = assigned(self._nearness(others), others.names, rows.X, level)
        return np.where(assignment.outside, -1, assignment.codes)

    def _nearness(self, snapshot: Snapshot) -> Nearness:
        present = snapshot.codes >= 0
        flags = np.zeros(self.space.n, dtype=bool)
        start = 0 if snapshot is self.before else len(self.before.X)
        flags[start : start + len(snapshot.X)] = present
        return Nearness(self.space.restricted(flags), snapshot.codes[present], len(snapshot.names))

    @property
    def shares(self) -> tuple[Floats, Floats]:
        """The share of each cluster before that goes to each after, and of each after that comes from each before."""
        with np.errstate(invalid="ignore", divide="ignore"):
            out, into = self.forward / self.out_of[:, None], self.backward / self.into
        return np.nan_to_num(out, posinf=0.0), np.nan_to_num(into, posinf=0.0)

    @property
    def links(self) -> Flags:
        """Which cluster became which."""
        out, into = self.shares
        linked: Flags = (out > MAJORITY) | (into > MAJORITY)
        return linked & (self.out_of > 0)[:, None] & (self.into > 0)

    @cached_property
    def regions(self) -> tuple[tuple[Integers, Integers], tuple[Integers, Integers]]:
        """The nearest cluster before and the nearest after, of each row before and of each row after."""
        before, after = self._nearness(self.before), self._nearness(self.after)
        own = before.of_members(self.before.X, self.before.codes), after.of_members(self.after.X, self.after.codes)
        of_before = own[0].argmin(axis=1), after.of(self.before.X).argmin(axis=1)
        return of_before, (before.of(self.after.X).argmin(axis=1), own[1].argmin(axis=1))

    def drift(self, c: int, d: int, count: int, rng: np.random.Generator) -> tuple[float, float, float]:
        """Return how far cluster d after lies from cluster c before, and how likely that is by chance.

        Each clustering draws its borders anew, so that rows of one cluster are at other places though no row has
        moved. What is asked of chance is whether rows before and after differ where both clusterings put rows, noise
        too, into these clusters, none of them by its own label.
        """
        first, second = self.before.rows(c), self.after.rows(d)
        shift, energy = drift(self.space, self.before.X[first], self.after.X[second], self._paired(first, second), rng)
        if count == 0:
            return shift, energy, np.nan
        first, second = (np.flatnonzero((was == c) & (becomes == d)) for was, becomes in self.regions)
        pairs = self._paired(first, second)
        return shift, energy, chance(self.space, self.before.X[first], self.after.X[second], pairs, count, rng)

    def _paired(self, first: Integers, second: Integers) -> Integers:
        """Return the places of rows that are among both."""
        if self.pairs is None:
            return np.empty((0, 2), dtype=np.int64)
        both = self.pairs[np.isin(self.pairs[:, 0], first) & np.isin(self.pairs[:, 1], second)]
        return np.column_stack([np.searchsorted(first, both[:, 0]), np.searchsorted(second, both[:, 1])])


def _shared(before: Snapshot, after: Snapshot) -> Integers | None:
    """Return the rows that have the same id in both, in pairs; None where rows have no ids."""
    if before.ids is None or after.ids is None:
        return None
    places = {key: at for at, key in enumerate(before.ids)}
    pairs = [(places[key], at) for at, key in enumerate(after.ids) if key in places]
    if not pairs:
        msg = "No id is in both clusterings; leave ids out to compare rows by where they lie."
        raise InputError(msg)
    return np.array(pairs, dtype=np.int64)


def _cells(rows: Integers, columns: Integers, k: int, m: int) -> Integers:
    """Return how often a code of the rows meets a code of the columns; -1 counts nowhere."""
    table = np.zeros((k + 1, m + 1), dtype=np.int64)
    np.add.at(table, (rows, columns), 1)
    return table[:-1, :-1]
