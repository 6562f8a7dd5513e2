"""What bad input gets, wherever data live: one line in the caller's words, and nothing written partially."""

import copy
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from annotated import cells, written
from scipy.sparse import csr_array

import clustval as cv
from clustval import cli
from clustval.errors import InputError
from clustval.sources.categorical_partition import categorical_blocks

DATA = cells()
X, LABELS = DATA.obsm["X_pca"].astype(np.float64), DATA.obs["leiden"].to_numpy()
FRAME = pd.DataFrame(X, columns=list("abcdef")).assign(cluster=LABELS)
SHORTER = copy.copy(DATA)
SHORTER.obsm = {"X_pca": DATA.obsm["X_pca"][:80]}
LENGTHS = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
NEAR = np.argsort(LENGTHS, axis=1, kind="stable")[:, :20]
PAIR = NEAR, np.take_along_axis(LENGTHS, NEAR, axis=1)
BELOW = PAIR[1].copy()
BELOW[3, 4] = -1.0
GAPS = pd.DataFrame({"age": [1.0, 2.0, 3.0, np.nan, 5.0], "plan": ["x", "y", "x", None, "y"]})
FULL = GAPS.dropna()
APART = pd.DataFrame({"age": [1.0, 2.0, np.nan], "plan": ["x", "y", "x"]}), pd.DataFrame({"age": [3.0], "plan": [None]})
SERIES = [[1.0, 2.0], [3.0, 4.0, 5.0], [], [1.0, 1.0]]
SIZES = pd.DataFrame({"size": pd.Categorical(["S", "M"] * 3, ["S", "M"], ordered=True), "a": np.arange(6.0)})
LARGER = pd.DataFrame({"size": pd.Categorical(["XL"], ["S", "M", "L", "XL"], ordered=True), "a": [1.0]})
OF_OTHERS = "use_rep is for annotated cells, AnnData or MuData or their files; "
NOTHING_IN_COMMON = "have no column in common, and so no distance. Leave one of them out, or fill its missing values."
NAMELESS = "X has no names of columns, so that labels cannot be 'leiden'; give one entry per row."

BAD = {
    "a column of a frame": (lambda: cv.diagnose(FRAME, "clustr"), "X has no column 'clustr'. Did you mean 'cluster'?"),
    "a feature": (lambda: cv.choose(FRAME, features=["a", "bb"]), "X has no column 'bb'. Did you mean 'b'?"),
    "no features": (
        lambda: cv.structure(FRAME, features=[]),
        "features is empty; points need at least one column.",
    ),
    "a column of cells": (
        lambda: cv.significance(DATA, "leidn"),
        "X has no column of obs 'leidn'. Did you mean 'leiden'?",
    ),
    "a representation": (
        lambda: cv.structure(DATA, use_rep="X_pcaa"),
        "X has no representation 'X_pcaa'. Did you mean 'X_pca'?",
    ),
    "a representation in a file": (
        lambda: cv.gap_statistic("cells.h5ad", [2], use_rep="X_pcaa"),
        "cells.h5ad has no representation 'X_pcaa'. Did you mean 'X_pca'?",
    ),
    "a column in a file of cells": (
        lambda: cv.clusterwise_stability("cells.h5ad", "leidn"),
        "cells.h5ad has no column of obs 'leidn'. Did you mean 'leiden'?",
    ),
    "a key of an archive": (
        lambda: cv.diagnose("rows.npz", "clustr"),
        "rows.npz has no column 'clustr'. Did you mean 'cluster'?",
    ),
    "a tensor": (
        lambda: cv.diagnose("rows.npz", "cluster", features="Y"),
        "rows.npz has no column 'Y'. It has 'X0', 'X1', 'X2', 'X3', 'X4', 'X5', 'cluster'.",
    ),
    "a graph by name": (
        lambda: cv.diagnose(DATA, "leiden", neighbours="distance"),
        "X has no graph in obsp 'distance'. It has none.",
    ),
    "no file": (lambda: cv.stability("nothing.csv", [2]), "There is no file nothing.csv."),
    "no file of cells": (lambda: cv.sweep("nothing.h5ad", ["leiden"]), "There is no file nothing.h5ad."),
    "names for arrays": (lambda: cv.diagnose(X, "leiden"), NAMELESS),
    "features for cells": (
        lambda: cv.structure(DATA, features=["a"]),
        "features is for data frames and tables in files; of cells, choose a representation by use_rep=.",
    ),
    "use_rep for frames": (lambda: cv.structure(FRAME, use_rep="X_pca"), OF_OTHERS + "X is a DataFrame."),
    "use_rep for tables": (lambda: cv.structure("rows.npz", use_rep="X_pca"), OF_OTHERS + "rows.npz is a table."),
    "obs and obsm of other lengths": (
        lambda: cv.assign(SHORTER, (DATA, "leiden")),
        "'X_pca' of new must have one row for each of 90 cells; its shape is 80 x 6.",
    ),
    "obs and obsm of another time": (
        lambda: cv.track((DATA, "leiden"), (SHORTER, "leiden")),
        "'X_pca' of after must have one row for each of 90 cells; its shape is 80 x 6.",
    ),
    "a graph of other size": (
        lambda: cv.sweep(X[:50], {"one": LABELS[:50]}, neighbours=PAIR),
        "neighbours is a graph of 90 points, but X has 50.",
    ),
    "labels of another graph": (
        lambda: cv.graph.modularity(PAIR, LABELS[:5]),
        "A has 90 rows but labels has 5 entries.",
    ),
    "distances below 0": (
        lambda: cv.diagnose(X, LABELS, neighbours=(NEAR, BELOW)),
        f"Distances of neighbours must be finite and not negative; that of row 3 to {NEAR[3, 4]} is -1.0.",
    ),
    "distances of a graph below 0": (
        lambda: cv.graph.modularity((NEAR, BELOW), LABELS),
        f"Distances of neighbours must be finite and not negative; that of row 3 to {NEAR[3, 4]} is -1.0.",
    ),
    "indices beyond the points": (
        lambda: cv.graph.modularity((NEAR + 80, PAIR[1]), LABELS),
        f"Row 0 of neighbours names point {NEAR[0].max() + 80}, but there are 90 points.",
    ),
    "negative weights": (
        lambda: cv.sweep(csr_array(([-1.0, -1.0], ([0, 1], [1, 0])), shape=(3, 3)), resolution=1.0),
        "The weights of edges must not be negative; row 0, column 1 is -1.",
    ),
    "too few neighbours": (
        lambda: cv.diagnose(X, LABELS, neighbours=1),
        "neighbours must be a whole number from 2; it is 1.",
    ),
    "gaps in all columns of a row": (
        lambda: cv.diagnose(GAPS, list("ppqqq"), metric="gower"),
        "Row 3 of X has no values, and so no distances; leave it out.",
    ),
    "gaps in a new row": (
        lambda: cv.assign(GAPS.iloc[[0, 3]], (FULL, list("ppqq")), metric="gower"),
        "Row 1 of new has no values, and so no distances; leave it out.",
    ),
    "gaps in a row of another time": (
        lambda: cv.track((FULL, list("ppqq")), (GAPS, list("ppqqq")), metric="gower"),
        "Row 3 of after has no values, and so no distances; leave it out.",
    ),
    "no column in common": (
        lambda: cv.assign(APART[1], (APART[0], list("pqq")), metric="gower"),
        f"Row 2 of like[0] and row 0 of new {NOTHING_IN_COMMON}",
    ),
    "a series of length 0": (lambda: cv.choose(SERIES, metric="dtw"), "Series 2 of X has length 0; leave it out."),
    "an order without the category": (
        lambda: cv.assign(LARGER, (SIZES, list("ppqqpp")), metric="gower"),
        "Column 'size' of X holds 'XL', which is not in its order ['S', 'M'].",
    ),
    "ids twice": (
        lambda: cv.track((FRAME, "cluster"), (FRAME, "cluster"), id=[[*range(89), 0], list(range(90))]),
        "The id 0 is there twice in before; an id names one row.",
    ),
    "lists of other lengths": (
        lambda: cv.diagnose(pl.DataFrame({"e": [[1.0, 2.0], [3.0]], "c": ["a", "b"]}), "c", features="e"),
        "Column 'e' of X must hold lists of one length; row 0 has 2 numbers and row 1 has 1.",
    ),
    "columns that are missing": (
        lambda: cv.assign(FRAME[["a", "b"]], (FRAME, "cluster")),
        "new has no column 'c', by which rows were clustered.",
    ),
}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Run in a folder that has the files."""
    monkeypatch.chdir(tmp_path)
    written(Path(), DATA, "h5ad")
    np.savez("rows.npz", X=X, cluster=LABELS.astype(str))
    return tmp_path


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_line(name):
    call, message = BAD[name]
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


@pytest.mark.parametrize(
    "call",
    [
        lambda: cv.diagnose("cut.h5ad", "leiden"),
        lambda: cv.sweep("cut.h5ad", ["leiden"]),
        lambda: cv.structure("cut.h5ad"),
        lambda: cv.evaluate("rows.npz", "cut.h5ad:leiden", "fast"),
    ],
)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_a_truncated_file_of_cells_is_damaged(call, share):
    content = Path("cells.h5ad").read_bytes()
    Path("cut.h5ad").write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value).startswith("cut.h5ad is damaged: ")
    assert "\n" not in str(error.value)


COMMANDS = {
    "evaluate": ["evaluate", "FILE", "-l", "leiden", "--report", "out.html"],
    "diagnose": ["diagnose", "FILE", "-l", "leiden", "--out", "out.csv", "--report", "out.html"],
    "choose": ["choose", "FILE", "--out", "out.csv", "--report", "out.html"],
    "track": ["track", "cells.h5ad", "FILE", "--labels", "leiden", "--report", "out.html"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fault", ["cut", "other lengths", "unknown"])
def test_the_program_says_one_line_and_writes_nothing(command, fault, folder, capsys):
    path = "bad.h5ad"
    if fault == "cut":
        content = Path("cells.h5ad").read_bytes()
        Path(path).write_bytes(content[: len(content) // 2])
    elif fault == "other lengths":
        (folder / "bad").mkdir()
        Path(written(folder / "bad", SHORTER, "h5ad")).rename(path)
    else:
        path = "cells.h5ad"
    arguments = [path if each == "FILE" else each for each in COMMANDS[command]]
    if fault == "unknown":
        arguments += ["--use-rep", "X_pcaa"]
    files = sorted(Path().rglob("*"))
    assert cli.run(arguments) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert sorted(Path().rglob("*")) == files


def test_categories_unseen_in_a_later_block_count_as_categories():
    blocks = [([["red"], ["blue"]], [0, 1]), ([["green"], ["blue"]], [1, 1])]
    whole = cv.categorical.evaluate([["red"], ["blue"], ["green"], ["blue"]], [0, 1, 1, 1])
    assert dict(cv.categorical.evaluate(categorical_blocks(blocks))) == pytest.approx(dict(whole), nan_ok=True)
