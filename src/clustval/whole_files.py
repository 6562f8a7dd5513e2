"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from clustval.errors import InputError

OPEN_FILES = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/self/fd/")  # files that are open already
LONGEST_NAME = 180  # bytes of a name that a temporary name repeats; file systems take 255 in all


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise an error if a file cannot be written where it should be: better before the work than after it."""
    if not os.fspath(path) or "\0" in os.fspath(path):
        msg = f"{os.fspath(path)!r} is no name of a file; give one to write to."
        raise InputError(msg)
    if _is_open(path):
        return
    target = _behind_links(path)
    with said(path):
        if target.is_dir():
            msg = f"{path} is a folder; give the name of a file."
            raise InputError(msg)
        if not target.parent.is_dir():
            what = (
                f"{target.parent} is a file, no folder"
                if target.parent.exists()
                else f"There is no folder {target.parent}"
            )
            msg = f"{what} to write {target.name} into."
            raise InputError(msg)
        device = target.exists() and not target.is_file()
        if not device and not os.access(target.parent, os.W_OK | os.X_OK):
            msg = f"{path} cannot be written: you may not write into the folder {target.parent}."
            raise InputError(msg)
        if target.exists() and not os.access(target, os.W_OK):
            msg = f"{path} cannot be written: it is there already, and you may only read it."
            raise InputError(msg)


def write(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write text or bytes under a temporary name and rename it, so that no half-written file is ever seen."""
    check_folder(path)
    data = _encoded(content) if isinstance(content, str) else content
    if _is_open(path):
        sys.stdout.flush()
        with said(path), Path(path).open("ab") as file:  # what was printed there before stays
            file.write(data)
        return
    target = _behind_links(path)
    with said(path):
        if target.exists() and not target.is_file():  # a device such as /dev/stdout, which must not be replaced
            target.write_bytes(data)
            return
        with _temporary(target, data) as temporary:
            temporary.replace(target)


def _encoded(text: str) -> bytes:
    """Return text as UTF-8; names of files may hold bytes that are no letters."""
    return text.encode(errors="replace")


def _is_open(path: str | os.PathLike[str]) -> bool:
    """Return whether a path names a file that the program has open, such as its output: it must not be replaced."""
    return os.fspath(path).startswith(OPEN_FILES)


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
    with said(path), _temporary(Path(path), _encoded(content)) as temporary:
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
    """Write bytes beside the target, under a name that nobody else has, and take them away in the end.

    Who may read and write the target may do so after it was replaced, and nobody else.
    """
    name = os.fsencode(target.name)[:LONGEST_NAME].decode(errors="ignore")
    temporary = target.with_name(f".{name}.{os.getpid()}.{secrets.token_hex(4)}.part")
    try:
        if target.exists():
            temporary.touch(mode=0o600)
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
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
