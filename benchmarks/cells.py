"""How much memory does a file of cells take? The peak of ``evaluate("atlas.h5ad", "leiden", "fast")``.

``python benchmarks/cells.py`` writes and measures 1,000,000 cells of 50 components, ``--small`` a tenth. The peak is
over what the process had before, the compiled library; beside it, the time next to that of an NPY file.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
from memory import REFS, peak

import clustval as cv

MOST = 600  # MiB
STEP = 100_000  # cells that are written at once


def write(path, plain, n, p=50, k=20):
    """Write cells in blocks, so that writing takes little memory; return their clusters."""
    rng = np.random.default_rng(0)
    centres, labels = rng.normal(0, 3, (k, p)), rng.integers(k, size=n)
    array = np.lib.format.open_memmap(plain, mode="w+", dtype=np.float32, shape=(n, p))
    with h5py.File(path, "w") as file:
        points = file.create_dataset("obsm/X_pca", (n, p), np.float32)
        file["obs/_index"] = np.arange(n).astype("S8")
        file["obs/leiden/codes"], file["obs/leiden/categories"] = labels.astype(np.int8), [f"c{i:02}" for i in range(k)]
        for low in range(0, n, STEP):
            here = labels[low : low + STEP]
            points[low : low + STEP] = array[low : low + STEP] = centres[here] + rng.normal(size=(len(here), p))
    return labels


def timed(*arguments, memory=None):
    start = time.perf_counter()
    scores = cv.evaluate(*arguments, "fast", memory=memory).to_dict()
    return time.perf_counter() - start, scores


def main():
    """Print the peak, and the ratio of times."""
    n = 100_000 if "--small" in sys.argv else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path, plain = str(Path(folder) / "atlas.h5ad"), str(Path(folder) / "atlas.npy")
        tiny = str(Path(folder) / "tiny.h5ad")
        write(tiny, str(Path(folder) / "tiny.npy"), 90_000)
        timed(tiny, "leiden", memory="64 MiB")  # then whatever is loaded and compiled is there
        labels = write(path, plain, n)
        for budget in ("256 MiB", None):
            REFS.write_text("5")
            before = peak()
            seconds, scores = timed(path, "leiden", memory=budget)
            most = peak() - before
            verdict = "ok" if most <= MOST else "MISSED"
            print(f"h5ad of {n:,} x 50, fast, memory={budget}: {most:.0f} MiB over the base <= {MOST}  {verdict}")
        others, same = timed(plain, labels)
        values = np.array([scores[name] for name in same]), np.array(list(same.values()))
        assert np.array_equal(*values, equal_nan=True)
        print(f"  {seconds:.1f} s, {seconds / others:.2f} x an NPY file, the same values to the bit")


if __name__ == "__main__":
    main()
