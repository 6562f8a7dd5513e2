"""Embeddings where people keep them: columns of lists, files of tensors, tensors of other libraries."""

from __future__ import annotations

import json
import warnings

import annotated
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet
from scipy.cluster.hierarchy import linkage
from sklearn.mixture import GaussianMixture

import clustval as cv
from clustval.errors import InputError

RNG = np.random.default_rng(8)
LABELS = np.repeat([0, 1, 2], 12)
VECTORS = (RNG.normal(size=(36, 70)) + LABELS[:, None]).astype(np.float32)
SHUFFLED = RNG.permutation(36)
INDICES = ["silhouette", "davies_bouldin", "dunn", "calinski_harabasz"]


def values_of(X, labels=LABELS, **options):
    return list(dict(cv.evaluate(X, labels, INDICES, **options)).values())


PLAIN = values_of(VECTORS)
LIST = pa.array(VECTORS.tolist(), pa.list_(pa.float32()))
FIXED = pa.array(VECTORS.tolist(), pa.list_(pa.float32(), 70))
TEXT = [f"document {i}" for i in range(36)]
COLUMNS = {"text": TEXT, "cluster": LABELS, "length": RNG.integers(1, 9, 36)}
FRAMES = {
    "arrow lists": pa.table({**COLUMNS, "embedding": LIST}),
    "arrow arrays": pa.table({**COLUMNS, "embedding": FIXED}),
    "polars lists": pl.DataFrame({**COLUMNS, "embedding": pl.Series(VECTORS.tolist(), dtype=pl.List(pl.Float32))}),
    "polars arrays": pl.DataFrame({**COLUMNS, "embedding": pl.Series(VECTORS, dtype=pl.Array(pl.Float32, 70))}),
    "pandas arrays": pd.DataFrame({**COLUMNS, "embedding": list(VECTORS)}),
    "pandas of arrow": pd.DataFrame({**COLUMNS, "embedding": pd.Series(LIST, dtype=pd.ArrowDtype(LIST.type))}),
}


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_column_of_lists_has_the_values_of_the_array_to_the_bit(frame):
    assert values_of(frame, "cluster", features="embedding") == PLAIN
    assert values_of(frame, LABELS, features="embedding") == PLAIN


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_the_only_column_of_lists_is_the_points_where_there_are_no_numbers(frame):
    short = frame.select(["cluster", "embedding"]) if hasattr(frame, "select") else frame[["cluster", "embedding"]]
    assert values_of(short, "cluster") == PLAIN
    swept = cv.sweep(short, ["cluster"], INDICES)
    np.testing.assert_array_equal(swept.values, cv.sweep(VECTORS, {"cluster": LABELS}, INDICES).values)


@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
def test_a_frame_of_lists_alone_is_the_points_of_every_kind(frame):
    alone = frame.select(["embedding"]) if hasattr(frame, "select") else frame[["embedding"]]
    column = frame["embedding"]
    U = np.eye(3)[LABELS]
    tree = linkage(VECTORS, "average")
    model = GaussianMixture(2, covariance_type="spherical", random_state=0).fit(VECTORS.astype(float))
    for X in (alone, column):
        assert cv.fuzzy.kwon(X, U) == cv.fuzzy.kwon(VECTORS, U)
        assert cv.fuzzy.kwon(X, model) == cv.fuzzy.kwon(VECTORS.astype(float), model)
        assert cv.graph.modularity(X, LABELS, neighbours=3) == cv.graph.modularity(VECTORS, LABELS, neighbours=3)
        assert cv.trees.cophenetic_correlation(tree, X) == cv.trees.cophenetic_correlation(tree, VECTORS)
        assert cv.mixture.bic(X, model) == cv.mixture.bic(VECTORS.astype(float), model)


def test_covers_may_be_lists_of_zeros_and_ones():
    rows = [[1, 0], [1, 1], [0, 1]]
    assert cv.covers.omega(pl.DataFrame({"e": rows}), np.array(rows)) == 1


def test_lists_beside_numbers_are_refused_where_no_features_are_named():
    with pytest.raises(
        InputError,
        match=r"^Column 'e' of X holds List\(Float64\), not numbers; pass it alone to take its lists as points\.$",
    ):
        cv.fuzzy.kwon(pl.DataFrame({"e": [[1.0], [2.0]], "x": [1, 2]}), np.eye(2))


@pytest.mark.parametrize("form", ["memory", "parquet"])
def test_a_column_of_lists_comes_before_numbers_that_name_the_rows_and_not_before_others(form, tmp_path):
    frame = FRAMES["polars lists"]
    named = frame.drop("length").with_columns(id=pl.Series(SHUFFLED))
    X, counted = named, frame
    if form == "parquet":
        X, counted = tmp_path / "named.parquet", tmp_path / "counted.parquet"
        named.write_parquet(X)
        frame.write_parquet(counted)
    with pytest.warns(UserWarning, match=r"^Column 'id' names the rows of "):
        assert values_of(X, "cluster") == PLAIN
    with pytest.warns(
        UserWarning, match=r"^Column 'embedding' of .* holds lists and is left out; features='embedding'"
    ):
        assert values_of(counted, "cluster") == pytest.approx(values_of(frame["length"].to_numpy().reshape(-1, 1)))


def test_verbs_without_labels_take_the_only_column_of_lists_and_ask_where_there_are_numbers():
    frame = FRAMES["polars lists"]
    texts = frame[["embedding"]].with_columns(text=pl.Series(["a", "b"] * 18))
    assert cv.sweep(texts, {"a": LABELS}, INDICES) == cv.sweep(VECTORS, {"a": LABELS}, INDICES)
    with pytest.raises(InputError, match=r"^Column 'embedding' of X holds lists beside columns of numbers; say which"):
        cv.sweep(frame[["length", "embedding"]], {"a": LABELS}, INDICES)


def test_a_column_of_its_own_is_the_points():
    for column in (
        FRAMES["polars lists"]["embedding"],
        FRAMES["pandas arrays"]["embedding"],
        FRAMES["pandas arrays"]["embedding"].to_numpy(),
        FRAMES["pandas of arrow"]["embedding"],
    ):
        assert values_of(column) == PLAIN


@pytest.mark.parametrize("name", ["arrow lists", "arrow arrays"])
@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_a_column_of_lists_is_read_from_files(tmp_path, name, form):
    path = tmp_path / f"documents.{form}"
    if form == "parquet":
        parquet.write_table(FRAMES[name], path)
    else:
        with pa.ipc.new_file(path, FRAMES[name].schema) as file:
            file.write_table(FRAMES[name])
    assert values_of(path, "cluster", features="embedding") == PLAIN


def test_the_program_takes_a_column_of_lists(program, tmp_path):
    path = tmp_path / "documents.parquet"
    parquet.write_table(FRAMES["arrow lists"], path)
    outcome = program("evaluate", str(path), "-l", "cluster", "-f", "embedding", "-i", "silhouette", "--json")
    answer = json.loads(outcome.out)
    assert answer["features"] == [f"embedding{j}" for j in range(70)]
    assert answer["indices"][0]["value"] == PLAIN[0]


def test_labels_of_pandas_are_brought_into_the_order_of_the_frame():
    frame = FRAMES["pandas arrays"]
    labels = pd.Series(LABELS)[SHUFFLED]
    assert values_of(frame, labels, features="embedding") == PLAIN


def tensors(arrays: dict[str, tuple[str, np.ndarray]]) -> bytes:
    header, body = {"__metadata__": {"model": "x"}}, b""
    for name, (dtype, array) in arrays.items():
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [len(body), len(body) + array.nbytes]}
        body += array.tobytes()
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


HALF = VECTORS.astype(np.float16)
BRAIN = (VECTORS.view(np.uint32) >> 16).astype(np.uint16)
ROUGH = (BRAIN.astype(np.uint32) << 16).view(np.float32)


@pytest.mark.parametrize(
    ("dtype", "stored", "meant"),
    [
        ("F32", VECTORS, VECTORS),
        ("F64", VECTORS.astype(float), VECTORS.astype(float)),
        ("F16", HALF, HALF.astype(np.float32)),
        ("BF16", BRAIN, ROUGH),
    ],
)
def test_tensors_are_read_from_files_by_name(tmp_path, dtype, stored, meant):
    path = tmp_path / "vectors.safetensors"
    path.write_bytes(tensors({"ids": ("I64", np.arange(36)), "embedding": (dtype, stored)}))
    assert values_of(path, LABELS, features="embedding") == values_of(meant)
    np.savez(tmp_path / "vectors.npz", ids=np.arange(36), embedding=meant, labels=LABELS)
    assert values_of(tmp_path / "vectors.npz", "labels", features="embedding") == values_of(meant)


def test_damaged_files_of_tensors_are_refused(tmp_path):
    path, whole = tmp_path / "vectors.safetensors", tensors({"x": ("F32", VECTORS)})
    for content in (whole[:-1], whole[:40], whole[:5], b"\xff" * 8 + whole[8:], whole.replace(b"shape", b"shabe")):
        path.write_bytes(content)
        with pytest.raises(
            InputError, match=r"^vectors\.safetensors is damaged: |^.*vectors\.safetensors is damaged: "
        ):
            cv.evaluate(path, LABELS)
    path.write_bytes(tensors({"x": ("F8_E4M3", VECTORS)}))
    with pytest.raises(InputError, match=r"Tensor 'x' of .* is of type F8_E4M3; known are F64, F32"):
        cv.evaluate(path, LABELS)


class Tensor:
    """What a tensor of torch has, as far as it is read."""

    def __init__(self, array, device="cpu", dtype="torch.float32"):
        self.array, self.device, self.dtype, self.shape = array, device, dtype, array.shape

    def detach(self):
        return self

    def float(self):
        return Tensor(self.array, self.device)

    def cpu(self):
        return Tensor(self.array, "cpu", self.dtype)

    def __dlpack__(self, **_):
        raise AssertionError

    def __array__(self, dtype=None, copy=None):
        assert self.device == "cpu", "a tensor of a graphics card has no array"
        assert not self.dtype.endswith("bfloat16"), "NumPy has no such numbers"
        return self.array


def test_tensors_of_other_libraries_are_read():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert values_of(Tensor(VECTORS)) == PLAIN
        assert values_of(Tensor(ROUGH, dtype="torch.bfloat16")) == values_of(ROUGH)
    with pytest.warns(UserWarning, match=r"^X is on cuda:0 and is copied to this machine's memory\.$"):
        assert values_of(Tensor(VECTORS, "cuda:0")) == PLAIN
    with pytest.warns(UserWarning, match=r"^labels is on cuda:0 and is copied to this machine's memory\.$"):
        assert dict(cv.evaluate(VECTORS, Tensor(LABELS, "cuda:0"))) == dict(cv.evaluate(VECTORS, LABELS))
    with pytest.warns(UserWarning, match=r"^sample_weight is on cuda:0"):
        assert cv.internal.dunn(VECTORS, LABELS, sample_weight=Tensor(LABELS + 1, "cuda:0")) == cv.internal.dunn(
            VECTORS, LABELS
        )
    assert values_of(HALF) == values_of(HALF.astype(np.float32))


def test_what_is_no_array_is_said_in_a_line():
    class Sparse(Tensor):
        def __array__(self, dtype=None, copy=None):
            msg = "can't convert Sparse layout tensor to numpy.\nUse Tensor.to_dense() first."
            raise TypeError(msg)

    with pytest.raises(
        InputError, match=r"^X cannot be read as an array: can't convert Sparse layout tensor to numpy\.$"
    ):
        values_of(Sparse(VECTORS))
    data = annotated.cells()
    for call in (
        lambda: cv.agreement(data, LABELS),
        lambda: cv.evaluate(VECTORS, data),
        lambda: cv.categorical.evaluate(data, "leiden"),
    ):
        with pytest.raises(
            InputError, match=r" is of type \w+, which is no array; give one of its columns or representations\.$"
        ):
            call()


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (
            [[1.0, 2.0], [3.0], [4.0, 5.0]],
            "Column 'e' of X must hold lists of one length; row 0 has 2 numbers and row 1 has 1.",
        ),
        ([[1.0], None, [2.0]], "Column 'e' of X is missing in row 1; fill or drop such rows (1 in all)."),
        ([[], [], []], "Column 'e' of X holds no numbers."),
        ([["a"], ["b"], ["c"]], "Column 'e' of X must hold lists of numbers; its lists hold values of type"),
    ],
)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table], ids=["pandas", "polars", "arrow"])
def test_lists_that_are_no_points_are_refused(make, column, message):
    with pytest.raises(InputError) as error:
        cv.evaluate(make({"e": column, "c": [0, 1, 1]}), "c", features="e")
    assert str(error.value).startswith(message)


def test_coordinates_that_look_like_distances_are_doubted():
    gaps = np.abs(np.subtract.outer(VECTORS[:, 0], VECTORS[:, 0]))
    said = (
        r"^X looks like distances: square and symmetric, with 0 on its diagonal\. metric='precomputed' takes it so\.$"
    )
    with pytest.warns(UserWarning, match=said):
        cv.evaluate(gaps, LABELS, INDICES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cv.evaluate(gaps, LABELS, ["silhouette"], metric="precomputed")
        cv.evaluate(VECTORS[:, :36], LABELS, INDICES)


def test_a_mixed_table_is_read_from_a_file_with_its_types(tmp_path):
    people = pl.DataFrame(
        {
            "age": RNG.integers(20, 70, 36),
            "city": RNG.choice(["Rome", "Oslo"], 36),
            "since": pl.Series(RNG.integers(1, 900, 36)).cast(pl.Date),
            "group": LABELS,
        }
    )
    people = people.with_columns(age=pl.when(pl.int_range(36) % 7 == 0).then(None).otherwise(pl.col("age")))
    for path in (tmp_path / "people.csv", tmp_path / "people.parquet"):
        people.write_csv(path) if path.suffix == ".csv" else people.write_parquet(path)
        read = cv.evaluate(path, "group", ["silhouette", "dunn"], metric="gower")
        assert dict(read) == dict(cv.evaluate(people.drop("group"), LABELS, ["silhouette", "dunn"], metric="gower"))
