"""The folder of a study: two runs in it at once, a full disk, damaged files."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest

import clustval as cv
from clustval import cli, whole_files
from clustval.study import runs

PARQUET = "*.parquet"
FULL = Path("/dev/full")


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def full_disk(monkeypatch, after: int = 0):
    """Let all but the first writes fail, with half of the bytes written."""
    write, count = Path.write_bytes, 0

    def fill(self, data):
        nonlocal count
        count += 1
        if count <= after:
            return write(self, data)
        write(self, data[: len(data) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fill)


@pytest.mark.large
def test_two_runs_into_one_folder_end_with_the_files_of_one(tmp_path):
    cv.study.part_one(tmp_path / "one", limit=4, n_jobs=1)
    command = [sys.executable, "-m", "clustval", "study", "--part", "1", "--limit", "4", "--jobs", "1"]
    command += ["--out", str(tmp_path / "both")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) for _ in range(2)]
    for process in both:
        printed, _ = process.communicate()
        assert process.returncode == 0, printed
    assert contents(tmp_path / "both") == contents(tmp_path / "one")


def test_runs_that_write_the_same_file_at_the_same_time_do_not_collide(tmp_path, monkeypatch):
    """Both have written their temporary file before either renames it: under one name, the second would find none."""
    both, replace = threading.Barrier(2, timeout=30), Path.replace

    def together(self, target):
        if Path(target).suffix == ".parquet":
            both.wait()
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", together)
    failures = []

    def run():
        try:
            cv.study.part_one(tmp_path, limit=1, n_jobs=1)
        except Exception as error:  # noqa: BLE001 - it would be lost with the thread
            failures.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(list(tmp_path.iterdir())) == 2


def test_runs_that_begin_at_the_same_time_are_one_run_or_refused(tmp_path, monkeypatch):
    read, looks = runs._settings, []

    def first_look(directory):  # before the other has written anything
        looks.append(directory)
        return None if len(looks) == 1 else read(directory)

    whole_files.create(tmp_path / runs.SETTINGS, '{"part": 1, "seed": 7, "generator": 2}')
    monkeypatch.setattr(runs, "_settings", first_look)
    with pytest.raises(cv.InputError, match="holds the run of part 1, seed 7, generator 2; give another directory"):
        cv.study.part_one(tmp_path, limit=1, n_jobs=1)
    looks.clear()
    assert len(cv.study.part_one(tmp_path, limit=1, seed=7, n_jobs=1).finished) == 1


@pytest.mark.parametrize("links", [True, False])
def test_a_file_is_created_once(tmp_path, monkeypatch, links):
    if not links:

        def refused(_self, _target):
            raise OSError(95, "Operation not supported")

        monkeypatch.setattr(Path, "hardlink_to", refused)
    path = tmp_path / "settings"
    assert whole_files.create(path, "first")
    assert not whole_files.create(path, "second")
    assert contents(tmp_path) == {"settings": b"first"}


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_full_disk_is_one_line_leaves_nothing_and_the_run_goes_on_later(after, tmp_path, monkeypatch, capsys):
    command = ["study", "--part", "1", "--limit", "2", "--jobs", "1", "--out", str(tmp_path / "run")]
    with monkeypatch.context() as patch:
        full_disk(patch, after)
        assert cli.run(command) == 2
    reason = capsys.readouterr().err
    assert reason.count("\n") == 1
    assert reason.endswith("cannot be written: No space left on device.\n")
    assert len(list((tmp_path / "run").iterdir())) == after
    assert cli.run(command) == 0
    cv.study.part_one(tmp_path / "whole", limit=2, n_jobs=1)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


@pytest.mark.large
def test_a_full_disk_keeps_the_old_tables(tmp_path, monkeypatch):
    run = cv.study.part_one(tmp_path / "run", limit=2, n_jobs=1)
    page = tmp_path / "study.md"
    cv.study.study_tables.summary(run, page)
    old = page.read_bytes()
    full_disk(monkeypatch)
    with pytest.raises(cv.InputError, match=r"study\.md cannot be written: No space left on device"):
        cv.study.study_tables.summary(run, page)
    assert page.read_bytes() == old
    assert sorted(file.name for file in tmp_path.iterdir()) == ["run", "study.md"]


def test_a_folder_for_the_tables_is_looked_for_before_the_work(tmp_path):
    arguments = ["study", "--part", "1", "--limit", "1", "--out", str(tmp_path / "run")]
    assert cli.run([*arguments, "--summary", str(tmp_path / "nowhere" / "study.md")]) == 2
    assert not (tmp_path / "run").exists()


def test_a_file_where_the_folder_should_be_is_named(tmp_path):
    (tmp_path / "run").touch()
    with pytest.raises(cv.InputError, match="run is a file; give the name of a directory"):
        cv.study.part_one(tmp_path / "run", limit=1)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b"{}", b'{"part": 3, "seed": 0}', b'{"part": 1, "seed": "x"}']
)
def test_damaged_settings_are_named(content, tmp_path):
    (tmp_path / runs.SETTINGS).write_bytes(content)
    with pytest.raises(cv.InputError, match=r"settings\.json is damaged; remove it, and run the study again"):
        cv.study.Run(tmp_path)


def test_a_damaged_data_set_is_named_and_made_again_once_removed(tmp_path):
    run = cv.study.part_one(tmp_path, limit=1, n_jobs=1)
    (file,) = tmp_path.glob(PARQUET)
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    with pytest.raises(cv.InputError, match=rf"{file.name} is damaged: .*\. Remove it, and run the study again\."):
        run.compare()
    file.unlink()
    assert cv.study.part_one(tmp_path, limit=1, n_jobs=1).compare() is not None
    assert file.read_bytes() == whole


def test_a_data_set_without_a_criterion_is_named(tmp_path):
    import polars as pl

    run = cv.study.part_one(tmp_path, limit=1, n_jobs=1)
    (file,) = tmp_path.glob(PARQUET)
    name = run.criteria[0].name
    pl.read_parquet(file).drop(name).write_parquet(file)
    with pytest.raises(cv.InputError, match=rf"lacks the column '{name}'; remove it, and run the study again\."):
        run.compare()


@pytest.mark.large
@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a full disk to try")
def test_output_onto_a_full_disk_is_one_line():
    for arguments in (["evaluate", "iris", "--labels", "species", "-i", "fast"], ["indices", "--json"]):
        with FULL.open("wb") as full:
            run = subprocess.run(
                [sys.executable, "-m", "clustval", *arguments], stdout=full, stderr=subprocess.PIPE, check=False
            )
        assert run.returncode == 2
        assert run.stderr == b"clustval: The output cannot be written: No space left on device.\n"
