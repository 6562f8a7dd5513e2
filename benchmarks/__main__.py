"""Run every benchmark and write the tables to RESULTS.md, with the machine named.

``python -m benchmarks`` runs all of them, ``python -m benchmarks pairs ranks`` some. Each runs alone, in a process of
its own; a ratio compares two things in one run, so that it holds on other machines better than seconds do.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
BENCHMARKS = {
    "pairs": "Visiting all pairs of points",
    "ranks": "Ranks of distances, exact",
    "evaluation": "A whole evaluation",
    "agreement": "Agreement of two labellings",
    "kinds": "Memberships, overlapping clusters, consensus",
    "sweep": "Many partitions at once",
    "density": "Density and connection",
    "choosing": "Choosing among clusterings",
    "stability": "Stability",
    "faults": "Faults of clusterings, found and repaired",
    "gap": "Gap statistic, stability and prediction strength of digits",
    "calibration": "Calibration by random clusterings",
    "kmeans": "k-means",
    "study": "The study of criteria",
    "metrics": "Metrics, single precision, sparse points, small calls",
    "peers": "One index next to other packages",
    "graphs": "Partitions of graphs",
    "resolutions": "Resolutions and seeds of Leiden",
    "mixed": "Categories, and tables of numbers and categories",
    "homes": "Series and embeddings",
    "scale": "Beyond memory and one machine",
    "memory": "Peak memory where clusters are many",
    "many_clusters": "Time where every second point is a cluster",
    "tables": "Tables in files, and pages",
    "cells": "Files of cells",
    "first_call": "The first call of a process",
    "choosing_time": "The time of choosing",
}
ARGUMENTS = {"ranks": ["--large"]}


def machine() -> str:
    """Return a line on the processor and the versions that were measured."""
    try:
        text = Path("/proc/cpuinfo").read_text()
        match = re.search(r"model name\s*:\s*(.*)", text)
        processor = match[1] if match else platform.processor()
    except OSError:
        processor = platform.processor()
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in ("numpy", "numba", "scipy", "scikit-learn"))
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}, {versions}."


def sections() -> dict[str, str]:
    """Return the tables that the file has now, by title."""
    text = RESULTS.read_text() if RESULTS.exists() else ""
    return dict(re.findall(r"^## (.*?)\n\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))


def write(tables: dict[str, str]) -> None:
    """Write the file anew, whole or not at all."""
    how = "Fastest of interleaved repeats in one process; the last columns of a line are the times of the two sides."
    body = "".join(f"## {title}\n\n{tables[title]}" for title in BENCHMARKS.values() if title in tables)
    temporary = RESULTS.with_suffix(".tmp")
    temporary.write_text(f"# Measured\n\n{machine()}\n{how}\n\n{body.rstrip()}\n")
    temporary.replace(RESULTS)


def main() -> None:
    """Run the benchmarks that were asked for; keep the tables of the others."""
    tables = sections()
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"== {name}", flush=True)
        command = [sys.executable, str(HERE / f"{name}.py"), *ARGUMENTS.get(name, [])]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        print(done.stdout, flush=True)
        if done.returncode == 0:
            tables[BENCHMARKS[name]] = f"`python benchmarks/{name}.py`\n\n```\n{done.stdout.rstrip()}\n```\n\n"
            write(tables)


if __name__ == "__main__":
    main()
