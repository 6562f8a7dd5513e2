"""What SECURITY.md promises, one test for each promise."""

from __future__ import annotations

import io
import pickle
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import clustval as cv
from clustval import cli

X = np.random.default_rng(0).normal(size=(30, 2)) + 4 * (np.arange(30) % 3)[:, None]
LABELS = np.arange(30) % 3
SECRET = "<script>alert(1)</script>\x1b[31m"


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.write_text, (self.path, "run")


def answer(path, capfd, *arguments):
    """Return the exit code and the lines on standard error of an evaluation of a file."""
    code = cli.run(["evaluate", str(path), *arguments])
    return code, capfd.readouterr().err.strip().splitlines()


@pytest.mark.parametrize("kind", ["npy", "npz"])
def test_files_of_numpy_that_hold_python_objects_are_refused_and_nothing_in_them_is_run(kind, tmp_path, capfd):
    trace, file = tmp_path / "trace", tmp_path / f"objects.{kind}"
    content = np.array([[Bomb(trace), 1], [2, 3]], dtype=object)
    if kind == "npy":
        np.save(file, content, allow_pickle=True)
    else:
        np.savez(file, X=content)
    code, lines = answer(file, capfd, "--labels", "1")
    assert (code, len(lines)) == (2, 1)
    assert not trace.exists()


def test_a_pickle_under_the_name_of_a_table_is_refused_and_not_run(tmp_path, capfd):
    trace = tmp_path / "trace"
    for name in ("table.npy", "table.csv", "table.parquet", "table.arrow", "table.npz"):
        (tmp_path / name).write_bytes(pickle.dumps(Bomb(trace)))
        code, lines = answer(tmp_path / name, capfd, "--labels", "y")
        assert (code, len(lines)) == (2, 1), name
    assert not trace.exists()


@pytest.mark.parametrize("inside", [False, True], ids=["npy", "npz"])
def test_a_header_that_claims_terabytes_takes_no_memory(inside, tmp_path, capfd):
    stream = io.BytesIO()
    np.lib.format.write_array_header_2_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (3 * 10**6, 10**6)})
    file = tmp_path / ("claim.npz" if inside else "claim.npy")
    if inside:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("X.npy", stream.getvalue())
    else:
        file.write_bytes(stream.getvalue())
    code, lines = answer(file, capfd, "--labels", "0")
    assert (code, len(lines)) == (2, 1)
    assert "damaged" in lines[0]


def test_names_are_text_in_the_report_and_harmless_in_a_terminal(tmp_path):
    labels = np.array([SECRET, "b", "c"])[LABELS]
    page = cv.evaluate(X, labels, ["silhouette", "dunn"]).to_html(look=False)
    assert "<script>alert(1)" not in page
    file = tmp_path / "names.csv"
    rows = "\n".join(f"{a},{b},{c}" for (a, b), c in zip(X.tolist(), labels, strict=True))
    file.write_text(f"a,b\x1b[2J,y\n{rows}\n")
    command = [sys.executable, "-m", "clustval", "evaluate", str(file), "--labels", "y"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "\x1b[2J" not in run.stdout + run.stderr
    assert "\x1b[31m" not in run.stdout + run.stderr


def test_a_result_that_is_read_from_json_imports_nothing_that_is_named_in_it(tmp_path, monkeypatch):
    (tmp_path / "harmful_module.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    text = cv.evaluate(X, LABELS, ["dunn"]).to_json()
    assert cv.Scores.from_json(text)["dunn"] == cv.internal.dunn(X, LABELS)
    index = '"name": "dunn", "module": "clustval.formulas.internal.dunn"'
    assert index in text
    with pytest.raises(cv.InputError, match="harmful_module"):
        cv.Scores.from_json(text.replace(index, '"name": "other", "module": "harmful_module"'))


def test_nothing_asks_another_host(monkeypatch):
    def refused(*_arguments, **_named):
        pytest.fail("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    scores = cv.evaluate(X, LABELS)
    assert "<html" in scores.to_html()


def test_a_function_as_metric_is_trusted_and_run():
    calls = []

    def metric(a, b):
        calls.append(1)
        return float(np.abs(a - b).sum())

    assert cv.internal.silhouette(X, LABELS, metric=metric) > 0
    assert calls


def test_weights_sizes_and_budgets_have_limits():
    for wrong in ({"memory": 1}, {"memory": "1e400 GiB"}, {"memory": -1}, {"n_jobs": 0}):
        with pytest.raises(cv.InputError):
            cv.evaluate(X, LABELS, "dunn", **wrong)
    for wrong in (1e200, np.inf, np.nan):
        with pytest.raises(cv.InputError):
            cv.evaluate(np.where(X == X[0, 0], wrong, X), LABELS, "dunn")
