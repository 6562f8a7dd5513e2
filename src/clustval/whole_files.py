"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from clustval.errors import InputError


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise an error if the folder of a file to be written is missing: better before the work than after it."""
    target = _behind_links(path)
    if target.is_dir():
        msg = f"{path} is a folder; give the name of a file."
        raise InputError(msg)
    if not target.parent.is_dir():
        msg = f"There is no folder {target.parent} to write {target.name} into."
        raise InputError(msg)


def write(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write text or bytes under a temporary name and rename it, so that no half-written file is ever seen."""
    check_folder(path)
    target = _behind_links(path)
    data = content.encode() if isinstance(content, str) else content
    with said(path):
        if target.exists() and not target.is_file():  # a device such as /dev/stdout, which must not be replaced
            target.write_bytes(data)
            return
        with _temporary(target, data) as temporary:
            temporary.replace(target)


def _behind_links(path: str | os.PathLike[str]) -> Path:
    """Return the file that a link leads to: a link stays one, and what it leads to is written."""
    target = Path(path)
    if target.is_symlink():
        target = Path(os.path.realpath(path))
        if target.is_symlink():
            msg = f"{path} is a link that leads back to itself; give the name of a file."
            raise InputError(msg)
    return target


def create(path: str | os.PathLike[str], content: str) -> bool:
    """Write text into a file that must not exist; return whether it did not, so that of two writers one is told."""
    check_folder(path)
    with said(path), _temporary(Path(path), content.encode()) as temporary:
        try:
            Path(path).hardlink_to(temporary)  # unlike a rename, it replaces nothing
        except FileExistsError:
            return False
        except OSError:  # a file system without links
            if Path(path).exists():
                return False
            temporary.replace(path)
    return True


@contextlib.contextmanager
def _temporary(target: Path, data: bytes) -> Iterator[Path]:
    """Write bytes beside the target, under a name that nobody else has, and take them away in the end."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        temporary.write_bytes(data)
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def said(path: str | os.PathLike[str]) -> Iterator[None]:
    """Say which file could not be written, and why."""
    try:
        yield
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror or error}."
        raise InputError(msg) from None
