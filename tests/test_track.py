"""What becomes of clusters: events, names that stay, who moved, and how far clusters drift."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval.errors import InputError
from clustval.layered import HEIGHT, Cluster, layered
from clustval.sources.space import space_of
from clustval.tracking.drift import MOST, chance, drift, energy_distance, exchanged
from clustval.tracking.nearness import Nearness
from conftest import examples, make_blobs

SEEDS = st.integers(0, 10_000)


def blobs(centres, sizes, seed=0):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(n, 2)) + c for c, n in zip(centres, sizes, strict=True)])
    return X, np.repeat(np.arange(len(sizes)), sizes)


NO_PAIRS = np.empty((0, 2), dtype=int)


def energy_in_loops(A, B):
    def mean(P, Q):
        return sum(float(np.sqrt(sum((p - q) ** 2))) for p in P for q in Q) / (len(P) * len(Q))

    return 2 * mean(A, B) - mean(A, A) - mean(B, B)


@given(SEEDS, st.integers(1, 7), st.integers(1, 7))
@examples(30)
def test_the_energy_distance_is_its_definition_in_loops(seed, m, n):
    rng = np.random.default_rng(seed)
    A, B = rng.normal(size=(m, 2)), rng.normal(size=(n, 2)) + 1
    shift, energy = drift(space_of(np.vstack([A, B])), A, B, NO_PAIRS, rng)
    assert energy == approx(max(energy_in_loops(A, B), 0.0), abs=1e-12)
    assert shift == approx(float(np.sqrt(sum((A.mean(axis=0) - B.mean(axis=0)) ** 2))))


def test_exchanges_keep_sizes_and_change_rows_of_both_times_with_themselves():
    pairs = np.array([[0, 1], [2, 0]])
    sets = exchanged(pairs, 4, 3, 200, np.random.default_rng(0))
    assert (sets.sum(axis=1) == 4).all()
    assert (sets[:, 0] + sets[:, 4 + 1] == 1).all()
    assert (sets[:, 2] + sets[:, 4 + 0] == 1).all()
    assert len(np.unique(sets, axis=0)) == 2 * 2 * 3  # two coins, and one of three rows alone is of the second set


def test_p_values_of_clusters_that_did_not_move_are_spread_evenly():
    rng, chances = np.random.default_rng(0), []
    for _ in range(100):
        A, B = rng.normal(size=(15, 2)), rng.normal(size=(12, 2))
        chances.append(chance(space_of(np.vstack([A, B])), A, B, NO_PAIRS, 39, rng))
    assert 0.35 < np.mean(chances) < 0.65
    assert np.mean(np.array(chances) <= 0.1) < 0.2


def test_a_border_that_moved_makes_no_small_p_where_no_row_has_moved():
    rng, chances = np.random.default_rng(0), []
    for seed in range(60):
        X, Y = rng.uniform(size=(2, 80, 2))
        track = cv.track((X, X[:, 0] > 0.45), (Y, Y[:, 0] > 0.55), n_permutations=39, random_state=seed)
        chances.append(track.table["p_value"][0])
    assert 0.35 < np.nanmean(chances) < 0.65
    assert np.mean(np.array(chances) <= 0.1) < 0.2


def test_no_row_is_near_itself_where_members_are_placed():
    X, codes = np.array([[0.0], [1.0], [2.5], [3.0], [3.5]]), np.array([0, 0, 0, 1, -1])
    near = Nearness(space_of(X[:4]), codes[:4], 2)
    distances = near.of_members(X, codes)
    assert distances[2].tolist() == [2.0, 0.5]  # 1.5 and 2.5 away from its own
    assert distances[4].tolist() == [1.75, 0.5]  # which is no member


def test_without_rows_on_either_side_nothing_is_said_of_chance():
    A = np.random.default_rng(0).normal(size=(5, 2))
    assert np.isnan(chance(space_of(A), A, A[:0], NO_PAIRS, 9, np.random.default_rng(0)))
    assert np.isnan(chance(space_of(A), A, A, NO_PAIRS, 0, np.random.default_rng(0)))


def test_many_rows_are_compared_by_some_and_rows_of_both_times_stay_pairs():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(2 * MOST, 2))
    B = A + 0.2
    pairs = np.column_stack([np.arange(len(A))] * 2)
    _, energy = drift(space_of(A), A, B, pairs, rng)
    assert chance(space_of(A), A, B, pairs, 49, rng) == approx(0.02)
    assert energy == approx(energy_distance_of(A[:400], B[:400]), rel=0.2)


def energy_distance_of(A, B):
    rows = np.vstack([A, B])
    D = np.sqrt(((rows[:, None] - rows) ** 2).sum(axis=2))
    return float(energy_distance(D, np.array([[1.0] * len(A) + [0.0] * len(B)]))[0])


def events(track):
    return {(r["before"], r["after"]): r["event"] for r in track.table.records}


def test_clusters_that_split_merge_are_born_and_dissolve_by_where_rows_lie():
    before = blobs([(0, 0), (20, 0), (40, 0), (60, 0)], (60, 30, 30, 25), seed=1)
    after = blobs([(-2.5, 0), (2.5, 0), (20, 0), (40, 0), (0, 90)], (30, 30, 30, 30, 20), seed=2)
    labels = np.array(["a1", "a2", "bc", "bc", "new"])[after[1]]
    track = cv.track((before[0], np.array(list("abcd"))[before[1]]), (after[0], labels), level=0.999, n_permutations=19)
    assert events(track) == {
        ("a", "a1"): "splits", ("a", "a2"): "splits", ("b", "bc"): "merges", ("c", "bc"): "merges",
        ("d", None): "dissolved", (None, "new"): "born",
    }  # fmt: skip
    assert track.by == "space"
    assert track.births == [("1 to 2", "new")]
    assert track.deaths == [("1 to 2", "d")]
    assert track.splits == [("1 to 2", "a")]
    assert track.merges == [("1 to 2", "bc")]
    assert track.sentences == ["1 to 2: a splits into a1 and a2; b and c merge into bc; d dissolves; new is born"]


def with_ids(ids, labels, shift=0.0):
    X = np.array([[float(at), 0.0] for at in range(len(ids))]) + shift
    return pd.DataFrame(X, columns=["x", "y"]).assign(id=ids, segment=labels)


def test_ids_say_what_became_of_clusters_and_who_moved():
    jan = with_ids(list("ABCDEFGH"), ["p"] * 4 + ["q"] * 4)
    jun = with_ids(list("ABCDEFGI"), [1, 1, 1, 2, 2, 2, 2, 2])
    track = cv.track(jan, jun, id="id", labels="segment", times=["jan", "jun"], n_permutations=0)
    assert track.by == "ids"
    assert events(track) == {("p", 1): "continues", ("q", 2): "continues"}
    assert track.moves.records == [{"step": "jan to jun", "id": "D", "before": "p", "after": "q"}]
    assert track.labels[1].tolist() == ["p"] * 3 + ["q"] * 5
    shares = {r["before"]: (r["shared"], r["share_before"], r["share_after"]) for r in track.table.records}
    assert shares == {"p": (3, 0.75, 1.0), "q": (3, 1.0, 0.75)}
    flows = {(r["before"], r["after"]): r["rows"] for r in track.flows.records}
    assert flows == {("p", "p"): 3, ("p", "q"): 1, ("q", "q"): 3, ("q", "(gone)"): 1, ("(new)", "q"): 1}


def test_it_is_said_where_few_ids_are_in_both_times():
    jan = with_ids(range(20), ["p"] * 10 + ["q", None] * 5)
    few, enough = (with_ids(range(first, first + 15), ["p"] * 15) for first in (18, 16))
    tracks = [cv.track(jan, jun, id="id", labels="segment", n_permutations=0) for jun in (few, enough)]
    assert str(tracks[0]).endswith(
        "\n1 to 2: few ids are in both, those of 1 of 15 rows in clusters before and 2 of 15 after, so that clusters "
        "count as gone or new; without ids, rows are compared by where they lie"
    )
    assert len(tracks[0].sentences) == 2
    assert len(tracks[1].sentences) == 1
    assert len(cv.track(jan, few, labels="segment", features=["x", "y"], n_permutations=0).sentences) == 1


@given(SEEDS)
@examples(40)
def test_events_by_ids_are_those_of_shares_counted_in_loops(seed):
    rng = np.random.default_rng(seed)
    ids = [rng.permutation(30)[:24].tolist() for _ in range(2)]
    labels = [rng.choice(list(names), 24).tolist() for names in ("abc", "uvw")]
    X = rng.normal(size=(24, 1))
    track = cv.track((X, labels[0]), (X, labels[1]), id=ids, n_permutations=0)
    where = [dict(zip(i, own, strict=True)) for i, own in zip(ids, labels, strict=True)]
    shared = [key for key in ids[0] if key in where[1]]
    links = set()
    for c in set(labels[0]):
        for d in set(labels[1]):
            both = sum(where[0][key] == c and where[1][key] == d for key in shared)
            out = sum(where[0][key] == c for key in shared)
            into = sum(where[1][key] == d for key in shared)
            enough = out >= 0.1 * labels[0].count(c) and into >= 0.1 * labels[1].count(d)
            if enough and both and (both > out / 2 or both > into / 2):
                links.add((c, d))
    assert {pair for pair, event in events(track).items() if event not in {"born", "dissolved"}} == links
    assert {d for _, d in track.births} == set(labels[1]) - {d for _, d in links}
    assert {c for _, c in track.deaths} == set(labels[0]) - {c for c, _ in links}
    moved = [
        key
        for key in ids[1]
        if key in where[0] and dict(zip(ids[1], track.labels[1], strict=True))[key] != where[0][key]
    ]
    assert track.moves["id"].tolist() == moved


def test_names_stay_with_clusters_over_any_number_of_times():
    centres = [(0, 0), (20, 0)]
    times = [blobs(centres, (30, 20), seed=seed) for seed in range(3)]
    last = blobs([*centres, (0, 60)], (30, 20, 15), seed=9)
    flipped = [
        (times[0][0], times[0][1]),
        (times[1][0], 1 - times[1][1]),
        (times[2][0], times[2][1]),
        (last[0], 2 - last[1]),
    ]
    track = cv.track(*flipped, level=0.999, n_permutations=0)
    assert [labels.tolist() for labels in track.labels[:3]] == [times[at][1].tolist() for at in range(3)]
    assert track.labels[3].tolist() == [0] * 30 + [1] * 20 + [2] * 15
    assert track.births == [("3 to 4", 0)]  # the name that it has in the fourth clustering


def test_the_names_of_clusters_do_not_matter():
    before, after = blobs([(0, 0), (9, 0)], (20, 30)), blobs([(0, 1), (9, 1)], (20, 30), seed=5)
    numbers = cv.track(before, after, n_permutations=9)
    texts = cv.track(before, (after[0], np.array(["z", "a"])[after[1]]), n_permutations=9)
    key = lambda track: sorted((r["before"], r["shared"], round(r["energy"], 9)) for r in track.table.records)  # noqa: E731
    assert key(numbers) == key(texts)
    assert [labels.tolist() for labels in texts.labels] == [labels.tolist() for labels in numbers.labels]


def test_a_cluster_that_moved_has_a_small_p_and_one_that_did_not_has_not():
    before, after = blobs([(0, 0), (30, 0)], (60, 60), seed=0), blobs([(0, 0), (31.5, 0)], (60, 60), seed=1)
    records = {r["before"]: r for r in cv.track(before, after, level=0.999).table.records}
    assert records[1]["adjusted"] <= 0.01
    assert records[0]["p_value"] > 0.05
    assert records[1]["centre_shift"] == approx(1.5, abs=0.5)


def test_columns_on_other_scales_count_alike_if_asked_to():
    before, after = blobs([(0, 0), (9, 0)], (20, 30)), blobs([(0, 1), (9, 1)], (20, 30), seed=5)
    scale = np.array([1000.0, 0.01])
    plain = cv.track(before, after, standardize=True, n_permutations=0)
    scaled = cv.track((before[0] * scale, before[1]), (after[0] * scale, after[1]), standardize=True, n_permutations=0)
    assert scaled.table["energy"] == approx(plain.table["energy"], nan_ok=True)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_frames_with_columns_in_another_order_give_the_same(kind):
    X, labels = make_blobs((20, 20), (0, 6), seed=0)
    first = kind({"x": X[:, 0], "y": X[:, 1], "segment": labels})
    second = kind({"segment": labels, "y": X[:, 1], "x": X[:, 0]})
    by_frames = cv.track(first, second, labels="segment", n_permutations=9)
    assert by_frames == cv.track((X[:, :2], labels), (X[:, :2], labels), n_permutations=9)


def test_an_index_of_pandas_with_names_is_ids_and_one_of_places_is_not():
    X, labels = make_blobs((20, 20), (0, 6), seed=0)
    frame = pd.DataFrame(X)
    assert cv.track((frame, labels), (frame, labels), n_permutations=0).by == "space"
    named = frame.set_index(pd.Index([f"c{at}" for at in range(len(X))]))
    assert cv.track((named, labels), (named, labels), n_permutations=0).by == "ids"


def test_bars_and_ribbons_lie_inside_the_drawing_and_end_at_their_bars():
    before = blobs([(0, 0), (20, 0), (40, 0)], (60, 30, 25), seed=1)
    after = blobs([(0, 0), (20, 0), (0, 90)], (50, 40, 20), seed=2)
    drawing = cv.track(before, after, level=0.999, n_permutations=0).drawing
    assert drawing.titles == ["1", "2"]
    for bar in drawing.bars:
        assert 0 <= bar.y <= bar.y + bar.height <= HEIGHT + 1e-9
    for ribbon in drawing.ribbons:
        assert (
            ribbon.source.y - 1e-9
            <= ribbon.start
            <= ribbon.start + ribbon.thickness
            <= ribbon.source.y + ribbon.source.height + 1e-9
        )
        assert ribbon.source.column + 1 == ribbon.target.column


def test_bars_are_ordered_so_that_straight_ribbons_do_not_cross():
    names = list("abcd")
    columns = [[Cluster(name, 5, "") for name in names], [Cluster(name, 5, "") for name in reversed(names)]]
    drawing = layered(columns, [{(name, name): 5 for name in names}], ["1", "2"])
    assert [bar.cluster.name for bar in drawing.bars] == names * 2


def test_the_page_and_the_figure_show_every_cluster(tmp_path):
    before = blobs([(0, 0), (20, 0)], (60, 30), seed=1)
    names = np.array(["<b>", "x & y"])
    track = cv.track((before[0], names[before[1]]), (before[0], names[before[1]]), n_permutations=9)
    page = track.to_html(tmp_path / "track.html")
    assert "What became of the clusters?" in page
    assert "x &amp; y at 2: 30 rows" in page
    assert "<b> at" not in page
    assert len(track.plot().patches) == 4 + 2
    assert len(track.to_pandas()) == 2


FRAME = with_ids(["A", "B", "C", "D"], ["p", "p", "q", "q"])
PAIR = ([[0.0], [1.0]], [0, 1])
BAD_CALLS = {
    "ids twice": (
        lambda: cv.track(FRAME, with_ids(["A", "B", "C", "A"], ["p", "p", "q", "q"]), id="id", labels="segment"),
        "The id 'A' is there twice in after; an id names one row.",
    ),
    "no shared ids": (
        lambda: cv.track(FRAME, with_ids(["E", "F", "G", "H"], ["p", "p", "q", "q"]), id="id", labels="segment"),
        "No id is in both clusterings; leave ids out to compare rows by where they lie.",
    ),
    "an unknown id": (
        lambda: cv.track(FRAME, FRAME, id="idd", labels="segment"),
        "before has no column 'idd'. Did you mean 'id'?",
    ),
    "no labels": (
        lambda: cv.track(FRAME, FRAME),
        "before must be (X, labels), or a frame whose labels are in the column that labels= names.",
    ),
    "other columns": (
        lambda: cv.track(PAIR, ([[0.0, 1.0], [1.0, 1.0]], [0, 1])),
        "after has 2 columns but the rows that were clustered have 1.",
    ),
    "a missing column": (
        lambda: cv.track(FRAME, FRAME.rename(columns={"x": "z"}), labels="segment", id="id"),
        "after has no column 'x', by which rows were clustered.",
    ),
    "only noise": (lambda: cv.track(PAIR, ([[0.0], [1.0]], [-1, -1])), "after has no clusters: every label is noise."),
    "labels of other rows": (
        lambda: cv.track(PAIR, ([[0.0], [1.0]], [0, 1, 1])),
        "after has 2 rows but the labels of after has 3 entries.",
    ),
    "times": (lambda: cv.track(PAIR, PAIR, times=["jan"]), "times must have a name for each of the 2 clusterings"),
    "a number of times": (
        lambda: cv.track(PAIR, PAIR, times=3),
        "times must have a name for each of the 2 clusterings, each another; it is 3.",
    ),
    "ids of one time": (lambda: cv.track(PAIR, PAIR, id=[[1, 2]]), "id must be the name of a column, or a list of 2"),
    "distances": (lambda: cv.track(PAIR, PAIR, metric="precomputed"), "metric='precomputed' has no coordinates"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_what_cannot_be_tracked_is_said_in_a_sentence(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(InputError) as error:
        call()
    assert message in str(error.value)
