"""What is wrong with a file, in one line: libraries that read have fewer errors than files have faults."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from clustval.errors import ClustvalError, InputError

STDIN = "-"
LONGEST_REASON = 200  # letters


@dataclass(frozen=True)
class Remedies:
    """What a message about a file advises, in the words of whoever asked: options of the program, or parameters."""

    header: str
    encoding: str
    features: str
    use_rep: str
    force: str


PROGRAM = Remedies(
    header="use --no-header to call the columns 0, 1, ...",
    encoding="name its encoding, as --encoding latin-1 does.",
    features="--features",
    use_rep="--use-rep",
    force="--force",
)
LIBRARY = Remedies(
    header="read it yourself and pass the table.",
    encoding="read it yourself and pass the table.",
    features="features=",
    use_rep="use_rep=",
    force="force=True",
)


def display_name(path: str) -> str:
    """Return what a message calls the file."""
    return "Standard input" if path == STDIN else path


@contextlib.contextmanager
def blamed(path: str) -> Iterator[None]:
    """Say of whatever goes wrong inside that the file is damaged, and why, unless it was said before."""
    try:
        yield
    except ClustvalError:
        raise
    except MemoryError:
        msg = f"{display_name(path)} does not fit into memory, or claims so and is damaged."
        raise InputError(msg) from None
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # what Rust dies of
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:  # where something unpacks it
            msg = f"{display_name(path)} cannot be read: {error.strerror}."
            raise InputError(msg) from None
        reason = (str(error) or type(error).__name__).strip().partition("\n")[0][:LONGEST_REASON].rstrip(".")
        msg = f"{display_name(path)} is damaged: {reason}."
        raise InputError(msg) from None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Send what libraries of other languages write on standard error nowhere: a panic writes before it is raised."""
    try:
        keep = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(keep, 2)
        os.close(nowhere)
        os.close(keep)
