"""How often do intervals of ``cv.evaluate(X, labels, confidence=0.95)`` hold? A table of indices by populations.

``python benchmarks/sample_intervals.py DRAWS FILE [POPULATION ...]`` draws samples DRAWS times from each population.
Values and intervals are appended to FILE as they come, a line of JSON for each sample, so that a run that was stopped
goes on where it was; ``--table`` draws nothing. An interval holds if the median of the values of all samples lies in
it: what half of all samples of this size exceed. The last line counts samples in which an index has an interval.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

import clustval as cv
from clustval.catalogue import select
from clustval.estimates.population import smooth

BAR, FEWEST = 0.92, 30  # share of intervals that must hold; intervals that tell a share
N = 400


def blobs(sizes, p, apart, *, noise="standard_normal", rounded=False):
    """Return draws of points around fixed centres; sizes are expected ones."""
    shares = np.array(sizes) / sum(sizes)
    centres = np.random.default_rng(77).normal(0, apart, (len(sizes), p))

    def draw(rng):
        codes = rng.choice(len(shares), sum(sizes), p=shares)
        around = {
            "standard_normal": rng.standard_normal,
            "lognormal": lambda shape: rng.lognormal(size=shape),
            "t(2)": lambda shape: rng.standard_t(2, shape),
        }[noise]((len(codes), p))
        points = centres[codes] + around
        return (np.round(points) if rounded else points), codes

    return draw


def no_structure(rng):
    points = rng.random((N, 3))
    return points, (points[:, 0] * 4).astype(int)


def rings(rng):
    codes = rng.choice(3, N, p=[0.24, 0.32, 0.44])
    radius, angle = np.array([1.0, 2.0, 4.0])[codes], rng.random(N) * 2 * np.pi
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + 0.1 * rng.normal(size=(N, 2)), codes


POPULATIONS = {
    "balanced": blobs([80] * 5, 4, 2.0),
    "overlap": blobs([80] * 5, 4, 0.6),
    "eight of ten": blobs([320] + [10] * 8, 3, 3.0),
    "one giant": blobs([340, 24, 16, 12, 8], 3, 2.0),
    "lognormal": blobs([192, 128, 64, 16], 3, 1.0, noise="lognormal"),
    "t(2)": blobs([188, 126, 63, 23], 3, 3.0, noise="t(2)"),
    "duplicates": blobs([164, 127, 73, 36], 2, 1.5, rounded=True),
    "no structure": no_structure,
    "rings": rings,
    "one column": blobs([160, 140, 100], 1, 4.0),
    "k = 500": blobs([5] * 250 + [10] * 250, 3, 3.0),
}
DEAR = ("k = 500",)  # of 3,750 points: indices of ranks, which take a minute each, are left out
INDICES = [choice.name for choice in select("all", "internal") if smooth(choice.index)]
RANKS = ("aucc", "gamma", "g_plus", "tau", "c_index")


def run(draws, path, names):
    """Append what samples give that are not there yet, one sample of each population after the other."""
    done = {(row[0], row[1]) for row in rows(path)}
    with path.open("a") as file:
        for draw in range(draws):
            for name in names:
                if (name, draw) not in done:
                    indices = [index for index in INDICES if name not in DEAR or index not in RANKS]
                    X, codes = POPULATIONS[name](np.random.default_rng([draw, 2026]))
                    scores = cv.evaluate(X, codes, indices, confidence=0.95, random_state=draw, n_jobs=1)
                    values = {
                        i: [scores[i], scores.intervals[i].low, scores.intervals[i].high]
                        for i in indices
                        if i in scores.intervals
                    }
                    file.write(json.dumps([name, draw, values]) + "\n")
                    file.flush()


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def shares(path):
    """Return how often intervals hold, by population and index, and how many there are; and the number of samples."""
    values, samples = defaultdict(list), defaultdict(int)
    for name, _, by_index in rows(path):
        samples[name] += 1
        for index, row in by_index.items():
            values[name, index].append(row)
    held = {}
    for key, every in values.items():
        value, low, high = np.array(every, dtype=float).T
        typical, there = np.median(value), ~np.isnan(low)
        rounding = 1e-9 * abs(typical)
        inside = (low - rounding <= typical) & (typical <= high + rounding)
        held[key] = (float(inside[there].mean()) if there.sum() >= FEWEST else np.nan, int(there.sum()))
    return held, samples


def table(path):
    """Return the table of shares as text: a dash where an index has hardly ever an interval."""
    held, samples = shares(path)
    names = [name for name in POPULATIONS if samples[name]]
    lines = ["| 95 % | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for index in INDICES:
        cells = [held.get((name, index), (np.nan, 0))[0] for name in names]
        words = ["–" if np.isnan(one) else f"{one:.3f}".lstrip("0") + (" !" if one < BAR else "") for one in cells]
        lines.append(f"| {index} | {' | '.join(words)} |")
    lines.append("| samples | " + " | ".join(str(samples[name]) for name in names) + " |")
    given = [np.mean([held.get((name, index), (0, 0))[1] for index in INDICES]) / samples[name] for name in names]
    lines.append("| intervals given | " + " | ".join(f"{one:.2f}" for one in given) + " |")
    every = np.array([one for one, _ in held.values() if not np.isnan(one)])
    lines += ["", f"{(every >= BAR).sum()} of {len(every)} shares are {BAR} or more; the least is {every.min():.3f}."]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[2])
    if "--table" not in sys.argv:
        run(int(sys.argv[1]), path, [name for name in POPULATIONS if name in sys.argv[3:]] or list(POPULATIONS))
    print(table(path))
