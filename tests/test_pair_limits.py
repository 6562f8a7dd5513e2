"""Indices that take too many distances are left out of evaluations and sweeps, with the reason, and no others."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

import clustval as cv
from clustval.catalogue import select
from clustval.declare import plan_of
from clustval.estimates.estimate import Estimation
from clustval.passes.work.pair_time import pairs_of, seconds_of
from clustval.sources.pair_limits import estimable, seconds_for
from clustval.sources.partition import partition
from clustval.stats.pairs.pair_distances import PairExtremes
from clustval.suites import SUITES

RNG = np.random.default_rng(0)
LABELS = np.arange(600) % 4
WIDE = RNG.normal(size=(600, 12)) + 3 * LABELS[:, None]
PLANE = WIDE[:, :2]
INDICES = {choice.name: choice.index for choice in select("all", "internal")}
QUADRATIC = {name for name, index in INDICES.items() if index.cost != "linear"}


@pytest.fixture
def short(set_limits):
    """Let what takes a thousandth of a second be too long, for however few points."""
    set_limits(longest=1e-3 * seconds_of(pairs_of(600), 12, cores=2), few_points=0)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("suite", ["fast", "default", *SUITES, "all"])
def test_suites_leave_out_what_takes_too_long_and_have_the_rest(suite):
    scores = cv.evaluate(WIDE, LABELS, suite, n_jobs=2)
    for choice in select(suite, "internal"):
        if choice.index.name in QUADRATIC - {"hennig_withinss"}:
            assert math.isnan(scores[choice.name])
            assert scores.reasons[choice.name].startswith(f"{choice.index.name} needs 1.8e+05 distances, about ")
        else:
            assert choice.name not in scores.reasons, choice.name


@pytest.mark.usefixtures("short")
def test_the_reason_has_the_distances_the_time_and_ways_around():
    scores = cv.evaluate(WIDE, LABELS, ["silhouette", "gdi21"], n_jobs=2)
    assert scores.reasons == {
        "silhouette": "silhouette needs 1.8e+05 distances, about 0 seconds on 2 cores; "
        "evaluate(..., approximate=0.01) estimates it with an error bar, and "
        "clustval.internal.silhouette(X, labels) computes it, however long it takes.",
        "gdi21": "gdi21 needs 1.8e+05 distances, about 0 seconds on 2 cores; no sample estimates it, but "
        "clustval.internal.gdi21(X, labels) computes it, however long it takes.",
    }


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("name", ["silhouette", "gdi21", "gamma"])
def test_a_function_that_is_called_for_one_index_computes_it(name):
    assert math.isfinite(getattr(cv.internal, name)(WIDE, LABELS))


@pytest.mark.usefixtures("short")
def test_values_of_points_and_figures_of_what_is_left_out_are_left_out_too():
    scores = cv.evaluate(WIDE, LABELS, ["silhouette", "ch"])
    with pytest.raises(cv.UndefinedIndexError, match=r"^silhouette needs 1\.8e\+05 distances"):
        scores.per_point("silhouette")
    assert "needs 1.8e+05 distances" in scores.to_html(look=False)


@pytest.mark.usefixtures("short")
def test_sweeps_leave_it_out_as_well(set_thresholds):
    set_thresholds(SWEEP_POINTS=1000)
    set_thresholds(SWEEP_WORK=10**9)  # as if distances did not fit into memory
    swept = cv.sweep(WIDE, {2: LABELS % 2, 4: LABELS}, ["silhouette", "ch"])
    assert np.isnan(swept["silhouette"]).all()
    assert np.isfinite(swept["calinski_harabasz"]).all()
    assert swept.reasons[2, "silhouette"].startswith("silhouette needs 1.8e+05 distances")


@pytest.mark.usefixtures("short")
def test_what_takes_no_visit_of_all_pairs_is_not_left_out(set_thresholds):
    for name in ("TREE_POINTS", "NEIGHBOURS", "MEETINGS"):
        set_thresholds(**{name: 10})
    for metric in ("sqeuclidean", "cosine", "correlation"):
        assert not cv.evaluate(WIDE, LABELS, ["silhouette", "hennig_asw"], metric=metric).reasons
    few = ["dunn", "xie_beni_closest_points", "gdi41", "cs", "cop", "connectivity", "dcsi", "dunn_nn", "disco",
           "hennig_minsep", "hennig_widestgap", "hennig_sindex", "hennig_mnnd"]  # fmt: skip
    assert not cv.evaluate(PLANE, LABELS, few).reasons
    assert set(cv.evaluate(WIDE, LABELS, few).reasons) == {*few} - {"gdi41"}


@pytest.mark.usefixtures("short")
def test_no_pairs_are_visited_on_behalf_of_what_is_left_out(set_thresholds):
    set_thresholds(TREE_POINTS=10)
    scores = cv.evaluate(PLANE, LABELS, ["dunn", "silhouette"])
    assert scores["dunn"] == cv.internal.dunn(PLANE, LABELS)
    assert not scores.source.known(PairExtremes)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("how", ["precomputed", "sparse", "weighted", "noise"])
def test_so_it_is_of_all_that_points_may_be(how):
    X, labels, options = WIDE, LABELS, {}
    if how == "precomputed":
        X, options = cdist(WIDE, WIDE), {"metric": "precomputed"}
    elif how == "sparse":
        X = csr_array(WIDE)
    elif how == "weighted":
        options = {"sample_weight": 1 + LABELS}
    else:
        labels = np.where(np.arange(600) < 5, -1, LABELS)
    assert "distances, about" in cv.evaluate(X, labels, ["gamma"], **options).reasons["gamma"]


@pytest.mark.usefixtures("short")
def test_estimates_are_given_where_they_can_be(set_limits):
    set_limits(exact_points=100)
    scores = cv.evaluate(WIDE, LABELS, ["silhouette", "point_biserial", "dunn"], approximate=0.2)
    assert math.isfinite(scores["silhouette"] + scores["point_biserial"])
    assert "no sample estimates it" in scores.reasons["dunn"]


def test_trees_are_asked_also_beside_estimates(set_limits):
    set_limits(exact_points=100, exact_pairs=1000)
    assert cv.evaluate(PLANE, LABELS, ["dunn"], approximate=0.2)["dunn"] == cv.internal.dunn(PLANE, LABELS)


def test_limits_are_hours_of_work():
    source = partition(np.zeros((5, 8)), [0, 0, 1, 1, 1], n_jobs=2)

    def hours(n, name):
        source.n = n
        return max(seconds_for(source, s) for s in INDICES[name].statistics) / 3600

    assert hours(200_000, "silhouette") < 0.01
    assert hours(1_000_000, "silhouette") < 0.2
    assert 10 < hours(10_000_000, "silhouette") < 20
    assert 0.5 < hours(500_000, "gamma") < 1 < hours(600_000, "gamma")
    assert hours(10**7, "dunn") == hours(10**7, "gdi41") == hours(10**7, "connectivity") == 0


def test_reasons_name_estimates_of_what_is_estimated_and_of_nothing_else(monkeypatch, set_limits):
    set_limits(exact_points=0)
    monkeypatch.setattr(Estimation, "_check_feasible", lambda *_: None)
    for metric in ("euclidean", "cityblock"):
        source = partition(WIDE, LABELS, metric=metric, plan=plan_of(select("all", "internal")))
        estimation = Estimation(source, 0.1, 0.95, 0)
        for name in QUADRATIC:
            family = estimation._family(INDICES[name])
            assert estimable(INDICES[name].statistics) == (family is not None), name
