"""The first pass over blocks of rows: what there is, and what is wrong with it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.declare import Need
from clustval.errors import InputError
from clustval.inputs import not_finite
from clustval.kernels.work.rounding import LARGEST, SMALLEST
from clustval.labels import in_order
from clustval.passes.points.row_moments import range_of
from clustval.readers.pieces import Piece, Rows
from clustval.sources.row_blocks import RowBlock, WholeData, read

MOST_CLUSTERS = 10**6
SPLITS = 2.0**64  # farther than this from 0, powers that formulas take may overflow: then points must be in memory


@dataclass(frozen=True)
class Fault:
    """The first value that is not finite, and how many rows have such."""

    row: int
    column: int
    value: float
    rows: int


@dataclass(frozen=True)
class FirstPass:
    """What some rows leave behind before the clusters of the whole are known. Two of them add up, by name.

    The name None stands for noise that is counted as a cluster.
    """

    rows: int
    names: list[Any]
    sizes: Integers
    parts: Mapping[Need, Any]
    noise: int = 0
    first_noise: int = 0
    fault: Fault | None = None
    low: float = math.inf
    high: float = -math.inf
    mass: Any = None  # of the clusters, where points are weighted
    noise_mass: float = 0.0
    fractional: bool = False  # whether points in clusters have weights that are no whole numbers
    noise_weighs: bool = False  # whether some noise point has another weight than 0 and 1

    def __add__(self, other: FirstPass) -> FirstPass:
        """Return what two sets of rows leave behind, one after the other."""
        if (self.mass is None) != (other.mass is None):
            msg = "Either all batches have weights or none; some do and some do not."
            raise InputError(msg)
        names = self.names
        if self.names != other.names:
            names = [*in_order(n for n in {*self.names, *other.names} if n is not None)]
            names += [None] if None in self.names or None in other.names else []
            if len(names) > MOST_CLUSTERS:
                msg = f"labels has more than {MOST_CLUSTERS:,} different values; they name rows, not clusters."
                raise InputError(msg)
        a, b = self.relabelled(names), other.relabelled(names)
        fault = a.fault
        if b.fault is not None:
            fault = replace(b.fault, row=b.fault.row + a.rows)
            if a.fault is not None:
                fault = replace(a.fault, rows=a.fault.rows + b.fault.rows)
        return FirstPass(
            rows=a.rows + b.rows,
            names=names,
            sizes=a.sizes + b.sizes,
            parts={need: a.parts[need] + b.parts[need] for need in a.parts},
            noise=a.noise + b.noise,
            first_noise=a.first_noise if a.noise else b.first_noise + a.rows,
            fault=fault,
            low=min(a.low, b.low),
            high=max(a.high, b.high),
            mass=None if a.mass is None else a.mass + b.mass,
            noise_mass=a.noise_mass + b.noise_mass,
            fractional=a.fractional or b.fractional,
            noise_weighs=a.noise_weighs or b.noise_weighs,
        )

    @property
    def weights(self) -> Any:
        """The weights of the clusters, None where all points in clusters weigh 1."""
        alike = self.mass is None or (not self.fractional and bool((self.mass == self.sizes).all()))
        return None if alike else self.mass

    @property
    def total_mass(self) -> Any:
        """How many rows there are, by weight, with those left out as noise."""
        return self.rows if self.mass is None else float(self.mass.sum()) + self.noise_mass

    def relabelled(self, names: list[Any]) -> FirstPass:
        """Return the same with the clusters of these names, some of them empty."""
        if names == self.names:
            return self
        place = {name: at for at, name in enumerate(names)}
        places = np.array([place[name] for name in self.names], dtype=np.int64)
        sizes = np.zeros(len(names), dtype=np.int64)
        sizes[places] = self.sizes
        mass = None
        if self.mass is not None:
            mass = np.zeros(len(names))
            mass[places] = self.mass
        parts = {need: part.relabelled(places, len(names)) for need, part in self.parts.items()}
        return replace(self, names=names, sizes=sizes, mass=mass, parts=parts)


@dataclass(frozen=True)
class Rules:
    """How labels and points of a block are read, the same for all blocks."""

    metric: Any
    noise: str
    needs: frozenset[Need]
    origin: Floats


def first_pass(rows: Rows, rules: Rules) -> FirstPass:
    """Return what a block leaves behind in the first pass."""
    X, codes, names, weights, noisy = read(rows, rules.noise)
    if len(names) > MOST_CLUSTERS:
        msg = f"labels has more than {MOST_CLUSTERS:,} different values; they name rows, not clusters."
        raise InputError(msg)
    count = int(np.count_nonzero(noisy))
    first = int(noisy.argmax()) if count else 0
    whole = weights is None and (not count or rules.noise == "cluster")  # every row is in a cluster
    sizes = np.bincount(codes if whole else codes[codes >= 0], minlength=len(names))
    plain: dict[str, Any] = {
        "rows": len(X), "names": names, "sizes": sizes, "noise": count, "first_noise": first,
    }  # fmt: skip
    if weights is not None:
        plain["mass"] = np.bincount(codes[codes >= 0], weights[codes >= 0], minlength=len(names))
        left_out = noisy & (codes < 0)
        plain |= {
            "noise_mass": float(weights[left_out].sum()),
            "fractional": bool((weights != np.floor(weights))[codes >= 0].any()),
            "noise_weighs": bool((weights[left_out] != 1).any()),
        }
        if (sizes == 0).any():  # clusters whose points weigh nothing
            there = np.flatnonzero(sizes)
            places = np.append(np.cumsum(sizes > 0) - 1, -1)
            codes, names = places[codes], [names[c] for c in there]
            plain |= {"names": names, "sizes": sizes[there], "mass": plain["mass"][there]}
    whole_data = WholeData(names, plain["sizes"], None, rules.origin, rules.metric, {}, rules.needs)
    block = RowBlock(X, codes, whole_data, weights, sizes if whole else None)
    lows, highs = block.extent if block.n == len(X) and rules.needs else range_of(X)
    if not (np.isfinite(lows).all() and np.isfinite(highs).all()):
        return FirstPass(parts={}, fault=_fault(X), **plain)
    parts = {need: block.need(need).without_points() for need in rules.needs}
    return FirstPass(parts=parts, low=float(lows.min()), high=float(highs.max()), **plain)


def _fault(X: NDArray[Any]) -> Fault:
    bad = ~np.isfinite(X)
    rows = np.flatnonzero(bad.any(axis=1))
    column = int(np.flatnonzero(bad[rows[0]])[0])
    return Fault(int(rows[0]), column, float(X[rows[0], column]), len(rows))


def first_pass_of_piece(piece: Piece, rules: Rules) -> FirstPass | None:
    """Return what the rows of a piece leave behind in the first pass, None if it has no rows."""
    total: FirstPass | None = None
    for rows in piece.blocks():
        if not len(rows):
            continue
        one = first_pass(rows, rules)
        total = one if total is None else joined(total, one)
    return total


def joined(a: FirstPass, b: FirstPass) -> FirstPass:
    """Add what two sets of rows leave behind; where a value is not finite, only the first such value is looked for."""
    if a.fault or b.fault:
        a, b = replace(a, parts={}), replace(b, parts={})
    return a + b


def check_first_pass(rows: FirstPass, features: Sequence[str] | None, noise: str) -> None:
    """Raise the error that the same data in memory would raise."""
    fault = rows.fault
    if fault is not None:
        msg = not_finite("X", fault.row, fault.column, fault.value, fault.rows, features)
        raise InputError(msg)
    reach, spread = max(-rows.low, rows.high), rows.high - rows.low
    if reach > LARGEST:
        msg = f"X reaches {reach:.3g}, whose square overflows; rescale it to below {LARGEST:g}."
        raise InputError(msg)
    if 0 < spread < SMALLEST:
        msg = f"X spreads over {spread:.3g}, whose square vanishes; rescale it to above {SMALLEST:g}."
        raise InputError(msg)
    if reach > SPLITS or 0 < reach < 1 / SPLITS:
        msg = f"X reaches {reach:.3g}; in blocks it must lie between {1 / SPLITS:.3g} and {SPLITS:.3g}: rescale it."
        raise InputError(msg)
    if rows.noise and noise == "error":
        msg = (
            f"labels marks {rows.noise} points as noise, the first at position {rows.first_noise}; "
            "noise='error' allows none."
        )
        raise InputError(msg)
    if rows.mass is not None and not rows.mass.any() and not rows.noise_mass:
        msg = "sample_weight is 0 for every point; at least one must weigh more."
        raise InputError(msg)
