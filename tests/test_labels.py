"""Labels of any type and length become the same codes, by whichever way they are counted."""

from __future__ import annotations

import builtins
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clustval.errors import InputError
from clustval.labels import SEVERAL, Column, column, encode, in_order


def expected(values):
    """Codes by definition: noise -1, names sorted."""
    names = sorted({v for v in values if v not in {None, -1}})
    return [-1 if v in {None, -1} else names.index(v) for v in values], names


TEXT = ["b", "a", "b", None, "c", "a"] * 3000
NUMBERS = [4, -1, 2, 4, None, 900] * 3000
WAYS = {
    "list of text": TEXT,
    "tuple of text": tuple(TEXT),
    "objects": np.array(TEXT, dtype=object),
    "pandas text": pd.Series(TEXT),
    "pandas objects": pd.Series(TEXT, dtype=object),
    "pandas categories": pd.Series(TEXT, dtype="category"),
    "pandas categories in another order": pd.Series(pd.Categorical(TEXT, categories=["c", "unused", "b", "a"])),
    "a pandas categorical": pd.Categorical(TEXT),
    "polars text": pl.Series(TEXT),
    "polars categories": pl.Series(TEXT, dtype=pl.Categorical),
    "a polars enumeration": pl.Series(TEXT, dtype=pl.Enum(["c", "unused", "b", "a"])),
    "arrow text": pa.array(TEXT),
    "chunks of arrow text": pa.chunked_array([TEXT[:7], TEXT[7:]]),
    "an arrow dictionary": pa.array(TEXT).dictionary_encode(),
    "chunks of arrow dictionaries": pa.chunked_array([TEXT[:7], TEXT[7:]]).dictionary_encode(),
    "a frame of one column": pd.DataFrame({"label": TEXT}),
    "a frame of one column without a name": pd.DataFrame(list(TEXT)),
    "an arrow table of one column": pa.table({"label": TEXT}),
}
NUMERIC_WAYS = {
    "list of numbers": NUMBERS,
    "floats": np.array(NUMBERS, dtype=float),
    "masked numbers": np.ma.masked_invalid(np.array(NUMBERS, dtype=float)),
    "masked integers": np.ma.masked_equal([-7 if v is None else v for v in NUMBERS], -7),
    "objects": np.array(NUMBERS, dtype=object),
    "pandas floats": pd.Series(NUMBERS, dtype=float),
    "pandas nullable integers": pd.Series(NUMBERS, dtype="Int64"),
    "pandas nullable floats": pd.Series(NUMBERS, dtype="Float64"),
    "pandas arrow integers": pd.Series(NUMBERS, dtype="int64[pyarrow]"),
    "pandas categories": pd.Series(NUMBERS, dtype="Int64").astype("category"),
    "polars integers": pl.Series(NUMBERS),
    "polars floats": pl.Series(NUMBERS, dtype=pl.Float32),
    "arrow integers": pa.array(NUMBERS),
    "chunks of arrow integers": pa.chunked_array([NUMBERS[:5], NUMBERS[5:]]),
}


@pytest.mark.parametrize("way", WAYS)
def test_text_of_any_kind_gives_the_same_codes(way):
    codes, names = encode(WAYS[way], "labels")
    assert codes.dtype == np.int64
    assert (codes.tolist(), names) == expected(TEXT)


@pytest.mark.parametrize("way", NUMERIC_WAYS)
def test_numbers_of_any_kind_give_the_same_codes(way):
    codes, names = encode(NUMERIC_WAYS[way], "labels")
    assert (codes.tolist(), names) == expected(NUMBERS)
    assert all(isinstance(name, int) for name in names)


def test_arrow_is_not_needed_for_text_columns(monkeypatch):
    found = builtins.__import__

    def without_arrow(name, *rest, **keywords):
        if name == "pyarrow":
            raise ImportError
        return found(name, *rest, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_arrow)
    codes, names = encode(pl.Series(TEXT), "labels")
    assert (codes.tolist(), names) == expected(TEXT)


@pytest.fixture(params=["plain NumPy", "compiled in one call", "compiled in blocks"])
def either_way(request, set_thresholds):
    """Take short vectors through NumPy and through compiled code."""
    set_thresholds(
        LABELS=1 if request.param == "compiled in blocks" else 10**9,
        whole_numbers_compiled=lambda _: request.param == "compiled in one call",
    )
    return request.param


RNG = np.random.default_rng(2)
INTEGERS = {
    **{
        t: RNG.integers(0, 100, 3000).astype(t)
        for t in ("int8", "int16", "int32", "int64", "uint8", "uint32", "uint64")
    },
    "with noise": RNG.integers(-1, 5, 3000),
    "wide": RNG.choice(RNG.integers(-(2**62), 2**62, 1500), 3000),
    "all different": RNG.permutation(3000) * 2**40,
    "beyond signed": RNG.choice(np.array([1, 2**63, 2**64 - 1], dtype=np.uint64), 3000),
    "no noise in unsigned numbers": np.full(3000, 255, dtype=np.uint8),
    "big-endian": RNG.integers(-1, 5, 3000).astype(">i8"),
    "strided": RNG.integers(-1, 5, 6000)[::2],
}


@pytest.mark.parametrize("kind", INTEGERS)
@pytest.mark.usefixtures("either_way")
def test_integers_of_any_range_are_coded_in_order(kind):
    values = INTEGERS[kind]
    codes, names = encode(values, "labels")
    assert (codes.tolist(), names) == expected(values.tolist())


@pytest.mark.parametrize("width", [1, 2, 3, 12])
@pytest.mark.usefixtures("either_way")
def test_fixed_width_text_is_coded_in_order(width):
    names = np.array([f"{i:>{width}}"[-width:] for i in range(1500)])
    values = names[RNG.integers(0, len(names), 3000)]
    codes, found = encode(values, "labels")
    assert (codes.tolist(), found) == expected(values.tolist())


@pytest.mark.usefixtures("either_way")
def test_text_without_letters_is_a_label():
    assert encode(np.array(["", ""]), "labels")[1] == [""]


def test_truth_values_keep_their_names():
    assert encode(np.array([True, False]), "labels")[1] == [False, True]
    assert encode(pl.Series([True, None, False]), "labels")[1] == [False, True]
    assert encode(pd.Series([True, False], dtype="boolean"), "labels")[1] == [False, True]


def test_numbers_too_large_for_a_word_are_labels():
    assert encode([2**70, 5, 2**70], "labels")[1] == [5, 2**70]


def test_unsigned_columns_with_gaps_keep_all_their_digits():
    values = pd.Series([2**64 - 1, None, 3], dtype="UInt64")
    assert encode(values, "labels")[1] == [3, 2**64 - 1]


def test_variable_width_text_of_numpy_is_text():
    if hasattr(np.dtypes, "StringDType"):
        assert encode(np.array(["b", "a"], dtype=np.dtypes.StringDType()), "labels")[1] == ["a", "b"]


@given(st.lists(st.one_of(st.none(), st.integers(-3, 3), st.sampled_from("abc"), st.just(float("nan"))), min_size=1))
def test_mixed_labels_are_told_apart(values):
    codes, names = encode(values, "labels")
    for value, code in zip(values, codes, strict=True):
        noise = value is None or value == -1 or value != value  # noqa: PLR0124
        assert code == -1 if noise else names[code] == value


def test_whole_floats_among_objects_are_whole_numbers():
    codes, names = encode([1.0, None, "x", 2], "labels")
    assert names == [1, 2, "x"]
    assert codes.tolist() == [0, -1, 2, 1]


def test_names_are_ordered_by_kind_and_size():
    assert in_order([10, 9, 10]) == [9, 10]
    assert in_order(["b", 10, "a", 9]) == [9, 10, "a", "b"]
    assert in_order([(2,), "a", (1,)]) == ["a", (1,), (2,)]


def test_integers_are_not_copied_before_they_are_counted():
    values = np.arange(10)
    assert np.shares_memory(column(values, "labels").values, values)


def test_a_column_knows_its_length():
    assert len(Column(np.arange(4))) == 4


ERRORS = {
    "two dimensions": ([[0, 1], [1, 0]], f"labels must have one dimension; it has 2.{SEVERAL}"),
    "no dimension": (3, "labels must have one dimension; it has 0."),
    "rows of different length": ([[0], [1, 2]], "labels must have one dimension; its entries differ in length."),
    "a masked table": (
        np.ma.masked_equal([[0, 1], [1, 0]], 1),
        f"labels must have one dimension; it has 2.{SEVERAL}",
    ),
    "nothing": ([], "labels is empty."),
    "an empty series": (pl.Series([], dtype=pl.Categorical), "labels is empty."),
    "an empty category": (pd.Series([], dtype="category"), "labels is empty."),
    "a frame of two columns": (pd.DataFrame({"a": [1], "b": [2]}), "labels must be one column; it has 2."),
    "fractions": ([0.5, 2.0], "labels must be whole numbers, text or categories; one is 0.5."),
    "fractions among objects": ([0.5, "a"], "labels must be whole numbers, text or categories; one is 0.5."),
    "infinity": ([1.0, np.inf], "labels must be finite; position 1 is infinite."),
    "complex numbers": (
        np.array([1j]),
        "labels must be whole numbers, text or categories; they are of type complex128.",
    ),
    "lists among names": (
        ["a", ["b"]],
        "labels must be whole numbers, text or categories; some entries cannot be compared.",
    ),
}


@pytest.mark.parametrize("case", ERRORS)
def test_labels_that_cannot_be_used_are_named(case):
    given_labels, message = ERRORS[case]
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole message is compared
        encode(given_labels, "labels")
    assert str(error.value) == message


@pytest.mark.parametrize("way", [list, pl.Series, lambda values: np.array(values, dtype=object), pa.array])
def test_whole_decimals_are_whole_numbers_and_minus_one_is_noise(way):
    codes, names = encode(way([Decimal("2.00"), Decimal("-1.00"), Decimal("1.00"), None]), "labels")
    assert codes.tolist() == [1, -1, 0, -1]
    assert [type(name) for name in names] == [int, int]
    with pytest.raises(InputError, match=r"one is 1\.50\.$"):
        encode(way([Decimal("1.50"), Decimal("1.00")]), "labels")


def test_decimals_that_are_no_number_are_noise_and_infinite_ones_no_label():
    assert encode([1, Decimal("NaN"), "a"], "labels")[0].tolist() == [0, -1, 1]
    with pytest.raises(InputError, match=r"one is Infinity\.$"):
        encode([Decimal("Infinity"), "a"], "labels")


@pytest.mark.parametrize("dtype", [pl.Int128, pl.UInt128])
def test_whole_numbers_of_128_bits_are_labels(dtype):
    codes, names = encode(pl.Series([10**19, 3, None, 10**19], dtype=dtype), "labels")
    assert codes.tolist() == [1, 0, -1, 1]
    assert names == [3, 10**19]
