"""Outlines of clusters, and labellings of the same points side by side: drawn, in numbers, on the page."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import clustval as cv
from clustval import data
from clustval.compare.flows import flows_between
from clustval.outlines import SHARE, outline
from clustval.report import charts, words
from clustval.report import point_sections as points

IRIS = data.load("iris")
LABELLINGS = {"kmeans": IRIS.clusterings["kmeans"], "ward": IRIS.clusterings["ward"]}


@pytest.fixture(scope="module")
def agreements():
    return cv.agreement(IRIS.truth, LABELLINGS)


# Outlines


def is_inside(place, corners) -> bool:
    """Whether a place is on the same side of all edges, which go round in one direction."""
    edges = np.roll(corners, -1, axis=0) - corners
    offsets = np.asarray(place) - corners
    crosses = edges[:, 0] * offsets[:, 1] - edges[:, 1] * offsets[:, 0]
    return bool((crosses >= -1e-7).all() or (crosses <= 1e-7).all())


@given(st.integers(0, 10**6), st.integers(4, 60))
def test_an_outline_goes_round_nine_tenths_of_the_points_at_least(seed, n):
    places = np.random.default_rng(seed).normal(size=(n, 2)) @ [[3, 1], [0, 0.5]]
    corners = outline(places)
    assert {tuple(corner) for corner in corners.tolist()} <= {tuple(place) for place in places.tolist()}
    assert sum(is_inside(place, corners) for place in places) >= SHARE * n


def test_an_outline_leaves_out_what_is_far():
    places = np.vstack([np.random.default_rng(0).normal(size=(40, 2)), [[50.0, 50]]])
    assert np.abs(outline(places)).max() < 5
    assert np.allclose(outline(places * 1e200), outline(places) * 1e200)


@pytest.mark.parametrize(
    "places", [np.zeros((9, 2)), np.arange(12.0).reshape(6, 2), np.eye(2)], ids=["one place", "a line", "two points"]
)
def test_what_has_no_area_has_no_outline(places):
    assert outline(places).shape == (0, 2)


def test_the_plane_of_a_page_has_an_outline_of_each_cluster():
    scores = cv.evaluate(IRIS.X, LABELLINGS["kmeans"], ["silhouette"])
    source = points.at_hand(scores)
    plane = points.plane(source, None)
    names = points.names_of_rows(source)
    records = points.records(source, ["A", "B", "C"], np.arange(150), plane, None, names, None)["outlines"]
    assert {record["cluster"] for record in records} == {"A", "B", "C"}
    own = [(record["x"], record["y"]) for record in records if record["cluster"] == "B"]
    inside = (source.codes == 1) & [is_inside(place, np.array(own)) for place in zip(plane.x, plane.y, strict=True)]
    assert 0.9 * 62 <= inside.sum() <= 62
    assert "Outlines hold the 90 % of a cluster" in words.scales(plane, 0, outlined=True)
    assert "Outlines" not in words.scales(plane, 0)


def test_more_clusters_than_colours_differ_in_shape():
    names = [str(at) for at in range(20)]
    colours = charts._scale(names, charts.PALETTE).to_dict()["range"]
    shapes = charts._scale(names, charts.SHAPES, shift=1).to_dict()["range"]
    assert len(set(zip(colours, shapes, strict=True))) == 20


def test_outlines_are_drawn_in_figures_unless_they_are_not_wanted():
    pytest.importorskip("matplotlib").use("agg")
    for wanted, count in ((True, 3), (False, 0)):
        ax = cv.plot.scatter(IRIS.X, LABELLINGS["kmeans"], outlines=wanted)
        assert sum(patch.get_gid() == "outline" for patch in ax.patches) == count


# Flows


@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", None])] * 3), min_size=1, max_size=30))
def test_ribbons_are_as_thick_as_the_points_that_two_clusters_share(rows):
    columns = dict(zip("xyz", map(list, zip(*rows, strict=True)), strict=True))
    drawing = flows_between(columns)
    for step, (one, other) in enumerate((("x", "y"), ("y", "z"))):
        counts = {}
        for a, b in zip(columns[one], columns[other], strict=True):
            key = ("noise" if a is None else a, "noise" if b is None else b)
            counts[key] = counts.get(key, 0) + 1
        ribbons = [ribbon for ribbon in drawing.ribbons if ribbon.source.column == step]
        assert {(r.source.cluster.name, r.target.cluster.name): r.size for r in ribbons} == counts
    assert all(sum(bar.cluster.size for bar in drawing.bars if bar.column == at) == len(rows) for at in range(3))


def test_a_cluster_has_the_colour_of_the_class_that_most_of_its_points_have():
    drawing = flows_between({"truth": IRIS.truth, **LABELLINGS})
    groups = {bar.cluster.name: bar.cluster.group for bar in drawing.bars if bar.column == 1}
    assert groups == {"A": 0, "B": 1, "C": 2}
    assert drawing.titles == ["truth", "kmeans", "ward"]


def test_a_single_labelling_and_too_many_clusters_have_no_flows(agreements):
    assert flows_between({"truth": [0, 1]}) is None
    many = cv.agreement(np.arange(80), {"one": np.arange(80)}, ["rand"])
    with pytest.raises(cv.InputError, match="Up to 60 clusters of a labelling can be drawn"):
        many.plot("flows")
    with pytest.raises(cv.InputError, match="This Agreements was read from JSON"):
        cv.Agreements.from_json(agreements.to_json()).to_html()


def test_agreements_are_drawn_with_their_intervals(agreements):
    pytest.importorskip("matplotlib").use("agg")
    ax = agreements.plot(indices=["adjusted_rand", "jaccard"])
    assert [text.get_text() for text in ax.get_yticklabels()] == ["adjusted_rand", "jaccard"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["kmeans", "ward"]
    for container, scores in zip(ax.containers, agreements.values(), strict=True):
        assert container.lines[0].get_xdata() == pytest.approx([scores["adjusted_rand"], scores["jaccard"]])
        ends = [segment[:, 0] for segment in container.lines[2][0].get_segments()]
        interval = scores.intervals["jaccard"]
        assert ends[1] == pytest.approx([interval.low, interval.high])
    with pytest.raises(cv.InputError, match="'variation_of_information' is no index between -1 and 1"):
        agreements.plot(indices=["variation_of_information"])
    assert len(agreements.plot("flows").patches) == 9 + 9  # bars and ribbons
    with pytest.raises(cv.InputError, match="figure must be"):
        agreements.plot("pie")


def test_the_page_of_several_labellings_has_flows_and_differences_with_intervals(agreements, tmp_path):
    page = agreements.to_html(tmp_path / "page.html", truth_name="species", title="Iris")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert "Where the points of species go" in page
    assert len(re.findall(r"<path d=[^>]*><title>[^<]*: [\d,]+ points</title>", page)) == 9
    record = next(r for r in agreements.differences.records if r["index"] == "jaccard")
    assert f"{record['difference']:.3g} ({record['low']:.3g} … {record['high']:.3g})" in page
    assert "With 95 % intervals; marked if they do not contain 0." in page


def test_weighted_points_have_no_flows_on_the_page():
    scores = cv.evaluate(IRIS.X, LABELLINGS["kmeans"], ["silhouette"])
    assert "Where the points of truth go" in scores.to_html(look=False, truth=IRIS.truth)
    weights = np.ones(150)
    page = scores.to_html(look=False, truth=IRIS.truth, sample_weight=weights)
    assert "Where the points of truth go" not in page
