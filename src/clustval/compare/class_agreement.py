"""Each class beside the cluster that is most like it, and each cluster beside its class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clustval.choices import NoisePolicy
from clustval.compare.label_streams import pair_in_blocks_or_memory
from clustval.drawn import Drawn
from clustval.options import with_synonyms
from clustval.result import Result
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.nearest_clusters import NearestClusters
from clustval.tables import Tabular, text_table
from clustval.tables import cells_of as shown_cells


@dataclass(frozen=True, eq=False)
class NearestCluster(Tabular, Result):
    """The cluster of the other labelling that is most like one cluster, and how alike the two are."""

    nearest: Any
    size: Any  # points of the one, by weight
    nearest_size: Any
    shared: Any
    jaccard: float  # points of both over points of either
    precision: float  # share of the cluster of the labels that is of the class
    recall: float  # share of the class that is in the cluster
    f: float  # harmonic mean of the two


@dataclass(frozen=True, eq=False)
class ClassAgreement(Drawn, Tabular, Result):
    """How well each class is found by the cluster nearest to it, and each cluster is one class."""

    _figure = "class_agreement"

    classes: dict[Any, NearestCluster]  # by the name of the class
    clusters: dict[Any, NearestCluster]  # by the name of the cluster

    def _records(self) -> list[dict[str, Any]]:
        sides = (("class", self.classes), ("cluster", self.clusters))
        return [
            {"side": side, "name": name, **vars(match)} for side, matches in sides for name, match in matches.items()
        ]

    def __str__(self) -> str:
        return text_table(shown_cells(self._records()))

    __repr__ = __str__


@with_synonyms(labels_true="truth", labels_pred="labels")
def class_agreement(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    data: Any = None,
    executor: Any = None,
) -> ClassAgreement:
    """Return for each class the cluster that is most like it, by Jaccard's share of common points, and the reverse.

    Of equally near clusters it is the larger one, of equally large ones the first. Several classes may have the same
    nearest cluster; `matching` pairs them one to one. Points count as often as `sample_weight` says, if it is there.
    Labels that do not fit into memory are read in blocks, as `agreement` reads them.

    >>> scores = class_agreement(["a", "a", "a", "b", "b", "c", "c"], [1, 1, 2, 1, 1, 3, 3])
    >>> scores.classes["a"].nearest, scores.classes["a"].jaccard
    (1, 0.4)
    >>> scores.clusters[2].nearest, scores.clusters[2].recall
    ('a', 0.333333)
    """
    both = {"truth": truth, "labels": labels}
    pair = pair_in_blocks_or_memory(both, noise=noise, sample_weight=sample_weight, data=data, executor=executor)
    t, m = pair[Contingency], pair[NearestClusters]

    def match(cell: int, nearest: Any, *, of_truth: bool) -> NearestCluster:
        a, b, shared = t.row_sizes[t.rows[cell]].item(), t.column_sizes[t.columns[cell]].item(), t.counts[cell].item()
        own, other = (a, b) if of_truth else (b, a)
        return NearestCluster(
            nearest, own, other, shared, m.jaccard[cell].item(), shared / b, shared / a, 2 * shared / (a + b)
        )

    classes = {
        name: match(cell, t.column_labels[t.columns[cell]], of_truth=True)
        for name, cell in zip(t.row_labels, m.cells_of_truth.tolist(), strict=True)
    }
    clusters = {
        name: match(cell, t.row_labels[t.rows[cell]], of_truth=False)
        for name, cell in zip(t.column_labels, m.cells_of_labels.tolist(), strict=True)
    }
    return ClassAgreement(classes, clusters)
