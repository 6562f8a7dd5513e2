"""The one-to-one matching of clusters with classes that gets most points right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clustval.choices import NoisePolicy
from clustval.compare.label_streams import pair_in_blocks_or_memory
from clustval.options import with_synonyms
from clustval.result import Result
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.matching import Matching
from clustval.tables import Tabular, number


@dataclass(frozen=True, eq=False)
class Matched(Tabular, Result):
    """Which cluster of the labels is named after which class of the truth, and how well each fits."""

    accuracy: float
    classes: dict[Any, Any]  # class of each matched cluster, by its label
    shared: dict[Any, Any]  # points, by weight, that each matched cluster shares with its class
    precision: dict[Any, float]  # of every cluster: share of its points that are of its class; 0 without one
    recall: dict[Any, float]  # of every class: share of its points that are in its cluster; 0 without one

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each cluster, and for each class that no cluster is named after."""
        pairs = [(cluster, self.classes.get(cluster)) for cluster in self.precision]
        pairs += [(None, name) for name in self.recall if name not in self.classes.values()]
        return [
            {
                "cluster": cluster,
                "class": name,
                "shared": self.shared.get(cluster, 0),
                "precision": self.precision.get(cluster),
                "recall": self.recall.get(name),
            }
            for cluster, name in pairs
        ]

    def __str__(self) -> str:
        lines = [f"{self.accuracy:.6g} of the points are in the cluster matched with their class"]
        lines += [
            f"{cluster} -> {name}: {number(self.shared[cluster], 6)} points, "
            f"precision {self.precision[cluster]:.3g}, recall {self.recall[name]:.3g}"
            for cluster, name in self.classes.items()
        ]
        return "\n".join(lines)


@with_synonyms(labels_true="truth", labels_pred="labels")
def matching(
    truth: Any,
    labels: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    data: Any = None,
    executor: Any = None,
) -> Matched:
    """Return the best one-to-one matching of clusters with classes, as `clustval.external.accuracy` uses it.

    Points count as often as `sample_weight` says, if it is there. Labels that do not fit into memory are read in
    blocks, as `agreement` reads them.

    >>> found = matching(["a", "a", "a", "b", "b", "c", "c"], [1, 1, 2, 1, 1, 3, 3])
    >>> found.classes
    {2: 'a', 1: 'b', 3: 'c'}
    >>> found.precision[1], found.recall["a"]
    (0.5, 0.333333)
    """
    both = {"truth": truth, "labels": labels}
    pair = pair_in_blocks_or_memory(both, noise=noise, sample_weight=sample_weight, data=data, executor=executor)
    table = pair[Contingency]
    m: Matching = pair[Matching]
    cells = list(zip(m.rows.tolist(), m.columns.tolist(), m.counts.tolist(), strict=True))
    precision, recall = dict.fromkeys(table.column_labels, 0.0), dict.fromkeys(table.row_labels, 0.0)
    for row, column, count in cells:
        precision[table.column_labels[column]] = count / table.column_sizes[column].item()
        recall[table.row_labels[row]] = count / table.row_sizes[row].item()
    return Matched(
        accuracy=m.total / table.n,
        classes={table.column_labels[column]: table.row_labels[row] for row, column, _ in cells},
        shared={table.column_labels[column]: count for _, column, count in cells},
        precision=precision,
        recall=recall,
    )
