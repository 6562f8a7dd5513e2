"""Data frames as people pass them: columns by name, numbers in odd columns, columns that name the rows."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import clustval as cv
from clustval.errors import InputError

RNG = np.random.default_rng(4)
GROUPS = np.repeat([0, 1, 2], 20)
POINTS = RNG.normal(size=(60, 2)) + 4 * GROUPS[:, None]
OTHERS = np.where(RNG.random(60) < 0.2, 0, GROUPS)
WEIGHTS = RNG.integers(1, 4, 60)
COLUMNS = {"x": POINTS[:, 0], "y": POINTS[:, 1], "cluster": GROUPS, "other": OTHERS, "weight": WEIGHTS}
FRAMES = {"pandas": pd.DataFrame(COLUMNS), "polars": pl.DataFrame(COLUMNS)}
XYC = list(zip(*POINTS.T.tolist(), GROUPS.tolist(), strict=True))
PLAIN = cv.evaluate(POINTS, GROUPS, "fast")


@pytest.fixture(params=FRAMES, name="frame")
def _frame(request):
    return FRAMES[request.param]


@pytest.fixture(name="xy")
def _xy(frame):
    return frame[["x", "y", "cluster", "other"]]


def same(one, other):
    np.testing.assert_array_equal(list(dict(one).values()), list(dict(other).values()))


def test_labels_and_weights_are_columns_and_the_others_are_points(frame):
    scores = cv.evaluate(frame, "cluster", "fast", features=["x", "y"], sample_weight="weight")
    same(scores, cv.evaluate(POINTS, GROUPS, "fast", sample_weight=WEIGHTS))
    assert cv.internal.dunn(frame[["x", "y", "cluster"]], "cluster") == cv.internal.dunn(POINTS, GROUPS)


def test_partitions_are_columns_in_every_verb(xy):
    swept = cv.sweep(xy, ["cluster", "other"], "fast")
    np.testing.assert_array_equal(swept.values, cv.sweep(POINTS, {"cluster": GROUPS, "other": OTHERS}, "fast").values)
    chosen = cv.choose(xy, ["cluster", "other"], null=False, random_state=0)
    assert chosen.name == "cluster"
    same(cv.agreement("cluster", "other", data=xy), cv.agreement(GROUPS, OTHERS))
    assert cv.diagnose(xy[["x", "y", "cluster"]], "cluster", random_state=0).title


def test_a_table_comes_before_its_columns_in_every_comparison(xy):
    same(cv.agreement(xy, "cluster", "other"), cv.agreement(GROUPS, OTHERS))
    for arguments, named in (
        (("cluster", "other", ["rand"]), {}),
        (("cluster", "other"), {"indices": "rand"}),
        (("cluster", OTHERS, "rand"), {}),
        ((GROUPS, "other"), {"indices": "rand"}),
    ):
        assert dict(cv.agreement(xy, *arguments, **named)) == {"rand": cv.external.rand(GROUPS, OTHERS)}
    assert dict(cv.agreement(GROUPS, "other", "rand", data=xy)) == {"rand": cv.external.rand(GROUPS, OTHERS)}
    np.testing.assert_array_equal(cv.contingency(xy, "cluster", "other").table, cv.contingency(GROUPS, OTHERS).table)
    np.testing.assert_array_equal(cv.concordance(xy, "cluster", "other"), cv.concordance(GROUPS, OTHERS))
    compared = cv.prayatul(xy, "cluster", "other", "cluster")
    np.testing.assert_array_equal(compared.matrix, cv.prayatul(GROUPS, OTHERS, GROUPS).matrix)


def test_labels_of_pandas_beside_a_table_are_brought_into_its_order():
    frame = FRAMES["pandas"].set_index("weight", append=True)
    turned = frame["other"].iloc[::-1]
    assert cv.agreement(frame, "cluster", turned, "rand") == cv.agreement(GROUPS, OTHERS, "rand")


def test_a_column_that_is_given_as_labels_is_no_point(xy):
    said = r"^Column 'cluster' of X is given beside it and is left out of the points; to keep it, pass an array\.$"
    points = xy[["x", "y", "cluster"]]
    with pytest.warns(UserWarning, match=said):
        same(cv.evaluate(points, points["cluster"], "fast"), PLAIN)
    with pytest.warns(UserWarning, match=said):
        swept = cv.sweep(points, {"one": points["cluster"]}, "fast")
    np.testing.assert_array_equal(swept.values, cv.sweep(POINTS, {"one": GROUPS}, "fast").values)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cv.evaluate(points, OTHERS, "fast")


def test_numbers_may_be_objects_and_text_as_a_spreadsheet_leaves_them():
    frame = pd.DataFrame({"x": POINTS[:, 0].astype(object), "y": [repr(float(y)) for y in POINTS[:, 1]], "c": GROUPS})
    same(cv.evaluate(frame, "c", "fast"), PLAIN)
    frame.loc[7, "y"] = "n/a?"
    with pytest.raises(InputError, match=r"^Column 'y' of X mixes numbers and text: row 7 holds 'n/a\?'\."):
        cv.evaluate(frame, "c", "fast")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("customer_id", RNG.permutation(1000)[:60]),
        ("CustomerID", RNG.permutation(1000)[:60]),
        ("id", RNG.permutation(1000)[:60].astype(float)),
        ("nth", np.arange(1, 61)),
    ],
)
def test_columns_that_name_the_rows_are_left_out_with_a_warning(xy, name, values):
    frame = xy[["x", "y", "cluster"]]
    wide = (
        frame.with_columns(pl.Series(name, values))
        if isinstance(frame, pl.DataFrame)
        else frame.assign(**{name: values})
    )
    said = rf"^Column '{name}' names the rows of X and is left out; to keep every column, pass an array\.$"
    with pytest.warns(UserWarning, match=said):
        same(cv.evaluate(wide, "cluster", "fast"), PLAIN)
    with pytest.warns(UserWarning, match=said):
        same(cv.evaluate(wide[["x", "y", name]], GROUPS, "fast"), PLAIN)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = cv.evaluate(wide, "cluster", "fast", features=["x", "y", name])
    assert dict(scores) != dict(PLAIN)


def test_text_that_differs_in_every_row_is_no_category():
    people = pd.DataFrame(
        {"age": POINTS[:, 0], "kind": list("ab" * 30), "mail": [f"{i}@example.org" for i in range(60)]}
    )
    with pytest.warns(UserWarning, match="'mail' names the rows"):
        value = cv.internal.silhouette(people, GROUPS, metric="gower")
    assert value == cv.internal.silhouette(people[["age", "kind"]], GROUPS, metric="gower")


@pytest.mark.parametrize(
    ("columns", "values"),
    [(["x", "y"], POINTS), (["id"], np.arange(60)[:, None]), (["id", "y"], np.c_[GROUPS, POINTS[:, 1]])],
)
def test_features_are_kept_where_they_repeat_or_where_there_is_nothing_else(columns, values):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same(cv.evaluate(pd.DataFrame(values, columns=columns), GROUPS, "fast"), cv.evaluate(values, GROUPS, "fast"))


def test_a_frame_of_distances_keeps_its_columns():
    gaps = np.abs(np.subtract.outer(np.arange(12), np.arange(12)))
    frame = pd.DataFrame(gaps, columns=["id", *map(str, range(11))])
    labels = np.repeat([0, 1], 6)
    assert cv.internal.dunn(frame, labels, metric="precomputed") == cv.internal.dunn(gaps, labels, metric="precomputed")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X: cv.evaluate(X, "clutser"), "X has no column 'clutser'. Did you mean 'cluster'?"),
        (
            lambda X: cv.evaluate(X, "cluster", features=["z"]),
            "X has no column 'z'. It has 'x', 'y', 'cluster', 'other'.",
        ),
        (lambda X: cv.evaluate(X, "cluster", features=[]), "features is empty; points need at least one column."),
        (
            lambda X: cv.evaluate(X[["cluster"]], "cluster"),
            "X has no column of numbers besides the labels; it has no other columns.",
        ),
        (
            lambda _: cv.evaluate(POINTS, "cluster"),
            "X has no names of columns, so that labels cannot be 'cluster'; give one entry per row.",
        ),
        (
            lambda X: cv.agreement(X, "cluster", "other", data=X),
            "The table comes first, or by data=; give it once.",
        ),
        (
            lambda _: cv.choose(pd.DataFrame(POINTS, columns=["x", "x"])),
            "X has 2 columns called 'x'; name each column once.",
        ),
    ],
)
def test_what_is_no_column_is_said(xy, call, message):
    with pytest.raises(InputError) as error:
        call(xy)
    assert str(error.value) == message


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_files_leave_columns_that_name_the_rows_out_and_say_so(tmp_path, form):
    path = tmp_path / f"points.{form}"
    frame = FRAMES["polars"][["x", "y", "cluster"]].with_columns(pl.Series("customer_id", RNG.permutation(1000)[:60]))
    frame.write_csv(path) if form == "csv" else frame.write_parquet(path)
    with pytest.warns(UserWarning, match=r"^Column 'customer_id' names the rows of .* and is left out"):
        scores = cv.evaluate(path, "cluster", "fast")
    np.testing.assert_allclose(list(scores.values()), list(PLAIN.values()), rtol=1e-10)  # blocks add in another order
    assert dict(cv.evaluate(path, "cluster", "fast", features=["x", "y", "customer_id"])) != dict(PLAIN)


@pytest.mark.parametrize("frames", [pd.DataFrame, pl.DataFrame])
def test_text_with_decimal_commas_is_no_column_of_numbers_and_a_warning_says_so(frames):
    names = ["anna", "bob", "carl"]
    commas = [f"{x:.3f}".replace(".", ",") for x in RNG.normal(size=60)]
    frame = frames({**COLUMNS, "height": commas, "name": names * 20})
    with pytest.warns(
        UserWarning, match=r"^Column 'height' of X holds text such as '-?\d,\d{3}', not numbers; write dec"
    ):
        scores = cv.evaluate(frame, "cluster", "fast")
    plain = [COLUMNS[name] for name in ("x", "y", "other", "weight")]
    same(scores, cv.evaluate(np.column_stack(plain), GROUPS, "fast"))


TWICE = np.array([[0.0, 1], [1, 0], [0, 1], [1, 0]])
HALVES = [0, 0, 1, 1]
OF_COLUMNS = {
    "evaluate": ("X", lambda X: cv.evaluate(X, HALVES)),
    "gower": ("X", cv.gower),
    "dtw": ("X", lambda X: cv.graph.modularity(X, HALVES, neighbours=1, metric="dtw")),
    "categorical": ("X", lambda X: cv.categorical.evaluate(X, HALVES)),
    "fuzzy points": ("X", lambda X: cv.fuzzy.evaluate(X, TWICE)),
    "fuzzy memberships": ("U", lambda U: cv.fuzzy.evaluate(None, U)),
    "covers": ("B", lambda B: cv.covers.omega(TWICE, B)),
    "graph": ("A", lambda A: cv.graph.modularity(A, HALVES)),
    "graph of points": ("X", lambda X: cv.graph.modularity(X, HALVES, neighbours=1)),
    "labels": ("labels", lambda labels: cv.internal.dunn(TWICE, labels)),
    "sweep": ("partitions", lambda partitions: cv.sweep(TWICE, partitions)),
}


@pytest.mark.parametrize("function", OF_COLUMNS)
@pytest.mark.parametrize("library", ["pandas", "arrow"])
def test_two_columns_of_one_name_are_refused_everywhere(function, library):
    called, call = OF_COLUMNS[function]
    frame = pd.DataFrame(TWICE, columns=["x", "x"]) if library == "pandas" else pa.table([*TWICE.T], names=["x", "x"])
    with pytest.raises(InputError) as error:
        call(frame)
    assert str(error.value) == f"{called} has 2 columns called 'x'; name each column once."


@pytest.mark.parametrize("name", ["", "Unnamed: 0", "__index_level_0__"])
def test_row_names_with_gaps_as_data_frames_write_them_are_no_feature(name, tmp_path):
    frame = pl.DataFrame({name: np.arange(60) * 3 + 7, **COLUMNS}).select(name, "x", "y", "cluster")
    frame.write_csv(tmp_path / "x.csv")
    frame.write_parquet(tmp_path / "x.parquet")
    for table in (frame, frame.to_pandas(), tmp_path / "x.csv", tmp_path / "x.parquet"):
        with pytest.warns(UserWarning, match=rf"^Column '{name}' names the rows of "):
            scores = cv.evaluate(table, "cluster", "fast")
        np.testing.assert_allclose(list(scores.values()), list(PLAIN.values()), rtol=1e-10)  # blocks add otherwise


def test_text_with_underscores_is_no_number(xy):
    months = [f"2024_{month:02}" for month in range(1, 13)] * 5
    frame = xy[["x", "y", "cluster"]]
    with_months = (
        frame.with_columns(pl.Series("month", months))
        if isinstance(frame, pl.DataFrame)
        else frame.assign(month=months)
    )
    same(cv.evaluate(with_months, "cluster", "fast"), PLAIN)


@pytest.mark.parametrize("separator", ["\t", ","])
def test_files_warn_of_decimal_commas_where_no_semicolons_separate(separator, tmp_path):
    lines = [["x", "y", "cluster", "size"], *([x, y, c, f'"{x:.2f}"'.replace(".", ",")] for x, y, c in XYC)]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(separator.join(map(str, line)) for line in lines))
    said = r"^Column 'size' of .* holds text such as '-?\d,\d\d', not numbers; write decimal points instead of"
    for labels in ("cluster", GROUPS):
        with pytest.warns(UserWarning, match=said):
            scores = cv.evaluate(path, labels, "fast")
        same(scores, PLAIN)
    with pytest.warns(UserWarning, match=said):
        swept = cv.sweep(path, ["cluster"], "dunn")
    np.testing.assert_array_equal(swept.values, [[cv.internal.dunn(POINTS, GROUPS)]])
