"""Are p-values uniform under their null? Shares of p-values up to 0.01, 0.05 and 0.10, as a table in docs/p_values.md.

``python benchmarks/p_values.py DRAWS FILE [TEST ...]`` draws data without clusters DRAWS times for each test (or for
the tests that are named), number of points and number of columns. P-values are appended to FILE as they come, a line
of JSON each, so that a run that was stopped goes on where it was. ``--table`` draws nothing and writes the table of
what is in FILE. A line of the page that tells of more draws than FILE stays.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from functools import lru_cache
from itertools import product
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import binom

import clustval as cv
from clustval.passes.work import thresholds
from clustval.relative.estimators import clusterer
from clustval.relative.random_clusterings import WAYS, random_clusterings
from clustval.seeding import generators
from clustval.sources.space import space_of
from clustval.study.significance import overall
from clustval.study.significance import p_values as p_values_of_criteria
from clustval.whole_files import write

LEVELS = (0.01, 0.05, 0.10)
POINTS, COLUMNS = (20, 50, 200), (1, 2, 10)
PAGE = Path(__file__).parents[1] / "docs" / "p_values.md"
BEGIN, END = "<!-- made by benchmarks/p_values.py -->\n", "<!-- end of the table -->\n"
QUIET = {"n_jobs": 1, "progress": False}
SAMPLES = {"n_samples": 99, **QUIET}
ABOVE = 0.025  # probability of a share that is two standard errors above its level
COMPILED = ("PAIRS", "RANKS", "CENTRES", "POINTS", "FACTORS", "MERGES", "EDGES", "SWAPS", "SIZES")
REFERENCES = 25  # random clusterings in each of four ways


def uniform(rng, n, p):
    return rng.uniform(size=(n, p))


def gaussian(rng, n, p):
    return rng.normal(size=(n, p))


def significance(null):
    def p_value(X, seed):
        return cv.significance(X, null=null, k=(2, 3), B=99, random_state=seed, **QUIET).p_value

    return p_value


def structure(question):
    return lambda X, seed: answers(X.tobytes(), X.shape, seed)[question]


@lru_cache(maxsize=1)
def answers(numbers, shape, seed):
    """Return the p-values of both questions, which one call answers."""
    return cv.structure(np.frombuffer(numbers).reshape(shape), random_state=seed, **QUIET).p_values


def agreement(**test):
    """P-value of the adjusted Rand index of labels at random."""

    def p_value(X, seed):
        one, other = np.random.default_rng([seed, *X.shape]).integers(0, 3, (2, len(X)))
        return cv.agreement(one, other, "ari", random_state=seed, **test).p_values["adjusted_rand"]

    return p_value


def calibration(X, seed):
    """Share of random clusterings whose silhouette is as good as that of one more, which is random as well."""
    way, rows = seed % len(WAYS), random_clusterings(space_of(X), generators(seed + 1_000_000))(3, 1)
    options = {"references": REFERENCES, "scope": "k", "pooled": False, "random_state": seed, **QUIET}
    worse = cv.calibrate(X, [rows[way]], ["asw"], **options).percentages[0, 0]
    return 1 - worse + 1 / (len(WAYS) * REFERENCES + 1)


def information(X, seed):
    """P-value of the adjusted mutual information of labels at random, without draws."""
    one, other = np.random.default_rng([seed, *X.shape, 6]).integers(0, 3, (2, len(X)))
    return cv.agreement(one, other, "ami", significance="analytic").p_values["adjusted_mutual_info"]


def in_two(X, seed):
    """Return uniform points cut in two by k-means."""
    return clusterer(None).function(X, 2, np.random.default_rng(seed))


def pair(X, seed):
    """P-value of two clusters that k-means cut out of one; NaN where one of them is too small to be asked."""
    return next(iter(cv.diagnose(X, in_two(X, seed), random_state=seed, n_jobs=1).pairs["p_value"]), math.nan)


def batches(X, seed):
    """P-value of batches at random in the first cluster."""
    batch = np.random.default_rng([seed, *X.shape, 5]).integers(0, 3, len(X))
    return cv.diagnose(X, in_two(X, seed), batch=batch, random_state=seed, n_jobs=1).batches["p_value"][0]


def tracked(X, seed):
    """P-value of a cluster of other uniform points, both clusterings by k-means; NaN where none becomes another."""
    later = np.random.default_rng([seed, *X.shape, 7]).uniform(size=X.shape)
    pairs = cv.track((X, in_two(X, seed)), (later, in_two(later, seed)), n_permutations=99, random_state=seed)
    return next((p for p in pairs.table["p_value"] if not math.isnan(p)), math.nan)


def tracked_rows(X, seed):
    """P-value of a cluster of rows that are measured again, both clusterings by k-means."""
    rng, rows = np.random.default_rng([seed, *X.shape, 8]), range(len(X))
    before, after = X + 0.05 * rng.normal(size=(2, *X.shape))
    times = (before, in_two(before, seed)), (after, in_two(after, seed))
    pairs = cv.track(*times, id=(rows, rows), n_permutations=99, random_state=seed)
    return next((p for p in pairs.table["p_value"] if not math.isnan(p)), math.nan)


def assignment(X, seed):
    """Return where other uniform points belong among those that k-means cut in two."""
    new = np.random.default_rng([seed, *X.shape, 9]).uniform(size=X.shape)
    return cv.assign(new, (X, in_two(X, seed)))


def consensus(X, seed):
    """P-value of the share of ambiguous pairs of five labellings at random."""
    labellings = np.random.default_rng([seed, *X.shape, 10]).integers(0, 3, (5, len(X)))
    table = cv.consensus(list(labellings), n_references=99, random_state=seed, progress=False).table
    return table["p_value"][list(table["statistic"]).index("pac")]


def consensus_of_samples(X, seed):
    """P-value of the share of ambiguous pairs of five samples, each cut in two by k-means."""
    table = cv.consensus(X=X, k=2, n_samples=5, n_references=99, random_state=seed, **QUIET).table
    return table["p_value"][list(table["statistic"]).index("pac")]


def graph(n, p, rng):
    """Return the neighbours in a graph at random, where a vertex has as many as there are columns."""
    one, other = np.triu_indices(n, 1)
    chosen = rng.choice(len(one), n * p // 2, replace=False)
    A = np.zeros((n, n))
    A[one[chosen], other[chosen]] = 1
    return A + A.T


def community(null):
    """P-value of a community at random in a graph at random."""

    def p_value(X, seed):
        rng = np.random.default_rng([seed, *X.shape, 11])
        A = graph(*X.shape, rng)
        test = cv.graph.community_test(A, rng.integers(0, 2, len(A)), null=null, n_graphs=99, random_state=seed)
        return test.table["p_value"][0]

    return p_value


def around_busiest(A):
    """Return the vertex with most neighbours, and these, as one community, and all others as another."""
    busiest = np.diff(A.indptr).argmax()
    labels = np.zeros(A.shape[0], dtype=int)
    labels[busiest] = labels[A.indices[A.indptr[busiest] : A.indptr[busiest + 1]]] = 1
    return labels


def community_found(X, seed):
    """P-value of the better community that a search gives, in a graph at random."""
    A = csr_array(graph(*X.shape, np.random.default_rng([seed, *X.shape, 11])))
    options = {"find": around_busiest, "null": "swaps", "n_graphs": 99, "random_state": seed}
    return cv.graph.community_test(A, around_busiest(A), **options).table["p_search"].min()


def mcnemar(X, seed):
    """P-value that one of two labellings is the better, which have as many errors."""
    rng, n = np.random.default_rng([seed, *X.shape, 13]), len(X)
    truth = rng.integers(0, 3, n)
    one, other = (np.where(rng.random(n) < 0.2, rng.integers(0, 3, n), truth) for _ in range(2))
    return cv.prayatul(truth, one, other).mcnemar().p_value


def criteria(test):
    """P-value that one of two criteria at random is the better, for as many sets as points, in two cells."""

    def p_value(X, seed):
        values = np.random.default_rng([seed, *X.shape, 12]).normal(size=(len(X), 2))
        return p_values_of_criteria(values, [str(at % 2) for at in range(len(X))], test)[0, 1]

    return p_value


def criteria_overall(X, seed):
    """P-value that four criteria at random are not alike, for as many sets as points."""
    return overall(np.random.default_rng([seed, *X.shape, 14]).normal(size=(len(X), 4)))


TESTS = {  # the data of the null, and the p-value
    "hopkins": (uniform, lambda X, seed: cv.hopkins(X, random_state=seed, **SAMPLES).p_value),
    "spatial_histogram": (uniform, lambda X, seed: cv.spatial_histogram(X, random_state=seed, **SAMPLES).p_value),
    "distance_distribution": (
        uniform,
        lambda X, seed: cv.distance_distribution(X, random_state=seed, **SAMPLES).p_value,
    ),
    "unimodality": (uniform, lambda X, seed: cv.unimodality(X, random_state=seed).p_value),
    "agreement, permutations": (uniform, agreement(permutations=99)),
    "agreement, analytic": (uniform, agreement(significance="analytic")),
    "agreement, analytic, information": (uniform, information),
    "calibrate": (uniform, calibration),
    "diagnose, pairs": (uniform, pair),
    "diagnose, batches": (uniform, batches),
    "track": (uniform, tracked),
    "track, rows again": (uniform, tracked_rows),
    "assign": (uniform, lambda X, seed: assignment(X, seed).p_value),
    "assign, one row": (uniform, lambda X, seed: assignment(X, seed).depth[0]),
    "consensus, labels": (uniform, consensus),
    "consensus, samples": (gaussian, consensus_of_samples),
    "community_test, matching": (uniform, community("matching")),
    "community_test, swaps": (uniform, community("swaps")),
    "community_test, search": (uniform, community_found),
    "prayatul, mcnemar": (uniform, mcnemar),
    "compare criteria, wilcoxon": (uniform, criteria("wilcoxon")),
    "compare criteria, mann_whitney": (uniform, criteria("mann_whitney")),
    "compare criteria, friedman": (uniform, criteria("friedman")),
    "compare criteria, overall": (uniform, criteria_overall),
    "structure, gaps": (uniform, structure("gaps")),
    "structure, continuum": (uniform, structure("continuum")),
    "significance, uniform": (uniform, significance("uniform")),
    "significance, gaussian": (gaussian, significance("gaussian")),
}


def run(draws, path, names):
    """Append the p-values that are not there yet, one draw of each test after the other."""
    for limit in COMPILED:  # thousands of draws pay for it, and plain code gives the same
        setattr(thresholds, limit, 1)
    done = {tuple(row[:4]) for row in rows(path)}
    with path.open("a") as file:
        for draw, n, p, name in product(range(draws), POINTS, COLUMNS, names):
            if (name, n, p, draw) not in done:
                made, test = TESTS[name]
                value = float(test(made(np.random.default_rng([draw, n, p]), n, p), draw))
                file.write(json.dumps([name, n, p, draw, value]) + "\n")
                file.flush()


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def share(values, level):
    """Return the share of p-values up to a level in words, marked where chance gives as many in 2.5 % of all cases."""
    small = np.count_nonzero(values <= level + 1e-9)
    by_chance = binom.sf(small - 1, len(values), level)
    return f"{small / len(values):.3f}".lstrip("0") + (" !" if by_chance < ABOVE else "")


def lines_of(text):
    """Return the lines of a table by test, points and columns, and the number of draws of each."""
    by_cell = {}
    for line in text.splitlines():
        name, n, p, draws, *_ = [*(cell.strip() for cell in line.strip("|").split("|")), "", "", ""]
        if name in TESTS:
            by_cell[name, int(n), int(p)] = line, int(draws)
    return by_cell


def table(path, before):
    """Return the table of shares as text; lines of the table before that tell of more draws stay."""
    values, earlier = defaultdict(list), lines_of(before)
    for name, n, p, _, value in rows(path):
        values[name, n, p].append(value)
    lines = [
        "| test | points | columns | draws | no p-value | p <= .01 | p <= .05 | p <= .10 | s.e. of .05 |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, n, p in product(TESTS, POINTS, COLUMNS):
        every = np.array(values[name, n, p])
        some = every[~np.isnan(every)]
        line, draws = earlier.get((name, n, p), ("", 0))
        if draws > len(every):
            lines.append(line)
            continue
        if len(some) == 0:
            lines.append(f"| {name} | {n} | {p} | {len(every)} | {len(every)} | | | | |")
            continue
        shares = [share(some, level) for level in LEVELS]
        error = f"{math.sqrt(0.05 * 0.95 / len(some)):.3f}".lstrip("0")
        missing = len(every) - len(some) or ""
        lines.append(f"| {name} | {n} | {p} | {len(every)} | {missing} | {' | '.join(shares)} | {error} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[2])
    if "--table" not in sys.argv:
        run(int(sys.argv[1]), path, [name for name in TESTS if name in sys.argv[3:]] or list(TESTS))
    text, _, rest = PAGE.read_text().partition(BEGIN)
    before, _, after = rest.partition(END)
    write(PAGE, text + BEGIN + "\n" + table(path, before) + "\n" + END + after)
