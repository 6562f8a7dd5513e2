"""Figures of trees: what is drawn where, never pixels."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from pytest import approx
from scipy.cluster import hierarchy as scipy_trees

import clustval as cv
from clustval import plot
from clustval.plot import style

ONE = [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]]
OTHER = [[0, 1, 1, 2], [2, 4, 3, 3], [3, 5, 8, 4]]
ORDERS = [0, 1, 2, 3], [3, 2, 0, 1]  # from top to bottom


def two(n, seed=0):
    X = np.random.default_rng(seed).normal(size=(n, 3))
    return scipy_trees.linkage(X, "average"), scipy_trees.linkage(X, "ward")


def collections(ax, gid):
    return [c for c in ax.collections if c.get_gid() == gid]


def lines_of(ax, gid):
    (line,) = [line for line in ax.lines if line.get_gid() == gid]
    return [np.asarray(values).tolist() for values in line.get_data()]


def texts(ax, gid):
    return [text for text in ax.texts if text.get_gid() == gid]


def overlapping(drawn):
    boxes = [text.get_window_extent().shrunk(0.95, 0.8) for text in drawn]
    return [(i, j) for i, a in enumerate(boxes) for j, b in enumerate(boxes[:i]) if a.overlaps(b)]


# --- tanglegram ------------------------------------------------------------------------------------------


def test_a_line_leads_from_each_point_to_itself():
    ax = plot.tanglegram(ONE, OTHER)
    (lines,) = collections(ax, "lines")
    ends = [segment[:, 1].tolist() for segment in lines.get_segments()]
    assert ends == [[order.index(point) for order in ORDERS] for point in range(4)]
    assert {tuple(segment[:, 0]) for segment in lines.get_segments()} == {(1.0, 1.6)}


def test_each_merge_is_a_bracket_at_its_height():
    ax = plot.tanglegram(ONE, OTHER)
    left, right = collections(ax, "branches")
    assert [segment.tolist() for segment in left.get_segments()] == [
        approx(np.array([[1, 0], [0.75, 0], [0.75, 1], [1, 1]])),
        approx(np.array([[1, 2], [0.5, 2], [0.5, 3], [1, 3]])),
        approx(np.array([[0.75, 0.5], [0, 0.5], [0, 2.5], [0.5, 2.5]])),
    ]
    # Of the second tree 0 and 1 are at the bottom; heights are shares of 8, to the right of 1.6.
    assert [segment.tolist() for segment in right.get_segments()] == [
        approx(np.array([[1.6, 2], [1.725, 2], [1.725, 3], [1.6, 3]])),
        approx(np.array([[1.6, 1], [1.975, 1], [1.975, 2.5], [1.725, 2.5]])),
        approx(np.array([[1.6, 0], [2.6, 0], [2.6, 1.75], [1.975, 1.75]])),
    ]
    ax.figure.canvas.draw()
    assert ax.get_xticks().tolist() == approx([0, 1, 1.6, 2.6])
    assert [text.get_text() for text in ax.get_xticklabels()] == ["4", "0", "0", "8"]


def test_the_entanglement_is_printed():
    shown = f"entanglement {cv.trees.entanglement(ONE, OTHER):.3f}, 0 if all points are level"
    assert plot.tanglegram(ONE, OTHER).get_xlabel() == f"height; {shown}"
    squared = (
        f"height; entanglement {cv.trees.entanglement(ONE, OTHER, power=2):.3f} (power 2), 0 if all points are level"
    )
    assert plot.tanglegram(ONE, OTHER, power=2).get_xlabel() == squared
    assert "entanglement 0.000" in plot.tanglegram(ONE, ONE).get_xlabel()


@pytest.mark.parametrize(("k", "codes"), [(1, [0, 0, 0, 0]), (2, [0, 0, 1, 1]), (3, [0, 0, 1, 2]), (9, [0, 1, 2, 3])])
def test_lines_have_the_colours_of_the_clusters_of_the_first_tree(k, codes):
    (lines,) = collections(plot.tanglegram(ONE, OTHER, k=k), "lines")
    tones = [to_hex(tone) for tone in lines.get_colors()]
    assert tones == [style.colour(code).lower() for code in codes]


def test_without_a_number_of_clusters_lines_are_grey():
    (lines,) = collections(plot.tanglegram(ONE, OTHER), "lines")
    assert [to_hex(tone) for tone in lines.get_colors()] == [style.GREY.lower()]


def test_points_and_trees_are_named_as_they_are():
    names = ["a$b$", "_hidden", "two\nlines", "x" * 50]
    ax = plot.tanglegram(ONE, OTHER, names=names, titles=("$one$", "ward"))
    ax.figure.canvas.draw()
    assert [text.get_text() for text in texts(ax, "title")] == ["$one$", "ward"]
    shown = [(text.get_position()[1], text.get_text()) for text in texts(ax, "name")]
    short = style.short_texts(names, 14)
    assert shown == [(row, short[point]) for order in ORDERS for row, point in enumerate(order)]
    assert not any(text.get_parse_math() for text in ax.texts)
    (lines,) = collections(ax, "lines")
    assert {tuple(segment[:, 0]) for segment in lines.get_segments()} == {(1.25, 1.85)}


def test_names_are_left_out_where_there_is_no_room():
    n = 400
    ax = plot.tanglegram(*two(n), names=[f"point {i}" for i in range(n)])
    ax.figure.canvas.draw()
    drawn = texts(ax, "name")
    assert 60 < len(drawn) < 2 * n
    assert overlapping(drawn) == []


@pytest.mark.large
def test_large_trees_with_inversions_and_trees_without_height_are_drawn_inside_their_frame():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    inverted = scipy_trees.linkage(X, "centroid")
    flat = inverted * [1, 1, 0, 1]
    ax = plot.tanglegram(inverted, flat, k=12)
    ax.figure.canvas.draw()
    low, high = ax.get_xlim()
    for branches in collections(ax, "branches"):
        x = np.array(branches.get_segments())[:, :, 0]
        assert low < x.min() <= x.max() < high
    assert len(ax.collections) == 3


def test_a_tanglegram_is_drawn_on_the_axes_that_are_given():
    _, ax = plt.subplots()
    assert plot.tanglegram(ONE, OTHER, ax=ax) is ax
    assert plt.get_fignums() == [ax.figure.number]


WRONG = {
    "another tree": (
        lambda: plot.tanglegram(ONE, [[0, 1, 1, 2]]),
        "Z is a tree of 4 points but other of 2.",
    ),
    "too few names": (
        lambda: plot.tanglegram(ONE, OTHER, names="abc"),
        "Z is a tree of 4 points but names has 3 entries.",
    ),
    "no cluster": (lambda: plot.tanglegram(ONE, OTHER, k=0), "k must be a whole number from 1; it is 0."),
    "no power": (lambda: plot.tanglegram(ONE, OTHER, power=-1), "power must be a number above 0; it is -1."),
    "no tree": (
        lambda: plot.tanglegram(ONE, [[0, 1, 1, 2], [0, 2, 2, 2], [3, 4, 3, 3]]),
        "Row 1 of other merges cluster 0, which was merged before.",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused(case):
    call, message = WRONG[case]
    with pytest.raises(cv.InputError) as error:
        call()
    assert str(error.value) == message


# --- B_k -------------------------------------------------------------------------------------------------


def test_the_curve_of_bk_stands_beside_what_chance_gives():
    curve = cv.trees.fowlkes_mallows_bk_curve(*two(30))
    ax = plot.fowlkes_mallows_bk(curve)
    k = list(range(2, 30))
    assert lines_of(ax, "values") == [k, curve.table["bk"].tolist()]
    assert lines_of(ax, "mean") == [k, curve.mean.tolist()]
    (band,) = collections(ax, "band")
    corners = band.get_paths()[0].vertices
    for at, number in enumerate(k):
        heights = corners[corners[:, 0] == number, 1]
        middle, deviation = curve.mean[at], np.sqrt(curve.variance[at])
        assert (heights.min(), heights.max()) == approx((middle - 2 * deviation, middle + 2 * deviation))
    ax.figure.canvas.draw()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["B_k", "mean of unrelated trees", "± 2 s.d."]
    assert (ax.get_xscale(), ax.get_xlabel()) == ("linear", "number of clusters k")
    low, high = ax.get_ylim()
    assert low <= 0
    assert high >= 1
    assert ax.lines[-1].get_marker() == "o"


def test_many_numbers_of_clusters_leave_room_for_the_small_ones():
    ax = plot.fowlkes_mallows_bk(cv.trees.fowlkes_mallows_bk_curve(*two(150)))
    ax.figure.canvas.draw()
    assert ax.get_xscale() == "log"
    assert {"10", "100"} <= {text.get_text() for text in ax.get_xticklabels()}
    assert ax.lines[-1].get_marker() == ""


def test_a_curve_of_one_number_is_drawn_on_the_axes_that_are_given():
    _, ax = plt.subplots()
    curve = cv.trees.fowlkes_mallows_bk_curve([[0, 1, 1, 2], [2, 3, 2, 3]], [[0, 2, 1, 2], [1, 3, 2, 3]])
    assert plot.fowlkes_mallows_bk(curve, ax=ax) is ax
    ax.figure.canvas.draw()
    assert lines_of(ax, "values") == [[2], [0.0]]
