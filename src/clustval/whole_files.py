"""Text files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from clustval.errors import InputError


def check_folder(path: str | os.PathLike[str]) -> None:
    """Raise an error if the folder of a file to be written is missing: better before the work than after it."""
    target = Path(path)
    if target.is_dir():
        msg = f"{path} is a folder; give the name of a file."
        raise InputError(msg)
    if not target.parent.is_dir():
        msg = f"There is no folder {target.parent} to write {target.name} into."
        raise InputError(msg)


def write(path: str | os.PathLike[str], text: str) -> None:
    """Write text under a temporary name and rename it, so that no half-written file is ever seen."""
    check_folder(path)
    target = Path(path)
    try:
        if target.exists() and not target.is_file():  # a device such as /dev/stdout, which must not be replaced
            target.write_text(text, encoding="utf-8", newline="\n")
            return
        temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            temporary.write_text(text, encoding="utf-8", newline="\n")
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}."
        raise InputError(msg) from None
