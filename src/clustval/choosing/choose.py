"""Choosing: many clusterings are made, one is chosen, and told from what is found where there is nothing."""

from __future__ import annotations

import time as clock
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.choices import JudgeName, MetricName
from clustval.choosing.algorithms import ALGORITHMS, Algorithm, Points, quiet
from clustval.choosing.choice import NO_STRUCTURE, WORTH, Choice, is_torn
from clustval.choosing.judges import CONSENSUS, DIFFERENT, Verdicts, alone, judge_of
from clustval.choosing.pool import LATE, Candidate, Pool, algorithms_of, labelled_pool, made_pool, numbers_to_try
from clustval.choosing.splits import chosen
from clustval.choosing.structure import (
    FEWEST,
    NOTHING,
    POINTS,
    all_equal,
    deadline_of,
    sampled,
    some_of,
    structure_of,
)
from clustval.declare import Plan
from clustval.errors import InputError
from clustval.homes.rows_at_home import is_names
from clustval.inputs import at_least
from clustval.options import seeded
from clustval.passes.labels.many_labellings import rand_matrix
from clustval.readers.rows_in_memory import has_named_columns, partitions_in_memory, points_in_memory
from clustval.relative.grids import UnfitError
from clustval.seeding import TaskGenerator, generators
from clustval.sources.space import Space, space_of
from clustval.stats.neighbours.nearest import Neighbours

SAMPLE = 5000  # points that are clustered; trees of more take long
NEAR = 10  # neighbours that say where a point belongs
MOST_ALTERNATIVES = 3
REPEATED = 10  # candidates whose stability is looked at
HALVES = 5
DOMINANT = 0.95  # share of the variance
NEARLY = 0.7  # of the best value: numbers of clusters of such candidates are in the range


@seeded
def choose(
    X: Any,
    candidates: Any = None,
    *,
    k: int | Iterable[int] | None = None,
    judge: JudgeName = CONSENSUS,
    null: bool | Sequence[str] = True,
    n_references: int = 99,
    metric: MetricName = "euclidean",
    time: float | None = None,
    sample: int = SAMPLE,
    stability: bool = True,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    progress: bool | None = None,
) -> Choice:
    """The best of many clusterings, or the answer that there are no clusters, with its evidence and its doubt.

    Parameters
    ----------
    X
        One row per point; distances for ``metric="precomputed"``; annotated cells.
    candidates
        None for our algorithms: Ward, average, complete and single linkage, Genie, k-means, HDBSCAN, spectral
        clustering, Gaussian mixtures and Leiden on the graph of nearest neighbours; under "cosine" and "correlation"
        spherical k-means (HDBSCAN and mixtures need scikit-learn, Leiden needs igraph). Or some of them by name, also
        "k-means on axes" and "shrunk mixture"; estimators with ``fit_predict``, alone or with a grid of parameters, and
        functions ``(X, k, rng) -> labels``, in a list or by name; or labels that are there already, in a mapping, a
        list, the rows of an array, the columns of a data frame, or by the names of columns where X is a data frame or
        annotated cells.
    k
        Numbers of clusters to try: by default from 2 to the root of the number of points, but to 12 at least and to
        50 at most.
    judge
        "consensus", which asks how well dense paths connect each cluster, how few neighbours end up in different
        clusters, how well other candidates agree, and, from five columns on, how compact clusters are; or an index,
        such as "dcm" or "silhouette".
    null
        Whether to ask if there is structure at all; or which nulls the data must beat where they have no gaps, as for
        `clustval.structure`.
    n_references
        Draws from each null, 19 at least; they end when the answer is clear.
    metric
        The name of a distance, a function of two points, or "precomputed".
    time
        Seconds after which no more candidates and draws are begun; what was left out is said.
    sample
        Points that are clustered, if there are more; the others get the label of the nearest of these. Labels that
        are there already are judged by such a sample, and kept.
    stability
        Whether to make the best ten candidates again from halves of the points; one that its algorithm cannot make of
        half of them has none.
    random_state, rng
        A seed, a generator, or None, by either name.
    n_jobs
        Number of threads; None for all cores. The answer does not depend on it.
    memory
        Bytes, or text such as "2 GiB", that the work may take.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; which representation of annotated cells is, and
        whether it may be UMAP or t-SNE; as in `evaluate`.
    progress
        Whether to show progress bars; None shows them on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Choice
        ``labels``, ``best_labels``, ``k``, ``k_range``, ``name``, ``ranking``, ``structure``, ``confidence``,
        ``alternatives``, ``doubtful``.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(centre, 1, (40, 2)) for centre in (0, 10, 20)])
    >>> choice = choose(X, ["ward", "k-means"], random_state=0)
    >>> choice.k, choice.structure.exists, choice.confidence
    (3, True, 'high')
    """
    deadline = deadline_of(time)
    if judge != CONSENSUS:
        judge = judge_of(judge).name
    X, candidates = _at_home(X, candidates, metric=metric, features=features, use_rep=use_rep, force=force)
    whole = _space(X, metric, n_jobs, memory)
    generator = generators(random_state)
    rows = sampled(whole.n, at_least(sample, FEWEST, "sample"), generator)
    space = some_of(whole, rows)
    numbers = numbers_to_try(k, space.n)
    algorithms = algorithms_of(candidates, numbers, space)
    if algorithms is None:
        pool = labelled_pool(whole, candidates)
    else:
        points = Points(space, generator)
        pool = made_pool(points, algorithms, numbers, n_jobs=space.n_jobs, deadline=deadline, progress=progress)
    by_user = {candidate.name: candidate for candidate in pool.candidates} if algorithms is None else {}
    if by_user and rows is not None:
        pool.candidates = [_part(candidate, rows) for candidate in pool.candidates]
    pool.candidates = [candidate for candidate in pool.candidates if candidate.k > 1]
    if not pool.candidates:
        why = "; ".join(f"{what}: {reason}" for what, reason in pool.left_out.items())
        msg = f"No candidate has two clusters or more, so that there is nothing to choose from. {why}".strip()
        raise InputError(msg)
    verdicts = Verdicts(space, pool.candidates, judge, n_jobs=space.n_jobs)
    order = np.argsort(-verdicts.values, kind="stable")
    best = int(order[0])
    first = chosen(space, pool.candidates, verdicts) if judge == CONSENSUS else best
    order = np.r_[first, order[order != first]]
    structure = None
    if null is not False or all_equal(space):
        few = some_of(space, sampled(space.n, POINTS, generator))
        nulls = None if isinstance(null, bool) else null
        structure = structure_of(few, nulls, n_references, generator, deadline=deadline, progress=progress)
    repeated = np.full(len(order), np.nan)
    if stability and algorithms is not None:
        some = order[:REPEATED]
        repeated[some] = _stability(space, pool, [pool.candidates[at] for at in some], generator, deadline)
    winner = pool.candidates[first]
    nothing = structure is not None and structure.evidence == NOTHING
    if winner.name in by_user:
        winner = by_user[winner.name]
        best_labels = winner.codes
    else:
        best_labels = winner.codes if rows is None else _assigned(whole, space, rows, winner.codes)
    labels = np.zeros(whole.n, dtype=np.int64) if nothing else best_labels
    codes = labels if rows is None else labels[rows]
    return Choice(
        labels=labels,
        best_labels=best_labels,
        k=1 if nothing else winner.k,
        k_range=_range(pool.candidates, verdicts, first),
        name=NO_STRUCTURE if nothing else winner.name,
        judge=judge,
        by_paths=not verdicts.wide,
        ranking={pool.candidates[at].name: _record(pool.candidates[at], verdicts, at, repeated) for at in order},
        candidates={candidate.name: candidate.codes for candidate in pool.candidates},
        structure=structure,
        coarser=None if first == best else pool.candidates[best].name,
        rival=verdicts.rival(verdicts.values, first),
        compact_rival=verdicts.rival(verdicts.compactness, first),
        alternatives=() if nothing else _alternatives(pool.candidates, verdicts, order),
        doubtful=_doubtful(space, codes, rows),
        dominant=_dominant(whole),
        left_out=pool.left_out,
        sample=rows,
        X=X,
        metric=metric,
    )


def _at_home(X: Any, candidates: Any, **home: Any) -> tuple[Any, Any]:
    """Return the points of X, and candidates; those that are names of columns became these columns."""
    if _names_algorithms(candidates, X):
        return points_in_memory(X, **home), candidates
    points, partitions, _ = partitions_in_memory(X, candidates, **home)
    return points, partitions


def _names_algorithms(candidates: Any, X: Any) -> bool:
    """Return whether candidates are names of algorithms: those that no column of X has, or that all are algorithms."""
    names = [candidates] if isinstance(candidates, str) else candidates
    return is_names(names) and (not has_named_columns(X, names) or set(names) <= set(ALGORITHMS))


def _space(X: Any, metric: Any, n_jobs: int | None, memory: int | str | None) -> Space:
    """Return the checked space of points among which something can be told apart."""
    space = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory))
    if space.n < FEWEST:
        msg = f"Choosing among clusterings takes {FEWEST} points at least; X has {space.n} rows."
        raise InputError(msg)
    if (space.X is None or space.without_means) and not space.rows(np.zeros(1, dtype=np.int64)).any():
        msg = f"All points are equal under the metric {space.metric!r}, so that there is nothing to choose by."
        raise InputError(msg)
    return space


def _part(candidate: Candidate, rows: Integers) -> Candidate:
    codes = candidate.codes[rows]
    names, inverse = np.unique(codes, return_inverse=True)
    return Candidate(candidate.name, candidate.algorithm, inverse - int(names[0] < 0))


def _stability(
    space: Space, pool: Pool, best: Sequence[Candidate], generator: TaskGenerator, deadline: float | None
) -> Floats:
    """Return the mean agreement of candidates with what their algorithms make of halves of the points."""
    if deadline is not None and clock.monotonic() >= deadline:
        pool.left_out["stability"] = LATE
        return np.full(len(best), np.nan)
    sums = np.zeros(len(best))
    for half in range(HALVES):
        rows = np.sort(generator(5, half).choice(space.n, max(space.n // 2, FEWEST), replace=False))
        points = Points(some_of(space, rows), generator)
        for name in dict.fromkeys(candidate.algorithm for candidate in best):
            algorithm = pool.algorithms[name]
            settings: dict[int, Any] = {at: each.setting for at, each in enumerate(best) if each.algorithm == name}
            numbers = [k for k in settings.values() if isinstance(k, int) and k < points.space.n]
            possible = algorithm.settings(points, numbers)
            mine = [at for at, setting in settings.items() if setting in possible]
            sums[[at for at in settings if at not in mine]] = np.nan  # half of the points are too few
            for some in [mine] if algorithm.at_once else [[at] for at in mine]:
                codes = _clustered(points, algorithm, [settings[at] for at in some])
                if codes is None:
                    sums[some] = np.nan
                    continue
                for at, half_codes in zip(some, codes, strict=True):
                    sums[at] += rand_matrix(alone([best[at].codes[rows], half_codes]), n_jobs=1)[0, 1]
    return sums / HALVES


def _clustered(points: Points, algorithm: Algorithm, settings: Sequence[Any]) -> list[Integers] | None:
    """Return what an algorithm makes of half of the points, for each setting; None if they are too few for it."""
    try:
        with quiet():
            return algorithm.run(points, settings) if settings else []
    except UnfitError:
        return None


def _record(candidate: Candidate, verdicts: Verdicts, at: int, repeated: Floats) -> dict[str, Any]:
    return {
        "algorithm": candidate.algorithm,
        "k": candidate.k,
        "noise": float((candidate.codes < 0).mean()),
        "judge": float(verdicts.shown[at]),
        "connected": float(verdicts.connected[at]),
        "uncut": float(verdicts.uncut[at]),
        "silhouette": float(verdicts.silhouette[at]),
        "agreement": float(verdicts.agreement[at]),
        "stability": float(repeated[at]),
    }


def _range(candidates: Sequence[Candidate], verdicts: Verdicts, first: int) -> tuple[int, ...]:
    """Return the numbers of clusters of the candidates that are nearly as good as the best, and of the chosen one.

    Where paths judge and compactness takes another clustering that is hardly better, its number is one of them.
    """
    if verdicts.judge != CONSENSUS:
        return (candidates[first].k,)
    near = verdicts.values >= NEARLY * verdicts.values.max()
    if not verdicts.wide and is_torn(verdicts.rival(verdicts.compactness, first)):
        near |= verdicts.compactness == verdicts.compactness.max()
    return tuple(sorted({candidates[at].k for at in [first, *np.flatnonzero(near).tolist()]}))


def _alternatives(candidates: Sequence[Candidate], verdicts: Verdicts, order: Integers) -> tuple[Any, ...]:
    """Return the best candidates that differ clearly from the best and from each other."""
    kept = [int(order[0])]
    least = WORTH * verdicts.values.max() if verdicts.judge == CONSENSUS else -np.inf
    for at in order[1:].tolist():
        if len(kept) > MOST_ALTERNATIVES or verdicts.values[at] < least:
            break
        if (verdicts.matrix[at, kept] < DIFFERENT).all():
            kept.append(at)
    return tuple(candidates[at].name for at in kept[1:])


def _dominant(space: Space) -> str | None:
    """Return the column that has nearly all of the variance, where distances are Euclidean."""
    if not space.euclidean or space.X is None:
        return None
    return dominant_column(space.X, space.column_names)


def dominant_column(X: Floats, names: Sequence[str] | None) -> str | None:
    """Return the column that has nearly all of the variance, by its name or counted from 0; None if there is none.

    >>> dominant_column(np.array([[0, 0], [1, 100]]), None), dominant_column(np.array([[0, 0], [1, 1]]), None)
    ('column 1', None)
    """
    variances = X.var(axis=0)
    largest = int(variances.argmax())
    if len(variances) == 1 or variances[largest] < DOMINANT * variances.sum() or not variances.any():
        return None
    return f"column {largest}" if names is None else f"the column {names[largest]!r}"


def _doubtful(space: Space, codes: Integers, rows: Integers | None) -> Integers:
    """Return the points that are noise or have most of their neighbours elsewhere, most doubtful first."""
    near = space.statistic(Neighbours, neighbours=NEAR).numbers
    own = np.where(codes < 0, -1.0, (codes[near] == codes[:, None]).mean(axis=1))
    doubtful = np.flatnonzero(own < 0.5)
    doubtful = doubtful[np.argsort(own[doubtful], kind="stable")]
    return doubtful if rows is None else rows[doubtful]


def _assigned(whole: Space, space: Space, rows: Integers, codes: Integers) -> Integers:
    """Return a label for every point: its own, or that of the nearest point that was clustered."""
    labels = np.empty(whole.n, dtype=np.int64)
    rest = np.setdiff1d(np.arange(whole.n), rows, assume_unique=True)
    labels[rows] = codes
    if whole.euclidean:
        from scipy.spatial import cKDTree  # noqa: PLC0415 - only large data need it

        assert space.X is not None
        assert whole.X is not None
        labels[rest] = codes[cKDTree(space.X).query(whole.X[rest], workers=whole.n_jobs)[1]]
        return labels
    for some in np.array_split(rest, max(1, len(rest) * len(rows) // 2**22)):
        labels[some] = codes[whole.rows(some)[:, rows].argmin(axis=1)]
    return labels
