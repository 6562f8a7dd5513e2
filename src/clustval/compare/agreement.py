"""Many external indices of two labellings at once, from one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.catalogue import select
from clustval.compare.label_streams import pair_in_blocks_or_memory
from clustval.compare.permutation import Null, null_distributions
from clustval.declare import Request
from clustval.evaluation import Names, values_of
from clustval.inputs import at_least
from clustval.options import with_synonyms
from clustval.progress import bar
from clustval.results import Scores
from clustval.sources.label_pair import LabelBlocks, LabelPair
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.pair_counts import PairCounts


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
    ) -> None:
        super().__init__(values, reasons, choices, source, coverage=coverage)
        self.null: Mapping[str, Null] = dict(null or {})

    def _compared(self) -> dict[str, Any]:
        return super()._compared() | {"null": self.null}

    @property
    def alarms(self) -> list[str]:
        """No line: sizes of two labellings are in `table`."""
        return []

    @property
    def table(self) -> Contingency:
        """The table of the two labellings."""
        return self.source[Contingency]  # type: ignore[no-any-return]

    @property
    def p_values(self) -> dict[str, float]:
        """How rarely chance agrees at least as well, for each index; empty without permutations."""
        return {name: null.p_value for name, null in self.null.items()}

    def _records(self) -> list[dict[str, Any]]:
        records = super()._records()
        for record in records if self.null else ():
            null = self.null[record["index"]]
            record |= {"null_mean": null.mean, "null_std": null.std, "p_value": null.p_value}
        return records

    def __str__(self) -> str:
        lines = super().__str__().splitlines()
        if not self.null:
            return "\n".join(lines)
        width = max(map(len, lines))
        rows = [("by chance", "p"), *((f"{v.mean:.3g} ± {v.std:.2g}", f"{v.p_value:.3g}") for v in self.null.values())]
        wide = max(len(chance) for chance, _ in rows)
        return "\n".join(
            f"{line:<{width}}  {chance:<{wide}}  {p}" for line, (chance, p) in zip(lines, rows, strict=True)
        )

    __repr__ = __str__


@with_synonyms(labels_true="truth", labels_pred="labels")
def agreement(
    truth: Any,
    labels: Any = None,
    indices: Names = "default",
    *,
    noise: str = "cluster",
    sample_weight: Any = None,
    permutations: int | None = None,
    random_state: Any = None,
    data: Any = None,
    executor: Any = None,
    progress: bool = False,
) -> Agreement:
    """Return the values of several external indices of two labellings of the same points.

    Parameters
    ----------
    truth, labels
        One label per point, of any type. Indices that are not symmetric take the first as the truth. A table from
        `contingency` may stand for both. `labels_true` and `labels_pred`, as in scikit-learn, mean the same. Labels
        of pandas are brought into the order of the truth by their index. Names of columns of `data`; or mapped arrays,
        paths of NPY files and columns of Dask, which are read in blocks.
    indices
        A suite ("default", "all", "clustercrit", "zaki", "vendramin", "sklearn"), a name, or several.
    noise
        What happens to -1 and missing values: "cluster" makes them a cluster, "singletons" each a cluster of its own,
        "drop" leaves out points that are noise in either labelling, "error" refuses them.
    sample_weight
        How often each point counts: a weight of 3 is the same as three points, one of 0 as none.
    permutations
        How many times to draw labels at random with the same sizes, to give each index its mean and s.d. under
        chance and a p-value, in ``.null``.
    random_state
        Seed of these draws.
    data
        A table that is read in blocks, of which truth and labels are columns: a path, a pattern or a folder (Parquet,
        Arrow), a polars LazyFrame, or a data frame of Dask.
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
    choices = select(indices, "external")
    pair: Any = truth
    if isinstance(truth, Contingency) and labels is None:
        pair = LabelPair(truth)
    elif not isinstance(truth, LabelBlocks):
        both = {"truth": truth, "labels": labels}
        pair = pair_in_blocks_or_memory(both, noise=noise, sample_weight=sample_weight, data=data, executor=executor)
    values, reasons = values_of(pair, choices)
    null: Mapping[str, Null] = {}
    if permutations is not None:
        with bar("Drawing tables", shown=progress, total=int(permutations)) as done:
            null = null_distributions(
                pair, choices, values, permutations=int(permutations), random_state=random_state, done=done
            )
    return Agreement(values, reasons, choices, pair, null=null)


@with_synonyms(labels_true="a", labels_pred="b")
def contingency(
    a: Any, b: Any, *, noise: str = "cluster", sample_weight: Any = None, data: Any = None, executor: Any = None
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
def concordance(
    a: Any, b: Any, *, noise: str = "cluster", sample_weight: Any = None, data: Any = None, executor: Any = None
) -> NDArray[Any]:
    """Return the numbers of pairs of points [[yy, yn], [ny, nn]]: together in both, in `a` only, in `b` only, in none.

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
