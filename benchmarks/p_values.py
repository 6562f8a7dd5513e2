"""Are p-values uniform under their null? Shares of p-values up to 0.01, 0.05 and 0.10, as a table in docs/tendency.md.

``python benchmarks/p_values.py DRAWS FILE`` draws uniform points (and random labels, for agreement) DRAWS times for
each test, number of points and number of columns. P-values are appended to FILE as they come, a line of JSON each, so
that a run that was stopped goes on where it was; ``--table`` writes the table of what is there.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

import clustval as cv
from clustval.whole_files import write

LEVELS = (0.01, 0.05, 0.10)
POINTS, COLUMNS = (20, 50, 200), (1, 2, 10)
PAGE = Path(__file__).parents[1] / "docs" / "tendency.md"
BEGIN, END = "<!-- p-values: made by benchmarks/p_values.py -->\n", "<!-- end of p-values -->\n"
HEAD = (
    "\n## P-values under their null\n\nShares of p-values of uniform points, and of labels at random for agreement:\n\n"
)
SAMPLES = {"n_samples": 99, "n_jobs": 1}


def agreement(X, seed):
    """P-value of the adjusted Rand index of labels at random."""
    one, other = np.random.default_rng(seed).integers(0, 3, (2, len(X)))
    return cv.agreement(one, other, "ari", permutations=99, random_state=seed).p_values["adjusted_rand"]


TESTS = {
    "hopkins": lambda X, seed: cv.hopkins(X, random_state=seed, **SAMPLES).p_value,
    "spatial_histogram": lambda X, seed: cv.spatial_histogram(X, random_state=seed, **SAMPLES).p_value,
    "distance_distribution": lambda X, seed: cv.distance_distribution(X, random_state=seed, **SAMPLES).p_value,
    "unimodality": lambda X, seed: cv.unimodality(X, random_state=seed).p_value,
    "agreement, permutations": agreement,
    "significance, uniform": lambda X, seed: (
        cv.significance(X, null="uniform", k=range(2, 5), B=99, random_state=seed, n_jobs=1).p_value
    ),
    "structure": lambda X, seed: cv.structure(X, random_state=seed, n_jobs=1).p_value,
}


def run(draws, path):
    """Append the p-values that are not there yet, one draw of each test after the other."""
    done = {tuple(row[:4]) for row in rows(path)}
    with path.open("a") as file:
        for draw in range(draws):
            for n, p in ((n, p) for n in POINTS for p in COLUMNS):
                X = np.random.default_rng([draw, n, p]).uniform(size=(n, p))
                for name, test in TESTS.items():
                    if (name, n, p, draw) not in done:
                        file.write(json.dumps([name, n, p, draw, float(test(X, draw))]) + "\n")
                        file.flush()


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def table(path):
    """Return the table of shares as text."""
    values = defaultdict(list)
    for name, n, p, _, value in rows(path):
        values[name, n, p].append(value)
    lines = ["| test | points | columns | draws | p <= .01 | p <= .05 | p <= .10 |", "|---|---|---|---|---|---|---|"]
    for name in TESTS:
        for n, p in ((n, p) for n in POINTS for p in COLUMNS):
            some = np.array(values[name, n, p])
            shares = [f"{np.mean(some <= level):.3f}" for level in LEVELS] if len(some) else ["", "", ""]
            lines.append(f"| {name} | {n} | {p} | {len(some)} | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[2])
    if "--table" not in sys.argv:
        run(int(sys.argv[1]), path)
    before, _, rest = PAGE.read_text().partition(BEGIN)
    write(PAGE, before + BEGIN + HEAD + table(path) + "\n" + END + rest.partition(END)[2])
