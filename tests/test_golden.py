"""Reference values computed in exact arithmetic, and the numbers printed in the sources."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.catalogue import select
from clustval.declare import KINDS
from conftest import golden, golden_set, iris_components

SETS = ["a_iris4", "b_iris_pc2", "d_blobs400", "e_overlap600", "g_int200", "i_singleton120"]

# Decimal coordinates make distances equal on paper that differ in binary: there, ties at the last bit decide.
TIED = {
    "a_iris4": {"gamma": 5e-4, "g_plus": 5e-3, "tau": 1e-4},
    "b_iris_pc2": {"gamma": 2e-5, "tau": 2e-5, "g_plus": 1e-3},
}
# Where the formula itself is 0/0, the sensible value of our definitions stands in its place.
SENSIBLE = {("i_singleton120", "silhouette"): "silhouette_macro_singleton0"}


@pytest.mark.parametrize("name", SETS)
def test_every_value_of_the_document_is_reproduced(name):
    X, labels, reference = golden_set(name)
    exact = reference["paper_formula_exact"]
    scores = cv.evaluate(X, labels, "clustercrit")
    for index, text in exact["values"].items():
        expected = float(text)
        if (name, index) in SENSIBLE:
            expected = exact["extra"][SENSIBLE[name, index]]
        if (name, index) == ("e_overlap600", "s_dbw"):
            continue  # 0/0 in pairs of clusters without points near centres or midpoint, which add nothing here
        tolerance = TIED.get(name, {}).get(index, 1e-10)
        assert scores[index] == approx(expected, rel=tolerance, nan_ok=True), index


@pytest.mark.parametrize("name", SETS)
def test_comparisons_of_distances_are_counted_exactly(name):
    from clustval.sources.partition import partition
    from clustval.stats.ranks.rank_concordance import Concordance

    X, labels, reference = golden_set(name)
    counts = reference["paper_formula_exact"]["extra"]["counts_float64"]
    found = partition(X, labels)[Concordance]
    assert (found.plus, found.minus, found.ties) == (counts["s_plus"], counts["s_minus"], counts["ties"])


@pytest.mark.parametrize("name", SETS)
def test_silhouettes_agree_over_points_and_over_clusters(name):
    X, labels, reference = golden_set(name)
    extra = reference["paper_formula_exact"]["extra"]
    assert cv.internal.silhouette(X, labels) == approx(extra["silhouette_micro_singleton0"], rel=1e-12)
    assert cv.internal.silhouette_by_cluster(X, labels) == approx(extra["silhouette_macro_singleton0"], rel=1e-12)


@pytest.mark.parametrize("offset", [1e6, -1e6])
@pytest.mark.parametrize("name", ["g_int200", "i_singleton120"])
def test_a_large_offset_changes_nothing_that_the_data_do_not(name, offset):
    X, labels, _ = golden_set(name)
    shifted = X + offset
    near, far = (cv.evaluate(Y, labels, "clustercrit") for Y in (shifted - offset, shifted))
    for index in near:
        assert far[index] == approx(near[index], rel=1e-9, nan_ok=True), index


@pytest.mark.parametrize(
    ("clustering", "values"),
    [
        ("good", [0.24, 0.034, -0.23, 0.65, 2.67, 0.08, 0.60, 8.19, 0.92]),
        ("bad", [0.33, 0.08, -0.20, 1.11, 2.56, 0.03, 0.55, 7.32, 0.83]),
    ],
)
def test_the_iris_table_of_zaki_and_meira_is_reproduced(clustering, values):
    X, labels = iris_components(clustering)
    scores = cv.evaluate(X, labels, "zaki")
    names = ["beta_cv", "c_index", "modularity", "davies_bouldin", "normalized_cut", "dunn", "silhouette"]
    for name, printed in zip([*names, "hubert", "hubert_normalized"], values, strict=True):
        digits = len(str(printed).partition(".")[2])
        assert scores[name] == approx(printed, abs=0.51 * 10**-digits), name


@pytest.mark.parametrize(
    ("name", "ours", "printed"),
    [
        ("davies_bouldin", "davies_bouldin", 0.5651),
        ("davies_bouldin", "davies_bouldin_rms", 0.6523),
        ("ball_hall", "ball_hall", 0.4230),
        ("ball_hall", "ball_hall_unsquared", 0.5581),
        ("mcclain_rao", "mcclain_rao", 0.2386),
        ("mcclain_rao", "mcclain_rao_inverse", 4.1919),
        ("ratkowsky_lance", "ratkowsky_lance", 0.4569),
        ("ratkowsky_lance", "ratkowsky_lance_mean_root", 0.4415),
        ("silhouette", "silhouette_by_cluster", 0.6015),
        ("silhouette", "silhouette", 0.5976),
        ("gdi53", "gdi53_own_centre", 0.3904),
        ("gdi53", "gdi53", 1.4178),
        ("point_biserial", "point_biserial_unscaled", -1.2029),
        ("point_biserial", "point_biserial", 0.7164),
        ("log_det_ratio", "log_det_ratio", 505.28),
        ("log_ss_ratio", "log_ss_ratio", 2.2429),
        ("log_ss_ratio", "log_ss_ratio_pairwise", 1.1626),
        ("xie_beni", "xie_beni_closest_points", 10.859),
        ("ray_turi", "xie_beni", 0.1334),
        ("gamma", "gamma", 0.9126),
    ],
)
def test_the_variants_that_share_a_name_have_the_values_that_tell_them_apart(name, ours, printed):
    X, labels = iris_components()
    digits = len(str(printed).partition(".")[2])
    assert getattr(cv.internal, ours)(X, labels) == approx(printed, abs=1.01 * 10**-digits), name


def test_every_beginning_of_a_name_means_what_it_means_in_clustercrit():
    table = golden("names")["internal_lookup"]
    assert table["all"] == "<all>"  # a suite here
    for beginning, meaning in table.items():
        if beginning == "all" or beginning in KINDS["internal"].records:  # what is ambiguous there has a meaning here
            continue
        if meaning.startswith("error"):
            with pytest.raises(cv.InputError):
                catalogue.find("" if beginning == "<empty string>" else beginning, "internal")
        else:
            expected = catalogue.find(meaning, "internal")
            assert catalogue.find(beginning, "internal") is expected
            assert catalogue.find(beginning.upper(), "internal") is expected


def test_scikit_learn_gives_the_values_of_its_suite(blobs):
    from sklearn import metrics

    X, labels = blobs
    for name, number in cv.evaluate(X, labels, "sklearn").items():
        assert number == approx(getattr(metrics, name)(X, labels), rel=1e-12), name


def test_the_suites_have_as_many_names_as_their_sources():
    sizes = {suite: len(select(suite, "internal")) for suite in ("clustercrit", "vendramin", "zaki", "sklearn")}
    assert sizes == {"clustercrit": 45, "vendramin": 40, "zaki": 10, "sklearn": 3}


def test_rank_correlations_stay_exact_beyond_64_bits():
    from clustval.stats.pairs.pair_distances import PairSums
    from clustval.stats.ranks.rank_concordance import Concordance

    big = 10**22
    sizes = np.array([10**6, 10**6])
    sums = PairSums(sizes, sizes, np.zeros((2, 2)), 0.0, 0.0)
    counts = Concordance(3 * big, big, 0)
    table = KINDS["internal"].indices
    assert float(table["gamma"].formula(counts)) == 0.5
    pairs = sums.pairs
    assert float(table["g_plus"].formula(counts, sums)) == approx(2 * big / (pairs * (pairs - 1)), rel=1e-15)
    expected = 2 * big / math.sqrt(sums.pairs_within * sums.pairs_between * (pairs * (pairs - 1) // 2))
    assert float(table["tau"].formula(counts, sums)) == approx(expected, rel=1e-15)
