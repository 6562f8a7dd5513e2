"""How fast is one index next to other packages? Ratios against those that can be imported; the others are named.

``pip install --group bench`` brings them. Values are compared first: two times are worth comparing only if the two
numbers are the same. Run ``python benchmarks/peers.py``, or name peers: ``python benchmarks/peers.py permetrics``.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys

import numpy as np
from pairs import clustered, fastest, show

import clustval as cv

PAIRS = {"silhouette": 5, "dunn": 2}
LINEAR = ("davies_bouldin", "calinski_harabasz", "xie_beni", "det_ratio")
EXTERNAL = ("adjusted_rand", "fowlkes_mallows", "jaccard", "v_measure", "purity")
NBCLUST_SECONDS = 43.5  # R package NbClust, index = "all", n = 1,000, p = 4, Ward, k = 2 ... 10, such a machine
SMALL, LARGE = 0.3, 1  # small data take a millisecond or two, most of it to check the input


def of_scikit_learn(metrics):
    names = {name: f"{name}_score" for name in ("silhouette", "davies_bouldin", "calinski_harabasz")}
    names |= {"adjusted_rand": "adjusted_rand_score", "fowlkes_mallows": "fowlkes_mallows_score"}
    names["v_measure"] = "v_measure_score"
    return {name: getattr(metrics, theirs) for name, theirs in names.items()}


def of_permetrics(package):
    metric = package.ClusteringMetric
    internal = {"silhouette": "SI", "davies_bouldin": "DBI", "calinski_harabasz": "CHI", "xie_beni": "XBI"}
    internal["det_ratio"] = "DRI"
    external = {"adjusted_rand": "ARS", "fowlkes_mallows": "FMS", "jaccard": "JS", "v_measure": "VMS", "purity": "PuS"}
    return {
        **{name: lambda X, y, code=code: getattr(metric(X=X, y_pred=y), code)() for name, code in internal.items()},
        **{name: lambda t, y, code=code: getattr(metric(t, y), code)() for name, code in external.items()},
        "dunn": lambda X, y: metric(X=X, y_pred=y).DI(use_modified=False),
    }


PEERS = {
    "scikit-learn": ("sklearn.metrics", of_scikit_learn),
    "permetrics": ("permetrics", of_permetrics),
}


def compare(peer, theirs, ours, bars, data, at, repeats=7):
    """Each index alone, after a look at whether both sides give the same value."""
    for name, bar in bars.items():
        if name not in theirs:
            continue
        mine, other = (lambda f=f: f(*data) for f in (getattr(ours, name), theirs[name]))
        same = np.isclose(mine(), other(), rtol=1e-9)
        times = fastest(other, mine, repeats=repeats)
        show(f"{peer} / {name}, {at}{'' if same else ', OTHER VALUE'}", times[0] / times[1], bar, times)


def at_once(peer, theirs, names, bar, data, at, repeats=7):
    """Several indices: theirs one after another, ours in one call."""
    common = [name for name in names if name in theirs]
    times = fastest(
        lambda: [theirs[name](*data) for name in common], lambda: cv.evaluate(*data, common), repeats=repeats
    )
    show(f"{peer} / {len(common)} at once, {at}", times[0] / times[1], bar, times)


def nbclust():
    """Every index for nine partitions by Ward's method, on the size for which NbClust's time is known."""
    X, _ = clustered(1_000, 4, 5)
    (ours,) = fastest(lambda: cv.sweep(X, linkage="ward", k=range(2, 11), indices="all"), repeats=5)
    show("NbClust / every index, n=1000 p=4 k=2...10", NBCLUST_SECONDS / ours, 20, (NBCLUST_SECONDS, ours))


def main():
    nbclust()
    for peer in sys.argv[1:] or PEERS:
        module, functions = PEERS[peer]
        try:
            theirs = functions(importlib.import_module(module))
        except ImportError:
            print(f"{peer} is not installed: pip install --group bench", flush=True)
            continue
        print(f"{peer} {importlib.metadata.version(peer)}", flush=True)
        for n in (2_000, 5_000):
            compare(peer, theirs, cv.internal, PAIRS, clustered(n, 8, 5), f"n={n} p=8 k=5")
        for n, bar in ((5_000, SMALL), (1_000_000, LARGE)):
            data, at = clustered(n, 8, 5), f"n={n} p=8 k=5"
            compare(peer, theirs, cv.internal, dict.fromkeys(LINEAR, bar), data, at)
            at_once(peer, theirs, LINEAR, bar, data, at)
        rng = np.random.default_rng(0)
        truth = rng.integers(0, 20, 1_000_000)
        labels = np.where(rng.random(1_000_000) < 0.7, truth, rng.integers(0, 20, 1_000_000))
        compare(peer, theirs, cv.external, dict.fromkeys(EXTERNAL, 10), (truth, labels), "n=1000000, 20 x 20")


if __name__ == "__main__":
    main()
