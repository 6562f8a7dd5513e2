"""Noise is said where it decides: in every print, in sweeps, and as a penalty of values."""

import json
import math
import pickle
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from pytest import approx

import clustval as cv
from clustval.catalogue import kinds
from clustval.compare.agreement import Agreement
from conftest import write

RNG = np.random.default_rng(5)
X = np.vstack([RNG.normal(0, 0.1, (10, 2)), RNG.normal(3, 0.1, (10, 2)), RNG.uniform(-3, 6, (180, 2))])
FEW = np.r_[[0] * 10, [1] * 10, [-1] * 180]  # a tenth of the points count
ALL = np.r_[[0] * 10, [1] * 10, (X[20:, 0] > 1.5).astype(int)]
SHARE = "10 % of the points count; the other 90 % are noise and left out."


def noisy_call(kind):
    """Return what an index of a kind is called with: things of which a tenth is noise."""
    if kind == "external":
        return ALL, FEW
    if kind == "graph":
        return (np.add.outer(X[:, 0], X[:, 0]) > 1).astype(float) - np.diag(2 * X[:, 0] > 1).astype(float), FEW
    return (X.round().astype(int).astype(str) if kind == "categorical" else X), FEW


KINDS = [kind.name for kind in kinds() if any(p.name == "noise" for p in kind.parameters)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_penalty_makes_no_value_better(kind):
    evaluate = cv.agreement if kind == "external" else cv.evaluate if kind == "internal" else getattr(cv, kind).evaluate
    dropped = evaluate(*noisy_call(kind), indices="all", noise="drop")
    worse = evaluate(*noisy_call(kind), indices="all", noise="penalty")
    assert worse.coverage == dropped.coverage == approx(0.1)
    for name, value in dropped.items():
        index = dropped.choices[name].index
        if math.isnan(value) or math.isnan(worse[name]):
            assert name in worse.reasons
        elif index.counts_noise or index.best.better == "neither":
            assert worse[name] == value
        elif index.best.better == "higher":
            assert worse[name] == approx(value * 0.1)
        else:
            assert worse[name] == approx(min(value / 0.1, index.bounds[1]))


def test_an_index_alone_has_the_value_that_it_has_among_others():
    worse = cv.evaluate(X, FEW, ["silhouette", "davies_bouldin", "dbcv"], noise="penalty")
    for name, value in worse.items():
        assert getattr(cv.internal, name)(X, FEW, noise="penalty") == value
    assert cv.internal.silhouette(X, FEW, noise="penalty") == approx(0.1 * cv.internal.silhouette(X, FEW))
    with pytest.raises(cv.UndefinedIndexError, match="stands for nothing found"):
        cv.internal.gmm_bic(X, FEW, noise="penalty")


def test_indices_that_count_noise_say_so():
    noisy, clean = cv.evaluate(X, FEW, "all"), cv.evaluate(X[FEW >= 0], FEW[FEW >= 0], "all")
    for name, choice in noisy.choices.items():
        if not math.isnan(noisy[name]) and not math.isnan(clean[name]):
            assert choice.index.counts_noise == (noisy[name] != approx(clean[name], rel=1e-9, abs=1e-12)), name


def test_batches_blocks_and_intervals_take_the_penalty():
    evaluator = cv.Evaluator(["calinski_harabasz"], noise="penalty").partial_fit(X[:15], FEW[:15])
    value = evaluator.partial_fit(X[15:], FEW[15:]).scores()["calinski_harabasz"]
    assert value == approx(cv.evaluate(X, FEW, ["calinski_harabasz"], noise="penalty")["calinski_harabasz"])
    plain = cv.evaluate(X, FEW, ["silhouette"], confidence=0.9).intervals["silhouette"]
    worse = cv.evaluate(X, FEW, ["silhouette"], confidence=0.9, noise="penalty").intervals["silhouette"]
    assert worse == replace(plain, low=plain.low * 0.1, high=plain.high * 0.1, error=plain.error * 0.1)
    assert cv.explain(X, FEW, noise="penalty").clusters == 2


def test_what_has_no_values_refuses_the_penalty():
    calls = [(call, ALL, FEW) for call in (cv.contingency, cv.concordance, cv.class_agreement, cv.matching)]
    for call, *arguments in [*calls, (cv.diagnose, X, FEW), (cv.profile, X, FEW), (cv.prayatul, ALL, FEW, ALL)]:
        with pytest.raises(cv.InputError) as error:
            call(*arguments, noise="penalty")
        assert str(error.value) == (
            "noise='penalty' makes values of indices worse by the share of noise; this function counts points or "
            "judges clusters one by one, and has no such value. Choose 'drop', which leaves noise out, or 'cluster', "
            "which takes it as one cluster."
        )


def test_several_labellings_are_each_made_worse_by_their_own_noise():
    half = np.where(np.arange(200) % 2 == 0, ALL, -1)
    names = ["rand", "variation_of_information"]
    dropped, worse = (cv.agreement(ALL, {"few": FEW, "half": half}, names, noise=how) for how in ("drop", "penalty"))
    for name, share in (("few", 0.1), ("half", 0.5)):
        labels = {"few": FEW, "half": half}[name]
        assert worse[name] == cv.agreement(ALL, labels, names, noise="penalty", confidence=0.95)
        assert worse[name]["rand"] == approx(share * dropped[name]["rand"])
    for record in worse.differences.records:
        one, other = (worse[record[side]][record["index"]] for side in ("one", "other"))
        assert record["difference"] == approx(one - other)
        assert record["low"] <= record["difference"] <= record["high"]


def test_a_calibration_takes_the_penalty():
    partitions = {"few": FEW, "all": ALL}
    options = {"references": 3, "random_state": 0}
    plain, worse = (cv.calibrate(X, partitions, ["asw"], noise=how, **options) for how in ("drop", "penalty"))
    assert worse.values[:, 0] == approx(plain.values[:, 0] * [0.1, 1])
    assert worse.z[0, 0] < plain.z[0, 0]
    assert np.array_equal(worse.reference_values, plain.reference_values)


def test_pages_and_the_program_take_the_penalty(program, tmp_path):
    table = pl.DataFrame({"truth": ALL, "few": FEW, "all": ALL})
    path = write("labels.csv", table.write_csv())
    outcome = program(
        *("agree", path, "--truth", "truth", "--labels", "few", "all", "--noise", "penalty", "--json"),
        *("--report", str(tmp_path / "page.html")),
    )
    assert outcome.code == 0, outcome.err
    rows = {row["index"]: row for row in json.loads(outcome.out)["indices"]}
    assert rows["rand"]["few"] == approx(cv.external.rand(ALL, FEW, noise="penalty"))
    assert (tmp_path / "page.html").exists()


def test_what_is_printed_ends_with_the_share_that_counts():
    for scores in (cv.evaluate(X, FEW, ["dunn"]), cv.agreement(ALL, FEW, ["rand"], noise="drop", permutations=9)):
        last = SHARE if isinstance(scores, Agreement) else f"{SHARE} diagnose(X, labels) says what to do."
        assert str(scores).splitlines()[-1] == last
        assert str(scores).count("noise") == scores._repr_html_().count("noise") == 1
        assert scores._repr_html_().endswith(f"<p>{last}</p>")
        assert str(type(scores).from_json(scores.to_json())) == str(scores)
    assert "values are made worse" in str(cv.evaluate(X, FEW, ["dunn"], noise="penalty")).splitlines()[-1]
    assert "count" not in str(cv.evaluate(X, ALL, ["dunn"]))


def test_the_program_says_the_share_of_noise_once(program):
    path = write("points.csv", pl.DataFrame(X, ["x", "y"]).with_columns(few=FEW).write_csv())
    printed = program("evaluate", path, "--labels", "few", "--indices", "dunn").out
    assert "90.0% of the points are noise and ignored by most indices" in printed
    assert printed.count("of the points are noise") == 1


def test_a_sweep_stars_nothing_where_partitions_count_different_points():
    swept = cv.sweep(X, {"few": FEW, "all": ALL}, ["silhouette", "dunn", "dbcv"])
    assert swept.coverage.tolist() == [0.1, 1.0]
    assert swept.best()["silhouette"] is None
    assert swept.best()["dbcv"] is not None  # it counts noise
    assert swept.best_notes["dunn"] == "partitions count different shares of the points"
    row, note = [line for line in str(swept).splitlines() if "count" in line]
    assert row.split()[:3] == ["coverage", "0.1", "1"]
    assert note.startswith("From 10 % to 100 % of the points count")
    assert "noise='penalty'" in note
    assert swept.from_json(swept.to_json()) == pickle.loads(pickle.dumps(swept)) == swept


def test_a_sweep_with_penalty_or_like_shares_chooses():
    assert cv.sweep(X, {"few": FEW, "all": ALL}, ["silhouette"], noise="penalty").best() == {"silhouette": "all"}
    assert cv.sweep(X, {"few": FEW, "all": ALL}, ["silhouette"], noise="cluster").best()["silhouette"] is not None
    nearly = np.where(np.arange(200) < 20, -1, ALL)  # a tenth less
    assert cv.sweep(X, {"a": nearly, "b": ALL}, ["silhouette"]).best()["silhouette"] is not None


def test_a_sweep_of_graphs_counts_noise_too():
    A, labels = noisy_call("graph")
    swept = cv.graph.sweep(A, {"few": labels, "all": ALL}, indices=["performance"], noise="penalty")
    assert swept.coverage.tolist() == [0.1, 1.0]
    assert swept["performance"][0] == approx(0.1 * cv.graph.performance(A, labels))
