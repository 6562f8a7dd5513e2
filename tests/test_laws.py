"""Laws that hold of every internal index, read from the registry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.declare import COSTS, KINDS

catalogue.load()
INTERNAL = sorted(KINDS["internal"].indices.values(), key=lambda index: index.name)
every_index = pytest.mark.parametrize("index", INTERNAL, ids=lambda index: index.name)

# A within-cluster quantity over a within-cluster quantity: its source says "max", but it cannot tell good from bad.
WITHOUT_DIRECTION = {"gdi51_own_centre", "gdi52_own_centre", "gdi53_own_centre"}


def value(index, X, labels, **options):
    return getattr(cv.internal, index.name)(X, labels, **options)


@every_index
def test_the_order_of_points_does_not_matter(index, blobs):
    X, labels = blobs
    order = np.random.default_rng(1).permutation(len(X))
    assert value(index, X[order], labels[order]) == approx(value(index, X, labels), rel=1e-11)


@every_index
def test_the_names_of_clusters_do_not_matter(index, blobs):
    X, labels = blobs
    names = np.array(["z", "a", "m"])[labels]
    assert value(index, X, names) == approx(value(index, X, labels), rel=1e-11)


@every_index
def test_the_origin_does_not_matter(index, blobs):
    X, labels = blobs
    lattice = np.round(X * 1024) / 1024  # so that the shift rounds nothing
    assert value(index, lattice + 2.0**20, labels) == approx(value(index, lattice, labels), rel=1e-10)


@every_index
def test_far_from_the_origin_only_the_rounding_of_the_data_shows(index, blobs):
    X, labels = blobs
    shifted = X + 1e8
    assert value(index, shifted, labels) == approx(value(index, shifted - 1e8, labels), rel=1e-9)


@every_index
def test_scaling_follows_the_degree(index, blobs):
    X, labels = blobs
    if index.degree is None:
        assert value(index, 8 * X, labels) != value(index, X, labels)
        return
    degree = index.degree(X.shape[1]) if callable(index.degree) else index.degree
    assert value(index, 8 * X, labels) == approx(8.0**degree * value(index, X, labels), rel=1e-10)


@every_index
def test_values_lie_within_the_bounds(index, blobs):
    X, labels = blobs
    low, high = index.bounds
    for seed in range(5):
        shuffled = np.random.default_rng(seed).permutation(labels)
        for codes in (labels, shuffled):
            assert low <= value(index, X, codes) <= high


@pytest.mark.parametrize(
    "index", [i for i in INTERNAL if i.name not in WITHOUT_DIRECTION], ids=lambda index: index.name
)
def test_a_good_clustering_beats_a_shuffled_one(index, blobs):
    X, labels = blobs
    good = value(index, X, labels)
    bad = value(index, X, np.random.default_rng(0).permutation(labels))
    assert (good > bad) if index.best.better == "higher" else (good < bad)


@every_index
def test_alone_and_among_all_others_the_value_is_the_same_bit_for_bit(index, blobs):
    X, labels = blobs
    assert cv.evaluate(X, labels, "all")[index.name] == value(index, X, labels)


@every_index
def test_large_inputs_alone_and_among_all_others_agree_bit_for_bit(index, large_scores, large_blobs):
    X, labels = large_blobs
    assert large_scores[index.name] == value(index, X, labels)


@every_index
def test_the_number_of_threads_does_not_matter(index, large_scores, large_blobs):
    X, labels = large_blobs
    assert value(index, X, labels, n_jobs=1) == large_scores[index.name]


@every_index
def test_single_precision_costs_only_its_own_rounding(index, blobs):
    X, labels = blobs
    single = X.astype(np.float32)
    assert value(index, single, labels) == value(index, single.astype(np.float64), labels)


@every_index
def test_repeating_a_call_gives_the_same_bits(index, blobs):
    X, labels = blobs
    assert value(index, X, labels) == value(index, X, labels)


@every_index
def test_input_is_left_as_it_was(index, blobs):
    X, labels = blobs[0].copy(), blobs[1].copy()
    X.flags.writeable = labels.flags.writeable = False
    value(index, X, labels)
    assert np.array_equal(X, blobs[0])
    assert np.array_equal(labels, blobs[1])


@every_index
def test_the_record_is_complete(index):
    assert index.summary.endswith(".")
    assert index.reference
    assert index.bounds[0] < index.bounds[1]
    assert index.cost in COSTS
    assert ".. math::" in index.formula.__doc__
    assert ">>>" in index.formula.__doc__


@pytest.mark.parametrize("index", [i for i in INTERNAL if i.points], ids=lambda index: index.name)
def test_every_point_has_a_value_and_a_next_cluster(index, blobs):
    X, labels = blobs
    scores = cv.evaluate(X, labels, [index.name])
    points = scores.per_point(index.name)
    assert points.shape == labels.shape
    assert np.isfinite(points).all()
    moved = scores.neighbours(index.name)
    assert (moved != labels).all()
    assert set(moved) <= set(labels)


def test_the_summary_of_no_two_indices_is_the_same():
    summaries = [index.summary for index in INTERNAL]
    assert len(set(summaries)) == len(summaries)


def test_values_of_points_average_to_the_index(blobs):
    X, labels = blobs
    scores = cv.evaluate(X, labels, ["silhouette", "simplified_silhouette"])
    for name in scores:
        assert scores.per_point(name).mean() == approx(scores[name])
        clusters = scores.per_cluster(name)
        weights = scores.per_cluster("size")
        assert sum(clusters[c] * weights[c] for c in clusters) / len(X) == approx(scores[name])


def test_no_value_is_invented_when_all_points_are_one():
    scores = cv.evaluate(np.ones((6, 2)), [0, 0, 0, 1, 1, 1], "all")
    for name, number in scores.items():
        assert math.isnan(number) == (name in scores.reasons)
