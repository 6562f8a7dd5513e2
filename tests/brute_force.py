"""Reference values on six data sets, computed by brute force from the definitions of indices."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "golden" / "brute_force"
SETS = tuple(sorted(path.name.removesuffix(".data.json") for path in FOLDER.glob("*.data.json")))
INFINITE = {"inf": math.inf, "-inf": -math.inf}


@cache
def data(name: str) -> dict[str, Any]:
    """Return the points and labellings of a set; -1 is noise, `crisp` has none."""
    content = json.loads((FOLDER / f"{name}.data.json").read_text())
    arrays = {key: np.array(content[key]) for key in ("X", "truth", "other", "U", "V", "U4")}
    kmeans = {int(k): np.array(labels) for k, labels in content["kmeans"].items()}
    return {**arrays, "kmeans": kmeans}


@cache
def values(name: str, family: str) -> dict[str, Any]:
    """Return the reference values of a family (A ... H), with NaN for null and infinities as numbers."""
    return _numbers(json.loads((FOLDER / f"{name}.values.json").read_text())[family])


@cache
def edges() -> dict[str, Any]:
    """Return the degenerate inputs with the literal and the sensible value of each index."""
    content = json.loads((FOLDER / "edges.json").read_text())
    return {case: _numbers(record) for case, record in content.items() if not case.startswith("_")}


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _numbers(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_numbers(v) for v in value]
    if value is None:
        return math.nan
    return INFINITE.get(value, value) if isinstance(value, str) else value
