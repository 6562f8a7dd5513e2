"""How well are clusterings chosen, and clusters told from nothing? Regret, level, power and time.

``python benchmarks/choosing.py`` runs everything; parts are ``picks``, ``rules``, ``level``, ``power``,
``significance`` and ``time``.
``--data FOLDER`` adds labelled sets (``<set>.data.gz`` beside ``<set>.labels0.gz`` ..., 0 is noise) to the made ones;
``--tables FOLDER`` adds tables with a truth and candidates (``X``, ``y``, ``names`` and ``L`` in each ``.npz`` file);
``--keep FOLDER`` keeps what was found of each set, so that an interrupted run goes on where it was.
Regret is the adjusted Rand index of the best candidate with the truth less that of the pick.
"""

from __future__ import annotations

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter

import numpy as np
from made_data import CONVEX, made
from pairs import clustered
from plain_data import NOTHING, nothing, two
from real_tables import leave_one_out, tables

import clustval as cv
from clustval.choosing.judges import FLOOR, alone, company
from clustval.passes.labels.many_labellings import rand_matrix

JUDGES = ("consensus", "dcm", "silhouette", "calinski_harabasz", "davies_bouldin", "dbcv", "dunn")
FIRST, SETS = 5000, 104  # seeds of made data that no rule was chosen by
MOST_BY_K = 12  # clusters that the gap and prediction strength try
DRAWS = 39
JOBS = int(os.environ.get("JOBS", os.cpu_count() or 1))
FRESH = 1017  # seeds of data without clusters that no rule was chosen by
MOST_POINTS = 800  # of data without clusters
NEAR = 0.1  # regret that confidence speaks of
OTHERS = ("lent", "table", "own table")
PARTS = ("picks", "rules", "level", "power", "significance", "time")
# Two Gaussians (points, columns, standard deviations apart), then moons (points, None, width).
SOMETHING = [(n, p, apart) for n in (200, 500) for p in (2, 10, 50) for apart in (3, 3.5, 4, 5)]
SOMETHING += [(200, None, 0.10), (200, None, 0.15)]


def truth_of(path: Path) -> list:
    return [np.loadtxt(name, dtype=int) for name in sorted(path.parent.glob(path.name.replace(".data.", ".labels*.")))]


def look(task):
    """Return what each judge picks of one data set, as agreement with the truth, and the best there is."""
    name, kind, X, truths, given, keep = task
    file = None if keep is None else Path(keep) / f"{name}.json"
    if file is not None and file.exists():
        return json.loads(file.read_text())
    choice = cv.choose(X, given, null=False, stability=False, random_state=0, n_jobs=1)
    agreement = {
        key: max(cv.external.adjusted_rand(truth[truth > 0], labels[truth > 0]) for truth in truths)
        for key, labels in choice.candidates.items()
    }
    labels = choice.candidates
    result = {"name": name, "kind": kind, "best": max(agreement.values()), "random": np.mean(list(agreement.values()))}
    result["consensus"] = agreement[choice.best]
    numbers = {choice.ranking[key]["k"] for key, value in agreement.items() if value >= result["best"] - 1e-9}
    result["in range"], result["length"] = bool(numbers & set(choice.k_range)), len(choice.k_range)
    result["confidence"] = choice.confidence
    result["paths alone"] = agreement[by_paths_alone(choice)]
    for judge in JUDGES[1:]:
        result[judge] = agreement[cv.choose(X, labels, judge=judge, null=False, n_jobs=1).best]
    votes = cv.sweep(X, labels, n_jobs=1).votes()
    result["votes"] = agreement[max(votes, key=votes.get)]
    numbers, prefix = range(2, MOST_BY_K + 1), "k-means, k=" if given is None else "kmeans "
    gap = cv.gap_statistic(X, range(1, MOST_BY_K + 1), n_references=20, random_state=0, n_jobs=1).best["one_se"] or 1
    result["gap"] = agreement.get(f"{prefix}{gap}", 0.0)
    strength = cv.prediction_strength(X, numbers, n_splits=10, random_state=0, n_jobs=1).best or 1
    result["prediction strength"] = agreement.get(f"{prefix}{strength}", 0.0)
    if file is not None:
        file.write_text(json.dumps(result))
    return result


def by_paths_alone(choice):
    """Return what paths, neighbours and the agreement of all candidates take, however many columns there are."""
    names = list(choice.candidates)
    agreement = np.maximum(company(rand_matrix(alone(list(choice.candidates.values())), n_jobs=1)), 0)
    views = np.nan_to_num([[choice.ranking[name][view] for view in ("connected", "uncut")] for name in names])
    return names[int(((views[:, 0] + FLOOR) * np.maximum(views[:, 1], 0) * np.sqrt(agreement)).argmax())]


def picks(data, folder, sets, keep):
    """Mean agreement and regret of each judge, with paired 95 % intervals of the regret beyond the consensus."""
    tasks = [(f"made-{seed}", *_made(seed), None, keep) for seed in range(FIRST, FIRST + sets)]
    tasks += [
        (f"{path.parent.name}-{path.name[:-8]}", "lent", np.loadtxt(path, ndmin=2), truth_of(path), None, keep)
        for path in (sorted(Path(data).rglob("*.data.gz")) if data else ())
    ]
    for name, X, y, labels in tables(folder) if folder else ():
        truth = [np.unique(y, return_inverse=True)[1] + 1]
        tasks += [(name, "table", X, truth, labels, keep), (f"{name}-own", "own table", X, truth, None, keep)]
    with ProcessPoolExecutor(JOBS) as pool:
        results = list(pool.map(look, tasks))
    groups = {
        "made": [r for r in results if r["kind"] not in OTHERS],
        "made, convex": [r for r in results if r["kind"] in CONVEX],
        "made, curved": [r for r in results if r["kind"] not in (*CONVEX, *OTHERS)],
        "lent": [r for r in results if r["kind"] == "lent"],
        "tables, candidates given": [r for r in results if r["kind"] == "table"],
        "tables, candidates of our own": [r for r in results if r["kind"] == "own table"],
    }
    rng = np.random.default_rng(0)
    for group, some in groups.items():
        if not some:
            continue
        best = np.array([r["best"] for r in some])
        print(f"{group}: {len(some)} sets, best candidate {best.mean():.3f}")
        for judge in ("random", *JUDGES, "paths alone", "votes", "gap", "prediction strength"):
            values = np.array([r[judge] for r in some])
            beyond = np.array([r["consensus"] for r in some]) - values
            means = beyond[rng.integers(0, len(beyond), (2000, len(beyond)))].mean(axis=1)
            low, high = np.quantile(means, [0.025, 0.975])
            interval = (
                ""
                if judge == "consensus"
                else f"   consensus less regret by {beyond.mean():6.3f} [{low:.3f}, {high:.3f}]"
            )
            print(f"  {judge:20} {values.mean():6.3f}  regret {(best - values).mean():6.3f}{interval}")
        inside, length = (np.mean([r[key] for r in some]) for key in ("in range", "length"))
        print(f"  the range of k holds that of the best candidate in {inside:.2f}, and has {length:.1f} numbers")
        for grade in ("high", "medium", "low"):
            near = [r["best"] - r["consensus"] <= NEAR for r in some if r["confidence"] == grade]
            if near:
                print(f"  confidence {grade:6} {len(near):3} sets, within {NEAR} of the best {np.mean(near):.2f}")


def _made(seed):
    X, labels, kind = made(seed)
    return kind, X, [labels]


def moons(rng, n, width):
    a, b = np.pi * rng.uniform(size=(2, n // 2))
    halves = np.r_[np.c_[np.cos(a), np.sin(a)], np.c_[1 - np.cos(b), 0.5 - np.sin(b)]]
    return halves + width * rng.normal(size=halves.shape)


def evidence_of_nothing(task):
    """Return the evidence in one set without clusters."""
    kind, seed = task
    return evidence(nothing(kind, seed, MOST_POINTS), seed)


def evidence_of_something(task):
    """Return the evidence in one set of two clusters."""
    (n, p, apart), seed = task
    X = moons(np.random.default_rng([7, seed]), n, apart) if p is None else two(n, p, apart, seed)
    return evidence(X, seed)


def evidence(X, seed):
    return cv.structure(X, n_references=DRAWS, random_state=seed, n_jobs=1).evidence


def rates(cases, repeats, title, ask, keep):
    """Print how often each answer is given, by case."""
    print(f"{title}, {repeats} sets each: gaps, continuum")
    results = []
    with ProcessPoolExecutor(JOBS) as pool:
        for case in cases:
            file = None if keep is None else Path(keep) / f"{ask.__name__}-{case}.json"
            if file is not None and file.exists():
                answers = json.loads(file.read_text())
            else:
                answers = list(pool.map(ask, [(case, seed) for seed in range(FRESH, FRESH + repeats)]))
            if file is not None:
                file.write_text(json.dumps(answers))
            results += answers
            print(f"  {case!s:24} {answers.count('gaps') / repeats:.3f}  {answers.count('continuum') / repeats:.3f}")
    share = [results.count(answer) / len(results) for answer in ("gaps", "continuum")]
    print(f"  {'all':24} {share[0]:.3f}  {share[1]:.3f}")


def significant(task):
    """Return whether the silhouette of k-means is better than in data without clusters."""
    kind, seed = task
    X = NOTHING[kind](200, 2, np.random.default_rng([7, seed]))
    return cv.significance(X, k=range(2, 7), B=39, random_state=seed, n_jobs=1).p_value <= 0.05


def significances(repeats):
    """Print how often the silhouette is significant where there is nothing, in two columns."""
    print(f"Silhouette significant where there is nothing, {repeats} sets of 200 points each")
    with ProcessPoolExecutor(JOBS) as pool:
        for kind in NOTHING:
            share = np.mean(list(pool.map(significant, [(kind, seed) for seed in range(repeats)])))
            print(f"  {kind:24} {share:.2f}")


def times():
    """Seconds of cv.choose with its defaults, of data with clusters and without."""
    rng = np.random.default_rng(0)
    cases = [
        ("1,000 x 10 without structure", rng.normal(size=(1000, 10)), 2),
        ("1,000 x 10 with structure", clustered(1000, 10, 5)[0], 10),
        ("5,000 x 5", clustered(5000, 5, 5)[0], 30),
        ("100,000 x 8", clustered(100_000, 8, 5)[0], 180),
    ]
    cv.choose(cases[1][1][:200], random_state=0)
    for name, X, bar in cases:
        begin = perf_counter()
        cv.choose(X, random_state=0)
        seconds = perf_counter() - begin
        mark = "ok" if seconds <= bar else "MISSED"
        print(f"choose {name}: {seconds:.1f} s, bar {bar} s  {mark}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=list(PARTS))
    parser.add_argument("--data", help="a folder of labelled sets")
    parser.add_argument("--tables", help="a folder of tables with candidates")
    parser.add_argument("--made", type=int, default=SETS, help="made sets for picks")
    parser.add_argument("--keep", help="a folder for what was found of each set")
    parser.add_argument("--repeats", type=int, default=32, help="sets of each kind for level and power")
    arguments = parser.parse_args()
    if arguments.keep:
        Path(arguments.keep).mkdir(parents=True, exist_ok=True)
    repeats, keep = arguments.repeats, arguments.keep
    for part in arguments.parts:
        if part == "picks":
            picks(arguments.data, arguments.tables, arguments.made, keep)
        elif part == "rules" and arguments.tables:
            leave_one_out(arguments.tables)
        elif part == "level":
            rates(NOTHING, repeats, "Structure where there is none", evidence_of_nothing, keep)
        elif part == "power":
            rates(SOMETHING, repeats, "Structure where there is some", evidence_of_something, keep)
        elif part == "significance":
            significances(repeats)
        elif part == "time":
            times()


if __name__ == "__main__":
    main()
