"""Annotated cells in files, HDF5 (`.h5ad`, `.h5mu`) or Zarr: columns are read when asked for, arrays in blocks."""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError, optional
from clustval.file_faults import blamed
from clustval.homes.annotated_cells import WHOLE, Cells, annotated_cells

ENCODING = "encoding-type"
SPARSE = "csr_matrix"
FRAME = "dataframe"
HDF5 = (".h5ad", ".h5mu")
UNNAMED = "_index"  # where the names of rows lie unless it is said


def cells_of(X: Any, name: str = "X") -> Cells | None:
    """Return annotated cells, an object or a file that is named as one; None for anything else."""
    if isinstance(X, (str, os.PathLike)):
        path = os.fspath(X)
        return CellFile.of(path) if isinstance(path, str) and has_cells(path) else None
    return annotated_cells(X, name)


def chosen_cells(X: Any, use_rep: str | None, name: str = "X") -> Cells | None:
    """Return annotated cells; None for anything else, or an error where one of its representations is wanted."""
    cells = cells_of(X, name)
    if cells is None and use_rep is not None:
        msg = f"use_rep is for annotated cells, AnnData or MuData or their files; {name} is a {type(X).__name__}."
        raise InputError(msg)
    return cells


def has_cells(path: str) -> bool:
    """Return whether a path is named as a file of cells; a Zarr folder must say that it holds some."""
    if path.endswith(HDF5):
        return True
    return path.rstrip("/").endswith(".zarr") and not is_pattern(path) and _zarr_kind(path) != "array"


def is_pattern(path: str) -> bool:
    """Return whether a path is a pattern that files fit, and no file itself."""
    return glob.has_magic(path) and not Path(path).exists()


def zarr_array(path: str) -> Any:
    """Return the array that a Zarr folder holds, or a part of one; None if it is no such folder, or holds a group."""
    if ".zarr" not in path or _zarr_kind(path) != "array":
        return None
    with blamed(path):
        return optional("zarr", "cells").open_array(path, mode="r")


def _zarr_kind(path: str) -> str:
    """Return whether a Zarr folder holds an array or a group, by the files in it."""
    folder = Path(path)
    if (folder / ".zarray").is_file():
        return "array"
    head = folder / "zarr.json"
    if not head.is_file():
        return "group"
    with contextlib.suppress(ValueError):
        facts = json.loads(head.read_text(errors="replace"))
        return "array" if isinstance(facts, dict) and facts.get("node_type") == "array" else "group"
    return "group"


@dataclass(frozen=True)
class CellFile(Cells):
    """A file of annotated cells: it is opened by whoever reads, and closed again."""

    path: str

    @classmethod
    def of(cls, path: str) -> CellFile:
        """Look whether there is a file that holds cells."""
        if not Path(path).exists():
            msg = f"There is no file {path}."
            raise InputError(msg)
        cells = cls(path)
        with cells.opened() as root:
            if "obs" not in root:
                arrays = [] if path.endswith(HDF5) else [name for name in root if hasattr(root[name], "shape")]
                inside = f" An array in it has a path: {path.rstrip('/')}/{arrays[0]}." if arrays else ""
                msg = f"{path} holds no annotated cells: it has no table obs.{inside}"
                raise InputError(msg)
        return cells

    @property
    def name(self) -> str:  # type: ignore[override]
        """The path."""
        return self.path

    @contextmanager
    def opened(self) -> Iterator[Any]:
        """Open the file; what goes wrong is said in a line with its name."""
        with blamed(self.path):
            if self.path.endswith(HDF5):
                with optional("h5py", "cells").File(self.path, "r") as root:
                    yield root
            else:
                yield optional("zarr", "cells").open_group(self.path, mode="r")

    @cached_property
    def n(self) -> int:
        """Number of cells."""
        with self.opened() as root:
            return _rows(root["obs"])

    @cached_property
    def columns(self) -> list[str]:
        """Names of the columns of obs, in their order."""
        with self.opened() as root:
            obs = root["obs"]
            if not hasattr(obs, "keys"):
                msg = f"{self.path} was written before AnnData 0.7; read and write it by a later one first."
                raise InputError(msg)
            own = _columns(obs)
            each = (f"{name}:{column}" for name in self.modalities for column in _columns(root[f"mod/{name}/obs"]))
            return [*own, *(column for column in each if column not in own)]

    @property
    def index_name(self) -> str:
        """What the file calls the names of cells; nothing where it has no word for them."""
        with self.opened() as root:
            name = _index(root["obs"])
        return "" if name in {UNNAMED, "index"} else name

    @property
    def cell_names(self) -> NDArray[Any]:
        """The name of each cell."""
        with self.opened() as root:
            return _column(root["obs"], _index(root["obs"]))

    def values(self, column: str) -> NDArray[Any]:
        """Read a column; categories come as their names, None where they are missing."""
        place = self._place("obs", column)
        with self.opened() as root:
            table, _, name = place.rpartition("/")
            values = _column(root[table], name)
        if len(values) != self.n:
            msg = f"Column {column!r} of {self.path} has {len(values)} entries for {self.n} cells."
            raise InputError(msg)
        return values

    @cached_property
    def representations(self) -> list[str]:
        """Names of arrays in obsm, and X."""
        with self.opened() as root:
            own = _arrays(root)
            return [*own, *(f"{name}:{array}" for name in self.modalities for array in _arrays(root[f"mod/{name}"]))]

    def array(self, representation: str) -> StoredRows:
        """Return a representation by where it lies."""
        key = self._place("obsm", representation)
        with self.opened() as root:
            stored = root[key]
            encoding = _encoding(stored)
            if encoding == FRAME:
                columns = _columns(stored)
                kinds = [_kind(stored, column, f"{representation!r} of {self.path}") for column in columns]
                return StoredRows(
                    self, key, _shape(stored), np.result_type(*kinds or [np.dtype(float)]), columns=columns
                )
            if hasattr(stored, "keys") and encoding != SPARSE:
                read = "arrays, CSR matrices and data frames"
                msg = f"{representation!r} of {self.path} is stored as {encoding}; {read} are read."
                raise InputError(msg)
            kind = np.dtype((stored["data"] if encoding == SPARSE else stored).dtype)
            return StoredRows(self, key, _shape(stored), kind, sparse=encoding == SPARSE)

    def genes(self, representation: str) -> list[str] | None:
        """Return the names of variables of a table of counts, and those of a data frame; None where there are none."""
        place = self._place("obsm", representation)
        with self.opened() as root:
            if place.rpartition("/")[2] != WHOLE:
                return _columns(root[place]) if _encoding(root[place]) == FRAME else None
            data = root[place.removesuffix(WHOLE) or "/"]
            return list(map(str, _column(data["var"], _index(data["var"])))) if "var" in data else None

    @cached_property
    def graphs(self) -> list[str]:
        """Names of graphs in obsp."""
        with self.opened() as root:
            own = list(root.get("obsp", {}))
            each = (f"{name}:{graph}" for name in self.modalities for graph in root[f"mod/{name}"].get("obsp", {}))
            return [*own, *each]

    def edges(self, graph: str) -> Any:
        """Read a graph, which is sparse."""
        from scipy import sparse  # noqa: PLC0415 - only graphs need it

        place = self._place("obsp", graph)
        with self.opened() as root:
            stored = root[place]
            if str(stored.attrs.get(ENCODING)) != SPARSE:
                msg = f"The graph {graph!r} of {self.path} is no CSR matrix."
                raise InputError(msg)
            parts = (stored[part][:] for part in ("data", "indices", "indptr"))
            return sparse.csr_array(tuple(parts), shape=cast("tuple[int, int]", _shape(stored)))

    @cached_property
    def modalities(self) -> list[str]:
        """Names of the modalities of MuData; AnnData has none."""
        with self.opened() as root:
            return list(root.get("mod", {}))

    def _place(self, kind: str, name: str) -> str:
        """Return where something of obs, obsm or obsp lies: "obsm/X_pca", "X", or "mod/rna/obsm/X_pca"."""
        modality, _, inner = name.partition(":")
        with self.opened() as root:
            if f"{kind}/{name}" in root or modality not in self.modalities:
                return WHOLE if kind == "obsm" and name == WHOLE else f"{kind}/{name}"
            own = root[f"mod/{modality}/obs"]
            names = _column(own, _index(own))
        if not np.array_equal(names, self.cell_names):
            msg = (
                f"Modality {modality!r} has {len(names)} cells and {self.path} has {self.n}, or in another order; "
                f"write it into a file of its own, mdata[{modality!r}].write_h5ad(...), and name {inner!r} there."
            )
            raise InputError(msg)
        return f"mod/{modality}/" + (WHOLE if kind == "obsm" and inner == WHOLE else f"{kind}/{inner}")


@dataclass(frozen=True)
class StoredRows:
    """An array of one row per cell in a file: it has a shape and is sliced, and no rows are in memory."""

    cells: CellFile
    key: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    sparse: bool = False
    columns: list[str] | None = None  # of a data frame

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice) -> NDArray[Any]:
        with self.cells.opened() as root:
            stored = root[self.key]
            if self.columns is not None:
                return self._side_by_side(stored, rows, self.columns)
            return self._written_out(stored, rows) if self.sparse else np.asarray(stored[rows])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        array = self[:]
        return array if dtype is None else array.astype(dtype, copy=False)

    def _side_by_side(self, stored: Any, rows: slice, columns: list[str]) -> NDArray[Any]:
        """Return some rows of a data frame."""
        low, high, _ = rows.indices(len(self))
        numbers = np.empty((high - low, len(columns)), dtype=self.dtype)
        for at, column in enumerate(columns):
            numbers[:, at] = _numbers(stored, column, slice(low, high))
        return numbers

    def _written_out(self, stored: Any, rows: slice) -> NDArray[Any]:
        """Return some rows of a CSR matrix with their zeros."""
        low, high, _ = rows.indices(len(self))
        starts = stored["indptr"][low : high + 1].astype(np.int64)
        inside = slice(int(starts[0]), int(starts[-1]))
        columns, counts = stored["indices"][inside], np.diff(starts)
        if len(columns) and not 0 <= columns.min() <= columns.max() < self.shape[1]:
            msg = f"{self.key} has entries in columns that it does not have"
            raise ValueError(msg)
        dense = np.zeros((high - low, self.shape[1]), dtype=self.dtype)
        dense[np.repeat(np.arange(high - low), counts), columns] = stored["data"][inside]
        return dense


def _encoding(stored: Any) -> str:
    return str(stored.attrs.get(ENCODING, "array"))


def _shape(stored: Any) -> tuple[int, ...]:
    if _encoding(stored) == FRAME:
        return _rows(stored), len(_columns(stored))
    shape = stored.shape if hasattr(stored, "shape") else stored.attrs.get("shape", ())
    return tuple(int(length) for length in shape)


def _rows(table: Any) -> int:
    """Return how many rows a stored table has."""
    names = _part(table, _index(table))
    return _shape(names["values"] if hasattr(names, "keys") else names)[0]  # text may have a mask beside it


def _index(obs: Any) -> str:
    """Return where a stored table has the names of its rows."""
    return str(obs.attrs.get(UNNAMED, UNNAMED))


def _columns(obs: Any) -> list[str]:
    """Return the names of the columns of a stored table, in their order."""
    inside = {name for name in obs if not name.startswith("__") and name != _index(obs)}
    order = [str(name) for name in obs.attrs.get("column-order", ())]
    return [name for name in order if name in inside] or sorted(inside)


def _arrays(data: Any) -> list[str]:
    """Return the names of the stored arrays that have rows and columns, and X."""
    inside = data.get("obsm", {})
    return [*(name for name in inside if len(_shape(inside[name])) == 2), *([WHOLE] if WHOLE in data else [])]


def _part(group: Any, name: str) -> Any:
    if name not in group:
        msg = f"the table {group.name} has no {name!r}"
        raise KeyError(msg)
    return group[name]


def _column(obs: Any, name: str) -> NDArray[Any]:
    """Return a column of a stored table: plain values, categories, or values with a mask."""
    stored = _part(obs, name)
    if not hasattr(stored, "keys"):
        older = obs.get("__categories", {})  # as AnnData wrote categories before 0.8
        values = _plain(stored)
        return _named(values, _plain(older[name])) if name in older else values
    if "categories" in stored:
        return _named(stored["codes"][:], _plain(stored["categories"]))
    values = _plain(stored["values"])
    mask = np.asarray(stored["mask"][:], dtype=bool)
    if mask.any():
        values = values.astype(object)
        values[mask] = None
    return values


def _kind(table: Any, name: str, owner: str) -> np.dtype[Any]:
    """Return the type of a column of numbers, one for each row; an error if it holds others."""
    stored = table[name]
    is_masked = hasattr(stored, "keys") and "values" in stored
    values = stored["values"] if is_masked else stored
    kind = getattr(values, "dtype", np.dtype(object))
    if kind.kind not in "biuf" or name in table.get("__categories", {}):
        msg = f"Column {name!r} of the data frame {owner} holds no numbers; leave it out, or store an array."
        raise InputError(msg)
    if _shape(values) != (_rows(table),):
        msg = f"column {name!r} of the data frame {owner} has not one entry for each row"
        raise ValueError(msg)
    return np.dtype(np.float64) if is_masked else np.dtype(kind)


def _numbers(table: Any, name: str, rows: slice) -> NDArray[Any]:
    """Return some rows of a column of numbers, NaN where they are missing."""
    stored = table[name]
    if not hasattr(stored, "keys"):
        return np.asarray(stored[rows])
    return np.where(np.asarray(stored["mask"][rows]), np.nan, np.asarray(stored["values"][rows]))


def _plain(stored: Any) -> NDArray[Any]:
    """Return stored values; text as objects of Python."""
    if hasattr(stored, "keys"):  # text with a mask
        return _column({"it": stored}, "it")
    if getattr(stored.dtype, "kind", "") == "O" and hasattr(stored, "asstr"):
        return np.asarray(stored.asstr()[:], dtype=object)
    values = np.asarray(stored[:])
    return values.astype(object) if values.dtype.kind in "TUS" else values


def _named(codes: NDArray[Any], categories: NDArray[Any]) -> NDArray[Any]:
    """Return the categories of codes, None for -1."""
    if not len(codes) or codes.min() >= 0:
        return np.asarray(categories[codes])
    names = np.full(len(categories) + 1, None, dtype=object)  # the last is that of -1
    names[:-1] = categories
    return np.asarray(names[codes])
