"""Tables with very many columns: the work grows with their number, not with its square."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from clustval import cli
from clustval.cli.columns import InputTable
from clustval.cli.open_table import table
from clustval.passes.pairs.half_square_numpy import euclidean_rows_numpy


@pytest.mark.large
@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_points_may_have_many_thousand_columns(kind, tmp_path, capsys):
    rng = np.random.default_rng(0)
    labels = np.arange(12) % 3
    X = rng.normal(size=(12, 20_000)).round(2) + labels[:, None]
    path = tmp_path / f"wide.{kind}"
    if kind == "csv":
        names = [f"gene {j}" for j in range(X.shape[1])]
        rows = [[*names, "y"], *([*map(str, row), str(label)] for row, label in zip(X, labels, strict=True))]
        path.write_text("\n".join(map(",".join, rows)))
    else:
        np.savez(path, X=X, y=labels)
    assert cli.run(["evaluate", str(path), "--labels", "y", "--indices", "silhouette", "--json"]) == 0
    assert '"points": 12' in capsys.readouterr().out


class Counted(str):
    """A name that counts how often it is compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other):
        Counted.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_columns_are_looked_up_not_searched(tmp_path):
    path = tmp_path / "table.csv"
    names = [f"x{j}" for j in range(300)]
    path.write_text("\n".join([",".join([*names, "y"]), *(",".join(["1.5"] * 300 + [str(i)]) for i in range(3))]))
    whole = table(str(path))
    counted = InputTable(whole.frame, "counted")
    counted.__dict__["columns"] = {Counted(name): column for name, column in whole.columns.items()}
    Counted.compared = 0
    assert counted.points(used=["y"]).features == names
    assert Counted.compared < 20 * 300


@pytest.mark.parametrize(("n", "p"), [(1, 40), (2, 17), (2, 5000), (7, 1000), (30, 2049), (64, 100), (200, 300)])
def test_distances_over_many_columns_have_the_same_bits(n, p):
    rng = np.random.default_rng(p)
    X = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-5, 5, p)
    expected = cdist(X, X)
    assert (euclidean_rows_numpy(X, 0, n) == expected).all()
    for i in range(0, n, 5):
        assert (euclidean_rows_numpy(X, i, i + 1) == expected[i : i + 1]).all()
