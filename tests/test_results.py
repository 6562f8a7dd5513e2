"""Every result compares by value, is copied, pickled and written as JSON, and comes back as it was."""

from __future__ import annotations

import base64
import copy
import inspect
import io
import json
import math
import pickle
import re
import subprocess
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pytest import approx
from scipy.cluster.hierarchy import linkage

import clustval as cv
from clustval import catalogue, rules
from clustval.compare.permutation import Null
from clustval.declare import Index, Request
from clustval.errors import InputError
from clustval.evaluation import scores_of
from clustval.relative.sweep_result import Sweep
from clustval.result import Result, same
from clustval.sources.blocks import blocks_of
from clustval.sources.label_pair import NoisePoint, label_blocks
from clustval.tables import Table, polars_frame
from conftest import make_blobs

NOISE = [0, 0, 0, 1, 1, 1, 2, 2, 2, -1, 2, 0]
TRUTH = ["a", "a", "a", "b", "b", "b", "c", "c", None, "c", "a", "a"]
WEIGHTS = np.linspace(0, 5, 12)


def points(seed: int) -> np.ndarray:
    return make_blobs((4, 4, 4), (0, 4, 8), seed=seed)[0]


def labels(seed: int) -> list[int]:
    return np.random.default_rng(seed).permutation(NOISE).tolist()


def run_in(folder: Path, seed: int) -> cv.study.Run:
    directory = folder / f"run {seed}"
    directory.mkdir(exist_ok=True)
    (directory / "settings.json").write_text(json.dumps({"part": 1, "seed": seed}))
    return cv.study.Run(directory)


def comparison(seed: int) -> cv.study.Comparison:
    sets = [(*cv.study.milligan(30, 3, 2, random_state=seed + at), f"set {at}") for at in range(3)]
    return cv.study.compare(sets, ["silhouette", "trace_w"], external="jaccard", linkage="ward", k=range(2, 6))


def sweep_by_k(seed: int) -> cv.Sweep:
    return cv.sweep(points(seed), k=range(1, 5), indices=["dunn", "trace_w", "sd"], linkage="average")


def sweep_of_names(seed: int) -> cv.Sweep:
    named = {
        ("k", 3): NOISE,
        "text": np.array(["a", "b"] * 6),
        2.5: pd.Series(["x", None, "y"] * 4),
        np.int64(7): pl.Series([1, None, 2, 2] * 3),
        None: pd.Series(["u", "v", "w"] * 4, dtype="category"),
        False: np.ma.array([0, 1, 2] * 4, mask=[True] + 11 * [False]),
        10**30: [True, False] * 6,
    }
    return cv.sweep(points(seed), named, ["clustercrit:sd", "clustercrit:ball_hall"])


# What makes each result, of a seed and a folder; what it makes of another seed is another result.
MAKERS = {
    "Agreement": lambda seed, _: cv.agreement(TRUTH, labels(seed), permutations=9, random_state=0),
    "Agreement without a value": lambda seed, _: cv.agreement([0, 0, 0], [0, 0, seed], "all"),
    "Agreement with intervals": lambda seed, _: cv.agreement(
        TRUTH, labels(seed), significance="analytic", confidence=0.9, random_state=0
    ),
    "Agreements": lambda seed, _: cv.agreement(TRUTH, {"one": labels(seed), "two": NOISE}, ["rand", "purity"]),
    "Calibration": lambda seed, _: cv.calibrate(
        points(seed), [NOISE, TRUTH, np.zeros(12, int)], ["asw", "sindex"], references=2, random_state=0
    ),
    "Catalogue": lambda seed, _: cv.indices(("internal", "external")[seed]),
    "Choice": lambda seed, _: cv.choose(points(seed), ["ward"], k=[2, 3], n_references=19, random_state=0),
    "Assignment": lambda seed, _: cv.assign(points(seed), like=(points(2), NOISE), level=0.8),
    "ClassAgreement": lambda seed, _: cv.class_agreement(TRUTH, labels(seed)),
    "ClusterwiseStability": lambda seed, _: cv.clusterwise_stability(points(seed), 3, n_samples=3, random_state=0),
    "CommunityTest": lambda seed, _: cv.graph.community_test(points(seed), labels(seed), neighbours=3),
    "Comparison": lambda seed, _: comparison(seed),
    "Consensus": lambda seed, _: cv.consensus([TRUTH, labels(seed), NOISE], n_references=2, random_state=0),
    "ConsensusByNumber": lambda seed, _: cv.consensus(
        X=points(seed), k=[2, 3], n_samples=4, n_references=2, random_state=0
    ),
    "Explanation": lambda seed, _: cv.explain(points(seed), NOISE, ["dunn", "pbm"][: seed + 1]),
    "Contingency": lambda seed, _: cv.contingency(TRUTH, labels(seed)),
    "Contingency of weights": lambda seed, _: cv.contingency(TRUTH, labels(seed), sample_weight=WEIGHTS),
    "Contingency of singletons": lambda seed, _: cv.contingency(TRUTH, labels(seed), noise="singletons"),
    "Diagnosis": lambda seed, _: cv.diagnose(points(seed), NOISE),
    "Divergence": lambda seed, _: cv.distance_distribution(points(seed), n_samples=3, random_state=0),
    "FowlkesMallowsCurve": lambda seed, _: cv.trees.fowlkes_mallows_bk_curve(*map(linkage, (points(seed), points(9)))),
    "GapStatistic": lambda seed, _: cv.gap_statistic(points(seed), range(1, 13), n_references=2, random_state=0),
    "Hopkins": lambda seed, _: cv.hopkins(points(seed), n_samples=4, random_state=0),
    "Interval": lambda seed, _: cv.prayatul(TRUTH, labels(seed), NOISE).bootstrap(9, random_state=0)["polarization"],
    "Matched": lambda seed, _: cv.matching(TRUTH, labels(seed)),
    "Matched singletons": lambda seed, _: cv.matching(TRUTH, labels(seed), noise="singletons"),
    "NearestCluster": lambda seed, _: list(cv.class_agreement(TRUTH, labels(seed)).classes.values())[-1],
    "Null": lambda seed, _: cv.agreement(TRUTH, labels(seed), ["ari"], permutations=1, random_state=0).null[
        "adjusted_rand"
    ],
    "PairTest": lambda seed, _: cv.prayatul(TRUTH, labels(seed), NOISE).mcnemar(),
    "Pairwise": lambda seed, _: comparison(seed).pairwise(),
    "Picture": lambda seed, _: cv.vat(points(seed)),
    "Points": lambda seed, _: cv.prayatul(TRUTH, labels(seed), NOISE).points,
    "Prayatul": lambda seed, _: cv.prayatul(TRUTH, labels(seed), NOISE),
    "Prayatul of weights": lambda seed, _: cv.prayatul(TRUTH, labels(seed), NOISE, sample_weight=WEIGHTS),
    "PrayatulTable": lambda seed, _: cv.prayatul_table(TRUTH, {"one": labels(seed), 2: NOISE, (3,): TRUTH}),
    "PredictionStrength": lambda seed, _: cv.prediction_strength(points(seed), [2, 3], n_splits=2, random_state=0),
    "Profile": lambda seed, _: cv.profile(points(seed), NOISE),
    "Recommendation": lambda seed, _: cv.study.recommend(
        points(seed), criteria=["silhouette", "dunn"], n_datasets=3, runs=1, random_state=0
    ),
    "Run": lambda seed, folder: run_in(folder, seed),
    "Scores": lambda seed, _: cv.evaluate(points(seed), NOISE, "all"),
    "Scores of a suite": lambda seed, _: cv.evaluate(points(seed), NOISE, "clustercrit"),
    "Scores with options": lambda seed, _: cv.evaluate(points(0), NOISE, {"log_ss_ratio": {"base": 2 + seed}}),
    "Scores of weights": lambda seed, _: cv.evaluate(points(seed), NOISE, "all", sample_weight=WEIGHTS),
    "Scores without a value": lambda seed, _: cv.evaluate([[0], [0], [1], [1]], [0, 0, 1, seed], "all"),
    "Scores with intervals": lambda seed, _: cv.evaluate(points(seed), NOISE, ["silhouette", "ch"], confidence=0.9),
    "ScoreInterval": lambda seed, _: cv.evaluate(points(seed), NOISE, "trace_w", confidence=0.9).intervals["trace_w"],
    "Scores of blocks": lambda seed, _: cv.evaluate(blocks_of([(points(seed), NOISE), (points(2), NOISE)])),
    "Scores of trees": lambda seed, _: cv.trees.evaluate(linkage(points(seed)), points(seed)),
    "Track": lambda seed, _: cv.track((points(seed), NOISE), (points(2), TRUTH), id=[range(12)] * 2, n_permutations=3),
    "SeededSweep": lambda seed, _: cv.sweep(points(seed), k=[2, 3], seeds=2, indices=["dunn"]),
    "Significance": lambda seed, _: cv.significance(points(seed), NOISE, B=3, random_state=0),
    "Stability": lambda seed, _: cv.stability(points(seed), [3, 5], n_samples=4, random_state=0),
    "Structure": lambda seed, _: cv.structure(
        np.random.default_rng(seed).normal(size=(30, 2)), n_references=19, random_state=0
    ),
    "Sweep": lambda seed, _: sweep_by_k(seed),
    "Sweep of names": lambda seed, _: sweep_of_names(seed),
    "Unimodality": lambda seed, _: cv.unimodality(points(seed)),
    "Table": lambda seed, _: Table({"k": np.arange(2), "name": np.array(["a", "b"]), "x": np.array([seed, np.inf])}),
}
each = pytest.mark.parametrize("name", MAKERS)


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")

    @cache
    def example(name: str, seed: int = 0) -> Result:
        return MAKERS[name](seed, folder)

    example.anew = lambda name: MAKERS[name](0, folder)
    return example


def results_of(cls: type) -> set[type]:
    return {inner for sub in cls.__subclasses__() for inner in ({sub} | results_of(sub))}


def test_every_public_class_and_every_result_of_the_package_is_tested_here(example):
    homes = (cv, cv.study)
    named = [getattr(home, name) for home in homes for name in home.__all__]
    public = {each for each in named if inspect.isclass(each) and not issubclass(each, Exception)}
    public -= {cv.ClusterSelector, cv.Evaluator, cv.MixedTable}  # from which results are made
    ours = {cls for cls in results_of(Result) if cls.__module__.startswith("clustval.")}
    assert public <= ours
    assert ours == {type(example(name)) for name in MAKERS}


@each
def test_a_result_equals_itself_made_again_and_no_other(example, name):
    result = example(name)
    assert result == example.anew(name)
    assert (result != example.anew(name)) is False
    assert result != example(name, 1)
    assert [other for other in MAKERS if example(other) == result] == [name]


@each
def test_every_part_of_a_result_counts(example, name):
    result, other = example(name), example(name, 1)
    differing = [part for part, value in result._compared().items() if not same(value, other._compared()[part])]
    assert differing
    for part in differing:
        try:
            mixed = type(result)._of_content(result._content() | {part: other._content()[part]})
        except (IndexError, ValueError, KeyError):  # the parts do not fit together
            continue
        assert mixed != result, part


@each
def test_no_comparison_with_anything_raises_an_error(example, name):
    for thing in (None, 0, math.nan, "dunn", [], {}, pd.Series([1, 2]), pl.Series([1]), {"dunn": 1.5}, object()):
        assert example(name).__eq__(thing) in (NotImplemented, False)


@each
def test_a_result_that_compares_by_value_has_no_hash(example, name):
    with pytest.raises(TypeError, match="unhashable"):
        hash(example(name))


@each
@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda result: pickle.loads(pickle.dumps(result))])
def test_copies_are_equal_and_shown_alike(example, name, way):
    result = example(name)
    again = way(result)
    assert type(again) is type(result)
    assert again == result
    assert str(again) == str(result) or "object at" in str(result)
    if hasattr(result, "to_pandas"):
        assert str(again.to_pandas()) == str(result.to_pandas())


@each
def test_json_gives_the_same_value_back(example, name, tmp_path):
    result = example(name)
    text = result.to_json()
    json.loads(text, parse_constant=pytest.fail)  # NaN and Infinity are no JSON
    again = type(result).from_json(text)
    assert again == result
    assert str(again) == str(result) or "object at" in str(result)
    assert again.to_json() == text
    assert result.to_json(tmp_path / "result.json") == text
    assert type(result).from_json(tmp_path / "result.json") == result
    assert type(result).from_json(str(tmp_path / "result.json")) == result
    assert [file.name for file in tmp_path.iterdir()] == ["result.json"]


class Tags(HTMLParser):
    """Checks that every tag that opens also closes, and keeps the rows of tables."""

    def __init__(self) -> None:
        super().__init__()
        self.open, self.rows = [], []

    def handle_starttag(self, tag, _attrs):
        if tag == "tr":
            self.rows.append(0)
        self.rows[-1:] = [row + (tag in {"td", "th"}) for row in self.rows[-1:]]
        if tag not in {"br", "img"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@each
def test_a_result_is_shown_in_a_notebook_as_whole_html(example, name):
    tags = Tags()
    tags.feed(example(name)._repr_html_())
    assert not tags.open
    assert all(cells > 0 for cells in tags.rows)
    assert len(tags.rows) > 1 or name == "Picture"


@each
def test_both_kinds_of_data_frame_hold_the_same(example, name):
    one, other = example(name).to_pandas(), example(name).to_polars()
    if one.index.name is not None or name.startswith("Contingency"):
        one = one.reset_index()
    assert one.shape == other.shape
    assert len(one) > 0
    numeric = [at for at, dtype in enumerate(other.dtypes) if dtype.is_float()]
    for at in numeric:
        values = pd.to_numeric(one.iloc[:, at]).to_numpy(dtype=float)
        assert np.array_equal(values, other[:, at].fill_null(np.nan).to_numpy(), equal_nan=True)


NO_FIGURE = {
    *("Catalogue", "Explanation", "Interval", "Matched", "NearestCluster", "Null", "PairTest", "Pairwise", "Points"),
    *("Run", "ScoreInterval", "Table", "Unimodality"),
}


@each
def test_a_result_is_drawn_or_says_in_a_line_that_it_has_no_figure(example, name):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    result = example(name)
    why = {
        "Scores with options": "'silhouette' was not evaluated; log_ss_ratio were.",
        "Scores of blocks": "Values of single points are drawn where points are in memory; these were read in blocks.",
    }.get(name, "")
    if type(result).__name__ in NO_FIGURE:
        why = f"{type(result).__name__} has no figure: its numbers say it all, in to_pandas() and to_polars()."
    if why:
        with pytest.raises(cv.InputError) as error:
            result.plot()
        assert str(error.value) == why
    else:
        drawing = result.plot(2) if name == "Consensus" else result.plot()
        assert hasattr(drawing, "savefig") or hasattr(drawing, "figure")
    pyplot.close("all")


def test_data_frames_hold_what_results_say(example):
    matched = example("Matched").to_pandas().dropna(subset=["cluster", "class"])
    assert dict(zip(matched["cluster"], matched["class"], strict=True)) == example("Matched").classes
    unmatched = cv.matching(["a", "b", "c"], [0, 0, 0]).to_pandas()
    assert unmatched["cluster"].isna().tolist() == [False, True, True]
    table = example("Contingency")
    assert table.to_polars().drop("truth").to_numpy().sum() == table.n
    assert f'<td class="number">{table.n}</td></tr></table>' in table._repr_html_()
    prayatul = example("Prayatul")
    assert dict(prayatul.to_pandas()[["measure", "value"]].to_numpy().tolist()) == approx(prayatul.measures)
    assert all(f'<td class="number">{count}</td>' in prayatul._repr_html_() for count in prayatul.counts)
    points = example("Points")
    assert points.to_polars()["only_primary"].to_list() == points.only_primary.tolist()
    run = example("Run")
    assert len(run.to_pandas()) == 108
    assert str(run).startswith("Part 1 of the study, seed 0: 0 of 108 data sets are finished in")


def test_large_tables_are_cut_short_in_a_notebook():
    html = cv.contingency(np.arange(100), np.arange(100) % 50)._repr_html_()
    assert html.count("<tr>") == 33  # 30 clusters, headings, sums and dots
    assert html.count("</tr>") == 33
    assert "<th>…</th>" in html
    assert "<td>…</td><td>100</td></tr></table>" in html


def test_the_picture_of_a_notebook_is_the_image(example):
    matplotlib_image = pytest.importorskip("matplotlib.image")
    picture = example("Picture")
    data = re.search(r"base64,([^\"]*)", picture._repr_html_())[1]
    shades = matplotlib_image.imread(io.BytesIO(base64.b64decode(data)), format="png")
    low, high = picture.image.min(), picture.image.max()
    assert shades == approx((picture.image - low) / (high - low), abs=0.5 / 255 + 1e-6)


def test_polars_holds_numbers_beyond_its_integers_as_fractions_and_mixtures_as_text():
    frame = polars_frame([{"a": 2**70, "b": None, "c": 1}, {"a": 1, "b": (1, 2), "c": None}])
    assert frame.rows() == [(float(2**70), None, 1), (1.0, "(1, 2)", None)]


@pytest.mark.large
def test_results_travel_to_another_process(example, tmp_path):
    results = {name: example(name) for name in MAKERS}
    (tmp_path / "pickled").write_bytes(pickle.dumps({name: pickle.dumps(result) for name, result in results.items()}))
    program = (
        "import pickle, sys; from pathlib import Path\n"
        "pickled = pickle.loads(Path(sys.argv[1]).read_bytes())\n"
        "read = {name: pickle.loads(result).to_json() for name, result in pickled.items()}\n"
        "Path(sys.argv[2]).write_bytes(pickle.dumps(read))\n"
    )
    subprocess.run([sys.executable, "-c", program, tmp_path / "pickled", tmp_path / "read"], check=True)
    texts = pickle.loads((tmp_path / "read").read_bytes())
    assert texts == {name: result.to_json() for name, result in results.items()}


@pytest.mark.large
def test_json_is_read_in_another_process(example, tmp_path):
    results = {name: (type(example(name)).__name__, example(name).to_json()) for name in MAKERS}
    (tmp_path / "texts").write_text(json.dumps(results))
    program = (
        "import json, sys, importlib; from pathlib import Path\n"
        "homes = [importlib.import_module('clustval')] + [importlib.import_module(m) for m in sys.argv[2:]]\n"
        "for name, (cls, text) in json.loads(Path(sys.argv[1]).read_text()).items():\n"
        "    home = next(h for h in homes if hasattr(h, cls))\n"
        "    assert getattr(home, cls).from_json(text).to_json() == text, name\n"
    )
    homes = sorted({type(example(name)).__module__ for name in MAKERS if not hasattr(cv, type(example(name)).__name__)})
    subprocess.run([sys.executable, "-c", program, tmp_path / "texts", *homes], check=True)


# What JSON keeps and what it does not


def test_what_is_read_has_the_same_types(example):
    content = Sweep.from_json(example("Sweep of names").to_json())._content()
    assert list(map(type, content["labels"])) == [tuple, str, float, np.int64, type(None), bool, int]
    assert content["labels"]["text"] == ["a", "b"] * 6
    assert content["labels"][2.5] == ["x", None, "y"] * 4
    assert content["labels"][7].tolist() == [1, -1, 2, 2] * 3
    assert content["labels"][False][:3] == [None, 1, 2]
    assert content["k"].dtype == np.int64
    records = catalogue.Catalogue.from_json(example("Catalogue").to_json())
    assert [type(records[0][part]) for part in ("bounds", "aliases", "suites")] == [tuple, tuple, list]
    table = example("Table")
    assert {n: c.dtype for n, c in Table.from_json(table.to_json()).items()} == {n: c.dtype for n, c in table.items()}


@pytest.mark.parametrize(
    "value",
    [
        *(math.nan, math.inf, -math.inf, -0.0, 5e-324, 1 / 3, 1e22),
        *(0, 2**53 + 1, -(2**63), 2**64, 10**5000, True, None, "", "é\ud800\x00", "nan", (), [], {}),
        *({1: 2}, {("a", 1): (None,)}, {"$float": "nan"}, {"$tuple": 1, "b": 2}, {"": {"$": 1}}, {None: {True: 1.5}}),
        *(np.float32(1 / 3), np.float64(np.nan), np.int8(-3), np.bool_(True), np.str_("é"), np.uint64(2**64 - 1)),
        *(np.array([1.5, np.nan, -np.inf], dtype=t) for t in ("<f2", ">f4", "<f8")),
        *(np.zeros(shape) for shape in ((), (0,), (2, 0, 3), (2, 3))),
        *(np.array([[2**63]], dtype=np.uint64), np.array([True, False]), np.array(["a", "long"]), np.arange(6)[::-2]),
        *(np.asfortranarray(np.arange(6).reshape(2, 3)), np.array([2**70, None, "a", (1, 2), np.nan], dtype=object)),
        *(rules.knee_of_rise, Request("a", catalogue.find("dunn"), {"b": 1.0}, rules.lowest)),
        *(MappingProxyType({"a": 1}), Null(1.0, math.nan, math.inf, 3)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_json_keeps_values_of_every_kind(value):
    (again,) = catalogue.Catalogue.from_json(catalogue.Catalogue([{"value": value}]).to_json())
    again = again["value"]
    assert same(again, value)
    assert type(again) is (dict if isinstance(value, MappingProxyType) else type(value))
    if isinstance(value, (np.ndarray, np.generic)):
        assert again.dtype == value.dtype
    if isinstance(value, float):
        assert math.copysign(1, again) == math.copysign(1, value) or math.isnan(value)


@pytest.mark.parametrize(
    "value",
    [
        *(1j, {1, 2}, b"text", np.datetime64("2020"), np.array([1j]), np.zeros(1, dtype="V3"), np.longdouble(1), print),
        *(rules.Rule("own", "higher", max), rules.Rule("highest", "lower", max)),
        Request("own", Index("own", "internal", max, rules.highest, (0, 1), ""), {}, rules.highest),
        Request("own", Index("own", "strange", max, rules.highest, (0, 1), ""), {}, rules.highest),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_json_cannot_keep_is_named(value, tmp_path):
    with pytest.raises(InputError, match=r"^JSON cannot keep .*, a \w+, which this Catalogue holds: .* Pickle it inst"):
        catalogue.Catalogue([{"value": value}]).to_json(tmp_path / "result.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((1.0, math.nan), (np.zeros(2), np.zeros(3)), (np.zeros(2), np.array([0, np.nan])), (np.zeros(2), [0.0, 0.0])),
        *((np.array(["a"]), np.array([1.0])), (np.array([None]), np.array([1.0])), ([1, 2], [1]), ({"a": 1}, {"b": 1})),
        *(({"a": 1}, {"a": 2}), ({"a": 1}, {}), ({"a": 1}, [("a", 1)]), (rules.highest, rules.lowest), (1, "1")),
        *((Null(1, 2, 3, 4), Null(1, 2, 3, 5)), (Null(1, 2, 3, 4), (1, 2, 3, 4)), (NoisePoint(), "noise")),
        (np.array([None]), np.array([None, None])),
        *((pd.NA, 1), (pd.Series([1, 2]), pd.Series([1, 2])), (Request, Index)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_that_differ_are_not_the_same(one, other):
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        *((math.nan, float("nan")), (np.float32("nan"), math.nan), (1, 1.0), ((1, 2), [1, 2]), (pd.NA, pd.NA)),
        *(
            (np.array([1, 2]), np.array([1.0, 2.0])),
            (np.array([np.nan, "a"], object), np.array([math.nan, "a"], object)),
        ),
        *(({"a": 1, "b": 2}, {"b": 2, "a": 1}), (NoisePoint(), NoisePoint()), ({NoisePoint(): 1}, {NoisePoint(): 1})),
        *((MappingProxyType({1: np.arange(2)}), {1: np.arange(2)}), (Null(1, math.nan, 3, 4), Null(1, np.nan, 3, 4))),
    ],
    ids=str,
)
def test_values_that_do_not_differ_are_the_same(one, other):
    assert same(one, other)
    assert same(other, one)


def test_scores_compare_by_values_reasons_and_choices(example):
    scores = example("Scores")
    X = points(0)
    assert cv.evaluate(X, NOISE, "all", n_jobs=1) == scores
    kept = np.array(NOISE) >= 0
    assert cv.evaluate(X[kept], np.array(NOISE)[kept], "dunn") == cv.evaluate(X, NOISE, "dunn")  # whatever was left out
    assert cv.evaluate(X, NOISE, ["trace_w"]) != cv.evaluate(X, NOISE, ["clustercrit:trace_w"])  # another rule
    assert scores != dict(scores)
    assert scores.to_dict() != cv.agreement(TRUTH, NOISE)


def test_a_pickle_keeps_what_lies_behind_the_values(example):
    scores = pickle.loads(pickle.dumps(example("Scores")))
    assert same(scores.per_point("silhouette"), example("Scores").per_point("silhouette"))
    assert same(scores.per_cluster(), example("Scores").per_cluster())
    agreement = pickle.loads(pickle.dumps(example("Agreement")))
    assert agreement.table == example("Agreement").table
    comparison = pickle.loads(pickle.dumps(example("Prayatul")))
    assert comparison.points == example("Prayatul").points


@pytest.mark.parametrize("metric", ["euclidean", "seuclidean", "mahalanobis"])
def test_blocks_that_were_pickled_still_add_up(metric):
    blocks = [(points(0), NOISE), (100 + points(1), NOISE)]
    scores = cv.evaluate(blocks_of(blocks, metric=metric), indices="all")
    again = pickle.loads(pickle.dumps(scores))
    choices = list(scores.choices.values())
    assert scores_of(again.source, choices) == scores
    assert scores_of(pickle.loads(pickle.dumps(scores.source.blocks[1])).whole, choices) == scores


def test_labels_in_blocks_that_were_pickled_still_add_up():
    source = label_blocks([(TRUTH, NOISE), (NOISE, TRUTH)])
    again = cv.agreement(pickle.loads(pickle.dumps(source)), indices="all")
    assert again == cv.agreement(source, indices="all")


def test_json_keeps_values_only_and_says_so(example):
    scores = cv.Scores.from_json(example("Scores").to_json())
    assert scores.coverage == 11 / 12
    assert scores.to_dict().keys() == example("Scores").to_dict().keys()
    assert scores["CH"] == example("Scores")["calinski_harabasz"]
    message = "was read from JSON, which keeps values only; evaluate again for what lies behind them, or pickle"
    for ask in (
        lambda: scores.per_point("silhouette"),
        scores.per_cluster,
        lambda: scores.neighbours("silhouette"),
        lambda: scores.source,
    ):
        with pytest.raises(InputError, match=f"^This Scores {message}"):
            ask()
    agreement = cv.Agreement.from_json(example("Agreement").to_json())
    assert agreement.p_values == example("Agreement").p_values
    for ask in (lambda: agreement.table, agreement.per_cluster):
        with pytest.raises(InputError, match=f"^This Agreement {message}"):
            ask()
    comparison = cv.Prayatul.from_json(example("Prayatul").to_json())
    assert comparison.bootstrap(5, random_state=0) == example("Prayatul").bootstrap(5, random_state=0)
    assert comparison.swapped == example("Prayatul").swapped
    with pytest.raises(InputError, match=f"^This Prayatul {message}"):
        _ = comparison.points


def test_a_copy_of_scores_from_json_still_has_their_coverage(example):
    scores = cv.Scores.from_json(example("Scores").to_json())
    assert copy.deepcopy(scores).coverage == scores.coverage
    assert cv.Scores.from_json(scores.to_json()).coverage == scores.coverage


def test_noise_points_stay_who_they_are_within_one_json():
    matching = cv.matching([0, 0, None, None], [1, 1, None, None], noise="singletons")
    for again in (cv.Matched.from_json(matching.to_json()), pickle.loads(pickle.dumps(matching))):
        assert sum(isinstance(name, NoisePoint) for name in again.classes) == 2
        assert again.classes.keys() == again.shared.keys() == again.precision.keys()
        assert set(again.classes.values()) == again.recall.keys()


def test_what_is_read_can_be_used_like_what_was_computed(example):
    table = cv.Contingency.from_json(example("Contingency").to_json())
    assert (table + table).n == 2 * table.n == 24
    assert cv.agreement(table, indices="all") == cv.agreement(TRUTH, labels(0), "all")
    sweep = Sweep.from_json(example("Sweep").to_json())
    assert sweep.best() == example("Sweep").best()
    assert not sweep["dunn"].flags.writeable
    comparison = cv.study.Comparison.from_json(example("Comparison").to_json())
    assert comparison.pairwise() == example("Comparison").pairwise()
    assert same(comparison.pairwise().p_values, example("Comparison").pairwise().p_values)


def test_a_pickle_leaves_out_what_is_computed_on_first_use(example):
    comparison = example("Prayatul")
    assert comparison.measures
    assert comparison.points
    assert not {"measures", "points"} & vars(copy.copy(comparison)).keys()


# Rules and indices


@pytest.mark.parametrize("name", [n for n, rule in vars(rules).items() if isinstance(rule, rules.Rule)])
def test_every_rule_of_the_house_travels_by_name(name):
    rule = getattr(rules, name)
    assert pickle.loads(pickle.dumps(rule)) is rule
    assert copy.deepcopy(rule) is rule


def steepest(values, _k):
    return values


def test_a_rule_of_the_users_own_is_pickled_in_the_ordinary_way():
    for own in (rules.Rule("steepest", "higher", steepest), rules.Rule("highest", "higher", rules.step)):
        again = pickle.loads(pickle.dumps(own))
        assert again == own
        assert again is not own


def test_an_index_of_the_users_own_is_read_once_it_is_declared(example):
    document = json.loads(example("Scores").to_json())
    index = document["value"]["choices"][0]["$Choice"]["index"]["$Index"]
    index["module"] = "mine"
    assert cv.Scores.from_json(json.dumps(document)) == example("Scores")
    for strange in ({"name": "unheard_of"}, {"kind": "strange"}):
        text = json.dumps(document)
        index |= strange
        with pytest.raises(InputError, match=r"^The \w+ index '\w+' is not known; import the module mine that decl"):
            cv.Scores.from_json(json.dumps(document))
        index |= json.loads(text)["value"]["choices"][0]["$Choice"]["index"]["$Index"]


# What cannot be read


@each
def test_json_of_another_class_is_told_apart(example, name):
    cls = type(example(name))
    other = Table if cls is not Table else cv.Hopkins
    with pytest.raises(
        InputError, match=rf"^This text holds a {cls.__name__}, not a {other.__name__}; read it with {cls.__name__}\.fr"
    ):
        other.from_json(example(name).to_json())


def paths_of(value, path=()):
    """Give the way to every member of objects and lists, the first ones of long lists."""
    if isinstance(value, dict):
        items = list(value.items())
    else:
        items = list(enumerate(value[:3])) if isinstance(value, list) else []
    for key, inner in items[:8]:
        yield (*path, key)
        yield from paths_of(inner, (*path, key))


@pytest.mark.large
@each
def test_damaged_json_is_read_or_refused_but_never_raises_anything_else(example, name):
    cls, text = type(example(name)), example(name).to_json()
    refused = 0
    for path in list(paths_of(json.loads(text)))[:150]:
        for damage in ("missing", None, 3, "text", [], {}, {"$strange": 1}, {"$array": 1}, {"$Rule": "none"}):
            document = json.loads(text)
            *way, last = path
            holder = document
            for key in way:
                holder = holder[key]
            if damage == "missing":
                del holder[last]
            else:
                holder[last] = damage
            try:
                cls.from_json(json.dumps(document))
            except InputError:
                refused += 1
    assert refused


@each
def test_json_that_lacks_a_part_or_has_one_too_many_is_refused(example, name):
    cls, text = type(example(name)), example(name).to_json()
    for part in json.loads(text)["value"]:
        document = json.loads(text)
        del document["value"][part]
        parameter = inspect.signature(cls.__init__).parameters.get(part)
        if parameter is not None and parameter.default is not inspect.Parameter.empty:
            continue
        with pytest.raises(InputError, match=rf"^This text is no whole {cls.__name__}, or not of this version: clust"):
            cls.from_json(json.dumps(document))
    document = json.loads(text)
    document["clustval"] = "9.9"
    document["value"] = []
    with pytest.raises(InputError, match=r"clustval 9\.9 wrote it, and clustval [\d.]+ cannot read it \(Attr"):
        cls.from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"^This text is not JSON: Expecting property name"),
        ('{"class": "Table", "value": {"columns": NaN}}', r"^This text is not JSON: NaN is no number of JSON\.$"),
        ('{"a":' * 100_000, r"^This text is not JSON: "),
        ("{}", r"^This text holds no result of clustval; to_json writes such\.$"),
        ('{"class": ["Table"], "value": 1}', r"^This text holds no result of clustval"),
        ('{"class": "Table"}', r"^This text holds no result of clustval"),
        ("", r"^'' is no JSON of a result, and no file that can be read: Is a directory\.$"),
        ("[1, 2]", r"^'\[1, 2\]' is no JSON of a result, and no file that can be read: No such file or directory\.$"),
        ("x" * 9999, r"^'x{199}\.\.\. is no JSON of a result, and no file that can be read: File name too long\.$"),
        ("a\x00b", r"^'a\\x00b' is no JSON of a result, and no file of text in UTF-8\.$"),
        (b"{}", r"^from_json takes JSON or the name of a file; it was given a bytes\.$"),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_what_is_no_json_of_a_result_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        Table.from_json(text)


def test_a_file_that_is_no_json_of_a_result_is_named(tmp_path):
    path = tmp_path / "table.json"
    path.write_text('{"class": "Table", "value"')
    with pytest.raises(InputError, match=r"table\.json is not JSON: "):
        Table.from_json(path)
    path.write_text("[1, 2]")
    with pytest.raises(InputError, match=r"table\.json holds no result of clustval"):
        Table.from_json(path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"table\.json' is no JSON of a result, and no file of text in UTF-8\.$"):
        Table.from_json(path)
    path.write_text("\ufeff" + Table({"a": np.arange(2)}).to_json(), encoding="utf-8")
    assert Table.from_json(path) == Table({"a": np.arange(2)})
    with pytest.raises(InputError, match=r"^There is no folder .*nowhere to write table\.json into\.$"):
        Table({}).to_json(tmp_path / "nowhere" / "table.json")


def test_reading_json_imports_nothing_but_formulas(example):
    document = json.loads(example("Scores").to_json())
    document["value"]["choices"][0]["$Choice"]["index"]["$Index"] |= {"module": "antigravity", "name": "unheard_of"}
    with pytest.raises(InputError):
        cv.Scores.from_json(json.dumps(document))
    assert "antigravity" not in sys.modules


@pytest.mark.parametrize(
    "array",
    [
        *({"dtype": "<f8", "shape": [3], "data": [1.0]}, {"dtype": "<f8", "shape": [1], "data": ["1"]}),
        *({"dtype": "|u1", "shape": [1], "data": [300]}, {"dtype": "<i8", "shape": [1], "data": [1.5]}),
        *({"dtype": "<M8[s]", "shape": [1], "data": [1]}, {"dtype": "f8,f8", "shape": [1], "data": [1]}),
        *({"dtype": "|b1", "shape": [1], "data": [2]}, {"dtype": "<U1", "shape": [1], "data": [2]}),
        *({"dtype": "<i8", "shape": [1]}, {"dtype": "<i8", "shape": "x", "data": []}, {"dtype": 3}),
        {"dtype": "<i8", "shape": [1], "data": [2**64]},
    ],
    ids=str,
)
def test_an_array_that_is_not_of_its_type_or_shape_is_refused(array):
    text = json.dumps({"class": "Table", "value": {"columns": {"a": {"$array": array}, "b": 1}}})
    with pytest.raises(InputError, match=r"^This text is no whole Table"):
        Table.from_json(text)


def test_an_array_of_floats_may_have_been_written_without_points():
    array = {"$array": {"dtype": "<f8", "shape": [2], "data": [1, 2.5]}}
    table = Table.from_json(json.dumps({"class": "Table", "value": {"columns": {"a": array, "b": array}}}))
    assert table["a"].tolist() == [1.0, 2.5]


def test_what_is_no_name_is_in_no_scores():
    scores = cv.evaluate([[0.0], [1], [5], [6]], [0, 0, 1, 1], ["dunn"])
    assert None not in scores
    with pytest.raises(KeyError):
        scores[0]
