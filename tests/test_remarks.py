"""Columns that are skewed, or hold 0 and 1 only, are named: once each, wherever columns are chosen for people."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clustval as cv
from clustval import cli
from clustval.homes.odd_columns import misread_columns

RNG = np.random.default_rng(0)
LABELS = np.repeat(["a", "b"], 40)
FRAME = pd.DataFrame(
    {
        "age": RNG.normal(np.repeat([30, 60], 40), 5),
        "spend": RNG.permutation(np.r_[RNG.uniform(1, 3, 77), 30.0, 40.0, 60.0]),
        "member": RNG.integers(0, 2, 80),
        "segment": LABELS,
    }
)
SKEWED = "Column 'spend' has a few extreme values, which dominate distances; take logarithms or ranks first."
CODED = "Column 'member' holds 0 and 1 only, as coded categories do; metric='gower' compares them as categories."
VERBS = {
    "evaluate": lambda X, **h: cv.evaluate(X, "segment", "fast", **h),
    "sweep": lambda X, **h: cv.sweep(X, ["segment"], "dunn", **h),
    "sweep over seeds": lambda X, **h: cv.sweep(X.drop("segment"), k=[2], seeds=2, indices="dunn", **h),
    "choose": lambda X, **h: cv.choose(X, ["segment"], null=False, **h),
    "diagnose": lambda X, **h: cv.diagnose(X, "segment", **h),
}


@pytest.mark.filterwarnings("always")
@pytest.mark.parametrize("verb", VERBS)
def test_each_is_said_in_one_sentence(verb, recwarn):
    VERBS[verb](pl.from_pandas(FRAME))
    assert [str(each.message) for each in recwarn] == [SKEWED, CODED]


@pytest.mark.filterwarnings("always")
def test_the_same_is_said_of_files_and_of_pandas(recwarn, tmp_path):
    FRAME.to_csv(tmp_path / "rows.csv", index=False)
    cv.evaluate(tmp_path / "rows.csv", "segment", "fast")
    cv.structure(FRAME.drop(columns="segment"), n_references=19, random_state=0)
    cv.diagnose(str(tmp_path / "rows.csv"), "segment")
    assert [str(each.message) for each in recwarn] == [SKEWED, CODED] * 3


@pytest.mark.parametrize(
    "call",
    [
        lambda: cv.evaluate(FRAME[["age", "spend", "member"]].to_numpy(), LABELS, "fast"),
        lambda: cv.evaluate(FRAME, "segment", "fast", features=["spend", "member"]),
        lambda: cv.evaluate(FRAME, "segment", "silhouette", metric="gower"),
        lambda: cv.evaluate(FRAME[["member"]], LABELS, "silhouette", metric="hamming"),
        lambda: cv.evaluate(FRAME.iloc[30:49], "segment", "fast"),
    ],
    ids=["arrays have no names", "features were chosen", "gower knows", "hamming knows", "few rows"],
)
def test_nothing_is_said_where_it_was_chosen_or_cannot_be_told(call, recwarn):
    call()
    assert not recwarn


def test_columns_of_0_and_1_are_what_metrics_of_sets_compare():
    codes = RNG.integers(0, 2, (40, 2)).astype(np.float64)
    (line,) = misread_columns(["a", "b"], codes)
    assert line.startswith("Columns 'a', 'b' hold 0 and 1 only")
    assert misread_columns(["a", "b"], codes, metric="jaccard") == []


@pytest.mark.parametrize("name", ["iris", "wine"])
def test_measurements_of_flowers_and_wines_are_not_remarked_on(name):
    data = cv.data.load(name)
    assert misread_columns(data.features, data.X) == []


def test_pages_and_the_program_say_it_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    FRAME.to_csv("rows.csv", index=False)
    assert cli.run(["evaluate", "rows.csv", "-l", "segment", "-i", "fast", "--report", "page.html"]) == 0
    errors = capsys.readouterr().err
    advised = CODED.replace("metric='gower'", "--metric gower")
    assert errors.count(f"Warning: {SKEWED}\n") == errors.count(f"Warning: {advised}\n") == 1
    with pytest.warns(UserWarning, match="extreme values|0 and 1"):
        scores = cv.evaluate(FRAME, "segment", "fast")
    pages = {"program": (tmp_path / "page.html").read_text(), "library": scores.to_html()}
    for page in pages.values():
        assert page.count("take logarithms or ranks first") == 1
        assert page.count("as coded categories do") == 1
