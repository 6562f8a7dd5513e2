"""The two runs of the 2010 study: one file per data set, so that a run goes on where it was stopped.

A file is written under a temporary name, which no other run has, and renamed when it is whole: what is there is
finished, and what is not there is made again, with the same numbers. So two runs may work in one directory.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from clustval import files, inputs, whole_files
from clustval.catalogue import select
from clustval.errors import InputError, optional
from clustval.inputs import at_least
from clustval.passes.work import threads
from clustval.progress import bar
from clustval.result import Result
from clustval.study.compare import one_blas_thread
from clustval.study.comparison import Comparison
from clustval.study.correlations import CORRELATIONS, Finding, check_names, finding
from clustval.study.designs import DESIGNS, Design, Replication
from clustval.study.method import peaks
from clustval.study.records import Record
from clustval.tables import Tabular

EXTERNAL = ("jaccard", "adjusted_rand")
SETTINGS = "settings.json"
GENERATOR = 2  # to be counted up whenever the same seed gives other data


def part_one(
    out: str | os.PathLike[str],
    *,
    limit: int | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Run:
    """Run Part I into a directory: 108 data sets of 50 points, four hierarchies each, 2 to 25 clusters, 40 criteria.

    Parameters
    ----------
    out
        The directory; what is finished there is not done again.
    limit
        Number of data sets, for a sample across the cells; None for all.
    seed
        Every number follows from it, whatever `n_jobs`.
    n_jobs
        Data sets worked on at a time; None for one per core.
    """
    return _run(1, out, limit, seed, n_jobs, progress)


def part_two(
    out: str | os.PathLike[str],
    *,
    limit: int | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Run:
    """Run Part II into a directory: 972 data sets of 500 points, 20 runs of k-means for each of 2 to 50 clusters.

    Unlike the 2010 study it has all 40 criteria, those that compare all pairs of distances included. Parameters are
    those of `part_one`.
    """
    return _run(2, out, limit, seed, n_jobs, progress)


class Run(Tabular, Result):
    """The finished data sets of a run, in the directory that holds them."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(directory)
        settings = _settings(self.directory)
        if settings is None:
            msg = f"{self.directory} holds no run of the study; there is no {SETTINGS} in it."
            raise InputError(msg)
        self.design = DESIGNS[settings["part"]]
        self.seed: int = settings["seed"]
        self.criteria = select("vendramin", "internal")
        self._comparisons: dict[tuple[int, tuple[str, ...], str], Comparison] = {}

    def _content(self) -> dict[str, Any]:
        return {"directory": str(self.directory)}

    def __reduce__(self) -> tuple[Any, ...]:
        """Be opened again from its directory, which holds all that it is."""
        return type(self), (self.directory,)

    @property
    def finished(self) -> list[Replication]:
        """The data sets that are done, in the order of the design."""
        return [which for which in self.design.data_sets() if self.file(which).exists()]

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each data set of the design."""
        finished = set(self.finished)
        return [
            {"data set": which.name, "cell": which.cell.name, "clusters": which.cell.k, "finished": which in finished}
            for which in self.design.data_sets()
        ]

    def __str__(self) -> str:
        count = f"{len(self.finished)} of {len(self.design.data_sets())} data sets"
        return f"Part {self.design.part} of the study, seed {self.seed}: {count} are finished in {self.directory}"

    __repr__ = __str__

    def file(self, which: Replication) -> Path:
        """Return where the values of a data set are."""
        return self.directory / f"{which.name}.parquet"

    def record(self, which: Replication) -> Record:
        """Read the values of a data set."""
        file = self.file(which)
        criteria = [choice.name for choice in self.criteria]
        try:
            frame = files.read(str(file))
        except InputError as error:
            msg = f"{error} Remove it, and run the study again."
            raise InputError(msg) from None
        lost = {"chain", "k", *criteria, *EXTERNAL}.difference(frame.columns)
        if lost:
            msg = f"{file} lacks the column {min(lost)!r}; remove it, and run the study again."
            raise InputError(msg)
        return Record(
            name=which.name,
            cell=which.cell.name,
            classes=which.cell.k,
            chain=frame["chain"].to_numpy().astype(np.int64),
            k=frame["k"].to_numpy().astype(np.int64),
            values=frame.select(criteria).to_numpy(),
            external=frame.select(EXTERNAL).to_numpy(),
        )

    def compare(
        self,
        most: int | None = None,
        *,
        correlation: str | Iterable[str] = ("pearson", "wgk", "spearman"),
        transform: str = "knee",
        n_jobs: int | None = None,
    ) -> Comparison:
        """Return the comparison of criteria over partitions of up to `most` clusters, the design's most if None."""
        return self.compare_several(
            [max(self.design.most) if most is None else most],
            correlation=correlation, transform=transform, n_jobs=n_jobs,
        )[0]  # fmt: skip

    def compare_several(
        self,
        mosts: Iterable[int],
        *,
        correlation: str | Iterable[str] = ("pearson", "wgk", "spearman"),
        transform: str = "knee",
        n_jobs: int | None = None,
    ) -> list[Comparison]:
        """Return one comparison for each largest number of clusters, made once; the files are read once for all."""
        kinds = check_names(
            correlation if isinstance(correlation, str) else list(correlation), list(CORRELATIONS), "correlation"
        )
        keys = [(at_least(most, 2, "most"), tuple(kinds), transform) for most in mosts]
        missing = [key for key in keys if key not in self._comparisons]
        which = self.finished if missing else []
        findings: list[list[Finding]] = [[] for _ in which]

        def work(item: int) -> None:
            record = self.record(which[item])
            findings[item] = [
                finding(record, self.criteria, kinds, transform=transform, most=key[0]) for key in missing
            ]

        threads.run(work, len(which), inputs.as_jobs(n_jobs))
        others, prepared = select(EXTERNAL, "external"), peaks(self.criteria, transform)
        for at, key in enumerate(missing):
            method = [*self._method(key[0]), *prepared]
            self._comparisons[key] = Comparison([one[at] for one in findings], self.criteria, others, kinds, method)
        return [self._comparisons[key] for key in keys]

    def _method(self, most: int) -> list[str]:
        design, finished = self.design, len(self.finished)
        which = f"part {design.part} of the study of Vendramin, Campello and Hruschka (2010), seed {self.seed}"
        return [
            f"Data: {which}; {finished} of the {len(design.data_sets())} data sets of {design.n} points.",
            f"Partitions: {design.how} 2 to {most} clusters.",
        ]


def _run(
    part: int, out: str | os.PathLike[str], limit: int | None, seed: int, n_jobs: int | None, progress: bool | None
) -> Run:
    polars = optional("polars", "report")
    design = DESIGNS[part]
    data_sets = design.data_sets()
    if limit is not None:
        data_sets = data_sets[: at_least(limit, 1, "limit")]
    jobs = inputs.as_jobs(n_jobs)
    directory = Path(out)
    _open(directory, part, at_least(seed, 0, "seed"))
    run = Run(directory)
    remaining = [which for which in data_sets if not run.file(which).exists()]
    with bar(f"Part {part}", shown=progress, total=len(remaining)) as done, one_blas_thread():
        threads.run(lambda item: _work(run, design, remaining[item], polars), len(remaining), jobs, done)
    return run


def _work(run: Run, design: Design, which: Replication, polars: Any) -> None:
    if run.file(which).exists():  # another run into the same directory was quicker
        return
    record = design.task(which, run.seed).record(run.criteria, select(EXTERNAL, "external"))
    frame = polars.DataFrame(
        {
            "chain": record.chain.astype(np.int16),
            "k": record.k.astype(np.int16),
            **dict(zip(EXTERNAL, record.external.T, strict=True)),
            **{choice.name: column for choice, column in zip(run.criteria, record.values.T, strict=True)},
        }
    )
    stream = io.BytesIO()
    frame.write_parquet(stream, compression="zstd", compression_level=1, statistics=False)
    whole_files.write(run.file(which), stream.getvalue())


def _open(directory: Path, part: int, seed: int) -> None:
    """Begin a run in the directory, or make sure that what it holds belongs to the same run."""
    if directory.is_file():
        msg = f"{directory} is a file; give the name of a directory."
        raise InputError(msg)
    with whole_files.said(directory):
        directory.mkdir(parents=True, exist_ok=True)
    own = {"part": part, "seed": seed, "generator": GENERATOR}
    settings = _settings(directory)
    if settings is None and not whole_files.create(directory / SETTINGS, json.dumps(own)):
        settings = _settings(directory)  # of a run that began at the same time
    if settings not in (None, own):
        holder, other = (", ".join(f"{key} {value}" for key, value in each.items()) for each in (settings, own))
        msg = f"{directory} holds the run of {holder}; give another directory for {other}."
        raise InputError(msg)


def _settings(directory: Path) -> dict[str, int] | None:
    file = directory / SETTINGS
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
        part, generator = DESIGNS[settings["part"]].part, int(settings.get("generator", 1))
        return {"part": part, "seed": int(settings["seed"]), "generator": generator}
    except FileNotFoundError:
        return None
    except OSError as error:
        msg = f"{file} cannot be read: {error.strerror}."
    except (ValueError, KeyError, TypeError):
        msg = f"{file} is damaged; remove it, and run the study again."
    raise InputError(msg)
