"""Annotated cells: AnnData and MuData by what they have, and their files."""

from __future__ import annotations

import json
from contextlib import nullcontext
from types import SimpleNamespace

import annotated
import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import kneighbors_graph

import clustval as cv
from clustval.errors import InputError
from clustval.homes import cell_files
from clustval.homes.cell_files import zarr_array
from clustval.result import same

FORMS = ["h5ad", "zarr"]


@pytest.fixture
def data():
    return annotated.cells()


@pytest.fixture(params=["memory", *FORMS])
def home(request, data, tmp_path):
    """Cells in memory, and in files of both forms."""
    if request.param == "memory":
        return data
    pytest.importorskip({"h5ad": "h5py", "zarr": "zarr"}[request.param])
    return annotated.written(tmp_path, data, request.param)


def test_cells_have_the_values_of_the_plain_array_to_the_bit(home, data):
    plain = cv.evaluate(data.obsm["X_pca"], data.obs["leiden"].to_numpy(), "all")
    assert same(cv.evaluate(home, "leiden", "all").to_dict(), plain.to_dict())
    other = cv.evaluate(data.obsm["X_scVI"], data.obs["cell_type"].to_numpy(), "fast")
    assert same(cv.evaluate(home, "cell_type", "fast", use_rep="X_scVI").to_dict(), other.to_dict())


def test_weights_and_counts_are_read_as_well(home, data):
    X, labels, weights = data.X.toarray(), data.obs["leiden"].to_numpy(), data.obs["weight"].to_numpy()
    plain = cv.evaluate(X, labels, "fast", sample_weight=weights)
    assert same(cv.evaluate(home, "leiden", "fast", use_rep="X", sample_weight="weight").to_dict(), plain.to_dict())


OF_POINTS = [
    (cv.structure, {"n_references": 19}),
    (cv.significance, {"k": [2, 3], "B": 9}),
    (cv.stability, {"k": [2, 3], "n_samples": 5}),
    (cv.gap_statistic, {"k": [2, 3], "n_references": 5}),
    (cv.hopkins, {"n_samples": 5}),
    (cv.clusterwise_stability, {"k": 3, "n_samples": 5, "n_references": 0}),
    (cv.vat, None),
    (cv.ivat, None),
]


@pytest.mark.parametrize(("verb", "options"), OF_POINTS, ids=[verb.__name__ for verb, _ in OF_POINTS])
def test_verbs_of_points_take_any_representation(data, verb, options):
    options = {} if options is None else {**options, "random_state": 0}
    assert same(verb(data, use_rep="X_scVI", **options), verb(data.obsm["X_scVI"], **options))
    assert same(verb(data, use_rep="X_umap", force=True, **options), verb(data.obsm["X_umap"], **options))
    with pytest.raises(InputError, match="'X_umap' is a map for the eye"):
        verb(data, use_rep="X_umap", **options)
    with pytest.raises(InputError, match=r"use_rep is for annotated cells.*; X is a ndarray"):
        verb(data.obsm["X_scVI"], use_rep="X_scVI", **options)


def test_clusters_of_a_column_are_judged_by_samples(home, data):
    options = {"n_samples": 5, "n_references": 0, "random_state": 0}
    plain = cv.clusterwise_stability(data.obsm["X_scVI"], data.obs["leiden"].to_numpy(), **options)
    assert same(cv.clusterwise_stability(home, "leiden", use_rep="X_scVI", **options), plain)
    frame = pd.DataFrame(data.obsm["X_scVI"]).rename(columns=str).assign(leiden=list(data.obs["leiden"]))
    assert same(cv.clusterwise_stability(frame, "leiden", **options), plain)


def test_every_verb_takes_cells(home, data):
    X, labels, truth = data.obsm["X_pca"], data.obs["leiden"].to_numpy(), data.obs["cell_type"].to_numpy()
    assert cv.internal.silhouette(home, "leiden") == cv.internal.silhouette(X, labels)
    assert cv.sweep(home, ["leiden", "cell_type"], ["dunn"]) == cv.sweep(
        X, {"leiden": labels, "cell_type": truth}, ["dunn"]
    )
    assert same(cv.diagnose(home, "leiden").points, cv.diagnose(X, labels).points)
    assert cv.hopkins(home, random_state=0) == cv.hopkins(X, random_state=0)
    assert cv.gap_statistic(home, [2, 3], n_references=5, random_state=0) == cv.gap_statistic(
        X, [2, 3], n_references=5, random_state=0
    )
    assert cv.explain(home, "leiden", "fast").pairs == cv.explain(X, labels, "fast").pairs
    chosen = cv.choose(home, ["leiden", "cell_type"], null=False, stability=False, random_state=0)
    assert chosen.name == "leiden"
    assert cv.choose(home, ["ward"], k=[2, 3], null=False, stability=False, random_state=0).k == 3


def test_two_columns_are_compared_by_name(home, data):
    plain = cv.agreement(data.obs["cell_type"].to_numpy(), data.obs["leiden"].to_numpy())
    assert cv.agreement("cell_type", "leiden", data=home) == plain
    assert cv.agreement(home, "cell_type", "leiden") == plain
    if not isinstance(home, str):
        assert cv.agreement(home.obs, "cell_type", "leiden") == plain


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda home: cv.evaluate(home, "leidn"), "no column of obs 'leidn'. Did you mean 'leiden'?"),
        (lambda home: cv.evaluate(home, "leiden", use_rep="X_pcb"), "no representation 'X_pcb'. Did you mean 'X_pca'?"),
        (lambda home: cv.evaluate(home, "leiden", use_rep="z"), "no representation 'z'. It has 'X_"),
        (lambda home: cv.evaluate(home, "leiden", use_rep="X_umap"), "'X_umap' is a map for the eye"),
        (lambda home: cv.choose(home, use_rep="X_umap"), "'X_umap' is a map for the eye"),
        (lambda home: cv.sweep(home, ["leiden"], use_rep="X_umap"), "'X_umap' is a map for the eye"),
        (lambda home: cv.evaluate(home, "leiden", use_rep=3), "use_rep must be the name"),
        (lambda home: cv.evaluate(home, "leiden", features=["a"]), "choose a representation by use_rep="),
    ],
)
def test_wrong_names_are_answered_with_what_there_is(home, call, words):
    with pytest.raises(InputError) as error:
        call(home)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_maps_for_the_eye_are_judged_by_force(home, data):
    plain = cv.evaluate(data.obsm["X_umap"], data.obs["leiden"].to_numpy(), "fast")
    assert same(cv.evaluate(home, "leiden", "fast", use_rep="X_umap", force=True).to_dict(), plain.to_dict())


def test_without_a_usual_representation_the_others_are_named(data):
    del data.obsm["X_pca"]
    with pytest.raises(InputError, match=r"X has no representation 'X_pca'; it has 'X_umap', 'X_scVI', 'X'\. Choose"):
        cv.evaluate(data, "leiden")
    with pytest.raises(InputError, match="X has no representation 'X_pca'"):
        cv.hopkins(data)


def test_representations_of_other_lengths_are_refused(data):
    data.obsm["X_pca"] = data.obsm["X_pca"][:-1]
    with pytest.raises(InputError, match="one row for each of 90 cells; its shape is 89 x 6"):
        cv.evaluate(data, "leiden")


def test_representations_are_for_cells():
    with pytest.raises(InputError, match="use_rep is for annotated cells"):
        cv.evaluate(np.eye(4), [0, 0, 1, 1], use_rep="X_pca")


def test_labels_of_pandas_are_brought_into_the_order_of_cells(data):
    shuffled = data.obs["leiden"].sample(frac=1, random_state=0)
    assert cv.evaluate(data, shuffled, ["dunn"]) == cv.evaluate(data, "leiden", ["dunn"])
    with pytest.raises(InputError, match="indexed differently"):
        cv.evaluate(data, shuffled.rename(lambda name: name + "x"))


def test_missing_categories_are_noise(data, tmp_path):
    pytest.importorskip("h5py")
    data.obs["leiden"] = data.obs["leiden"].cat.remove_categories(["NK"])
    path = annotated.written(tmp_path, data, "h5ad")
    assert cv.evaluate(data, "leiden", "fast").coverage == 2 / 3
    assert cv.evaluate(path, "leiden", "fast") == cv.evaluate(data, "leiden", "fast")


def test_modalities_are_named_before_a_colon(data):
    one, two = annotated.cells(1), annotated.cells(2)
    two.obs = two.obs.iloc[:80]
    many = SimpleNamespace(
        obs=data.obs, obsm={"rna": np.ones((90, 1), bool)}, obsp={}, uns={}, var_names=[], mod={"rna": one, "prot": two}
    )
    plain = cv.evaluate(one.obsm["X_pca"], one.obs["leiden"].to_numpy(), "fast")
    assert same(cv.evaluate(many, "rna:leiden", "fast", use_rep="rna:X_pca").to_dict(), plain.to_dict())
    with pytest.raises(InputError, match="it has 'rna:X_pca', 'rna:X_umap'"):
        cv.evaluate(many, "leiden")
    with pytest.raises(InputError, match="Modality 'prot' has 80 cells and X has 90"):
        cv.evaluate(many, "leiden", use_rep="prot:X_pca")


# --- files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["h5mu", "zarr"])
def test_modalities_in_files_are_named_before_a_colon(form, data, tmp_path):
    module = pytest.importorskip({"h5mu": "h5py", "zarr": "zarr"}[form])
    path = tmp_path / f"cells.{form}"
    few = annotated.cells()
    few.obs, few.obsm, few.X = few.obs.iloc[:50], {"X_pca": few.obsm["X_pca"][:50]}, few.X[:50]
    data.obsp["connectivities"] = kneighbors_graph(data.obsm["X_pca"], 5, include_self=False)
    with module.File(path, "w") if form == "h5mu" else nullcontext(module.open_group(str(path), mode="w")) as root:
        bare = SimpleNamespace(obs=data.obs[["leiden"]], obsm={}, obsp={}, X=data.X, var_names=data.var_names)
        annotated.write(root, bare)
        for name, cells in {"rna": data, "few": few}.items():
            annotated.write(root.create_group(f"mod/{name}"), cells)
    points = data.obsm["X_pca"]
    plain = cv.evaluate(points, data.obs["leiden"].to_numpy(), ["dunn", "knn_purity"])
    assert dict(cv.evaluate(path, "leiden", list(plain), use_rep="rna:X_pca")) == dict(plain)
    other = cv.evaluate(points, data.obs["cell_type"].to_numpy(), ["dunn"])
    assert dict(cv.evaluate(path, "rna:cell_type", ["dunn"], use_rep="rna:X_pca")) == dict(other)
    graph = cell_files.CellFile.of(str(path)).graph("rna:connectivities")
    assert (graph != data.obsp["connectivities"]).nnz == 0
    genes = cv.profile(path, "leiden", use_rep="rna:X")
    assert genes == cv.profile(pd.DataFrame(data.X.toarray(), columns=data.var_names), data.obs["leiden"].to_numpy())
    with pytest.raises(InputError, match=r"Modality 'few' has 50 cells and .* has 90, or in another order; write it"):
        cv.evaluate(path, "leiden", use_rep="few:X_pca")


def test_genes_pick_clusters_out_by_their_names(home, data):
    counts = data.X.toarray()
    frame = pd.DataFrame(counts, columns=data.var_names)
    profile = cv.profile(home, "leiden", use_rep="X")
    assert profile == cv.profile(frame, data.obs["leiden"].to_numpy())
    assert set(profile.effects["column"]) == set(data.var_names)
    assert set(cv.profile(home, "leiden").effects["column"]) == set(range(6))


@pytest.mark.parametrize("form", FORMS)
def test_many_cells_are_read_in_blocks(form, data, tmp_path, monkeypatch):
    pytest.importorskip({"h5ad": "h5py", "zarr": "zarr"}[form])
    path = annotated.written(tmp_path, data, form)
    np.save(tmp_path / "points.npy", data.obsm["X_pca"])
    monkeypatch.setattr("clustval.readers.cell_rows.AT_ONCE", 10)
    labels = data.obs["leiden"].to_numpy()
    plain = cv.evaluate(str(tmp_path / "points.npy"), labels, "fast")
    blocks = cv.evaluate(path, "leiden", "fast")
    assert type(blocks._source).__name__ == "Stream"
    assert same(blocks.to_dict(), plain.to_dict())
    dense = cv.evaluate(data.X.toarray(), labels, "fast").to_dict()
    sparse = cv.evaluate(path, "leiden", "fast", use_rep="X").to_dict()
    assert sparse == pytest.approx(dense, rel=1e-9, nan_ok=True)


def test_a_zarr_array_of_few_numbers_is_read_at_once_and_others_in_blocks(data, tmp_path, set_limits):
    zarr = pytest.importorskip("zarr")
    path = str(tmp_path / "points.zarr")
    zarr.create_array(path, data=data.obsm["X_pca"])
    np.save(tmp_path / "points.npy", data.obsm["X_pca"])
    np.save(tmp_path / "labels.npy", data.obs["leiden"].cat.codes.to_numpy())
    labels = data.obs["leiden"].to_numpy()
    assert cv.evaluate(path, labels, "all") == cv.evaluate(data.obsm["X_pca"], labels, "all")
    assert cv.evaluate(path, tmp_path / "labels.npy") == cv.evaluate(path, data.obs["leiden"].cat.codes)
    set_limits(read_at_once=0)
    plain = cv.evaluate(str(tmp_path / "points.npy"), labels, "fast")
    assert same(cv.evaluate(path, labels, "fast").to_dict(), plain.to_dict())


def test_damaged_files_of_cells_are_one_line(data, tmp_path):
    h5py = pytest.importorskip("h5py")
    path = annotated.written(tmp_path, data, "h5ad")
    content = (tmp_path / "cells.h5ad").read_bytes()
    for size in (0, 5, 100, len(content) // 2, len(content) - 100):
        cut = tmp_path / "cut.h5ad"
        cut.write_bytes(content[:size])
        with pytest.raises(InputError, match=r"cut.h5ad is damaged") as error:
            cv.evaluate(str(cut), "leiden")
        assert "\n" not in str(error.value)
    with pytest.raises(InputError, match=r"There is no file .*none.h5ad"):
        cv.evaluate(str(tmp_path / "none.h5ad"), "leiden")
    with h5py.File(path, "a") as root:
        del root["obs"]
    with pytest.raises(InputError, match="holds no annotated cells: it has no table obs"):
        cv.evaluate(path, "leiden")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("column", [-1, 40])
def test_sparse_cells_with_entries_outside_the_matrix_are_damaged(form, column, data, tmp_path, monkeypatch):
    module = pytest.importorskip({"h5ad": "h5py", "zarr": "zarr"}[form])
    path = annotated.written(tmp_path, data, form)
    monkeypatch.setattr("clustval.readers.cell_rows.AT_ONCE", 10)
    with module.File(path, "a") if form == "h5ad" else nullcontext(module.open_group(path, mode="a")) as root:
        root["X/indices"][7] = column
    with pytest.raises(InputError, match="is damaged: X has entries in columns that it does not have"):
        cv.evaluate(path, "leiden", "fast", use_rep="X")


def frames_of(data):
    """Return data frames as representations: of one type of numbers, of several, and with gaps."""
    X = data.obsm["X_pca"]
    return {
        "alike": pd.DataFrame(X, data.obs.index, list("fedcba")),
        "mixed": pd.DataFrame({"b": X[:, 0], "a": (9 * X[:, 1]).astype(int), "c": X[:, 2] > 0}, data.obs.index),
        "gaps": pd.DataFrame({"a": X[:, 0], "b": pd.array([None, *range(89)], dtype="Int64")}, data.obs.index),
    }


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("at_once", [10, 10**6])
def test_data_frames_in_obsm_are_read_from_files_as_they_are_in_memory(form, at_once, data, tmp_path, monkeypatch):
    pytest.importorskip({"h5ad": "h5py", "zarr": "zarr"}[form])
    data.obsm |= frames_of(data)
    path = annotated.written(tmp_path, data, form)
    monkeypatch.setattr("clustval.readers.cell_rows.AT_ONCE", at_once)
    for name in ("alike", "mixed"):
        held = cv.evaluate(data.obsm[name].to_numpy(dtype=float), data.obs["leiden"], ["silhouette", "dunn"])
        assert dict(cv.evaluate(path, "leiden", ["silhouette", "dunn"], use_rep=name)) == pytest.approx(held, rel=1e-6)
        assert cv.profile(path, "leiden", use_rep=name).rules == cv.profile(data, "leiden", use_rep=name).rules
    with pytest.raises(InputError, match="row 0"):
        cv.evaluate(path, "leiden", ["dunn"], use_rep="gaps")


@pytest.mark.parametrize("form", FORMS)
def test_data_frames_in_obsm_that_hold_no_numbers_are_refused(form, data, tmp_path):
    pytest.importorskip({"h5ad": "h5py", "zarr": "zarr"}[form])
    data.obsm |= {"table": data.obs, "nothing": data.obs[[]]}
    path = annotated.written(tmp_path, data, form)
    with pytest.raises(InputError) as error:
        cv.evaluate(path, "leiden", ["dunn"], use_rep="table")
    message = f"Column 'leiden' of the data frame 'table' of {path} holds no numbers; leave it out, or store an array."
    assert str(error.value) == message
    with pytest.raises(InputError, match="X is empty: 90 rows and 0 columns"):
        cv.evaluate(path, "leiden", ["dunn"], use_rep="nothing")


@pytest.mark.parametrize("length", [1, 89, 91])
def test_data_frames_in_obsm_with_a_column_of_another_length_are_damaged(length, data, tmp_path):
    h5py = pytest.importorskip("h5py")
    data.obsm |= frames_of(data)
    path = annotated.written(tmp_path, data, "h5ad")
    with h5py.File(path, "a") as root:
        del root["obsm/alike/b"]
        root["obsm/alike/b"] = np.zeros(length)
    with pytest.raises(InputError, match=r"is damaged: column 'b' of the data frame 'alike' .* one entry for each row"):
        cv.evaluate(path, "leiden", ["dunn"], use_rep="alike")


def test_cells_by_columns_say_what_is_read(data, tmp_path):
    h5py = pytest.importorskip("h5py")
    path = annotated.written(tmp_path, data, "h5ad")
    with h5py.File(path, "a") as root:
        root["X"].attrs["encoding-type"] = "csc_matrix"
    with pytest.raises(InputError) as error:
        cv.evaluate(path, "leiden", "fast", use_rep="X")
    assert str(error.value) == f"'X' of {path} is stored as csc_matrix; arrays, CSR matrices and data frames are read."


def test_sparse_cells_that_were_cut_are_one_line(data, tmp_path, monkeypatch):
    pytest.importorskip("h5py")
    path = annotated.written(tmp_path, data, "h5ad")
    monkeypatch.setattr("clustval.readers.cell_rows.AT_ONCE", 10)
    content = (tmp_path / "cells.h5ad").read_bytes()
    for size in (len(content) // 2, len(content) - 100):
        (tmp_path / "cells.h5ad").write_bytes(content[:size])
        with pytest.raises(InputError, match=r"cells.h5ad is damaged") as error:
            cv.evaluate(path, "leiden", "fast", use_rep="X")
        assert "\n" not in str(error.value)


@pytest.mark.filterwarnings("ignore")  # of AnnData, about its next versions
@pytest.mark.parametrize("form", FORMS)
def test_what_anndata_writes_is_read(form, data, tmp_path):
    pytest.importorskip({"h5ad": "h5py", "zarr": "zarr"}[form])
    anndata = pytest.importorskip("anndata")
    plain = cv.evaluate(data.obsm["X_pca"], data.obs["leiden"].to_numpy(), "fast").to_dict()
    whole = anndata.AnnData(data.X, obs=data.obs.copy(), obsm=data.obsm)
    whole.obs["grade"] = pd.array([1, None, 2] * 30, dtype="Int64")
    assert same(cv.evaluate(whole, "leiden", "fast").to_dict(), plain)
    path = tmp_path / f"cells.{form}"
    with anndata.settings.override(allow_write_nullable_strings=True):
        whole.write_zarr(path) if form == "zarr" else whole.write_h5ad(path)
    assert same(cv.evaluate(str(path), "leiden", "fast").to_dict(), plain)
    assert cv.evaluate(str(path), "grade", "fast").coverage == 2 / 3


def test_a_zarr_array_may_say_what_it_is_without_blanks(tmp_path):
    zarr = pytest.importorskip("zarr")
    path = tmp_path / "points.zarr"
    zarr.create_array(str(path), data=np.eye(3))
    head = path / "zarr.json"
    if not head.exists():
        pytest.skip("Zarr of version 2 has no such file")
    head.write_text(json.dumps(json.loads(head.read_text()), separators=(",", ":")))
    assert zarr_array(str(path)).shape == (3, 3)
    head.write_text("{")
    assert zarr_array(str(path)) is None
