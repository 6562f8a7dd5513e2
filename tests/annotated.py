"""Annotated cells for tests: an object that has what AnnData has, and files as AnnData writes them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
from scipy import sparse

COUNT = 90


def cells(seed=0, dtype=np.float32):
    """Return three clusters of cells with two labellings, weights, maps for the eye, and a graph."""
    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.normal(centre, 1, (COUNT // 3, 6)) for centre in (0, 4, 9)]).astype(dtype)
    leiden = np.repeat(["T", "B", "NK"], COUNT // 3)
    obs = pd.DataFrame(
        {
            "leiden": pd.Categorical(leiden),
            "cell_type": np.roll(leiden, 4),
            "weight": 1.0 + np.arange(COUNT) % 3,
            "counts": rng.integers(100, 999, COUNT),
        },
        index=[f"cell{i}" for i in range(COUNT)],
    )
    counts = sparse.csr_matrix(rng.poisson(0.5, (COUNT, 40)).astype(np.float32))
    obsm = {"X_pca": points, "X_umap": points[:, :2].copy(), "X_scVI": rng.normal(size=(COUNT, 4))}
    names = [f"gene{i}" for i in range(40)]
    return SimpleNamespace(X=counts, obs=obs, obsm=obsm, obsp={}, uns={}, var_names=names)


def write(root, data):
    """Write cells into an open group of h5py or Zarr, as AnnData does."""
    is_zarr = hasattr(root, "create_array")

    def text(values):
        names = list(map(str, values))
        return np.array(names, dtype=np.dtypes.StringDType()) if is_zarr else names

    def put(group, name, values):
        return group.create_array(name, data=values) if is_zarr else group.create_dataset(name, data=values)

    def put_frame(parent, title, frame):
        table = parent.create_group(title)
        table.attrs["encoding-type"] = "dataframe"
        table.attrs["_index"], table.attrs["column-order"] = "_index", list(frame.columns)
        put(table, "_index", text(frame.index))
        for name, column in frame.items():
            if isinstance(column.dtype, pd.CategoricalDtype):
                group = table.create_group(name)
                group.attrs["encoding-type"] = "categorical"
                put(group, "codes", column.cat.codes.to_numpy())
                put(group, "categories", text(column.cat.categories))
            elif pd.api.types.is_extension_array_dtype(column.dtype) and column.dtype.kind in "fiub":
                group = table.create_group(name)
                group.attrs["encoding-type"] = "nullable-integer"
                put(group, "values", column.fillna(0).to_numpy(column.dtype.numpy_dtype))
                put(group, "mask", column.isna().to_numpy())
            else:
                put(table, name, column.to_numpy() if column.dtype.kind in "fiub" else text(column))

    put_frame(root, "obs", data.obs)
    var = root.create_group("var")
    var.attrs["_index"] = "_index"
    put(var, "_index", text(data.var_names))
    obsm = root.create_group("obsm")
    for name, values in data.obsm.items():
        (put_frame if isinstance(values, pd.DataFrame) else put)(obsm, name, values)
    stored = {"X": data.X} | {f"obsp/{name}": graph for name, graph in data.obsp.items()}
    for name, matrix in stored.items():
        group = root.create_group(name)
        group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", list(matrix.shape)
        for part in ("data", "indices", "indptr"):
            put(group, part, getattr(matrix, part))


def written(folder, data, form):
    """Return the path of a file of cells."""
    path = folder / f"cells.{form}"
    if form == "zarr":
        import zarr

        write(zarr.open_group(str(path), mode="w"), data)
    else:
        import h5py

        with h5py.File(path, "w") as root:
            write(root, data)
    return str(path)
