"""The benchmark of choosing among published clusterings, on a small folder of the same layout."""

from __future__ import annotations

import gzip
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

import clustval as cv

PROGRAM = runpy.run_path(str(Path(__file__).parents[1] / "benchmarks" / "public_pool.py"))
TRUTH = np.repeat([1, 2, 3], 30)
HALVES = np.tile([1, 2], 45)  # has nothing to do with the points


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write(text)


def lines(table: np.ndarray, separator: str = " ") -> str:
    return "".join(separator.join(map(str, np.atleast_1d(row))) + "\n" for row in table)


@pytest.fixture
def folders(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 30, axis=0)
    data, results = tmp_path / "data", tmp_path / "results"
    for name in ("three", "three.more"):
        write(data / "wut" / f"{name}.data.gz", lines(X))
        write(data / "wut" / f"{name}.labels0.gz", lines(TRUTH))
    write(data / "wut" / "three.labels1.gz", lines(np.minimum(TRUTH, 2)))
    merged, noisy = np.minimum(TRUTH, 2), np.where(np.arange(90) < 2, 0, TRUTH)
    columns = np.stack([TRUTH, noisy], axis=1)
    write(results / "Genie" / "wut" / "three.result3.gz", '"Genie_G0.1","Genie_G0.3"\n' + lines(columns, ","))
    write(results / "kmeans" / "wut" / "three.result2.gz", "kmeans\n" + lines(merged))
    write(results / "halves" / "wut" / "three.result2.gz", "halves again\n" + lines(np.stack([HALVES, HALVES], 1)))
    return data, results


def test_candidates_are_read_once_each_with_noise_as_noise(folders):
    candidates = PROGRAM["candidates_of"](folders[1], "wut", "three", 90)
    assert set(candidates) == {"Genie_G0.1 k=3", "Genie_G0.3 k=3", "kmeans k=2", "halves k=2"}
    assert np.array_equal(candidates["Genie_G0.1 k=3"], TRUTH)
    assert np.flatnonzero(candidates["Genie_G0.3 k=3"] == -1).tolist() == [0, 1]


def test_the_best_of_all_truths_counts(folders):
    record = PROGRAM["look"](folders[0] / "wut" / "three.data.gz", folders[1])
    merged = np.minimum(TRUTH, 2)
    noisy = np.where(np.arange(90) < 2, -1, TRUTH)
    values = [max(cv.external.adjusted_rand(truth, each) for truth in (TRUTH, merged)) for each in (noisy, HALVES)]
    assert record["best"] == record["consensus"] == record["calinski_harabasz"] == 1
    assert record["random"] == pytest.approx((2 + sum(values)) / 4, abs=1e-12)


def test_the_table_has_every_judge_and_says_what_is_left_out(folders, tmp_path, capsys):
    arguments = [*map(str, folders), "--keep", str(tmp_path / "kept")]
    PROGRAM["main"](arguments)
    text = capsys.readouterr().out
    assert "wut/three: 4 candidates, best 1.000, consensus 1.000" in text
    assert "fewer than two candidates or true clusters: wut/three.more\n" in text
    assert "1 sets, 4 candidates each on average, best candidate 1.000" in text
    assert re.findall(r"^  (\w+) .*regret ", text, re.MULTILINE) == ["random", *PROGRAM["JUDGES"]]
    for path in (folders[1]).rglob("three.result3.gz"):
        path.unlink()
    PROGRAM["main"](arguments)
    assert capsys.readouterr().out == text


def test_large_sets_are_left_out_and_named(folders, capsys):
    PROGRAM["main"]([*map(str, folders), "--most", "50"])
    assert capsys.readouterr().out == "left out, more than 50 points: wut/three, wut/three.more\n"


def test_regret_is_what_the_best_candidate_has_more():
    records = [
        {"candidates": 2, "best": 1.0, "random": 0.5, "consensus": 0.9, "calinski_harabasz": 0.4, "silhouette": 1.0},
        {"candidates": 4, "best": 0.8, "random": 0.3, "consensus": 0.7, "calinski_harabasz": 0.6, "silhouette": 0.8},
    ]
    first, *rows = PROGRAM["table"](records)
    assert first == "2 sets, 3 candidates each on average, best candidate 0.900"
    regrets = {row.split()[0]: float(re.search(r"regret +(\S+)", row)[1]) for row in rows}
    assert regrets == {"random": 0.5, "consensus": 0.1, "calinski_harabasz": 0.4, "silhouette": 0.0}
    assert "more than the consensus by  0.300 [0.100, 0.500]" in rows[2]


@pytest.mark.parametrize("wrong", [0, 1])
def test_a_folder_of_another_layout_is_refused_in_words(folders, wrong, tmp_path):
    given = list(map(str, folders))
    given[wrong] = str(tmp_path)
    with pytest.raises(SystemExit, match=r"give (a|the folder original of a) checkout of clustering-"):
        PROGRAM["main"](given)


def test_labels_of_another_number_of_points_are_refused(folders):
    write(folders[1] / "short" / "wut" / "three.result2.gz", "short\n" + lines(HALVES[:80]))
    with pytest.raises(SystemExit, match="has labels of 80 points; the data set has 90"):
        PROGRAM["main"](list(map(str, folders)))
