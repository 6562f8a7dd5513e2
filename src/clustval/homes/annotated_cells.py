"""Annotated cells: tables of observations with several representations, by what they have and not by import.

AnnData and MuData have `obs` (a data frame), `obsm` (arrays of one row per cell), `obsp` (graphs) and `uns`. The points
are one of the representations, `use_rep`; labels and weights are columns of `obs`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any

from clustval.errors import InputError, suggestion
from clustval.file_faults import LIBRARY, Remedies
from clustval.homes.frames import listed

USUAL = "X_pca"  # the representation in which cells are clustered unless it is said
GRAPH = "connectivities"  # what the graph of weights is called that methods cluster
DISTANCES = "distances"  # how the names of graphs of distances end
PARTS = ("obs", "obsm", "obsp", "uns", "var_names")  # what annotated cells have
PICTURES = re.compile(r"umap|t-?sne|draw_graph|force_?atlas|phate|trimap|pacmap", re.IGNORECASE)  # maps for the eye
WHOLE = "X"  # the table of counts itself


class Cells(ABC):
    """Columns, representations and graphs of the same cells, by name."""

    name: str  # in messages

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of cells."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """Names of the columns of obs."""

    @abstractmethod
    def values(self, column: str) -> Any:
        """Return a column of obs that is there."""

    @property
    @abstractmethod
    def representations(self) -> list[str]:
        """Names of the arrays that have one row per cell."""

    @abstractmethod
    def array(self, representation: str) -> Any:
        """Return a representation that is there."""

    @property
    @abstractmethod
    def graphs(self) -> list[str]:
        """Names of the graphs among cells."""

    @abstractmethod
    def edges(self, graph: str) -> Any:
        """Return a graph that is there, as a sparse matrix."""

    @property
    def row_names(self) -> Any:
        """Names of cells, an index of pandas; None where cells are taken by their place."""
        return None

    def genes(self, representation: str) -> list[str] | None:  # noqa: ARG002 - what most have
        """Return the names of the columns of a representation that is there; None if they are axes without names."""
        return None

    def column(self, name: str) -> Any:
        """Return a column of obs, or raise an error with the nearest name."""
        if name not in self.columns:
            raise _missing(self.name, "column of obs", name, self.columns)
        return self.values(name)

    def graph(self, name: str) -> Any:
        """Return a graph of obsp, or raise an error with the nearest name."""
        if name not in self.graphs:
            raise _missing(self.name, "graph in obsp", name, self.graphs)
        return self.edges(name)

    def points(self, use_rep: str | None = None, *, force: bool = False, remedies: Remedies = LIBRARY) -> Any:
        """Return the representation that is the points, X_pca unless it is said; maps for the eye only by force."""
        name = USUAL if use_rep is None else use_rep
        if not isinstance(name, str):
            msg = f"use_rep must be the name of a representation; it is of type {type(name).__name__}."
            raise InputError(msg)
        if name not in self.representations:
            if use_rep is None:
                others = f"it has {listed(map(repr, self.representations))}"
                msg = f"{self.name} has no representation {USUAL!r}; {others}. Choose one by {remedies.use_rep}."
                raise InputError(msg)
            raise _missing(self.name, "representation", name, self.representations)
        if PICTURES.search(name) and not force:
            msg = (
                f"{name!r} is a map for the eye: UMAP and t-SNE pull clusters apart and make their sizes and distances "
                "up, so that every index flatters it. Judge in the space that was clustered, such as 'X_pca'; "
                f"{remedies.force} does it all the same."
            )
            raise InputError(msg)
        array = self.array(name)
        if len(array.shape) != 2 or array.shape[0] != self.n:
            shape = " x ".join(map(str, array.shape))
            msg = f"{name!r} of {self.name} must have one row for each of {self.n} cells; its shape is {shape}."
            raise InputError(msg)
        return array


class AnnotatedCells(Cells):
    """AnnData or MuData in memory; representations and graphs of a modality are named "rna:X_pca"."""

    def __init__(self, data: Any, name: str = "X") -> None:
        self.data, self.name = data, name
        modalities = getattr(data, "mod", None)
        self.modalities: Mapping[str, Any] = modalities if isinstance(modalities, Mapping) else {}

    @property
    def n(self) -> int:
        """Number of cells."""
        return len(self.data.obs)

    @property
    def columns(self) -> list[str]:
        """Names of the columns of obs, and of those of modalities that it has not."""
        return [*map(str, self.data.obs.columns), *self._of_modalities(lambda data: data.obs.columns)]

    def values(self, column: str) -> Any:
        """Return a column as pandas has it."""
        if column in self.data.obs.columns:
            return self.data.obs[column]
        modality, name = self._modality(column)
        return modality.obs[name]

    @property
    def representations(self) -> list[str]:
        """Names of arrays of two dimensions in obsm, and X."""
        own = [str(name) for name, values in self.data.obsm.items() if len(values.shape) == 2]
        own = [name for name in own if name not in self.modalities]  # of MuData: which cells each of them has
        whole = [WHOLE] if getattr(self.data, WHOLE, None) is not None else []
        return [*own, *whole, *self._of_modalities(lambda data: [*data.obsm, WHOLE])]

    def array(self, representation: str) -> Any:
        """Return an array, a sparse matrix or a frame of pandas."""
        if representation in self.data.obsm:
            return self.data.obsm[representation]
        if representation == WHOLE:
            return _in_memory(self.data.X)
        modality, name = self._modality(representation)
        return _in_memory(modality.X) if name == WHOLE else modality.obsm[name]

    @property
    def graphs(self) -> list[str]:
        """Names of graphs in obsp."""
        return [*map(str, self.data.obsp), *self._of_modalities(lambda data: data.obsp)]

    def edges(self, graph: str) -> Any:
        """Return a graph as a sparse matrix."""
        if graph in self.data.obsp:
            return self.data.obsp[graph]
        modality, name = self._modality(graph)
        return modality.obsp[name]

    @property
    def row_names(self) -> Any:
        """Names of the cells."""
        return self.data.obs.index

    def genes(self, representation: str) -> list[str] | None:
        """Return the names of variables of a table of counts, and those of a frame of pandas."""
        array = self.array(representation)
        if hasattr(array, "columns"):
            return list(map(str, array.columns))
        data, name = self.data, representation
        if representation not in {*self.data.obsm, WHOLE}:
            data, name = self._modality(representation)
        return list(map(str, data.var_names)) if name == WHOLE else None

    def _of_modalities(self, names: Any) -> Iterable[str]:
        """Return what modalities have that the whole has not, with the name of the modality before it."""
        own = set(map(str, self.data.obs.columns))
        each = (f"{modality}:{name}" for modality, data in self.modalities.items() for name in names(data))
        return [name for name in each if name not in own]

    def _modality(self, name: str) -> tuple[Any, str]:
        """Return the modality of a name such as "rna:X_pca", and the name within it."""
        prefix, _, inner = name.partition(":")
        modality = self.modalities[prefix]
        if len(modality.obs) != self.n or not modality.obs.index.equals(self.row_names):
            msg = (
                f"Modality {prefix!r} has {len(modality.obs)} cells and {self.name} has {self.n}, or in another order; "
                f"pass the modality itself, mdata[{prefix!r}], and the name {inner!r}."
            )
            raise InputError(msg)
        return modality, inner


def annotated_cells(X: Any, name: str = "X") -> AnnotatedCells | None:
    """Return annotated cells by what they have; None for anything else."""
    return AnnotatedCells(X, name) if all(hasattr(X, part) for part in PARTS) else None


def _in_memory(table: Any) -> Any:
    """Return the table of counts; one that lies in a file is read."""
    if hasattr(table, "to_memory"):  # sparse, of AnnData that is backed by a file
        return table.to_memory()
    return table if hasattr(table, "tocsr") or not hasattr(table, "chunks") else table[:]


def _missing(owner: str, what: str, name: str, names: Iterable[str]) -> InputError:
    names = list(names)
    hint = suggestion(name, names)
    there = f"It has {listed(map(repr, names))}." if names else "It has none."
    return InputError(f"{owner} has no {what} {name!r}. {hint or there}")
