"""What else can be asked of clusters: which words are theirs, whether they follow a batch, whether they come back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.categories import is_missing
from clustval.diagnosis.verdicts import holm
from clustval.errors import InputError
from clustval.inputs import as_labels
from clustval.relative.clusterwise import common_shares
from clustval.relative.estimators import Clusterer
from clustval.seeding import TaskGenerator
from clustval.tables import Table

WORD = re.compile(r"\w[\w'-]+")
WORDS = 8  # of each cluster
DOCUMENTS = 3
LENGTH = 120  # letters of a document that are shown
PERMUTATIONS = 999
SAMPLES = 20
NULL_DRAWS, NULL_SAMPLES = 3, 7


def topics(texts: Any, codes: Integers, names: Sequence[Any]) -> Table:
    """Return the words of each cluster by class-based TF-IDF, and three typical and three foreign documents.

    A word weighs its share of the words of the cluster times log(1 + A / f): A is the mean number of words of a
    cluster, f how often the word occurs in all. A document is typical if its words weigh much in its cluster. A row
    whose text is missing has no document.
    """
    texts = list(texts)
    missing = np.array([is_missing(text) for text in texts], dtype=bool)
    documents = ["" if is_missing(text) else str(text) for text in texts]
    if len(documents) != len(codes):
        msg = f"X has {len(codes)} rows but texts has {len(documents)} entries."
        raise InputError(msg)
    tokens = [[word.lower() for word in WORD.findall(text)] for text in documents]
    counts = [Counter[str]() for _ in names]
    for words, code in zip(tokens, codes.tolist(), strict=True):
        if code >= 0:
            counts[code].update(words)
    overall = sum(counts, Counter[str]())
    mean = sum(overall.values()) / max(len(names), 1)
    columns: dict[str, list[Any]] = {"cluster": [], "words": [], "typical": [], "foreign": []}
    for code, name in enumerate(names):
        total = max(sum(counts[code].values()), 1)
        weights = {word: count / total * np.log1p(mean / overall[word]) for word, count in counts[code].items()}
        best = sorted(weights, key=lambda word: (-weights[word], word))[:WORDS]
        members = np.flatnonzero((codes == code) & ~missing)
        fit = [sum(weights[word] for word in tokens[row]) / max(len(tokens[row]), 1) for row in members]
        order = members[np.argsort(-np.array(fit), kind="stable")] if len(members) else members
        typical = [_short(documents[row]) for row in order[:DOCUMENTS]]
        foreign = [_short(documents[row]) for row in order[::-1][: min(DOCUMENTS, max(0, len(order) - DOCUMENTS))]]
        for column, value in zip(
            columns, (name, ", ".join(best), " | ".join(typical), " | ".join(foreign)), strict=True
        ):
            columns[column].append(value)
    return Table({name: objects(values) for name, values in columns.items()})


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= LENGTH else f"{line[: LENGTH - 4]} ..."


def objects(values: Sequence[Any]) -> np.ndarray:
    """Return values of any kind as an array of one dimension."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def batches(batch: Any, codes: Integers, names: Sequence[Any], rng: np.random.Generator, rows: Any = None) -> Table:
    """Return how batches are mixed in each cluster: entropy in bits, what chance gives, and a permutation p-value.

    The null: points are dealt out to clusters of these sizes without regard to batches. The p-value is the share of
    999 deals in which the cluster has as little entropy; `p_holm` is adjusted for the number of clusters.
    """
    labels = as_labels(batch, "batch", noise="cluster", rows=rows)
    if len(labels.codes) != len(codes):
        msg = f"X has {len(codes)} rows but batch has {len(labels.codes)} entries."
        raise InputError(msg)
    inside = codes >= 0
    totals = np.bincount(labels.codes[inside], minlength=labels.k)
    entropies, expected, p_values, largest = [], [], [], []
    for code in range(len(names)):
        counts = np.bincount(labels.codes[codes == code], minlength=labels.k)
        drawn = _entropy(rng.multivariate_hypergeometric(totals, int(counts.sum()), PERMUTATIONS, method="marginals"))
        seen = float(_entropy(counts[None])[0])
        entropies.append(seen)
        expected.append(float(drawn.mean()))
        p_values.append((1 + int(np.count_nonzero(drawn <= seen + 1e-12))) / (PERMUTATIONS + 1))
        largest.append(labels.names[int(counts.argmax())])
    return Table(
        {
            "cluster": objects(names),
            "entropy": np.array(entropies),
            "expected": np.array(expected),
            "largest": objects(largest),
            "p_value": np.array(p_values),
            "p_holm": np.array(holm(p_values)),
        }
    )


def _entropy(counts: Any) -> Floats:
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))


def stability(X: Floats, codes: Integers, k: int, cluster: Clusterer, generator: TaskGenerator) -> tuple[Floats, float]:
    """Return how well each cluster comes back from samples (mean Jaccard), and what clusters of no structure give.

    Samples are half of the points. The null is a Gaussian with the same mean and covariance, clustered by the same
    algorithm and sampled alike: the mean over its clusters.
    """
    seen = np.mean([_recovered(X, codes, k, cluster, generator(7, at)) for at in range(SAMPLES)], axis=0)
    values = []
    for draw in range(NULL_DRAWS):
        rng = generator(8, draw)
        Z = gaussian_like(X, rng)
        labels = cluster(Z, k, rng)
        number = int(labels.max()) + 1
        if number == 0:  # all noise: no cluster that could come back
            values += [0.0] * NULL_SAMPLES
            continue
        values += [_recovered(Z, labels, number, cluster, generator(9, draw, at)).mean() for at in range(NULL_SAMPLES)]
    return seen, float(np.mean(values))


def gaussian_like(X: Floats, rng: np.random.Generator) -> Floats:
    """Return as many points of a Gaussian with the mean and the covariance of others."""
    n, p = X.shape
    mean = X.mean(axis=0)
    if p < n:
        return rng.multivariate_normal(mean, np.atleast_2d(np.cov(X.T)), n, method="eigh")
    # Random sums of rows have that covariance, too, and many columns no table of each two.
    return np.asarray(mean + rng.normal(size=(n, n)) @ (X - mean) / np.sqrt(n - 1))


def _recovered(X: Floats, codes: Integers, k: int, cluster: Clusterer, rng: np.random.Generator) -> Floats:
    """Return the largest share of common points with a cluster of a half of the data, for each cluster."""
    rows = rng.permutation(len(X))[: max(len(X) // 2, k + 1)]
    labels = cluster(X[rows], k, rng)
    shares, _ = common_shares(codes[rows], labels, k)
    return np.asarray(shares.max(axis=1, initial=0))
