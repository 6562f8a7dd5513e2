"""A table is read the same from every format: compressed, Excel, JSON, blanks, comments."""

from __future__ import annotations

import bz2
import io
import json
import lzma
import zipfile

import pytest

from clustval import data, files
from clustval.errors import InputError

FRAME = files.read(str(data.path("iris"))).select("sepal_length", "petal_width", "species")
ROWS = FRAME.rows()


def zipped(text: bytes, *more: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("inner.csv", text)
        for name in more:
            archive.writestr(name, "x")
    return stream.getvalue()


def workbook() -> bytes:
    stream = io.BytesIO()
    FRAME.write_excel(stream)
    return stream.getvalue()


def blanks(header: bool = True) -> bytes:
    lines = ["sepal_length   petal_width  species"] if header else []
    return "\n".join([*lines, *(f"  {a:6} {b}\t{c}" for a, b, c in ROWS)]).encode() + b"\n"


PLAIN = FRAME.write_csv().encode()
FORMATS = {
    "bzip2": bz2.compress(PLAIN),
    "xz": lzma.compress(PLAIN),
    "zip of one file": zipped(PLAIN),
    "Excel": workbook(),
    "JSON lines": "\n".join(json.dumps(dict(zip(FRAME.columns, row, strict=True))) for row in ROWS).encode(),
    "JSON": json.dumps([dict(zip(FRAME.columns, row, strict=True)) for row in ROWS]).encode(),
    "blanks": blanks(),
    "comments": b"# made by hand\n# on a Monday, in May\n" + PLAIN,
    "names in a comment": b"# " + PLAIN,
    "names in a comment above blanks": b"# sepal_length petal_width species\n" + blanks(header=False),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_is_the_same_in_every_format(kind, tmp_path):
    path = tmp_path / "table"
    path.write_bytes(FORMATS[kind])
    assert files.read(str(path)).equals(FRAME)


def test_blanks_inside_cells_do_not_separate(tmp_path):
    for text in (
        "name of flower\niris setosa\niris versicolor\n",
        "cluster name\ncluster 1\ncluster 2\n",
        "sepal length,petal width\n1.5,2\n",
        "a b\n1 2\n3\n",
        "a\tb c\n1\t2\n",
    ):
        path = tmp_path / "table.csv"
        path.write_text(text)
        columns = files.read(str(path)).columns
        assert columns == text.splitlines()[0].replace("\t", ",").split(","), text


def test_text_that_begins_with_a_hash_after_the_names_is_kept(tmp_path):
    path = tmp_path / "colours.csv"
    path.write_text("colour,x\n#ff0000,1\n#00ff00,2\n")
    assert files.read(str(path))["colour"].to_list() == ["#ff0000", "#00ff00"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped(PLAIN, "second.csv"), "is a zip archive of 2 files; unzip it and name one of them."),
        (bz2.compress(PLAIN)[:-9], "is damaged: it does not unzip."),
        (b"BZh9" + bytes(40), "is damaged: it does not unzip."),
        (lzma.compress(PLAIN)[:-9], "is damaged: it does not unzip."),
        (b'{"a": 1}\n{"a": ', "is damaged: "),
        (b"# nothing but\n# comments\n", "is empty."),
        (bz2.compress(b""), "is empty."),
    ],
)
def test_damaged_files_of_these_formats_say_so(content, message, tmp_path):
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        files.read(str(path))
    assert str(raised.value).startswith(f"{path} {message}".rstrip())
