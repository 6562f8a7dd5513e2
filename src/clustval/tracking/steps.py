"""Two clusterings that follow each other: how many rows of each cluster go where, and which cluster became which."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.errors import InputError
from clustval.mixed_table import MixedTable
from clustval.sources.space import space_of
from clustval.tracking.assign import assigned
from clustval.tracking.drift import drift
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
        present = others.codes >= 0
        flags = np.zeros(self.space.n, dtype=bool)
        start = 0 if others is self.before else len(self.before.X)
        flags[start : start + len(others.X)] = present
        nearness = Nearness(self.space.restricted(flags), others.codes[present], len(others.names))
        assignment = assigned(nearness, others.names, rows.X, level)
        return np.where(assignment.outside, -1, assignment.codes)

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

    def drift(self, c: int, d: int, count: int, rng: np.random.Generator) -> tuple[float, float, float]:
        """Return how far cluster d after lies from cluster c before."""
        first, second = self.before.rows(c), self.after.rows(d)
        pairs = np.empty((0, 2), dtype=np.int64)
        if self.pairs is not None:
            both = self.pairs[(self.before.codes[self.pairs[:, 0]] == c) & (self.after.codes[self.pairs[:, 1]] == d)]
            pairs = np.column_stack([np.searchsorted(first, both[:, 0]), np.searchsorted(second, both[:, 1])])
        return drift(self.space, self.before.X[first], self.after.X[second], pairs, count, rng)


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
