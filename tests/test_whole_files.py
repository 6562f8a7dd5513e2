"""Files that are written whole or not at all: where they may not be written, and what stays as it was."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from clustval import whole_files
from clustval.errors import InputError


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_what_is_no_name_of_a_file_is_refused(name):
    with pytest.raises(InputError, match=r"is no name of a file; give one to write to\.$"):
        whole_files.check_folder(name)


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"^.*file is a file, no folder to write page\.html into\.$"):
        whole_files.write(tmp_path / "file" / "page.html", "page")


def test_a_folder_without_leave_is_told_before_the_work(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != tmp_path)  # root may write everywhere
    with pytest.raises(InputError, match=r"page\.html cannot be written: you may not write into the folder .*\.$"):
        whole_files.check_folder(tmp_path / "page.html")


def test_a_file_that_may_only_be_read_is_not_replaced(tmp_path, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text("old")
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) == tmp_path)
    with pytest.raises(InputError, match=r"cannot be written: it is there already, and you may only read it\.$"):
        whole_files.write(path, "new")
    assert path.read_text() == "old"


@pytest.mark.parametrize("mode", [0o600, 0o664])
def test_who_may_read_a_file_may_read_what_replaces_it_and_nobody_else(tmp_path, mode):
    path = tmp_path / "page.html"
    path.write_text("old")
    path.chmod(mode)
    whole_files.write(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("letter", ["b", "ä", "\N{GRINNING FACE}"])
def test_the_longest_name_of_a_file_can_be_written(tmp_path, letter):
    path = tmp_path / (letter * (250 // len(letter.encode())) + ".html")
    whole_files.write(path, "page")
    assert path.read_text() == "page"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="a system without /dev/stdout")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1"])
def test_what_was_printed_before_stays_where_the_output_is_a_file(tmp_path, name):
    code = f"from clustval import whole_files; print('first'); whole_files.write({name!r}, 'page')"
    with (tmp_path / "printed").open("wb") as printed:
        subprocess.run([sys.executable, "-c", code], stdout=printed, check=True)
    assert (tmp_path / "printed").read_text() == "first\npage"
