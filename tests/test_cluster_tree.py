"""The tree of clusters over a parameter: equal clusters once, bars apart, and what colours mean."""

import itertools
import pickle

import numpy as np
import pytest

import clustval as cv
from clustval.errors import InputError
from clustval.layered import HEIGHT
from conftest import make_blobs

X, TRUTH = make_blobs((25, 25, 30), (0, 5, 10), seed=0)
NEAR = np.argsort(((X[:, None] - X[None]) ** 2).sum(axis=2), axis=1)[:, 1:8]
MATRIX = np.zeros((len(X), len(X)))
MATRIX[np.arange(len(X))[:, None], NEAR] = 1 + np.arange(7)
MATRIX = np.maximum(MATRIX, MATRIX.T)


def test_clusters_that_stay_the_same_are_drawn_once():
    swept = cv.sweep(X, k=range(2, 7), seeds=2, indices="dunn")
    drawing = swept.drawing()
    names = list(dict.fromkeys(swept.layers["partition"].tolist()))
    members = [
        {frozenset(np.flatnonzero(swept.labels[name] == c)) for c in np.unique(swept.labels[name])} for name in names
    ]
    for column in range(1, len(names)):
        again = sum(bar.goes_on for bar in drawing.bars if bar.column == column)
        assert again == len(members[column] & members[column - 1])
    assert any(bar.goes_on for bar in drawing.bars)
    assert not any(bar.goes_on for bar in cv.track((X, TRUTH), (X, TRUTH), n_permutations=0).drawing.bars)


def test_bars_lie_apart_and_inside_the_drawing():
    swept = cv.sweep(X, k=range(2, 12), seeds=1, indices="dunn")
    drawing = swept.drawing()
    for column in range(len(drawing.titles)):
        bars = sorted((bar for bar in drawing.bars if bar.column == column), key=lambda bar: bar.y)
        assert bars[0].y >= 0
        assert bars[-1].y + bars[-1].height <= HEIGHT + 1e-9
        assert all(one.y + one.height < other.y for one, other in itertools.pairwise(bars))


def values_of(drawing, column):
    return {bar.cluster.name: bar.cluster.value for bar in drawing.bars if bar.column == column}


def test_colours_are_purities_means_and_gaps_as_loops_compute_them():
    swept = cv.sweep(X, k=[2, 3, 5], seeds=2, indices="dunn")
    names = list(dict.fromkeys(swept.layers["partition"].tolist()))
    numbers = X[:, 0].astype(np.float64)
    purity, mean, gap = swept.drawing(TRUTH.astype(str)), swept.drawing(numbers), swept.drawing("gap")
    assert (purity.scale.what, mean.scale.what, gap.scale.what) == ("purity", "mean", "gap between its parts")
    every = [numbers[swept.labels[name] == c].mean() for name in names for c in np.unique(swept.labels[name])]
    assert (mean.scale.low, mean.scale.high) == pytest.approx((min(every), max(every)))
    for column, name in enumerate(names):
        codes = swept.labels[name]
        following = swept.labels[names[min(column + 1, len(names) - 1)]]
        for cluster in np.unique(codes).tolist():
            rows = np.flatnonzero(codes == cluster)
            classes = [TRUTH[row] for row in rows]
            assert values_of(purity, column)[cluster] == max(map(classes.count, classes)) / len(rows)
            share = (sum(numbers[row] for row in rows) / len(rows) - min(every)) / (max(every) - min(every))
            assert values_of(mean, column)[cluster] == pytest.approx(share)
            parts = following[rows]
            one = max(np.count_nonzero(parts == part) for part in parts) > 0.99 * len(rows)
            expected = None if one else pytest.approx(cv.internal.silhouette(X[rows], parts))
            assert values_of(gap, column)[cluster] == expected


def test_gaps_between_parts_of_a_graph_are_counted_in_loops():
    swept = cv.sweep(MATRIX, resolution=[0.05, 0.3, 1.0, 2.0], seeds=2, indices="modularity")
    names = list(dict.fromkeys(swept.layers["partition"].tolist()))
    drawing, matrix = swept.drawing("gap"), MATRIX
    seen = 0
    for column, (name, later) in enumerate(itertools.pairwise(names)):
        for cluster, value in values_of(drawing, column).items():
            rows = np.flatnonzero(swept.labels[name] == cluster)
            parts = swept.labels[later][rows]
            if max(np.count_nonzero(parts == part) for part in parts) > 0.99 * len(rows):
                assert value is None
                continue
            inside = matrix[np.ix_(rows, rows)]
            across = sum(inside[i, j] for i in range(len(rows)) for j in range(len(rows)) if parts[i] != parts[j])
            degrees = {part: inside[parts == part].sum() for part in set(parts.tolist())}
            chance = 1 - sum((d / inside.sum()) ** 2 for d in degrees.values())
            assert value == pytest.approx(1 - across / inside.sum() / chance)
            seen += 1
    assert seen
    assert pickle.loads(pickle.dumps(swept)).drawing("gap") == drawing


def test_pages_and_figures_say_what_colours_mean(tmp_path):
    swept = cv.sweep(X, k=[2, 3], seeds=2, indices="dunn")
    page = swept.to_html(tmp_path / "tree.html", look=False, colour=TRUTH)
    assert "a darker bar has a larger purity" in page
    assert f"cluster 0: {np.count_nonzero(swept.labels['2'] == 0)} points, purity" in page
    assert swept.plot("tree", colour=TRUTH).figure.axes[-1].get_ylabel() == "purity"


BAD_COLOURS = {
    "a word": ("purity", "it is 'purity'."),
    "too few": ([0, 1], "it has 2 entries for"),
    "a number": (3, "it is 3."),
    "no partition": ({"2": [0.1, 0.2]}, "'3' has 3 clusters, and colour has none."),
    "other clusters": ({"2": [0.1, 0.2], "3": [0.5]}, "'3' has 3 clusters, and colour has 1."),
}


@pytest.mark.parametrize("name", BAD_COLOURS)
def test_what_is_no_colour_is_said_in_a_sentence(name):
    colour, message = BAD_COLOURS[name]
    with pytest.raises(InputError) as error:
        cv.sweep(X, k=[2, 3], seeds=1, indices="dunn").drawing(colour)
    assert str(error.value).startswith("colour must be 'gap'")
    assert str(error.value).endswith(message) or message in str(error.value)
