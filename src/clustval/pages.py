"""What a page shows beside the result itself: computed here when a page is asked for, and given to `report/`.

`report/` only shows. The first look at the clustering, the scores of a choice and the comparison with the truth take
seconds, and are named in the progress line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval import inputs, report
from clustval.arrays import Integers
from clustval.compare.agreement import Agreement
from clustval.compare.beside_truth import BesideTruth, beside_truth
from clustval.compare.matched_clusters import matching
from clustval.errors import InputError
from clustval.evaluation import evaluate
from clustval.homes.odd_columns import ADDED_UP, odd_columns
from clustval.progress import bar
from clustval.relative.labellings import coded
from clustval.report import About, Opening, curves
from clustval.report.point_sections import Classes, at_hand, display
from clustval.results import Scores
from clustval.sources.partition import Partition
from clustval.sources.space import Space, SparseSpace
from clustval.sources.stream import Stream

if TYPE_CHECKING:
    from clustval.choosing.choice import Choice
    from clustval.choosing.first_look import FirstLook
    from clustval.compare.side_by_side import Agreements
    from clustval.relative.sweep_result import Sweep
    from clustval.tracking.profile import Profile

LOOKING = "A first look: are there clusters, and does another clustering fit better"
DIAGNOSING = "What is wrong with this clustering"
MOST_OPENED, MOST_CLUSTERS, MOST_ACTIONS = 20_000, 200, 3  # of an evaluation that opens with a diagnosis


def of_scores(
    scores: Scores,
    path: str | Path | None = None,
    *,
    about: About | None = None,
    sweep: Sweep | None = None,
    known: Agreement | None = None,
    table: Any = None,
    progress: bool | None = None,
) -> str:
    """Return the page of an evaluation, or of an agreement of two labellings; write it if a path is given.

    `known` is the agreement with the truth where labels are not in memory. `table` has the rows that were evaluated,
    whose categories the page names where `scores` have distances alone.
    """
    about = about or About()
    if isinstance(scores, Agreement):
        return report.of_agreement(scores, path, about=about)
    if any(choice.index.kind != "internal" for choice in scores.choices.values()):  # neither points nor labels
        return report.of_values(scores, path, about=about)
    about = _in_order(about, getattr(scores.source, "row_names", None))
    about = _fitting(about, *_shape(scores.source))
    scores = scores if about.names is None else scores.renamed(about.names)
    about = _with_warnings(about, _space(scores))
    opening = opening_of(scores, progress=progress) if about.look else None
    about = _with_look(about, scores, sweep, progress=progress)
    beside, classes = None, None
    if about.truth is not None:
        source = at_hand(scores)
        if source is not None:
            classes = classes_of(source, about.truth)
        beside = _beside(about, {about.labels: report.labels_of(scores), **about.against})
    beside_it: dict[str, Any] = {"known": known, "beside": beside, "classes": classes, "opening": opening}
    beside_it |= {"profile": _profile(table, scores)}
    return report.of_scores(scores, path, about=about, sweep=sweep, **beside_it)


def of_sweep(
    sweep: Sweep, path: str | Path | None = None, *, about: About | None = None, progress: bool | None = None
) -> str:
    """Return the page of a sweep; write it if a path is given."""
    about = about or About()
    if sweep.space is not None:
        about = _fitting(about, sweep.space.n, _columns(sweep.space))
    about = _with_warnings(about, sweep.space)
    about = _with_look(about, None, sweep, progress=progress)
    return report.of_sweep(sweep, path, about=about)


def of_choice(choice: Choice, X: Any, path: str | Path | None = None, *, about: About | None = None) -> str:
    """Return the page of a choice among clusterings, the answer first; write it if a path is given."""
    about = about or About()
    columns = list(X.columns) if hasattr(X, "columns") else None  # chosen, so that nothing is said of them again
    # Where there is no structure, what the groups would be.
    scores = evaluate(X, choice.best_labels, metric=choice.metric, features=columns)
    scores = scores if about.names is None else scores.renamed(about.names)
    about = _fitting(about, *_shape(scores.source))
    about = _with_warnings(about, _space(scores))
    classes, beside = None, None
    if about.truth is not None:
        source = None if scores is None else at_hand(scores)
        classes = None if source is None else classes_of(source, about.truth)
        beside = _beside(about, {about.labels: choice.labels})
    profile = _profile(X, scores)
    return report.of_choice(choice, scores, path, about=about, beside=beside, classes=classes, profile=profile)


def _profile(table: Any, scores: Scores) -> Profile | None:
    """Return what each cluster is of a table of numbers and categories, by its number; None of points.

    Dates are left out: each would be a category of its own.
    """
    import narwhals as nw  # noqa: PLC0415 - only pages of such tables need it

    from clustval.tracking.profile import profile  # noqa: PLC0415 - searches rules, which few pages need

    source, frame = scores.source, nw.from_native(table, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or not isinstance(source, Partition) or source.k < 2:
        return None
    space, codes = source.surroundings
    features = [name for name, kind in frame.schema.items() if not kind.is_temporal()]
    if space.metric != "gower" or len(codes) != len(frame) or not features:
        return None
    return profile(table, codes, features=features)


def of_truth(about: About, path: str | Path | None = None) -> str:
    """Return the page of several clusterings against the truth; write it if a path is given."""
    return report.of_truth(_beside(about, about.against), path, about=about)


def of_agreements(
    agreements: Agreements, labellings: Mapping[str, Any], path: str | Path | None = None, *, about: About | None = None
) -> str:
    """Return the page of several labellings, the truth first among them; write it if a path is given."""
    truth, *others = labellings
    against = {name: labellings[name] for name in others}
    about = replace(about or About(), truth=labellings[truth], against=against)
    return report.of_truth(_beside(about, against), path, about=about, agreements=agreements)


def _beside(about: About, results: Mapping[str, Any]) -> BesideTruth:
    return beside_truth(about.truth, results, noise=about.noise, sample_weight=about.sample_weight)


def _with_look(about: About, scores: Scores | None, sweep: Sweep | None, *, progress: bool | None) -> About:
    """Return the facts with a first look: the caller's, or one that is taken now unless none is wanted."""
    if about.look is not True:
        return about
    look = look_at(scores, about.labels if scores is not None else "", sweep, progress=progress)
    return replace(about, look=look or False)


def look_at(scores: Scores | None, name: str, sweep: Sweep | None, *, progress: bool | None = None) -> FirstLook | None:
    """Look at the clustering that was evaluated and at the partitions of a sweep, where their points are known."""
    from clustval.choosing.first_look import first_look  # noqa: PLC0415 - clusters the points, which few pages need

    partitions = {} if sweep is None else _partitions(sweep)
    space = None if sweep is None else sweep.space
    if scores is not None and isinstance(scores.source, Partition):
        space, codes = scores.source.surroundings
        partitions = {called: each for called, each in partitions.items() if len(each) == len(codes)} | {name: codes}
        if scores.source.weights is not None:
            return None
    if space is None:
        return None
    with bar(LOOKING, shown=progress):
        return first_look(space, partitions)


def _space(scores: Scores) -> Any:
    return scores.source.surroundings[0] if isinstance(scores.source, Partition) else None


def _fitting(about: About, rows: int | None, columns: int | None) -> About:
    """Return the facts with names of columns as text, or raise an error unless X has so many rows and columns."""
    if about.rows is not None and rows is not None and len(about.rows) != rows:
        msg = f"rows must have a number for each of the {rows} rows of X; it has {len(about.rows)}."
        raise InputError(msg)
    if about.features is None:
        return about
    features = [str(feature) for feature in about.features]
    if features and columns is not None and len(features) != columns:
        msg = f"features must have a name for each of the {columns} columns of X; it has {len(features)}."
        raise InputError(msg)
    return replace(about, features=features)


def _shape(source: Any) -> tuple[int | None, int | None]:
    """Return how many rows and columns were evaluated, None where nobody knows or columns have no meaning."""
    if isinstance(source, Partition):
        return source.total, _columns(source.surroundings[0])
    if isinstance(source, Stream):
        return source.total, None if source.table.mixed else source.p
    return None, None


def _columns(space: Any) -> int | None:
    return space.X.shape[1] if isinstance(space, Space) and space.has_columns and space.X is not None else None


def _with_warnings(about: About, space: Any) -> About:
    """Return the facts with what is odd about the columns, unless the caller looked at them."""
    return about if about.warnings is not None else replace(about, warnings=warnings_of(space, about.features))


def warnings_of(space: Any, names: Sequence[str] | None) -> list[str]:
    """Return a sentence for each oddity of the columns of a space where units are weights."""
    if not isinstance(space, Space) or isinstance(space, SparseSpace) or not space.has_columns:
        return []
    if space.X is None or space.metric not in ADDED_UP:
        return []
    names = names or space.column_names or [str(at) for at in range(space.X.shape[1])]
    return [f"{line}." for line in odd_columns(names, space.X, counted=False)]


def opening_of(scores: Scores, *, progress: bool | None = None) -> Opening | None:
    """Return what is wrong with the clustering that was evaluated, and what to do first; None of many points."""
    from clustval.diagnosis.diagnose import diagnose  # noqa: PLC0415 - looks between clusters, which few pages need

    source = scores.source
    if not isinstance(source, Partition) or source.weights is not None or not 1 < source.k <= MOST_CLUSTERS:
        return None
    space, codes = source.surroundings
    if space.n > MOST_OPENED or not isinstance(space.metric, str):  # a function of two points would take minutes
        return None
    with bar(DIAGNOSING, shown=progress):
        names = display(source.names)
        result = diagnose(space.again, codes, metric=space.metric, names=names, n_jobs=space.n_jobs)
    return Opening([result.title, *result.actions[:MOST_ACTIONS]], result.alarms)


def _partitions(sweep: Sweep) -> dict[str, Integers]:
    """Return the cluster of each point in each partition, by the names that sentences call them."""
    codes = (labels.codes for labels in coded(dict(sweep.labels), "drop"))
    return dict(zip(curves.called(sweep).values(), codes, strict=True))


def _in_order(about: About, rows: Any) -> About:
    """Return the facts with what has an index of pandas in the order of the rows that were evaluated."""
    return replace(
        about,
        truth=inputs.aligned(about.truth, rows, "truth"),
        sample_weight=inputs.aligned(about.sample_weight, rows, "sample_weight"),
        against={name: inputs.aligned(labels, rows, str(name)) for name, labels in about.against.items()},
    )


def classes_of(source: Partition, truth: Any) -> Classes:
    """Return the class of each point, and whether it is not the one that its cluster is matched with."""
    labels = inputs.as_labels(truth, "truth", noise="cluster", rows=source.row_names)
    inputs.check_length(source.total, labels, "X", "truth")
    codes = labels.codes[source.kept]
    match = matching(codes, source.codes, sample_weight=source.weights).classes
    astray = np.array([match.get(cluster, -1) for cluster in range(source.k)])[source.codes] != codes
    names = display(labels.names)
    return Classes([names[code] for code in codes], astray)
