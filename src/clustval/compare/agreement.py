"""Many external indices of two labellings at once, from one table."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from clustval.catalogue import select
from clustval.choices import NoisePolicy
from clustval.compare.analytic import analytic_nulls
from clustval.compare.influence import Influence, groups_for, influence_of, intervals_of
from clustval.compare.label_streams import pair_in_blocks_or_memory
from clustval.compare.permutation import Null, null_distributions
from clustval.compare.side_by_side import Agreements, differences_of
from clustval.compare.table_first import with_table_first
from clustval.declare import Request
from clustval.errors import InputError
from clustval.estimates.estimate import check_confidence
from clustval.evaluation import Names, values_of
from clustval.inputs import at_least, read_as
from clustval.options import seeded, with_synonyms
from clustval.progress import bar
from clustval.results import ScoreInterval, Scores
from clustval.sources.label_pair import LabelBlocks, LabelPair
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.pair_counts import PairCounts

if TYPE_CHECKING:
    from clustval.plot.style import Axes

USUAL_CONFIDENCE = 0.95  # of differences
NO_TEST = Null(math.nan, math.nan, math.nan, 0)


class Agreement(Scores):
    """Values of external indices by name, with the table they come from and what chance alone would give."""

    def __init__(
        self,
        values: Mapping[str, float],
        reasons: Mapping[str, str],
        choices: Sequence[Request],
        source: LabelPair | LabelBlocks | None,
        *,
        coverage: float | None = None,
        null: Mapping[str, Null] | None = None,
        intervals: Mapping[str, ScoreInterval] | None = None,
        is_penalised: bool = False,
    ) -> None:
        known: dict[str, Any] = {"coverage": coverage, "intervals": intervals, "is_penalised": is_penalised}
        super().__init__(values, reasons, choices, source, **known)
        self.null: dict[str, Null] = dict(null or {})

    def _compared(self) -> dict[str, Any]:
        return super()._compared() | {"null": self.null}

    def plot(self, **options: Any) -> Axes:
        """Draw the table of the two labellings with matplotlib and return the axes."""
        return self.table.plot(**options)

    @property
    def alarms(self) -> list[str]:
        """No line: sizes of two labellings are in `table`."""
        return []

    def penalised(self) -> Self:
        """Return the values made worse by the share of points that are noise, and so what chance alone gives."""
        worse = super().penalised()
        worse.null = {}
        for name, null in self.null.items():
            if name not in worse.reasons:
                factor = self.choices[name].index.penalty(self.coverage)
                worse.null[name] = replace(null, mean=null.mean * factor, std=null.std * factor)
        return worse

    @property
    def table(self) -> Contingency:
        """The table of the two labellings."""
        table: Contingency = self.source[Contingency]
        return table

    @property
    def p_values(self) -> dict[str, float]:
        """How rarely chance agrees at least as well, for each index; empty without a test."""
        return {name: null.p_value for name, null in self.null.items()}

    def _records(self) -> list[dict[str, Any]]:
        records = super()._records()
        for record in records if self.null else ():
            null = self.null.get(record["index"], NO_TEST)
            record |= {"null_mean": null.mean, "null_std": null.std, "z": null.z, "p_value": null.p_value}
        return records

    def __str__(self) -> str:
        lines = super().__str__().splitlines()
        if not self.null:
            return "\n".join(lines)
        lines, below = lines[: len(self) + 1], lines[len(self) + 1 :]
        width = max(map(len, lines))
        nulls = [self.null.get(name) for name in self]
        tested = ((f"{v.mean:.3g} ± {v.std:.2g}", f"{v.p_value:.3g}") if v else ("", "") for v in nulls)
        rows = [("by chance", "p"), *tested]
        wide = max(len(chance) for chance, _ in rows)
        beside = (f"{line:<{width}}  {c:<{wide}}  {p}".rstrip() for line, (c, p) in zip(lines, rows, strict=True))
        return "\n".join([*beside, *below])

    __repr__ = __str__


class Options(TypedDict, total=False):
    """The options of `agreement`, by name."""

    noise: str
    sample_weight: Any
    permutations: int | None
    significance: str | None
    confidence: float | None
    random_state: Any
    rng: Any
    data: Any
    executor: Any
    progress: bool | None


@overload
def agreement(
    truth: Any, labels: Mapping[str, Any], indices: Names = "default", **options: Unpack[Options]
) -> Agreements: ...
@overload
def agreement(truth: Any, labels: Any = None, indices: Names = "default", **options: Unpack[Options]) -> Agreement: ...
@overload
def agreement(
    table: Any, truth: Any, labels: Any, indices: Names = "default", /, **options: Unpack[Options]
) -> Agreement: ...
@with_synonyms(labels_true="truth", labels_pred="labels")  # type: ignore[misc]  # a table comes first by the decorator
@with_table_first
@seeded
def agreement(
    truth: Any,
    labels: Any = None,
    indices: Names = "default",
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    permutations: int | None = None,
    significance: str | None = None,
    confidence: float | None = None,
    random_state: Any = None,
    rng: Any = None,
    data: Any = None,
    executor: Any = None,
    progress: bool | None = None,
) -> Agreement | Agreements:
    """Return the values of several external indices of two labellings of the same points, or of several beside a truth.

    Parameters
    ----------
    truth, labels
        One label per point, of any type. Indices that are not symmetric take the first as the truth. A table from
        `contingency` may stand for both. `labels_true` and `labels_pred`, as in scikit-learn, mean the same. Labels
        of pandas are brought into the order of the truth by their index. Names of columns of `data`; or mapped arrays,
        paths of NPY files and columns of Dask, which are read in blocks. Labels may be a dictionary of several
        labellings by name, ``{"ana": a, "bob": b}``: each is compared with the truth, and ``.differences`` says how far
        two of them differ. Annotated cells, a data frame or the path of a table may come first, and names of columns
        behind them, or arrays: ``agreement(adata, "cell_type", "leiden", ["adjusted_rand"])``.
    indices
        A suite ("default", "all", "clustercrit", "zaki", "vendramin", "sklearn"), a name, or several.
    noise
        What happens to -1 and missing values: "cluster" makes them a cluster, "singletons" each a cluster of its own,
        "drop" leaves out points that are noise in either labelling, "error" refuses them, "penalty" leaves them out and
        makes values worse by their share: times the share of the others where higher is better, divided by it where
        lower is.
    sample_weight
        How often each point counts: a weight of 3 is the same as three points, one of 0 as none.
    permutations
        How many times to draw labels at random with the same sizes, to give each index its mean and s.d. under
        chance and a p-value, in ``.null``.
    significance
        "analytic" for the exact mean and s.d. under chance of indices of pairs and of information, without draws: z
        and a p-value, in ``.null``: exact where tables with these sizes are few, else from three moments.
    confidence
        Such as 0.95, for intervals in ``.intervals``, the points being a sample: each is left out once (the jackknife),
        or each of 50 groups of them where there are more than 200 combinations of labels. Of several labellings it is
        0.95 unless it is said.
    random_state, rng
        Seed of these draws, and of the groups.
    data
        A table of which truth and labels are columns: a data frame, annotated cells; or, read in blocks, a path, a
        pattern or a folder (Parquet, Arrow), a polars LazyFrame, or a data frame of Dask.
    executor
        Who reads the blocks: None for threads of this process, an executor of `concurrent.futures`, or a
        `dask.distributed.Client`.
    progress
        Whether to show a progress bar for them.

    >>> scores = agreement([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3], ["rand", "jaccard"])
    >>> scores["jaccard"]
    0.333333
    """
    if permutations is not None:
        at_least(permutations, 1, "permutations", none="no test")
    if significance not in (None, "analytic"):
        msg = f"significance must be 'analytic', or None for no test; it is {significance!r}."
        raise InputError(msg)
    if significance is not None and permutations is not None:
        msg = "permutations= and significance='analytic' are two tests; give one of them."
        raise InputError(msg)
    choices = select(indices, "external")
    level = None if confidence is None else check_confidence(confidence)
    noise, penalty = read_as(noise)
    reading: dict[str, Any] = {"noise": noise, "sample_weight": sample_weight, "data": data, "executor": executor}
    test: dict[str, Any] = {"permutations": permutations, "significance": significance, "progress": progress}
    test |= {"random_state": random_state}
    if not isinstance(labels, Mapping):
        pair = _pair(truth, labels, reading)
        influence = None if level is None else influence_of(pair, choices, groups_for([pair], random_state))
        alone = _agreement(pair, choices, influence, level, **test)
        return alone.penalised() if penalty else alone
    if not labels:
        msg = "labels is an empty dictionary; give at least one labelling by name."
        raise InputError(msg)
    _check_names(labels)
    level = level or USUAL_CONFIDENCE
    pairs = {str(name): _pair(truth, each, reading, f"labels[{name!r}]") for name, each in labels.items()}
    groups = groups_for(list(pairs.values()), random_state)
    influences = {name: influence_of(pair, choices, groups) for name, pair in pairs.items()}
    scores = {name: _agreement(pair, choices, influences[name], level, **test) for name, pair in pairs.items()}
    if penalty:
        influences = {name: each.penalised(choices, pairs[name].coverage) for name, each in influences.items()}
        scores = {name: each.penalised() for name, each in scores.items()}
    behind = None if _in_blocks(data, truth, *labels.values()) else {"truth": truth, **labels}
    return Agreements(scores, differences_of(influences, choices, level), level, behind)


def _check_names(labels: Mapping[Any, Any]) -> None:
    """Raise an error where two labellings would have one name in results, where names are text."""
    by_text: dict[str, Any] = {}
    for name in labels:
        other = by_text.setdefault(str(name), name)
        if other is not name:
            msg = (
                f"labels has the names {other!r} and {name!r}, which are equal as text; "
                "give each labelling a name of its own."
            )
            raise InputError(msg)


def _in_blocks(data: Any, *labellings: Any) -> bool:
    """Return whether labels are not at hand: columns of a table that is read in blocks, or files."""
    return data is not None or any(
        isinstance(labels, (str, os.PathLike)) or not hasattr(labels, "__len__") for labels in labellings
    )


def _pair(truth: Any, labels: Any, reading: Mapping[str, Any], name: str = "labels") -> Any:
    """Return the source of two labellings, however they come; errors call the second by its name."""
    if isinstance(truth, Contingency) and labels is None:
        return LabelPair(truth)
    if isinstance(truth, LabelBlocks):
        return truth
    return pair_in_blocks_or_memory({"truth": truth, name: labels}, **reading)


def _agreement(
    pair: Any,
    choices: Sequence[Request],
    influence: Influence | None,
    confidence: float | None,
    *,
    permutations: int | None,
    significance: str | None,
    random_state: Any,
    progress: bool | None,
) -> Agreement:
    values, reasons = values_of(pair, choices)
    null: Mapping[str, Null] = {}
    if permutations is not None:
        with bar("Drawing tables", shown=progress, total=int(permutations)) as done:
            null = null_distributions(
                pair, choices, values, permutations=int(permutations), random_state=random_state, done=done
            )
    elif significance is not None:
        null = analytic_nulls(pair, choices, values)
    intervals = None
    if influence is not None and confidence is not None:
        intervals = intervals_of(influence, choices, confidence)
    return Agreement(values, reasons, choices, pair, null=null, intervals=intervals)


@with_synonyms(labels_true="a", labels_pred="b")
@with_table_first
def contingency(
    a: Any, b: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, data: Any = None, executor: Any = None
) -> Contingency:
    """Return the table of two labellings: ``.table``, with ``.row_labels`` of `a` and ``.column_labels`` of `b`.

    Only occupied cells are kept, in ``.rows``, ``.columns`` and ``.counts``; tables of parts of the points add up.
    Labels that do not fit into memory are read in blocks, as `agreement` reads them.

    >>> found = contingency(["x", "x", "y", "y"], [0, 0, 0, 7])
    >>> found.table
    array([[2, 0],
           [1, 1]])
    >>> found.row_labels, found.column_labels
    (['x', 'y'], [0, 7])
    """
    both = {"a": a, "b": b}
    pair = pair_in_blocks_or_memory(both, noise=noise, sample_weight=sample_weight, data=data, executor=executor)
    return pair[Contingency]


@with_synonyms(labels_true="a", labels_pred="b")
@with_table_first
def concordance(
    a: Any, b: Any, *, noise: NoisePolicy = "cluster", sample_weight: Any = None, data: Any = None, executor: Any = None
) -> NDArray[Any]:
    """Return numbers of pairs of points [[yy, yn], [ny, nn]]: together in both, in `a` only, in `b` only, in neither.

    Labels that do not fit into memory are read in blocks, as `agreement` reads them.

    >>> concordance([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    array([[ 3,  2],
           [ 4, 12]])
    """
    both = {"a": a, "b": b}
    pair = pair_in_blocks_or_memory(both, noise=noise, sample_weight=sample_weight, data=data, executor=executor)
    pairs = pair[PairCounts]
    return whole_numbers([[pairs.yy, pairs.yn], [pairs.ny, pairs.nn]])


def whole_numbers(rows: list[list[Any]]) -> NDArray[Any]:
    """Return an array of exact whole numbers: of 64 bits if they fit, of Python's own if they do not.

    Weights that are no whole numbers give others.
    """
    if any(isinstance(number, float) for row in rows for number in row):
        return np.array(rows, dtype=np.float64)
    fits = max(map(max, rows)) < 2**63
    return np.array(rows, dtype=np.int64 if fits else object)
