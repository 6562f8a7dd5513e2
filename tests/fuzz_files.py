"""Damaged files for the command line: whatever is in a file, it answers, or says in one line what is wrong.

A mutant is a good file with a few of its bytes changed, moved, repeated or cut off. ``python tests/fuzz_files.py
--minutes 60`` tries mutants until the time is over and prints the seed of each that ends in anything but an answer
(exit code 0) or one line on standard error (exit code 2); ``--seed`` tries one again and keeps its file.
"""

# ruff: noqa: T201 - it prints

from __future__ import annotations

import argparse
import contextlib
import gzip
import io
import math
import os
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import numpy as np
import polars as pl

from clustval import cli, progress

ROWS = 40
LABELS = np.arange(ROWS) % 3
FRAME = pl.DataFrame(
    {
        "x": np.random.default_rng(0).normal(size=ROWS) + 3 * LABELS,
        "z": np.random.default_rng(1).normal(size=ROWS),
        "count": np.arange(ROWS) // 2,
        "word": [f"word {i % 7}" if i % 5 else None for i in range(ROWS)],
        "flag": [i % 2 == 0 for i in range(ROWS)],
        "y": [f"cluster {c}" for c in LABELS],
    }
)
MATRIX = np.column_stack([FRAME["x"], FRAME["z"], LABELS])


def written(write: Callable[[io.BytesIO], object]) -> bytes:
    """Return what a function writes into a file."""
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()


RECORDS = np.array(list(zip(*MATRIX.T[:2], FRAME["y"], strict=True)), dtype=[("x", "f8"), ("z", "f4"), ("y", "U12")])
FILES: dict[str, tuple[bytes, str]] = {  # the bytes, and the column of labels
    "csv": (FRAME.write_csv().encode(), "y"),
    "tsv": (FRAME.write_csv(separator="\t").encode(), "y"),
    "semicolons": (FRAME.write_csv(separator=";").replace(".", ",").encode(), "y"),
    "quotes": (FRAME.write_csv(quote_style="always").encode(), "y"),
    "utf-16": (FRAME.write_csv().encode("utf-16"), "y"),
    "gzip": (gzip.compress(FRAME.write_csv().encode(), mtime=0), "y"),
    "parquet": (written(FRAME.write_parquet), "y"),
    "plain parquet": (written(lambda f: FRAME.write_parquet(f, compression="uncompressed")), "y"),
    "snappy parquet": (written(lambda f: FRAME.write_parquet(f, compression="snappy", row_group_size=10)), "y"),
    "arrow": (written(FRAME.write_ipc), "y"),
    "zstd arrow": (written(lambda f: FRAME.write_ipc(f, compression="zstd")), "y"),
    "arrow stream": (written(FRAME.write_ipc_stream), "y"),
    "npy": (written(lambda f: np.save(f, MATRIX)), "2"),
    "npy of records": (written(lambda f: np.save(f, RECORDS)), "y"),
    "npy by column": (written(lambda f: np.save(f, np.asfortranarray(MATRIX))), "2"),
    "npz": (written(lambda f: np.savez(f, X=MATRIX[:, :2], y=LABELS)), "y"),
    "zipped npz": (written(lambda f: np.savez_compressed(f, X=MATRIX[:, :2], y=LABELS)), "y"),
}
NUMBERS = [0, 1, 2, 127, 128, 255]


def cut(data: bytearray, at: int, _size: int, _rng: np.random.Generator) -> None:
    """Leave out the end."""
    del data[at:]


def drop(data: bytearray, at: int, size: int, _rng: np.random.Generator) -> None:
    """Leave out a piece."""
    del data[at : at + size]


def repeat(data: bytearray, at: int, size: int, _rng: np.random.Generator) -> None:
    """Write a piece twice."""
    data[at:at] = data[at : at + size]


def change(data: bytearray, at: int, _size: int, rng: np.random.Generator) -> None:
    """Write a number that often is a limit."""
    data[at : at + 1] = bytes([NUMBERS[int(rng.integers(len(NUMBERS)))]])


def flip(data: bytearray, at: int, _size: int, rng: np.random.Generator) -> None:
    """Turn a bit around."""
    data[at : at + 1] = bytes(byte ^ 1 << int(rng.integers(8)) for byte in data[at : at + 1])


def scramble(data: bytearray, at: int, size: int, rng: np.random.Generator) -> None:
    """Write random bytes."""
    data[at : at + size] = rng.bytes(size)


def blank(data: bytearray, at: int, size: int, rng: np.random.Generator) -> None:
    """Write all zeros or all ones."""
    data[at : at + size] = bytes([int(rng.choice([0, 255]))]) * size


def graft(data: bytearray, at: int, size: int, rng: np.random.Generator) -> None:
    """Write a piece of another file."""
    other = list(FILES.values())[int(rng.integers(len(FILES)))][0]
    begin = int(rng.integers(len(other)))
    data[at : at + size] = other[begin : begin + size]


DAMAGES = [*(drop, repeat, change, flip, scramble, blank, graft) * 3, cut]  # few files are cut: little is left of them


def mutant(seed: int) -> tuple[str, bytes]:
    """Return the kind of a file and its bytes, damaged as the seed says."""
    rng = np.random.default_rng(seed)
    kind = list(FILES)[int(rng.integers(len(FILES)))]
    data = bytearray(FILES[kind][0])
    inside = kind == "gzip" and rng.random() < 0.5
    if inside:
        data = bytearray(gzip.decompress(data))
    for _ in range(int(rng.integers(1, 6))):
        # Sizes and types are at the beginning or at the end: two thirds of the damage is there.
        places = [(0, len(data)), (0, min(200, len(data))), (max(0, len(data) - 300), len(data))]
        lo, hi = places[int(rng.integers(3))]
        damage = DAMAGES[int(rng.integers(len(DAMAGES)))]
        damage(data, int(rng.integers(lo, hi)) if hi > lo else 0, int(rng.integers(1, 33)), rng)
    return kind, gzip.compress(data, mtime=0) if inside else bytes(data)


FEW = ["--indices", "silhouette,calinski_harabasz", "--jobs", "1"]
COMMANDS: list[Callable[[str, str, str], list[str]]] = [  # of the damaged file, a good one, and the column of labels
    lambda bad, _good, y: ["evaluate", bad, "--labels", y, "--json", *FEW],
    lambda bad, _good, y: ["evaluate", bad, "--labels", y, "--drop-missing", "--standardize", "--noise=cluster", *FEW],
    lambda bad, _good, y: ["evaluate", bad, "--labels", y, "--weights", "count", "--csv", *FEW],
    lambda bad, _good, _y: ["evaluate", bad, "--labels", "5", "--no-header", "--drop-missing", "--md", *FEW],
    lambda bad, good, _y: ["evaluate", good, "--labels", bad, *FEW],
    lambda bad, good, y: ["evaluate", good, "--labels", f"{bad}:{y}", "--truth", bad, *FEW],
    lambda bad, _good, y: ["agree", bad, "--truth", y, "--labels", "word", "flag"],
    lambda bad, _good, y: ["sweep", bad, "--k", "2:3", "--truth", y, "--drop-missing", *FEW],
    lambda bad, _good, _y: ["tendency", bad, "--samples", "2", "--jobs", "1", "--drop-missing"],
]


class Outcome:
    """What the program did: its exit code, what it wrote on standard error, the traceback if it died."""

    def __init__(self, arguments: list[str]) -> None:
        self.failure = ""
        self.code = -1
        silent = patch.object(progress, "EVERY", math.inf)  # how much is left is no fault of slow machines
        with silent, _standard_error() as lines, contextlib.redirect_stdout(io.StringIO()):
            try:
                self.code = cli.run(arguments)
            except BaseException as error:  # panics of other languages too
                if isinstance(error, KeyboardInterrupt):
                    raise
                self.failure = traceback.format_exc()
        self.lines = [
            line for line in lines if not line.startswith(("Warning: ", "clustval: compiling"))
        ]  # neither is a fault

    @property
    def fault(self) -> str:
        """What is wrong with it, if anything."""
        if self.failure:
            return self.failure
        if self.code == 2 and len(self.lines) == 1 and len(self.lines[0]) < 1000:
            return ""
        return "" if self.code == 0 and not self.lines else f"exit {self.code}: {self.lines}"


@contextlib.contextmanager
def _standard_error():
    """Collect the lines on standard error, those that other languages write too."""
    lines: list[str] = []
    sys.stderr.flush()
    keep = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            with os.fdopen(os.dup(2), "w", buffering=1) as text, contextlib.redirect_stderr(text):
                yield lines
        finally:
            os.dup2(keep, 2)
            os.close(keep)
            file.seek(0)
            lines += file.read().decode(errors="replace").splitlines()


def tried(seed: int, folder: Path) -> str:
    """Return what is wrong with the program's answer to the mutant of this seed, if anything."""
    kind, data = mutant(seed)
    bad, good = folder / "bad", folder / "good.csv"
    bad.write_bytes(data)
    good.write_bytes(FILES["csv"][0])
    command = COMMANDS[int(np.random.default_rng([seed, 1]).integers(len(COMMANDS)))]
    arguments = command(str(bad), str(good), FILES[kind][1])
    fault = Outcome(arguments).fault
    return f"{' '.join(arguments)}\n{fault}" if fault else ""


def main() -> None:
    """Try mutants until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--first", type=int, default=int(time.time()) * 1000, help="the first seed")
    parser.add_argument("--seed", type=int, help="try only this one, and keep its file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if options.seed is not None:
            path = Path(f"mutant_{options.seed}")
            path.write_bytes(mutant(options.seed)[1])
            print(f"{path}: {mutant(options.seed)[0]}\n{tried(options.seed, Path(folder)) or 'fine'}")
            return
        end = time.monotonic() + 60 * options.minutes
        seed, faults = options.first, 0
        print(f"Seeds from {seed}")
        while time.monotonic() < end:
            fault = tried(seed, Path(folder))
            if fault:
                faults += 1
                print(f"seed {seed} ({mutant(seed)[0]}): {fault}", flush=True)
            seed += 1
    print(f"{seed - options.first} mutants, {faults} faults")
    sys.exit(faults > 0)


if __name__ == "__main__":
    main()
