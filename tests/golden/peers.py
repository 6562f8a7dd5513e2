"""Write what other Python packages give on the golden data, which proves what docs/variants.toml says of them.

Run by hand where packages of the versions that it names are installed: ``python tests/golden/peers.py``. No environment
takes them all at once; those that cannot be imported keep the values that peers.json has.
"""

from __future__ import annotations

import ast
import csv
import importlib
import json
import math
import tomllib
from importlib.metadata import version
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parent
VARIANTS = GOLDEN.parents[1] / "docs" / "variants.toml"
FILE = GOLDEN / "peers.json"
DISTRIBUTIONS = {"pycvi": "pycvi-lib"}  # where it is not called as the package is


def table(name):
    with (GOLDEN / f"{name}.csv").open() as file:
        rows = list(csv.DictReader(file))
    return {key: [row[key] for row in rows] for key in rows[0]}


def codes(labels):
    return np.unique(labels, return_inverse=True)[1]


def points():
    """Return points and labels by name: golden data, and Iris with its labels moved on, so that clusters overlap."""
    data = {}
    for name in ("a_iris4", "g_int200", "i_singleton120"):
        columns = table(name)
        labels = codes(columns.pop("label"))
        data[name] = np.column_stack([np.array(column, dtype=float) for column in columns.values()]), labels
    X, labels = data["a_iris4"]
    data["a_iris4 overlapping"] = X, np.roll(labels, 17)
    return data


def pairs():
    """Return pairs of labellings by name: as many clusters as classes, more, and fewer."""
    iris, random = table("iris_uci_pc2"), table("external/p02_n150")
    species, p1, p2 = codes(iris["species"]), codes(random["p1"]), codes(random["p2"])
    return {
        "good": (species, codes(iris["good"])),
        "bad": (species, codes(iris["bad"])),
        "more": (p1, p2),
        "fewer": (p2, p1),
    }


def call(text):
    """Return the name and the options of a call, or of a name alone."""
    tree = ast.parse(text, mode="eval").body
    if not isinstance(tree, ast.Call):
        return text, {}
    return ast.unparse(tree.func), {word.arg: ast.literal_eval(word.value) for word in tree.keywords}


def members(labels):
    return [np.flatnonzero(labels == code).tolist() for code in np.unique(labels)]


def permetrics(kind, name, first, labels, **options):
    given = "X" if kind == "internal" else "y_true"
    metric = importlib.import_module("permetrics").ClusteringMetric(**{given: first}, y_pred=labels)
    return getattr(metric, name)(**options)


def genieclust(kind, name, first, labels, **options):
    module = importlib.import_module("genieclust")
    functions = module.cluster_validity if kind == "internal" else module.compare_partitions
    return getattr(functions, name)(first, labels, **options)


def pyclustkit(_kind, name, first, labels):
    toolbox = importlib.import_module("pyclustkit.eval").CVIToolbox(first, labels)
    toolbox.calculate_icvi(cvi=[name])
    return toolbox.cvi_results[name]


def pycvi(kind, name, first, labels):
    if kind == "external":
        return getattr(importlib.import_module("pycvi.vi"), name)(members(first), members(labels))
    options = {"k": labels.max() + 1} if name in {"CH", "MB"} else {}
    return getattr(importlib.import_module("pycvi.cvi_func"), name)(first, members(labels), **options)


def clusim(_kind, name, first, labels, **options):
    clustering = importlib.import_module("clusim.clustering").Clustering
    both = (clustering().from_membership_list(side.tolist()) for side in (first, labels))
    return getattr(importlib.import_module("clusim.sim"), name)(*both, **options)


def cvi(_kind, name, first, labels):
    return getattr(importlib.import_module("cvi"), name)().get_cvi(first, labels)


PACKAGES = (permetrics, genieclust, pyclustkit, pycvi, clusim, cvi)


def value(package, *arguments, **options):
    """Return what the package gives, as JSON can hold it: None for no value, infinities as text."""
    try:
        found = float(package(*arguments, **options))
    except Exception:  # noqa: BLE001 - each package fails in its own way
        return None
    return None if math.isnan(found) else found if math.isfinite(found) else str(found)


def main():
    variants = tomllib.loads(VARIANTS.read_text(encoding="utf-8"))
    values = json.loads(FILE.read_text()) if FILE.exists() else {}
    for package in PACKAGES:
        peer = package.__name__
        try:
            importlib.import_module(peer)
        except ImportError:
            continue
        values[peer] = {"version": version(DISTRIBUTIONS.get(peer, peer))}
        for kind, data in (("internal", points()), ("external", pairs())):
            names = {claims[peer]["name"] for claims in variants[kind].values() if peer in claims}
            for name in sorted(names):
                function, options = call(name)
                values[peer].setdefault(kind, {})[name] = {
                    where: value(package, kind, function, first, labels, **options)
                    for where, (first, labels) in data.items()
                }
    FILE.write_text(json.dumps(values, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
