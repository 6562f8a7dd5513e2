"""Results that are written into annotated cells."""

from __future__ import annotations

import annotated
import numpy as np
import pytest

import clustval as cv
from clustval.annotation import storable
from clustval.errors import InputError

BASICS = (bool, int, float, str)


@pytest.fixture
def data():
    return annotated.cells()


def results(data):
    consensus = cv.consensus([data.obs["leiden"].to_numpy(), data.obs["cell_type"].to_numpy()])
    return {
        "scores": cv.evaluate(data, "leiden", {"silhouette": {}, "log_ss_ratio": {"base": 2}}),
        "sweep": cv.sweep(data, ["leiden", "cell_type"], ["silhouette", "dunn"]),
        "diagnosis": cv.diagnose(data, "leiden"),
        "choice": cv.choose(data, ["ward"], k=[2, 3], null=False, stability=False, random_state=0),
        "agreement": cv.agreement(data, "cell_type", "leiden"),
        "consensus": consensus,
        "seeds": cv.sweep(data, k=[2, 3], seeds=2, indices="dunn"),
        "assignment": cv.assign(data, like=(data, "leiden")),
        "gap": cv.gap_statistic(data, [2, 3], n_references=5, random_state=0),
    }


def check_storable(value):
    """Fail unless files of cells store a value: frames and arrays of numbers or text, and dictionaries of them."""
    if isinstance(value, dict):
        assert all(isinstance(name, str) and "/" not in name for name in value)
        for each in value.values():
            check_storable(each)
    elif hasattr(value, "columns"):
        assert all(isinstance(name, str) for name in value.columns)
        for name in value.columns:
            check_storable(value[name].to_numpy())
    elif isinstance(value, np.ndarray):
        assert value.dtype.kind in "fiub" or all(isinstance(each, str) for each in value.tolist())
    else:
        assert isinstance(value, BASICS), value


def test_values_of_points_go_to_obs_and_tables_to_uns(data):
    scores = cv.evaluate(data, "leiden", ["silhouette", "dunn"])
    scores.write(data)
    assert np.array_equal(data.obs["clustval_silhouette"], scores.per_point("silhouette"))
    assert "clustval_dunn" not in data.obs
    page = data.uns["clustval"]["result"]
    assert page["table"]["value"].tolist() == list(scores.values())
    assert page["table"]["index"].tolist() == ["silhouette", "dunn"]
    assert page["params"]["metric"] == "euclidean"
    assert page["params"]["indices"].tolist() == ["silhouette", "dunn"]
    cv.evaluate(data, "cell_type", ["silhouette"]).write(data, key_added="types")
    assert set(data.uns["clustval"]) == {"result", "types"}
    assert "types_silhouette" in data.obs


def test_every_result_writes_what_files_of_cells_can_store(data):
    for name, result in results(data).items():
        result.write(data, key_added=name)
        check_storable(data.uns["clustval"][name])
    assert data.obs["choice_labels"].nunique() == 3
    assert data.obs["assignment_label"].tolist() == data.obs["leiden"].tolist()
    assert not data.obs["assignment_outside"].any()
    swept = cv.sweep(data, k=[2, 3], seeds=2, indices="dunn")
    assert data.obs["seeds_k_3"].tolist() == list(map(str, swept.labels["3"]))
    assert np.array_equal(data.obs["seeds_consistency_3"], swept.consistency[1])
    assert data.uns["clustval"]["seeds"]["layers"]["k"].tolist() == [2, 3]
    assert data.uns["clustval"]["seeds"]["params"]["parameter"] == "k"
    assert set(data.obs["diagnosis_kind"]) <= {"core", "border", "outlier", "misplaced"}
    assert data.obs["consensus_consistency"].dtype == np.float64


@pytest.mark.filterwarnings("ignore")  # of AnnData, about its next versions
def test_what_is_written_survives_a_file(data, tmp_path):
    anndata = pytest.importorskip("anndata")
    pytest.importorskip("h5py")
    whole = anndata.AnnData(data.X, obs=data.obs.copy(), obsm=data.obsm)
    for name, result in results(data).items():
        result.write(whole, key_added=name)
    with anndata.settings.override(allow_write_nullable_strings=True):
        whole.write_h5ad(tmp_path / "cells.h5ad")
    again = anndata.read_h5ad(tmp_path / "cells.h5ad")
    page = whole.uns["clustval"]["scores"]["table"]
    assert again.uns["clustval"]["scores"]["table"]["value"].tolist() == page["value"].tolist()
    assert again.obs["choice_labels"].tolist() == whole.obs["choice_labels"].tolist()
    assert cv.evaluate(str(tmp_path / "cells.h5ad"), "choice_labels", ["dunn"])["dunn"] > 0


def test_nothing_is_written_where_something_is_wrong(data):
    scores = cv.evaluate(data, "leiden", ["silhouette"])
    fewer = annotated.cells()
    fewer.obs = fewer.obs.iloc[:-1]
    with pytest.raises(InputError, match="clustval_silhouette has 90 values, but there are 89 cells"):
        scores.write(fewer)
    assert not fewer.uns
    assert "clustval_silhouette" not in fewer.obs
    with pytest.raises(InputError, match="write takes annotated cells"):
        scores.write({})
    for key in (3, "", "a/b"):
        with pytest.raises(InputError, match="key_added must be a name without a slash"):
            scores.write(data, key_added=key)
    assert not data.uns


def test_what_cannot_be_stored_becomes_text():
    assert storable({"a/b": [1, "x"], "none": None, "f": max, "n": np.float32(0.5)})["a|b"].tolist() == ["1", "x"]
    assert "none" not in storable({"none": None})


def test_a_table_without_rows_keeps_its_columns(data):
    pairs = cv.diagnose(data, "leiden").pairs
    empty = type(pairs)({name: values[:0] for name, values in pairs.items()})
    assert empty.to_pandas().shape == (0, len(pairs) - 1)
    assert empty.to_polars().shape == (0, len(pairs))
