"""Typical values of indices: simulated, written to docs/reference_ranges.json, and shown on the page of each index.

Run it again after an index was added or its values changed: ``python tools/reference_ranges.py``.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist

import clustval as cv
from clustval.catalogue import kinds
from clustval.sources.sweep_curves import SweepIndex

DOCS = Path(__file__).parents[1] / "docs"
sys.path.insert(0, str(DOCS))

from scenes import scenes  # noqa: E402

SETS = 20  # simulated for each combination
SHARES = (0.1, 0.5, 0.9)
SHAPES = [(n, p, k) for n in (100, 500) for p in (2, 10) for k in (3, 8)]
SIZES = [(n, k) for n in (100, 1000) for k in (3, 8)]
Values = dict[str, list[float]]


def main() -> None:
    """Simulate and write."""
    document = {"sets": SETS, "internal": internal(), "external": external(), "scenes": on_scenes()}
    text = json.dumps(document, indent=None, separators=(",", ":")).replace('],"', '],\n"').replace('},"', '},\n"')
    (DOCS / "reference_ranges.json").write_text(text + "\n", encoding="utf-8")


def names(kind: str) -> list[str]:
    """Return the indices of a kind that one partition has a value of."""
    (each,) = kinds(kind)
    return [name for name, index in each.records.items() if not isinstance(index, SweepIndex)]


def internal() -> list[dict[str, Any]]:
    """Return quantiles of every internal index of points without clusters, and of clear ones."""
    rows = []
    for n, p, k in SHAPES:
        made: dict[str, list[Values]] = {"none": [], "clear": []}
        for seed in range(SETS):
            rng = np.random.default_rng([n, p, k, seed])
            blob = rng.normal(size=(n, p))
            cut = cv.sweep(blob, indices="ball_hall", k=[k], random_state=seed).labels[k]
            made["none"].append(dict(cv.evaluate(blob, cut, names("internal"))))
            labels = np.arange(n) % k
            centres = rng.normal(size=(k, p))
            centres *= 4 * (1 + math.sqrt(p)) / pdist(centres).min()  # the nearest two are clearly apart
            made["clear"].append(dict(cv.evaluate(rng.normal(centres[labels]), labels, names("internal"))))
        rows.append({"n": n, "p": p, "k": k, **{case: quantiles(values) for case, values in made.items()}})
        print(n, p, k, flush=True)  # noqa: T201
    return rows


def external() -> list[dict[str, Any]]:
    """Return quantiles of every external index of labels at random, and of labels of which one in ten is."""
    rows = []
    for n, k in SIZES:
        made: dict[str, list[Values]] = {"chance": [], "tenth": []}
        for seed in range(SETS):
            rng = np.random.default_rng([n, k, seed])
            truth, noise = np.arange(n) % k, rng.integers(0, k, n)
            made["chance"].append(dict(cv.agreement(truth, noise, names("external"))))
            moved = np.where(rng.random(n) < 0.1, noise, truth)
            made["tenth"].append(dict(cv.agreement(truth, moved, names("external"))))
        rows.append({"n": n, "k": k, **{case: quantiles(values) for case, values in made.items()}})
    return rows


def on_scenes() -> dict[str, dict[str, float | None]]:
    """Return the values of every internal index of each scene of the pages; None where there is none."""
    return {
        scene: {name: _plain(value) for name, value in cv.evaluate(X, labels, names("internal")).items()}
        for scene, (X, labels) in scenes().items()
    }


def quantiles(values: list[Values]) -> dict[str, list[float | None]]:
    """Return low, middle and high values of each index; nothing for those without values in most sets."""
    table = {}
    for name in values[0]:
        numbers = np.array([each[name] for each in values])
        finite = numbers[np.isfinite(numbers)]
        if 2 * len(finite) >= len(numbers):
            table[name] = [_plain(value) for value in np.quantile(finite, SHARES)]
    return table


def _plain(value: float) -> float | None:
    return float(f"{value:.3g}") if math.isfinite(value) else None


if __name__ == "__main__":
    main()
