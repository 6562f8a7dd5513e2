"""``clustval explain``: what an evaluation will take, of tables and of folders."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from clustval import cli


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the program in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        code = cli.run(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_a_table_is_explained_as_it_would_be_evaluated(run):
    code, out, _ = run("explain", "iris", "--labels", "species", "--indices", "silhouette,calinski_harabasz")
    assert code == 0
    assert "all pairs, once for all" in out
    assert "150 points, 4 columns, 3 clusters." in out
    assert "2 indices in less than a second" in out


def test_passes_and_reasons_are_written_as_json(run):
    frame = {"x": np.arange(9.0), "y": np.arange(9.0) ** 2, "cluster": [0, 1, 2] * 3, "w": [0.5] * 9}
    pl.DataFrame(frame).write_csv("weighted.csv")
    names = ("--weights", "w", "-i", "gamma,trace_w")
    code, out, err = run("explain", "weighted.csv", "-l", "cluster", *names, "--json")
    assert code == 0, err
    document = json.loads(out)
    assert document["left_out"].keys() == {"gamma"}
    assert document["left_out"]["gamma"].startswith("gamma takes no weights but whole numbers: ")
    assert [row["pass"] for row in document["passes"]] == ["points"]


def test_folders_are_explained_by_their_blocks(run, tmp_path):
    (tmp_path / "points").mkdir()
    for at in range(2):
        frame = pl.DataFrame({"x": np.arange(9.0) + at, "y": np.arange(9.0) ** 2, "cluster": [0, 1, 2] * 3})
        frame.write_parquet(tmp_path / f"points/{at}.parquet")
    code, out, _ = run("explain", "points", "-l", "cluster", "-i", "calinski_harabasz,gamma")
    assert code == 0
    assert "rows, pass 1" in out
    assert "gathered: ranks of all distances, for Concordance" in out
    code, _, err = run("explain", "points", "-l", "cluster", "--standardize")
    assert code == 2
    assert err.startswith("clustval: --standardize needs the points in memory")


def test_bad_input_is_refused_in_one_line(run):
    code, _, err = run("explain", "iris", "-l", "specis")
    assert code == 2
    assert "Did you mean 'species'?" in err
