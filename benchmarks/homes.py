"""How fast are data where they live? Ratios against the packages that compare series, and what embeddings cost.

``pip install tslearn`` brings the peer. Run ``python benchmarks/homes.py`` for everything, or name parts:
``python benchmarks/homes.py series``. A ratio is taken in one process from interleaved repeats, the fastest of each.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from memory import REFS, peak
from pairs import fastest, show

import clustval as cv

MOST = 100  # MiB, of files of 512 MB


def series():
    from tslearn.clustering import silhouette_score  # noqa: PLC0415 - of this part alone

    X = np.random.default_rng(0).normal(size=(500, 100)).cumsum(axis=1)
    labels = np.arange(500) % 4
    ours = lambda: cv.internal.silhouette(X, labels, metric="dtw", n_jobs=1)  # noqa: E731
    theirs = lambda: silhouette_score(X, labels, metric="dtw", n_jobs=1)  # noqa: E731
    np.testing.assert_allclose(ours(), theirs(), rtol=1e-10)
    a, b = fastest(ours, theirs, repeats=2)
    show("dtw silhouette, 500 series of 100, tslearn", b / a, 5, (a, b))
    a, b = fastest(lambda: cv.internal.silhouette(X, labels, metric="dtw(10)", n_jobs=1), ours, repeats=3)
    show("... with a window of 10, without", b / a, 3, (a, b))


def embeddings():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 8, 20_000)
    X = (rng.normal(size=(20_000, 384)) + labels[:, None]).astype(np.float32)
    frame = pl.DataFrame({"cluster": labels, "embedding": pl.Series(X, dtype=pl.Array(pl.Float32, 384))})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "documents.parquet"
        frame.write_parquet(path)
        plain = lambda: cv.evaluate(X, labels, "fast")  # noqa: E731
        a, b = fastest(lambda: cv.evaluate(frame, "cluster", "fast", features="embedding"), plain, repeats=3)
        show("suite fast, 20,000 x 384, a column of arrays, the array", a / b, 2, (a, b), at_most=True)
        a, b = fastest(lambda: cv.evaluate(path, "cluster", "fast", features="embedding"), plain, repeats=3)
        show("... from Parquet, the array", a / b, 4, (a, b), at_most=True)


def blocks():
    """Print the peak of embeddings in files of 512 MB, over what the process had before."""
    n, p, step = 500_000, 256, 50_000
    indices = ["calinski_harabasz", "davies_bouldin", "simplified_silhouette", "sv"]
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 8, n)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        plain = np.lib.format.open_memmap(home / "array.npy", mode="w+", dtype=np.float32, shape=(n, p))
        schema = pa.schema([("cluster", pa.int64()), ("embedding", pa.list_(pa.float32()))])
        with pq.ParquetWriter(home / "lists.parquet", schema) as file:
            for low in range(0, n, step):
                here = labels[low : low + step]
                X = plain[low : low + step] = (rng.normal(size=(step, p)) + here[:, None]).astype(np.float32)
                lists = pa.ListArray.from_arrays(np.arange(0, X.size + 1, p, dtype=np.int32), X.ravel())
                file.write_table(pa.table({"cluster": here, "embedding": lists}, schema))
        header = {"embedding": {"dtype": "F32", "shape": [n, p], "data_offsets": [0, plain.nbytes]}}
        head = json.dumps(header).encode()
        with (home / "tensors.safetensors").open("wb") as file:
            file.write(len(head).to_bytes(8, "little") + head)
            file.write(plain)
        del plain
        expected = cv.evaluate(home / "array.npy", labels, indices, memory="256 MiB").to_dict()
        for name in ("array.npy", "lists.parquet", "tensors.safetensors"):
            given = {} if name == "array.npy" else {"features": "embedding"}
            REFS.write_text("5")
            before = peak()
            scores = cv.evaluate(home / name, labels, indices, memory="256 MiB", **given).to_dict()
            most = peak() - before
            verdict = "ok" if most <= MOST else "MISSED"
            print(f"{name} of {n:,} x {p}, 4 indices: {most:.0f} MiB over the base <= {MOST}  {verdict}", flush=True)
            assert all(np.isclose(scores[index], value, rtol=1e-12) for index, value in expected.items())


PARTS = {"series": series, "embeddings": embeddings, "blocks": blocks}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
