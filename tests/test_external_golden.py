"""Reference values of external indices computed in exact arithmetic, and the numbers printed in the sources."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx

from clustval import catalogue, external
from clustval.compare.agreement import agreement, concordance
from clustval.compare.matched_clusters import matching
from conftest import IRIS_SPECIES, PAIRS, golden, golden_pair, iris_components


def pair(name):
    truth, labels, reference = golden_pair(name)
    return truth, labels, reference["paper_formula_exact"]


def test_all_pairs_of_partitions_are_there():
    assert len(PAIRS) == 7


@pytest.mark.parametrize("name", PAIRS)
def test_every_value_of_the_document_is_reproduced(name):
    truth, labels, exact = pair(name)
    scores = agreement(truth, labels, "clustercrit")
    assert list(scores) == list(exact["values"])
    for index, text in exact["values"].items():
        expected = float(text)
        if index == "mcnemar" and np.isnan(expected):
            expected = 0.0  # 0/0 of identical partitions, which differ by nothing
        assert scores[index] == approx(expected, rel=1e-14, nan_ok=True), index


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_are_counted_exactly(name):
    truth, labels, exact = pair(name)
    counts = exact["counts"]
    assert concordance(truth, labels).tolist() == [[counts["yy"], counts["yn"]], [counts["ny"], counts["nn"]]]


@pytest.mark.parametrize("name", PAIRS)
def test_values_beside_the_document_are_reproduced(name):
    truth, labels, exact = pair(name)
    extra = exact["extra"]
    scores = agreement(truth, labels, ["adjusted_rand", "vi", "phi"])
    assert scores["adjusted_rand"] == approx(extra["adjusted_rand"], rel=1e-14)
    assert scores["vi"] == approx(extra["vi_nats"], rel=1e-13)
    assert scores["phi"] == approx(float(extra["phi_with_sqrt_denominator"]), rel=1e-14, nan_ok=True)


def test_the_example_of_the_accuracy_paper():
    truth, labels = [1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3]
    assert round(external.accuracy(truth, labels), 4) == 0.7143
    assert matching(truth, labels).classes == {2: 1, 1: 2, 3: 3}


IRIS = {
    "good": {
        "purity": 0.887, "matching": 0.887, "f_measure": 0.885, "conditional_entropy": 0.418, "nmi": 0.742, "vi": 0.812,
        "jaccard": 0.682, "rand": 0.874, "fowlkes_mallows": 0.811, "hubert": 0.271, "hubert_normalized": 0.717,
    },
    "bad": {
        "purity": 0.667, "matching": 0.560, "f_measure": 0.658, "conditional_entropy": 0.743, "nmi": 0.587, "vi": 1.201,
        "jaccard": 0.477, "rand": 0.717, "fowlkes_mallows": 0.657, "hubert": 0.259, "hubert_normalized": 0.442,
    },
}  # fmt: skip
PAIRS_OF_IRIS = {"good": [[3030, 645], [766, 6734]], "bad": [[2891, 784], [2380, 5120]]}


@pytest.mark.parametrize("clustering", ["good", "bad"])
def test_the_tables_of_zaki_and_meira(clustering):
    truth, labels = IRIS_SPECIES, iris_components(clustering)[1]
    scores = agreement(truth, labels, "zaki")
    assert {name: round(found, 3) for name, found in scores.items()} == IRIS[clustering]
    assert concordance(truth, labels).tolist() == PAIRS_OF_IRIS[clustering]


def test_figure_5_of_vendramin():
    truth, labels = [1, 1, 1, 1, 2, 2, 2, 2], [2, 2, 2, 1, 1, 1, 3, 3]
    assert concordance(truth, labels).tolist() == [[5, 7], [2, 14]]
    scores = agreement(truth, labels, "vendramin")
    assert list(scores) == ["rand", "jaccard", "adjusted_rand"]
    assert round(scores["rand"], 4) == 0.6786
    assert scores["jaccard"] == approx(5 / 14)


def test_every_abbreviation_of_clustercrit_is_resolved_alike():
    lookup = golden("names")["external_lookup"]
    assert lookup["all"] == "<all>"  # a suite here
    for text, name in lookup.items():
        if text == "all":
            continue
        if name.startswith("error"):
            with pytest.raises(ValueError, match=text):
                catalogue.find(text, "external")
        else:
            assert catalogue.find(text, "external") is catalogue.find(name, "external"), text
