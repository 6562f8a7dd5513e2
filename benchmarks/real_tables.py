"""Which rule judges clusterings of real tables, by tables that did not choose it.

Each rule is a product of views of a candidate. For each table the rule is the best by the mean regret of the other
tables and of tables made like those, and it is tried on the table that was left out.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

import clustval as cv
from clustval.catalogue import select
from clustval.choosing.algorithms import ALGORITHMS, Points
from clustval.choosing.judges import DENSITIES, alone, company, dense_views, witnesses
from clustval.choosing.pool import labelled_pool, made_pool
from clustval.passes.labels.many_labellings import rand_matrix
from clustval.relative.scoring import table_of
from clustval.seeding import generators
from clustval.sources.space import space_of

SEVEN = ("ward", "average", "complete", "single", "genie", "k-means", "mixture")
ALIKE = 6  # tables made like each
WORTH_CLUSTERING = 0.3  # what k-means or Ward reach at the true number in tables whose classes are clusters
FAMILIES = {  # tables of the same source are left out together
    "t_statlog_image_segmentation": "t_image_segmentation",
    "t_predicting_pulsar_star": "t_htru2",
}


def tables(folder):
    """Yield the name, the points, the truth and the candidates of each table: ``X``, ``y``, ``names`` and ``L``."""
    for path in sorted(Path(folder).rglob("*.npz")):
        content = np.load(path, allow_pickle=True)
        labels = dict(zip(map(str, content["names"]), content["L"], strict=True))
        yield path.stem, np.ascontiguousarray(content["X"], dtype=float), content["y"], labels


def views(X, truth, labels=None):
    """Return what rules are made of, one value per candidate, and the agreement with the truth."""
    space = space_of(X, n_jobs=1)
    if labels is None:
        numbers = range(2, max(12, 2 * len(np.unique(truth))) + 1)
        algorithms = {name: ALGORITHMS[name] for name in SEVEN}
        candidates = made_pool(Points(space, generators(0)), algorithms, numbers, n_jobs=1).candidates
    else:
        candidates = labelled_pool(space, labels).candidates
    candidates = [candidate for candidate in candidates if candidate.k > 1]
    indices = [*dense_views(DENSITIES), *select(["knn_modularity", "silhouette", "calinski_harabasz"], "internal")]
    values = np.maximum(np.nan_to_num(table_of(space, [each.labels for each in candidates], indices).values), 0)
    matrix = rand_matrix(alone([candidate.codes for candidate in candidates]), n_jobs=1)
    return {
        "S": values[:, :-3].mean(axis=1),
        "Q": values[:, -3],
        "s": values[:, -2],
        "CH": values[:, -1] / values[:, -1].max(),
        "A": np.maximum(company(matrix), 0),
        "B": np.maximum(witnesses(matrix, [candidate.algorithm for candidate in candidates]), 0),
        "truth": np.array([cv.external.adjusted_rand(truth, candidate.codes) for candidate in candidates]),
    }


def rules():
    """Return all rules by name: 50 products of how apart, how uncut, how agreed upon, and four views alone."""
    apart = {
        "S + .02": lambda d: d["S"] + 0.02,
        "S + .3 s": lambda d: d["S"] + 0.3 * d["s"],
        "S + s": lambda d: d["S"] + d["s"],
        "s": lambda d: d["s"],
        "1": lambda _d: 1.0,
    }
    agreed = {
        "sqrt A": lambda d: np.sqrt(d["A"]),
        "A": lambda d: d["A"],
        "sqrt B": lambda d: np.sqrt(d["B"]),
        "B": lambda d: d["B"],
        "B^2": lambda d: d["B"] ** 2,
    }
    witness = {"": lambda _d: 1.0, " sqrt CH": lambda d: np.sqrt(d["CH"])}
    products = {
        f"({a}) Q {b}{c}": lambda d, f=apart[a], g=agreed[b], h=witness[c]: f(d) * d["Q"] * g(d) * h(d)
        for a, b, c in itertools.product(apart, agreed, witness)
    }
    others = {"CH": lambda d: d["CH"], "s": lambda d: d["s"], "Q": lambda d: d["Q"], "Q B": lambda d: d["Q"] * d["B"]}
    return products | others


def regrets(d):
    """Return the regret of each rule in one table."""
    return np.array([d["truth"].max() - d["truth"][int(np.argmax(rule(d)))] for rule in rules().values()])


def leave_one_out(folder):
    """Print the regret of the rule that other tables choose, which rule that is, and the best rules in sample."""
    names = list(rules())
    given, alike = {}, {}
    for name, X, truth, labels in tables(folder):
        given[name] = regrets(views(X, truth, labels))
        alike[name] = [regrets(views(*made)) for made in itertools.islice(made_like(name, X, truth), ALIKE)]
    picked, values = [], []
    for name in given:
        others = [each for each in given if FAMILIES.get(each, each) != FAMILIES.get(name, name)]
        score = np.mean([given[each] for each in others], axis=0)
        score = score + np.mean([row for each in others for row in alike[each]], axis=0)
        picked.append(int(score.argmin()))
        values.append(given[name][picked[-1]])
    error = np.std(values) / np.sqrt(len(values))
    print(f"{len(names)} rules, {len(given)} tables: left out {np.mean(values):.3f} (standard error {error:.3f})")
    print("  chosen:", ", ".join(f"{names[at]} {picked.count(at)} times" for at in sorted(set(picked))))
    real = np.mean(list(given.values()), axis=0)
    made = np.mean([row for rows in alike.values() for row in rows], axis=0)
    for at in [*np.argsort(real + made)[:8].tolist(), names.index("(S + .02) Q sqrt A"), names.index("CH")]:
        print(f"  {names[at]:28} tables {real[at]:.3f}  made like them {made[at]:.3f}")


def made_like(name, X, truth):
    """Yield tables made like one, whose classes are clusters, and their truths: classes by copulas, other numbers."""
    for seed in itertools.count():
        rng = np.random.default_rng([99, seed, sum(map(ord, name))])
        Z, labels = alike_one(X, truth, rng)
        k = len(np.unique(labels))
        found = cv.choose(Z, ["ward", "k-means"], k=[k], null=False, stability=False, random_state=0, n_jobs=1)
        if max(cv.external.adjusted_rand(labels, each) for each in found.candidates.values()) >= WORTH_CLUSTERING:
            yield Z, labels


def alike_one(X, truth, rng):
    """Return one table made like another: its classes, moved together or apart, and further ones between them."""
    classes = [X[truth == each] for each in np.unique(truth) if (truth == each).sum() >= 8]
    if X.shape[1] > 60:
        keep = rng.choice(X.shape[1], 60, replace=False)
        classes = [each[:, keep] for each in classes]
    middle = np.vstack(classes).mean(axis=0)
    k, n = int(rng.choice([2, 3, 4, 5, 6, 8, 10])), int(rng.choice([150, 300, 600]))
    shares = np.ones(k) if rng.random() < 0.5 else rng.dirichlet(np.full(k, 2.0)) + 0.04
    sizes = np.maximum((shares / shares.sum() * n).astype(int), 12)
    offsets = np.array([each.mean(axis=0) - middle for each in classes])
    apart, order, parts = rng.uniform(0.6, 1.2), rng.permutation(len(classes)), []
    for at in range(k):
        each = classes[order[at % len(classes)]]
        own = each.mean(axis=0)
        offset = own - middle
        if at >= len(classes):  # a further class: a mixture of the others, some columns turned around
            weights = rng.normal(size=len(offsets))
            offset = weights @ offsets / np.sqrt((weights**2).sum()) * 1.2
            offset = np.where(rng.random(len(own)) < 0.3, -offset, offset)
        parts.append(copula(each, sizes[at], rng) - own + middle + apart * offset)
    Z = np.vstack(parts)
    Z = Z[:, Z.std(axis=0) > 1e-9]
    return (Z - Z.mean(axis=0)) / Z.std(axis=0), np.repeat(np.arange(k), sizes)


def copula(X, n, rng):
    """Return points with the columns of others, and about their rank correlations; codes stay codes."""
    m, p = X.shape
    normal = ndtri((rankdata(X, axis=0) - 0.5) / m)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = np.nan_to_num(np.atleast_2d(np.corrcoef(normal.T)))
    shrinkage = min(0.9, p / (m + p))
    correlations = (1 - shrinkage) * correlations + shrinkage * np.eye(p)
    np.fill_diagonal(correlations, 1)
    variances, axes = np.linalg.eigh(correlations)
    variances = np.maximum(variances, 0)
    points = (rng.normal(size=(n, p)) * np.sqrt(variances)) @ axes.T
    places = ndtr(points / np.sqrt(np.maximum((axes**2 * variances).sum(axis=1), 1e-9))) * (m - 1)
    low = np.floor(places).astype(int).clip(0, m - 1)
    values = np.sort(X, axis=0)
    below, above = (np.take_along_axis(values, at, axis=0) for at in (low, np.minimum(low + 1, m - 1)))
    share = places - low
    rounded = np.array([len(np.unique(column)) <= max(2, m // 4) for column in X.T])
    return np.where(rounded, np.where(share < 0.5, below, above), below + share * (above - below))
