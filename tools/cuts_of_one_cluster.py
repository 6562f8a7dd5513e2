"""Evidence of cuts of one homogeneous cluster, for p-values of pairs that others would mislead: in coefficients.json.

``python tools/cuts_of_one_cluster.py`` takes ten minutes on one core and writes these parts again. The families of
fit_diagnose.py have two columns or more and hundreds of points. In one column chance makes deeper valleys: 13 to 18 % of
uniform columns that k-means cut in two had p <= 0.05 beside them. So it does where points have fewer neighbours than
usual: of 20 uniform points in two columns 3 to 6 % had p <= 0.01.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from itertools import product
from pathlib import Path

import numpy as np
from scipy.spatial.distance import cdist

HERE = Path(__file__).parents[1]
sys.path[:0] = [str(HERE / "src")]

import clustval as cv
from clustval.diagnosis.evidence.learned import coefficients
from clustval.diagnosis.evidence.pairs import FEW_POINTS, ONE_COLUMN
from clustval.relative.estimators import clusterer

FILE = HERE / "src/clustval/diagnosis/evidence/coefficients.json"
LEVELS = (1.0, 0.9, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.075, 0.05, 0.03, 0.02, 0.01, 0.005)
FAMILIES = {
    "uniform": lambda rng, n, p: rng.uniform(size=(n, p)),
    "gauss": lambda rng, n, p: rng.normal(size=(n, p)),
    "exponential": lambda rng, n, p: rng.exponential(size=(n, p)),
    "t3": lambda rng, n, p: rng.standard_t(3, (n, p)),
}
POINTS, CUTS = (25, 50, 100, 200, 800), 400  # of one column: cuts of each family and number of points
FEW, COLUMNS, FEW_CUTS = (18, 20, 24, 28), (1, 2, 3, 5, 10), 150
FEWEST = 200  # cuts that tell how rare they are
GRAPH = f"{FEW_POINTS}, graph"


def cuts(family, n, p, seed):
    """Yield points and the two halves that k-means makes of them, without end."""
    at = 0
    while True:
        rng = np.random.default_rng([seed, n, at, *map(ord, family)])
        X, at = FAMILIES[family](rng, n, p), at + 1
        yield X, clusterer(None).function(X, 2, rng)


def odds_of(X, labels, **options):
    """Return the log odds of a valley between two clusters; none if one is too small to be judged."""
    separate = np.clip(cv.diagnose(X, labels, random_state=0, n_jobs=1, **options).pairs["separate"], 1e-15, 1 - 1e-15)
    return np.log(separate / (1 - separate)).tolist()


def one_column():
    by_family = {}
    for family, n in product(FAMILIES, POINTS):
        odds, made = [], cuts(family, n, 1, 11)
        for _ in range(4 * CUTS):
            odds += odds_of(*next(made)) if len(odds) < CUTS else []
        if len(odds) >= FEWEST:  # in few points a cluster is often too small
            by_family[f"{family}, {n} points"] = quantiles(odds)
        print(family, n, len(odds), flush=True)
    return {ONE_COLUMN: {"levels": list(LEVELS), "log odds": by_family}}


def few_points():
    """Return what few points have with coordinates and without; all numbers of points together."""
    odds = {FEW_POINTS: defaultdict(list), GRAPH: defaultdict(list)}
    for family, p, n in product(FAMILIES, COLUMNS, FEW):
        made, key = cuts(family, n, p, 12 + p), f"{family}, {p} columns"
        for _ in range(2 * FEW_CUTS):
            X, labels = next(made)
            if p > 1:
                odds[FEW_POINTS][key] += odds_of(X, labels)
            odds[GRAPH][key] += odds_of(cdist(X, X), labels, metric="precomputed")
        print(key, n, len(odds[GRAPH][key]), flush=True)
    return {
        name: {
            "levels": list(LEVELS),
            "log odds": {key: quantiles(some) for key, some in every.items() if len(some) >= FEWEST},
        }
        for name, every in odds.items()
    }


def quantiles(odds):
    """Return the log odds that a share of the cuts exceeds, by share."""
    return np.round(np.quantile(odds, [1 - level for level in LEVELS]), 3).tolist()


def main():
    content = json.loads(FILE.read_text())
    known = coefficients()["cuts of homogeneous clusters"]
    for name in (ONE_COLUMN, FEW_POINTS, GRAPH):
        known.setdefault(name, {"levels": [], "log odds": {}})
    parts = {"one column": one_column, "few points": few_points}
    for made in [parts[name] for name in parts if name in sys.argv[1:]] or parts.values():
        content["cuts of homogeneous clusters"] |= made()
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
