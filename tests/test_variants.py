"""What docs/variants.toml says of other packages, proven by their numbers; and the pages that are made of it."""

from __future__ import annotations

import functools
import importlib.util
import math
import re

import brute_force
import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.suites import SUITES
from conftest import GOLDEN, PAIRS, golden, golden_pair, golden_set


def module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


pages = module(GOLDEN.parents[1] / "docs" / "index_pages.py")
peers = module(GOLDEN / "peers.py")

catalogue.load()
PACKAGES = pages.VARIANTS["packages"]
COMPARED = [kind for kind in KINDS if kind in pages.VARIANTS]
CLAIMS = [
    pytest.param(kind, index, package, claim, id=f"{kind}-{index}-{package}")
    for kind in COMPARED
    for index, claims in pages.VARIANTS[kind].items()
    for package, claim in claims.items()
]
INDICES = [pytest.param(index, id=f"{kind}-{index.name}") for kind in KINDS for index in KINDS[kind].indices.values()]
SETS = ("a_iris4", "b_iris_pc2", "d_blobs400", "e_overlap600", "g_int200", "i_singleton120")
OF_NBCLUST = {  # further partitions that it was given: data set, method, number of clusters
    "a_iris4 in 6": ("a_iris4", "ward.D2", "6"),
    "d_blobs400 in 4": ("d_blobs400", "kmeans", "4"),
}
PYTHON = golden("peers")
# Their code, that is; no numbers are kept.
READ = {
    *("torchmetrics", "clusteval", "cdlib", "river", "Clustering.jl", "dendextend", "UniversalCVI", "dtwclust", "CVIK"),
    *("hdbscan", "dbcv"),
}
PRECISION = {"clusterCrit": 1e-6}  # it has single precision in places


def of_brute_force(name):
    data = brute_force.data(name)
    crisp = data["kmeans"][3] if (data["truth"] == -1).any() else data["truth"]
    return {"kmeans3": (data["X"], data["kmeans"][3]), "crisp": (data["X"], crisp)}


@functools.cache
def data(kind):
    """Return what the packages were given, by name: points and labels, or two labellings."""
    if kind == "trees":
        sets = ((name, brute_force.values(name, "B")["linkage_average"]) for name in brute_force.SETS)
        return {name: (Z, brute_force.data(name)["X"]) for name, Z in sets}
    if kind == "graph":
        sets = {name: brute_force.data(name) for name in brute_force.SETS}
        return {name: (cv.graph.adjacency(each["X"], neighbours=6), each["kmeans"][2]) for name, each in sets.items()}
    if kind == "categorical":
        sets = {name: np.array(brute_force.values(name, "F")["categories"]) for name in brute_force.SETS}
        return {name: (table, brute_force.data(name)["kmeans"][3]) for name, table in sets.items()}
    if kind == "internal":
        further = {
            where: (golden_set(name)[0], golden(f"{name}.nbclust")[method]["partitions"][k])
            for where, (name, method, k) in OF_NBCLUST.items()
        }
        second = {
            f"{name}, {which}": given for name in brute_force.SETS for which, given in of_brute_force(name).items()
        }
        return {**{name: golden_set(name)[:2] for name in SETS}, **peers.points(), **further, **second}
    found = {name: (labels, labels) for name, (_, labels) in data("internal").items()}  # for entropies of fpc
    found |= {name: golden_pair(name)[:2] for name in PAIRS}
    return {**found, **peers.pairs()}


@functools.cache
def of_scikit_learn(kind, name):
    from sklearn import metrics

    return {where: getattr(metrics, name)(*given) for where, given in data(kind).items()}


def of_scipy(kind, name):
    from scipy.cluster import hierarchy
    from scipy.spatial.distance import pdist

    return {where: getattr(hierarchy, name)(Z, pdist(X))[0] for where, (Z, X) in data(kind).items()}


def of_networkx(name, edges, n, codes):
    import networkx as nx

    graph = nx.empty_graph(n)
    graph.add_edges_from(edges)
    one, other = (set(np.flatnonzero(codes == code).tolist()) for code in (0, 1))
    return {
        "modularity": lambda: nx.community.modularity(graph, [one, other]),
        "conductance": lambda: nx.conductance(graph, one),
        "normalized_cut_size": lambda: nx.normalized_cut_size(graph, one, other),
        "partition_quality[0]": lambda: nx.community.partition_quality(graph, [one, other])[0],
        "partition_quality[1]": lambda: nx.community.partition_quality(graph, [one, other])[1],
    }[name]()


def of_igraph(name, edges, n, codes):
    import igraph

    return getattr(igraph.Graph(n, edges), name)(codes.tolist())


def of_leidenalg(name, edges, n, codes):
    import igraph
    import leidenalg

    return getattr(leidenalg, name.partition(".")[0])(igraph.Graph(n, edges), codes.tolist()).quality()


OF_GRAPHS = {"networkx": of_networkx, "igraph": of_igraph, "leidenalg": of_leidenalg}


def of_graphs(package, name):
    """Return what a package gives of the graphs, from the edges of each."""
    found = {}
    for where, (graph, codes) in data("graph").items():
        edges = np.column_stack([graph.tails, graph.edges.others]).tolist()
        found[where] = OF_GRAPHS[package](name, edges, graph.n, codes)
    return found


def of_kmodes():
    """Return the cost of each clustering by the function of the package that adds it up, at the modes of clusters."""
    from kmodes.kmodes import labels_cost
    from kmodes.util.dissim import matching_dissim

    found = {}
    for where, (table, labels) in data("categorical").items():
        modes = [[np.bincount(column).argmax() for column in table[labels == c].T] for c in np.unique(labels)]
        own = [labels_cost(table[labels == c], np.array([modes[c]]), matching_dissim)[1] for c in np.unique(labels)]
        found[where] = sum(own)
    return found


def of_r(kind, package, name):
    version = PACKAGES[package]["version"].replace(".", "_")
    if name == "cdbw":
        return {
            f"{where}, kmeans3": brute_force.values(where, "A")["kmeans3"]["cdbw_fpc"]["cdbw"]
            for where in brute_force.SETS
        }
    if name.startswith("cqcluster.stats"):  # by brute force, which the package was found to agree with
        key = name.split()[1].replace("pearsongamma", "pearson_gamma")
        oriented = {where: brute_force.values(where, "H")["hennig_oriented_crisp"] for where in brute_force.SETS}
        return {f"{where}, crisp": values[key] for where, values in oriented.items()}
    found = {}
    if package == "NbClust":
        for where, (each, method, k) in OF_NBCLUST.items():
            values = golden(f"{each}.nbclust")[method]["full_precision"]
            found |= {where: values[name][k]} if name in values else {}
    for where in SETS if kind == "internal" or name == "entropy" else PAIRS:
        record = golden(f"{where}.golden" if where in SETS else f"external/{where}.golden")
        if package == "clusterCrit":
            found[where] = record[f"clusterCrit_{version}"][name.lower()]
        elif package == "NbClust":
            key = "sdindex_alpha_is_dis" if name == "sdindex" else name
            found[where] = record[f"NbClust_{version}_given_partition"][key]
        elif package == "mclust":
            found[where] = record[f"mclust_{version}_{name}"]
        elif where in SETS:
            assert record["fpc_cluster"]["fpc_version"] == PACKAGES[package]["version"]
            found[where] = record["fpc_cluster"]["cluster_stats_scalars"][name]
        else:
            found[where] = record[f"fpc_{version}"][name]
    return found


def theirs(kind, package, name):
    """Return what the package gives on each data set; NaN where that is no number."""
    if package in READ:
        return {}
    if package == "scikit-learn":
        values = of_scikit_learn(kind, name)
    elif package == "SciPy":
        values = of_scipy(kind, name)
    elif package == "kmodes":
        values = of_kmodes()
    elif package in OF_GRAPHS:
        values = of_graphs(package, name)
    elif package in PYTHON:
        assert PYTHON[package]["version"] == PACKAGES[package]["version"]
        values = PYTHON[package][kind][name]
    else:
        values = of_r(kind, package, name)
    return {where: math.nan if value in (None, "NA") else float(value) for where, value in values.items()}


@functools.cache
def ours(kind, text, where):
    """Return the value here of an index, as in "tau", "zaki:vi" or "mutual_info(base=2)"."""
    first, labels = data(kind)[where]
    if "(" in text:
        name, options = peers.call(text)
        return getattr(getattr(cv, kind), name)(first, labels, **options)
    (value,) = getattr(cv, kind).evaluate(first, labels, indices=text).values()
    return value


def test_a_claim_is_of_an_index_and_a_package_that_are_known():
    for kind, index, package, claim in (parameters.values for parameters in CLAIMS):
        assert index in KINDS[kind].indices
        assert package in PACKAGES
        assert {"name", "same"} <= set(claim) <= {"name", "same", "ours", "note"}
        assert isinstance(claim["same"], bool)
        if claim["same"]:
            assert "ours" not in claim
        else:
            assert claim["note"]
        assert not re.search(r"[|\n]|[.]$|^[A-Z][a-z]+ ", claim.get("note", "")), claim


@pytest.mark.parametrize(("kind", "index", "package", "claim"), CLAIMS)
def test_a_package_gives_the_same_value_or_another_as_the_file_says(kind, index, package, claim):
    precision = {"rel": PRECISION.get(package, 1e-9), "abs": 1e-14, "nan_ok": True}
    found = theirs(kind, package, claim["name"])
    if not found:
        assert package in READ
        assert not claim["same"]
        return
    other = [where for where, value in found.items() if value != approx(ours(kind, index, where), **precision)]
    assert claim["same"] is not bool(other), other
    if "ours" in claim:
        for where, value in found.items():
            assert math.isnan(value) or value == approx(ours(kind, claim["ours"], where), **precision), where


@pytest.mark.parametrize("kind", COMPARED)
def test_every_index_of_a_source_was_compared(kind):
    members = {meant for _, meant, _ in pages.meanings(kind)}
    assert members <= {*pages.VARIANTS[kind], *pages.VARIANTS["sweeps"]}


@pytest.mark.parametrize("kind", COMPARED)
def test_every_name_of_clustercrit_and_scikit_learn_is_on_a_page(kind):
    listed = {
        package: {claims[package]["name"] for claims in pages.VARIANTS[kind].values() if package in claims}
        for package in ("clusterCrit", "scikit-learn")
    }
    names = golden("names").get(kind, ())
    assert set(names) - listed["clusterCrit"] <= {"GDI11"}  # which is Dunn
    assert set(SUITES["sklearn"].get(kind, ())) <= listed["scikit-learn"]


def test_the_exceptions_of_scikit_learn_are_as_noted():
    from sklearn import metrics

    apart = [[0], [0], [1], [1]], [0, 0, 1, 1]
    assert (metrics.calinski_harabasz_score(*apart), cv.internal.calinski_harabasz(*apart)) == (1, math.inf)
    around = [[-1], [1], [-2], [2]], [0, 0, 1, 1]
    assert (metrics.davies_bouldin_score(*around), cv.internal.davies_bouldin(*around)) == (0, math.inf)
    single = [0, 1, 2], [0, 1, 2]
    assert (metrics.fowlkes_mallows_score(*single), cv.external.fowlkes_mallows(*single)) == (0, 1)
    X, labels = golden_set("a_iris4")[:2]
    far = X + 1e8
    assert metrics.silhouette_score(far, labels) != approx(metrics.silhouette_score(far - 1e8, labels), rel=1e-3)
    assert cv.internal.silhouette(far, labels) == approx(cv.internal.silhouette(far - 1e8, labels), rel=1e-9)


@pytest.mark.parametrize("index", INDICES)
def test_a_page_has_every_part(index):
    text = pages.page(index)
    assert text.startswith(f"# {index.name}\n")
    formula = text.index(".. math::")
    assert re.search(rf"^>>> .*{index.name}\(.*\n-?[\d.]+$", text[formula:], re.MULTILINE)
    cells = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE))
    low, high = index.bounds
    assert cells["direction"] == index.best.better
    assert cells["rule"] == index.best.name
    assert cells["range"] == f"{low:g} … {high:g}"
    assert cells["cost"].startswith("grows with the number of ")
    parts = dict(re.findall(r"^## (.+)\n\n((?:(?!^## ).*\n)+)", text, re.MULTILINE))
    assert list(parts) == ["How to read it", "In other packages", "Reference"]
    judged = "describes" if index.best.better == "neither" else f"{index.best.better.capitalize()} is better."
    assert judged in parts["How to read it"]
    for package, claim in pages.VARIANTS.get(index.kind, {}).get(index.name, {}).items():
        answer = "yes" if claim["same"] else "no"
        row = rf"^\| {re.escape(package)} .*\| `{re.escape(claim['name'])}` \| {answer} \|.*\|$"
        assert re.search(row, parts["In other packages"], re.MULTILINE)
    assert re.search(r"^- .+ \(\d{4}\)", parts["Reference"], re.MULTILINE)


def test_a_page_names_what_gives_the_value_of_another_package_and_who_else_has_the_name():
    text = pages.page(KINDS["internal"].indices["silhouette"])
    assert "here [`clustercrit:silhouette`](silhouette_by_cluster.md) |" in text
    assert "`clustercrit:silhouette` means [silhouette_by_cluster](silhouette_by_cluster.md)." in text
    text = pages.page(KINDS["external"].indices["mutual_info"])
    assert "here [`mutual_info(base=2)`](mutual_info.md) |" in text
    assert "`clustercrit:gdi11`" in pages.page(KINDS["internal"].indices["dunn"])  # by its alias
    assert "`zaki:vi` with base=2" in pages.page(KINDS["external"].indices["variation_of_information"])


def test_a_page_says_when_no_package_has_the_index_and_when_none_was_compared(monkeypatch):
    index = KINDS["internal"].indices["alternative_silhouette"]
    assert "No package that was compared has it." in pages.elsewhere(index)
    monkeypatch.delitem(pages.VARIANTS["internal"], "alternative_silhouette")
    assert "Not compared with other packages yet." in pages.elsewhere(index)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "silhouette",
            "Higher is better. You can compare partitions of the same points into different numbers of clusters.",
        ),
        ("silhouette", "The unit of the data does not matter."),
        ("trace_w", "the rule for the best number is: largest relative change of a falling curve."),
        ("trace_w", "data multiplied by c have the value times $c^{2}$."),
        ("ksq_detw", "The unit of the data matters."),
    ],
)
def test_how_an_internal_index_is_read(name, told):
    assert told in pages.reading(KINDS["internal"].indices[name])


def test_how_an_external_index_is_read():
    table = KINDS["external"].indices
    assert pages.reading(table["rand"]) == "Higher is better. The labellings may be swapped."
    assert pages.reading(table["purity"]) == "Higher is better. The truth comes first; swapped, it is another."


def test_how_an_index_of_trees_is_read():
    table = KINDS["trees"].indices
    assert pages.reading(table["entanglement"]) == "Lower is better. The two may be swapped."
    told = "Higher is better. Trees of the same points can be compared. The unit of the data does not matter."
    assert pages.reading(table["cophenetic_correlation"]) == told
    assert "| clusters |" not in pages.page(table["cophenetic_correlation"])


def test_the_data_that_packages_were_given_are_what_they_should_be():
    assert np.unique(peers.points()["a_iris4 overlapping"][1]).tolist() == [0, 1, 2]
    assert [len(np.unique(labels)) - len(np.unique(truth)) for truth, labels in peers.pairs().values()] == [0, 0, 2, -2]
