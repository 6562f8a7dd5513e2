"""Mixture models that were fitted: examples of their indices, and the laws that hold of these alone."""

from __future__ import annotations

import copy
import math

import brute_force
import naive_others
import numpy as np
import pandas as pd
import polars as pl
import pytest
from pytest import approx
from sklearn.mixture import GaussianMixture

import clustval as cv
from clustval.errors import InputError
from conftest import make_blobs
from kinds import Alike, Examples

X, LABELS = make_blobs((30, 18, 7), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)
ORDER = np.random.default_rng(1).permutation(len(X))
FITTED = GaussianMixture(3, random_state=0).fit(X)
SINGLE = GaussianMixture(1).fit(X)
ROUND = GaussianMixture(3, covariance_type="spherical", random_state=0).fit(X)
TURNED = copy.deepcopy(FITTED)
for attribute in ("weights_", "means_", "covariances_", "precisions_cholesky_"):
    setattr(TURNED, attribute, getattr(FITTED, attribute)[[2, 0, 1]])

EXAMPLES = Examples(
    good=(X, FITTED),
    bad=(X, SINGLE),
    others=[(X, ROUND)],
    alike={
        "the order of points": Alike((X, FITTED), (X[ORDER], FITTED), 1e-13),
        "the names of clusters": Alike((X, FITTED), (X, TURNED), 1e-13),
    },
    degenerate={
        "one component": (X, SINGLE),
        "one point": (X[:1], FITTED),
        "a component without points": (X[LABELS != 1], FITTED),
        "identical points": (np.ones((4, 3)), FITTED),
    },
)


# --- laws ------------------------------------------------------------------------------------------------


def test_mclust_agrees_on_the_mixture_of_three_that_was_fitted_to_iris():
    """VVV, 3: BIC -580.84, ICL -584.05 with hard and -590.54 with soft responsibilities, in mclust's sign."""
    data = brute_force.data("iris")
    X, truth = data["X"], data["truth"]
    species = [X[truth == c] for c in np.unique(truth)]
    start = {
        "weights_init": [len(points) / len(X) for points in species],
        "means_init": [points.mean(axis=0) for points in species],
        "precisions_init": np.array([np.linalg.inv(np.cov(points.T)) for points in species]),
    }
    model = GaussianMixture(3, **start, reg_covar=0, tol=1e-10, max_iter=2000, random_state=0).fit(X)
    assert cv.mixture.gmm_bic(X, model) == approx(580.84, abs=0.005)
    assert cv.mixture.gmm_icl(X, model) == approx(584.05, abs=0.005)
    # Soft responsibilities move most with where the fit is stopped: mclust stops sooner.
    assert cv.mixture.gmm_icl(X, model, entropy="soft") == approx(590.54, abs=0.06)


SAID = {"log_likelihood": -3.0, "parameters": 5, "responsibilities": [[1, 0], [0.25, 0.75]]}


@pytest.mark.parametrize("form", ["full", "tied", "diag", "spherical"])
@pytest.mark.parametrize("k", [1, 3])
def test_criteria_of_fitted_mixtures_are_those_of_scikit_learn(form, k):
    model = GaussianMixture(k, covariance_type=form, random_state=0).fit(X)
    scores = cv.mixture.evaluate(X, model)
    assert scores["gmm_bic"] == approx(model.bic(X), rel=1e-12)
    assert scores["gmm_aic"] == approx(model.aic(X), rel=1e-12)
    t = model.predict_proba(X)
    assert scores["gmm_icl"] == approx(model.bic(X) + 2 * naive_others.entropy(t.tolist(), "hard"), rel=1e-12)
    soft = cv.mixture.icl(X, model, entropy="soft")
    assert soft == approx(model.bic(X) + 2 * naive_others.entropy(t.tolist(), "soft"), rel=1e-12)


def test_what_a_model_from_elsewhere_says_is_enough():
    assert cv.mixture.gmm_bic(**SAID) == approx(6 + 5 * math.log(2))
    assert cv.mixture.gmm_aic(**SAID) == 16
    assert cv.mixture.gmm_icl(**SAID) == approx(6 + 5 * math.log(2) - 2 * math.log(0.75))
    soft = -(0.25 * math.log(0.25) + 0.75 * math.log(0.75))
    assert cv.mixture.gmm_icl(**SAID, entropy="soft") == approx(6 + 5 * math.log(2) + 2 * soft)
    assert cv.mixture.bic is cv.mixture.gmm_bic
    assert cv.mixture.evaluate(**SAID).coverage == 1


class Unfitted:
    covariance_type = "full"

    def score_samples(self, X): ...

    def predict_proba(self, X): ...


class Odd(Unfitted):
    covariance_type = "round"
    means_ = np.zeros((2, 1))


NEEDED = "Give X and a fitted model, or else log_likelihood, parameters, responsibilities;"
BAD = {
    "nothing": ({}, f"{NEEDED} log_likelihood is missing."),
    "points alone": ({"X": [[0.0]]}, f"{NEEDED} log_likelihood is missing."),
    "no responsibilities": ({**SAID, "responsibilities": None}, f"{NEEDED} responsibilities is missing."),
    "points that are not read": (
        {**SAID, "X": [[0.0]]},
        "X is only read with a model; log_likelihood, parameters, responsibilities say all that is needed.",
    ),
    "both": ({**SAID, "model": Odd()}, "Give a model, or log_likelihood, parameters, responsibilities, but not both."),
    "no mixture": (
        {"X": [[0.0]], "model": "kmeans"},
        (
            "model must be a Gaussian mixture of scikit-learn; it is str. Of another model, give log_likelihood, "
            "parameters and responsibilities."
        ),
    ),
    "not fitted": ({"X": [[0.0]], "model": Unfitted()}, "The Unfitted is not fitted; call its fit(X) first."),
    "other columns": ({"X": [[0.0, 1]], "model": Odd()}, "X has 2 columns but the model was fitted to 1."),
    "other covariances": (
        {"X": [[0.0]], "model": Odd()},
        "The model's covariance_type must be one of 'full', 'tied', 'diag', 'spherical'; it is 'round'.",
    ),
    "no number": ({**SAID, "log_likelihood": "much"}, "log_likelihood must be a finite number; it is 'much'."),
    "beyond": (
        {**SAID, "log_likelihood": -(10**400)},
        "log_likelihood must be a finite number; it is a whole number that no float64 is near to.",
    ),
    "infinite": ({**SAID, "log_likelihood": math.inf}, "log_likelihood must be a finite number; it is inf."),
    "broken": ({**SAID, "parameters": 2.5}, "parameters must be a whole number from 1; it is 2.5."),
    "negative": (
        {**SAID, "responsibilities": [[1, 0], [1.5, -0.5]]},
        "Each row of responsibilities must be positive and add up to 1; row 1 is negative.",
    ),
    "too much": (
        {**SAID, "responsibilities": [[1, 0.5], [1, 0]]},
        "Each row of responsibilities must be positive and add up to 1; row 0 adds up to 1.5.",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_mixture_that_is_none_is_refused(case):
    arguments, message = BAD[case]
    with pytest.raises(InputError) as error:
        cv.mixture.gmm_bic(**arguments)
    assert str(error.value) == message


@pytest.mark.parametrize("frame", [pd.DataFrame(X, columns=list("abc")), pl.DataFrame(X, schema=list("abc"))], ids=type)
def test_columns_of_frames_must_be_those_of_the_fit_in_their_order(frame):
    model = GaussianMixture(3, random_state=0).fit(frame)
    assert cv.mixture.gmm_bic(frame, model) == cv.mixture.gmm_bic(X, FITTED)  # and nothing warns
    assert cv.fuzzy.kwon(frame, model) == cv.fuzzy.kwon(X, FITTED)
    message = (
        "X must have the columns that the model was fitted to, in their order; column 1 is 'c' and was 'b'. "
        "Give X[model.feature_names_in_]."
    )
    for index in (cv.mixture.gmm_bic, cv.fuzzy.kwon):
        with pytest.raises(InputError) as error:
            index(frame[["a", "c", "b"]], model)
        assert str(error.value) == message
        assert index(frame[["a", "c", "b"]][model.feature_names_in_], model) == index(frame, model)
        with pytest.raises(InputError, match=r"^X has 1 columns but the model was fitted to 3\.$"):
            index(frame[["a"]], model)


def test_columns_that_have_numbers_only_have_no_names_to_compare():
    model = GaussianMixture(3, random_state=0).fit(pd.DataFrame(X, columns=list("abc")))
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        assert cv.mixture.gmm_bic(pd.DataFrame(X), model) == cv.mixture.gmm_bic(X, FITTED)
    frame = pd.DataFrame(X)
    assert cv.mixture.gmm_bic(frame, GaussianMixture(3, random_state=0).fit(frame)) == cv.mixture.gmm_bic(X, FITTED)


def test_memberships_are_asked_of_points_with_as_many_columns_as_in_the_fit():
    with pytest.raises(InputError, match=r"^X has 1 columns but the model was fitted to 3\.$"):
        cv.fuzzy.kwon(X[:, :1], FITTED)
