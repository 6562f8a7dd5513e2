"""The regret of choosing among clusterings that others made and published, so that anyone can repeat it.

``python benchmarks/public_pool.py DATA RESULTS`` reads checkouts of two public repositories by M. Gagolewski: DATA is
that of ``clustering-data-v1`` (``battery/dataset.data.gz``, ``battery/dataset.labels0.gz`` ...), RESULTS the folder
``original`` of ``clustering-results-v1`` (``method/battery/dataset.result<K>.gz``: a header that names settings, and a
column of labels for each). In labels 0 is noise.
Regret is the adjusted Rand index of the best candidate with the truth less that of the pick; where there are several
truths, the largest index counts. ``--most N`` leaves out sets of more than N points, ``--keep FOLDER`` keeps what was
found of each set, so that an interrupted run goes on where it was.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from pathlib import Path

import numpy as np

import clustval as cv
from clustval import whole_files

JUDGES = ("consensus", "calinski_harabasz", "silhouette")
MOST = 10_000
RESAMPLES = 2000
FILE_OF_RESULTS = re.compile(r"(.+)\.result(\d+)\.gz")


def truths_of(path):
    """Return the truths of a data set that have two clusters or more; 0 is noise."""
    name = path.name.removesuffix(".data.gz")
    truths = [np.loadtxt(file, dtype=int) for file in sorted(path.parent.glob(f"{name}.labels*.gz"))]
    return [truth for truth in truths if truth.max(initial=0) > 1]


def columns_of(path):
    """Return the columns of one file of results by the names in its header."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        header = file.readline()
    delimiter = "," if "," in header else None
    labels = np.loadtxt(path, dtype=int, delimiter=delimiter, skiprows=1, ndmin=2)
    names = [header] if labels.shape[1] == 1 else header.split(delimiter)
    if labels.shape[1] != len(names):
        sys.exit(f"{path} has {len(names)} names in its header and {labels.shape[1]} columns.")
    return {name.strip().strip('"'): column for name, column in zip(names, labels.T, strict=True)}


def candidates_of(results, battery, name, n):
    """Return every clustering of a data set, each different one once: ``setting k=K``, noise as -1."""
    candidates, known = {}, set()
    for path in sorted(results.glob(f"*/{battery}/*.result*.gz")):
        match = FILE_OF_RESULTS.fullmatch(path.name)
        if match is None or match[1] != name:
            continue
        for setting, labels in columns_of(path).items():
            if len(labels) != n:
                sys.exit(f"{path} has labels of {len(labels)} points; the data set has {n}.")
            content = labels.tobytes()
            if content not in known and len(np.unique(labels[labels > 0])) > 1:
                known.add(content)
                candidates[f"{setting} k={match[2]}"] = np.where(labels > 0, labels, -1)
    return candidates


def look(path, results):
    """Return the agreement of the best candidate, of all and of each judge's pick; None if there is nothing to pick."""
    battery, name = path.parent.name, path.name.removesuffix(".data.gz")
    X, truths = np.loadtxt(path, ndmin=2), truths_of(path)
    candidates = candidates_of(results, battery, name, len(X))
    if not truths or len(candidates) < 2:
        return None
    agreement = {
        key: max(cv.external.adjusted_rand(truth[truth > 0], labels[truth > 0]) for truth in truths)
        for key, labels in candidates.items()
    }
    picks = {
        judge: cv.choose(X, candidates, judge=judge, null=False, stability=False, random_state=0, n_jobs=1).best
        for judge in JUDGES
    }
    values = list(agreement.values())
    record = {"battery": battery, "name": name, "candidates": len(values)}
    record |= {"best": max(values), "random": float(np.mean(values))}
    return record | {judge: agreement[pick] for judge, pick in picks.items()}


def recorded(path, options):
    """Return what was found of a data set before, or look at it now."""
    if options.keep is None:
        return look(path, options.results)
    file = options.keep / f"{path.parent.name}-{path.name.removesuffix('.data.gz')}.json"
    if not file.exists():
        options.keep.mkdir(parents=True, exist_ok=True)
        whole_files.write(file, json.dumps(look(path, options.results)))
    return json.loads(file.read_text(encoding="utf-8"))


def table(records):
    """Return the lines of a table: mean agreement and regret, and how much more a judge has than the consensus."""
    best, consensus = (np.array([record[key] for record in records]) for key in ("best", "consensus"))
    number = np.mean([record["candidates"] for record in records])
    rng = np.random.default_rng(0)
    yield f"{len(records)} sets, {number:.0f} candidates each on average, best candidate {best.mean():.3f}"
    for judge in ("random", *JUDGES):
        values = np.array([record[judge] for record in records])
        line = f"  {judge:20} {values.mean():6.3f}  regret {(best - values).mean():6.3f}"
        if judge != "consensus":
            more = consensus - values
            means = more[rng.integers(0, len(more), (RESAMPLES, len(more)))].mean(axis=1)
            low, high = np.quantile(means, [0.025, 0.975])
            line += f"   more than the consensus by {more.mean():6.3f} [{low:.3f}, {high:.3f}]"
        yield line


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("results", type=Path)
    parser.add_argument("--most", type=int, default=MOST, help=f"points of a set; {MOST} by default")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args(arguments)
    paths = sorted(options.data.glob("*/*.data.gz"))
    if not paths:
        sys.exit(f"{options.data} has no battery/dataset.data.gz; give a checkout of clustering-data-v1.")
    if next(options.results.glob("*/*/*.result*.gz"), None) is None:
        sys.exit(
            f"{options.results} has no method/battery/dataset.result<K>.gz; "
            "give the folder original of a checkout of clustering-results-v1."
        )
    records, left_out = [], {}
    for path in paths:
        name = f"{path.parent.name}/{path.name.removesuffix('.data.gz')}"
        if len(np.loadtxt(path, ndmin=2)) > options.most:
            left_out.setdefault(f"more than {options.most} points", []).append(name)
            continue
        record = recorded(path, options)
        if record is None:
            left_out.setdefault("fewer than two candidates or true clusters", []).append(name)
            continue
        records.append(record)
        picks = ", ".join(f"{judge} {record[judge]:.3f}" for judge in JUDGES)
        print(f"{name}: {record['candidates']} candidates, best {record['best']:.3f}, {picks}", flush=True)
    for reason, names in left_out.items():
        print(f"left out, {reason}: {', '.join(names)}")
    if records:
        print("\n".join(table(records)))


if __name__ == "__main__":
    main()
