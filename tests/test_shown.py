"""How results are shown: in notebooks, as figures, and as text whose words begin at the left."""

from __future__ import annotations

import inspect
import typing

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from scipy.cluster.hierarchy import linkage

import clustval as cv
from clustval import data, plot
from clustval.tables import Table
from conftest import make_blobs

X, TRUTH = make_blobs((12, 10, 8), (0, 6, 12), seed=3)
OTHER = np.where(np.arange(30) % 5 == 0, 0, TRUTH)
DRAWN = {
    "Hopkins": lambda: cv.hopkins(X, n_samples=4, random_state=0),
    "Picture": lambda: cv.vat(X),
    "distance distribution": lambda: cv.distance_distribution(X, n_samples=3, random_state=0),
    "spatial histogram": lambda: cv.spatial_histogram(X, n_samples=3, random_state=0),
    "Stability": lambda: cv.stability(X, [2, 3], n_samples=3, random_state=0),
    "GapStatistic": lambda: cv.gap_statistic(X, [1, 2, 3], n_references=3, random_state=0),
    "FowlkesMallowsCurve": lambda: cv.trees.fowlkes_mallows_bk_curve(linkage(X), linkage(X, "ward")),
    "Prayatul": lambda: cv.prayatul(TRUTH, TRUTH, OTHER),
    "Contingency": lambda: cv.contingency(TRUTH, OTHER),
    "Agreement": lambda: cv.agreement(TRUTH, OTHER),
    "Scores": lambda: cv.evaluate(X, TRUTH, ["silhouette", "dunn"]),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_result_that_has_a_figure_draws_itself_on_axes_of_the_user(name):
    from matplotlib.figure import Figure as Canvas

    ax = Canvas().subplots()
    assert DRAWN[name]().plot(ax=ax) is ax
    assert ax.has_data() or ax.texts


def test_a_divergence_is_drawn_as_what_it_is():
    for name in ("distance distribution", "spatial histogram"):
        what = {"distance distribution": "distances", "spatial histogram": "points on a grid"}[name]
        assert DRAWN[name]().plot().get_xlabel() == f"divergence of {what} (bits)"


def test_a_table_of_labellings_draws_a_figure():
    assert isinstance(cv.prayatul_table(TRUTH, {"a": TRUTH, "b": OTHER}).plot(), Figure)


def test_every_figure_says_in_its_type_what_it_returns():
    types = {name: inspect.signature(getattr(plot, name)).return_annotation for name in plot.__all__}
    assert {name for name, kind in types.items() if kind == "Figure"} == {"curves", "prayatul_table"}
    assert set(types.values()) == {"Axes", "Figure"}
    names = {"Axes": Axes, "Figure": Figure}
    hints = typing.get_type_hints(cv.Scores.plot, localns=names)
    assert hints["return"] is Axes


def test_a_bundled_data_set_draws_its_points_by_their_classes():
    drawn = data.load("wine").plot(names={"Barolo": "from the hill"})
    assert len(drawn.collections[0].get_offsets()) > 0
    assert "from the hill" in {text.get_text() for text in drawn.findobj(Text)}


def test_a_bundled_data_set_is_shown_by_its_first_rows():
    html = data.load("iris")._repr_html_()
    assert html.count("<tr>") == 6
    assert '<th class="number">sepal_length</th>' in html
    assert "<td>setosa</td>" in html
    assert html.endswith("<p>150 points, 4 features, 3 classes; the first 5 are shown</p>")
    heading, *rows, about = str(data.load("iris")).splitlines()
    assert heading.split() == ["sepal_length", "sepal_width", "petal_length", "petal_width", "class", "kmeans", "ward"]
    assert len(rows) == 5
    assert about == "150 points, 4 features, 3 classes; the first 5 are shown"


def test_words_begin_at_the_left_and_numbers_end_at_the_right():
    table = Table({"what": np.array(["a", "long"]), "size": np.array([1, 1000]), "mixed": np.array(["x", "10"])})
    assert str(table) == "what  size  mixed\na        1  x\nlong  1000  10"
    assert '<th>what</th><th class="number">size</th><th>mixed</th>' in table._repr_html_()
