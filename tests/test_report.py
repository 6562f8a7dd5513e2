"""The report: what it says, what it holds, and that nothing a user wrote can run in it."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import pickle
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clustval as cv
from clustval import bibliography, data, pages, report
from clustval.catalogue import select
from clustval.choosing import first_look
from clustval.errors import MissingExtraError
from clustval.report import charts, criteria, curves, drawings, scripts, words
from clustval.report import point_sections as points
from clustval.report import report_tables as tables
from clustval.report.page import TEMPLATE, inert
from clustval.sources.space import space_of
from clustval.study.comparison import Comparison
from clustval.study.correlations import Finding
from clustval.study.recommend import Recommendation

IRIS = data.load("iris")
NASTY = [
    "</script><script>document.title='run'</script>",
    "<!-- <script>",
    "<img src=x onerror=\"document.title='run'\">",
    "\"'`{{ 7 * 7 }}{% raw %}",
    "a\u2028b\u2029c",
    "&lt;b&gt;",
]


class Reader(HTMLParser):
    """The parts of a page: scripts with their types, texts by element, tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._inside: str = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_data(self, text):
        if self._inside == "script":
            attributes, before = self.scripts[-1]
            self.scripts[-1] = attributes, before + text
        elif self._inside != "style":
            self.texts.append(text.strip())

    def handle_endtag(self, _tag):
        self._inside = ""

    @property
    def data(self):
        (found,) = [text for attributes, text in self.scripts if attributes.get("type") == "application/json"]
        return json.loads(found)


def headline_of(page: str) -> list[str]:
    """The sentences that a page begins with."""
    text = re.search(r'<section id="headline".*?</section>', page, re.DOTALL)[0]
    return [sentence for sentence in Reader(text).texts if sentence]


def kmeans_scores(indices="default"):
    return cv.evaluate(IRIS.X, IRIS.clusterings["kmeans"], indices)


@pytest.fixture(scope="module")
def iris_page() -> str:
    about = {"truth": IRIS.truth, "truth_name": "species", "labels": "kmeans", "features": IRIS.features}
    swept = cv.sweep(IRIS.X, k=range(2, 6), linkage="ward")
    return kmeans_scores().to_html(sweep=swept, against={"ward": IRIS.clusterings["ward"]}, **about)


@pytest.fixture(scope="module")
def nasty_page() -> str:
    labels = np.array(NASTY, dtype=object)[np.arange(len(IRIS.X)) % len(NASTY)]
    about = {"title": NASTY[0], "truth": labels[::-1], "truth_name": NASTY[1], "labels": NASTY[2], "made_by": NASTY[0]}
    swept = cv.sweep(IRIS.X, {NASTY[0]: labels, NASTY[1]: IRIS.truth}, "silhouette")
    return cv.evaluate(IRIS.X, labels).to_html(
        look=False, sweep=swept, features=NASTY[:4], facts=NASTY, against={NASTY[3]: labels[::-1]}, **about
    )


# Nothing runs, nothing is fetched


def test_names_of_the_user_are_shown_not_run(nasty_page):
    found = Reader(nasty_page)
    assert [attributes.get("type") for attributes, _ in found.scripts] == ["application/json", None, None]
    assert not [attributes for tag, attributes in found.tags if tag == "img"]
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    assert set(NASTY) <= set(found.texts)


def test_names_of_the_user_reach_the_charts_unchanged(nasty_page):
    assert found_names(nasty_page) == set(NASTY)


def found_names(text: str) -> set[str]:
    return {point["cluster"] for point in Reader(text).data["data"]["points"]}


@pytest.mark.parametrize("text", NASTY)
def test_data_in_a_script_element_cannot_end_it(text):
    written = inert({text: [text]})
    assert not re.search("[<>&\u2028\u2029]", written)
    assert json.loads(written) == {text: [text]}


def test_every_script_is_allowed_by_its_digest_and_no_other(iris_page):
    found = Reader(iris_page)
    (policy,) = [a["content"] for tag, a in found.tags if tag == "meta" and a.get("http-equiv")]
    scripts_allowed = re.findall(r"'sha256-([^']+)'", policy)
    inline = [text for attributes, text in found.scripts if not attributes]
    assert [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in inline] == scripts_allowed
    assert policy.startswith("default-src 'none'; ")
    assert not re.search(r"unsafe-eval|script-src[^;]*unsafe-inline", policy)


def test_no_element_asks_for_another_file(iris_page):
    for tag, attributes in Reader(iris_page).tags:
        assert tag not in {"link", "img", "iframe", "object", "base"}
        assert not {"src", "action"} & set(attributes)
        assert attributes.get("href", "#").startswith("#")
    assert "url(" not in (TEMPLATE / "style.css").read_text()
    assert "@import" not in (TEMPLATE / "style.css").read_text()


def test_the_scripts_cannot_end_their_element():
    assert "</script" not in scripts.vega().lower()
    assert "<!--" not in scripts.vega()


def test_the_same_input_gives_the_same_page(iris_page):
    swept = cv.sweep(IRIS.X, k=range(2, 6), linkage="ward")
    about = {"truth": IRIS.truth, "truth_name": "species", "labels": "kmeans", "features": IRIS.features}
    again = kmeans_scores().to_html(sweep=swept, against={"ward": IRIS.clusterings["ward"]}, **about)
    assert again == iris_page


# What is in it


def test_every_index_has_a_row_with_its_value_and_meaning(iris_page):
    texts = Reader(iris_page.partition("<main>")[2]).texts
    for row in tables.index_rows(kmeans_scores()):
        at = texts.index(row.name, texts.index("Indices"))
        sources = {text.strip() for text, _ in row.reference}
        assert {row.value, row.better, row.range, row.meaning, *sources} <= set(texts[at : at + 14])


def test_an_undefined_value_is_a_dash_with_its_reason_and_sorts_last():
    scores = cv.evaluate([[0.0], [1], [5]], [0, 1, 2], ["silhouette", "dunn", "calinski_harabasz"])
    assert list(scores.reasons) == ["dunn", "calinski_harabasz"]
    page = scores.to_html(look=False)
    texts = Reader(page).texts
    for name, reason in scores.reasons.items():
        (row,) = [row for row in tables.index_rows(scores) if row.name == name]
        assert (row.value, row.order, row.reason) == ("—", "", reason)
        assert texts.count(reason) == 2  # in the table and in the list
    assert "2 of 3 indices have no value here; the table says why." in texts


def test_infinite_values_sort_as_numbers():
    scores = cv.evaluate([[0.0], [0], [1], [1]], [0, 0, 1, 1], ["dunn"])
    (row,) = tables.index_rows(scores)
    assert (row.value, row.order) == ("∞", "Infinity")


def test_every_work_that_is_named_stands_in_full_below(iris_page):
    tags = Reader(iris_page).tags
    links = [given["href"] for tag, given in tags if tag == "a" and given["href"].startswith("#work-")]
    entries = ["#" + given["id"] for tag, given in tags if tag == "li" and "id" in given]
    assert "#work-dunn1974" in links
    assert set(links) <= set(entries)
    assert len(entries) == len(set(entries))
    texts = Reader(iris_page).texts
    for key in ("dunn1974", "kaufman1990", "hubert1985", "biswas2023"):  # of an index, a scale, a truth, a comparison
        assert str(bibliography.works()[key]) in texts


def test_a_sweep_names_the_works_of_its_indices():
    swept = cv.sweep(IRIS.X, {"kmeans": IRIS.clusterings["kmeans"], "ward": IRIS.clusterings["ward"]}, ["dunn", "sd"])
    texts = Reader(swept.to_html(look=False)).texts
    works = [str(bibliography.works()[key]) for key in ("desgraupes2017", "dunn1974", "halkidi2000")]
    assert texts[texts.index(works[0]) :][: 2 * len(works) : 2] == works


def test_the_headline_says_what_there_is(iris_page):
    texts = [text for text in Reader(iris_page).texts if text]
    start = texts.index("150 points in 3 clusters: 50, 62 and 38.")
    silhouette = kmeans_scores()["silhouette"]
    outside = "16 of 150 points in a cluster that is matched with another class."
    rand = {name: cv.external.adjusted_rand(IRIS.truth, labels) for name, labels in IRIS.clusterings.items()}
    scale = "a reasonable structure on the scale of Kaufman and Rousseeuw (1990)."
    assert texts[start - 2].startswith("There is structure: gaps separate groups")
    assert texts[start - 1] == "The best of these partitions is k = 2, by the consensus judge."
    assert texts[start + 1 : start + 6] == [
        f"The mean silhouette is {silhouette:.3f}: {scale}",
        "The points in rows 114, 50, 134 and 52 lie between clusters B and C.",
        curves.verdict(cv.sweep(IRIS.X, k=range(2, 6), linkage="ward")),
        f"Agreement of kmeans with species: adjusted Rand index {rand['kmeans']:.3f}; {outside}",
        f"Agreement of ward with species: adjusted Rand index {rand['ward']:.3f}; {outside}",
    ]


def test_a_page_of_uniform_points_says_first_that_nothing_is_there():
    X = np.random.default_rng(0).random((60, 2))
    swept = cv.sweep(X, k=[2, 3, 4], indices=["silhouette"], linkage="ward")
    for page in (swept.to_html(), pickle.loads(pickle.dumps(swept)).to_html()):
        headline = headline_of(page)
        assert headline[0] == "No structure: no gaps, and data drawn without clusters look as clustered as these."
        assert headline[1].startswith("If there must be clusters, k = ")
        assert headline[2].endswith(curves.WARNING)
    assert headline_of(swept.to_html(look=False)) == headline[2:]
    assert headline_of(cv.Sweep.from_json(swept.to_json()).to_html()) == headline[2:]  # without the points


def test_a_page_of_two_moons_says_that_the_silhouette_misjudges_them(monkeypatch):
    monkeypatch.setattr(first_look, "structure", lambda *_args, **_options: None)  # takes seconds
    turn = np.linspace(0, np.pi, 100)
    X = np.concatenate([np.c_[np.cos(turn), np.sin(turn)], np.c_[1 - np.cos(turn), 0.5 - np.sin(turn)]])
    X += np.random.default_rng(0).normal(0, 0.05, X.shape)
    labels = (X[:, 0] > X[:, 0].mean()), np.repeat([0, 1], 100)  # halves, and moons
    headlines = [headline_of(cv.evaluate(X, each).to_html()) for each in labels]
    better = " is clearly better than labels: "
    assert [any(better in sentence for sentence in headline) for headline in headlines] == [True, False]
    for headline in headlines:
        assert any(sentence.startswith("The silhouette misjudges these shapes: it prefers ") for sentence in headline)
        assert any(sentence.endswith("which says little about clusters of these shapes.") for sentence in headline)
        assert not any(" between clusters " in sentence for sentence in headline)


def test_fifty_clusters_are_looked_at_with_points_enough_to_be_seen(monkeypatch):
    samples = []
    monkeypatch.setattr(first_look, "structure", lambda *_args, **options: samples.append(options["sample"]))
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(25), 40)
    first_look.first_look(space_of(rng.normal(9 * labels[:, None], 1, (1000, 2))), {"labels": labels})
    assert samples == [800]


def test_points_between_two_clusters_are_named_worst_first():
    X = [[0.0], [1.0], [2.6], [4.0], [5.0], [50.0], [51.0]]
    scores = cv.evaluate(X, ["l", "l", "l", "r", "r", "far", "far"])
    fit = points.fit(scores)
    source = scores.source
    found = words.between(fit, source.codes, source.kept, points.display(source.names))
    assert found == "The point in row 2 lies between clusters l and r."


def test_points_that_all_fit_are_said_to():
    scores = cv.evaluate([[0.0], [1], [50], [51]], [0, 0, 1, 1])
    assert "Every point is clearly nearer to its own cluster than to any other." in scores.to_html()


@pytest.mark.parametrize(
    ("mean", "structure"),
    [
        (0.71, "a strong structure"),
        (0.51, "a reasonable structure"),
        (0.26, "a weak structure"),
        (0.25, "no substantial"),
    ],
)
def test_the_mean_silhouette_is_read_by_the_scale_of_its_authors(mean, structure):
    fit = points.Fit("silhouette", np.array([mean]), np.array([0]))
    assert structure in words.structure(fit)


def test_noise_is_counted_in_the_headline():
    X = [[0.0], [1], [50], [51], [20]]
    page = cv.evaluate(X, [0, 0, 1, 1, -1]).to_html()
    assert "1 point (20.0%) is noise, ignored by most indices." in page


def test_every_cluster_has_a_row():
    scores = kmeans_scores()
    table = tables.cluster_table(scores)
    assert table.columns[:6] == ["cluster", "size", "share", "dispersion", "diameter", "separation"]
    assert [row.cells[:3] for row in table.rows] == [["A", "50", "33.3%"], ["B", "62", "41.3%"], ["C", "38", "25.3%"]]
    assert table.rows[0].cells[4] == tables.number(scores.per_cluster("diameter")["A"], 4)


def test_many_points_do_not_meet_in_pairs_for_a_table(set_limits):
    set_limits(reported_points=100)
    assert "diameter" not in tables.cluster_table(kmeans_scores("fast")).columns


def test_agreement_is_shown_with_its_table_and_the_matched_classes(iris_page):
    texts = Reader(iris_page).texts
    at = texts.index("Points of each class of species in each cluster of kmeans")
    cells = [text for text in texts[at : at + 80] if text][1:21]
    assert cells == [
        "species", "A", "B", "C", "all",
        "setosa", "50", "0", "0", "50",
        "versicolor", "0", "48", "2", "50",
        "virginica", "0", "14", "36", "50",
    ]  # fmt: skip


def test_the_prayatul_matrix_is_told_in_words_and_numbers(iris_page):
    br, rw, wr, bw = (
        cv.prayatul(IRIS.truth, IRIS.clusterings["kmeans"], IRIS.clusterings["ward"]).matrix.ravel().tolist()
    )
    assert (
        f"Of 11,175 pairs of points, both are right on {br:,}, only kmeans on {rw}, only ward on {wr}, "
        f"and both are wrong on {bw:,}. They are right equally often."
    ) in Reader(iris_page).texts


def test_clusters_stand_beside_the_class_they_share_most_with():
    from clustval.report.agreement_section import contingency

    table = contingency("labels", cv.contingency(["a", "a", "b", "b", "b"], [2, 2, 1, 1, 2]), "truth")
    assert table.columns == ["truth", "2", "1", "all"]
    assert [row.cells for row in table.rows] == [["a", "2", "0", "2"], ["b", "1", "2", "3"]]
    marks = [row.marks[1:3] for row in table.rows]  # 2 of 2, none; a third and two thirds of the class
    assert marks == [["best low-3", ""], ["low-2", "best low-2"]]


def test_an_agreement_alone_makes_a_page(tmp_path):
    text = cv.agreement([0, 0, 1, 1], ["x", "x", "x", "y"]).to_html(tmp_path / "page.html", labels="mine")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == text
    found = Reader(text)
    assert "Points of each class of truth in each cluster of mine" in found.texts
    assert len(found.scripts) == 2  # nothing to draw


def test_an_agreement_says_first_how_well_and_whether_by_chance():
    truth, labels = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
    (sentence,) = headline_of(cv.agreement(truth, labels, permutations=19, random_state=0).to_html(labels="mine"))
    assert sentence.startswith("Agreement of mine with truth: adjusted Rand index 0.324; 1 of 6 points in a cluster")
    assert sentence.endswith("Random labels agree as well with probability 0.35, by 19 draws.")
    assert 'id="headline"' not in cv.agreement(truth, labels, ["rand"]).to_html()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_of_a_data_frame_are_called_by_their_names(frame):
    X = frame({"age": [20, 21, 22, 60, 61, 62], "spending": [5.0, 7, 6, 1, 2, 0]})
    pages = [
        cv.evaluate(X, [0, 0, None, 1, 1, 1]).to_html(look=False),
        cv.choose(X, ["ward"], k=2, null=False, stability=False).to_html(),
    ]
    for page in pages:
        assert "high age (+" in page
        assert "column 0" not in page


def test_names_that_are_too_long_for_a_small_curve_are_left_to_the_tables():
    values = np.array([1.0, 2.0])
    curve = drawings.curve("dunn", values, 1, ["kmeans, n_clusters=2", "7"], "highest")
    assert (curve.first, curve.last) == ("", "7")
    assert curve.words.endswith("highest, which chooses 7.")


def test_a_sweep_alone_makes_a_page():
    swept = cv.sweep(IRIS.X, {"species": IRIS.truth, **IRIS.clusterings}, ["dunn", "silhouette"])
    found = Reader(swept.to_html(title="Three partitions", look=False))
    assert "Which partition?" in found.texts
    assert set(found.data["charts"]) == {"curve"}
    assert found.data["readings"]["dunn"] == f"chooses {swept.best()['dunn']}: highest"


def test_a_verdict_says_who_wins_and_whether_anybody_does():
    X = [[0.0], [1], [5], [6], [20], [22]]
    partitions = {"two": [0, 0, 0, 0, 1, 1], "three": [0, 0, 1, 1, 2, 2]}
    verdicts = {
        "silhouette": "1 of 1 index prefers two.",
        "calinski_harabasz": "1 of 1 index prefers three.",
        "silhouette,calinski_harabasz": "The indices do not agree: 1 of 2 prefers each of two and three.",
        "calinski_harabasz,davies_bouldin": "2 of 2 indices prefer three.",
        "trace_w": "No index chooses one of these partitions.",
    }
    for indices, verdict in verdicts.items():
        shown = curves.verdict(cv.sweep(X, partitions, indices.split(",")))
        assert shown.removesuffix(f" {curves.WARNING}") == verdict
        assert shown.endswith(curves.WARNING) == (indices != "trace_w")


def test_names_that_read_the_same_are_told_apart():
    assert points.display([1, "1"]) == ["1", "'1'"]
    assert points.display([1, "b"]) == ["1", "b"]


# What is drawn


def drawn(scores, **about):
    return Reader(scores.to_html(look=False, **about)).data


def layer(page, name):
    """The first layer of the plane that draws this data set."""
    return next(layer for layer in page["charts"]["plane"]["layer"] if layer["data"]["name"] == name)


def test_two_features_are_the_axes_themselves():
    X = np.array([[0.0, 3], [1, 4], [9, 5], [8, 7]])
    found = drawn(cv.evaluate(X, [0, 0, 1, 1]), features=["width", "height"])
    assert sorted((p["row"], p["x"], p["y"]) for p in found["data"]["points"]) == [(i, *X[i]) for i in range(4)]
    encoding = layer(found, "points")["encoding"]
    assert (encoding["x"]["title"], encoding["y"]["title"]) == ("width", "height")


def test_more_features_are_projected_on_their_principal_components():
    plane = points.plane(kmeans_scores().source, None)
    Z = IRIS.X - IRIS.X.mean(axis=0)
    _, spread, directions = np.linalg.svd(Z, full_matrices=False)
    order = kmeans_scores().source.kept
    for coordinate, direction in zip((plane.x, plane.y), directions[:2], strict=True):
        projected = (Z @ direction)[order]
        assert np.allclose(coordinate, projected, atol=1e-9) or np.allclose(coordinate, -projected, atol=1e-9)
    share = spread[0] ** 2 / np.square(spread).sum()
    assert plane.titles[0] == f"First principal component ({share:.0%} of the variance)"


def test_many_features_give_the_same_plane_as_few(set_limits):
    usual = points.plane(kmeans_scores().source, None)
    set_limits(reported_columns=3)
    wide = points.plane(kmeans_scores().source, None)
    assert np.allclose(wide.x, usual.x, atol=1e-8)
    assert np.allclose(wide.y, usual.y, atol=1e-8)


def test_one_feature_is_spread_out():
    found = drawn(cv.evaluate([[0.0], [1], [8], [9]], [0, 0, 1, 1]))
    assert sorted(p["x"] for p in found["data"]["points"]) == [0, 1, 8, 9]
    assert len({p["y"] for p in found["data"]["points"]}) == 4


def test_points_without_spread_are_drawn_all_the_same():
    assert drawn(cv.evaluate(np.zeros((4, 3)), [0, 0, 1, 1], "calinski_harabasz"))["charts"].keys() == {"plane"}


def test_distances_without_coordinates_have_bars_but_no_plane():
    D = np.abs(np.subtract.outer([0.0, 1, 7, 9], [0.0, 1, 7, 9]))
    scores = cv.evaluate(D, [0, 0, 1, 1], metric="precomputed")
    assert drawn(scores)["charts"].keys() == {"bars"}
    scores = cv.evaluate(D, [0, 0, 1, 1], "dunn", metric="precomputed")
    assert drawn(scores)["charts"] == {}


def test_bars_are_the_silhouettes_in_falling_order_cluster_by_cluster():
    scores = kmeans_scores()
    found = drawn(scores)["data"]["points"]
    values = scores.per_point("silhouette")
    assert all(p["fit"] == float(f"{values[p['row']]:.6g}") for p in found)
    assert [p["cluster"] for p in found] == sorted(p["cluster"] for p in found)
    for name in "ABC":
        bars = [p["fit"] for p in found if p["cluster"] == name]
        assert bars == sorted(bars, reverse=True)
    places = [p["place"] for p in found]
    assert places == sorted(places)
    assert all(p["below"] == p["place"] + 1 for p in found)


def test_the_cheap_silhouette_stands_in_where_the_other_was_not_evaluated():
    assert points.fit(kmeans_scores("fast")).index == "simplified_silhouette"
    assert points.fit(kmeans_scores("calinski_harabasz")).index == "simplified_silhouette"
    assert points.fit(kmeans_scores("vendramin")).index == "silhouette"


def test_points_of_another_class_than_their_cluster_are_marked():
    found = drawn(kmeans_scores(), truth=IRIS.truth)["data"]["points"]
    assert sum(p["astray"] for p in found) == 16
    assert {p["truth"] for p in found if p["cluster"] == "A"} == {"setosa"}


def test_a_truth_of_another_length_is_refused():
    with pytest.raises(cv.InputError, match=r"^X has 150 rows but truth has 3 entries\.$"):
        kmeans_scores().to_html(truth=[1, 2, 3], look=False)


@pytest.mark.parametrize("sizes", [[5000, 3000, 4], [40] * 300, [10_000, 1]])
def test_samples_keep_the_outline_of_every_cluster(sizes):
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    values = rng.random(len(codes))
    found = points.sample(codes, np.array(sizes), values)
    assert len(found) <= points.MOST_DRAWN + points.FEWEST_DRAWN * len(sizes)
    assert len(set(found.tolist())) == len(found)
    if len(sizes) <= points.FEW_CLUSTERS:
        for code, size in enumerate(sizes):
            mine = values[found[codes[found] == code]]
            assert len(mine) >= min(size, points.FEWEST_DRAWN)
            assert (mine[0], mine[-1]) == (values[codes == code].max(), values[codes == code].min())


def test_a_hundred_thousand_points_make_a_page_below_three_megabytes_that_says_it_is_a_sample():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 6, 100_000)
    X = rng.normal(labels[:, None] * 3, 1, (100_000, 4))
    text = cv.evaluate(X, labels, "fast").to_html(truth=labels // 2, look=False)
    assert len(text.encode()) < 3_000_000
    assert re.search(r"(1,99\d|2,000) of 100,000 points are drawn, evenly from each cluster", text)


def of_clusters(k: int):
    labels = np.repeat(np.arange(k), 4)
    return drawn(cv.evaluate(np.random.default_rng(0).normal(labels[:, None], 0.1, (4 * k, 2)), labels, "fast"))


def test_fifty_clusters_have_room_for_their_names_and_no_legend():
    found = of_clusters(50)
    assert layer(found, "points")["encoding"]["color"]["legend"] is None
    assert [centre["cluster"] for centre in found["data"]["centres"]] == [str(name) for name in range(50)]
    assert layer(found, "centres")["encoding"]["text"]["field"] == "cluster"
    assert found["charts"]["bars"]["height"] == 900
    assert all(block["tall"] for block in found["data"]["blocks"])


def test_hundreds_of_clusters_are_not_named_on_top_of_each_other():
    found = of_clusters(300)
    assert found["charts"]["bars"]["height"] == 1000
    assert not any(block["tall"] for block in found["data"]["blocks"])


def test_noise_is_drawn_where_it_lies():
    X = np.array([[0.0, 0, 1], [1, 1, 0], [50, 3, 2], [51, 4, 1], [20, 9, 9]])
    labels = [0, 0, 1, 1, -1]
    found = drawn(cv.evaluate(X, labels))
    (noise,) = found["data"]["noise"]
    assert noise["row"] == 4
    whole = points.plane(cv.evaluate(X, labels).source, None)
    kept = np.column_stack([whole.x, whole.y])
    distances = np.linalg.norm(kept - whole.noise[0], axis=1)
    assert (distances <= np.linalg.norm(X[:4] - X[4], axis=1) + 1e-9).all()  # projected, as the others are
    assert np.allclose(whole.noise[0], [noise["x"], noise["y"]], rtol=1e-5)
    assert layer(found, "noise")["mark"]["shape"] == charts.NOISE
    flat = drawn(cv.evaluate(X[:, :2], labels), coordinates=X[:, 1:])["data"]["noise"]
    assert flat == [{"row": 4, "x": 9, "y": 9}]


def test_points_are_drawn_where_the_caller_says():
    X = np.array([[0.0, 0, 1], [1, 1, 0], [50, 3, 2], [51, 4, 1]])
    frame = pd.DataFrame(X, index=list("abcd"))
    places = pd.DataFrame([[4.0, 1], [3, 1], [2, 2], [1, 9]], columns=["umap 1", "umap 2"], index=list("dcba"))
    found = drawn(cv.evaluate(frame, [0, 0, 1, 1]), coordinates=places)
    assert {p["row"]: (p["x"], p["y"]) for p in found["data"]["points"]} == {
        "d": (4, 1), "c": (3, 1), "b": (2, 2), "a": (1, 9),
    }  # fmt: skip
    encoding = layer(found, "points")["encoding"]
    assert (encoding["x"]["title"], encoding["y"]["title"]) == ("umap 1", "umap 2")
    with pytest.raises(cv.InputError, match=r"two columns and a row for each of the 4 rows of X; it has 4 rows and 3"):
        cv.evaluate(X, [0, 0, 1, 1]).to_html(coordinates=X)


def test_distances_without_coordinates_are_drawn_where_the_caller_says():
    D = np.abs(np.subtract.outer([0.0, 1, 7, 9], [0.0, 1, 7, 9]))
    found = drawn(cv.evaluate(D, [0, 0, 1, 1], metric="precomputed"), coordinates=[[0, 1], [2, 3], [4, 5], [6, 7]])
    assert sorted(p["x"] for p in found["data"]["points"]) == [0, 2, 4, 6]


@pytest.mark.parametrize(("stretch", "equal"), [(1, True), (4, True), (7, False)])
def test_axes_have_the_same_scale_unless_one_would_vanish(stretch, equal):
    X = np.array([[0.0, 0], [1, 1], [9, 8], [10, 10]]) * [1, stretch]
    text = cv.evaluate(X, [0, 0, 1, 1]).to_html()
    scale = layer(Reader(text).data, "points")["encoding"]["x"]["scale"]
    assert isinstance(scale["domainMin"], dict) is equal
    assert ("Both axes have the same scale." in text) is equal
    assert ("The axes have different scales" in text) is not equal
    if equal:  # as many units to a pixel on both, whatever the size of the chart
        y = layer(Reader(text).data, "points")["encoding"]["y"]["scale"]
        ends = [eval(end["expr"], {"width": 300, "height": 100, "max": max})
                for axis in (scale, y) for end in (axis["domainMin"], axis["domainMax"])]  # fmt: skip
        assert (ends[1] - ends[0]) / 300 == pytest.approx((ends[3] - ends[2]) / 100)
        assert max(ends[0], ends[2]) < 0
        assert min(ends[1] - 10, ends[3] - 10 * stretch) > 0


# Many curves


@pytest.fixture(scope="module")
def swept():
    return cv.sweep(IRIS.X, k=range(2, 6), linkage="ward")


def test_every_index_has_a_small_curve_with_its_choice(swept):
    drawings = curves.curves(swept).multiples
    assert [drawing.title for drawing in drawings] == list(swept.indices)
    for drawing in drawings:
        best, values = swept.best()[drawing.title], swept[drawing.title]
        values = values[np.isfinite(values)]
        heights = [-y for _, y in drawing.dots]
        assert np.argsort(heights, kind="stable").tolist() == np.argsort(values, kind="stable").tolist()
        if best is not None:
            assert drawing.chosen in drawing.dots
            assert drawing.chosen[0] == pytest.approx(200 * swept.names.index(best) / 3, abs=0.1)
            assert drawing.words.endswith(f"which chooses {best}.")


def test_a_value_that_is_missing_breaks_a_curve():
    from clustval.report.drawings import curve

    drawing = curve("dunn", np.array([1.0, 2, np.nan, 4, 3]), -1, list("abcde"), "highest")
    assert drawing.lines == ["0.0,80.0 50.0,53.3", "150.0,0.0 200.0,26.7"]
    assert len(drawing.dots) == 4
    assert drawing.chosen is None
    assert curve("dunn", np.array([np.inf]), 0, ["a"], "highest").dots == []


def test_votes_are_bars_and_ranks_are_shaded(swept):
    section = curves.curves(swept)
    assert {bar.name: int(bar.value) for bar in section.bars} == {str(k): n for k, n in swept.votes().items()}
    assert max(bar.share for bar in section.bars) == 100
    for row, (index, ranks) in zip(section.ranks.rows, swept.ranks().items(), strict=True):
        assert row.cells == [index, *(tables.number(rank, 3) for rank in ranks.tolist())]
        assert [mark == "low-3" for mark in row.marks[1:]] == (ranks == 1).tolist()


def test_values_hardly_worse_than_the_chosen_one_are_marked_too():
    X = np.array([[0.0], [1], [2], [10], [11], [12], [20], [21], [22]])
    partitions = {"a": [0, 0, 0, 1, 1, 1, 2, 2, 2], "b": [0, 0, 0, 1, 1, 1, 1, 1, 1], "c": [*range(8), 7]}
    made = cv.sweep(X, partitions, ["silhouette"])
    swept = type(made)(np.array([[0.731], [0.730], [0.1]]), made.labels, made.k, made.choices.values(), {})
    assert curves.near(swept, "silhouette").tolist() == [False, True, False]
    assert curves.readings(swept)["silhouette"] == "chooses a: highest; hardly worse: b"
    assert curves.curves(swept).table.rows[0].marks[2:] == ["best", "near", ""]


def test_gap_and_stability_are_drawn_with_their_errors(tmp_path):
    gap = cv.gap_statistic(IRIS.X, range(1, 4), n_references=5, random_state=0)
    stability = cv.stability(IRIS.X, range(2, 4), n_samples=4, random_state=0)
    found = Reader(stability.to_html(tmp_path / "page.html", gap=gap))
    assert set(found.data["charts"]) == {"gap", "stability"}
    for key, value, error, best in (
        ("gap", "gap", "se", gap.best["one_se"]),
        ("stability", "mean", "sd", stability.best),
    ):
        records = found.data["data"][key]
        table = (gap if key == "gap" else stability).table
        assert [r["value"] for r in records] == pytest.approx(table[value].tolist(), rel=1e-5)
        assert [(r["high"] - r["low"]) / 2 for r in records] == pytest.approx(table[error].tolist(), rel=1e-3)
        assert [r["k"] for r in records if r["best"]] == [best]
    text = cv.sweep(IRIS.X, k=[2, 3], indices="silhouette", linkage="ward").to_html(gap=gap, look=False)
    assert set(Reader(text).data["charts"]) == {"curve", "gap"}
    assert 'href="#resampled"' in text


# Clusterings that cannot be told apart


def test_values_that_cannot_be_told_from_the_best_are_marked_as_ties(iris_page):
    head, *rows = table_of(iris_page, "Agreement by index")
    assert head[:3] == ["index", "kmeans", "ward"]
    (rand,) = [row for row in rows if row[0] == "adjusted_rand"]
    assert all(re.fullmatch(r"0\.\d+ ± 0\.\d+", cell) for cell in rand[1:3])
    assert re.search(r'<td data-label="kmeans" class="near">0\.73 ± ', iris_page)
    assert re.search(r'<td data-label="ward" class="best">0\.73 ± ', iris_page)


def test_a_clear_difference_is_no_tie():
    from clustval.compare.beside_truth import beside_truth, random_groups, without_groups
    from clustval.report import agreement_section

    truth = np.arange(60) % 3
    results = {"right": truth, "wrong": np.arange(60) // 20}
    beside = beside_truth(truth, results)
    agreements = beside.agreements
    (row,) = (row for row in agreement_section.numbers(agreements, beside).rows if row.cells[0] == "adjusted_rand")
    assert row.marks[1:3] == ["best", ""]
    without = without_groups(truth, results, agreements, "cluster")
    rest = np.arange(60)[random_groups(60, np.random.default_rng(0)) != 3]
    expected = cv.external.adjusted_rand(truth[rest], results["wrong"][rest])
    assert without["wrong"][3]["adjusted_rand"] == expected
    assert without_groups(truth[:20], results, agreements, "cluster") == {}


def test_a_page_shows_the_first_look_that_the_caller_made(monkeypatch):
    rng = np.random.default_rng(0)
    labels = np.repeat([0, 1], 30)
    scores = cv.evaluate(rng.normal(9 * labels[:, None], 1, (60, 2)), labels)
    look = pages.look_at(scores, "labels", None)
    fresh = scores.to_html()
    monkeypatch.setattr(first_look, "first_look", None)  # whoever takes another one fails
    assert look is not None
    assert scores.to_html(look=look) == fresh
    before = [*pages.opening_of(scores).sentences, *look.sentences("labels")]
    assert headline_of(scores.to_html(look=False)) == headline_of(fresh)[len(before) :]


@pytest.mark.parametrize("given", ["none", "made before"])
def test_a_report_without_a_look_of_its_own_clusters_nothing(given):
    scores = kmeans_scores()
    look = pages.look_at(scores, "labels", None) if given == "made before" else False
    rooms = set()

    def enter(frame, _event, _argument):
        rooms.add(frame.f_globals.get("__name__", "").removeprefix("clustval."))

    sys.setprofile(enter)
    try:
        scores.to_html(look=look)
    finally:
        sys.setprofile(None)
    assert "report.page" in rooms
    computing = {room for room in rooms if room.startswith(("choosing", "relative", "tendency", "study"))}
    assert computing <= ({"choosing.first_look", "choosing.choice", "choosing.structure"} if look else set())


def test_the_first_look_is_named_in_the_progress_line(monkeypatch):
    titles = []

    @contextlib.contextmanager
    def bar(title, *, shown, **_options):
        titles.append((title, shown))
        yield None

    monkeypatch.setattr(pages, "bar", bar)
    monkeypatch.setattr(first_look, "first_look", lambda *_given: None)
    scores = cv.evaluate(IRIS.X, IRIS.truth, "ch")
    scores.to_html(progress=True)
    look = "A first look: are there clusters, and does another clustering fit better"
    assert titles == [("What is wrong with this clustering", True), (look, True)]


def test_the_prayatul_matrix_is_drawn(iris_page):
    br, rw, wr, bw = (
        cv.prayatul(IRIS.truth, IRIS.clusterings["kmeans"], IRIS.clusterings["ward"]).matrix.ravel().tolist()
    )
    words = [f"both right: {br:,}", f"only kmeans right: {rw}", f"only ward right: {wr}", f"both wrong: {bw:,}"]
    (picture,) = re.findall(r'<svg class="drawn"[^>]*aria-label="(both right[^"]*)"', iris_page)
    assert [part.partition(" (")[0] for part in picture.split("; ")] == words


def test_many_classes_are_drawn_without_their_numbers():
    truth, labels = np.arange(160) // 4, np.arange(160) // 4 % 39
    text = cv.agreement(truth, labels, ["rand"]).to_html()
    assert "40 classes and 39 clusters are too many for a table of numbers." in text
    assert text.count("<title>") == 1 + 40  # the page's, and that of each cell with points
    assert "<title>3, 3: 4</title>" in text


# Where values lie


def test_distributions_show_where_the_values_of_each_cluster_lie(iris_page):
    assert "Distributions of 4 columns" in iris_page
    rows = table_of(iris_page, "Values of petal_length by cluster")
    lengths = IRIS.X[:, list(IRIS.features).index("petal_length")]
    for name, _, median, middle in rows[1:]:
        mine = np.sort(lengths[IRIS.clusterings["kmeans"] == name])
        low, half, high = (mine[int(np.ceil(share * len(mine))) - 1] for share in (0.25, 0.5, 0.75))
        assert median == tables.number(half, 4)
        assert middle == f"{tables.number(low, 4)} … {tables.number(high, 4)}"


# A study of criteria


def study_of(criteria=("silhouette", "dunn", "davies_bouldin"), sets=3, **options):
    given = [(*cv.study.milligan(40, 3, 2, random_state=seed), f"set {seed}") for seed in range(sets)]
    return cv.study.compare(given, criteria, **({"linkage": "ward", "k": range(2, 8)} | options))


def made_up(means, hits=None, sets=12, external=("jaccard",), correlation=("pearson",), spread=0.1):
    """A comparison with these means: measures x criteria."""
    choices = select("fast", "internal")[: np.shape(means)[1]]
    noise = np.random.default_rng(0).normal(0, spread, (sets, len(choices)))
    noise -= noise.mean(axis=0)
    shape = (len(external), len(correlation), len(choices))
    found = [
        Finding(f"set {at}", f"set {at}", np.reshape(means, shape) + noise[at], np.zeros(len(choices), int), 1)
        for at in range(sets)
    ]
    comparison = Comparison(found, choices, select(external, "external"), correlation)
    comparison.hits[:] = np.zeros(len(choices), int) if hits is None else hits
    return comparison


FIRST, SECOND, THIRD = (choice.name for choice in select("fast", "internal")[:3])


def table_of(text, label):
    """Cells of the table with this label, row by row."""
    (table,) = re.findall(rf"<table[^>]*aria-label=\"{re.escape(label)}\".*?</table>", text, re.DOTALL)
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)] for row in rows]


def test_every_measure_of_a_study_has_the_criteria_from_best_to_worst():
    found = study_of()
    text = found.to_html()
    frame = found.to_polars()
    for (external, correlation), part in frame.group_by("external", "correlation", maintain_order=True):
        head, *rows = table_of(text, f"Criteria by {correlation} correlation with {external}")
        assert head[:6] == ["Rank", "Criterion", "Mean", "s.d.", "n", "Hits of 3"]
        assert [row[:6] for row in rows] == [
            [str(rank), name, f"{mean:.3f}", f"{sd:.3f}", str(n), f"{hits} ({rate:.0%})"]
            for _, _, rank, name, mean, sd, n, hits, rate in part.rows()
        ]
    assert "Smallest distance between two clusters over the largest inside one." in text
    options = re.findall(r"<option value=\"\d\">(.*?)</option>", text)
    assert options == [f"{c} correlation with {e}" for e in found.external for c in found.correlation]
    assert options == re.findall("<h3>(.* correlation with .*)</h3>", text)


def test_differences_are_marked_by_how_many_tests_find_them_significant():
    found = made_up([[0.9, 0.85, 0.2]])
    pairwise = found.pairwise()
    pairwise.significant = np.array([[0, 1, 2], [1, 0, 0], [2, 0, 0]])
    table = criteria._triangle(pairwise)
    assert table.columns == ["criterion", FIRST, SECOND, THIRD]
    assert [(row.cells, row.marks) for row in table.rows] == [
        ([SECOND, "0.050*", "", ""], ["", "one", "", ""]),
        ([THIRD, "0.700**", "0.650", ""], ["", "two", "", ""]),
        (["mean", "0.900", "0.850", "0.200"], ["", "mean", "mean", "mean"]),
    ]
    text = found.to_html()
    assert (
        table_of(text, "Mean of the column minus mean of the row: pearson correlation with jaccard")[0] == table.columns
    )
    assert 'class="plain triangle"' in text
    assert "** by the Mann-Whitney and the Friedman test, * by one of them" in text


def test_differences_of_many_criteria_have_a_wide_page():
    assert 'class="plain triangle wide" style="--columns: 18"' in made_up([np.linspace(1, 0, 17)]).to_html()


def said(found):
    return [sentence for sentence in criteria.headline(found) if sentence]


def test_the_headline_of_a_study_says_who_is_first_and_who_is_near():
    clear = f"{FIRST} follows the truth most closely: the mean of its pearson correlation with jaccard over"
    assert said(made_up([[0.9, 0.4, 0.2]])) == [
        f"{clear} 12 data sets is 0.900.",
        "Every other criterion is significantly behind, by at least one of two tests.",
    ]
    assert said(made_up([[0.9, 0.899, 0.2]], hits=[1, 3, 3], sets=4))[1:] == [
        f"Not significantly behind, by either of two tests: {SECOND}.",
        f"The right number of clusters is found most often by {SECOND} and {THIRD}: in 3 of 4 chains of partitions.",
        "With 4 data sets, read the tests with care.",
    ]


def test_a_criterion_that_one_test_puts_behind_is_not_near():
    pairwise = made_up([[0.9, 0.85, 0.2]]).pairwise()
    pairwise.significant = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    assert criteria._rivals(pairwise) == f"Not significantly behind, by either of two tests: {THIRD}."


def test_the_headline_of_a_study_says_whether_measures_agree():
    kinds = {"external": ("jaccard", "rand"), "correlation": ("pearson", "wgk")}
    same = [[0.9, 0.4, 0.2]] * 4
    assert said(made_up(same, **kinds))[2] == "It is first by all 4 measures."
    differ = [*same[:2], [0.4, 0.9, 0.2], [0.2, 0.4, 0.9]]
    others = f"{SECOND} by pearson correlation with rand; {THIRD} by wgk correlation with rand"
    assert said(made_up(differ, **kinds))[2] == f"It is first by 2 of 4 measures; first by the others: {others}."


def test_the_headline_of_a_study_names_what_has_no_correlation():
    assert f"Without any correlation here: {SECOND}." in said(made_up([[0.9, np.nan, 0.2]]))
    assert said(made_up([[np.nan] * 2])) == ["No criterion has a pearson correlation with jaccard on these data sets."]
    text = made_up([[0.9, np.nan]]).to_html()
    assert [row[:5] for row in table_of(text, "Criteria by pearson correlation with jaccard")[2:]] == [
        ["2", SECOND, "—", "—", "0"]
    ]


def test_a_single_criterion_by_a_single_measure_has_nothing_to_choose_from():
    text = study_of(["silhouette"], external="jaccard", correlation="pearson").to_html()
    assert 'id="measure"' not in text
    assert "How far they are apart" not in text
    assert said(study_of(["silhouette"], sets=12, external="jaccard", correlation="pearson"))[1].startswith("The right")


def test_a_study_says_how_it_was_made_and_what_to_cite():
    texts = Reader(study_of(["silhouette", "vendramin:trace_w"], sets=13).to_html()).texts
    at = texts.index("How the study was made")
    made = [text for text in texts[at:] if text][1:7]
    assert made[:3] == [
        "13 data sets: set 0, set 1, set 2, set 3, set 4, set 5, set 6, set 7, set 8, set 9, set 10, set 11, …",
        "Partitions: trees by ward linkage, cut into 2 to 7 clusters.",
        "Difference-like criteria (trace_w) became peaks by eq. 37 of Vendramin, Campello and Hruschka (2010).",
    ]
    assert made[3:] == [criteria.CORRELATED, criteria.HIT, criteria.TESTED]
    for key in ("vendramin2010", "rousseeuw1987", "hubert1985"):  # the method, a criterion, an external index
        assert str(bibliography.works()[key]) in texts


def test_several_comparisons_are_told_apart_by_name():
    one, other = made_up([[0.9, 0.4]]), made_up([[0.3, 0.7]])
    text = report.of_comparisons({"k up to 9": one, "k up to 4": other})
    assert (
        f"{FIRST} follows the truth most closely: the mean of its pearson correlation with jaccard (k up to 9)" in text
    )
    for name, first in (("k up to 9", FIRST), ("k up to 4", SECOND)):
        assert table_of(text, f"Criteria by pearson correlation with jaccard, {name}")[1][1] == first
    assert text.count(criteria.HIT) == 1


def test_a_recommendation_makes_a_page_that_marks_what_to_trust(tmp_path):
    X, truth = cv.study.milligan(60, 3, 2, random_state=1)
    advice = cv.study.recommend(
        X, truth, criteria=["silhouette", "dunn", "tau"], n_datasets=6, runs=2, k=range(2, 7), random_state=0
    )
    text = advice.to_html(tmp_path / "advice.html", title="My data")
    assert (tmp_path / "advice.html").read_text(encoding="utf-8") == text
    found = Reader(text)
    assert "My data" in found.texts
    assert "normal clusters with the shares, means and covariances of a rough clustering" in text
    assert found.texts.count("trusted") == len(advice.trusted)
    first = table_of(text, "Criteria by pearson correlation with jaccard")[1:]
    assert [row[1].split()[0] for row in first if row[1].endswith("trusted")] == list(advice.trusted)
    told = f"For data like yours (60 points, 2 dimensions, about 3 clusters (33%, 33%, 33%)) trust {advice.trusted[0]}"
    assert told in text


def test_advice_is_told_for_one_and_for_several():
    for trusted, ending in (
        (("a",), "trust a: every other is significantly worse"),
        (("a", "b", "c"), "trust a, b and c: none is significantly worse than the best"),
    ):
        given = Recommendation(trusted, made_up([[0.9, 0.4]]), 60, 2, (0.5, 0.5))
        assert f"{ending} on similar data, by the signed-rank test." in words.advice(given)


def test_names_in_a_study_are_shown_not_run():
    def slices(points, k, _rng):
        return np.digitize(points[:, 0], np.quantile(points[:, 0], np.arange(1, k) / k))

    slices.__name__ = NASTY[0]
    sets = [(*cv.study.milligan(30, 2, 2, random_state=at), name) for at, name in enumerate(NASTY)]
    found = cv.study.compare(sets, ["silhouette", "dunn"], estimator=slices, k=range(2, 6), runs=1)
    text = report.of_comparisons({NASTY[2]: found}, about=report.About(title=NASTY[0], facts=NASTY, made_by=NASTY[1]))
    page = Reader(text)
    assert [attributes.get("type") for attributes, _ in page.scripts] == ["application/json", None]
    assert not [tag for tag, _ in page.tags if tag == "img"]
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]
    assert f"6 data sets: {', '.join(NASTY[:-1])} and {NASTY[-1]}." in page.texts
    assert f"Partitions: {NASTY[0]}, 1 run for each of 2 to 5 clusters." in page.texts


def test_the_same_study_gives_the_same_small_page():
    text = study_of().to_html()
    assert study_of().to_html() == text
    assert len(text) < 100_000  # it has nothing to draw, so that no scripts of charts are needed


# Sight


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def schemes() -> list[dict[str, str]]:
    style = (TEMPLATE / "style.css").read_text()
    blocks = re.findall(r":root \{([^}]*)\}", style)
    return [dict(re.findall(r"--(\w+): (#\w{6})", block)) for block in blocks]


@pytest.mark.parametrize("scheme", schemes(), ids=["light", "dark", "print"])
def test_text_and_marks_can_be_seen_on_every_ground(scheme):
    for ink in ("ink", "quiet", "accent"):
        for ground in ("ground", "panel"):
            assert contrast(scheme[ink], scheme[ground]) >= 4.5
    for ground in ("mark", "shade"):
        assert contrast(scheme["ink"], scheme[ground]) >= 4.5
    assert contrast(scheme["shade"], scheme["ground"]) >= 1.2
    for colour in charts.PALETTE:
        assert contrast(colour, scheme["ground"]) >= 3


# The scripts


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    scripts.vega.cache_clear()
    yield tmp_path / "clustval"
    scripts.vega.cache_clear()


def bundler(monkeypatch) -> list[str]:
    calls = []

    def bundle(**_options):
        calls.append("made")
        return "window.vegaEmbed=1;"

    monkeypatch.setattr("vl_convert.javascript_bundle", bundle)
    return calls


def test_scripts_are_put_together_once_and_kept(cache, monkeypatch):
    calls = bundler(monkeypatch)
    first = scripts.vega()
    scripts.vega.cache_clear()
    assert scripts.vega() == first
    assert calls == ["made"]
    (kept,) = cache.iterdir()
    kept.write_text("half")
    scripts.vega.cache_clear()
    assert scripts.vega() == first
    assert calls == ["made", "made"]


def test_scripts_are_made_without_a_place_to_keep_them(cache, monkeypatch):
    cache.write_text("a file where the folder should be")
    bundler(monkeypatch)
    assert scripts.vega() == "window.vegaEmbed=1;"


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "altair", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clustval\[report\]'"):
        kmeans_scores().to_html(look=False)


def test_unknown_words_about_a_page_are_refused():
    with pytest.raises(TypeError, match="paint"):
        kmeans_scores("dunn").to_html(paint="red")


def test_template_files_are_shipped_with_the_package():
    assert {path.name for path in Path(report.__file__).parent.joinpath("template").iterdir()} == {
        "page.html", "page.js", "parts.html", "style.css", "table.html",
    }  # fmt: skip


# What distinguishes clusters


def profile_rows(html: str, heading: str) -> list[list[str]]:
    table = html.partition(heading)[2].partition("</table>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]


def test_profiles_show_the_means_of_clusters_in_standard_deviations():
    iris = cv.data.load("iris")
    scores = cv.evaluate(iris.X, iris.truth, ["silhouette"])
    html = scores.to_html(features=iris.features, look=False)
    heat = profile_rows(html, "Mean of each cluster minus the mean of all points")
    z = (iris.X - iris.X.mean(axis=0)) / iris.X.std(axis=0)
    means = {name: z[np.array(iris.truth) == name].mean(axis=0) for name in scores.source.names}
    order = [list(iris.features).index(name) for name in heat[0][1:]]
    for row in heat[1:4]:
        assert row[1:] == [f"{means[row[0]][j]:+.2f}" for j in order]
    between = [float(cell.rstrip("%")) for cell in heat[4][1:]]
    assert between == sorted(between, reverse=True)
    assert 'class="high-' in html
    assert 'class="low-' in html


def test_clusters_are_told_in_words_with_a_typical_and_a_doubtful_row():
    X = np.array([[0.0, 5], [1, 5], [2, 5], [10, 5], [11, 5], [15, 5]])
    frame = pd.DataFrame(X, columns=["length", "flat"], index=list("abcdef"))
    scores = cv.evaluate(frame, [0, 0, 0, 1, 1, 1], ["silhouette"])
    html = scores.to_html(features=["length", "flat"], look=False)
    lines = profile_rows(html, "Clusters in words")
    values = scores.per_point("silhouette")
    assert lines[1][0] == "0"
    assert lines[1][3] == "b"
    assert lines[2][3] == "e"
    assert lines[1][2].startswith("low length (-")
    assert lines[2][2].startswith("high length (+")
    assert lines[1][4].startswith("abcdef"[int(values[:3].argmin())])
    assert "Rows are named by the index of the data." in html
    data = json.loads(html.partition('type="application/json">')[2].partition("</script>")[0])
    assert sorted(point["row"] for point in data["data"]["points"]) == list("abcdef")


def test_without_coordinates_or_with_one_cluster_there_is_no_profile():
    distances = np.abs(np.arange(6.0)[:, None] - np.arange(6.0))
    assert "What distinguishes" not in cv.evaluate(distances, [0, 0, 0, 1, 1, 1], metric="precomputed").to_html(
        look=False
    )


def test_the_contents_lead_to_every_section():
    iris = cv.data.load("iris")
    html = cv.evaluate(iris.X, iris.truth).to_html(truth=iris.truth, look=False)
    links = re.findall(r'<li><a href="#(\w+)">', html.partition('id="contents"')[2].partition("</nav>")[0])
    assert links == ["profiles", "points", "indices", "clusters", "agreement", "cite"]
    assert all(f'<section id="{link}"' in html for link in links)


@pytest.mark.parametrize(
    ("about", "message"),
    [
        ({"features": ["x"]}, r"^features must have a name for each of the 4 columns of X; it has 1\.$"),
        ({"rows": range(5)}, r"^rows must have a number for each of the 150 rows of X; it has 5\.$"),
    ],
)
def test_names_of_columns_and_numbers_of_rows_fit_the_points(about, message):
    iris = data.load("iris")
    scores = cv.evaluate(iris.X, iris.truth, "silhouette")
    with pytest.raises(cv.InputError, match=message):
        scores.to_html(look=False, **about)


def test_names_of_columns_may_be_numbers():
    X = np.array([[0.0, 0], [0, 1], [5, 5], [5, 7]])
    assert "html" in cv.evaluate(X, [0, 0, 1, 1], "silhouette").to_html(features=[0, 1], look=False)
