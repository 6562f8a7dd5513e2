"""Where compiled kernels are kept: read from every folder that has them, written to the first that can be written.

numba's own cache refuses a folder that it cannot write, even where everything was compiled beforehand, and looks at the
file of a kernel alone, not at what that file imports. Here a kernel is a file of its own, whose name is a digest of the
types of its arguments, the processor with its features, and the versions of Python and numba. What was compiled for
another processor is therefore never read, and processes that write at once do not meet.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, compiler
from numba.core.serialize import dumps

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT.parents[1]
IMPORTS = re.compile(r"^\s*from clustval\.(kernels[\w.]*) import", re.MULTILINE)
VERSIONS = (*sys.version_info[:2], numba.__version__)


@cache
def folders(topic: str) -> tuple[Path, ...]:
    """Return the folders that may hold the kernels of a topic: the user's choice, beside their code, in the home."""
    roots = [Path(root) / topic for name in ("CLUSTVAL_CACHE", "NUMBA_CACHE_DIR") if (root := os.environ.get(name))]
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.cache")  # noqa: PTH111
    homes = [Path(home) / "clustval" / "kernels" / topic] if Path(home).is_absolute() else []  # not all users have one
    return (*roots, ROOT / topic / "__pycache__", *homes)


@cache
def stamp(path: Path) -> bytes:
    """Return a digest of a file of kernels and of all kernels that it imports."""
    seen: dict[Path, bytes] = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen[file] = file.read_bytes()
            names = IMPORTS.findall(seen[file].decode())
            waiting += [below for name in names if (below := _file(name)) is not None]
    digest = hashlib.sha256()
    for file in sorted(seen):
        digest.update(hashlib.sha256(seen[file]).digest())
    return digest.digest()


def _file(name: str) -> Path | None:
    path = PACKAGE / "clustval" / f"{name.replace('.', '/')}.py"
    return path if path.is_file() else None


class KernelCache(caching.FunctionCache):
    """What is kept of one kernel: a file for each combination of types and processor."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Touch no disk: most kernels of a file are not called."""
        self._py_func = function
        self._name = repr(function)
        self.enable()

    @cached_property
    def _source(self) -> Path:
        return Path(self._py_func.__code__.co_filename).resolve()

    @property
    def folders(self) -> tuple[Path, ...]:
        """Folders that are searched, in this order."""
        return folders(self._source.parent.name)

    @property
    def cache_path(self) -> str:
        """The first of the folders, which numba prints."""
        return str(self.folders[0])

    def flush(self) -> None:
        """Keep what is there: it is overwritten by what is newer."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel for these types from the first folder that has it, None if no folder has it."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        for folder in self.folders if self._enabled else ():
            payload = _read(folder / self._name_of(key), key)
            if payload is not None:
                return compiler.CompileResult._rebuild(target_context, *payload)  # noqa: SLF001
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the kernel for these types to the first folder that can be written."""
        if not self._enabled or data.lifted or data.library.has_dynamic_globals:
            return
        key = self._key(sig, data.codegen)
        content = dumps(key) + dumps(data._reduce())  # noqa: SLF001
        for folder in self.folders:
            if _write(folder / self._name_of(key), content):
                return

    def writable(self) -> bool:
        """Return whether any folder can be written."""
        return any(can_write(folder) for folder in self.folders)

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        return (VERSIONS, stamp(self._source), *self._index_key(sig, codegen))

    def _name_of(self, key: tuple[Any, ...]) -> str:
        versions, _, *rest = key
        digest = hashlib.sha256(repr((versions, *rest[:2])).encode()).hexdigest()[:20]
        return f"{self._source.stem}.{self._py_func.__qualname__}-{digest}.nbc".replace("<", "").replace(">", "")


def _read(path: Path, key: tuple[Any, ...]) -> Any:
    """Return what a file keeps under this key; None if it is missing, stale or damaged."""
    try:
        with path.open("rb") as file:
            return pickle.load(file) if pickle.load(file) == key else None  # noqa: S301 - as trusted as our own code
    except Exception:  # noqa: BLE001 - a damaged pickle can raise anything, and a kernel can be compiled again
        return None


def _write(path: Path, content: bytes) -> bool:
    """Write a whole file or none; return whether it could be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)  # whoever may read the code may read what is compiled of it
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        return False
    return True


def can_write(folder: Path) -> bool:
    """Return whether a folder can be written, or made."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)
