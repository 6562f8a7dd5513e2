"""How well are clusterings chosen, and clusters told from nothing? Regret, level, power and time.

``python benchmarks/choosing.py`` runs everything; parts are ``picks``, ``level``, ``power``,
``significance`` and ``time``.
``--data FOLDER`` adds labelled sets (``<set>.data.gz`` beside ``<set>.labels0.gz`` ..., 0 is noise) to the made ones;
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

import clustval as cv

JUDGES = ("consensus", "dcm", "silhouette", "calinski_harabasz", "davies_bouldin", "dbcv", "dunn")
FIRST, SETS = 5000, 104  # seeds of made data that no rule was chosen by
MOST_BY_K = 12  # clusters that the gap and prediction strength try
DRAWS = 99


def truth_of(path: Path) -> list:
    return [np.loadtxt(name, dtype=int) for name in sorted(path.parent.glob(path.name.replace(".data.", ".labels*.")))]


def look(task):
    """Return what each judge picks of one data set, as agreement with the truth, and the best there is."""
    name, kind, X, truths, keep = task
    file = None if keep is None else Path(keep) / f"{name}.json"
    if file is not None and file.exists():
        return json.loads(file.read_text())
    choice = cv.choose(X, null=False, stability=False, random_state=0, n_jobs=1)
    agreement = {
        key: max(cv.external.adjusted_rand(truth[truth > 0], labels[truth > 0]) for truth in truths)
        for key, labels in choice.candidates.items()
    }
    labels = choice.candidates
    result = {"name": name, "kind": kind, "best": max(agreement.values()), "random": np.mean(list(agreement.values()))}
    result["consensus"] = agreement[choice.best]
    result["judged"] = choice.ranking[choice.best]["judge"]
    for judge in JUDGES[1:]:
        result[judge] = agreement[cv.choose(X, labels, judge=judge, null=False, n_jobs=1).best]
    votes = cv.sweep(X, labels, n_jobs=1).votes()
    result["votes"] = agreement[max(votes, key=votes.get)]
    numbers = range(2, MOST_BY_K + 1)
    gap = cv.gap_statistic(X, range(1, MOST_BY_K + 1), n_references=20, random_state=0, n_jobs=1).best["one_se"] or 1
    result["gap"] = agreement.get(f"k-means, k={gap}", 0.0)
    strength = cv.prediction_strength(X, numbers, n_splits=10, random_state=0, n_jobs=1).best or 1
    result["prediction strength"] = agreement.get(f"k-means, k={strength}", 0.0)
    if file is not None:
        file.write_text(json.dumps(result))
    return result


def picks(data, keep):
    """Mean agreement and regret of each judge, with paired 95 % intervals of the regret beyond the consensus."""
    tasks = [(f"made-{seed}", *_made(seed), keep) for seed in range(FIRST, FIRST + SETS)]
    tasks += [
        (f"{path.parent.name}-{path.name[:-8]}", "lent", np.loadtxt(path, ndmin=2), truth_of(path), keep)
        for path in (sorted(Path(data).rglob("*.data.gz")) if data else ())
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(look, tasks))
    groups = {
        "made": [r for r in results if r["kind"] != "lent"],
        "made, convex": [r for r in results if r["kind"] in CONVEX],
        "made, curved": [r for r in results if r["kind"] not in (*CONVEX, "lent")],
        "lent": [r for r in results if r["kind"] == "lent"],
    }
    rng = np.random.default_rng(0)
    for group, some in groups.items():
        if not some:
            continue
        best = np.array([r["best"] for r in some])
        print(f"{group}: {len(some)} sets, best candidate {best.mean():.3f}")
        for judge in ("random", *JUDGES, "votes", "gap", "prediction strength"):
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
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 1)):
        some = [r for r in groups["made"] if low <= r["judged"] < high]
        if some:
            agreement, best = (np.mean([r[key] for r in some]) for key in ("consensus", "best"))
            print(f"judged {low} to {high}: {len(some)} made sets, {agreement:.2f}, regret {best - agreement:.3f}")


def _made(seed):
    X, labels, kind = made(seed)
    return kind, X, [labels]


def curve(rng, n, turns):
    angle = turns * np.pi * rng.uniform(size=n)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.1 * rng.normal(size=(n, 2))


def two(rng, n, apart):
    return rng.normal(size=(n, 2)) + np.c_[apart * (np.arange(n) % 2), np.zeros(n)]


def moons(rng, n, width):
    a, b = np.pi * rng.uniform(size=(2, n // 2))
    halves = np.r_[np.c_[np.cos(a), np.sin(a)], np.c_[1 - np.cos(b), 0.5 - np.sin(b)]]
    return halves + width * rng.normal(size=halves.shape)


NOTHING = {
    "gaussian, p = 2": lambda rng, n: rng.normal(size=(n, 2)),
    "gaussian, p = 10": lambda rng, n: rng.normal(size=(n, 10)),
    "gaussian, 10 to 1": lambda rng, n: rng.normal(size=(n, 2)) * [10, 1],
    "uniform, p = 2": lambda rng, n: rng.uniform(size=(n, 2)),
    "uniform, p = 5": lambda rng, n: rng.uniform(size=(n, 5)),
    "t with 3 d.f.": lambda rng, n: rng.standard_t(3, size=(n, 2)),
    "exponential": lambda rng, n: rng.exponential(size=(n, 2)),
    "gaussian, p = 50": lambda rng, n: rng.normal(size=(n // 2, 50)),
    "sparse, p = 50": lambda rng, n: (rng.uniform(size=(n // 2, 50)) < 0.05) * rng.exponential(size=(n // 2, 50)),
    "arc": lambda rng, n: curve(rng, n, 1),
    "ring": lambda rng, n: curve(rng, n, 2),
}
SOMETHING = {
    "two gaussians, 3 s.d.": lambda rng, n: two(rng, n, 3),
    "two gaussians, 4 s.d.": lambda rng, n: two(rng, n, 4),
    "two gaussians, 5 s.d.": lambda rng, n: two(rng, n, 5),
    "moons, noise 0.10": lambda rng, n: moons(rng, n, 0.10),
    "moons, noise 0.15": lambda rng, n: moons(rng, n, 0.15),
}


def found(task):
    """Return whether structure is found in one set of 200 points."""
    maker, seed = task
    X = {**NOTHING, **SOMETHING}[maker](np.random.default_rng([7, seed]), 200)
    return cv.structure(X, n_references=DRAWS, random_state=seed, n_jobs=1).exists


def rates(kinds, repeats, title, ask=found):
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(ask, [(kind, seed) for kind in kinds for seed in range(repeats)]))
    print(f"{title}, {repeats} sets of 200 points each")
    for at, kind in enumerate(kinds):
        print(f"  {kind:24} {np.mean(results[at * repeats : (at + 1) * repeats]):.2f}")
    print(f"  {'all':24} {np.mean(results):.3f}")


def significant(task):
    """Return whether the silhouette of k-means is better than in data without clusters."""
    maker, seed = task
    X = {**NOTHING, **SOMETHING}[maker](np.random.default_rng([7, seed]), 200)
    return cv.significance(X, k=range(2, 7), B=39, random_state=seed, n_jobs=1).p_value <= 0.05


def times():
    """Seconds of cv.choose with its defaults."""
    for n, null, bar in ((1000, False, 5), (1000, True, 120), (100_000, True, 180)):
        X, _ = clustered(n, 8, 5)
        cv.choose(X[:200], null=False, random_state=0)
        begin = perf_counter()
        cv.choose(X, null=null, random_state=0)
        seconds = perf_counter() - begin
        mark = "ok" if seconds <= bar else "MISSED"
        print(
            f"choose {n} x 8, {'with' if null else 'without'} the null: {seconds:.1f} s, bar {bar} s  {mark}",
            flush=True,
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=["picks", "level", "power", "significance", "time"])
    parser.add_argument("--data", help="a folder of labelled sets")
    parser.add_argument("--keep", help="a folder for what was found of each set")
    parser.add_argument("--repeats", type=int, default=32, help="sets of each kind for level and power")
    arguments = parser.parse_args()
    if arguments.keep:
        Path(arguments.keep).mkdir(parents=True, exist_ok=True)
    for part in arguments.parts:
        if part == "picks":
            picks(arguments.data, arguments.keep)
        elif part == "level":
            rates(NOTHING, arguments.repeats, "Structure found where there is none")
        elif part == "power":
            rates(SOMETHING, arguments.repeats, "Structure found where there is some")
        elif part == "significance":
            rates(NOTHING, arguments.repeats, "Silhouette significant where there is nothing", significant)
            rates(SOMETHING, arguments.repeats, "Silhouette significant where there is something", significant)
        else:
            times()


if __name__ == "__main__":
    main()
