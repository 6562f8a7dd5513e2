"""How fast is one index next to other packages? Ratios against those that can be imported; the others are named.

``pip install --group bench`` brings them. Values are compared first: two times are worth comparing only if the two
numbers are the same. What a package has is read from ``docs/variants.toml``. Run ``python benchmarks/peers.py`` for
100, 1,000, 5,000 and a million points; name peers or sizes for some: ``python benchmarks/peers.py permetrics 100``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
import tomllib
from pathlib import Path

import numpy as np
from pairs import clustered, fastest, show

import clustval as cv

VARIANTS = tomllib.loads((Path(__file__).parents[1] / "docs" / "variants.toml").read_text(encoding="utf-8"))
SIZES = (100, 1_000, 5_000, 1_000_000)
QUADRATIC = {"silhouette", "silhouette of each point", "dunn"}  # of a million points, no peer is done today
BAR = 1
NBCLUST_SECONDS = 43.5  # R package NbClust, index = "all", n = 1,000, p = 4, Ward, k = 2 ... 10, such a machine
# Of permetrics: other values by default, in rare cases, or nowhere in the table.
CLOSE = {
    "internal": {
        "dunn": ("DI", {"use_modified": False}),
        "ksq_detw": ("KDI", {"use_normalized": False}),
        "banfeld_raftery": ("BRI", {}),
        "xie_beni": ("XBI", {}),
        "r_squared": ("RSI", {}),
    },
    "external": {
        "homogeneity": ("HS", {}),
        "completeness": ("CS", {}),
        "v_measure": ("VMS", {}),
    },
}


def of_scikit_learn(metrics, kind):
    names = {index: peers["scikit-learn"]["name"] for index, peers in VARIANTS[kind].items() if "scikit-learn" in peers}
    theirs = {index: getattr(metrics, name) for index, name in names.items()}
    if kind == "internal":
        return theirs | {"silhouette of each point": metrics.silhouette_samples}
    return theirs | {
        "three at once": metrics.homogeneity_completeness_v_measure,
        "table": metrics.cluster.contingency_matrix,
        "pairs": metrics.cluster.pair_confusion_matrix,
    }


def of_permetrics(package, kind):
    same = {i: (p["permetrics"]["name"], {}) for i, p in VARIANTS[kind].items() if p.get("permetrics", {}).get("same")}
    first = "X" if kind == "internal" else "y_true"

    def function(code, options):
        return lambda data, labels: getattr(package.ClusteringMetric(**{first: data}, y_pred=labels), code)(**options)

    return {index: function(*call) for index, call in (same | CLOSE[kind]).items()}


PEERS = {
    "scikit-learn": ("sklearn.metrics", of_scikit_learn),
    "permetrics": ("permetrics", of_permetrics),
}


def silhouettes(X, labels):
    return cv.evaluate(X, labels, "silhouette").per_point("silhouette")


def three(truth, labels):
    return list(cv.agreement(truth, labels, ["homogeneity", "completeness", "v_measure"]).values())


OURS = {
    "silhouette of each point": silhouettes,
    "three at once": three,
    "table": lambda truth, labels: cv.contingency(truth, labels).table,
    # As scikit-learn counts: each pair twice, those apart in both first.
    "pairs": lambda truth, labels: 2 * cv.concordance(truth, labels)[::-1, ::-1],
}


def compare(peer, theirs, kind, data, at, repeats):
    """Each index alone, after a look at whether both sides give the same value."""
    for name, other in theirs.items():
        if name in QUADRATIC and len(data[0]) > 10**5:
            continue
        ours = OURS.get(name) or getattr(getattr(cv, kind), name)
        values = ours(*data), other(*data)
        same = np.shape(values[0]) == np.shape(values[1]) and np.allclose(*values, rtol=1e-9)
        times = fastest(lambda f=other: f(*data), lambda f=ours: f(*data), repeats=repeats)
        show(f"{peer} / {name}, {at}{'' if same else ', OTHER VALUE'}", times[0] / times[1], BAR, times)


def nbclust():
    """Every index for nine partitions by Ward's method, on the size for which NbClust's time is known."""
    X, _ = clustered(1_000, 4, 5)
    (ours,) = fastest(lambda: cv.sweep(X, linkage="ward", k=range(2, 11), indices="all"), repeats=5)
    show("NbClust / every index, n=1000 p=4 k=2...10", NBCLUST_SECONDS / ours, 20, (NBCLUST_SECONDS, ours))


def two_labellings(n, k=20, kept=0.7):
    """Two labellings that agree on most points."""
    rng = np.random.default_rng(0)
    truth = rng.permutation(np.arange(n) % k)
    return truth, np.where(rng.random(n) < kept, truth, rng.integers(0, k, n))


def main():
    arguments = sys.argv[1:]
    sizes = [int(argument) for argument in arguments if argument.isdigit()] or SIZES
    peers = [argument for argument in arguments if not argument.isdigit()] or PEERS
    if not arguments:
        nbclust()
    for peer in peers:
        module, functions = PEERS[peer]
        try:
            package = importlib.import_module(module)
        except ImportError:
            print(f"{peer} is not installed: pip install --group bench", flush=True)
            continue
        print(f"{peer} {importlib.metadata.version(peer)}", flush=True)
        for n in sizes:
            repeats = max(5, min(200, 200_000 // n))
            compare(peer, functions(package, "internal"), "internal", clustered(n, 8, 5), f"n={n} p=8 k=5", repeats)
            compare(peer, functions(package, "external"), "external", two_labellings(n), f"n={n}, 20 x 20", repeats)


if __name__ == "__main__":
    main()
