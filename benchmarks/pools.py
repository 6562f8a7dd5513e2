"""Which algorithms are worth their place among the candidates of cv.choose: agreement with the truth, by pool.

``python benchmarks/pools.py --data FOLDER --tables FOLDER`` prints, for several sets of algorithms, the agreement
(adjusted Rand index with the truth) of the best candidate and of the one that is chosen, and how much the latter
changes beside the first set, with its standard error. ``--made N`` adds N made sets, ``--alike N`` adds N tables made
like each table, ``--directions N`` N sets of directions and N of made documents, which are compared by cosines.
Folders are those of ``choosing.py``.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import numpy as np
from choosing import truth_of
from made_data import made
from real_tables import made_like, tables

import clustval as cv

EARLIER = ("ward", "average", "complete", "single", "genie", "k-means", "hdbscan", "spectral", "mixture")
FURTHER = ("spherical k-means", "k-means on axes", "shrunk mixture")
POOLS = {"earlier": EARLIER, "with leiden": (*EARLIER, "leiden")}
POOLS |= {f"with {name}": (*EARLIER, name) for name in FURTHER}
POOLS |= {f"with leiden, {name}": (*EARLIER, "leiden", name) for name in FURTHER}
FIRST = 9000  # seeds of made data


def sets(arguments):
    """Yield the kind, the metric, the points and the truths of each set; 0 is noise."""
    for path in sorted(Path(arguments.data).rglob("*.data.gz")) if arguments.data else ():
        yield "shapes", "euclidean", np.loadtxt(path, ndmin=2), truth_of(path)
    for name, X, y, _labels in tables(arguments.tables) if arguments.tables else ():
        truth = np.unique(y, return_inverse=True)[1] + 1
        yield "tables", "euclidean", X, [truth]
        if arguments.directions:
            yield "tables, cosine", "cosine", X, [truth]
        for Z, labels in itertools.islice(made_like(name, X, y), arguments.alike):
            yield "made like tables", "euclidean", Z, [labels + 1]
    for seed in range(FIRST, FIRST + arguments.made):
        X, labels, _kind = made(seed)
        yield "made", "euclidean", X, [labels]
    for seed in range(arguments.directions):
        for kind, maker in (("directions, cosine", directions), ("documents, cosine", documents)):
            X, labels = maker(np.random.default_rng([5, seed]))
            yield kind, "cosine", X, [labels + 1]


def directions(rng):
    """Return points of any length whose directions scatter around those of 2 to 8 centres, more or less."""
    k, p, n = (int(rng.choice(some)) for some in ([2, 3, 4, 6, 8], [5, 10, 30, 100], [200, 400, 800]))
    labels = rng.choice(k, n, p=rng.dirichlet(np.full(k, 5.0)))
    centres = rng.normal(size=(k, p))
    centres /= np.linalg.norm(centres, axis=1, keepdims=True)
    widths = rng.uniform(0.5, 1.5, k) * rng.uniform(0.9, 1.65) / np.sqrt(p)
    X = centres[labels] + widths[labels][:, None] * rng.normal(size=(n, p))
    return X / np.linalg.norm(X, axis=1, keepdims=True) * rng.lognormal(0, 0.5, (n, 1)), labels


def documents(rng):
    """Return weighted counts of words in documents of 2 to 8 topics, which share part of their words."""
    k, p, n = (int(rng.choice(some)) for some in ([2, 3, 4, 6, 8], [100, 300], [200, 400, 800]))
    labels = rng.choice(k, n, p=rng.dirichlet(np.full(k, 5.0)))
    common, topics = rng.dirichlet(np.full(p, 0.3)), rng.dirichlet(np.full(p, 0.1), k)
    own = rng.uniform(0.2, 0.6)
    lengths = np.maximum(rng.poisson(rng.choice([40, 100, 300]), n), 5)
    counts = np.array(
        [rng.multinomial(m, (1 - own) * common + own * topics[t]) for m, t in zip(lengths, labels, strict=True)]
    )
    X = np.log1p(counts) * np.log(n / np.maximum((counts > 0).sum(axis=0), 1))
    some = X.any(axis=1)
    return X[some], labels[some]


def agreements(X, metric, truths, names):
    """Return the agreement of the best candidate and of the chosen one with the truth."""
    choice = cv.choose(X, list(names), metric=metric, null=False, stability=False, random_state=0, n_jobs=1)
    values = {
        name: max(cv.external.adjusted_rand(truth[truth > 0], labels[truth > 0]) for truth in truths)
        for name, labels in choice.candidates.items()
    }
    return max(values.values()), values[choice.best]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", help="a folder of labelled sets")
    parser.add_argument("--tables", help="a folder of tables")
    for name in ("--made", "--alike", "--directions"):
        parser.add_argument(name, type=int, default=0)
    rows = {}
    for kind, metric, X, truths in sets(parser.parse_args()):
        values = [agreements(X, metric, truths, names) for names in POOLS.values()]
        rows.setdefault(kind, []).append(values)
    for kind, values in rows.items():
        table = np.array(values)
        print(f"{kind}: {len(table)} sets")
        for at, name in enumerate(POOLS):
            best, picks = table[:, at].T
            change = picks - table[:, 0, 1]
            error = change.std() / np.sqrt(len(change))
            print(
                f"  {name:32} best {best.mean():.3f}  chosen {picks.mean():.3f}  regret {(best - picks).mean():.3f}"
                f"  change {change.mean():+.4f} (standard error {error:.4f})"
            )


if __name__ == "__main__":
    main()
