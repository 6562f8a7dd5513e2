"""Whether there are clusters at all: gaps between groups, groups of a continuum, or nothing.

There are *gaps* where points that had no part in finding two groups are rarer between them than on either side. There
are groups of a *continuum* where the data are more clustered than their columns and correlations explain, though no gap
is seen. Otherwise there is *nothing*.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.choices import MetricName
from clustval.choosing.evidence.axes import dimension, scores_beyond_chance, unrounded
from clustval.choosing.evidence.continuum import PER_CLUSTER, Comparison, compared
from clustval.choosing.evidence.continuum import POINTS as FEW_POINTS
from clustval.choosing.evidence.gaps import CURVED, HALVINGS, Gaps, gaps_in
from clustval.choosing.evidence.gaps import FEWEST as SMALLEST_GROUP
from clustval.choosing.nulls import NULLS, nulls_of
from clustval.declare import Plan
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.inputs import at_least, is_number, one_of
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import points_in_memory
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.sources.space import Space, space_of
from clustval.tables import Tabular, cells_of, html_table

GAPS, CONTINUUM, NOTHING = "gaps", "continuum", "nothing"
LEVEL = 0.05
POINTS = 1000  # more are sampled
FEWEST = 5  # points
FEWEST_DRAWS = 19  # with fewer no p-value is as small as the level
HALF = 2 * SMALLEST_GROUP  # points that find two groups
NUMBERS, CODES, DIRECTIONS = "numbers", "codes", "directions"
FITTING = {NUMBERS: ("columns", "elliptical", "skeleton"), CODES: ("permuted",), DIRECTIONS: ("sphere",)}
LATE = "time was up before it was asked"
NULL_NAMES = tuple(NULLS)


@dataclass(frozen=True, repr=False, eq=False)
class Structure(Drawn, Tabular, Result):
    """Whether there are clusters, and what speaks for them.

    Attributes
    ----------
    evidence
        "gaps": points that had no part in finding two groups are rarer between them than on either side. "continuum":
        no gap, but the data are more clustered than their columns and correlations explain. "nothing": neither. None
        if that could not be told.
    p_values
        Of "gaps" and of "continuum", NaN for what was not asked.
    reasons
        Why something was not asked, by "gaps" and "continuum".
    details
        From each way between groups ("straight", "curved") and each null to its p-value.
    null
        From the name of a null to the statistics of its draws, as many as the answer took: the largest standardised
        silhouette or modularity.
    statistic
        The statistic of the data beside the last null; NaN if none was drawn.
    halvings
        How often the points were halved, so that one half found groups and the other was counted between them.
    points
        Number of points that were looked at; fewer than the rows of X are a sample.
    """

    _figure = "structure"

    evidence: str | None
    p_values: Mapping[str, float]
    reasons: Mapping[str, str]
    details: Mapping[str, float]
    null: Mapping[str, Floats]
    statistic: float
    halvings: int
    points: int

    @property
    def exists(self) -> bool | None:
        """Whether there are gaps; None if that could not be told."""
        return None if self.evidence is None else self.evidence == GAPS

    @property
    def p_value(self) -> float:
        """The p-value of no gaps; where gaps cannot be asked for, that of no continuum."""
        gaps = self.p_values[GAPS]
        return self.p_values[CONTINUUM] if math.isnan(gaps) else gaps

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "question": name,
                "p": p,
                "level": LEVEL,
                "draws": self._draws(name),
                "not asked": self.reasons.get(name, ""),
            }
            for name, p in self.p_values.items()
        ]

    def _draws(self, name: str) -> int:
        return self.halvings if name == GAPS else sum(map(len, self.null.values()))

    @property
    def answer(self) -> str:
        """The answer in words, and what was not asked."""
        return self._words({})

    @property
    def how_we_know(self) -> str:
        """The p-values behind the answer; empty where there are none."""
        p_values = ", ".join(f"{name} {p:.2g}" for name, p in self.p_values.items() if not math.isnan(p))
        return f"p-values: {p_values}." if p_values else ""

    def _words(self, p_values: Mapping[str, str]) -> str:
        """Return the answer, with what is to be said of the p-value of each question beside it."""
        gaps, continuum = p_values.get(GAPS, ""), p_values.get(CONTINUUM, "")
        if self.evidence == GAPS:
            return (
                f"There is structure: gaps separate groups, confirmed on points that were not used to find them{gaps}."
            )
        reasons = dict(self.reasons)
        same = reasons[GAPS] if len(reasons) == len(self.p_values) and len(set(reasons.values())) == 1 else ""
        if self.evidence is None:
            answer = f"It could not be tested whether there is structure{gaps or continuum}"
            return f"{answer}: {same}." if same else " ".join([f"{answer}.", *_unasked(reasons)])
        if same:
            return f"No structure: {same}."
        why = reasons.pop(GAPS, "")
        unseen = f"gaps cannot be tested ({why})" if why else f"no gaps{gaps}"
        if self.evidence == CONTINUUM:
            seen = f"the data are more clustered than their columns and correlations explain{continuum}"
            return " ".join([f"{unseen[0].upper()}{unseen[1:]}, but {seen}.", *_unasked(reasons)])
        nothing = f"No structure: {unseen}, and data drawn without clusters look as clustered as these{continuum}."
        return " ".join([nothing, *_unasked(reasons)])

    def __str__(self) -> str:
        return self._words({name: f" (p = {p:.2g})" for name, p in self.p_values.items() if not math.isnan(p)})

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>{html_table(cells_of(self._records()))}"


@seeded
def structure(
    X: Any,
    *,
    null: str | Sequence[str] | None = None,
    n_references: int = 99,
    sample: int = POINTS,
    metric: MetricName = "euclidean",
    time: float | None = None,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    progress: bool | None = None,
) -> Structure:
    """Whether there are clusters at all: gaps between groups, groups of a continuum, or nothing.

    Parameters
    ----------
    X
        One row per point.
    null
        What the data must beat to be groups of a continuum: "columns" (their own columns and rank correlations),
        "elliptical" (one centre, their own distances from it), "skeleton" (their own shape, with gaps filled),
        "gaussian", "uniform" (and "turned", as in `significance`), "permuted" (codes), "sphere" (directions), or
        several of them. By default what fits: "columns" and "elliptical", and "skeleton" where points lie on a curve
        or a surface; "permuted" for codes and sets; "sphere" for the cosine.
    n_references
        Draws from each null, 19 at least; they end when the answer is clear.
    sample
        Points that are looked at, drawn at random if there are more.
    metric
        The name of a distance or a function of two points. Gaps are looked for in the coordinates, of unit length for
        the cosine; between codes and sets there is always a gap, so that they are only compared with their null.
    time
        Seconds after which no more draws are begun.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng
        A seed, a generator, or None, by either name.
    n_jobs
        Number of threads; None for all cores. The answer does not depend on it.
    memory
        Bytes, or text such as "2 GiB", that the work may take.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Structure
        ``exists``, ``evidence``, ``p_value``, ``p_values``, and the values of ``null``.

    >>> rng = np.random.default_rng(0)
    >>> structure(rng.normal(size=(60, 2)), n_references=19, random_state=0).evidence
    'nothing'
    >>> X = np.concatenate([rng.normal(centre, 1, (40, 2)) for centre in (0, 10)])
    >>> structure(X, random_state=0).evidence
    'gaps'
    """
    X = points_in_memory(X, metric=metric, features=features, use_rep=use_rep, force=force)
    space = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory))
    if space.X is None:
        msg = f"structure needs coordinates, from which data without clusters are drawn; metric is {space.called!r}."
        raise InputError(msg)
    if space.n < FEWEST:
        msg = f"Whether there is structure takes {FEWEST} points at least; X has {space.n} rows."
        raise InputError(msg)
    generator = generators(random_state)
    some = some_of(space, sampled(space.n, at_least(sample, FEWEST, "sample"), generator))
    return structure_of(some, null, n_references, generator, deadline=deadline_of(time), progress=progress)


def _unasked(reasons: Mapping[str, str]) -> list[str]:
    return [f"{name.capitalize()} not tested: {why}." for name, why in reasons.items()]


def can_be_drawn(space: Space) -> bool:
    """Return whether there are coordinates or categories, and no sets: these have no data without clusters."""
    return space.X is not None and not space.boolean


def all_equal(space: Space) -> bool:
    """Return whether all points are equal, so that there is nothing to tell them apart by."""
    return space.X is not None and not np.ptp(space.X, axis=0).any()


def deadline_of(seconds: Any) -> float | None:
    """Return the moment after so many seconds, or raise an error if they are none."""
    if seconds is None:
        return None
    if not is_number(seconds) or not seconds > 0:
        msg = f"time must be a number of seconds above 0, or None; it is {seconds!r}."
        raise InputError(msg)
    return clock.monotonic() + float(seconds)


def sampled(n: int, most: int, generator: TaskGenerator) -> Integers | None:
    """Return the rows of a sample, None if there are not more."""
    return None if n <= most else np.sort(generator(4, most).choice(n, most, replace=False))


def some_of(space: Space, rows: Integers | None) -> Space:
    """Return the space of some of the points, in the order of the input; all for None."""
    if rows is None:
        return space
    keep = np.zeros(space.n, dtype=bool)
    keep[rows] = True
    return space.restricted(keep)


def structure_of(
    space: Space,
    nulls: str | Sequence[str] | None,
    n_references: int,
    generator: TaskGenerator,
    *,
    deadline: float | None = None,
    progress: bool | None = None,
) -> Structure:
    """Return whether the points of a space have gaps, are groups of a continuum, or nothing."""
    draws = at_least(n_references, FEWEST_DRAWS, "n_references")
    columns = 1 if space.X is None else space.X.shape[1]
    names = None if nulls is None else nulls_of(nulls, (), space.metric, columns)
    names = None if names is None else [one_of(name, NULL_NAMES, "null") for name in names]
    reasons: dict[str, str] = {}
    if space.X is None:
        reasons = dict.fromkeys((GAPS, CONTINUUM), "from distances alone no data without clusters can be drawn")
        return _answer(None, None, reasons, space.n)
    if all_equal(space):
        reasons = dict.fromkeys((GAPS, CONTINUUM), "all points are equal")
        return _answer(None, None, reasons, space.n, evidence=NOTHING)
    kind, points = points_of(space)
    gaps = None
    if kind == CODES:
        reasons[GAPS] = "between two codes there is always a gap"
    elif space.n < 2 * HALF:
        reasons[GAPS] = f"that takes {2 * HALF} points"
    elif _late(deadline):
        reasons[GAPS] = LATE
    else:
        with bar("Looking for gaps", shown=progress, total=HALVINGS) as done:
            gaps = gaps_in(points, generator, n_jobs=space.n_jobs, done=done)
    comparison = None
    if gaps is not None and gaps.p_value <= LEVEL:
        reasons[CONTINUUM] = "there are gaps"
    elif space.n < 2 * PER_CLUSTER:
        reasons[CONTINUUM] = f"that takes {2 * PER_CLUSTER} points"
    elif _late(deadline):
        reasons[CONTINUUM] = LATE
    else:
        comparison = _compared(space, kind, points, names, draws, generator, deadline, progress=progress)
        if not comparison.complete:
            reasons[CONTINUUM] = LATE
    return _answer(gaps, comparison, reasons, space.n)


def _compared(
    space: Space,
    kind: str,
    points: Floats,
    names: Sequence[str] | None,
    draws: int,
    generator: TaskGenerator,
    deadline: float | None,
    *,
    progress: bool | None,
) -> Comparison:
    """Return how clustered some of the points are beside draws of the nulls that are named, or that fit the data."""
    rows = sampled(len(points), FEW_POINTS, generator)
    some = points if rows is None else points[rows]
    if names is None:
        flat = kind == NUMBERS and _dimension(some, generator) < CURVED
        names = [name for name in FITTING[kind] if flat or name != "skeleton"]
    embedded = EMBEDDED.get(space.metric, indicators) if kind == CODES else None
    limits: dict[str, Any] = {"n_jobs": space.n_jobs, "deadline": deadline}
    with bar("Clustering data without structure", shown=progress, total=len(names) * draws) as done:
        return compared(some, names, draws, generator, embedded=embedded, done=done, **limits)


def points_of(space: Space) -> tuple[str, Floats]:
    """Return what kind of data the points are, and the points: numbers, codes, or unit vectors."""
    assert space.X is not None
    if space.metric == "cosine":
        lengths = np.linalg.norm(space.X, axis=1, keepdims=True)
        return DIRECTIONS, np.asarray(space.X / np.where(lengths == 0, 1.0, lengths))
    if space.metric == "gower":
        return CODES, space.X
    varying = np.ascontiguousarray(space.X[:, np.ptp(space.X, axis=0) > 0], dtype=np.float64)
    return CODES if space.boolean or space.metric == "hamming" else NUMBERS, varying


def indicators(codes: Floats) -> Floats:
    """Return one column per code of each column, 1 where a point has it: twice its unequal codes are its distance."""
    return np.concatenate([column[:, None] == np.unique(column) for column in codes.T], axis=1).astype(np.float64)


def mixed_indicators(image: Floats) -> Floats:
    """Return numbers of a table for Gower's distance as they are, and one column per category; gaps get the mean.

    Two categories are as far apart as the ends of the range of a number.
    """
    weighted = bool(image[0, 0] < 0)
    columns = []
    for at in range(int(weighted), image.shape[1], 1 + weighted):
        values = image[:, at]
        known = image[:, at - 1] <= image[:, at - 1].min() if weighted else np.ones(len(image), dtype=bool)
        is_number = values[known].max() <= 1 and values[known].min() >= 0
        parts = values[:, None] if is_number else (values[:, None] == np.unique(values[known])) / math.sqrt(2)
        columns.append(np.where(known[:, None], parts, parts[known].mean(axis=0)))
    return np.concatenate(columns, axis=1)


EMBEDDED: dict[Any, Callable[[Floats], Floats]] = {"gower": mixed_indicators}  # of codes under other metrics


def _late(deadline: float | None) -> bool:
    return deadline is not None and clock.monotonic() >= deadline


def _dimension(points: Floats, generator: TaskGenerator) -> float:
    return dimension(scores_beyond_chance(unrounded(points, generator(0)), generator(1)))


def _answer(
    gaps: Gaps | None,
    comparison: Comparison | None,
    reasons: Mapping[str, str],
    points: int,
    evidence: str | None = None,
) -> Structure:
    """Return the answer that the p-values give; an evidence that needs none is given."""
    p_gaps = math.nan if gaps is None else gaps.p_value
    asked = comparison is not None and CONTINUUM not in reasons
    p_continuum = comparison.p_value if comparison is not None and asked else math.nan
    if p_gaps <= LEVEL:
        evidence = GAPS
    elif p_continuum <= LEVEL:
        evidence = CONTINUUM
    elif asked:
        evidence = NOTHING
    nulls = Comparison() if comparison is None else comparison
    return Structure(
        evidence=evidence,
        p_values={GAPS: p_gaps, CONTINUUM: p_continuum},
        reasons=dict(reasons),
        details={**({} if gaps is None else gaps.by_way), **nulls.p_values},
        null=nulls.draws,
        statistic=next(reversed(nulls.statistics.values()), math.nan),
        halvings=0 if gaps is None else gaps.halvings,
        points=points,
    )
