"""Series under dynamic time warping: the kernel, its twin, the definition in loops, and every index of distances."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy import sparse

import clustval as cv
from clustval.errors import InputError
from clustval.passes.metrics.dtw import _compiled, _plain

RNG = np.random.default_rng(2)


def warped(a, b, window=None):
    """Return the definition: over all paths from the first steps to the last, the root of the least sum of squares.

    A step of the longer series may be so many places later as it has more steps, and the window either way.
    """
    if len(a) > len(b):
        a, b = b, a
    reach = len(b) if window is None else window

    def least(i, j, seen):
        if (i, j) not in seen:
            if i < 0 or j < 0 or not -reach <= j - i <= len(b) - len(a) + reach:
                return math.inf
            here = sum((x - y) ** 2 for x, y in zip(a[i], b[j], strict=True))
            before = (
                0.0 if i == j == 0 else min(least(i - 1, j - 1, seen), least(i - 1, j, seen), least(i, j - 1, seen))
            )
            seen[i, j] = here + before
        return seen[i, j]

    return math.sqrt(least(len(a) - 1, len(b) - 1, {}))


def some(seed, n, longest, dimensions):
    rng = np.random.default_rng(seed)
    return [rng.integers(-3, 4, (rng.integers(1, longest + 1), dimensions)).astype(float) for _ in range(n)]


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6), st.integers(1, 20), st.integers(1, 12), st.integers(1, 3), st.none() | st.integers(0, 12),
    st.integers(1, 3),
)  # fmt: skip
def test_kernel_and_twin_have_the_values_of_the_definition(seed, n, longest, dimensions, window, jobs):
    series = some(seed, n, longest, dimensions)
    lengths = np.array([len(each) for each in series])
    expected = [[warped(a, b, window) for b in series] for a in series]
    np.testing.assert_allclose(_compiled(series, lengths, window, n_jobs=jobs), expected, rtol=1e-14)
    np.testing.assert_allclose(_plain(series, window), expected, rtol=1e-14)


def test_compiled_distances_are_symmetric_and_do_not_depend_on_threads():
    series = [RNG.normal(size=(RNG.integers(3, 40), 2)) for _ in range(50)]
    lengths = np.array([len(each) for each in series])
    one, three = (_compiled(series, lengths, 5, n_jobs=jobs) for jobs in (1, 3))
    np.testing.assert_array_equal(one, three)
    np.testing.assert_array_equal(one, one.T)
    np.testing.assert_array_equal(one, _compiled([-each for each in series], lengths, 5, n_jobs=1))


LABELS = np.repeat([0, 1, 2], 8)
WAVES = [np.sin(np.linspace(0, 2 + 3 * label, RNG.integers(20, 30)) + RNG.uniform(0, 0.3)) for label in LABELS]
MATRIX = np.array([[warped(a[:, None], b[:, None]) for b in WAVES] for a in WAVES])


def test_every_index_of_distances_takes_series():
    scores = cv.evaluate(WAVES, LABELS, "all", metric="dtw")
    plain = cv.evaluate(MATRIX, LABELS, "all", metric="precomputed")
    assert list(scores) == list(plain)
    for name, value in plain.items():
        assert scores[name] == approx(value, rel=1e-9, nan_ok=True), name
    called = {
        name: reason.replace("metric='precomputed' gives", "metric='dtw' gives")
        for name, reason in plain.reasons.items()
    }
    assert dict(scores.reasons) == called
    assert cv.evaluate(WAVES, LABELS, metric="dtw").keys() == cv.evaluate(MATRIX, LABELS, metric="precomputed").keys()


def test_every_verb_takes_series():
    assert cv.internal.silhouette(WAVES, LABELS, metric="dtw") == approx(
        cv.internal.silhouette(MATRIX, LABELS, metric="precomputed"), rel=1e-12
    )
    swept = cv.sweep(WAVES, {"three": LABELS, "two": LABELS > 0}, ["silhouette", "dunn"], metric="dtw")
    assert swept.best()["dunn"] == "three"
    choice = cv.choose(WAVES, k=[2, 3, 4], metric="dtw", null=False, random_state=0)
    assert cv.external.adjusted_rand(LABELS, choice.labels) == 1
    assert cv.diagnose(WAVES, LABELS, metric="dtw", random_state=0).title


def test_arrays_lists_frames_and_padded_arrays_are_the_same_series():
    even = RNG.normal(size=(24, 9))
    value = cv.internal.dunn(even, LABELS, metric="dtw(2)")
    assert cv.internal.dunn(even[:, :, None], LABELS, metric="dtw(window=2)") == value
    assert cv.internal.dunn(even.tolist(), LABELS, metric="DTW (2)") == value
    assert cv.internal.dunn(pd.DataFrame(even), LABELS, metric="dtw(2)") == value
    assert value != cv.internal.dunn(even, LABELS, metric="dtw")
    padded = np.full((24, 30), np.nan)
    for row, wave in zip(padded, WAVES, strict=True):
        row[: len(wave)] = wave
    assert cv.internal.dunn(padded, LABELS, metric="dtw") == cv.internal.dunn(WAVES, LABELS, metric="dtw")
    long = pd.concat({at: pd.DataFrame({"load": wave}) for at, wave in enumerate(WAVES)}, names=["machine", "hour"])
    lists = pl.DataFrame({"id": range(100, 124), "wave": [wave.tolist() for wave in WAVES], "kind": LABELS})
    value = cv.internal.dunn(WAVES, LABELS, metric="dtw")
    for X in (
        pd.Series(WAVES),
        long,
        long["load"],
        pd.DataFrame({"wave": [pd.Series(wave) for wave in WAVES]}),
        lists[["wave"]],
    ):
        assert cv.internal.dunn(X, LABELS, metric="dtw") == value
        assert cv.sweep(X, {"a": LABELS}, "dunn", metric="dtw").to_pandas().loc["a", "dunn"] == value
        near = cv.graph.modularity(X, LABELS, neighbours=3, metric="dtw")
        assert near == cv.graph.modularity(WAVES, LABELS, neighbours=3, metric="dtw")
    with pytest.warns(UserWarning, match="'id' names the rows of X"):
        assert cv.evaluate(lists, "kind", "dunn", metric="dtw")["dunn"] == value


def test_the_window_follows_the_longer_series_as_in_tslearn_and_dtaidistance():
    one, other = np.array([0.0, 3, 1, 2, 0, 1, 0, 4]), np.array([2.0, 0, 0, 3, 0, 1, 2, 3, 0, 1, 1])
    # tslearn 0.10, dtw(one, other, "sakoe_chiba", sakoe_chiba_radius=w); dtaidistance 2.5, window=w + 1
    for window, squares in ((0, 22), (1, 16), (2, 16), (4, 16)):
        series = [one[:, None], other[:, None], one[:, None]]
        assert _plain(series, window)[0, 1] == approx(math.sqrt(squares), rel=1e-12)
        assert _compiled(series, np.array([8, 11, 8]), window, n_jobs=1)[1, 0] == approx(math.sqrt(squares), rel=1e-12)


def test_a_window_of_zero_is_the_euclidean_distance():
    even = RNG.normal(size=(24, 9))
    assert cv.internal.silhouette(even, LABELS, metric="dtw(0)") == approx(cv.internal.silhouette(even, LABELS))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[1.0], [], [2.0]], "Series 1 of X has length 0; leave it out."),
        (
            [[1.0, 2.0], [math.nan], [2.0]],
            "X must be finite, and below 1e+150; step 0 of series 1 is not. Fill gaps first.",
        ),
        ([["a"], [1.0], [2.0]], "Series 0 of X must hold numbers, the same number of them in each step."),
        ([[[1, 2]], [[1]], [[3, 4]]], "Series must have the same dimensions; series 0 has 2 and series 1 has 1."),
        (
            np.zeros((2, 2, 2, 2)),
            "metric='dtw' takes series in two or three dimensions, or a list of them; X has 4 dimensions.",
        ),
        ([], "X is empty: it has no series."),
        (
            [[1e-200], [0.0, 1e-199], [2e-200]],
            "X spreads over 1e-199, whose square vanishes; rescale it to above 1e-140.",
        ),
        (
            sparse.csr_array(np.eye(3)),
            "metric='dtw' takes series in an array or a list; X is a sparse matrix, which X.toarray() writes out.",
        ),
        (np.array([[1.0], [np.nan]]), "Series 1 of X has length 0; leave it out."),
    ],
)  # fmt: skip
def test_what_is_no_series_is_said(X, message):
    with pytest.raises(InputError) as error:
        cv.evaluate(X, [0, 1, 1], "dunn", metric="dtw")
    assert str(error.value) == message


def test_many_series_need_memory_and_blocks_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"^The distances of 2,000 series take 0\.0298 GiB, more than the budget of"):
        cv.evaluate(np.zeros((2000, 2)), np.arange(2000) % 2, "dunn", metric="dtw", memory="16 MiB")
    for window in ("x", "0.1", "-1"):
        with pytest.raises(
            InputError, match=r"^The window of 'dtw' is a whole number of steps, as in 'dtw\(10\)'; the"
        ):
            cv.evaluate(np.zeros((4, 2)), [0, 0, 1, 1], "dunn", metric=f"dtw({window})")
    np.save(tmp_path / "x.npy", np.zeros((4, 2)))
    with pytest.raises(InputError, match="load X first"):
        cv.evaluate(tmp_path / "x.npy", [0, 0, 1, 1], "dunn", metric="dtw")
    with pytest.raises(InputError, match=r"use evaluate\(X, labels, metric='dtw'\)"):
        cv.Evaluator(metric="dtw")
