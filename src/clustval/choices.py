"""The types of options that are one of many words: at run time text, and for editors the words, which a stub lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MetricName = str | Callable[..., Any]  # also "minkowski(3)" and "dtw(5)"
NoisePolicy = str
JudgeName = str
SuiteName = str
