"""How often points are together in many labellings: statistics of pairs, values of points, clusters of both."""

from __future__ import annotations

import math
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.catalogue import find
from clustval.errors import InputError
from clustval.inputs import at_least, is_number, one_of
from clustval.lazy import cached_property
from clustval.passes.consensus.average_linkage import by_kmeans, cut, joint_similarities, merges_of
from clustval.passes.consensus.co_association import associate, kinds_of_points, shares, tally
from clustval.seeding import generators

LOW, HIGH = 0.1, 0.9  # between which a pair is in doubt
MOST_KINDS = 5000  # of points, whose table of each two is held
FEW = 10  # labellings, of which each two are compared in draws as well
CELLS = 2**22  # entries of the co-association that are held at a time
METHODS = ("auto", "average", "kmeans")
STATISTICS = ("pac", "cdf_area", "dispersion", "consensus_index")
Summary = dict[str, float]


class Ensemble:
    """Many labellings of the same points; those with the same labels in all are one kind, and counted."""

    def __init__(self, codes: Integers) -> None:
        self.codes = codes
        self.rows, self.kinds, self.counts = kinds_of_points(codes)

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.codes.shape[1])

    # --- pairs -------------------------------------------------------------------------------------------

    @cached_property
    def distribution(self) -> tuple[Floats, Integers]:
        """The values that the co-association of pairs has, ascending, and how many pairs have each."""
        table = tally(self.rows, self.counts)
        together, both = np.nonzero(table[:, 1:])
        values, places = np.unique(together / (both + 1), return_inverse=True)
        counts = np.zeros(len(values), dtype=np.int64)
        np.add.at(counts, places.ravel(), table[together, both + 1])
        return values, counts

    def summary(self, *, drawn: bool = False) -> Summary:
        """Return the statistics of pairs, and the mean information of each two labellings.

        Of many that are drawn, successive ones are compared: their mean varies more, so that p-values are careful.
        Draws without a pair of points in one labelling have no values.
        """
        values, counts = self.distribution
        pairs = counts.sum()
        if pairs == 0 and drawn:
            return dict.fromkeys(STATISTICS, math.nan)
        if pairs == 0:
            reason = "A consensus needs two points that at least one labelling has both of."
            raise InputError(reason)
        doubtful = (values > LOW) & (values <= HIGH)
        sharp = 4 * (values - 0.5) ** 2
        return {
            "pac": float(counts[doubtful].sum() / pairs),
            "cdf_area": float(1 - (values * counts).sum() / pairs),
            "dispersion": float((2 * (sharp * counts).sum() + self.n) / (2 * pairs + self.n)),
            "consensus_index": self._information(every_pair=not drawn or len(self.codes) <= FEW),
        }

    def _information(self, *, every_pair: bool) -> float:
        index = find("adjusted_mutual_info", "external").function
        labels = list(self.codes)
        values = []
        for one, other in combinations(labels, 2) if every_pair else pairwise(labels):
            present = (one >= 0) & (other >= 0)
            if present.any():
                values.append(index(one[present], other[present]))
        return float(np.mean(values)) if values else float("nan")

    # --- the co-association ------------------------------------------------------------------------------

    def matrix(self, rows: Any = None) -> Floats:
        """Return rows of the co-association; 1 on the diagonal."""
        points = np.arange(self.n) if rows is None else np.atleast_1d(np.arange(self.n)[rows])
        kinds, places = np.unique(self.kinds[points], return_inverse=True)
        values = shares(*associate(self.rows, kinds))[places.ravel()][:, self.kinds]
        values[np.arange(len(points)), points] = 1.0
        return np.asarray(values)

    def sparse(self, least: float) -> Any:
        """Return the co-association without entries below `least`."""
        from scipy.sparse import csr_array, vstack  # noqa: PLC0415 - only this needs it

        if not is_number(least) or not 0 < least <= 1:
            msg = f"least must be above 0 and at most 1; it is {least!r}."
            raise InputError(msg)
        blocks = []
        step = max(1, CELLS // self.n)
        for first in range(0, self.n, step):
            block = self.matrix(slice(first, first + step))
            block[~(block >= least)] = 0
            blocks.append(csr_array(block))
        return vstack(blocks, format="csr")

    # --- points and clusters -----------------------------------------------------------------------------

    @cached_property
    def merges(self) -> tuple[Integers, Floats]:
        """The merges of kinds of points by average linkage, and how similar the merged clusters are."""
        if len(self.rows) > MOST_KINDS:
            msg = (
                f"Average linkage holds a table of each two of {len(self.rows)} points, of {MOST_KINDS} at most. "
                "labels(k, method='kmeans') does without."
            )
            raise InputError(msg)
        return merges_of(self.rows, self.counts)

    @cached_property
    def cophenetic(self) -> float:
        """Correlation, over pairs, of the co-association with the similarity at which average linkage joins them."""
        joined = joint_similarities(*self.merges)
        both, together = associate(self.rows, np.arange(len(self.rows)))
        pairs = np.outer(self.counts, self.counts) - np.diag(self.counts)
        weights = np.where(both > 0, pairs, 0).ravel()
        values = np.nan_to_num(shares(both, together)).ravel(), joined.ravel()
        x, y = (each - weights @ each / weights.sum() for each in values)
        with np.errstate(all="ignore"):
            return float((weights * x) @ y / np.sqrt(((weights * x) @ x) * ((weights * y) @ y)))

    def labels(self, k: int, method: str, random_state: Any) -> Integers:
        """Return k clusters of points that are often together."""
        one_of(method, METHODS, "method")
        kinds = len(self.rows)
        if at_least(k, 1, "k") > kinds:
            msg = f"k must be at most {kinds}, the number of points that differ in their labels; it is {k}."
            raise InputError(msg)
        if method == "kmeans" or (method == "auto" and kinds > MOST_KINDS):
            return by_kmeans(self.rows[self.kinds], k, generators(random_state)(0))
        return cut(self.merges[0], k)[self.kinds]

    def confidence(self, labels: Integers) -> Floats:
        """Return how often labellings put each point together with the other points of its cluster."""
        together, both = np.zeros(self.n), np.zeros(self.n)
        k = int(labels.max()) + 1
        for codes in self.codes:
            present = codes >= 0
            own, clusters = codes[present], labels[present]
            sizes = np.bincount(clusters, minlength=k)
            cells = np.bincount(clusters * (own.max(initial=0) + 1) + own, minlength=k * (own.max(initial=0) + 1))
            together[present] += cells[clusters * (own.max(initial=0) + 1) + own] - 1
            both[present] += sizes[clusters] - 1
        with np.errstate(all="ignore"):
            return np.where(both > 0, together / both, np.nan)

    @cached_property
    def consistency(self) -> Floats:
        """For each point, the element-centric similarity of its clusters in each two labellings, on average."""
        sums, counts = np.zeros(len(self.rows)), np.zeros(len(self.rows))
        for one, other in combinations(self.rows.T, 2):
            present = (one >= 0) & (other >= 0)
            if not present.any():
                continue
            a, b, weights = one[present], other[present], self.counts[present]
            width = int(b.max()) + 1
            cells = np.bincount(a.astype(np.int64) * width + b, weights=weights)
            larger = np.maximum(np.bincount(a, weights=weights)[a], np.bincount(b, weights=weights)[b])
            sums[present] += cells[a.astype(np.int64) * width + b] / larger
            counts[present] += 1
        with np.errstate(all="ignore"):
            return np.where(counts > 0, sums / counts, np.nan)[self.kinds]
