"""`diagnose`: which clusters are real, which two are one, which one is two, and which points are in the wrong one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clustval import inputs
from clustval.alarms import alarms
from clustval.arrays import Floats, Integers
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Plan
from clustval.diagnosis import verdicts as words
from clustval.diagnosis.diagnosis import Behind, Diagnosis
from clustval.diagnosis.evidence.discriminant import density_along, window
from clustval.diagnosis.evidence.pairs import Pair
from clustval.diagnosis.look import MISPLACED, STRAY, Look, Observer
from clustval.diagnosis.scene import Scene
from clustval.diagnosis.side_questions import batches, objects, stability, topics
from clustval.errors import InputError, UndefinedIndexError
from clustval.evaluation import evaluate
from clustval.homes.rows_at_home import graph_at_home
from clustval.inputs import at_least
from clustval.labels import called
from clustval.options import seeded
from clustval.progress import bar
from clustval.readers.rows_in_memory import rows_in_memory
from clustval.relative.estimators import clusterer
from clustval.seeding import TaskGenerator, generators
from clustval.sources.partition import graph_of
from clustval.sources.space import Space, space_of
from clustval.tables import Table

FEWEST = 3  # points
SILHOUETTES = 5000  # points; the silhouette of more comes from a sample
CORE = 0.9  # share of neighbours in the same cluster from which on a point is in its core
BELONGS = 0.5  # share of the neighbours of a noise point in one cluster from which on it belongs there
TOO_MANY = 500  # clusters that are judged at most


@seeded
def diagnose(
    X: Any,
    labels: Any,
    *,
    metric: MetricName = "euclidean",
    noise: NoisePolicy = "drop",
    estimator: Any = None,
    sample_weight: Any = None,
    names: Any = None,
    neighbours: Any = None,
    texts: Any = None,
    batch: Any = None,
    random_state: Any = 0,
    rng: Any = None,
    n_jobs: int | None = None,
    memory: int | str | None = None,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    progress: bool | None = None,
) -> Diagnosis:
    """What is wrong with a clustering: clusters to merge or to split, points in the wrong one, and how sure that is.

    Parameters
    ----------
    X
        One row per point, as `evaluate` takes it; a square matrix of distances with ``metric="precomputed"``, where
        the graph of neighbours alone is seen.
    labels
        One label per point, of any type, or an estimator; -1 and missing values are noise. The name of a column,
        where X is a data frame or annotated cells, as `sample_weight`, `texts` and `batch` may be.
    metric
        The distance between two points. Directions are looked for in coordinates: unit vectors under "cosine".
    noise
        "drop" judges no noise and says to which cluster it belongs, "cluster" makes it one, "error" refuses it.
    estimator
        What made the labels, None if that is not known: with it, stability is shown beside that of structureless data.
        Points that it calls noise, -1, are treated as those of the labels.
    sample_weight
        How often each point counts: evidence comes from points drawn in proportion to their weights.
    names
        What to call the clusters: a mapping from labels to names, or one name for each label in sorted order.
    neighbours
        Number of nearest neighbours; by default 1.5 per doubling of the number of points, at least 8. Or a graph of
        them that is there already, as in `evaluate`: none are searched among all points where it has enough of each.
    texts
        The document behind each row: then the words of each cluster are shown, and typical and foreign documents.
    batch
        The batch that each row comes from: then it is asked if clusters follow batches.
    random_state, rng
        A seed, a generator, or None, by either name. The same seed gives the same diagnosis.
    n_jobs
        Number of threads; None for all cores. The diagnosis does not depend on it.
    memory
        Bytes, or text such as "2 GiB", that the work may take.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; which representation of annotated cells is, and
        whether it may be UMAP or t-SNE; as in `evaluate`.
    progress
        Whether to show a progress bar; None shows one on a terminal or in a notebook, after two seconds.

    Returns
    -------
    Diagnosis
        ``clusters``, ``pairs``, ``points`` (tables), ``merges``, ``splits``, ``misplaced``, ``strays``, ``actions``,
        and, computed when asked for, ``repaired`` with ``steps``.

    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(centre, 1, (150, 2)) for centre in (0, 8)])
    >>> labels = np.repeat([0, 1, 2], [150, 75, 75])  # the second cluster is cut in two, at random
    >>> diagnosis = diagnose(X, labels)
    >>> diagnosis.merges, diagnosis.splits, len(set(diagnosis.repaired))
    ([(1, 2)], [], 2)
    """
    generator = generators(random_state)
    counted = isinstance(neighbours, (int, float, np.number))
    count = at_least(neighbours, 2, "neighbours") if counted else None
    graph = None if counted else graph_at_home(X, neighbours)
    values = {"labels": labels, "sample_weight": sample_weight, "batch": batch, "texts": texts}
    X, values = rows_in_memory(X, values, metric=metric, features=features, use_rep=use_rep, force=force)
    labels, sample_weight, batch, texts = values.values()
    whole = space_of(X, metric=metric, n_jobs=n_jobs, plan=Plan(memory=memory))
    whole.graph = graph_of(whole, graph)
    if inputs.clusters(labels):
        labels = inputs.labels_by(labels, whole.X if whole.X is not None else whole.distances)
    weights = None if sample_weight is None else inputs.as_weights(sample_weight, whole.n, rows=whole.row_names)
    coded = inputs.as_labels(labels, noise=noise, weights=weights, rows=whole.row_names)
    inputs.check_length(whole.n, coded)
    shown = called(names, coded.names)
    if coded.k > TOO_MANY:
        msg = f"A diagnosis looks at {TOO_MANY} clusters at most; the labels form {coded.k}. Diagnose some of them."
        raise InputError(msg)
    rows = _kept(weights, coded.codes, generator)
    space = whole if len(rows) == whole.n else whole.restricted(np.isin(np.arange(whole.n), rows))
    codes = coded.codes[rows]
    with bar("Looking at clusters", shown=progress, total=3) as done:
        observer = Observer(Scene(space, generator, count))
        look = _looked(observer, codes, coded.k)
        _tell(done)
        silhouettes = _silhouettes(space, codes, coded.k, generator)
        _tell(done)
        points, homes = _points_table(look, shown, rows, coded.codes)
        between = _between(observer.scene, codes, coded.k)
        clusters = _clusters_table(look, shown, coded.codes, weights, silhouettes, between)
        if estimator is not None and space.X is not None and coded.k > 0:
            algorithm = clusterer(estimator, counted=coded.k > 1)
            algorithm = algorithm if noise == "cluster" else algorithm.without_noise
            known, nothing = stability(space.X, codes, coded.k, algorithm, generator)
            extra = {"stability": known, "stability_of_nothing": np.full(coded.k, nothing)}
            clusters = Table({**clusters, **extra})
        _tell(done)
    merges = sorted(look.merges, key=lambda pair: look.merges[pair].separate)
    splits = sorted(look.splits, key=lambda cluster: -look.splits[cluster].two)
    halves = {shown[c]: _halves(look, c, rows) for c in splits}
    verdicts = dict(zip(shown, clusters["verdict"].tolist(), strict=True))
    named_merges = [(shown[a], shown[b]) for a, b in merges]
    named_splits = [shown[c] for c in splits]
    whole_labels = points["label"]
    return Diagnosis(
        title=words.title(verdicts, named_merges, named_splits),
        clusters=clusters,
        pairs=_pairs_table(look, shown),
        points=points,
        merges=named_merges,
        splits=named_splits,
        misplaced=rows[look.misplaced],
        actions=_actions(look, shown, rows),
        alarms=_alarms(look, shown, coded.codes, homes, verdicts, whole),
        halves=halves,
        valleys={(shown[a], shown[b]): _valley(pair) for (a, b), pair in look.pairs.items() if pair.axis is not None},
        places=_places(between),
        topics=None if texts is None else topics(texts, coded.codes, shown),
        batches=None if batch is None else batches(batch, coded.codes, shown, generator(4), whole.row_names),
        behind=Behind(observer, look, shown, whole_labels, rows),
    )


def _between(scene: Scene, codes: Integers, k: int) -> Floats:
    """Return distances between the means of clusters (k, k); mean distances of their points where these are all."""
    members = [np.flatnonzero(codes == cluster) for cluster in range(k)]
    members = [rows if len(rows) else np.array([0]) for rows in members]
    if not k:
        return np.zeros((0, 0))
    if scene.X is not None:
        means = np.stack([scene.X[rows].mean(axis=0) for rows in members])
        return np.stack([np.sqrt(((means - mean) ** 2).sum(axis=1)) for mean in means])
    known = np.asarray(scene.space.distances)
    sums = np.stack([known[rows].mean(axis=0) for rows in members])
    between = np.stack([sums[:, rows].mean(axis=1) for rows in members], axis=1)
    np.fill_diagonal(between, 0.0)
    return between


def _places(between: Floats) -> Floats:
    """Return clusters on a plane, by classical scaling of their distances."""
    k = len(between)
    places = np.zeros((k, 2))
    if k > 1:
        middle = np.eye(k) - 1 / k
        values, vectors = np.linalg.eigh(-middle @ between**2 @ middle / 2)
        places = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1][:, :2]
    return places


def _tell(done: Any) -> None:
    if done is not None:
        done(0)


def _kept(weights: Floats | None, codes: Integers, generator: TaskGenerator) -> Integers:
    """Return the rows that are looked at: all, or each with a probability in proportion to its weight."""
    if weights is None:
        return np.arange(len(codes))
    kept = generator(3).random(len(codes)) < weights / weights.max()
    return np.flatnonzero(kept)


def _looked(observer: Observer, codes: Integers, k: int) -> Look:
    scene = observer.scene
    if k == 0 or scene.n < FEWEST or not scene.sample(k).around.distances.any():
        return Look(codes, k, {}, {}, frozenset(range(k)))
    return observer.look(codes, k)


def _silhouettes(space: Space, codes: Integers, k: int, generator: TaskGenerator) -> Floats:
    """Return the mean silhouette of each cluster, of a sample where points are many; NaN where it is not defined."""
    values = np.full(k, np.nan)
    rows = np.flatnonzero(codes >= 0)
    if len(rows) > SILHOUETTES:
        rows = np.sort(generator(5).choice(rows, SILHOUETTES, replace=False))
    if len(np.unique(codes[rows])) < 2 or len(rows) < FEWEST:
        return values
    some = space if len(rows) == space.n else space.restricted(np.isin(np.arange(space.n), rows))
    X = some.distances if some.distances is not None else getattr(some, "table", some.X)
    try:
        scores = evaluate(X, codes[rows], "silhouette", metric=space.metric, n_jobs=space.n_jobs)
        for cluster, value in scores.per_cluster("silhouette").items():
            values[cluster] = value
    except UndefinedIndexError:
        return values
    return values


def _of_cluster(look: Look, cluster: int) -> dict[int, Pair]:
    """Return what is known of a cluster and each neighbour."""
    return {(b if a == cluster else a): pair for (a, b), pair in look.pairs.items() if cluster in (a, b)}


def _least_separate(neighbours: dict[int, Pair]) -> int | None:
    return min(neighbours, key=lambda other: neighbours[other].separate) if neighbours else None


def _clusters_table(
    look: Look, names: list[Any], codes: Integers, weights: Floats | None, silhouettes: Floats, between: Floats
) -> Table:
    k = len(names)
    inside = codes >= 0
    sizes = np.bincount(codes[inside], None if weights is None else weights[inside], minlength=k)
    purity = np.full(k, np.nan)
    if look.points is not None and k:
        members = look.labels >= 0
        totals = np.bincount(look.labels[members], minlength=k)
        sums = np.bincount(look.labels[members], look.points.purity[members], minlength=k)
        purity = np.divide(sums, totals, out=purity, where=totals > 0)
    neighbours = [_of_cluster(look, cluster) for cluster in range(k)]
    nearest = [_least_separate(each) for each in neighbours]
    separate = [np.nan if at is None else each[at].separate for at, each in zip(nearest, neighbours, strict=True)]
    far = between + np.diag(np.full(k, np.inf))
    nearest = [int(far[c].argmin()) if at is None and k > 1 else at for c, at in enumerate(nearest)]
    verdicts = []
    for cluster, each in enumerate(neighbours):
        verdict = words.of_cluster(look, cluster, list(each.values()))
        if verdict == words.OPEN:
            size = int(np.count_nonzero(look.labels == cluster))
            least = min((pair for pair in each.values()), key=lambda pair: pair.separate)
            verdict = f"{words.OPEN} ({words.enough(least, size)})"
        verdicts.append(verdict)
    return Table(
        {
            "cluster": objects(names),
            "size": sizes,
            "verdict": objects(verdicts),
            "nearest": objects([None if at is None else names[at] for at in nearest]),
            "separate": np.array(separate, dtype=np.float64),
            "two": np.array([look.cuts[c].two if c in look.cuts else np.nan for c in range(k)], dtype=np.float64),
            "purity": purity,
            "silhouette": silhouettes,
        }
    )


def _pairs_table(look: Look, names: list[Any]) -> Table:
    """Return all that is known of neighbouring pairs, least separate first."""
    pairs = sorted(look.pairs.items(), key=lambda item: item[1].separate)
    p_values = [pair.p_value for _, pair in pairs]
    columns: dict[str, Any] = {
        "a": objects([names[a] for (a, _), _ in pairs]),
        "b": objects([names[b] for (_, b), _ in pairs]),
        "verdict": objects([words.of_pair(pair) for _, pair in pairs]),
        "separate": np.array([pair.separate for _, pair in pairs], dtype=np.float64),
        "populations": np.array([pair.populations for _, pair in pairs], dtype=np.float64),
        "p_value": np.array(p_values, dtype=np.float64),
        "p_holm": np.array(words.holm(p_values), dtype=np.float64),
    }
    for kind in ("border", "shape"):
        witnesses = next((getattr(pair, kind) for _, pair in pairs if getattr(pair, kind) is not None), None)
        for place, field in enumerate(() if witnesses is None else witnesses._fields):
            values = [np.nan if getattr(pair, kind) is None else getattr(pair, kind)[place] for _, pair in pairs]
            columns[field] = np.array(values, dtype=np.float64)
    return Table(columns)


def _points_table(look: Look, names: list[Any], rows: Integers, codes: Integers) -> tuple[Table, dict[Any, int]]:
    """Return what is known of each row of X, and how many noise points belong to each cluster."""
    n = len(codes)
    table = objects([*names, None])
    labels = table[codes]
    wrong, stray = np.full(n, np.nan), np.full(n, np.nan)
    better, kinds = np.full(n, None, dtype=object), np.full(n, "not looked at", dtype=object)
    homes: dict[Any, int] = {}
    if look.points is not None:
        seen = look.points
        noise, sizes = look.labels < 0, np.count_nonzero(look.labels >= 0)
        misplaced = ~noise & (seen.wrong >= MISPLACED)
        belongs = noise & (seen.purity >= BELONGS) & (seen.stray < STRAY) & (sizes > 0)
        wrong[rows], stray[rows] = np.where(noise, np.nan, seen.wrong), seen.stray
        kind = np.where(seen.purity >= CORE, "core", "border").astype(object)
        kind[seen.stray >= STRAY] = "outlier"
        kind[misplaced] = "misplaced"
        kind[noise] = "noise"
        others = table[seen.other]
        for cluster in np.unique(seen.other[belongs]).tolist():
            here = belongs & (seen.other == cluster)
            kind[here] = f"noise that belongs to {names[cluster]}"
            homes[names[cluster]] = int(np.count_nonzero(here))
        kinds[rows] = kind
        better[rows] = np.where(misplaced | belongs, others, objects([None]))
    columns = {"row": np.arange(n), "label": labels, "better": better, "wrong": wrong, "stray": stray, "kind": kinds}
    return Table(columns), homes


def _halves(look: Look, cluster: int, rows: Integers) -> tuple[Integers, Integers]:
    cut = look.cuts[cluster]
    return rows[cut.rows[cut.sides == 0]], rows[cut.rows[cut.sides == 1]]


def _actions(look: Look, names: list[Any], rows: Integers) -> list[str]:
    """Return what to do, surest first: how far each probability is from a half."""
    actions: list[tuple[float, str]] = []
    for (a, b), pair in look.merges.items():
        doubt = max(pair.separate, pair.populations)
        actions.append((doubt, words.merge_sentence(names[a], names[b], pair)))
    for cluster, cut in look.splits.items():
        sizes = np.bincount(cut.sides, minlength=2).tolist()
        actions.append((1 - cut.two, words.split_sentence(names[cluster], sizes, cut.two)))
    misplaced = look.misplaced
    if look.points is not None and len(misplaced):
        k = look.k
        groups = look.labels[misplaced] * k + look.points.other[misplaced]
        for group in np.unique(groups).tolist():
            some = misplaced[groups == group]
            some = some[np.argsort(-look.points.wrong[some], kind="stable")]
            sure = look.points.wrong[some]
            sentence = words.move_sentence(names[group // k], names[group % k], rows[some].tolist(), float(sure.min()))
            actions.append((1 - float(sure.mean()), sentence))
    return [sentence for _, sentence in sorted(actions, key=lambda action: action[0])]


def _alarms(
    look: Look, names: list[Any], codes: Integers, homes: dict[Any, int], verdicts: dict[Any, str], space: Space
) -> list[str]:
    sizes = np.bincount(codes[codes >= 0], minlength=len(names)).tolist()
    lines = alarms(sizes, names, int(np.count_nonzero(codes < 0)), homes)
    if look.points is None and len(codes) >= FEWEST and names:
        lines.append("All points coincide with their neighbours: there is nothing to judge.")
    elif names and all(verdict == words.TOO_SMALL for verdict in verdicts.values()):
        lines.append("No cluster has enough points to be judged.")
    if space.distances is not None and look.k:
        lines.append("Only distances are known: verdicts come from the graph of neighbours alone.")
    return lines


def _valley(pair: Pair) -> dict[str, Any]:
    """Return the density along the axis of a pair, each group for itself and both together, and its lowest place."""
    assert pair.axis is not None
    scores, sides = pair.axis
    low, high = float(np.median(scores[sides == 0])), float(np.median(scores[sides == 1]))
    kept = window(scores, sides)
    places, density = density_along(scores[kept], sides[kept], low, high)
    inner = np.flatnonzero((places >= low) & (places <= high))
    lowest = float(places[inner[density[inner].argmin()]]) if len(inner) else float("nan")
    return {"places": places, "density": density, "valley": lowest, "medians": (low, high)}
