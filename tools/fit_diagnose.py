"""Learn what the evidence of `cv.diagnose` is worth, from made data: writes coefficients.json again.

``python tools/fit_diagnose.py`` takes about ten minutes on one core. ``--keep FILE`` keeps the evidence, so that
coefficients can be fitted again in seconds; ``--seeds 0,1000`` takes fewer sets. Logistic regressions, of populations
a sum of small trees:

- valley: separated neighbours against pieces of one cluster, whatever cut it;
- populations: the same, with neighbours that overlap on the side of the two;
- cut: searched cuts through two clusters against searched cuts of one;
- wrong, stray: points moved or glued on against the others.

Each data set counts once on each side, and both sides count the same. Beside them stand the evidence of cuts of
homogeneous clusters, by family, for p-values; those of one column, by one_column_cuts.py, stay as they are.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).parents[1]
sys.path[:0] = [str(HERE / "benchmarks"), str(HERE / "src")]

from fault_cases import agreement, cases, structureless_cases, wanted
from fault_sets import MORE_POPULATIONS, standard_sets, structureless_sets, wide_sets

from clustval.diagnosis.evidence.borders import border
from clustval.diagnosis.evidence.cuts import candidate_cuts
from clustval.diagnosis.evidence.learned import border_inputs, population_inputs
from clustval.diagnosis.evidence.members import INPUTS, Crowd, views, voted, with_rates
from clustval.diagnosis.evidence.pairs import ONE_COLUMN, SMALL, cores, neighbouring, smallest
from clustval.diagnosis.evidence.surroundings import Surroundings
from clustval.diagnosis.evidence.two_populations import Shape, shape
from clustval.diagnosis.scene import Scene
from clustval.seeding import generators
from clustval.sources.space import space_of

OUT = HERE / "src/clustval/diagnosis/evidence/coefficients.json"
SEEDS = (0, 1000, 2000, 3000, 4000)
EVIDENCE = ("depth", "mass", "layers", "cross", "contrast")
GRAPH = EVIDENCE[1:4]
SIZES = ("log size", "log dimension")
TREES, QUESTIONS, LEAF = 80, 3, 100
THIN = ("radius in its cluster", "log density below neighbours", "log radius above neighbours")
LEVELS = (1.0, 0.9, 0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.075, 0.05, 0.03, 0.02, 0.01, 0.005)
SHARE = 0.15  # of the points that are where they belong
MIDDLE = 0.5  # agreement of a cut with the truth from which on it is a cut between clusters
MOST_PAIRS = 8


def inputs(evidence):
    return [*evidence, *SIZES, *(f"log dimension x {name}" for name in evidence)]


def collected(case, rows, rng):
    """Add the evidence of one clustering to the rows: pairs, cuts, points."""
    truth, labels = case.truth, case.labels
    scene = Scene(space_of(truth.X, n_jobs=1), generators(0))
    k = len(np.unique(labels[labels >= 0]))
    sample = scene.sample(k)
    around, y, labels = sample.around, truth.y[sample.rows], labels[sample.rows]
    present, codes = np.unique(labels, return_inverse=True)
    labels = codes - int(present[0] < 0)
    k = int(labels.max()) + 1
    asked = wanted(y, labels)
    about = {"set": truth.name, "family": truth.family, "seed": truth.seed, "kind": case.kind, "fault": case.fault}
    about["separated"] = truth.separated
    members = [np.flatnonzero(labels == cluster) for cluster in range(k)]
    if k > 1:
        settled = cores(around, labels, voted(around, labels, k), k)
        inner = [np.flatnonzero(settled == cluster) for cluster in range(k)]
        pairs = neighbouring(around, settled, k)
        for a, b in [pairs[at] for at in rng.permutation(len(pairs))[:MOST_PAIRS]]:
            sizes = [len(each[at]) for each in (members, inner) for at in (a, b)]
            clear = not {a, b} & asked.mixed and min(asked.majority[a], asked.majority[b]) >= 0
            if clear and min(sizes) >= smallest(around):
                rows["pairs"].append(
                    about
                    | paired(around, members[a], members[b], (inner[a], inner[b]))
                    | {"two": (a, b) not in asked.merges}
                )
    if case.kind != "structureless" and k > 1 and truth.separated and rng.random() < 0.5:
        pointed(around, y, labels, k, asked, about, rows, rng)
    if truth.separated and case.fault.split()[0] not in {"split", "move"}:
        for cluster in range(k):
            if len(members[cluster]) >= 3 * SMALL:
                rows["cuts"] += [about | each for each in cut_up(around, y, members[cluster], cluster in asked.mixed)]


def paired(around, a, b, voted_pair):
    seen, axis = border(around, a, b, voted_pair)
    size = min(len(a), len(b))
    alone = Surroundings(None, around.distances, around.numbers)
    vars(alone).update({key: value for key, value in vars(around).items() if key not in {"X", "dimension"}})
    vars(alone)["dimension"] = around.dimension
    form = shape(around, a, b, axis)
    return {
        "valley": border_inputs(around, seen, size),
        "valley, graph": border_inputs(alone, seen, size),
        "populations": population_inputs(around, seen, form, size),
        "populations, graph": population_inputs(alone, seen, form, size),
    }


def cut_up(around, y, members, mixed):
    alone = Surroundings(None, around.distances, around.numbers)
    vars(alone)["dimension"] = around.dimension
    for way, sides in candidate_cuts(around, members).items():
        kept = y[members] >= 0
        classes = np.unique(y[members][kept])
        right = agreement(y[members][kept], sides[kept]) if len(classes) > 1 else 0.0
        if mixed and 0 < right < MIDDLE:
            continue
        a, b = members[sides == 0], members[sides == 1]
        seen, _ = border(around, a, b)
        size = min(len(a), len(b))
        yield {
            "way": way,
            "cut": border_inputs(around, seen, size),
            "cut, graph": border_inputs(alone, seen, size),
            "two": mixed and right >= MIDDLE,
        }


def pointed(around, y, labels, k, asked, about, rows, rng):
    for name, surroundings in (
        ("wrong", around),
        ("wrong, graph", Surroundings(None, around.distances, around.numbers)),
    ):
        crowd = Crowd(surroundings, labels, k)
        seen = with_rates(views(crowd, around.numbers, around.log_radius, surroundings.X, labels), labels, k)
        majority = np.array([asked.majority[cluster] if cluster not in asked.mixed else -1 for cluster in range(k)])
        own, other = (
            majority[np.maximum(labels, 0)],
            np.array([asked.majority[cluster] for cluster in range(k)])[seen.nearest],
        )
        odd = asked.wrong | asked.stray
        usable = (labels >= 0) & (own >= 0) & (own != other)
        chosen = np.flatnonzero(usable & (odd | (rng.random(len(y)) < SHARE)))
        weight = np.where(odd[chosen], 1.0, 1 / SHARE)
        wrong, stray = (asked.wrong & (other == y))[chosen], asked.stray[chosen]
        rows[name].append((seen.evidence[chosen][~stray], wrong[~stray], weight[~stray], about))
        if name == "wrong":
            rows["stray"].append((seen.thin[chosen][~wrong], stray[~wrong], weight[~wrong], about))


def regression(F, two, weights):
    scaler = StandardScaler().fit(F)
    model = LogisticRegression(max_iter=2000).fit(scaler.transform(F), two, sample_weight=weights)
    slopes = model.coef_[0] / scaler.scale_
    return np.round(slopes, 4).tolist(), round(float(model.intercept_[0] - slopes @ scaler.mean_), 4)


def balanced(rows):
    """Return weights by which every set counts once on each side, and both sides the same."""
    two = np.array([row["two"] for row in rows])
    _, group = np.unique([f"{row['set']} {row['seed']} {row['two']}" for row in rows], return_inverse=True)
    weights = 1 / np.bincount(group)[group]
    return two, weights * np.where(two, 0.5 / weights[two].sum(), 0.5 / weights[~two].sum()) * len(rows)


def fitted(rows, name, names):
    two, weights = balanced(rows)
    slopes, bias = regression(np.array([row[name] for row in rows]), two, weights)
    return {"inputs": names, "weights": slopes, "bias": bias}


def with_trees(rows, name, names):
    """Fit a sum of full trees of three questions in a row: where a tree ends early, its leaf is doubled."""
    two, weights = balanced(rows)
    how = {"n_estimators": TREES, "max_depth": QUESTIONS, "min_samples_leaf": LEAF, "learning_rate": 0.1}
    model = GradientBoostingClassifier(**how, random_state=0)
    model.fit(np.array([row[name] for row in rows]), two, sample_weight=weights)
    trees = [full_tree(part[0].tree_) for part in model.estimators_]
    prior = model.init_.class_prior_
    return {
        "inputs": names,
        "bias": round(float(np.log(prior[1] / prior[0])), 4),
        "questions": [tree[0] for tree in trees],
        "limits": [tree[1] for tree in trees],
        "leaves": [[round(0.1 * value, 5) for value in tree[2]] for tree in trees],
    }


def full_tree(tree):
    """Return inputs, limits (None: all go left) and leaves of a tree, level by level."""
    level, inputs_asked, limits = [0], [], []
    for _ in range(QUESTIONS):
        below = []
        for node in level:
            ends = tree.children_left[node] < 0
            inputs_asked.append(0 if ends else int(tree.feature[node]))
            limits.append(None if ends else float(f"{tree.threshold[node]:.6g}"))
            below += [node, node] if ends else [tree.children_left[node], tree.children_right[node]]
        level = below
    return inputs_asked, limits, [float(tree.value[node, 0, 0]) for node in level]


def fitted_points(parts, names):
    F, two, weights = (np.concatenate([part[at] for part in parts]) for at in range(3))
    slopes, bias = regression(F, two, weights)
    return {"inputs": list(names), "weights": slopes, "bias": bias}


def reference(rows, name, model, best=False):
    """Return, by family, the log odds that a share of the cuts of homogeneous clusters exceeds."""
    families = {}
    for row in rows:
        if row["kind"] == "structureless":
            key = (row["set"], row["seed"], row["fault"]) if best else len(families.get(row["family"], {}))
            odds = float(np.asarray(row[name]) @ np.array(model["weights"]) + model["bias"])
            part = families.setdefault(row["family"], {})
            part[key] = max(odds, part.get(key, -np.inf))
    return {
        "levels": list(LEVELS),
        "log odds": {
            family: np.round(np.quantile(list(values.values()), [1 - level for level in LEVELS]), 3).tolist()
            for family, values in sorted(families.items())
            if len(values) >= 1 / LEVELS[-2]
        },
    }


def evidence(seeds):
    rows = {"pairs": [], "cuts": [], "wrong": [], "wrong, graph": [], "stray": []}
    rng, begin = np.random.default_rng(1), perf_counter()
    for seed in seeds:
        for truth in [*standard_sets(seed), *wide_sets(seed)]:
            for case in cases(truth):
                collected(case, rows, rng)
        for truth in [*structureless_sets(seed), *structureless_sets(seed, MORE_POPULATIONS)]:
            for case in structureless_cases(truth):
                collected(case, rows, rng)
        counts = ", ".join(f"{len(part):,} {name}" for name, part in rows.items())
        print(f"seed {seed}: {counts}, {perf_counter() - begin:.0f} s", flush=True)
    return rows


def coefficients(rows, seeds):
    overlapping = [row for row in rows["pairs"] if row["separated"] or not row["two"]]
    with_shape = list(Shape._fields)
    content = {
        "provenance": {
            "made by": "tools/fit_diagnose.py",
            "seeds of made data": list(seeds),
            "pairs": len(rows["pairs"]),
            "cuts": len(rows["cuts"]),
            "points": int(sum(len(part[0]) for part in rows["wrong"])),
        },
        "valley": fitted(overlapping, "valley", inputs(EVIDENCE)),
        "valley, graph": fitted(overlapping, "valley, graph", inputs(GRAPH)),
        "populations": with_trees(rows["pairs"], "populations", [*EVIDENCE, *SIZES, *with_shape]),
        "populations, graph": with_trees(rows["pairs"], "populations, graph", [*GRAPH, *SIZES, *with_shape[5:]]),
        "cut": fitted(rows["cuts"], "cut", inputs(EVIDENCE)),
        "cut, graph": fitted([row for row in rows["cuts"] if row["way"] == "density"], "cut, graph", inputs(GRAPH)),
        "wrong": fitted_points(rows["wrong"], INPUTS),
        "wrong, graph": fitted_points(rows["wrong, graph"], INPUTS),
        "stray": fitted_points(rows["stray"], THIN),
    }
    content["cuts of homogeneous clusters"] = {
        name: reference(
            rows["cuts" if name.startswith("cut") else "pairs"], name, content[name], name.startswith("cut")
        )
        for name in ("valley", "valley, graph", "cut", "cut, graph")
    }
    return content


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default=",".join(map(str, SEEDS)))
    parser.add_argument("--keep", help="file of evidence that is read if it is there, and written if not")
    parser.add_argument("--out", default=str(OUT))
    options = parser.parse_args()
    seeds = [int(seed) for seed in options.seeds.split(",")]
    if options.keep and Path(options.keep).exists():
        rows = pickle.loads(Path(options.keep).read_bytes())
    else:
        rows = evidence(seeds)
        if options.keep:
            Path(options.keep).write_bytes(pickle.dumps(rows))
    content = coefficients(rows, seeds)
    if Path(options.out).exists():
        cuts = json.loads(Path(options.out).read_text())["cuts of homogeneous clusters"]
        content["cuts of homogeneous clusters"][ONE_COLUMN] = cuts[ONE_COLUMN]
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in content.items()]
    Path(options.out).write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
