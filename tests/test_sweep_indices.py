"""Indices that need several partitions: against their definitions, against reference values, and where they refuse."""

from __future__ import annotations

import importlib.util
import inspect
import json
import math
import pickle
import re

import brute_force
import naive_sweeps
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pytest import approx
from scipy.cluster.hierarchy import linkage
from scipy.stats import f

import clustval as cv
from clustval import bibliography, catalogue, cli, rules
from clustval.catalogue import select
from clustval.declare import KINDS
from clustval.errors import InputError
from clustval.formulas.internal.cvnn import compactness, separation
from clustval.formulas.internal.nested_splits import mean_within
from clustval.relative.labellings import cuts
from clustval.relative.sweep_result import Sweep
from clustval.sources.partition import partition
from clustval.sources.sweep_curves import Curve, SweepIndex, sweep_index
from clustval.stats.neighbours.nearest import NeighbourMatch
from clustval.stats.pairs.pair_distances import PairSums
from clustval.suites import LEFT_OUT, SUITES
from conftest import GOLDEN, examples, golden, golden_set

catalogue.load()
SWEPT = KINDS["internal"].of_sweeps
OF_SQUARES = ["hartigan", "krzanowski_lai", "jump", "str"]
NESTED = ["duda_hart", "pseudo_t2", "beale", "frey"]
ALONE = ["rmsstd", "r_squared", "lebart_d", "ball_hall_sums", "ccc"]
every_set = pytest.mark.parametrize("name", brute_force.SETS)


def by_k(X, sweep, names, **options):
    swept = cv.sweep(X, sweep, names, **options)
    return {name: dict(zip(swept.k.tolist(), swept[name].tolist(), strict=True)) for name in swept.indices}


# --- reference values ------------------------------------------------------------------------------------


@every_set
def test_indices_of_k_means_sweeps_equal_the_reference_values(name):
    data, values = brute_force.data(name), brute_force.values(name, "B")
    X, kmeans = data["X"], data["kmeans"]
    whole = {1: np.zeros(len(X)), **kmeans}
    computed = by_k(X, whole, ["trace_w", "hartigan", "krzanowski_lai", "jump", "ccc", "str"])
    for index, key in (("trace_w", "W"), *((n, n) for n in ("hartigan", "krzanowski_lai", "ccc"))):
        for k, value in values[key].items():
            assert computed[index][int(k)] == approx(value, rel=1e-9), (index, k)
    assert [computed["jump"][k] for k in range(1, 6)] == approx(values["jump_k1to5"], rel=1e-9)
    assert [computed["str"][k] for k in (2, 3, 4)] == approx(brute_force.values(name, "H")["str_k2to4"], rel=1e-9)


@every_set
def test_indices_of_one_partition_equal_the_reference_values(name):
    data, values = brute_force.data(name), brute_force.values(name, "B")
    scores = cv.evaluate(data["X"], data["kmeans"][3], ["rmsstd", "r_squared", "lebart_d"])
    for index, value in scores.items():
        assert value == approx(values[index], rel=1e-9), index


@every_set
def test_indices_of_nested_splits_equal_the_reference_values(name):
    X, values = brute_force.data(name)["X"], brute_force.values(name, "B")
    ward = {int(k): labels for k, labels in values["ward_labels"].items()}
    swept = cv.sweep(X, ward, NESTED)
    at = {k: row for row, k in enumerate(swept.k.tolist())}
    for k, expected in values["duda_hart_ward"].items():
        row = at[int(k)]
        assert swept["duda_hart"][row] == approx(expected["duda"], rel=1e-9)
        assert swept.details["duda_hart"]["critical"][row] == approx(expected["duda_critical"], rel=1e-9)
        assert swept["pseudo_t2"][row] == approx(expected["pseudo_t2"], rel=1e-9)
        assert swept.details["pseudo_t2"]["critical"][row] == approx(expected["pseudo_t2_critical"], rel=1e-9)
        assert swept["beale"][row] == approx(expected["beale"], rel=1e-9)
        assert swept.details["beale"]["p_value"][row] == approx(expected["beale_p"], rel=1e-9)
    for k, value in values["frey_ward"].items():
        assert swept["frey"][at[int(k)]] == approx(value, rel=1e-9)


@every_set
def test_cvnn_and_its_parts_equal_the_reference_values(name):
    data, values = brute_force.data(name), brute_force.values(name, "A")
    X, kmeans = data["X"], data["kmeans"]
    assert cv.sweep(X, kmeans, "cvnn")["cvnn"] == approx(values["cvnn_sweep_k2to5"], rel=1e-9)
    pooled = cv.sweep(X, kmeans, {"cvnn": {"pooled": True}})["cvnn"]
    assert pooled == approx(values["cvnn_pooled_sweep_k2to5"], rel=1e-9)
    crisp = data["truth"] if (data["truth"] >= 0).all() else kmeans[3]
    for labels, parts in ((crisp, values["crisp"]), (kmeans[3], values["kmeans3"])):
        source = partition(X, labels)
        match = source.statistic(NeighbourMatch, neighbours=10)
        assert separation(match) == approx(parts["cvnn_separation10"], rel=1e-9)
        assert compactness(source[PairSums]) == approx(parts["cvnn_compactness10"], rel=1e-9)
        assert mean_within(source[PairSums]) == approx(parts["cvnn_compactness_pooled"], rel=1e-9)


@every_set
def test_kneedle_equals_the_reference_value(name):
    W = brute_force.values(name, "B")["W"]
    curve = np.array([W[str(k)] for k in range(1, 6)])
    assert 1 + rules.kneedle().choose(curve) == brute_force.values(name, "G")["kneedle_W"]


# --- definitions -----------------------------------------------------------------------------------------


@st.composite
def hierarchies(draw):
    """Small data sets with ties and duplicates, and every level of a random tree of clusters."""
    n, p = draw(st.integers(5, 12)), draw(st.integers(1, 3))
    numbers = st.integers(-4, 4) if draw(st.booleans()) else st.floats(-5, 5).map(lambda x: round(x, 3))
    X = draw(st.lists(st.lists(numbers, min_size=p, max_size=p), min_size=n, max_size=n))
    labels = list(range(n))
    levels = {n: labels}
    for k in range(n - 1, 0, -1):
        names = sorted(set(labels))
        a, b = draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
        labels = [a if label == b else label for label in labels]
        levels[k] = labels
    low = draw(st.integers(1, 2))
    high = draw(st.integers(low + 2, n))
    return np.array(X, dtype=float), {k: levels[k] for k in range(low, high + 1)}


def agree(computed, expected, what):
    """Assert that a value is that of the definition; where a sum of squares is almost 0, neither is precise."""
    if math.isnan(expected):
        assert math.isnan(computed), what
    elif math.isinf(expected):
        assert computed == expected, what
    else:
        assert computed == approx(expected, rel=1e-7, abs=1e-9), what


# Two partitions leave points equally far from their centres, and two centres of the next coincide: 0 times infinity.
# In the third, the next cluster changes nothing: x / 0.
@examples(50)
@example(
    (
        np.array([[0.0], [1.0], [-4.0], [-1.0], [1.0], [-2.0], [1.0]]),
        {1: [0] * 7, 2: [0, 0, 0, 0, 4, 0, 0], 3: [0, 0, 0, 0, 4, 5, 5], 4: [0, 0, 0, 0, 4, 5, 6]},
    )
)
@example(
    (
        np.array([[0.0], [0.0], [-2.0], [0.0], [0.0], [-1.0], [1.0]]),
        {1: [0] * 7, 2: [0, 0, 0, 0, 0, 0, 6], 3: [0, 0, 0, 0, 4, 4, 6], 4: [0, 0, 0, 0, 4, 5, 6]},
    )
)
@example(
    (
        np.array([[-4.0, 0.0], [-2.0, 0.0], [-2.0, 0.0], [-2.0, 2.0], [1.0, 0.0]]),
        {1: [0] * 5, 2: [0, 0, 0, 0, 4], 3: [0, 0, 2, 2, 4]},
    )
)
@given(hierarchies())
def test_indices_of_sweeps_agree_with_their_definitions(sweep):
    X, levels = sweep
    n = len(X)
    values = by_k(X, levels, [*OF_SQUARES, *NESTED])
    points = X.tolist()
    simple = {
        "hartigan": naive_sweeps.hartigan(points, levels),
        "krzanowski_lai": naive_sweeps.krzanowski_lai(points, levels),
        "jump": naive_sweeps.jump(points, levels),
        "str": naive_sweeps.starczewski(points, levels),
        "frey": naive_sweeps.frey(points, levels),
        "duda_hart": {k: v for k, (v, _) in naive_sweeps.duda_hart(points, levels).items()},
        "pseudo_t2": {k: v for k, (v, _) in naive_sweeps.pseudo_t2(points, levels).items()},
        "beale": {k: v for k, (v, _) in naive_sweeps.beale(points, levels).items()},
    }
    for index, expected in simple.items():
        fewest, fewer = SWEPT[index].clusters
        for k, value in expected.items():
            if fewest <= k <= n - fewer:
                agree(values[index][k], value, (index, k))
            else:
                assert math.isnan(values[index][k]), (index, k)


@examples(30)
@given(hierarchies())
def test_details_agree_with_their_definitions(sweep):
    X, levels = sweep
    swept = cv.sweep(X, levels, NESTED[:3])
    ratios, squares, tests = (getattr(naive_sweeps, name)(X.tolist(), levels) for name in NESTED[:3])
    for row, k in enumerate(levels):
        agree(swept.details["duda_hart"]["critical"][row], ratios[k][1], k)
        agree(swept.details["pseudo_t2"]["critical"][row], math.inf if ratios[k][1] <= 0 else squares[k][1], k)
        value, probability = tests[k]
        if not math.isnan(value):
            assert swept.details["beale"]["p_value"][row] == approx(probability, rel=1e-6, abs=1e-9)
            critical = swept.details["beale"]["critical"][row]
            size = sum(map(len, naive_sweeps.split(levels, k)))
            assert f.sf(critical, X.shape[1], (size - 2) * X.shape[1]) == approx(0.1)


@examples(50)
@given(hierarchies())
def test_indices_of_one_partition_agree_with_their_definitions(sweep):
    X, levels = sweep
    points = X.tolist()
    for k, labels in levels.items():
        scores = cv.evaluate(X, labels, ALONE)
        for index in ALONE:
            fewest, fewer = KINDS["internal"].indices[index].clusters
            if not fewest <= k <= len(X) - fewer:
                assert index in scores.reasons
                continue
            expected = getattr(naive_sweeps, index)(points, labels)
            agree(scores[index], expected, (index, k))


@given(hierarchies(), st.integers(1, 4), st.booleans())
def test_cvnn_agrees_with_its_definition(sweep, neighbours, pooled):
    X, levels = sweep
    levels = {k: labels for k, labels in levels.items() if 2 <= k < len(X)}
    if not levels:
        return
    swept = cv.sweep(X, levels, {"cvnn": {"neighbours": neighbours, "pooled": pooled}})
    expected = naive_sweeps.cvnn(X.tolist(), levels, neighbours, pooled=pooled)
    for k, value in zip(levels, swept["cvnn"], strict=True):
        agree(value, expected[k], k)


def test_cvnn_has_no_term_of_neighbours_where_they_are_never_mixed():
    apart = [[0.0], [1.0], [2.0], [50.0], [51.0], [53.0], [90.0], [91.0], [92.0]]
    levels = {2: [0, 0, 0, 1, 1, 1, 1, 1, 1], 3: [0, 0, 0, 1, 1, 1, 2, 2, 2]}
    values = cv.sweep(apart, levels, {"cvnn": {"neighbours": 2}})["cvnn"]
    assert values[0] == 1  # the wider
    assert 0 < values[1] < 1


CURVES = st.lists(st.integers(0, 9).map(float), min_size=3, max_size=9)


@given(CURVES, st.sampled_from([0.0, 0.5, 1.0, 2.0]))
def test_kneedle_agrees_with_its_definition(values, sensitivity):
    expected = naive_sweeps.kneedle(list(range(len(values))), values, sensitivity)
    assert rules.kneedle(sensitivity).choose(np.array(values)) == (-1 if expected is None else expected)


@given(CURVES, st.sampled_from([0.0, 1.0]))
def test_the_four_shapes_of_a_curve_are_mirror_images(values, sensitivity):
    curve = np.array(values)
    knee = rules.kneedle(sensitivity).choose(curve)
    last = len(values) - 1
    assert rules.kneedle(sensitivity, "concave", "increasing").choose(-curve) == knee
    mirrored = -1 if knee < 0 else last - knee
    assert rules.kneedle(sensitivity, "convex", "increasing").choose(curve[::-1]) == mirrored
    assert rules.kneedle(sensitivity, "concave", "decreasing").choose(-curve[::-1]) == mirrored


# --- which partitions belong together --------------------------------------------------------------------

RNG = np.random.default_rng(4)
X = np.vstack([RNG.normal(c, 0.6, (n, 2)) for c, n in (((0, 0), 25), ((6, 0), 15), ((0, 7), 30), ((6, 7), 20))])
TREE = cuts(np.asarray(linkage(X, "ward")), range(1, 9))
NAMES = [*SWEPT]


def test_partitions_may_come_in_any_order_and_by_any_name():
    straight = cv.sweep(X, TREE, NAMES)
    order = [4, 1, 7, 2, 8, 3, 6, 5]
    shuffled = cv.sweep(X, {f"cut {k}": TREE[k] for k in order}, NAMES)
    for name in NAMES:
        moved = [shuffled[name][order.index(k)] for k in TREE]
        assert moved == approx(straight[name], nan_ok=True), name


def test_values_do_not_depend_on_whether_partitions_are_evaluated_together():
    large = {k: np.tile(labels, 24) for k, labels in TREE.items()}
    points = np.tile(X, (24, 1)) + 1e-2 * RNG.normal(size=(24 * len(X), 2))
    names = [*NAMES, *ALONE]
    together = [cv.sweep(points, large, names, n_jobs=n) for n in (1, 2)]
    assert np.array_equal(together[0].values, together[1].values, equal_nan=True)
    one_by_one = cv.sweep(points, large, names, memory="16 MiB")
    for name in names:
        assert one_by_one[name] == approx(together[0][name], rel=1e-9, nan_ok=True), name


def test_the_squares_of_one_cluster_are_taken_from_the_points_where_no_partition_has_them():
    names = ["krzanowski_lai", "jump", "str"]
    whole, from_two = cv.sweep(X, TREE, names), cv.sweep(X, {k: TREE[k] for k in range(2, 9)}, names)
    for name in names:
        assert from_two[name] == approx(whole[name][1:], rel=1e-12, nan_ok=True)
        assert not np.isnan(from_two[name][0])
    far = cv.sweep(X + 1e7, {2: TREE[2], 3: TREE[3]}, "krzanowski_lai")["krzanowski_lai"]
    assert far[0] == approx(whole["krzanowski_lai"][1], rel=1e-6)


def test_partitions_are_compared_only_where_they_leave_out_the_same_points():
    noise = np.arange(len(X)) % 9 == 0
    noisy = {f"{k} noisy": np.where(noise, -1, TREE[k]) for k in (2, 3, 4, 5)}
    both = cv.sweep(X, {**TREE, **noisy}, NAMES)
    only = cv.sweep(X[~noise], {k: TREE[k][~noise] for k in (2, 3, 4, 5)}, NAMES)
    clean = cv.sweep(X, TREE, NAMES)
    for name in NAMES:
        if name in ("sd", "cvnn"):
            continue  # which are scaled by all partitions
        assert both[name][-4:] == approx(only[name], rel=1e-11, nan_ok=True), name
        assert both[name][:-4] == approx(clean[name], rel=1e-11, nan_ok=True), name
    odd = {2: TREE[2], 3: np.where(noise, -1, TREE[3])}
    swept = cv.sweep(X, odd, "hartigan")
    assert np.isnan(swept["hartigan"]).all()
    assert swept.reasons[2, "hartigan"] == (
        "hartigan needs a partition of the same points into 3 clusters as well; the sweep has none."
    )


def test_of_several_partitions_with_the_same_number_the_tightest_is_next():
    worse = RNG.permutation(TREE[4])
    swept = cv.sweep(X, {"three": TREE[3], "worse": worse, "four": TREE[4], "two": TREE[2]}, ["hartigan", "trace_w"])
    plain = cv.sweep(X, TREE, ["hartigan", "trace_w"])
    assert swept["hartigan"][0] == approx(plain["hartigan"][2])
    n = len(X)
    best = plain["trace_w"][4]
    with_five = cv.sweep(X, {"worse": worse, 5: TREE[5]}, ["hartigan", "trace_w"])
    assert with_five["hartigan"][0] == approx((with_five["trace_w"][0] / best - 1) * (n - 5))


def test_nesting_is_found_whatever_the_labels_are_called():
    names = {k: np.array([f"c{7 * c % 11}" for c in labels]) for k, labels in TREE.items()}
    for name in NESTED:
        assert cv.sweep(X, names, name)[name] == approx(cv.sweep(X, TREE, name)[name], nan_ok=True)


def test_partitions_that_are_not_nested_are_refused_with_the_reason():
    moved = TREE[4].copy()
    moved[np.flatnonzero(moved == moved[0])[0]] = moved[-1]
    swept = cv.sweep(X, {3: TREE[3], 4: moved, 5: TREE[5]}, [*NESTED, "hartigan"])
    for name in NESTED:
        assert np.isnan(swept[name]).all()
        assert swept.reasons[3, name] == (
            f"{name} needs a hierarchy; no partition of the sweep into 4 clusters cuts one of these 3 in two and "
            "leaves the others as they are."
        )
    assert swept.best()["duda_hart"] is None
    assert not np.isnan(swept["hartigan"][0])


def test_of_several_partitions_the_nested_one_is_found():
    moved = RNG.permutation(TREE[4])
    swept = cv.sweep(X, {3: TREE[3], "moved": moved, "nested": TREE[4]}, NESTED)
    plain = cv.sweep(X, TREE, NESTED)
    for name in NESTED:
        assert swept[name][0] == approx(plain[name][2])


def test_weights_are_repeated_points():
    weights = RNG.integers(1, 4, len(X))
    names = [*(name for name in NAMES if name != "cvnn"), *ALONE]  # neighbours of repeated points are themselves
    weighed = cv.sweep(X, TREE, names, sample_weight=weights)
    again = np.repeat(np.arange(len(X)), weights)
    repeated = cv.sweep(X[again], {k: labels[again] for k, labels in TREE.items()}, names)
    for name in names:
        assert weighed[name] == approx(repeated[name], rel=1e-9, nan_ok=True), name


def test_neighbours_take_no_weights():
    swept = cv.sweep(X, TREE, "cvnn", sample_weight=RNG.integers(1, 4, len(X)))
    assert np.isnan(swept["cvnn"]).all()
    assert swept.reasons[3, "cvnn"].startswith("cvnn takes no weights but 0 and 1")


@pytest.mark.parametrize("name", SWEPT)
def test_scaling_follows_the_degree(name):
    degree = SWEPT[name].degree
    degree = degree(2) if callable(degree) else degree
    assert cv.sweep(8 * X, TREE, name)[name] == approx(8.0**degree * cv.sweep(X, TREE, name)[name], nan_ok=True)


@pytest.mark.parametrize("name", SWEPT)
def test_values_lie_within_the_bounds(name):
    low, high = SWEPT[name].bounds
    for partitions in (TREE, {k: RNG.permutation(labels) for k, labels in TREE.items()}):
        values = cv.sweep(X, partitions, name)[name]
        values = values[~np.isnan(values)]
        assert ((low <= values) & (values <= high)).all()


@pytest.mark.parametrize("name", SWEPT)
def test_the_origin_does_not_matter(name):
    lattice = np.round(X * 1024) / 1024
    moved = cv.sweep(lattice + 2.0**20, TREE, name)[name]
    assert moved == approx(cv.sweep(lattice, TREE, name)[name], rel=1e-9, nan_ok=True)


# --- where there is no value -----------------------------------------------------------------------------


def test_every_missing_value_has_a_reason():
    partitions = {**TREE, "noise": np.full(len(X), -1), "each": np.arange(len(X))}
    swept = cv.sweep(X, partitions, NAMES)
    for row, partition_name in enumerate(swept.names):
        for name in NAMES:
            missing = bool(np.isnan(swept[name][row]))
            assert missing == ((partition_name, name) in swept.reasons), (partition_name, name)
    for name in NAMES:
        assert swept.reasons["noise", name] == f"{name} needs clusters; every point is noise."
    assert swept.reasons[8, "hartigan"].startswith("hartigan needs a partition of the same points into 9 clusters")
    assert swept.reasons[1, "krzanowski_lai"] == (
        "krzanowski_lai needs from 2 to 89 clusters for these 90 points; the labels form 1."
    )


def test_distances_alone_are_not_enough_for_sums_of_squares():
    D = np.linalg.norm(X[:, None] - X, axis=-1)
    swept = cv.sweep(D, TREE, ["hartigan", "duda_hart", "frey", "cvnn"], metric="precomputed")
    for name in ("hartigan", "duda_hart"):
        assert swept.reasons[3, name] == f"{name} needs coordinates; metric='precomputed' gives only distances."
    plain = cv.sweep(X, TREE, ["frey", "cvnn"])
    for name in ("frey", "cvnn"):
        assert swept[name] == approx(plain[name], rel=1e-9, nan_ok=True)


def test_points_that_are_equal_have_no_invented_value():
    swept = cv.sweep(np.ones((6, 2)), {2: [0, 0, 0, 1, 1, 1], 3: [0, 0, 0, 1, 1, 2]}, NAMES)
    assert np.isnan(swept.values).all()
    assert swept.reasons[2, "duda_hart"] == (
        "duda_hart has no value for this clustering: the points of the cluster that is cut are all equal."
    )


@pytest.mark.parametrize("case", brute_force.edges())
def test_degenerate_inputs_have_values_or_reasons(case):
    record = brute_force.edges()[case]
    points, labels = np.array(record["X"]), np.array(record["labels"])
    partitions = {"given": labels, "merged": np.where(labels > 0, 0, labels), "halves": np.arange(len(labels)) % 2}
    swept = cv.sweep(points, partitions, [*NAMES, *ALONE])
    for row, partition_name in enumerate(swept.names):
        for name in swept.indices:
            value = swept[name][row]
            low, high = KINDS["internal"].records[name].bounds
            assert math.isnan(value) == ((partition_name, name) in swept.reasons)
            assert math.isnan(value) or low <= value <= high


def test_a_cluster_of_two_points_can_be_cut_but_not_tested():
    pair = [[0.0], [1.0], [5.0], [6.0], [9.0]]
    swept = cv.sweep(pair, {2: [0, 0, 1, 1, 1], 3: [0, 1, 2, 2, 2]}, NESTED)
    assert swept["duda_hart"][0] == 0
    assert np.isnan(swept["pseudo_t2"][0])
    assert np.isnan(swept["beale"][0])
    assert "only two points" in swept.reasons[2, "beale"]


def test_one_partition_has_no_such_index_and_is_told_where_it_is():
    reason = (
        "hartigan needs partitions into several numbers of clusters; give them to "
        "clustval.sweep(X, partitions, 'hartigan')."
    )
    scores = cv.evaluate(X, TREE[3], ["dunn", "hartigan"])
    assert math.isnan(scores["hartigan"])
    assert scores.reasons["hartigan"] == reason
    with pytest.raises(AttributeError, match=re.escape(reason)):
        cv.internal.hartigan  # noqa: B018
    with pytest.raises(AttributeError, match="krzanowski_lai needs partitions"):
        cv.internal.KL  # noqa: B018
    assert not {"hartigan", "sd"} & set(cv.evaluate(X, TREE[3], "all"))
    assert "sd" not in cv.evaluate(X, TREE[3], "clustercrit")


# --- choices ---------------------------------------------------------------------------------------------


def chosen(name, values, k=None, **details):
    """Return what a sweep with these values would choose."""
    k = list(range(2, 2 + len(values))) if k is None else k
    label = name.rpartition(":")[2]
    table = {label: {key: np.array(each) for key, each in details.items()}} if details else None
    return Sweep(np.array(values)[:, None], dict.fromkeys(k, TREE[3]), np.array(k), select(name, "internal"), {}, table)


def test_hartigan_chooses_the_fewest_clusters_that_need_no_further():
    assert chosen("hartigan", [50.0, 9.0, 30.0, 2.0]).best() == {"hartigan": 3}
    swept = chosen("hartigan", [50.0, 20.0, math.nan])
    assert swept.best() == {"hartigan": None}
    assert swept.best_notes["hartigan"] == (
        "no partition satisfies the rule: fewest clusters with a value of at most 10; left out, for want of a finite "
        "value: 4"
    )
    assert cv.best([50.0, 9.0, 30.0], "hartigan") == 1
    with pytest.raises(InputError, match=r"^hartigan chooses none of these values; its rule is: fewest clusters with"):
        cv.best([50.0, 20.0], "hartigan")


def test_values_are_read_against_critical_ones():
    assert chosen("duda_hart", [0.2, 0.6, 0.9], critical=[0.3, 0.5, 0.5]).best() == {"duda_hart": 3}
    assert chosen("pseudo_t2", [20.0, 6.0, 1.0], critical=[15.0, 5.0, 5.0]).best() == {"pseudo_t2": 4}
    assert chosen("beale", [20.0, 6.0], critical=[15.0, 5.0]).best() == {"beale": None}
    assert cv.best([0.2, 0.6, 0.9], "duda_hart", critical=[0.3, 0.6, 0.5]) == 1
    message = "duda_hart is read against a critical value of each partition; give critical=, which Sweep.details has."
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        cv.best([0.2, 0.6], "duda_hart")
    with pytest.raises(InputError, match=r"^values has 2 entries but critical has 1\.$"):
        cv.best([0.2, 0.6], "duda_hart", critical=[0.5])
    with pytest.raises(InputError, match=r"^critical must be a list of numbers, one for each partition\.$"):
        cv.best([0.2, 0.6], "duda_hart", critical="high")


def test_the_two_forms_of_one_test_choose_the_same():
    for seed in range(5):
        points = np.random.default_rng(seed).normal(size=(60, 2)) + 6 * np.repeat([0, 1, 2], 20)[:, None]
        best = cv.sweep(points, linkage="ward", k=range(1, 9), indices=["duda_hart", "pseudo_t2"]).best()
        assert best["duda_hart"] == best["pseudo_t2"] == 3


def test_frey_ends_before_the_last_values_below_one_as_clusters_are_merged():
    assert chosen("frey", [0.4, 0.9, 2.1, 0.7]).best() == {"frey": 4}
    assert chosen("frey", [1.7, 0.9, 3.2]).best() == {"frey": 4}
    assert chosen("frey", [0.4, 0.9]).best() == {"frey": None}
    assert chosen("frey", [1.4, 1.9]).best() == {"frey": None}
    assert chosen("nbclust:frey", [1.7, 1.8, 0.9, 3.2]).best() == {"frey": 3}
    assert chosen("nbclust:frey", [0.4, 1.9]).best() == {"frey": None}
    assert chosen("nbclust:frey", [0.4, 0.9, 1.9]).best() == {"frey": None}  # one cluster, which is not there
    assert chosen("nbclust:frey", [math.nan, 0.9, 1.9]).best() == {"frey": None}


def test_values_are_read_in_the_order_of_k_and_ranked():
    swept = chosen("hartigan", [2.0, 50.0, 9.0], k=[4, 2, 3])
    assert swept.best() == {"hartigan": 3}
    assert list(swept.rank()) == [3, 4, 2]


def test_kneedle_needs_a_knee():
    rule = rules.kneedle()
    assert cv.best([100.0, 60.0, 20.0, 15.0, 11.0], rule, k=range(1, 6)) == 2
    assert rule.choose(np.array([5.0, 5.0, 5.0])) == -1
    assert rule.choose(np.array([9.0, math.nan, 1.0])) == -1
    assert rule.choose(np.array([100.0, math.nan, 60.0, 20.0, math.inf, 15.0, 11.0])) == 3
    with pytest.raises(InputError, match=r"^It chooses none of these values; its rule is: knee of Kneedle, convex"):
        cv.best([3.0, 2.0, 1.0], rule)
    # Between 2 and 10 clusters lies most of the curve, and the knee with it: distances along k count.
    assert rule.choose(np.array([10.0, 4.0, 2.0, 1.0]), [1, 2, 10, 20]) == 1
    with pytest.raises(InputError, match="curve must be 'convex' or 'concave', and direction"):
        rules.kneedle(curve="straight")
    with pytest.raises(InputError, match=r"^sensitivity must be a number from 0; it is -1\.$"):
        rules.kneedle(sensitivity=-1)


def test_a_sharper_knee_is_asked_for_by_a_larger_sensitivity():
    values = np.array([10.0, 6.0, 4.0, 3.0, 2.5, 2.0])
    assert rules.kneedle(1).choose(values) == 2
    assert rules.kneedle(5).choose(values) == -1
    assert pickle.loads(pickle.dumps(rules.kneedle(5))) == rules.kneedle(5)
    assert pickle.loads(pickle.dumps(rules.kneedle())) == rules.kneedle()


# --- suites and records ----------------------------------------------------------------------------------

THIRTY = [
    "kl", "ch", "hartigan", "ccc", "scott", "marriot", "trcovw", "tracew", "friedman", "rubin", "cindex", "db",
    "silhouette", "duda", "pseudot2", "beale", "ratkowsky", "ball", "ptbiserial", "gap", "frey", "mcclain", "gamma",
    "gplus", "tau", "dunn", "hubert", "sdindex", "dindex", "sdbw",
]  # fmt: skip


def test_the_suite_nbclust_has_its_thirty_names_but_for_the_gap_statistic():
    assert [*SUITES["nbclust"]["internal"]] == [name for name in THIRTY if name != "gap"]
    assert [*LEFT_OUT["nbclust"]["internal"]] == ["gap"]
    message = (
        "The suite 'nbclust' has no internal index 'gap': it compares with random data; clustval.gap_statistic(X, k) "
        "does that."
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        cv.sweep(X, TREE, "nbclust:gap")


def test_the_majority_of_the_suite_nbclust_finds_the_clusters():
    swept = cv.sweep(X, linkage="ward", k=range(2, 9), indices="nbclust")
    votes = swept.votes()
    assert max(votes, key=votes.get) == 4
    assert {name for name, choice in swept.best().items() if choice is None} >= {"hubert", "dindex"}
    for name in ("duda", "kl", "sdindex"):
        assert swept.best()[name] == 4
    one = cv.evaluate(X, TREE[4], "nbclust")
    assert "silhouette" in one
    assert not {"kl", "hartigan", "duda", "pseudot2", "beale", "frey", "sdindex"} & set(one)


@pytest.mark.parametrize("index", SWEPT.values(), ids=lambda index: index.name)
def test_the_record_is_complete(index):
    assert index.summary.endswith(".")
    assert index.bounds[0] < index.bounds[1]
    assert index.undefined
    assert ".. math::" in index.formula.__doc__
    assert re.search(rf"sweep\(.*\"{index.name}\"", inspect.getdoc(index.formula))
    keys = re.findall(bibliography.KEY, index.reference)
    assert keys
    assert set(keys) <= set(bibliography.works())


def test_the_catalogue_lists_them_and_says_what_they_need():
    records = {record["name"]: record for record in cv.indices("internal")}
    for name in SWEPT:
        assert records[name]["sweep"]
        assert records[name]["kind"] == "internal"
    assert not records["dunn"]["sweep"]
    assert records["krzanowski_lai"]["suites"] == ["nbclust"]
    assert records["cvnn"]["cost"] == "quadratic"
    assert records["hartigan"]["cost"] == "linear"
    assert catalogue.find("KL").name == "krzanowski_lai"
    assert set(SWEPT) <= set(cv.sweep(X, TREE, "all").indices)


def test_a_sweep_with_details_survives_pickles_and_json():
    swept = cv.sweep(X, TREE, [*NESTED, "krzanowski_lai", "dunn"])
    for copy in (pickle.loads(pickle.dumps(swept)), Sweep.from_json(swept.to_json())):
        assert copy == swept
        assert copy.best() == swept.best()
        assert copy.details["beale"]["p_value"] == approx(swept.details["beale"]["p_value"], nan_ok=True)


def test_options_reach_the_curves_and_the_details():
    swept = cv.sweep(X, TREE, {"duda_hart": {"z": 0}, "cvnn": {"neighbours": 3}})
    assert swept.details["duda_hart"]["critical"][:-1] == approx(1 - 1 / math.pi)
    assert not np.allclose(swept["cvnn"], cv.sweep(X, TREE, "cvnn")["cvnn"], equal_nan=True)
    with pytest.raises(InputError, match=r"^cvnn has no option 'metric'; its options are neighbours, pooled\.$"):
        cv.sweep(X, TREE, {"cvnn": {"metric": 1}})
    with pytest.raises(InputError, match=r"^neighbours must be a whole number from 1; it is 0\.$"):
        cv.sweep(X, TREE, {"cvnn": {"neighbours": 0}})


def test_two_indices_of_one_name_are_refused():
    def dunn(W) -> None: ...

    def hartigan(W) -> None: ...

    declare = sweep_index(
        best=rules.highest, bounds=(0, 1), degree=0, reference="dunn1974", undefined="never", clusters=(1, 0)
    )
    for formula in (dunn, hartigan):
        with pytest.raises(ValueError, match=f"^Two internal indices are called '{formula.__name__}'"):
            declare(formula)


def test_a_curve_of_an_index_is_that_of_its_formula():
    assert Curve(cv.internal.trace_w).plain is KINDS["internal"].indices["trace_w"].formula
    assert isinstance(SWEPT["hartigan"], SweepIndex)


# --- pages and other packages ----------------------------------------------------------------------------


def pages():
    spec = importlib.util.spec_from_file_location("index_pages", GOLDEN.parents[1] / "docs" / "index_pages.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("index", SWEPT.values(), ids=lambda index: index.name)
def test_a_page_says_that_a_sweep_is_needed_and_how_it_is_read(index):
    text = pages().page(index)
    assert text.startswith(f"# {index.name}\n")
    assert "| needs | a sweep, `cv.sweep(X, partitions, ...)`: one partition has no value |" in text
    assert index.best.name in text
    for name in index.details:
        assert f"`{name}`" in text
    for claim in pages().VARIANTS["sweeps"].get(index.name, {}).values():
        assert f"| `{claim['name']}` | {'yes' if claim['same'] else 'no'} |" in text
        assert claim["same"] or claim["note"]


def test_claims_of_sweeps_are_of_indices_and_packages_that_are_known():
    variants = pages().VARIANTS
    assert set(variants["sweeps"]) <= set(SWEPT)
    assert {package for claims in variants["sweeps"].values() for package in claims} <= set(variants["packages"])


# NbClust 3.0.1 on six data sets, each cut by Ward's method and by k-means into 1 to 9 clusters
RUNS_OF_NBCLUST = [
    (name, method)
    for name in ("a_iris4", "b_iris_pc2", "d_blobs400", "e_overlap600", "g_int200", "i_singleton120")
    for method in ("ward.D2", "kmeans")
]


@pytest.mark.parametrize(("name", "method"), RUNS_OF_NBCLUST)
def test_the_rules_of_the_suite_choose_among_values_of_nbclust_what_it_chooses(name, method):
    record = golden(f"{name}.nbclust")[method]
    choices = {index: printed for index, printed in record["nbclust_output"].items() if "best" in printed}
    assert len(set(choices) & set(SUITES["nbclust"]["internal"])) >= 24
    for index in choices.keys() & SUITES["nbclust"]["internal"]:
        values, details = [float(value) for value in record["full_precision"][index].values()], {}
        if index == "beale":  # which it reads by p-values: the higher the smaller its value
            values = [-p for p in choices[index]["critical"].values()]
            details = {"critical": [-0.1] * len(values)}
        elif "critical" in choices[index]:
            details = {"critical": list(choices[index]["critical"].values())}
        choice = choices[index]["best"][0]
        expected = None if choice in (1, "-Inf") else choice
        assert chosen(f"nbclust:{index}", values, **details).best() == {index: expected}


def values_of_nbclust(index):
    """Return pairs of a value here and one of NbClust, with k, for an index of sweeps by its name in the suite."""
    for name, method in RUNS_OF_NBCLUST:
        record = golden(f"{name}.nbclust")[method]
        expected = {int(k): value for k, value in record["full_precision"][index].items()}
        partitions = {int(k): labels for k, labels in record["partitions"].items()}
        if index == "sdindex":  # which is scaled by the partition into the most clusters that are asked for
            partitions = {k: partitions[k] for k in expected}
        computed = by_k(golden_set(name)[0], partitions, f"nbclust:{index}")[index]
        yield from ((method, len(partitions[k]), k, computed[k], value) for k, value in expected.items())


@pytest.mark.parametrize("index", ["sd", "hartigan", "krzanowski_lai", "duda_hart", "pseudo_t2", "beale", "frey"])
def test_nbclust_gives_the_same_value_or_another_as_the_page_says(index):
    claim = pages().VARIANTS["sweeps"][index]["NbClust"]
    values = list(values_of_nbclust(claim["name"]))
    other = [row for row in values if row[-2] != approx(row[-1], rel=1e-9)]
    assert claim["same"] is not bool(other)
    if index == "hartigan":
        assert [value * (n - k) / (n - k - 1) for _, n, k, value, _ in values] == approx([row[-1] for row in values])
    elif index in NESTED:  # one of Ward's trees has two clusters of the same size
        assert [n for method, n, *_ in other if method == "ward.D2"] == ([] if index == "frey" else [120])
        assert sum(math.isnan(value) for method, *_, value, _ in other if method == "kmeans") >= len(other) - 1


@pytest.mark.parametrize("name", ["a_iris4", "b_iris_pc2", "d_blobs400", "e_overlap600", "g_int200"])
def test_nbclust_gives_the_same_critical_values(name):
    record = golden(f"{name}.nbclust")["ward.D2"]
    partitions = {int(k): labels for k, labels in record["partitions"].items() if k != "1"}
    details = cv.sweep(golden_set(name)[0], partitions, ["duda_hart", "pseudo_t2", "beale"]).details
    for index, key, their in (("duda_hart", "critical", "duda"), ("pseudo_t2", "critical", "pseudot2")):
        printed = list(record["nbclust_output"][their]["critical"].values())
        assert details[index][key][:7] == approx(printed, abs=5.01e-5)
    printed = list(record["nbclust_output"]["beale"]["critical"].values())
    assert details["beale"]["p_value"][:7] == approx(printed, abs=5.01e-5)


@every_set
def test_ccc_of_nbclust_is_another_where_it_finds_other_axes(name):
    data, values = brute_force.data(name), brute_force.values(name, "B")
    ours = {k: cv.internal.ccc(data["X"], labels) for k, labels in data["kmeans"].items()}
    same = [ours[int(k)] == approx(value, rel=1e-9) for k, value in values["ccc_nbclust"].items()]
    assert all(same) is (name not in ("iris", "highdim4"))  # in two dimensions, and by chance in three


def test_the_command_line_lists_and_explains_them(capsys):
    assert cli.run(["indices", "--suite", "nbclust", "--json"]) == 0
    rows = {row["index"]: row for row in json.loads(capsys.readouterr().out)["indices"]}
    assert rows["kl"]["is"] == "krzanowski_lai"
    assert rows["kl"]["needs"] == "partitions into several numbers of clusters: clustval sweep"
    assert not rows["ch"]["needs"]
    assert cli.run(["indices", "hartigan"]) == 0
    assert rows["kl"]["needs"] in capsys.readouterr().out
