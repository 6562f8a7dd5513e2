"""Every error of a comparison, matched whole."""

from __future__ import annotations

import re

import numpy as np
import pytest

from clustval import external
from clustval.compare.agreement import agreement, concordance, contingency
from clustval.compare.matched_clusters import matching
from clustval.compare.measures import MEASURES
from clustval.compare.permutation import random_tables
from clustval.compare.prayatul import prayatul
from clustval.compare.prayatul_table import prayatul_table
from clustval.errors import ClustvalError, InputError, UndefinedIndexError
from clustval.labels import SEVERAL
from clustval.stats.labels.contingency import Contingency

T, L = [0, 0, 1, 1], [0, 1, 1, 1]

CASES = {
    "different lengths": (lambda: external.rand([0, 1], [0]), "truth has 2 entries but labels has 1."),
    "different lengths of a table": (lambda: contingency([0, 1], [0]), "a has 2 entries but b has 1."),
    "different lengths of pairs": (lambda: concordance([0, 1], [0]), "a has 2 entries but b has 1."),
    "different lengths of three": (lambda: prayatul(T, L, [0]), "truth has 4 entries but alternative has 1."),
    "an empty truth": (lambda: external.rand([], []), "truth is empty."),
    "labels in two dimensions": (
        lambda: external.rand(T, [L]),
        f"labels must have one dimension; it has 2.{SEVERAL}",
    ),
    "a fraction": (
        lambda: matching(T, [0.5, 1, 1, 2]),
        "labels must be whole numbers, text or categories; one is 0.5.",
    ),
    "no labels at all": (lambda: agreement(T), "labels is None; give a label for each point."),
    "an unknown policy": (
        lambda: external.rand(T, L, noise="keep"),
        "noise must be one of 'drop', 'cluster', 'singletons', 'error', 'penalty'; it is 'keep'.",
    ),
    "noise in the truth": (
        lambda: external.rand([0, None, -1, 1], L, noise="error"),
        "truth marks 2 points as noise, the first at position 1; noise='error' allows none.",
    ),
    "noise in one algorithm": (
        lambda: prayatul(T, L, [0, 0, -1, 0], noise="error"),
        "alternative marks 1 points as noise, the first at position 2; noise='error' allows none.",
    ),
    "noise that weighs more than can be written out": (
        lambda: external.rand([-1, 0, 0], [0, 0, 1], noise="singletons", sample_weight=[10**15, 1, 1]),
        (
            "noise='singletons' makes each noise point a cluster, and a point of weight w is w points: these are "
            "1000000000000000, and 10000000 are allowed. Choose another policy, such as noise='cluster'."
        ),
    ),
    "an unknown index": (
        lambda: agreement(T, L, "purityy"),
        "No external index is called 'purityy'. Did you mean 'purity'?",
    ),
    "an unknown option": (
        lambda: external.rand(T, L, base=2),
        "rand has no option 'base'; it has no options.",
    ),
    "an unknown average": (
        lambda: external.ami(T, L, average="median"),
        "average must be one of 'arithmetic', 'geometric', 'min', 'max'; it is 'median'.",
    ),
    "an unknown average of a share": (
        lambda: external.nmi(T, L, average="median"),
        "average must be one of 'arithmetic', 'geometric', 'min', 'max', 'joint'; it is 'median'.",
    ),
    "a base of one": (lambda: external.vi(T, L, base=1), "base must be a number above 1; it is 1."),
    "a base of nothing": (lambda: external.mi(T, L, base=np.nan), "base must be a number above 1; it is nan."),
    "a weight of nothing": (lambda: external.f_alpha(T, L, alpha=0), "alpha must be a number above 0; it is 0."),
    "a weight beyond all floats": (
        lambda: external.f_alpha(T, L, alpha=10**400),
        "alpha must be a number above 0; it is a whole number that no float64 is near to.",
    ),
    "a negative weight": (lambda: external.v_measure(T, L, beta=-1), "beta must be a number from 0; it is -1."),
    "an unknown norm": (lambda: external.nvi(T, L, by="n"), "by must be one of 'joint', 'log_n'; it is 'n'."),
    "no permutations": (
        lambda: agreement(T, L, permutations=0),
        "permutations must be a whole number from 1, or None for no test; it is 0.",
    ),
    "half a permutation": (
        lambda: agreement(T, L, permutations=0.5),
        "permutations must be a whole number from 1, or None for no test; it is 0.5.",
    ),
    "a seed of text": (
        lambda: agreement(T, L, permutations=3, random_state="x"),
        "random_state must be None, a whole number from 0, or a NumPy Generator; it is 'x'.",
    ),
    "too many points to draw": (
        lambda: random_tables(Contingency.of_table(np.full((2, 2), 10**9)), 1, 0),
        "Permutations need fewer than 10**9 points; there are 4000000000.",
    ),
    "a part that an index has not": (
        lambda: agreement(T, L, ["rand", "purity"]).per_cluster("rand"),
        "rand is not made of values of clusters; size, purity are.",
    ),
    "no samples": (
        lambda: prayatul(T, L, L).bootstrap(0),
        "n_samples must be a whole number from 1; it is 0.",
    ),
    "an interval of everything": (
        lambda: prayatul(T, L, L).bootstrap(9, level=1),
        "level must lie between 0 and 1; it is 1.",
    ),
    "one algorithm": (
        lambda: prayatul_table(T, {"a": L}),
        "results must map the names of at least two algorithms to their labels.",
    ),
    "algorithms without names": (
        lambda: prayatul_table(T, [L, L]),
        "results must map the names of at least two algorithms to their labels.",
    ),
    "an algorithm of another length": (
        lambda: prayatul_table(T, {"k-means": L, "dbscan": [0]}),
        "truth has 4 entries but dbscan has 1.",
    ),
    "an unknown measure": (
        lambda: prayatul_table(T, {"a": L, "b": T}).measure("rand"),
        f"No measure is called 'rand'; there are {', '.join(MEASURES)}.",
    ),
    "a table too large to lay out": (
        lambda: contingency(np.arange(20_000), np.arange(20_000)).table,
        "The table has 20000 x 20000 cells, too many to lay out; rows, columns and counts hold the occupied ones.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_error_says_what_was_given_and_what_is_allowed(case):
    call, message = CASES[case]
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message
    assert isinstance(error.value, ValueError)


UNDEFINED = {
    "no pairs": (
        lambda: external.rand([0], [0]),
        "rand has no value for this clustering: one point forms no pair.",
    ),
    "no pairs together in the labels": (
        lambda: external.precision(T, [0, 1, 2, 3]),
        "precision has no value for this clustering: the labels put no two points together.",
    ),
    "no pairs together in the truth": (
        lambda: external.recall([0, 1, 2, 3], T),
        "recall has no value for this clustering: the truth puts no two points together.",
    ),
    "no spread": (
        lambda: external.phi([0, 0, 0, 0], T),
        "hubert has no value for this clustering: the truth or the labels put all points together, or no two.",
    ),
    "no points": (
        lambda: matching([-1], [0], noise="drop"),
        "No point is left to compare: each is noise in the truth or in the labels.",
    ),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_an_index_without_a_value_says_why(case):
    call, message = UNDEFINED[case]
    with pytest.raises(UndefinedIndexError) as error:
        call()
    assert str(error.value) == message
    assert isinstance(error.value, ClustvalError)


def test_an_unknown_name_is_no_attribute():
    message = "No external index is called 'silhouette'. dir(clustval.external) lists them."
    with pytest.raises(AttributeError, match=re.escape(message)):
        _ = external.silhouette
