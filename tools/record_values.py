"""Every value that the library gives, in one file: what shows that a change of the engine changes no bit.

``OMP_NUM_THREADS=1 python tools/record_values.py before.tsv`` writes a line for each value, reason and error: its
key and the value, numbers as `float.hex`. With PYTHONPATH it records another tree. ``--only SECTION`` records one
section, for a quick look. ``python tools/record_values.py --compare before.tsv after.tsv`` says what differs.

Values come through public functions alone, so that modules may move. The cases are in the folder `recorded`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from recorded import SECTIONS

import clustval as cv

FEW = 16  # elements of a list or an array up to which each has its line; of more there is a digest
SHOWN = 20  # differences that are printed
FAULT = "known-fault"  # in the keys of values that are wrong, and known to be: they may differ
PROPERTIES = ("size", "dispersion", "diameter", "separation")  # of clusters
NOT_MADE = ("is not made of values", "does not look for", "was not evaluated")  # of clusters or points, as most are not
CRASH = "crash"  # ends the keys of errors that are not the library's own: where they are mended, values may appear
Line = tuple[str, str]


def main() -> int:
    """Record or compare, and return what the shell is told."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, help="the file that is written, or the two that are compared")
    parser.add_argument("--compare", action="store_true", help="compare two files instead of writing one")
    parser.add_argument("--only", action="append", choices=sorted(SECTIONS), help="record this section alone")
    options = parser.parse_args()
    if len(options.files) != 1 + options.compare:
        parser.error("Give two files to compare, or one to write.")
    if options.compare:
        return compare(*options.files)
    if os.environ.get("OMP_NUM_THREADS") != "1":
        parser.error("Set OMP_NUM_THREADS=1: the last bits of sums of BLAS depend on its threads.")
    record(options.files[0].resolve(), options.only or list(SECTIONS))
    return 0


# --- recorded --------------------------------------------------------------------------------------------


def record(path: Path, sections: list[str]) -> None:
    """Write the values of all cases of some sections."""
    say(f"clustval {cv.__version__} of {Path(cv.__file__).parent}")
    cv.indices()  # loads every formula, so that no value depends on what was asked for before
    begin = time.perf_counter()
    lines: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # files have short names, and errors that name them the same text each time
        for section in sections:
            start, count = time.perf_counter(), len(lines)
            for key, call in SECTIONS[section]():
                for rest, text in outcome(call):
                    name = f"{section} {key} {rest}".rstrip()
                    if name in lines:
                        msg = f"Two values have the key {name!r}; give their cases different ones."
                        raise ValueError(msg)
                    lines[name] = text
            say(f"{section}: {len(lines) - count} values in {time.perf_counter() - start:.1f} s")
        os.chdir(path.parent)
    path.write_text("".join(f"{key}\t{lines[key]}\n" for key in sorted(lines)), encoding="utf-8")
    say(f"{len(lines)} values in {time.perf_counter() - begin:.1f} s: {path}")


def outcome(call: Callable[[], Any]) -> Iterator[Line]:
    """Return the values that a call gives, or its error, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            lines = list(leaves(call()))
        except cv.ClustvalError as error:
            lines = [("error", plain(f"{type(error).__name__}: {error}"))]
        except Exception as error:  # noqa: BLE001 - whatever it is, it is recorded
            lines = [(CRASH, plain(f"{type(error).__name__}: {error}"))]
    yield from lines
    own = {plain(f"{w.category.__name__}: {w.message}") for w in caught if "clustval" in Path(w.filename).parts}
    for at, text in enumerate(sorted(own)):
        yield f"warning {at}", text


def leaves(value: Any, key: str = "") -> Iterator[Line]:
    """Return each number and text of a result, with where it is."""
    if isinstance(value, cv.Scores):
        yield from leaves(scores(value), key)
    elif hasattr(value, "to_json"):
        yield from leaves(decoded(json.loads(value.to_json())["value"]), key)
    elif isinstance(value, Mapping):
        for at, (name, each) in enumerate(value.items()):
            yield from leaves(each, f"{key}.{title(name, at)}".lstrip("."))
    elif isinstance(value, np.ndarray | list | tuple):
        elements = value.ravel().tolist() if isinstance(value, np.ndarray) else list(value)
        if len(elements) > FEW and not any(isinstance(each, Mapping | list | tuple) for each in elements):
            yield key, digest(elements, np.shape(value))
        else:
            for at, each in enumerate(elements):
                yield from leaves(each, f"{key}[{at}]")
    else:
        yield key, shown(value)


def scores(value: cv.Scores) -> dict[str, Any]:
    """Return what evaluated indices have beside their values: reasons, intervals, and values of clusters and points."""
    parts: dict[str, Any] = {"": dict(value), "reason": value.reasons, "coverage": value.coverage}
    parts["interval"] = {name: [i.low, i.high, i.error, i.how] for name, i in value.intervals.items()}
    if hasattr(value, "p_values"):
        parts["p_value"] = value.p_values
    for part, names in (("per_cluster", [*PROPERTIES, *value]), ("per_point", value), ("neighbours", value)):
        parts[part] = {}
        for name in names:
            try:
                values = getattr(value, part)(name)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is recorded
                if not isinstance(error, cv.ClustvalError):
                    parts[part][f"{name} {CRASH}"] = type(error).__name__
                elif not any(words in str(error) for words in NOT_MADE):
                    parts[part][name] = f"{type(error).__name__}: {error}"
            else:
                parts[part][name] = list(values.values()) if isinstance(values, dict) else values
                if name == PROPERTIES[0]:
                    parts["clusters"] = [title(cluster, at) for at, cluster in enumerate(values)]
    return parts


def decoded(value: Any) -> Any:
    """Return what the JSON of a result holds, without tags; modules of formulas may move."""
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    tag, inner = next(iter(value.items())) if len(value) == 1 else ("", None)
    if tag == "$float":
        return float(inner)
    if tag == "$mapping":
        return {f"{at}:{decoded(key)}": decoded(each) for at, (key, each) in enumerate(inner)}
    if tag.startswith("$"):
        return decoded(inner)
    return {name: decoded(each) for name, each in value.items() if name != "module"}


def title(name: Any, at: int) -> str:
    """Return how a key of a mapping is written: noise points that are clusters have no name but their place."""
    return plain(name) if isinstance(name, str | int | float | np.generic | tuple | None) else f"#{at}"


def shown(value: Any) -> str:
    """Return a number to its last bit, or a text in one line."""
    if isinstance(value, float | np.floating):
        return "nan" if math.isnan(value) else float(value).hex()
    if isinstance(value, str | int | np.generic | bool | None):
        return plain(value)
    return f"a {type(value).__name__}"


def plain(value: Any) -> str:
    """Return a text in one line and without tabs."""
    return str(value).replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def digest(elements: list[Any], shape: tuple[int, ...]) -> str:
    """Return the first elements of many, and a digest of all."""
    texts = list(map(shown, elements))
    code = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:24]
    return f"{'x'.join(map(str, shape))} {code} {' '.join(texts[:3])}"


# --- compared --------------------------------------------------------------------------------------------


def compare(before: Path, after: Path) -> int:
    """Print which values of two files differ, and return 1 if any does that is not a known fault."""
    a, b = map(values_of, (before, after))
    differing = [key for key in sorted(a.keys() | b.keys()) if a.get(key) != b.get(key)]
    mended = tuple(key.removesuffix(CRASH) for key in a.keys() - b.keys() if key.endswith(CRASH))
    wrong = [key for key in differing if FAULT not in key and not key.startswith(mended)]
    faults = len(differing) - len(wrong)
    say(f"{len(a.keys() & b.keys())} values compared: {len(wrong)} differ, beside {faults} of known faults and crashes")
    say(f"{len(a.keys() - b.keys())} only in {before}, {len(b.keys() - a.keys())} only in {after}")
    for key in wrong[:SHOWN]:
        say(f"{key}\n  - {a.get(key, 'nothing')}\n  + {b.get(key, 'nothing')}")
    return int(bool(wrong))


def values_of(path: Path) -> dict[str, str]:
    """Return the recorded values by their keys."""
    return dict(row.split("\t", 1) for row in path.read_text(encoding="utf-8").split("\n") if row)


def say(text: str) -> None:
    """Print at once, so that who waits sees it."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
