"""The clusterings to choose from: made by our algorithms, by the user's, or there already."""

from __future__ import annotations

import re
import time
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clustval import inputs
from clustval.arrays import Integers, numbered
from clustval.choosing.algorithms import ALGORITHMS, Algorithm, Points, default_numbers, installed, quiet
from clustval.errors import InputError, suggestion
from clustval.inputs import Labels
from clustval.progress import bar
from clustval.relative.estimators import numbers_of_clusters, run_alone
from clustval.relative.grids import Run, has_grid, runs_of
from clustval.relative.labellings import coded, labellings
from clustval.sources.space import Space

LATE = "time was up before it started"
NOT_EUCLIDEAN = "only for Euclidean distances"
UNFIT = "no setting fits these points"
MISSING = {
    "sklearn": "needs scikit-learn: pip install 'clustval[sklearn]'",
    "igraph": "needs igraph: pip install 'clustval[graph]'",
}
NUMBER = re.compile(r"[\s,;:_=-]*(k|n_clusters)?[\s_=-]*\d+$", re.IGNORECASE)  # what follows an algorithm in a name


@dataclass(frozen=True)
class Candidate:
    """One clustering: its name, where it comes from, and a code for each point, -1 for noise."""

    name: Hashable
    algorithm: str
    codes: Integers
    setting: Hashable = None
    family: str = ""  # of which the algorithm is a form

    @property
    def origin(self) -> str:
        """What the candidate is a witness of: forms of one algorithm are one witness."""
        return self.family or self.algorithm

    @property
    def k(self) -> int:
        """Number of clusters, noise not counted."""
        return int(self.codes.max(initial=-1)) + 1

    @property
    def labels(self) -> Labels:
        """The codes as labels, which indices take."""
        return Labels(self.codes, list(range(self.k)))


@dataclass
class Pool:
    """All candidates, and what was left out, with the reason."""

    candidates: list[Candidate]
    algorithms: dict[str, Algorithm] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)


def numbers_to_try(k: int | Iterable[int] | None, n: int) -> list[int]:
    """Return the numbers of clusters that algorithms are asked for."""
    return list(default_numbers(n)) if k is None else numbers_of_clusters(k, n, fewest=2)


def algorithms_of(candidates: Any, numbers: Sequence[int], space: Space) -> dict[str, Algorithm] | None:
    """Return the algorithms that the user names or brings, ours for None; None if labels are there already."""
    if candidates is None:
        return {name: algorithm for name, algorithm in ALGORITHMS.items() if algorithm.by_default(space)}
    if _clusters(candidates):
        candidates = [candidates]
    if not isinstance(candidates, (Mapping, list, tuple)):
        return None
    several = dict(candidates) if isinstance(candidates, Mapping) else dict(enumerate(candidates))
    labels = [name for name, each in several.items() if not _clusters(each)]
    if len(labels) == len(several):
        return None
    if labels:
        msg = (
            "candidates must be algorithms or labels, not both; "
            f"{labels[0]!r} is no algorithm. Cluster X by the others first, and give all labels."
        )
        raise InputError(msg)
    if isinstance(candidates, Mapping) or not any(isinstance(each, str) for each in candidates):
        return _brought(runs_of(candidates, numbers))
    names = [algorithm_name(each) for each in candidates if isinstance(each, str)]
    others = [each for each in candidates if not isinstance(each, str)]
    return {name: ALGORITHMS[name] for name in names} | (_brought(runs_of(others, numbers)) if others else {})


def algorithm_name(name: str) -> str:
    """Return our name of an algorithm, however it is written, or raise an error with the nearest one.

    >>> algorithm_name("KMeans"), algorithm_name("k_means")
    ('k-means', 'k-means')
    """
    written = {_plain(each): each for each in ALGORITHMS}
    if _plain(name) not in written:
        hint = suggestion(name, ALGORITHMS)
        msg = f"candidates must be one of {', '.join(map(repr, ALGORITHMS))}; it is {name!r}. {hint}".strip()
        raise InputError(msg)
    return written[_plain(name)]


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _clusters(value: Any) -> bool:
    estimator = value[0] if has_grid(value) else value
    return isinstance(value, str) or hasattr(estimator, "fit_predict") or callable(estimator)


def _brought(runs: Sequence[Run]) -> dict[str, Algorithm]:
    """Return the user's algorithms, whose settings are the names of their runs."""
    by_name = {run.name: run for run in runs}

    def run_all(points: Points, names: Sequence[str]) -> list[Integers]:
        labels = [by_name[name].labels(points.matrix, points.generator) for name in names]
        pairs = zip(names, labels, strict=True)
        return [inputs.as_labels(each, f"the result of {name}", noise="drop").codes for name, each in pairs]

    def algorithm(name: str) -> Algorithm:
        names = [run.name for run in runs if run.algorithm == name]
        return Algorithm(name, "", lambda _points, _numbers: names, run_all, at_once=False)

    return {run.algorithm: algorithm(run.algorithm) for run in runs}


def labelled_pool(space: Space, candidates: Any) -> Pool:
    """Return the candidates that the user labelled, named as the user names them."""
    by_name = labellings(space, candidates, called="candidates")
    pairs = zip(by_name, coded(by_name, "drop"), strict=True)
    return Pool([Candidate(name, _origin(name), labels.codes) for name, labels in pairs])


def _origin(name: Hashable) -> str:
    """Return the algorithm that a name speaks of: the name without the number at its end."""
    return NUMBER.sub("", str(name)).strip()


Piece = tuple[str, Algorithm, list[Any]]  # an algorithm and the settings that are one piece of work


def pieces_of(
    points: Points, algorithms: Mapping[str, Algorithm], numbers: Sequence[int]
) -> tuple[list[Piece], dict[str, str]]:
    """Return the work that algorithms are cut into, and what cannot be done, with the reason."""
    pieces: list[Piece] = []
    left_out: dict[str, str] = {}
    for name, algorithm in algorithms.items():
        if algorithm.needs and not installed(algorithm.needs):
            left_out[name] = MISSING[algorithm.needs]
            continue
        settings = list(algorithm.settings(points, numbers))
        if not settings:
            left_out[name] = UNFIT if points.space.euclidean else NOT_EUCLIDEAN
        groups = [settings] if algorithm.at_once else [[setting] for setting in settings]
        pieces += [(name, algorithm, group) for group in groups if group]
    return pieces, left_out


def made_pool(
    points: Points,
    algorithms: Mapping[str, Algorithm],
    numbers: Sequence[int],
    *,
    n_jobs: int,
    deadline: float | None = None,
    progress: bool | None = None,
) -> Pool:
    """Return the candidates that algorithms make; what does not start before the deadline is left out."""
    pieces, left_out = pieces_of(points, algorithms, numbers)
    results: list[list[Candidate]] = [[] for _ in pieces]
    late: list[str] = []

    def work(item: int) -> None:
        name, algorithm, settings = pieces[item]
        if deadline is not None and time.monotonic() > deadline:
            late.extend(algorithm.title(setting) for setting in settings)
            return
        for setting, codes in zip(settings, algorithm.run(points, settings), strict=True):
            results[item].append(Candidate(algorithm.title(setting), name, numbered(codes), setting, algorithm.family))

    with quiet(), bar("Clustering", shown=progress, total=len(pieces)) as done:
        run_alone(work, len(pieces), n_jobs, done)
    left_out |= dict.fromkeys(sorted(late), LATE)
    return Pool([candidate for some in results for candidate in some], dict(algorithms), left_out)
