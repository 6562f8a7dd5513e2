"""Files of every kind come back as the table that was written, and bad ones get one line that says why."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import clustval as cv
from clustval import data, files, whole_files
from clustval.errors import InputError

FRAME = pl.DataFrame({"a": [1.5, -2.0, 1 / 3], "b": [1, 2, 3], "name, of": ["x", 'say "y"', "zoë"]})

WRITERS = {
    "csv": FRAME.write_csv,
    "tsv": lambda path: FRAME.write_csv(path, separator="\t"),
    "semicolon.csv": lambda path: FRAME.write_csv(path, separator=";"),
    "bar.txt": lambda path: FRAME.write_csv(path, separator="|"),
    "parquet": FRAME.write_parquet,
    "arrow": FRAME.write_ipc,
    "feather": lambda path: FRAME.write_ipc(path, compression="zstd"),
    "arrows": FRAME.write_ipc_stream,
    "csv.gz": lambda path: Path(path).write_bytes(gzip.compress(FRAME.write_csv().encode())),
    "bom.csv": lambda path: Path(path).write_bytes(b"\xef\xbb\xbf" + FRAME.write_csv().encode()),
    "utf16.csv": lambda path: Path(path).write_bytes(FRAME.write_csv().encode("utf-16")),
    "crlf.csv": lambda path: Path(path).write_bytes(FRAME.write_csv().replace("\n", "\r\n").encode()),
}


@pytest.mark.parametrize("kind", WRITERS)
def test_a_table_comes_back_from_every_kind_of_file(kind, tmp_path):
    path = tmp_path / f"table.{kind}"
    WRITERS[kind](path)
    assert_frame_equal(files.read(str(path)), FRAME)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_wrong_name_does_not_matter(kind, tmp_path):
    path = tmp_path / "table.dat"
    WRITERS[kind](path)
    assert_frame_equal(files.read(str(path)), FRAME)


@pytest.mark.parametrize("kind", ["csv", "tsv", "parquet", "arrow", "arrows"])
def test_standard_input_is_read_like_a_file(kind, tmp_path, standard_input):
    WRITERS[kind](tmp_path / "table")
    standard_input((tmp_path / "table").read_bytes())
    assert_frame_equal(files.read("-"), FRAME)


def test_floats_come_back_with_every_digit(tmp_path):
    values = np.random.default_rng(0).normal(size=200) * 10.0 ** np.arange(-100, 100)
    pl.DataFrame({"x": values, "y": values}).write_csv(tmp_path / "x.csv")
    assert files.read(str(tmp_path / "x.csv"))["x"].to_list() == values.tolist()


def test_a_matrix_of_numpy_has_numbered_columns(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(6.0).reshape(3, 2))
    assert files.read(str(tmp_path / "x.npy")).to_dict(as_series=False) == {"0": [0.0, 2.0, 4.0], "1": [1.0, 3.0, 5.0]}


def test_a_single_row_of_values_of_numpy_is_one_column(tmp_path):
    np.save(tmp_path / "x.npy", np.array([3, 1, 2]))
    assert files.read(str(tmp_path / "x.npy")).to_dict(as_series=False) == {"0": [3, 1, 2]}


def test_fields_of_a_structured_array_are_columns(tmp_path):
    np.save(tmp_path / "x.npy", np.array([(1, 2.5)], dtype=[("id", "i4"), ("x", "f8")]))
    assert files.read(str(tmp_path / "x.npy")).to_dict(as_series=False) == {"id": [1], "x": [2.5]}


def test_arrays_of_an_archive_are_columns(tmp_path):
    np.savez(tmp_path / "x.npz", X=np.eye(2), cluster=np.array(["a", "b"]))
    found = files.read(str(tmp_path / "x.npz")).to_dict(as_series=False)
    assert found == {"X0": [1.0, 0.0], "X1": [0.0, 1.0], "cluster": ["a", "b"]}


def test_a_decimal_comma_is_read_where_semicolons_separate(tmp_path):
    (tmp_path / "x.csv").write_text("a;b\n1,5;2\n-0,25;3\n")
    assert files.read(str(tmp_path / "x.csv")).to_dict(as_series=False) == {"a": [1.5, -0.25], "b": [2, 3]}


def test_a_decimal_comma_may_come_after_the_first_row(tmp_path):
    (tmp_path / "x.csv").write_text("u;v;label\n1;1;a\n1;1,5;a, b\n5;,25;b\n")
    frame = files.read(str(tmp_path / "x.csv"))
    assert frame.to_dict(as_series=False) == {"u": [1, 1, 5], "v": [1.0, 1.5, 0.25], "label": ["a", "a, b", "b"]}


def test_a_cell_of_two_numbers_is_no_decimal_comma_where_others_have_points(tmp_path):
    (tmp_path / "x.csv").write_text("pair;x;y\n1,2;1.5;2.5\n2,3;2.5;1.5\n")
    assert files.read(str(tmp_path / "x.csv")).dtypes == [pl.String, pl.Float64, pl.Float64]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_blank_lines_are_no_rows_of_several_columns(end, tmp_path):
    rows = ["", " ", "a,b", "1,x", "", " ", '2,"y', "", 'z"', "", "", ""]
    (tmp_path / "x.csv").write_text(end.join(rows), newline="")
    frame = files.read(str(tmp_path / "x.csv"))
    assert frame.to_dict(as_series=False) == {"a": [1, 2], "b": ["x", f"y{end}{end}z"]}


def test_a_blank_line_in_a_single_column_is_a_missing_value_but_for_the_end(tmp_path):
    (tmp_path / "x.csv").write_text("a\n1\n\n2\n\n \n")
    assert files.read(str(tmp_path / "x.csv"))["a"].to_list() == [1, None, 2]
    assert files.read(str(tmp_path / "x.csv"), rows=4)["a"].to_list() == [1, None, 2, None]
    assert files.read(str(tmp_path / "x.csv"), rows=9)["a"].to_list() == [1, None, 2, None, None]


def test_many_blank_lines_on_top_are_passed_over(tmp_path):
    (tmp_path / "x.txt").write_text("\n" * 30 + "a b\n1 2\n")
    assert files.read(str(tmp_path / "x.txt")).to_dict(as_series=False) == {"a": [1], "b": [2]}


def test_an_error_counts_the_lines_above_the_names(tmp_path):
    (tmp_path / "x.csv").write_text("\n# made by hand\n\na,b\n1,2\n\n1,2,3\n")
    with pytest.raises(InputError, match=r"^Line 7 of .* has 3 fields; the first has 2\.$"):
        files.read(str(tmp_path / "x.csv"))


def test_lines_may_end_in_a_carriage_return_alone(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"a,b\r1,2\r3,4\r")
    assert files.read(str(tmp_path / "x.csv")).to_dict(as_series=False) == {"a": [1, 3], "b": [2, 4]}


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ('"weight\n(kg)";x;label\n1;2;a\n', ["weight\n(kg)", "x", "label"]),
        ("height, cm\tlabel\n1.5\ta\n2\tb\n", ["height, cm", "label"]),
        ("height, cm\tlabel\n1,5\ta\n2,5\tb\n", ["height, cm", "label"]),
        ("a, in cm, of all;b\n1;2\n", ["a, in cm, of all", "b"]),
        ("a,b|c\n1,2\n3\n", ["a", "b|c"]),
    ],
)
def test_columns_are_cut_where_names_and_rows_agree(text, columns, tmp_path):
    (tmp_path / "x.csv").write_text(text)
    assert files.read(str(tmp_path / "x.csv")).columns == columns


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("#name,label\nanna,a\nbob,b\n", ["name", "label"]),
        ("# made by hand, in May\nname,label\nanna,a\n", ["name", "label"]),
        ("#iris,Fisher\nname,size\nanna,1\nbob,2\n", ["name", "size"]),
        ("#one\n#two,three\nname,label\nanna,a\n", ["name", "label"]),
    ],
)
def test_a_comment_may_name_columns_of_text(text, columns, tmp_path):
    (tmp_path / "x.csv").write_text(text)
    assert files.read(str(tmp_path / "x.csv")).columns == columns


@pytest.mark.parametrize("word", ["", "NA", "NaN", "null", "None", "n/a"])
def test_words_for_missing_are_missing(word, tmp_path):
    (tmp_path / "x.csv").write_text(f"a,b\n1,2\n{word},4\n")
    assert files.read(str(tmp_path / "x.csv"))["a"].to_list() == [1, None]


def test_a_late_word_makes_a_column_text_instead_of_failing(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n" + "1,2\n" * 20_000 + "oops,2\n")
    assert files.read(str(tmp_path / "x.csv"))["a"][-1] == "oops"


def test_other_encodings_can_be_named(tmp_path):
    (tmp_path / "x.csv").write_bytes("a,b\ncafé,1\n".encode("cp1252"))
    assert files.read(str(tmp_path / "x.csv"), encoding="cp1252")["a"].to_list() == ["café"]


def test_columns_without_names_are_numbered(tmp_path):
    (tmp_path / "x.csv").write_text("5,6\n7,8\n")
    frame = files.read(str(tmp_path / "x.csv"), header=False)
    assert frame.to_dict(as_series=False) == {"0": [5, 7], "1": [6, 8]}


def test_numbers_from_zero_are_names(tmp_path):
    (tmp_path / "x.csv").write_text("0,1\n7,8\n")
    assert files.read(str(tmp_path / "x.csv")).columns == ["0", "1"]


def test_a_workbook_keeps_text_below_numbers_and_words_for_missing_are_missing_numbers(tmp_path):
    labels = [1] * 100 + ["new"] * 5
    sizes = [1.5] * 100 + ["NA"] * 5
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(tmp_path / "x.xlsx") as book:
        book.add_worksheet().write_column(0, 0, ["label", *labels])
        book.worksheets()[0].write_column(0, 1, ["size", *sizes])
    frame = files.read(str(tmp_path / "x.xlsx"))
    assert frame["label"].to_list() == ["1"] * 100 + ["new"] * 5
    assert frame["size"].to_list() == [1.5] * 100 + [None] * 5


def pickled() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array([{}], dtype=object))
    return stream.getvalue()


def three_dimensional() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.zeros((2, 2, 2)))
    return stream.getvalue()


def archive(**arrays) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def workbook() -> bytes:
    import zipfile

    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        file.writestr("[Content_Types].xml", "")
    return stream.getvalue()


NUMBERS_FOR_NAMES = (
    "The first line of {} holds numbers, not column names; add names, or use --no-header to call the columns 0, 1, ..."
)
NOT_UTF_8 = (
    "{} is not UTF-8 text: byte 0xe9 in line 3. Save it as UTF-8, or name its encoding, as --encoding latin-1 does."
)
BAD = {
    "empty": (b"", "{} is empty."),
    "only spaces": (b" \n \n", "{} is empty."),
    "only a header": (b"a,b\n", "{} has column names but no rows."),
    "numbers for names": (
        b"1.5,2\n3,4\n",
        NUMBERS_FOR_NAMES,
    ),
    "too many fields": (b"a,b\n1,2\n1,2,3\n", "Line 3 of {} has 3 fields; the first has 2."),
    "a quote that never ends": (b'12" pipe,x\n' + b"1,2\n" * 30, "{} has column names but no rows."),
    "not UTF-8": (
        b"a,b\n1,2\ncaf\xe9,3\n",
        NOT_UTF_8,
    ),
    "a picture": (
        b"\x89PNG\r\n\x1a\n\0\0",
        (
            "{} is not a table; known are CSV, TSV, JSON lines, Parquet, Arrow or Feather, NPY, NPZ, Excel, "
            "safetensors, .h5ad, .h5mu, .zarr."
        ),
    ),
    "Python objects": (pickled(), "{} cannot be read: it holds Python objects, not numbers or text."),
    "three dimensions": (three_dimensional(), "{} has an array of 3 dimensions; one or two are a table."),
    "arrays of other lengths": (
        archive(a=np.arange(3), b=np.arange(2)),
        "The arrays in {} differ in length: a has 3, b has 2.",
    ),
    "half an archive": (archive(a=np.arange(3))[:60], "{} is damaged: File is not a zip file."),
    "half a matrix": (three_dimensional()[:-7], "{} is damaged: it claims 64 bytes of numbers and has 57."),
    "a workbook": (
        workbook(),
        "{} is damaged: calamine error: Cannot detect file format.",
    ),
    "old Feather": (b"FEA1\0\0", "{} is Feather of version 1; write it again as version 2 or Parquet."),
    "half a gzip": (gzip.compress(b"a,b\n1,2\n")[:12], "{} is damaged: it does not unzip."),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_file_is_refused_with_the_reason(fault, tmp_path):
    content, message = BAD[fault]
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        files.read(str(path))
    assert str(caught.value) == message.format(path)


def test_half_a_parquet_file_is_called_damaged(tmp_path):
    FRAME.write_parquet(tmp_path / "x")
    (tmp_path / "x").write_bytes((tmp_path / "x").read_bytes()[:100])
    with pytest.raises(InputError, match="is damaged: "):
        files.read(str(tmp_path / "x"))


def test_a_missing_file_a_folder_and_an_unknown_encoding_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"^There is no file nowhere\.csv\.$"):
        files.read("nowhere.csv")
    with pytest.raises(InputError, match=r" is a folder, not a file\.$"):
        files.read(str(tmp_path))
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"^No encoding is called 'klingon'; common ones are utf-8"):
        files.read(str(tmp_path / "x.csv"), encoding="klingon")
    (tmp_path / "x.csv").write_bytes(b"a,b\n\xff,2\n")
    with pytest.raises(InputError, match=r" is not ascii text: byte 0xff in line 2\.$"):
        files.read(str(tmp_path / "x.csv"), encoding="ascii")


def test_a_file_that_is_written_replaces_the_old_one_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "page.html"
    whole_files.write(path, "old")
    whole_files.write(path, "new ë")
    assert path.read_text(encoding="utf-8") == "new ë"
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_that_fails_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    whole_files.write(path, "old")

    def full(self, *_args, **_options):
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match=r"page\.html cannot be written: No space left on device\.$"):
        whole_files.write(path, "new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_device_is_written_to_not_replaced():
    whole_files.write("/dev/null", "text")
    assert Path("/dev/null").is_char_device()


def test_no_folder_to_write_into_is_told_before_the_work(tmp_path):
    with pytest.raises(InputError, match=r"^There is no folder .*nowhere to write page\.html into\.$"):
        whole_files.check_folder(tmp_path / "nowhere" / "page.html")
    with pytest.raises(InputError, match=r" is a folder; give the name of a file\.$"):
        whole_files.check_folder(tmp_path)


@pytest.mark.parametrize("name", data.NAMES)
def test_bundled_data_are_those_of_scikit_learn(name):
    from sklearn import datasets

    bundled = data.load(name)
    original = getattr(datasets, f"load_{name}")()
    np.testing.assert_array_equal(bundled.X, original.data)
    codes = {str(label): code for code, label in enumerate(dict.fromkeys(bundled.truth))}
    assert [codes[label] for label in bundled.truth] == original.target.tolist()
    assert len(bundled.features) == bundled.X.shape[1]


def test_bundled_data_are_public():
    iris = cv.data.load("iris")
    assert cv.evaluate(iris.X, iris.truth, "silhouette")["silhouette"] == pytest.approx(0.5034774406)
    assert set(iris.clusterings) == {"kmeans", "ward"}
    assert {"data"} <= set(dir(cv))


def test_an_unknown_bundled_name_is_refused():
    with pytest.raises(InputError, match=r"^No bundled data set is called 'mice'; there are iris and wine\.$"):
        data.load("mice")


def test_a_link_stays_a_link_and_what_it_leads_to_is_written(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link.html").symlink_to(tmp_path / "elsewhere" / "page.html")
    whole_files.write(tmp_path / "link.html", "page")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "elsewhere" / "page.html").read_text() == "page"
    (tmp_path / "astray.html").symlink_to(tmp_path / "nowhere" / "page.html")
    with pytest.raises(cv.InputError, match=r"There is no folder .*nowhere"):
        whole_files.write(tmp_path / "astray.html", "page")
    (tmp_path / "round.html").symlink_to(tmp_path / "round.html")
    with pytest.raises(cv.InputError, match="leads back to itself"):
        whole_files.write(tmp_path / "round.html", "page")
