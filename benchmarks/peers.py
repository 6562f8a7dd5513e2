"""How fast is one index next to other packages? Ratios against those that can be imported; the others are named.

``pip install --group bench`` brings them. Values are compared first: two times are worth comparing only if the two
numbers are the same. What a package has is read from ``docs/variants.toml``. Run ``python benchmarks/peers.py`` for
100 to a million points; name peers or sizes for some: ``python benchmarks/peers.py permetrics 100``.

The bar is level with the peer from 5,000 points on, and 0.6 of its speed below: genieclust is compiled C++ that looks
at nothing before it computes, and 100 points take it one or two microseconds, which no call of Python with checks does.
"""

from __future__ import annotations

import ast
import importlib
import importlib.metadata
import sys
import tomllib
from pathlib import Path
from time import perf_counter

import numpy as np
from pairs import clustered, fastest, show

import clustval as cv

VARIANTS = tomllib.loads((Path(__file__).parents[1] / "docs" / "variants.toml").read_text(encoding="utf-8"))
SIZES = (100, 1_000, 5_000, 10_000, 100_000, 1_000_000)
COLUMNS = {"genieclust": (2, 8)}  # of the points; 8 for other peers
QUADRATIC = {"silhouette", "silhouette of each point", "silhouette_by_cluster", "dunn"}  # not of a million points
MOST_PAIRS = 5_000  # points of which each two are visited
SECONDS, FEWEST, MOST = 0.3, 3, 1000  # that a line may take, about; repeats
MANY, BAR, BAR_OF_FEW = 5_000, 1.0, 0.6
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


PAIRS = {one["name"] for one in cv.indices("internal") if one["cost"] != "linear"}
# Of genieclust: other values, which are ours times a number, by the number and what the package calls it.
SCALED = {
    "davies_bouldin": (-1.0, "negated_davies_bouldin_index"),
    "trace_w": (-1.0, "negated_wcss_index"),
}


def of_genieclust(_package, kind):
    theirs = {i: p["genieclust"]["name"] for i, p in VARIANTS[kind].items() if p.get("genieclust", {}).get("same")}
    module = importlib.import_module(f"genieclust.{'cluster_validity' if kind == 'internal' else 'compare_partitions'}")

    def function(call, factor=1.0):
        name, _, rest = call.partition("(")
        pairs = (option.split("=") for option in rest.rstrip(")").split(", ") if option)
        options = {option: ast.literal_eval(value) for option, value in pairs}
        return lambda data, labels: factor * getattr(module, name)(data, labels, **options)

    functions = {index: function(call) for index, call in theirs.items()}
    if kind == "internal":
        functions |= {index: function(call, factor) for index, (factor, call) in SCALED.items()}
    return functions


PEERS = {
    "scikit-learn": ("sklearn.metrics", of_scikit_learn),
    "permetrics": ("permetrics", of_permetrics),
    "genieclust": ("genieclust", of_genieclust),
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


def compare(peer, theirs, kind, data, at):
    """Each index alone, after a look at whether both sides give the same value."""
    n = len(data[0])
    bar = BAR_OF_FEW if peer == "genieclust" and n < MANY else BAR
    for name, other in theirs.items():
        if n > MOST_PAIRS and (name in QUADRATIC or name in PAIRS):
            continue
        ours = OURS.get(name) or getattr(getattr(cv, kind), name)
        values = ours(*data), other(*data)
        same = np.shape(values[0]) == np.shape(values[1]) and np.allclose(*values, rtol=1e-9)
        begin = perf_counter()
        _ = other(*data), ours(*data)
        repeats = int(max(FEWEST, min(MOST, SECONDS / (perf_counter() - begin))))
        times = fastest(lambda f=other: f(*data), lambda f=ours: f(*data), repeats=repeats)
        line(f"{peer} / {name}, {at}{'' if same else ', OTHER VALUE'}", times[0] / times[1], bar, times)


def line(what, ratio, bar, times):
    """Print how many times as fast we are, and both times in microseconds."""
    verdict = "ok" if ratio >= bar else "MISSED"
    print(
        f"{what:<66}{ratio:8.2f}x   >= {bar:3.1f}  {verdict:<7}{1e6 * times[0]:12.1f}{1e6 * times[1]:12.1f} us",
        flush=True,
    )


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
            for p in COLUMNS.get(peer, (8,)):
                at = f"n={n} p={p} k=5"
                compare(peer, functions(package, "internal"), "internal", clustered(n, p, 5), at)
            compare(peer, functions(package, "external"), "external", two_labellings(n), f"n={n}, 20 x 20")


if __name__ == "__main__":
    main()
