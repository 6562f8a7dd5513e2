"""Tables of numbers and categories: Gower's distance, what it is made of, and indices without means."""

from __future__ import annotations

import datetime as dt
import math
import pickle

import brute_force
import naive_gower
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval import catalogue, inputs
from clustval.kernels.metrics.form import Form
from clustval.passes.metrics.measure_forms import FormRows
from clustval.passes.metrics.measure_images import form_distances_numpy
from clustval.passes.work import thresholds
from clustval.relative.gap import permuted as shuffled_columns
from clustval.sources.space import space_of
from clustval.sources.takes import takes_of
from conftest import examples

SIZES = ["S", "M", "L"]
TYPES = ("numeric", "ordinal", "categorical", "asymmetric", "numeric")


def people(n, seed, *, gaps=0.0, sure=True):
    """Return rows of an age, a size, a colour, whether they smoke and an income, and the same as a frame.

    A share of the values is missing, none of the incomes if these are `sure`.
    """
    rng = np.random.default_rng(seed)
    rows = [
        [int(age), int(size), colour, bool(smokes), float(income)]
        for age, size, colour, smokes, income in zip(
            rng.integers(18, 80, n),
            rng.integers(0, 3, n),
            rng.choice(["red", "green", "blue"], n),
            rng.random(n) < 0.3,
            rng.normal(3000, 700, n),
            strict=True,
        )
    ]
    rows = [
        [None if rng.random() < gaps and (at < 4 or not sure) else value for at, value in enumerate(row)]
        for row in rows
    ]
    frame = pd.DataFrame(rows, columns=["age", "size", "colour", "smokes", "income"])
    frame["size"] = pd.Categorical([None if s is None else SIZES[s] for _, s, *_ in rows], SIZES, ordered=True)
    return rows, frame


def clustered(n, seed):
    """Return a frame of two numbers and three categories in three clusters, and the clusters."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, n)
    usual = np.array([["a", "x", "p"], ["b", "x", "q"], ["c", "y", "q"]])
    words = np.where(rng.random((n, 3)) < 0.15, rng.choice(["a", "x", "p"], (n, 3)), usual[labels])
    numbers = rng.normal(size=(n, 2)) + 3 * labels[:, None]
    return pl.DataFrame({"u": numbers[:, 0], "v": numbers[:, 1], **{f"w{j}": words[:, j] for j in range(3)}}), labels


# --- the distance ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_distances_and_silhouettes_are_those_of_the_definition(name):
    data, reference = brute_force.data(name), brute_force.values(name, "F")
    rows = [[float(x[0]), *map(str, c)] for x, c in zip(data["X"], reference["categories"], strict=True)]
    matrix = cv.gower(rows)
    assert matrix[0, :10].tolist() == approx(reference["gower_first_row"], rel=1e-9, abs=1e-15)
    assert matrix.mean() == approx(reference["gower_mean"], rel=1e-9)
    value = cv.internal.silhouette(rows, data["kmeans"][3], metric="gower")
    assert value == approx(reference["gower_silhouette"], rel=1e-9)


@given(st.integers(2, 14), st.sampled_from([0.0, 0.2]), st.booleans(), st.booleans(), st.integers(0, 10**6))
@examples(60)
def test_distances_agree_with_the_definition_in_loops(n, gaps, asymmetric, weighted, seed):
    rows, frame = people(n, seed, gaps=gaps, sure=False)
    assume(not any(all(row[j] is None for row in rows) for j in range(5)))
    types = TYPES if asymmetric else (*TYPES[:3], "categorical", "numeric")
    weights = [2.0, 1.0, 0.5, 3.0, 1.0] if weighted else [1.0] * 5
    expected = naive_gower.distances(rows, types, weights)
    options = {"asymmetric": ["smokes"] if asymmetric else [], "weights": weights if weighted else None}
    if any(math.isnan(value) for row in expected for value in row):
        with pytest.raises(cv.InputError, match=r"^Rows \d+ and \d+ of X have no column in common"):
            cv.gower(frame, **options)
        return
    assert cv.gower(frame, **options) == approx(np.array(expected), rel=1e-12, abs=1e-15)


def test_columns_that_say_no_of_both_count_for_neither():
    table = pd.DataFrame({"a": [1.0, 3, 7], "b": ["x", "y", "x"], "c": [1, 0, 0]})
    matrix = cv.gower(table, asymmetric=["c"])
    assert matrix[0, 1] == approx((2 / 6 + 1 + 1) / 3)
    assert matrix[0, 2] == approx((1 + 0 + 1) / 3)
    assert matrix[1, 2] == approx((4 / 6 + 1) / 2)
    assert cv.gower([[False], [True], [True]], asymmetric=[0]).tolist() == [[0, 1, 1], [1, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_kernels_agree_with_numpy_to_the_last_bit_of_a_sum(gaps):
    _, frame = people(200, 3, gaps=gaps)
    image = cv.mixed(frame, asymmetric=["smokes"] if gaps else []).image
    form = Form("gower_gaps") if gaps else Form("gower", image.shape[1])
    rows = FormRows(form, image)
    assert not rows.plain
    assert rows.of(image) == approx(form_distances_numpy(form, image, image), rel=1e-14, abs=1e-15)
    assert np.array_equal(rows.of(image), rows.of(image).T)


def test_distances_do_not_depend_on_the_number_of_threads():
    _, frame = people(700, 5, gaps=0.05)
    assert np.array_equal(cv.gower(frame, n_jobs=1), cv.gower(frame, n_jobs=3))


# --- columns ---------------------------------------------------------------------------------------------


def test_types_are_read_from_the_columns():
    day = dt.date(2024, 1, 1)
    frame = pl.DataFrame(
        {
            "number": [1.5, 2, 3],
            "whole": [1, 2, 3],
            "text": ["a", "b", "a"],
            "flag": [True, False, True],
            "enumeration": pl.Series(["S", "L", "M"], dtype=pl.Enum(SIZES)),
            "category": pl.Series(["a", "b", "a"], dtype=pl.Categorical),
            "day": [day, day + dt.timedelta(days=1), day + dt.timedelta(days=4)],
        }
    )
    table = cv.mixed(frame)
    numeric, ordinal, categorical = "numeric", "ordinal", "categorical"
    assert list(table.types.values()) == [numeric, numeric, categorical, categorical, ordinal, categorical, numeric]
    assert table.image[:, 4].tolist() == [0, 1, 0.5]
    assert table.image[:, 6].tolist() == [0, 0.25, 1]
    assert repr(table) == "MixedTable(3 rows, 3 numeric, 3 categorical, 1 ordinal)"
    said = cv.mixed(frame, categorical=["whole"], ordinal={"text": ["b", "a"]}, asymmetric=["flag"])
    assert [said.types[name] for name in ("whole", "text", "flag")] == [categorical, ordinal, "asymmetric"]


def test_frames_of_pandas_polars_and_rows_are_the_same_table():
    rows, frame = people(30, 8, gaps=0.1)
    plain = frame.astype({"size": object})
    ordered = {"size": SIZES}
    expected = cv.gower(frame)
    assert np.array_equal(cv.gower(plain, ordinal=ordered), expected)
    polars = pl.from_pandas(plain.astype({"smokes": "boolean"}))
    assert np.array_equal(cv.gower(polars, ordinal=ordered), expected)
    numbered = plain.set_axis(range(plain.shape[1]), axis=1)  # as pandas names columns by itself
    assert np.array_equal(cv.gower(numbered, ordinal={"1": SIZES}), expected)
    assert np.array_equal(cv.gower(rows, ordinal=[1]), expected)
    assert np.array_equal(cv.gower(np.array(rows, dtype=object), ordinal=[1]), expected)


@pytest.mark.parametrize("n", [6, 400])
def test_rows_that_are_equal_where_both_are_known_have_no_distance(n):
    table = pd.DataFrame({"age": np.where(np.arange(n) % 2, np.nan, np.arange(n)), "plan": ["free", "team"] * (n // 2)})
    D = cv.gower(table.assign(plan="free"))
    assert (D[1::2] == 0).all()
    assert cv.internal.dunn(table.assign(plan="free"), np.arange(n) % 2, metric="gower") == 0


def test_a_constant_column_counts_and_keeps_nothing_apart():
    assert cv.gower([[1, 5.0], [2, 5.0], [3, 5.0]])[0].tolist() == [0, 0.25, 0.5]


def test_columns_of_weight_0_are_left_out():
    _, frame = people(20, 2)
    weights = {"age": 0, "smokes": 0}
    assert np.array_equal(cv.gower(frame, weights=weights), cv.gower(frame[["size", "colour", "income"]]))


NAN = math.nan
WRONG = {
    "nothing in common": (
        lambda: cv.gower([[1.0, None], [2.0, "a"], [None, "b"]]),
        (
            "Rows 0 and 2 of X have no column in common, and so no distance. Leave one of them out, or fill its "
            "missing values."
        ),
    ),
    "two rows of nothing": (
        lambda: cv.gower([[NAN, 1.0], [1.0, NAN], [2.0, 2.0], [3.0, NAN], [NAN, 4.0]]),
        (
            "Rows 0 and 1 of X have no column in common, and so no distance. Leave one of them out, or fill its "
            "missing values."
        ),
    ),
    "both say no": (
        lambda: cv.gower([[True, None], [False, None], [False, 1], [True, 2], [False, None]], asymmetric=[0]),
        (
            "Rows 1 and 4 of X have no column in common, asymmetric ones aside in which both say no, and so no "
            "distance. Leave one of them out, or fill its missing values."
        ),
    ),
    "a column of nothing": (
        lambda: cv.gower(pd.DataFrame({"a": [1, 2], "b": [None, None]})),
        "Column 'b' of X has no values; leave it out.",
    ),
    "numbers of nothing": (
        lambda: cv.gower(np.array([[1.0, NAN], [2.0, NAN]])),
        "Column 1 of X has no values; leave it out.",
    ),
    "infinite": (lambda: cv.gower([[1.0], [math.inf]]), "Column 0 of X must be finite; row 1 is inf."),
    "too large": (lambda: cv.gower([[1.0], [1e200]]), "Column 0 of X reaches 1e+200; rescale it to below 1e+150."),
    "no such column": (
        lambda: cv.gower(pd.DataFrame({"age": [1, 2]}), categorical=["agee"]),
        "categorical names the column 'agee', which X does not have. Did you mean 'age'?",
    ),
    "a column by name alone": (
        lambda: cv.gower(pd.DataFrame({"age": [1, 2]}), categorical="age"),
        "categorical must list columns; it is the text 'age'. Write ['age'].",
    ),
    "two things": (
        lambda: cv.gower([[1], [2]], categorical=[0], asymmetric=[0]),
        "Column 0 cannot be categorical and asymmetric.",
    ),
    "no order": (
        lambda: cv.gower([["S"], ["L"]], ordinal=[0]),
        "Column 0 of X has no order; give its categories in order: ordinal={0: [...]}.",
    ),
    "not in the order": (
        lambda: cv.gower([["S"], ["XL"]], ordinal={0: ["S", "L"]}),
        "Column 0 of X holds 'XL', which is not in its order ['S', 'L'].",
    ),
    "neither yes nor no": (
        lambda: cv.gower([["a"], ["b"], ["c"]], asymmetric=[0]),
        "Column 0 of X must say yes or no to be asymmetric; it has 3 categories.",
    ),
    "weights too few": (
        lambda: cv.gower([[1, 2], [2, 3]], weights=[1]),
        "weights must have one number for each of 2 columns; it has 1.",
    ),
    "negative weights": (
        lambda: cv.gower([[1, 2], [2, 3]], weights={1: -1}),
        "The weights of columns must be finite and not negative; that of column 1 is -1.",
    ),
    "no weights": (
        lambda: cv.gower([[1, 2], [2, 3]], weights=[0, 0]),
        "All columns have the weight 0; at least one must weigh more.",
    ),
    "said too late": (
        lambda: cv.gower(cv.mixed([[1], [2]]), categorical=[0]),
        "X is a mixed table already; say more of its columns when it is made.",
    ),
    "another metric": (
        lambda: cv.evaluate(cv.mixed([[1], [2], [3]]), [0, 0, 1]),
        "X is a table of numbers and categories; it needs metric='gower'.",
    ),
    "text under another metric": (
        lambda: cv.evaluate(pd.DataFrame({"a": ["x", "y"]}), [0, 1]),
        "Column 'a' of X holds String, not numbers; drop or encode it, or use metric='gower'.",
    ),
    "no room": (
        lambda: cv.gower(np.zeros((2000, 1)), memory="16 MiB"),
        (
            "The matrix of 2000 rows takes 0.0298 GiB, more than the budget of 0.0156 GiB. Raise memory=, or give "
            "metric='gower' to what needs distances."
        ),
    ),
    "batches": (
        lambda: cv.Evaluator(metric="gower"),
        "metric='gower' takes ranges and categories from all points; use evaluate(X, labels, metric='gower').",
    ),
    "k-means": (
        lambda: cv.sweep(clustered(30, 0)[0], k=range(2, 4), metric="gower"),
        "k-means needs coordinates; with metric='gower' give an estimator of distances, or linkage=.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_has_no_distance_is_named(what):
    call, message = WRONG[what]
    with pytest.raises(cv.InputError) as error:
        call()
    assert str(error.value) == message


# --- indices ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("n", [40, 300])
def test_every_index_of_distances_has_the_value_of_the_matrix(gaps, n):
    frame, labels = clustered(n, 1)
    if gaps:
        keep = pl.Series(np.random.default_rng(0).random(n) < 0.9)
        frame = frame.with_columns(pl.when(keep).then(pl.col("u")), pl.when(~keep).then(None).otherwise(pl.col("w1")))
    assert n > thresholds.PAIRS or n == 40
    ours = cv.evaluate(frame, labels, "all", metric="gower")
    matrix = cv.evaluate(cv.gower(frame), labels, list(ours), metric="precomputed")
    everything = cv.evaluate(cv.gower(frame), labels, "all", metric="precomputed")
    assert [name for name in everything if name not in everything.reasons and name not in ours] == []
    assert ours.to_dict() == approx(matrix.to_dict(), rel=1e-9, abs=1e-12, nan_ok=True)
    assert not [name for name, reason in ours.reasons.items() if "means" in reason]


def test_indices_of_means_are_undefined_and_say_so():
    frame, labels = clustered(40, 1)
    codes = np.random.default_rng(0).integers(0, 3, (40, 4))
    catalogue.load("internal")
    for metric, X in {"gower": frame, "hamming": codes, "jaccard": codes}.items():
        what = "sets" if metric == "jaccard" else "categories"
        for name in ("davies_bouldin", "calinski_harabasz", "trace_w", "simplified_silhouette", "det_ratio"):
            reason = cv.evaluate(X, labels, name, metric=metric).reasons[name]
            assert reason == f"{name} needs means, and the metric {metric!r} compares {what}, which have none."
    with pytest.raises(cv.UndefinedIndexError, match=r"^dbcv needs the number of dimensions with metric='gower'"):
        cv.internal.dbcv(frame, labels, metric="gower")


@pytest.mark.parametrize("metric", sorted(inputs.WITHOUT_MEANS))
def test_our_suites_leave_indices_of_means_out_and_medoids_stand_in(metric):
    codes, labels = np.random.default_rng(0).integers(0, 2, (40, 6)), np.arange(40) % 3
    scores = cv.evaluate(codes, labels, metric=metric)
    assert list(scores)[:3] == ["silhouette", "medoid_silhouette", "medoid_davies_bouldin"]
    assert not [reason for reason in scores.reasons.values() if "means" in reason]
    for suite in ("all", "fast"):
        for choice in catalogue.select(suite, "internal", metric=metric):
            assert not takes_of(choice.index).centres
            assert not takes_of(choice.index).coordinates
    assert list(cv.sweep(codes, {"a": labels}, metric=metric).indices) == list(scores)
    assert "davies_bouldin" in cv.evaluate(codes, labels)


def test_noise_changes_no_distance_and_weights_repeat_points():
    frame, labels = clustered(60, 4)
    noisy = np.where(np.arange(60) % 7 == 0, -1, labels)
    matrix = cv.gower(frame)
    for name in ("silhouette", "dunn", "medoid_silhouette"):
        function = getattr(cv.internal, name)
        assert function(frame, noisy, metric="gower") == approx(
            function(matrix, noisy, metric="precomputed"), rel=1e-12
        )
    weights = np.arange(60) % 3
    weighted = cv.internal.silhouette(frame, labels, metric="gower", sample_weight=weights)
    repeated = np.repeat(np.arange(60), weights)
    block = matrix[np.ix_(repeated, repeated)]
    assert weighted == approx(cv.internal.silhouette(block, labels[repeated], metric="precomputed"), rel=1e-12)


def test_labels_are_aligned_with_the_rows_of_a_frame():
    _, frame = people(20, 6)
    frame.index = [f"p{i}" for i in range(20)]
    labels = pd.Series(np.arange(20) % 2, index=frame.index)
    assert cv.internal.silhouette(frame, labels[::-1], metric="gower") == cv.internal.silhouette(
        frame, labels.to_numpy(), metric="gower"
    )


def test_sweeps_trees_pictures_and_choices_take_mixed_tables():
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    frame, labels = clustered(80, 2)
    swept = cv.sweep(frame, linkage="average", k=range(2, 6), metric="gower")
    by_matrix = cv.sweep(
        cv.gower(frame), linkage="average", k=range(2, 6), metric="precomputed", indices=["silhouette"]
    )
    assert swept["silhouette"] == approx(by_matrix["silhouette"], rel=1e-12)
    Z = linkage(squareform(cv.gower(frame), checks=False), "average")
    tree = cv.trees.cophenetic_correlation(Z, frame, metric="gower")
    assert tree == approx(cv.trees.cophenetic_correlation(Z, cv.gower(frame), metric="precomputed"), rel=1e-12)
    assert cv.graph.modularity(frame, labels, neighbours=8, metric="gower") > 0.4
    assert cv.vat(frame, metric="gower").order.tolist() == cv.vat(cv.gower(frame), metric="precomputed").order.tolist()
    chosen = cv.choose(frame, metric="gower", random_state=0)
    assert cv.external.ari(labels, chosen.labels) > 0.8


def test_blocks_in_memory_and_lazy_frames_have_no_ranges_of_their_own(tmp_path):
    from clustval.sources.blocks import blocks_of

    frame, labels = clustered(40, 1)
    message = "metric='gower' takes ranges and categories from all points, which blocks do not have; give one table."
    with pytest.raises(cv.InputError) as error:
        blocks_of([(frame, labels)], metric="gower")
    assert str(error.value) == message
    frame.with_columns(label=pl.Series(labels)).write_parquet(tmp_path / "part.parquet")
    with pytest.raises(cv.InputError, match="which are not read at once; load X first"):
        cv.evaluate(pl.scan_parquet(tmp_path / "*.parquet"), "label", metric="gower")
    whole = cv.evaluate(frame, labels, "silhouette", metric="gower")
    assert cv.evaluate(str(tmp_path / "*.parquet"), "label", "silhouette", metric="gower") == whole


def test_spaces_travel_between_processes_and_can_be_made_again():
    frame, _ = clustered(30, 3)
    space = space_of(frame, metric="gower")
    rows = space.rows(np.arange(5))
    assert np.array_equal(pickle.loads(pickle.dumps(space)).rows(np.arange(5)), rows)
    assert np.array_equal(space_of(space.again, metric="gower").rows(np.arange(5)), rows)


def test_a_report_of_a_mixed_table_shows_no_columns_that_are_not_there(tmp_path):
    frame, labels = clustered(60, 5)
    scores = cv.evaluate(frame, labels, metric="gower")
    scores.to_html(tmp_path / "mixed.html")
    text = (tmp_path / "mixed.html").read_text(encoding="utf-8")
    assert "medoid_silhouette" in text
    assert "principal component" not in text
    assert "What distinguishes" not in text


# --- nulls -----------------------------------------------------------------------------------------------


def test_a_null_of_categories_shuffles_columns_and_keeps_gaps():
    _, frame = people(50, 1, gaps=0.2)
    for image in (cv.mixed(people(50, 1)[1]).image, cv.mixed(frame, asymmetric=["smokes"]).image):
        drawn = shuffled_columns(image)(np.random.default_rng(0))
        assert not np.array_equal(drawn, image)
        assert np.array_equal(np.sort(drawn, axis=0), np.sort(image, axis=0))
        if image[0, 0] < 0:
            assert np.array_equal(drawn[:, ::2], image[:, ::2])
            missing = image[:, ::2] > image[:, ::2].min(axis=0)
            assert np.array_equal(drawn[:, 1::2][missing], image[:, 1::2][missing])


@pytest.mark.parametrize("metric", ["gower", "hamming"])
def test_structure_is_found_in_clusters_and_not_in_independent_categories(metric):
    frame, _ = clustered(90, 7)
    codes = frame.select(pl.col(f"w{j}").cast(pl.Categorical).to_physical() for j in range(3)).to_numpy()
    X = frame if metric == "gower" else np.hstack([codes, codes])
    assert cv.structure(X, metric=metric, n_references=19, random_state=0).evidence == "continuum"
    shuffled = np.random.default_rng(1).integers(0, 4, (90, 6)).astype(str if metric == "gower" else int)
    assert cv.structure(shuffled.tolist(), metric=metric, n_references=19, random_state=0).evidence == "nothing"


def test_a_gaussian_is_never_drawn_of_categories():
    codes = np.random.default_rng(1).integers(0, 4, (60, 6))
    with pytest.raises(cv.InputError) as error:
        cv.structure(codes, metric="hamming", null="gaussian")
    message = "null='gaussian' draws numbers, and the metric 'hamming' compares categories; use null='permuted'."
    assert str(error.value) == message
    with pytest.raises(cv.InputError, match="k-means needs means, and the metric 'hamming' has none"):
        cv.significance(codes, metric="hamming")
    named = cv.significance(
        codes, lambda X, k, rng: rng.integers(0, k, len(X)), k=[2, 3], metric="hamming", B=19, random_state=0
    )
    assert set(named.null) == {"permuted"}


def test_the_page_of_a_mixed_table_says_what_each_cluster_is():
    pytest.importorskip("jinja2")
    plans = np.array(["free", "team", "firm"])
    kind = np.repeat([0, 1, 2], 30)
    age = np.where(np.arange(90) % 9 == 0, np.nan, 20.0 + 20 * kind + np.arange(90) % 5)
    table = pl.DataFrame({"age": age, "plan": plans[kind], "mail": np.arange(90) % 2 == 0}, nan_to_null=True)
    table = table.with_columns(since=pl.date(2024, 1, 1) + pl.duration(days=pl.int_range(90)))
    page = cv.choose(table, ["average"], k=[3], metric="gower", null=False).to_html(names=["young", "middle", "old"])
    assert "plan = firm 1 against 0, age 62 against 32.2" in page
    assert "since = " not in page
    assert page.count("plan = free") == 2  # what distinguishes the cluster, and its rule
    assert '<th scope="row">young</th>' in page
