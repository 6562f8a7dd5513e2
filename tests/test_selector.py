"""The choice as an estimator of scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator

import clustval as cv


def test_the_selector_passes_the_checks_of_scikit_learn():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)
        check_estimator(cv.ClusterSelector(["ward", "k-means"], k=range(2, 5), null=False))


def test_the_selector_has_what_choose_gives():
    X = np.concatenate([np.random.default_rng(0).normal(c, 1, (30, 2)) for c in (0, 9, 18)])
    selector = cv.ClusterSelector({"kmeans": KMeans(n_init=3)}, k=[2, 3], n_references=19, random_state=0).fit(X)
    choice = cv.choose(X, {"kmeans": KMeans(n_init=3)}, k=[2, 3], n_references=19, random_state=0, stability=False)
    assert selector.labels_.tolist() == choice.labels.tolist()
    assert (selector.n_clusters_, selector.choice_.name) == (3, choice.name)
