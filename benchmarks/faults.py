"""Does a diagnosis find the faults of a clustering, and does following it help? With the rules in use beside it.

``python benchmarks/faults.py`` runs made sets of fresh seeds; parts are ``right`` (alarms on
500 right clusterings), ``found`` (alarms, harm, recall, calibration),
``structureless`` (cuts of one population), ``rules`` (rules in use, on the same clusterings), ``tables``
(real tables, ``--tables FOLDER`` of ``<set>.npz`` with ``X`` and ``y``) and ``time``. ``--data FOLDER`` adds public
sets (``<family>/<set>.data.gz`` beside ``.labels0.gz``); ``--keep FILE`` keeps what was seen of each clustering, so
that an interrupted run goes on where it was.

An alarm: any merge, any split, or 2 % (and 3) misplaced points in a cluster. Harm: following the advice lowers the
adjusted Rand index with the truth by more than .02.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import perf_counter

import numpy as np
from fault_cases import Case, agreement, cases, clustered, structureless_cases, wanted
from fault_rules import RULES, Advice, follow, members
from fault_sets import (
    MORE_POPULATIONS,
    public_sets,
    shrunk,
    standard_sets,
    structureless_sets,
    tables,
    wide_sets,
)
from scipy.stats import beta

import clustval as cv

HARM = 0.02
FRESH = (40_000, 41_000)
RIGHT = range(50_000, 59_000, 1000)
P_BINS = (0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1.001)
WRONG_BINS = (0.5, 0.75, 0.85, 0.9, 1.001)
MOST_ROWS = 800  # of a real table


def joined(merges, clusters) -> set:
    """Return all pairs that end in one cluster if the merges are done."""
    group = {c: c for c in clusters}
    for a, b in merges:
        old, new = group[b], group[a]
        group = {c: new if g == old else g for c, g in group.items()}
    return {(a, b) for a in clusters for b in clusters if a < b and group[a] == group[b]}


def judged(y, labels, advice: Advice, after) -> dict:
    """Return counts of hits and misses of one piece of advice, and the agreement before and after following it."""
    asked, groups = wanted(y, labels), members(labels)
    clear = [c for c in groups if c not in asked.mixed and asked.majority[c] >= 0]
    merges = {pair for pair in joined(advice.merges, groups) if set(pair) <= set(clear)}
    splits = set(advice.splits)
    marked = np.zeros(len(y), dtype=bool)
    marked[advice.wrong] = True
    usable = np.isin(labels, clear) & (y >= 0)
    many = any(marked[rows].sum() >= max(3, 0.02 * len(rows)) for rows in groups.values())
    return {
        "merge": _hits(merges, asked.merges),
        "split": _hits(splits, asked.mixed),
        "wrong": [
            int((x & usable).sum()) for x in (marked & asked.wrong, marked & ~asked.wrong, ~marked & asked.wrong)
        ],
        "alarm": [bool(advice.merges), bool(splits), many],
        "before": agreement(y, labels),
        "after": agreement(y, after),
    }


def _hits(said: set, true: set) -> list[int]:
    return [len(said & true), len(said - true), len(true - said)]


def binned(values, right, bins) -> list[list[int]]:
    """Return how many values are in each bin, and how many of them are right."""
    place = np.digitize(values, bins) - 1
    return [[int(np.count_nonzero(place == at)), int(right[place == at].sum())] for at in range(len(bins) - 1)]


def ours(case) -> dict:
    """Return what our diagnosis says of a clustering, judged by the truth."""
    X, y, labels = case.truth.X, case.truth.y, case.labels
    d = cv.diagnose(X, labels, n_jobs=1)
    halves = {c: np.isin(np.flatnonzero(labels == c), d.parts(c)[1]).astype(int) for c in d.splits}
    advice = Advice(set(d.merges), halves, d.misplaced, labels)
    row = judged(y, labels, advice, d.repaired)
    asked = wanted(y, labels)
    clear = [c for c in members(labels) if c not in asked.mixed and asked.majority[c] >= 0]
    at = [n for n, (a, b) in enumerate(zip(d.pairs["a"], d.pairs["b"], strict=True)) if a in clear and b in clear]
    two = np.array([(d.pairs["a"][n], d.pairs["b"][n]) not in asked.merges for n in at], dtype=bool)
    row["pairs"] = binned(d.pairs["separate"][at], two, P_BINS)
    row["p"] = np.round(d.pairs["p_value"][at][~two], 4).tolist()
    usable = np.isin(labels, clear) & (y >= 0)
    better = np.array([-1 if other is None else asked.majority[other] for other in d.points["better"]])
    right = asked.wrong & (better == y)
    row["points"] = binned(d.points["wrong"][usable], (np.where(better >= 0, right, asked.wrong))[usable], WRONG_BINS)
    row["stray"] = _hits(set(d.strays.tolist()), set(np.flatnonzero(asked.stray).tolist()))
    return row


def by_rule(name):
    def by_advice(case) -> dict:
        advice = RULES[name](case.truth.X, case.labels)
        return judged(case.truth.y, case.labels, advice, follow(case.labels, advice))

    return by_advice


class Kept:
    """What was seen, by method and clustering, in a file with a line for each."""

    def __init__(self, path) -> None:
        self.path = Path(path) if path else None
        self.rows = {}
        if self.path and self.path.exists():
            for line in self.path.read_text().splitlines():
                key, row = json.loads(line)
                self.rows[tuple(key)] = row

    def of(self, method, judge, case) -> dict:
        truth = case.truth
        key = (method, truth.name, str(truth.seed), case.kind, case.fault)
        if key not in self.rows:
            about = {"family": truth.family, "separated": truth.separated, "kind": case.kind, "fault": case.fault}
            self.rows[key] = about | judge(case)
            if self.path:
                with self.path.open("a") as file:
                    file.write(json.dumps([key, self.rows[key]]) + "\n")
        return self.rows[key]


# --- tables ----------------------------------------------------------------------------------------------


def share(flags) -> str:
    flags = list(flags)
    if not flags:
        return "—"
    hits, n = sum(flags), len(flags)
    low = beta.ppf(0.025, hits, n - hits + 1) if hits else 0.0
    high = beta.ppf(0.975, hits + 1, n - hits) if hits < n else 1.0
    return f"{hits / n:6.1%} of {n} [{low:.1%}, {high:.1%}]"


def harmed(rows) -> str:
    return share(row["after"] < row["before"] - HARM for row in rows)


def means(rows) -> str:
    if not rows:
        return "—"
    return f"{np.mean([row['before'] for row in rows]):.3f} -> {np.mean([row['after'] for row in rows]):.3f}"


def recall(rows, what) -> str:
    tp, fp, fn = np.sum([row[what] for row in rows], axis=0)
    return f"precision {tp / max(tp + fp, 1):.3f}, recall {tp / max(tp + fn, 1):.3f} ({tp + fn} asked for)"


def print_found(rows):
    right = [row for row in rows if row["fault"] == "none"]
    for name, separated in (("separated", True), ("not separated", False)):
        some = [row for row in rows if row["separated"] == separated]
        if not some:
            continue
        quiet = [row for row in right if row["separated"] == separated]
        print(f"{name}:")
        print(f"  alarm on right clusterings  {share(any(row['alarm']) for row in quiet)}")
        for at, what in enumerate(("merge", "split", "points")):
            hits = [row["alarm"][at] for row in quiet]
            print(f"    by {what:6} {share(hits)}")
        print(f"  right clusterings: harmed   {harmed([row for row in some if row['fault'] == 'none'])}")
        for kind in ("injected", "made"):
            part = [row for row in some if row["kind"] == kind and row["fault"] != "none"]
            print(f"  {kind:8}: {means(part)}, harmed {harmed(part)}")
        wrong_k = [row for row in some if row["fault"].startswith("kmeans")]
        print(f"  k-means with a wrong k: {means(wrong_k)}, harmed {harmed(wrong_k)}")
        both = [row for row in some if row["kind"] in {"injected", "made"}]
        print(f"  merges: {recall(both, 'merge')}\n  splits: {recall(both, 'split')}")
        print(f"  misplaced, injected: {recall([row for row in both if row['kind'] == 'injected'], 'wrong')}")
        print(f"  misplaced, all: {recall(both, 'wrong')}")
        if "points" in both[0]:
            print("  P(separate), share that is: " + _calibration(both, "pairs", P_BINS))
            print(
                "  P(wrong), share that is, injected: "
                + _calibration([r for r in both if r["kind"] == "injected"], "points", WRONG_BINS)
            )
            print("  P(wrong), share that is, all: " + _calibration(both, "points", WRONG_BINS))
            print(f"  strays: {recall(both, 'stray')}")


def _calibration(rows, what, bins) -> str:
    counts = np.sum([row[what] for row in rows], axis=0)
    shares = [
        f"{a}-{min(b, 1)}: {right / n:.2f} of {n}"
        for a, b, (n, right) in zip(bins, bins[1:], counts, strict=False)
        if n
    ]
    return ", ".join(shares)


def print_structureless(rows):
    print(f"structureless: merges {recall(rows, 'merge')}, false splits {share(row['split'][1] > 0 for row in rows)}")
    print(f"  one cluster in the end: {share(row['after'] == 1 for row in rows)}")
    for family in sorted({row["family"] for row in rows}):
        some = [row for row in rows if row["family"] == family]
        tp, _, fn = np.sum([row["merge"] for row in some], axis=0)
        line = f"  {family:14} merged {tp / (tp + fn):.2f}"
        values = np.concatenate([row.get("p", []) for row in some])
        if len(values):
            line += f", p-values below .05: {np.mean(values < 0.05):.3f} of {len(values)}"
        print(line)


def made_sets(seeds, data):
    for seed in seeds:
        yield from standard_sets(seed)
        yield from wide_sets(seed)
    if data:
        for truth in public_sets(Path(data)):
            yield shrunk(truth, 4000)


def found(options, kept, method="ours", judge=ours):
    rows = [kept.of(method, judge, case) for truth in made_sets(options.seeds, options.data) for case in cases(truth)]
    public = [row for row in rows if row["family"] == "public"]
    print(f"--- {method}: made sets of seeds {options.seeds}")
    print_found([row for row in rows if row["family"] != "public"])
    if public:
        print(f"--- {method}: public sets")
        print_found(public)


def right(options, kept):
    """Print how often a right clustering of separated clusters gets an alarm, over many seeds."""
    del options
    sets = (truth for seed in RIGHT for truth in [*standard_sets(seed), *wide_sets(seed)] if truth.separated)
    rows = [kept.of("ours", ours, Case(truth, truth.y, "none", "injected")) for truth in sets]
    print(f"right clusterings of seeds {RIGHT[0]} to {RIGHT[-1]}: alarm {share(any(row['alarm']) for row in rows)}")
    for at, what in enumerate(("merge", "split", "points")):
        print(f"  by {what:6} {share(row['alarm'][at] for row in rows)}")
    print(f"  {means(rows)}, harmed {harmed(rows)}")


def structureless(options, kept, method="ours", judge=ours):
    sets = [t for seed in options.seeds for more in (None, MORE_POPULATIONS) for t in structureless_sets(seed, more)]
    print_structureless([kept.of(method, judge, case) for truth in sets for case in structureless_cases(truth)])


def rules(options, kept):
    """Print alarm, harm and recall of each rule, on the standard sets that have two clusters or more."""
    all_cases = [case for seed in options.seeds for truth in standard_sets(seed) for case in cases(truth)]
    all_cases = [case for case in all_cases if case.truth.separated and len(members(case.labels)) > 1]
    print(f"{'':22} alarm on right | injected: agreement, harmed | made: agreement, harmed | merge, split recall")
    for method, judge in {"ours": ours, **{name: by_rule(name) for name in RULES}}.items():
        rows = [kept.of(method, judge, case) for case in all_cases]
        right = [row for row in rows if row["fault"] == "none"]
        cells = [f"{np.mean([any(row['alarm']) for row in right]):.3f}"]
        for kind in ("injected", "made"):
            part = [row for row in rows if row["kind"] == kind and row["fault"] != "none"]
            cells.append(f"{means(part)}, {np.mean([row['after'] < row['before'] - HARM for row in part]):.3f}")
        hits = [np.sum([row[what] for row in rows], axis=0) for what in ("merge", "split")]
        cells.append(
            ", ".join(f"{tp / max(tp + fn, 1):.2f} (precision {tp / max(tp + fp, 1):.2f})" for tp, fp, fn in hits)
        )
        print(f"{method:22} " + " | ".join(cells))


def real(options, kept):
    """Print what a diagnosis makes of clusterings of real tables."""
    del kept
    rows = {"k-means at the true k": [], "Ward at the true k": [], "Ward, 12 clusters": []}
    for truth in tables(Path(options.tables), MOST_ROWS):
        line = []
        for name, algorithm, k in zip(rows, ("kmeans", "ward", "ward"), (truth.k, truth.k, 12), strict=True):
            labels = clustered(truth.X, algorithm, k)
            after = cv.diagnose(truth.X, labels, n_jobs=1).repaired
            row = {"before": agreement(truth.y, labels), "after": agreement(truth.y, after)}
            rows[name].append(row)
            line.append(f"{row['before']:.2f} -> {row['after']:.2f}")
        print(f"{truth.name:44} {truth.X.shape[0]:4} x {truth.X.shape[1]:3}, k = {truth.k:2}: " + " | ".join(line))
    for name, some in rows.items():
        print(f"{name}: {means(some)}, harmed {harmed(some)}")


def time(options, kept):
    """Print seconds of a diagnosis, and of its repair."""
    del options, kept
    rng = np.random.default_rng(0)
    for n, p, k in ((2000, 10, 8), (20_000, 10, 8), (1_000_000, 16, 30)):
        y = rng.integers(0, k, n)
        X = 6 * rng.normal(size=(k, p))[y] + rng.normal(size=(n, p))
        cv.diagnose(X[:1000], y[:1000])
        begin = perf_counter()
        d = cv.diagnose(X, y)
        middle = perf_counter()
        _ = d.repaired
        print(f"{n:,} x {p}, k = {k}: {middle - begin:.2f} s, repair {perf_counter() - middle:.2f} s")


PARTS = {"right": right, "found": found, "structureless": structureless, "rules": rules, "tables": real, "time": time}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["right", "found", "structureless", "rules", "time"])
    parser.add_argument("--seeds", type=lambda text: [int(seed) for seed in text.split(",")], default=list(FRESH))
    parser.add_argument("--data")
    parser.add_argument("--tables")
    parser.add_argument("--keep")
    options = parser.parse_args()
    kept = Kept(options.keep)
    for part in options.parts:
        if part == "tables" and not options.tables:
            parser.error("tables needs --tables FOLDER")
        PARTS[part](options, kept)


if __name__ == "__main__":
    main()
