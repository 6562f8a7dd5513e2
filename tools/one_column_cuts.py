"""Evidence of cuts of one homogeneous column, for p-values of pairs in one column: a part of coefficients.json.

``python tools/one_column_cuts.py`` takes two minutes on one core and writes that part again. The families of
fit_diagnose.py have two columns or more, and in one column chance makes deeper valleys: 13 to 18 % of uniform columns
that k-means cut in two had p <= 0.05 beside them.
"""

from __future__ import annotations

import json
import sys
from itertools import product
from pathlib import Path

import numpy as np

HERE = Path(__file__).parents[1]
sys.path[:0] = [str(HERE / "src")]

import clustval as cv
from clustval.diagnosis.evidence.learned import coefficients
from clustval.diagnosis.evidence.pairs import ONE_COLUMN
from clustval.relative.estimators import clusterer

FILE = HERE / "src/clustval/diagnosis/evidence/coefficients.json"
LEVELS = (1.0, 0.9, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.075, 0.05, 0.03, 0.02, 0.01, 0.005)
FAMILIES = {
    "uniform": lambda rng, n: rng.uniform(size=(n, 1)),
    "gauss": lambda rng, n: rng.normal(size=(n, 1)),
    "exponential": lambda rng, n: rng.exponential(size=(n, 1)),
    "t3": lambda rng, n: rng.standard_t(3, (n, 1)),
}
POINTS = (25, 50, 100, 200, 800)
CUTS = 400  # of each family and number of points


def odds_of_cuts(family, n):
    """Return the log odds of a valley between the two halves that k-means makes of a column, once for each column."""
    odds, at = [], 0
    while len(odds) < CUTS and at < 4 * CUTS:
        rng = np.random.default_rng([11, n, at, *map(ord, family)])
        X, at = FAMILIES[family](rng, n), at + 1
        labels = clusterer(None).function(X, 2, rng)
        for separate in cv.diagnose(X, labels, random_state=0, n_jobs=1).pairs["separate"]:
            share = min(max(separate, 1e-15), 1 - 1e-15)
            odds.append(np.log(share / (1 - share)))
    return odds


def reference():
    """Return, by family and number of points, the log odds that a share of the cuts exceeds."""
    coefficients()["cuts of homogeneous clusters"].setdefault(ONE_COLUMN, {"levels": [], "log odds": {}})
    by_family = {}
    for family, n in product(FAMILIES, POINTS):
        odds = odds_of_cuts(family, n)
        if len(odds) >= CUTS / 2:  # in few points a cluster is often too small to be judged
            quantiles = np.quantile(odds, [1 - level for level in LEVELS])
            by_family[f"{family}, {n} points"] = np.round(quantiles, 3).tolist()
        print(family, n, len(odds), flush=True)
    return {"levels": list(LEVELS), "log odds": by_family}


def main():
    content = json.loads(FILE.read_text())
    content["cuts of homogeneous clusters"][ONE_COLUMN] = reference()
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
