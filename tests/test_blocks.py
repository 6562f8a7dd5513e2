"""Data that are read in blocks have the values of the same data in memory, wherever they are read from."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pytest import approx
from scipy.spatial.distance import cdist

import clustval as cv
from clustval.errors import InputError
from clustval.passes.points.row_moments import RowSums
from clustval.passes.points.unsorted_rows import rows_to_centres, sums_to_centres
from clustval.readers import file_rows, open_rows
from clustval.sources import first_pass, stream

pytestmark = pytest.mark.filterwarnings("ignore:The inplace keyword")  # Dask's use of pandas
N, P = 1201, 3
NAMES = ["x", "y", "z"]


@pytest.fixture(autouse=True)
def _small_blocks(set_limits):
    """Let blocks be of a few rows and pieces of a few blocks."""
    set_limits(rows_per_block=37, rows_per_piece=200, rows_per_file_piece=200)


def data(dtype=np.float64):
    rng = np.random.default_rng(3)
    codes = rng.choice(5, N, p=[0.5, 0.3, 0.15, 0.04, 0.01])
    X = rng.normal(size=(N, P)) * [1, 3, 0.2] + 4 * rng.normal(size=(5, P))[codes] + 1e4
    return X.astype(dtype), np.array(["b", "a", "d", "c", "e"])[codes], rng


X, LABELS, RNG = data()
NOISY = np.where(np.arange(N) % 11 == 5, None, LABELS).astype(object)


def assert_same(scores, whole, rel=1e-11):
    assert list(scores) == list(whole)
    for name, value in whole.items():
        assert scores[name] == approx(value, rel=rel, abs=1e-13, nan_ok=True), name
        assert math.isnan(value) or name not in scores.reasons
    assert scores.coverage == whole.coverage


@pytest.fixture
def folder(tmp_path):
    """The table as Parquet in three files, as Arrow, and as arrays."""
    table = pa.table({"x": X[:, 0], "cluster": NOISY.tolist(), "y": X[:, 1], "z": X[:, 2], "w": np.ones(N)})
    (tmp_path / "points").mkdir()
    for at, (low, high) in enumerate([(0, 500), (500, 500), (500, 1100), (1100, N)]):
        pq.write_table(table.slice(low, high - low), tmp_path / f"points/{at}.parquet", row_group_size=90)
    with pa.ipc.new_file(tmp_path / "table.arrow", table.schema) as file:
        file.write_table(table, max_chunksize=100)
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "labels.npy", np.where(NOISY == None, "", NOISY).astype(str))  # noqa: E711
    return tmp_path


WHOLE = cv.evaluate(X, NOISY, "fast")


def from_files(path):
    return {"labels": "cluster", "features": NAMES, "X": str(path)}


def sources(folder):
    dd, da = pytest.importorskip("dask.dataframe"), pytest.importorskip("dask.array")
    frame = dd.read_parquet(folder / "points")
    return {
        "a file": from_files(folder / "table.arrow"),
        "a folder": from_files(folder / "points"),
        "a pattern": from_files(folder / "points/*.parquet"),
        "a path object": {"X": folder / "points", "labels": "cluster", "features": NAMES},
        "an array on disk": {"X": str(folder / "X.npy"), "labels": NOISY},
        "a mapped array": {"X": np.load(folder / "X.npy", mmap_mode="r"), "labels": pl.Series(NOISY.tolist())},
        "a lazy frame": {"X": pl.scan_parquet(folder / "points"), "labels": "cluster", "features": NAMES},
        "a lazy frame and labels": {"X": pl.scan_parquet(folder / "points").select(NAMES), "labels": NOISY},
        "a frame of Dask": {"X": frame, "labels": "cluster", "features": NAMES},
        "a frame and a column of Dask": {"X": frame[NAMES], "labels": frame["cluster"]},
        "an array of Dask": {"X": da.from_array(X, chunks=(100, 2)), "labels": NOISY},
        "arrays of Dask, cut otherwise": {
            "X": da.from_array(X, chunks=(100, 3)),
            "labels": da.from_array(NOISY, chunks=317),
        },
        "chunks of unknown size": {"X": frame[NAMES].to_dask_array(), "labels": da.from_array(NOISY, chunks=317)},
        "chunks": {"X": Chunked(X), "labels": NOISY},
    }


class Chunked:
    """An array that can only be sliced, as that of Zarr."""

    def __init__(self, array):
        self.array, self.shape, self.chunks = array, array.shape, (64, 3)

    def __getitem__(self, rows):
        return self.array[rows]


SOURCES = (
    "a file", "a folder", "a pattern", "a path object", "an array on disk", "a mapped array", "a lazy frame",
    "a lazy frame and labels", "a frame of Dask", "a frame and a column of Dask", "an array of Dask",
    "arrays of Dask, cut otherwise", "chunks of unknown size", "chunks",
)  # fmt: skip


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_the_values_of_the_data_in_memory(folder, source):
    given = sources(folder)[source]
    assert_same(cv.evaluate(**given, indices="fast", n_jobs=2), WHOLE)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.longdouble, np.int16, ">f8"])
def test_types_of_numbers_do_not_matter(tmp_path, dtype):
    points = (X - 1e4).astype(dtype)
    np.save(tmp_path / "X.npy", points)
    assert_same(cv.evaluate(str(tmp_path / "X.npy"), LABELS, "fast"), cv.evaluate(points, LABELS, "fast"))


def test_an_array_without_columns_is_empty(tmp_path):
    np.save(tmp_path / "X.npy", np.empty((N, 0)))
    assert refused(str(tmp_path / "X.npy"), LABELS, "ch") == "X is empty: it has no columns."


@pytest.mark.parametrize("low", [0, 500, N - 200])
def test_a_block_may_be_all_noise(tmp_path, low):
    labels = np.where((np.arange(N) >= low) & (np.arange(N) < low + 200), None, LABELS).astype(object)
    np.save(tmp_path / "X.npy", X)
    names = ["cdbw", *WHOLE]
    assert_same(cv.evaluate(str(tmp_path / "X.npy"), labels, names), cv.evaluate(X, labels, names))


@pytest.mark.parametrize("noise", ["drop", "cluster"])
@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_noise_weights_and_metrics_are_those_of_memory(folder, noise, metric):
    weights = np.random.default_rng(0).choice([0.0, 0.5, 1, 2, 3.25], N)
    given = {"metric": metric, "noise": noise, "sample_weight": weights}
    whole = cv.evaluate(X, NOISY, "fast", **given)
    assert_same(cv.evaluate(str(folder / "points"), "cluster", "fast", features=NAMES, **given), whole)
    unweighted = cv.evaluate(X, NOISY, "fast", metric=metric, noise=noise)
    column = cv.evaluate(str(folder / "points"), "cluster", "fast", metric=metric, noise=noise, sample_weight="w")
    assert_same(column, unweighted)
    assert column.per_cluster("size") == unweighted.per_cluster("size")


def test_two_passes_suffice(folder, monkeypatch):
    reads = []
    blocks = file_rows.FilePiece.blocks
    monkeypatch.setattr(file_rows.FilePiece, "blocks", lambda piece: reads.append(str(piece)) or blocks(piece))
    given = str(folder / "points"), "cluster", ["ch", "db", "simplified_silhouette", "det_ratio"]
    with ThreadPoolExecutor(1) as others:  # for whom nothing is read beforehand
        cv.evaluate(*given, features=NAMES, executor=others)
    assert max(map(reads.count, reads)) == 3  # the first piece is looked at before, for an origin
    assert sum(reads.count(piece) == 2 for piece in set(reads)) == len(set(reads)) - 1


def test_values_do_not_depend_on_threads_or_processes(folder):
    from concurrent.futures import ProcessPoolExecutor

    one = cv.evaluate(**from_files(folder / "points"), indices="fast", n_jobs=1)
    with ProcessPoolExecutor(2) as pool:
        other = cv.evaluate(**from_files(folder / "points"), indices="fast", executor=pool)
    assert cv.evaluate(**from_files(folder / "points"), indices="fast", n_jobs=3) == one
    assert other["davies_bouldin"] == approx(one["davies_bouldin"], rel=1e-13)  # blocks of processes are larger


def test_what_needs_all_points_is_computed_in_memory_if_they_fit(folder):
    whole = cv.evaluate(X, NOISY, ["dunn", "silhouette", "gamma", "dbcv"])
    scores = cv.evaluate(str(folder / "points"), "cluster", list(whole), features=NAMES)
    assert_same(scores, whole, rel=0)
    assert scores.per_point("silhouette").tolist() == approx(whole.per_point("silhouette").tolist(), nan_ok=True)


def test_what_does_not_fit_has_no_value_and_the_reason(folder, set_limits):
    set_limits(room=10**5)
    scores = cv.evaluate(**from_files(folder / "points"), indices=["ch", "dbcv"], memory="1 GiB")
    assert scores["ch"] == approx(WHOLE["calinski_harabasz"])
    assert scores.reasons["dbcv"] == (
        "dbcv needs all points at once, some 2.68 GiB; the budget is 1 GiB. Raise memory=, or leave it out."
    )


def test_too_many_distances_are_refused_with_their_number_and_the_time(folder, set_limits):
    set_limits(exact_pairs=10**5, pairs_per_second=500)
    scores = cv.evaluate(**from_files(folder / "points"), indices=["silhouette"], n_jobs=2)
    assert math.isnan(scores["silhouette"])
    assert scores.reasons["silhouette"] == (
        "silhouette needs 5.96e+05 distances, about 8 minutes on 2 cores; "
        "approximate=0.01 estimates it with an error bar."
    )


def test_diameters_are_exact_after_one_more_pass(folder, set_limits, set_thresholds):
    set_limits(room=10**9)  # nothing fits into memory
    names = ["gdi41", "gdi51", "gdi51_own_centre"]
    whole = cv.evaluate(X, NOISY, names)
    given = from_files(folder / "points")
    scores = cv.evaluate(**given, indices=names)
    assert_same(scores, whole, rel=1e-14)
    assert scores.per_cluster("diameter") == approx(whole.per_cluster("diameter"), rel=1e-14)
    assert cv.evaluate(**given, indices=names, approximate=0.01).error("gdi41") == 0
    assert cv.evaluate(**given, indices="gdi41", metric="cityblock").reasons["gdi41"].startswith("gdi41 needs all")
    set_limits(most_ends=4)
    reason = cv.evaluate(**given, indices="gdi41").reasons["gdi41"]
    assert reason.startswith("more than 4 points may be ends of the largest distance inside a cluster")
    set_thresholds(MEETINGS=100)
    searched = cv.evaluate(X, NOISY, names)
    assert searched.to_dict() == approx(whole.to_dict(), rel=1e-14)
    assert searched.source._visit is None


def test_far_from_zero_nothing_is_lost(tmp_path):
    far = X + 1e8
    np.save(tmp_path / "X.npy", far)
    assert_same(cv.evaluate(str(tmp_path / "X.npy"), LABELS, "fast"), cv.evaluate(far, LABELS, "fast"), rel=1e-7)


def test_the_first_rows_of_a_cluster_may_lie_far_from_the_rest(tmp_path):
    points = np.concatenate([np.full((16, 2), 1e6), RNG.normal(size=(3000, 2))])
    labels = np.arange(len(points)) % 2
    np.save(tmp_path / "X.npy", points)
    whole = cv.evaluate(points, labels, "trace_w")["trace_w"]
    assert cv.evaluate(str(tmp_path / "X.npy"), labels, "trace_w")["trace_w"] == approx(whole, rel=1e-13)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("p", [1, 8, 11])
def test_rows_in_any_order_have_the_sums_of_numpy(p, dtype):
    rng = np.random.default_rng(p)
    codes = rng.integers(0, 11, 300)
    codes[codes == 4] = 5  # a cluster without rows
    rows = (rng.normal(size=(300, p)) + codes[:, None] + 50).astype(dtype)
    sums = RowSums.of(rows, codes, np.bincount(codes, minlength=11))
    wide = rows.astype(np.float64)
    assert np.array_equal([sums.lows, sums.highs], [wide.min(axis=0), wide.max(axis=0)])
    means = wide[codes == 3].mean(axis=0)
    assert sums.means_from(0)[3] == approx(means, rel=1e-14)
    assert sums.squares[3] == approx(((wide[codes == 3] - means) ** 2).sum(axis=0), rel=1e-12)
    assert sums.firsts[[3, 4]].tolist() == [np.flatnonzero(codes == 3)[0], -1]
    centres = rng.normal(size=(11, p))
    own, nearest, total = rows_to_centres(rows, codes, np.ones(p), centres, centres[0])
    table = sums_to_centres(rows, codes, np.ones(p), centres)
    distances = cdist(wide - 1, centres)
    assert own == approx(distances[np.arange(300), codes], rel=1e-14)
    assert total == approx(distances[:, 0].sum())
    assert table == approx(np.array([distances[codes == c].sum(axis=0) for c in range(11)]))
    distances[np.arange(300), codes] = np.inf
    assert nearest == approx(distances.min(axis=1), rel=1e-14)
    rows[7, p - 1] = np.nan
    assert not np.isfinite(RowSums.of(rows, codes, np.bincount(codes, minlength=11)).lows).all()


def test_an_index_of_blocks_has_the_same_bits_alone_and_among_all_that_ask_for_more(tmp_path):
    np.save(tmp_path / "X.npy", X)
    among = cv.evaluate(str(tmp_path / "X.npy"), LABELS, "fast")
    for name in ("davies_bouldin", "pbm", "simplified_silhouette", "gdi53"):
        assert cv.evaluate(str(tmp_path / "X.npy"), LABELS, name)[name] == among[name], name


def test_equal_points_have_no_spread(tmp_path):
    points = np.repeat([[0.1, 1e5], [0.3, 1e5 + 1]], 100, axis=0)
    np.save(tmp_path / "X.npy", points)
    assert cv.evaluate(str(tmp_path / "X.npy"), np.repeat([0, 1], 100), "trace_w")["trace_w"] == 0


def test_silhouettes_of_clusters_in_blocks_are_those_of_memory(folder):
    simplified = cv.evaluate(**from_files(folder / "table.arrow"), indices="simplified_silhouette")
    whole = cv.evaluate(X, NOISY, "simplified_silhouette")
    assert simplified.per_cluster("simplified_silhouette") == approx(whole.per_cluster("simplified_silhouette"))


def test_equal_points_in_blocks_have_no_silhouette_beside_a_block_of_points_alone(tmp_path):
    np.save(tmp_path / "X.npy", np.ones((100, 2)))
    scores = cv.evaluate(str(tmp_path / "X.npy"), np.minimum(np.arange(100), 40), "simplified_silhouette")
    assert np.isnan(scores["simplified_silhouette"])


# --- agreement -------------------------------------------------------------------------------------------

TRUTH = np.where(np.arange(N) % 5 == 2, "b", LABELS)


@pytest.mark.parametrize("noise", ["cluster", "drop"])
def test_agreement_of_blocks_is_that_of_memory(tmp_path, noise):
    dd = pytest.importorskip("dask.dataframe")
    table = pa.table({"t": TRUTH, "c": NOISY.tolist(), "w": np.arange(N) % 3})
    pq.write_table(table, tmp_path / "a.parquet", row_group_size=100)
    np.save(tmp_path / "t.npy", TRUTH)
    whole = cv.agreement(TRUTH, NOISY, "all", noise=noise)
    for source in (str(tmp_path / "a.parquet"), pl.scan_parquet(tmp_path / "a.parquet"), dd.read_parquet(tmp_path)):
        scores = cv.agreement("t", "c", "all", data=source, noise=noise)
        assert scores.to_dict() == whole.to_dict()
        assert scores.coverage == whole.coverage
        assert scores.table.column_labels == whole.table.column_labels
    assert cv.agreement(str(tmp_path / "t.npy"), NOISY, "all", noise=noise).to_dict() == whole.to_dict()
    weighted = cv.agreement("t", "c", "all", data=str(tmp_path / "a.parquet"), sample_weight="w", noise=noise)
    assert weighted == cv.agreement(TRUTH, NOISY, "all", sample_weight=np.arange(N) % 3, noise=noise)


ANOTHER = np.where(np.arange(N) % 7 == 3, None, NOISY)


@pytest.mark.parametrize("noise", ["cluster", "drop"])
def test_prayatul_matching_and_tables_of_blocks_are_those_of_memory(tmp_path, noise):
    da, dd = pytest.importorskip("dask.array"), pytest.importorskip("dask.dataframe")
    path = str(tmp_path / "a.parquet")
    table = pa.table({"t": TRUTH, "c": NOISY.tolist(), "d": ANOTHER.tolist(), "w": np.arange(N) % 3})
    pq.write_table(table, path, row_group_size=100)
    heavy = np.arange(N) % 3
    whole = cv.prayatul(TRUTH, NOISY, ANOTHER, noise=noise)
    for source in (path, pl.scan_parquet(path), dd.read_parquet(path)):
        parts = cv.prayatul("t", "c", "d", data=source, noise=noise)
        assert parts.matrix.tolist() == whole.matrix.tolist()
        assert parts.swapped.measures == whole.swapped.measures
        assert cv.matching("t", "c", data=source, noise=noise) == cv.matching(TRUTH, NOISY, noise=noise)
    # What chance draws goes by combinations in their order, which names fix.
    assert parts.bootstrap(9, random_state=0) == cv.prayatul("t", "c", "d", data=path, noise=noise).bootstrap(
        9, random_state=0
    )
    weighted = cv.prayatul("t", "c", "d", data=path, noise=noise, sample_weight="w")
    assert weighted.counts == cv.prayatul(TRUTH, NOISY, ANOTHER, noise=noise, sample_weight=heavy).counts
    columns = [np.asarray(column, dtype=str) for column in (TRUTH, NOISY, ANOTHER)]
    whole = cv.prayatul(*columns, noise=noise)
    paths = [str(tmp_path / f"{at}.npy") for at in range(3)]
    for name, column in zip(paths, columns, strict=True):
        np.save(name, column)
    assert cv.prayatul(*paths, noise=noise).counts == whole.counts
    lazy = [da.from_array(column, chunks) for column, chunks in zip(columns, (100, 100, 70), strict=True)]
    assert cv.prayatul(*lazy, noise=noise).counts == whole.counts
    assert cv.contingency("t", "c", data=path, noise=noise) == cv.contingency(TRUTH, NOISY, noise=noise)
    counts = cv.concordance("t", "c", data=path, noise=noise)
    assert counts.tolist() == cv.concordance(TRUTH, NOISY, noise=noise).tolist()


def test_what_three_labellings_in_blocks_cannot_be(tmp_path, set_limits):
    da = pytest.importorskip("dask.array")
    for name, column in {"t": TRUTH, "short": TRUTH[:-1]}.items():
        np.save(tmp_path / f"{name}.npy", column)
    t, short = str(tmp_path / "t.npy"), str(tmp_path / "short.npy")
    pq.write_table(pa.table({"t": TRUTH, "c": NOISY.tolist()}), tmp_path / "a.parquet")
    for labellings, options, message in (
        ((t, t, short), {}, f"truth has {N} entries but alternative has {N - 1}."),
        ((t, t, "c"), {}, ("alternative is 'c', a name, and no table has that column; "
         "give the table that has both as data=.")),
        (("t", "c", "e"), {"data": tmp_path / "a.parquet"},
         f"{tmp_path / 'a.parquet'} has no column 'e'. It has 't', 'c'."),
        (("t", "c", TRUTH), {"data": tmp_path / "a.parquet"},
         "With data=, alternative must be the name of a column; it is of type ndarray."),
        ((da.from_array(TRUTH), TRUTH, TRUTH), {}, "truth is a collection of Dask, so primary must be one, too."),
        ((t, t, da.from_array(TRUTH)), {}, "alternative is a collection of Dask, so truth must be one, too."),
        ((TRUTH, TRUTH, TRUTH), {"executor": "threads"},
         "executor is for labels that are read in blocks, such as columns of data=; these are in memory."),
        (("t", "c", "c"), {"data": tmp_path / "a.parquet", "noise": "error"},
         f"primary marks {N // 11} points as noise, the first at position 5; noise='error' allows none."),
    ):  # fmt: skip
        assert refused(*labellings, function=cv.prayatul, **options) == message
    with pytest.raises(InputError, match="keeps no single points, since the labels were read in blocks"):
        _ = cv.prayatul(t, t, t).points
    set_limits(most_combinations=2)
    message = "truth and labels have more than 2 combinations of labels, too many to be counted."
    assert refused(t, t, function=cv.agreement) == message


def test_categories_that_differ_per_partition_are_merged_by_name(tmp_path):
    for at, names in enumerate((["x", "y"], ["y", "z"])):
        codes = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1]), pa.array(names))
        pq.write_table(pa.table({"c": codes, "t": [0, 1, 1 + at], "v": [1.0, 2.0, 3.0]}), tmp_path / f"{at}.parquet")
    table = cv.agreement("t", "c", data=str(tmp_path)).table
    assert table.column_labels == ["x", "y", "z"]
    assert table.table.tolist() == [[1, 1, 0], [0, 2, 1], [0, 0, 1]]
    assert cv.evaluate(str(tmp_path), "c", "ch", features=["v"]).per_cluster("size") == {"x": 1, "y": 3, "z": 2}


# --- what is refused -------------------------------------------------------------------------------------


def refused(*args, function=cv.evaluate, **kwargs):
    with pytest.raises(InputError) as error:
        function(*args, **kwargs)
    return str(error.value)


def test_a_value_that_is_not_finite_is_named_as_in_memory(folder):
    bad = X.copy()
    bad[[731, 1000, 900], [1, 0, 2]] = np.nan, np.inf, np.nan
    np.save(folder / "X.npy", bad)
    message = "X must be finite; row 731, column 1 is nan (3 such rows)."
    assert refused(bad, LABELS, "ch") == refused(str(folder / "X.npy"), LABELS, "ch") == message
    frame = pl.DataFrame(bad, schema=NAMES).with_columns(c=pl.Series(LABELS))
    frame.write_parquet(folder / "bad.parquet", row_group_size=50)
    remedy = "drop or fill such rows, or use metric='gower', which skips gaps."
    message = f"X must be finite; row 731, column 'y' is nan (3 such rows); {remedy}"
    assert refused(str(folder / "bad.parquet"), "c", "ch") == refused(frame.select(NAMES), LABELS, "ch") == message


def test_totals_that_differ_are_refused(folder):
    da = pytest.importorskip("dask.array")
    message = "X has 1201 rows but labels has 1200 entries."
    assert refused(str(folder / "points"), LABELS[:-1], "ch", features=NAMES) == message
    for points in (str(folder / "X.npy"), da.from_array(X, chunks=(100, 3))):
        assert refused(points, LABELS[:-1], "ch") == message
    assert refused(da.from_array(X, chunks=(100, 3)), da.from_array(LABELS[:-1], chunks=70), "ch") == message


def test_files_that_are_not_there_or_no_tables_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    (tmp_path / "empty").mkdir()
    assert refused(str(tmp_path / "no.parquet"), "c") == f"There is no file {tmp_path / 'no.parquet'}."
    assert refused(str(tmp_path / "no*.parquet"), "c") == f"No file fits the pattern {tmp_path / 'no*.parquet'}."
    with ThreadPoolExecutor(1) as others:
        message = refused(str(tmp_path / "a.csv"), "c", executor=others)
    assert message.startswith("Blocks are read from Parquet, Arrow, NPY, NPZ that is not compressed, and safetensors; ")
    assert refused(str(tmp_path / "empty"), "c").startswith(f"The folder {tmp_path / 'empty'} has no tables")


def test_a_damaged_file_is_said_to_be_damaged(folder):
    for name in ("points/0.parquet", "table.arrow", "X.npy"):
        path = folder / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
        assert f"{path} is damaged: " in refused(str(path), LABELS if name == "X.npy" else "cluster", "ch")


@pytest.mark.parametrize("name", ["points/2.parquet", "X.npy"])
@pytest.mark.parametrize("act", ["cut", "removed"])
def test_a_file_that_changes_while_it_is_read_is_noticed(folder, monkeypatch, name, act):
    path = folder / name
    read = first_pass.first_pass

    def counted(rows, rules):
        if act == "cut" and path.stat().st_size > 1000:
            path.write_bytes(path.read_bytes()[:999])
        elif act == "removed":
            path.unlink(missing_ok=True)
        return read(rows, rules)

    monkeypatch.setattr(first_pass, "first_pass", counted)
    given = (str(path), LABELS) if name == "X.npy" else (str(folder / "points"), "cluster")
    with ThreadPoolExecutor(1) as others:  # for whom nothing is read beforehand
        message = refused(*given, "ch", features=None if name == "X.npy" else NAMES, executor=others)
    assert message == f"There is no file {path}." if act == "removed" else "it changed while it was read" in message


def test_a_disk_that_is_full_midway_gives_an_error_and_no_number(folder, monkeypatch):
    form = file_rows.FORMATS["Parquet"]

    def batches(path, *rest):
        yield from form.batches(path, *rest)
        if path.endswith("2.parquet"):
            raise OSError(28, "No space left on device")

    monkeypatch.setitem(file_rows.FORMATS, "Parquet", replace(form, batches=batches))
    message = refused(str(folder / "points"), "cluster", "fast", features=NAMES)
    assert message == f"{folder / 'points/2.parquet'} cannot be read: No space left on device."


def test_files_of_other_columns_are_refused(folder):
    pq.write_table(pa.table({"x": [1.0], "cluster": ["a"]}), folder / "points/9.parquet")
    message = refused(str(folder / "points"), "cluster", "ch")
    assert message.startswith(f"{folder / 'points/9.parquet'} and {folder / 'points/0.parquet'} differ in columns: ")
    message = refused(str(folder / "points"), "cluster", "ch", features=NAMES)
    assert message == f"{folder / 'points/9.parquet'} has no column 'y'. It has 'x', 'cluster'."


def test_columns_are_looked_up_by_name(folder):
    path = str(folder / "table.arrow")
    assert refused(path, "clusters", "ch") == f"{path} has no column 'clusters'. Did you mean 'cluster'?"
    assert refused(path, "x", "ch", features=["y", "cluster"]) == (
        f"Column 'cluster' of {path} holds String, not numbers; drop or encode it, or name others in features=."
    )
    assert refused(str(folder / "X.npy"), "cluster", "ch").startswith(f"{folder / 'X.npy'} is NPY, which has no names")


def test_a_reader_gives_its_rows_once():
    table = pa.table({"x": X[:, 0], "y": X[:, 1], "c": LABELS})

    def reader():
        return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=64))

    once = cv.evaluate(reader(), "c", ["ch", "trace_w"])
    assert_same(once, cv.evaluate(X[:, :2], LABELS, ["ch", "trace_w"]))
    assert refused(reader(), "c", ["ch", "db"]).startswith("A reader gives its rows but once, and these indices need")
    points = table.select(["x", "y"])
    messages = {  # how many rows there are is known at the end only
        N - 1: f"The reader has at least {N} rows but labels has {N - 1} entries.",
        N + 1: f"X has {N} rows but labels has {N + 1} entries.",
    }
    for count, message in messages.items():
        beside = pa.RecordBatchReader.from_batches(points.schema, points.to_batches(500))
        assert refused(beside, LABELS[np.arange(count) % N], "ch") == message
    beside = pa.RecordBatchReader.from_batches(points.schema, points.to_batches(500))
    assert_same(cv.evaluate(beside, LABELS, ["ch", "trace_w"]), once)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=64)
    assert cv.evaluate(pa.ipc.open_stream(sink.getvalue()), "c", ["ch", "trace_w"]) == once


def test_a_million_names_are_rows_not_clusters(tmp_path, set_limits):
    set_limits(most_clusters=1000)
    np.save(tmp_path / "X.npy", X)
    message = "labels has more than 1,000 different values; they name rows, not clusters."
    assert refused(str(tmp_path / "X.npy"), np.arange(N), "ch") == message


def test_options_that_blocks_cannot_have_are_refused(folder):
    path = str(folder / "X.npy")
    assert "need coordinates" in refused(path, LABELS, metric="precomputed")
    assert "is made from all points" in refused(path, LABELS, metric="mahalanobis")
    assert "in blocks choose" in refused(path, NOISY, noise="singletons")
    message = "labels marks 109 points as noise, the first at position 5; noise='error' allows none."
    assert refused(path, NOISY, noise="error") == refused(X, NOISY, noise="error") == message
    assert "executor must be None" in refused(path, LABELS, executor=4)
    assert "X is in memory" in refused(X, LABELS, features=["x"])
    message = "labels marks 109 points as noise, the first at position 5; noise='error' allows none."
    np.save(folder / "t.npy", TRUTH)
    assert refused(str(folder / "t.npy"), NOISY, noise="error", function=cv.agreement) == message


# --- data in memory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_many_points_in_memory_are_not_sorted_for_linear_indices(set_thresholds, dtype):
    points = X.astype(dtype)
    names = [name for name in WHOLE if name != "cdbw"]  # which makes passes of its own
    whole = cv.evaluate(points, NOISY, names)
    set_thresholds(STREAM=1000)
    scores = cv.evaluate(points, NOISY, names)
    assert isinstance(scores._source, stream.Stream)
    assert not isinstance(whole._source, stream.Stream)
    assert_same(scores, whole)
    assert scores.per_point("simplified_silhouette") == approx(whole.per_point("simplified_silhouette"), nan_ok=True)
    assert scores.per_cluster("size") == whole.per_cluster("size")
    assert scores.source.n == whole.source.n
    assert not isinstance(cv.evaluate(points, NOISY, ["ch", "silhouette"])._source, stream.Stream)
    assert cv.internal.davies_bouldin(points, NOISY) == scores["davies_bouldin"]
    assert cv.internal.log_ss_ratio(points, NOISY, base=2) == approx(scores["log_ss_ratio"] / math.log(2), rel=1e-13)


def test_what_is_wrong_with_many_points_in_memory_is_said_as_of_few(set_thresholds):
    set_thresholds(STREAM=1000)
    bad = X.copy()
    bad[3, 1] = np.inf
    assert refused(bad, LABELS, "ch") == "X must be finite; row 3, column 1 is inf."
    assert refused(X, LABELS[:-1], "ch") == "X has 1201 rows but labels has 1200 entries."
    assert cv.evaluate(X * 1e100, LABELS, "ch")["ch"] == approx(cv.evaluate(X, LABELS, "ch")["ch"])


@pytest.mark.parametrize("labels", ["one", "several", "weights"])
def test_labels_in_a_file_are_sent_by_where_they_lie_and_no_data_with_them(tmp_path, labels):
    n = 5_000
    points, codes = np.random.default_rng(0).normal(size=(n, 2)), np.arange(n) % 3
    np.save(tmp_path / "X.npy", points)
    np.save(tmp_path / "L.npy", codes)
    path, given = str(tmp_path / "X.npy"), str(tmp_path / "L.npy")
    if labels == "several":
        table = open_rows.label_table({"truth": given, "a": given, "b": given})
    else:
        table = open_rows.rows_of(path, given, weights=given if labels == "weights" else None)
    assert all(len(pickle.dumps(piece)) < 2_000 for piece in table.pieces)
    blocks = [pickle.loads(pickle.dumps(piece)).blocks() for piece in table.pieces]
    rows = [block for some in blocks for block in some]
    first = [block.labels.columns[0] if labels == "several" else block.labels for block in rows]
    assert np.array_equal(np.concatenate(first), codes)
    if labels == "weights":
        assert np.array_equal(np.concatenate([block.weights for block in rows]), codes)


def test_labels_in_a_file_go_with_the_rows_of_any_cut(tmp_path, set_limits):
    set_limits(rows_per_piece=70)
    points, codes = np.random.default_rng(0).normal(size=(300, 2)), np.repeat(np.arange(3), 100)
    np.save(tmp_path / "L.npy", codes.astype(np.int16))
    for part, rows in enumerate((slice(0, 110), slice(110, 300))):
        table = pa.table({"x": points[rows, 0], "y": points[rows, 1]})
        pq.write_table(table, tmp_path / f"{part}.parquet", row_group_size=40)
    np.save(tmp_path / "X.npy", points)
    for path in (tmp_path / "X.npy", str(tmp_path / "*.parquet")):
        assert cv.evaluate(path, tmp_path / "L.npy", "ch")["ch"] == approx(cv.internal.calinski_harabasz(points, codes))
