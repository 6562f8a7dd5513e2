"""What is drawn: texts, marks, limits and numbers of shapes, never pixels."""

from __future__ import annotations

import math
import subprocess
import sys
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest

mpl.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from pytest import approx

import clustval as cv
from clustval import plot
from clustval.errors import MissingExtraError
from clustval.plot import style
from clustval.plot.correlation_matrix import rank_correlations
from clustval.relative.gap import GapStatistic
from clustval.relative.stability import Stability
from clustval.study.comparison import Pairwise
from clustval.tables import Table

LINE = [[0], [1], [2], [10], [11], [12], [20], [21], [22]]
THREE = np.repeat([0, 1, 2], 3)
HOSTILE = ["a$b$", "$x_{", "_hidden", "back\\slash", "<b>two\nlines</b>", "x" * 200]


@pytest.fixture(scope="module")
def swept():
    return cv.sweep(LINE, indices=["silhouette", "dunn", "trace_w"], linkage="average", k=range(2, 7))


def drawn(figure):
    """Draw everything: warnings of missing room or glyphs are errors here."""
    figure.canvas.draw()
    return figure


def texts(ax):
    """Every text that is shown in the axes."""
    drawn(ax.figure)
    known = [*ax.texts, ax.title, ax.xaxis.label, ax.yaxis.label, *ax.get_xticklabels(), *ax.get_yticklabels()]
    known += ax.get_legend().get_texts() if ax.get_legend() else []
    return [text.get_text() for text in known if text.get_visible() and text.get_text()]


def marked(ax, gid):
    """Coordinates of the marks of one meaning."""
    return [point for line in ax.lines if line.get_gid() == gid for point in zip(*line.get_data(), strict=True)]


def overlapping(ax):
    """Pairs of texts of the same kind whose boxes overlap by more than a hair."""
    drawn(ax.figure)
    found = []
    for kind in (ax.get_xticklabels(), ax.get_yticklabels(), ax.texts):
        boxes = [text.get_window_extent().shrunk(0.95, 0.8).extents for text in kind if text.get_text()]
        x0, y0, x1, y1 = np.reshape(boxes, (-1, 4)).T
        apart = (x1[:, None] <= x0) | (y1[:, None] <= y0)
        found += np.argwhere(np.tril(~(apart | apart.T), -1)).tolist()
    return found


# --- text, colours, axes ---------------------------------------------------------------------------------


def test_text_is_shown_as_it_is_and_on_one_line():
    _, ax = plt.subplots()
    style.legend(ax, [ax.plot([0, 1])[0] for _ in HOSTILE], [style.short_text(name) for name in HOSTILE])
    legend = texts(ax)[-6:]
    assert legend[:4] == HOSTILE[:4]
    assert legend[4] == "<b>two lines</b>"
    assert len(legend[5]) == style.LONGEST + 1
    assert not any(text.get_parse_math() for text in ax.get_legend().get_texts())


def test_names_that_are_cut_still_differ():
    names = [f"a long common beginning {i} and a long common end" for i in range(12)]
    assert style.short_texts(names) == [f"…{i}…" for i in range(12)]
    assert style.short_texts(["aa", "aaa"], 2) == ["…", "…a"]
    assert style.short_texts(["same", "same"], 2) == ["s…e", "s…e"]
    assert style.short_texts(["short", "names"]) == ["short", "names"]


def test_the_first_72_clusters_differ_in_colour_or_marker():
    assert len({(style.colour(i), style.marker(i)) for i in range(72)}) == 72


def test_figures_are_drawn_on_the_axes_that_are_given(swept):
    _, ax = plt.subplots()
    assert plot.curve(swept, "dunn", ax=ax) is ax
    assert plt.get_fignums() == [ax.figure.number]


def test_without_matplotlib_the_error_names_the_command(monkeypatch, swept):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clustval\[plot\]'"):
        plot.curves(swept)


def test_importing_the_figures_does_not_load_matplotlib():
    code = "import sys, clustval.plot; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_legend_over_narrow_axes_is_a_column():
    _, panels = plt.subplots(1, 2, figsize=(14, 3))
    for ax, width, expected in zip(panels, (0.6, 0.1), (1, 3), strict=True):
        ax.set_position((0.1, 0.1, width, 0.8))
        style.legend_above(ax, [ax.plot([0, 1])[0] for _ in range(3)], ["an entry of some length"] * 3)
        drawn(ax.figure)
        heights = {round(text.get_window_extent().y0) for text in ax.get_legend().get_texts()}
        assert len(heights) == expected


# --- silhouette ------------------------------------------------------------------------------------------


def test_the_silhouette_plot_has_a_sorted_area_per_cluster_with_averages(blobs):
    X, labels = blobs
    scores = cv.evaluate(X, labels, ["silhouette"])
    ax = plot.silhouette(scores)
    areas = [c for c in ax.collections if hasattr(c, "get_paths") and c.get_facecolor().size]
    areas = [c for c in areas if to_hex(c.get_facecolor()[0]) in map(str.lower, style.PALETTE)]
    assert len(areas) == 3
    means = scores.per_cluster("silhouette")
    shown = texts(ax)
    for cluster, size in enumerate([30, 18, 7]):
        assert f"n = {size},  {means[cluster]:.2f}" in shown
        values = np.sort(scores.per_point("silhouette")[labels == cluster])[::-1]
        corners = areas[cluster].get_paths()[0].vertices
        assert set(np.round(values, 9)) <= set(np.round(corners[:, 0], 9))
        assert corners[:, 0].max() == approx(values[0])
        outline = sorted((y, -x) for x, y in corners if x)  # down the band; on 0 lies its other side
        assert (np.diff([-x for _, x in outline]) <= 0).all()
    assert f"silhouette {scores['silhouette']:.3f}" in shown
    assert [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == "--"] == [scores["silhouette"]]
    assert ax.get_xlim()[1] == 1


def test_bands_of_the_silhouette_plot_grow_with_their_clusters():
    X = np.arange(40.0).reshape(-1, 1)
    ax = plot.silhouette(cv.evaluate(X, np.repeat([0, 1], [30, 10]), ["silhouette"]))
    heights = [np.ptp(c.get_paths()[0].vertices[:, 1]) for c in ax.collections[:2]]
    assert heights[0] == approx(3 * heights[1])


def test_noise_that_was_left_out_is_not_in_the_silhouette_plot():
    labels = np.array([0, 0, 0, 1, 1, 1, -1, -1, -1])
    ax = plot.silhouette(cv.evaluate(LINE, labels, ["silhouette"]))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["0", "1"]


def test_an_index_without_values_of_points_is_refused(blobs):
    with pytest.raises(cv.InputError, match="dunn is not made of values of points"):
        plot.silhouette(cv.evaluate(*blobs, ["dunn", "silhouette"]), "dunn")


def test_an_index_without_a_value_says_why_there_is_no_figure():
    with pytest.raises(cv.UndefinedIndexError, match="silhouette needs"):
        plot.silhouette(cv.evaluate(LINE, [0] * 9, ["silhouette"]))


@pytest.mark.large
def test_fifty_clusters_of_a_hundred_thousand_points_are_drawn_quickly_and_legibly():
    rng = np.random.default_rng(1)
    codes = np.concatenate([rng.integers(0, 49, 99_990), np.full(10, 49)])  # one so small that it needs its own height
    X = np.column_stack([codes % 7, codes // 7]) * 3 + rng.normal(size=(100_000, 2))
    labels = np.array([f"cluster number {i:02} of fifty" for i in range(50)])[codes]
    ax = plot.silhouette(cv.evaluate(X, labels, ["simplified_silhouette"]), "simplified_silhouette")
    assert overlapping(ax) == []
    assert [text.get_text() for text in ax.get_yticklabels()] == [f"…{i:02}…" for i in range(50)]
    assert sum(text.get_text().startswith("n = ") for text in ax.texts) == 50
    corners = sum(len(c.get_paths()[0].vertices) for c in ax.collections[:50])
    assert corners < 50 * 4 * 450


# --- curves ----------------------------------------------------------------------------------------------


def test_a_curve_marks_the_number_of_clusters_that_its_index_chooses(swept):
    ax = plot.curve(swept, "silhouette")
    assert swept.best()["silhouette"] == 3
    assert marked(ax, "chosen") == [(3, approx(swept["silhouette"][1]))]
    assert marked(ax, "values") == [(k, approx(v)) for k, v in zip(range(2, 7), swept["silhouette"], strict=True)]
    assert "silhouette\nchooses 3: highest" in texts(ax)
    assert "number of clusters k" in texts(ax)


def test_a_sweep_has_one_panel_per_index(swept):
    figure = drawn(swept.plot())
    assert [ax.get_title().partition("\n")[0] for ax in figure.axes] == ["silhouette", "dunn", "trace_w"]
    assert "largest relative change of a falling curve" in figure.axes[2].get_title()
    assert len(plot.curves(swept, "dunn").axes) == 1
    assert [ax.get_xlabel() for ax in plot.curves(swept, ["dunn", "trace_w"], columns=1).axes] == [
        "",
        "number of clusters k",
    ]


def test_undefined_and_infinite_values_are_marked_on_the_frame():
    X = [[0], [0], [1], [1], [5], [6]]
    partitions = {1: [0] * 6, 2: [0, 0, 0, 0, 1, 1], 3: [0, 0, 1, 1, 2, 2], 5: [0, 0, 1, 1, 2, 3]}
    sweep = cv.sweep(X, partitions, ["dunn"])
    values = sweep["dunn"]
    ax = plot.curve(sweep, "dunn")
    drawn(ax.figure)
    assert [k for k, _ in marked(ax, "undefined")] == [k for k, v in zip(partitions, values, strict=True) if v != v]  # noqa: PLR0124
    assert marked(ax, "infinite") == [(4, 1)]
    assert marked(ax, "chosen") == [(4, 1)]


def test_partitions_with_the_same_number_of_clusters_stand_by_name():
    sweep = cv.sweep(LINE, {"a$b$": THREE, "other": [0, 0, 1, 1, 1, 2, 2, 2, 2], "two": [0] * 3 + [1] * 6}, ["dunn"])
    ax = plot.curve(sweep, "dunn")
    assert [text.get_text() for text in ax.get_xticklabels()] == ["a$b$", "other", "two"]
    assert marked(ax, "chosen")[0][0] == 0
    assert "dunn\nchooses a$b$: highest" in texts(ax)


def test_many_partitions_are_dots_and_the_best_of_each_number_a_line():
    rng = np.random.default_rng(0)
    many = [rng.integers(0, 2 + i % 3, 9) for i in range(40)]
    sweep = cv.sweep(LINE, many, ["silhouette"])
    ax = plot.curve(sweep, "silhouette")
    line = ax.lines[0].get_data()
    assert line[0].tolist() == sorted(set(sweep.k.tolist()))
    assert line[1].tolist() == [sweep["silhouette"][sweep.k == k].max() for k in line[0]]
    assert len(marked(ax, "values")) == 40


def test_an_index_that_cannot_choose_says_so():
    sweep = cv.sweep(LINE, {1: [0] * 9}, ["dunn"])
    ax = plot.curve(sweep, "dunn")
    assert "dunn\ncannot choose" in texts(ax)
    assert marked(ax, "chosen") == []


def test_an_index_outside_the_sweep_is_refused(swept):
    with pytest.raises(cv.InputError, match=r"^'pbm' is not in this sweep; silhouette, dunn, trace_w are.$"):
        plot.curves(swept, ["pbm"])
    with pytest.raises(cv.InputError, match=r"^indices names no index of the sweep"):
        plot.curves(swept, [])


# --- gap and stability -----------------------------------------------------------------------------------


def bars_of(ax):
    (container,) = [c for c in ax.containers if isinstance(c, ErrorbarContainer)]
    return [tuple(segment[:, 1]) for segment in container.lines[2][0].get_segments() if len(segment)]


GAPS = GapStatistic(
    Table({"k": np.array([1, 2, 3]), "gap": np.array([0.1, 0.5, 0.4]), "sd": np.full(3, 0.1), "se": np.full(3, 0.2)}),
    {"one_se": 2, "two_sd": 1, "max": None},
    "pairs",
    "box",
    2.0,
    20,
)


def test_the_gap_curve_has_bars_of_what_its_rule_counts():
    ax = plot.gap(GAPS)
    assert bars_of(ax) == [approx((g - 0.2, g + 0.2)) for g in (0.1, 0.5, 0.4)]
    assert marked(ax, "chosen") == [(2, 0.5)]
    assert {"gap ± s.e. over 20 references", "k = 2 by one_se"} <= set(texts(ax))
    assert "gap (logarithm to base 2 of the dispersion)" in texts(ax)
    twice = plot.gap(GAPS, rule="two_sd")
    assert bars_of(twice)[0] == approx((-0.1, 0.3))
    assert {"gap ± 2 s.d. over 20 references", "k = 1 by two_sd"} <= set(texts(twice))


def test_a_rule_that_chooses_nothing_is_said_and_an_unknown_one_refused():
    ax = plot.gap(GAPS, rule="max")
    assert "no k chosen by max" in texts(ax)
    assert marked(ax, "chosen") == []
    with pytest.raises(cv.InputError, match=r"^No rule is called 'best'; there are one_se, two_sd, max.$"):
        plot.gap(GAPS, rule="best")


def test_the_gap_of_natural_logarithms_says_so():
    natural = GapStatistic(GAPS.table, GAPS.best, "squared", "box", math.e, 20)
    assert "gap (natural logarithm of the dispersion)" in texts(plot.gap(natural))


def test_the_stability_curve_marks_the_most_stable_number():
    table = Table({"k": np.array([2, 3, 4]), "mean": np.array([0.5, 0.1, np.nan]), "sd": np.array([0.2, 0.1, np.nan])})
    ax = plot.stability(Stability(table, 3, "variation_of_information", 30))
    assert bars_of(ax) == [approx((0.3, 0.7)), approx((0.0, 0.2))]
    assert marked(ax, "chosen") == [(3, 0.1)]
    assert {"k = 3, most stable", "mean ± s.d. over pairs of 30 samples"} <= set(texts(ax))
    assert "variation_of_information between samples" in texts(ax)


# --- agreement -------------------------------------------------------------------------------------------


def cells_of(ax):
    """The texts of a heat map by (row, column)."""
    return {(int(t.get_position()[1]), int(t.get_position()[0])): t.get_text() for t in ax.texts}


def frames_of(ax):
    return [(p.get_y() + 0.5, p.get_x() + 0.5) for p in ax.patches]


def test_the_heat_map_puts_matched_clusters_on_the_diagonal():
    truth = ["a"] * 5 + ["b"] * 4 + ["c"] * 3
    labels = [7] * 5 + [5] * 3 + [7] + [6] * 2 + [9]
    ax = plot.contingency(cv.contingency(truth, labels))
    drawn(ax.figure)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b", "c"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["7", "5", "6", "9"]
    assert {place: text for place, text in cells_of(ax).items() if text} == {
        (0, 0): "5",
        (1, 0): "1",
        (1, 1): "3",
        (2, 2): "2",
        (2, 3): "1",
    }
    assert frames_of(ax) == [(0, 0), (1, 1), (2, 2)]
    assert ax.images[0].get_array().tolist()[1] == [0.25, 0.75, 0, 0]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("truth", "labels")


def test_the_heat_map_can_keep_the_order_of_the_table():
    table = cv.contingency(["a", "a", "b"], [1, 1, 0])
    ax = plot.contingency(table, matched=False, rows="one", columns="other")
    assert [t.get_text() for t in ax.get_xticklabels()] == ["0", "1"]
    assert ax.images[0].get_array().tolist() == [[0, 1], [1, 0]]
    assert frames_of(ax) == [(0, 1), (1, 0)]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("one", "other")


@pytest.mark.large
def test_large_heat_maps_have_no_numbers_and_names_only_where_there_is_room():
    rng = np.random.default_rng(0)
    ax = plot.contingency(cv.contingency(rng.integers(0, 90, 9_000), rng.integers(0, 70, 9_000)))
    assert overlapping(ax) == []
    assert len(ax.texts) == 0
    assert 10 < len(ax.get_yticklabels()) < 90
    assert len(ax.patches) == 70
    with pytest.raises(
        cv.InputError, match=r"^A heat map shows up to 1,000 clusters a side; this table has 1,001 x 1.$"
    ):
        plot.contingency(cv.contingency(range(1_001), [0] * 1_001))


def test_hostile_labels_are_shown_and_do_not_overlap():
    ax = plot.contingency(cv.contingency(HOSTILE * 2, HOSTILE + HOSTILE[::-1]))
    assert overlapping(ax) == []
    assert {"a$b$", "$x_{", "_hidden"} <= set(texts(ax))


def test_the_prayatul_matrix_has_pairs_and_shares():
    ax = plot.prayatul(cv.prayatul([0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 1, 1]), primary="mine", alternative="a$b$")
    assert cells_of(ax) == {
        (0, 0): "BR\n2\n33.3%",
        (0, 1): "RW\n3\n50.0%",
        (1, 0): "WR\n1\n16.7%",
        (1, 1): "BW\n0\n0.0%",
    }
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("mine", "a$b$")
    assert "right" in texts(ax)


def test_a_prayatul_matrix_without_pairs_has_no_shares():
    assert cells_of(plot.prayatul(cv.prayatul([0], [0], [0])))[0, 0] == "BR\n0\n—"


def test_a_prayatul_table_has_a_row_per_primary():
    table = cv.prayatul_table([0, 0, 1, 1], {"a": [0, 0, 1, 2], "b": [0, 1, 1, 1], 3: [0, 0, 1, 1]})
    figure = drawn(plot.prayatul_table(table))
    names = [(ax.get_ylabel(), ax.get_xlabel()) for ax in figure.axes]
    assert names == [("a", "b"), ("a", "3"), ("b", "a"), ("b", "3"), ("3", "a"), ("3", "b")]
    assert cells_of(figure.axes[2])[0, 1] == "RW\n1\n16.7%"
    assert len(plot.prayatul_table(table, primaries=3).axes) == 2
    with pytest.raises(cv.InputError, match=r"^'c' is not an algorithm of this table; there are a, b, 3.$"):
        plot.prayatul_table(table, primaries=["a", "c"])
    with pytest.raises(cv.InputError, match=r"^primaries names no algorithm; there are a, b, 3.$"):
        plot.prayatul_table(table, primaries=[])


# --- scatter ---------------------------------------------------------------------------------------------


def test_the_scatter_is_on_the_components_with_most_variance(blobs):
    X, labels = blobs
    ax = plot.scatter(X, labels)
    drawn(ax.figure)
    centred = X - X.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    places = np.concatenate([np.asarray(c.get_offsets()) for c in ax.collections])
    order = np.argsort(labels, kind="stable")
    assert np.abs(places) == approx(np.abs((u * s)[order, :2]), abs=1e-9)
    assert ax.get_xlabel() == f"principal component 1 ({s[0] ** 2 / (s**2).sum():.0%} of the variance)"
    loadings = np.linalg.lstsq(centred[order], places, rcond=None)[0]
    assert (loadings[np.abs(loadings).argmax(axis=0), [0, 1]] > 0).all()


def test_more_columns_than_points_have_the_same_components():
    X = np.random.default_rng(2).normal(size=(6, 40))
    ax = plot.scatter(X, [0, 0, 0, 1, 1, 1])
    centred = X - X.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    places = np.concatenate([np.asarray(c.get_offsets()) for c in ax.collections])
    assert np.abs(places) == approx(np.abs((u * s)[:, :2]), abs=1e-9)


def test_equal_points_have_no_components_and_are_still_drawn():
    ax = plot.scatter(np.ones((4, 3)), [0, 0, 1, 1])
    assert "principal component 1 (0% of the variance)" in texts(ax)


def test_one_or_two_columns_are_drawn_as_they_are():
    frame = pd.DataFrame({"width$": [1.0, 2.0, 3.0], "height": [5.0, 4.0, 0.0]})
    ax = plot.scatter(frame, [0, 0, 1])
    assert {"width$", "height"} <= set(texts(ax))
    assert np.asarray(ax.collections[0].get_offsets()).tolist() == [[1, 5], [2, 4]]
    single = plot.scatter([[3.0], [4.0]], [0, 1])
    assert "column 0" in texts(single)
    assert single.get_yticks().size == 0


def wrong_of(ax):
    (rings,) = [c for c in ax.collections if c.get_gid() == "wrong"]
    return np.asarray(rings.get_offsets()).tolist()


def test_points_in_the_wrong_cluster_are_ringed():
    X = [[0, 0], [1, 0], [2, 0], [9, 9], [8, 9], [5, 5]]
    ax = plot.scatter(X, ["p", "p", "p", "q", "q", "p"], truth=[1, 1, 1, 0, 0, 0])
    assert wrong_of(ax) == [[5, 5]]
    assert "1 of 6 points in the wrong cluster" in texts(ax)
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["p", "q", "wrong cluster"]


def test_noise_has_its_own_mark_and_is_judged_like_a_cluster():
    X = [[0, 0], [1, 0], [2, 0], [9, 9], [8, 9], [5, 5]]
    ax = plot.scatter(X, [0, 0, 0, 1, 1, -1], truth=[1, 1, 1, 0, 0, 0])
    assert wrong_of(ax) == [[5, 5]]
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["0", "1", "noise", "wrong cluster"]


def test_a_sample_of_many_points_is_drawn_and_said():
    X = np.random.default_rng(0).normal(size=(5_000, 2))
    ax = plot.scatter(X, np.arange(5_000) % 30, most=600)
    assert sum(len(c.get_offsets()) for c in ax.collections) == 600
    assert "600 of 5,000 points shown" in texts(ax)
    listed = [t.get_text() for t in ax.get_legend().get_texts()]
    assert listed[-1] == "and 11 more"
    assert len(listed) == 20


def test_lengths_that_differ_are_refused():
    with pytest.raises(cv.InputError, match=r"^X has 2 rows but truth has 3 entries.$"):
        plot.scatter([[0, 1], [1, 0]], [0, 1], [0, 1, 1])


# --- tendency --------------------------------------------------------------------------------------------


def heights_of(patches):
    return sum(patch.get_height() for patch in patches)


def test_hopkins_statistics_stand_beside_their_null_distribution():
    values = np.array([0.9, 0.92, 0.94, 0.96])
    result = SimpleNamespace(values=values, m=10, mean=float(values.mean()), std=float(values.std()))
    ax = plot.hopkins(result)
    assert heights_of(ax.patches) == 4
    null = ax.lines[0].get_data()
    assert null[0][null[1].argmax()] == approx(0.5)
    assert null[1].mean() == approx(4 / 60, rel=0.01)  # the density of four samples in bins of a sixtieth
    assert ax.get_xlim() == (0, 1)
    assert {"4 samples of 10 points", "without structure", "mean 0.930, s.d. 0.022"} <= set(texts(ax))


@pytest.mark.parametrize(
    ("draw", "what"),
    [(plot.spatial_histogram, "points on a grid"), (plot.distance_distribution, "distances")],
)
def test_divergences_stand_beside_those_of_random_samples(draw, what):
    values, null = np.array([1.0, 1.2, 1.1]), np.array([0.1, 0.2, 0.15])
    ax = draw(SimpleNamespace(values=values, null=null, mean=1.1, std=0.08))
    hatched = [patch for patch in ax.patches if patch.get_hatch()]
    assert heights_of(hatched) == 3
    assert max(patch.get_x() for patch in hatched if patch.get_height()) < 0.3
    assert heights_of(ax.patches) == 6
    assert ax.lines[0].get_xdata() == [1.1, 1.1]
    assert f"divergence of {what} (bits)" in texts(ax)
    assert {"data from samples", "samples from each other", "mean 1.1, s.d. 0.08"} <= set(texts(ax))


def test_the_image_of_distances_covers_all_points():
    image = np.array([[0.0, 3.0], [3.0, 0.0]])
    ax = plot.vat(SimpleNamespace(image=image, order=np.arange(10)), distance="distance in $")
    drawn(ax.figure)
    assert ax.images[0].get_extent() == [0, 10, 10, 0]
    assert ax.images[0].get_clim() == (0, 3)
    assert ax.figure.axes[1].get_ylabel() == "distance in $"


# --- correlations ----------------------------------------------------------------------------------------


def test_correlations_are_of_ranks_with_better_upwards(swept):
    values = rank_correlations(swept)
    silhouette, trace = swept["silhouette"], swept["trace_w"]
    ranks = [np.argsort(np.argsort(v)) for v in (silhouette, -trace)]
    assert values[0, 2] == approx(np.corrcoef(*ranks)[0, 1])
    assert values.diagonal() == approx(np.ones(3))
    ax = plot.correlations(swept, ordered=False)
    assert [t.get_text() for t in ax.get_yticklabels()] == ["silhouette", "dunn", "trace_w"]
    assert cells_of(ax)[0, 2] == cells_of(ax)[2, 0] == f"{values[0, 2]:.2f}"
    assert ax.images[0].get_clim() == (-1, 1)


def test_indices_that_agree_are_neighbours():
    names = ["silhouette", "trace_w", "simplified_silhouette", "ball_hall"]
    sweep = cv.sweep(LINE, indices=names, linkage="average", k=range(2, 8))
    ax = plot.correlations(sweep)
    order = [t.get_text() for t in ax.get_yticklabels()]
    assert {frozenset(order[:2]), frozenset(order[2:])} == {frozenset(names[::2]), frozenset(names[1::2])}
    assert ax.images[0].get_array()[0, 1] > ax.images[0].get_array()[0, 2]


def test_correlations_without_enough_values_are_empty():
    sweep = cv.sweep(LINE, {2: [0] * 3 + [1] * 6, 1: [0] * 9}, ["dunn", "trace_w"])
    ax = plot.correlations(sweep)
    drawn(ax.figure)
    assert set(cells_of(ax).values()) == {"", "1.00"}
    assert cells_of(ax)[0, 1] == ""


@pytest.mark.large
def test_all_indices_have_legible_correlations():
    sweep = cv.sweep(LINE, indices=["vendramin", "gdi53_own_centre", "silhouette"], linkage="average", k=range(2, 7))
    ax = plot.correlations(sweep)
    assert overlapping(ax) == []
    assert len(ax.texts) == 0
    assert {"gdi53_own_centre", "silhouette"} <= {text.get_text() for text in ax.get_yticklabels()}
    assert min(text.get_window_extent().x0 for text in ax.get_yticklabels()) >= 0


# --- comparison ------------------------------------------------------------------------------------------


def pairs(means, sets=36, spread=0.25):
    """Criteria with these means over the data sets, and about so much spread."""
    rng = np.random.default_rng(0)
    values = rng.normal(0, spread, (sets, len(means)))
    values += np.array(means) - values.mean(axis=0)
    return Pairwise([f"c{at}" for at in range(len(means))], values, [str(at // 3) for at in range(sets)])


def means_of(ax):
    """The numbers over the bars."""
    return [text.get_text() for text in ax.texts if text.get_gid() == "mean"]


def test_the_triangle_has_differences_of_means_shaded_by_how_many_tests_find_them_significant():
    ax = plot.comparison(pairs([0.2, 0.9, 0.85, -0.1]))
    drawn(ax.figure)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["c1", "c2", "c0", "c3"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["c2", "c0", "c3"]
    numbers = [text for text in ax.texts if text.get_gid() != "mean" and text.get_text()]
    assert {text.get_position()[::-1]: text.get_text() for text in numbers} == {
        (0, 0): "0.050",
        (1, 0): "0.700", (1, 1): "0.650",
        (2, 0): "1.000", (2, 1): "0.950", (2, 2): "0.300",
    }  # fmt: skip
    shades = ax.images[0].get_array()
    assert shades.tolist() == [[0, None, None, None], [2, 2, None, None], [2, 2, 2, None]]
    lightness = [np.mean(ax.images[0].cmap(ax.images[0].norm(level))[:3]) for level in range(3)]
    assert lightness[0] > lightness[1] + 0.1 > lightness[2] + 0.2
    assert {"both tests", "one test", "neither"} <= set(texts(ax))
    assert ax.get_legend().get_title().get_text().startswith("correlation over 36 data sets:\nmean of the column less")
    assert ax.get_xlabel() == "criterion of the column, with its mean"


def test_criteria_that_are_equal_differ_by_nothing():
    found = pairs([0.4, 0.4])
    found.means[:], found.differences[:] = 0.4, 0.0
    assert plot.comparison(found).texts[0].get_text() == "0.000"


def test_one_test_that_finds_a_difference_is_told_from_two():
    found = pairs([0.5, 0.4, 0.0])
    found.significant = np.array([[0, 1, 2], [1, 0, 2], [2, 2, 0]])
    ax = plot.comparison(found)
    assert ax.images[0].get_array().tolist() == [[1, None, None], [2, 2, None]]
    inks = {text.get_position()[::-1]: text.get_color() for text in ax.texts if text.get_gid() != "mean"}
    assert (inks[0, 0], inks[1, 0], inks[1, 1]) == ("black", "white", "white")  # white only on the darkest


def test_bars_below_the_triangle_are_as_long_as_the_means_and_have_their_numbers():
    ax = plot.comparison(pairs([0.8, 0.4, -0.2]))
    drawn(ax.figure)
    lengths = [bar.get_height() for bar in ax.patches]  # downwards is less on this axis
    assert np.divide(lengths, lengths[0]) == approx([1, 0.5, -0.25])
    (zero,) = {bar.get_y() for bar in ax.patches}
    assert lengths[0] < 0 < lengths[2]
    assert means_of(ax) == ["0.800", "0.400", "-0.200"]
    scale = dict(zip(ax.get_yticks(minor=True), ax.get_yticklabels(minor=True), strict=True))
    assert {text.get_text(): zero - place for place, text in scale.items()} == {
        "0": approx(0),
        "0.5": approx(-lengths[0] * 0.5 / 0.8),
    }
    over = [text.xy for text in ax.texts if text.get_gid() == "mean"]
    assert over == [(0, approx(zero + lengths[0])), (1, approx(zero + lengths[1])), (2, approx(zero))]
    lowest, highest = ax.get_ylim()
    assert all(highest < min(bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches)
    assert all(lowest >= max(bar.get_y(), bar.get_y() + bar.get_height()) for bar in ax.patches)


@pytest.mark.parametrize(
    "k", [2, 5, 12, pytest.param(40, marks=pytest.mark.large), pytest.param(43, marks=pytest.mark.large), 120]
)
def test_triangles_of_few_and_many_criteria_are_legible(k):
    found = pairs(np.linspace(0.95, -0.3, k))
    found.significant = np.tri(k, dtype=int)  # thousands of tests take seconds
    ax = plot.comparison(found)
    assert overlapping(ax) == []
    box = ax.figure.bbox
    for text in [*ax.get_xticklabels(), *ax.get_yticklabels(), *ax.texts, ax.xaxis.label, ax.get_legend()]:
        extent = text.get_window_extent()
        assert box.x0 - 1 <= extent.x0 <= extent.x1 <= box.x1 + 1
        assert box.y0 - 1 <= extent.y0 <= extent.y1 <= box.y1 + 1
    cells = [text for text in ax.texts if text.get_gid() != "mean" and text.get_text()]
    assert len(cells) == (k * (k - 1) // 2 if k <= 40 else 0)
    if cells:
        inside = ax.transData.transform([(0, 0), (1, 0)])
        assert max(text.get_window_extent().width for text in cells) < inside[1, 0] - inside[0, 0]


@pytest.mark.large
def test_a_triangle_on_small_axes_leaves_out_what_has_no_room():
    _, ax = plt.subplots(figsize=(4, 4), layout="constrained")
    assert plot.comparison(pairs(np.linspace(0.9, 0, 40)), ax=ax) is ax
    assert overlapping(ax) == []
    assert [text for text in ax.texts if text.get_text()] == []
    assert 5 < len(ax.get_yticklabels()) < 39


def test_a_criterion_without_a_mean_has_neither_cells_nor_a_bar():
    ax = plot.comparison(pairs([0.5, math.nan, 0.1]))
    drawn(ax.figure)
    assert [text.get_text() for text in ax.get_xticklabels()] == ["c0", "c2", "c1"]
    assert ax.images[0].get_array().tolist()[1] == [None, None, None]
    assert means_of(ax) == ["0.500", "0.100", "—"]
    assert ax.patches[2].get_height() == 0


def test_a_comparison_is_drawn_for_the_external_index_and_the_correlation_that_are_chosen():
    sets = [(*cv.study.milligan(40, 3, 2, random_state=seed), f"set {seed}") for seed in range(3)]
    found = cv.study.compare(sets, ["silhouette", "dunn", "davies_bouldin"], linkage="ward", k=range(2, 8))
    ax = found.plot("adjusted_rand", "wgk")
    means = found.means("adjusted_rand", "wgk")
    assert means != found.means()
    assert means_of(ax) == [f"{m:.3f}" for m in means.values()]
    title = "wgk correlation with adjusted_rand over 3 data sets:"
    assert ax.get_legend().get_title().get_text().splitlines()[0] == title
    first = plot.comparison(found).get_legend().get_title().get_text()
    assert first.startswith("pearson correlation with jaccard over")
    with pytest.raises(cv.InputError, match=r"^external must be one of 'jaccard', 'adjusted_rand'; it is 'rand'.$"):
        plot.comparison(found, external="rand")
    told = "These differences are of the spearman correlation with jaccard; to choose another, give the comparison"
    with pytest.raises(cv.InputError, match=f"^{told} they come from.$"):
        plot.comparison(found.pairwise(correlation="spearman"), correlation="wgk")
    with pytest.raises(cv.InputError, match=r"^Differences need at least 2 criteria; this comparison has 1.$"):
        plot.comparison(pairs([0.5]))
