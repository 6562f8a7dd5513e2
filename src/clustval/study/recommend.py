"""Which criterion to trust on data like mine: the study, on labelled data that look like the user's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.errors import InputError
from clustval.inputs import at_least, one_of
from clustval.options import seeded
from clustval.readers.rows_in_memory import rows_in_memory
from clustval.relative.sweep import sweep
from clustval.result import Result
from clustval.seeding import TaskGenerator, generators
from clustval.study.compare import compare
from clustval.study.comparison import Comparison
from clustval.study.milligan import Balance, milligan
from clustval.study.significance import LEVEL, p_values

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tables import PandasFrame, PolarsFrame

How = Literal["mixture", "milligan"]

LIKENESSES = {
    "mixture": "normal clusters with the shares, means and covariances of a rough clustering of the data",
    "milligan": "clusters that do not overlap in the first dimension, as many and as balanced as in a rough clustering",
}
MOST_POINTS = 500  # of a data set that looks like the user's
SAMPLE = 2000  # points that are clustered roughly
ROUGH = 20  # clusters that a rough clustering has at most


@dataclass(frozen=True, eq=False)
class Recommendation(Result):
    """The criteria to trust for data like the user's, and the evidence.

    Attributes
    ----------
    trusted
        The criteria whose correlation with the truth is not significantly below that of the best one (signed-rank
        test over the data sets, one-sided, at 5 %), best first.
    comparison
        All criteria over all data sets that look like the user's.
    n, d
        Points and dimensions of the user's data.
    sizes
        Shares of the rough clusters, the largest first.
    """

    trusted: tuple[str, ...]
    comparison: Comparison
    n: int
    d: int
    sizes: tuple[float, ...]

    @property
    def best(self) -> str:
        """The criterion that follows the truth most closely."""
        return self.trusted[0]

    def to_polars(self) -> PolarsFrame:
        """Return the comparison as a polars data frame."""
        return self.comparison.to_polars()

    def to_pandas(self) -> PandasFrame:
        """Return the comparison as a pandas data frame."""
        return self.comparison.to_pandas()

    def plot(self, *positional: Any, **options: Any) -> Axes:
        """Draw the comparison of criteria that the advice comes from, as `Comparison.plot` does."""
        return self.comparison.plot(*positional, **options)

    def to_html(self, path: Any = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`."""
        from clustval.report import About, of_recommendation  # noqa: PLC0415 - only reports need it

        return of_recommendation(self, path, about=About(**about))

    @property
    def likeness(self) -> str:
        """What data like the user's are, in a few words."""
        shares = ", ".join(f"{share:.0%}" for share in self.sizes)
        return f"{self.n:,} points, {self.d:,} dimensions, about {len(self.sizes)} clusters ({shares})"

    def __str__(self) -> str:
        about = f"Data like yours: {self.likeness}"
        return f"{about}\nTrust: {', '.join(self.trusted)}\n\n{self.comparison}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        trusted = ", ".join(self.trusted)
        return f"<p>Data like yours: {self.likeness}<br>Trust: {trusted}</p>{self.comparison._repr_html_()}"


@seeded
def recommend(
    X: Any,
    labels: Any = None,
    *,
    criteria: str | Iterable[str] = "vendramin",
    like: How = "mixture",
    n_datasets: int = 20,
    runs: int = 5,
    k: int | Iterable[int] | None = None,
    features: str | Sequence[Any] | None = None,
    use_rep: str | None = None,
    force: bool = False,
    random_state: Any = None,
    rng: Any = None,
    n_jobs: int | None = None,
    progress: bool | None = None,
) -> Recommendation:
    """Return the criteria to trust for data like X.

    A rough clustering of X says how many clusters there may be, how large and how wide. Data sets with as many, whose
    truth is known, are then made and partitioned by k-means, and each criterion is compared with the truth as in
    `compare`. The answer is about such data; it cannot know whether the rough clustering is right.

    Parameters
    ----------
    X
        One row per point.
    labels
        A rough clustering, if there is one, or the name of the column of X that has it; else k-means with the number
        of clusters that the silhouette prefers.
    criteria
        A suite of internal indices, a name, or several.
    like
        "mixture": normal clusters with the shares, means and covariances of the rough ones. "milligan": clusters that
        do not overlap in the first dimension, with the balance that is nearest to the shares.
    n_datasets, runs
        Data sets to make, of at most 500 points each, and runs of k-means for each number of clusters.
    k
        Numbers of clusters to try; None for 2 to twice the rough number, and at least to the root of n.
    features, use_rep, force
        Columns of a data frame or of a file that are the points; of annotated cells, the representation that is:
        X_pca by default, and maps for the eye, such as UMAP, only by force.
    random_state, rng, n_jobs, progress
        As in `compare`.

    >>> X, _ = milligan(90, 3, 2, random_state=1)
    >>> recommendation = recommend(X, criteria=["silhouette", "dunn"], n_datasets=6, random_state=0)
    >>> recommendation.best
    'silhouette'
    """
    home: dict[str, Any] = {"features": features, "use_rep": use_rep, "force": force}
    X, values = rows_in_memory(X, {"labels": labels}, **home)
    points, labels = inputs.as_points(X), values["labels"]
    one_of(like, LIKENESSES, "like")
    count = at_least(n_datasets, 1, "n_datasets")
    generator = generators(random_state)
    size = len(points)
    points, codes = _rough(points, inputs.aligned(labels, inputs.row_names(X), "labels"), generator, n_jobs)
    shares = np.sort(np.bincount(codes) / len(codes))[::-1]
    n = min(len(points), MOST_POINTS)
    if k is None:
        k = range(2, min(n - 1, max(2 * len(shares), int(np.ceil(np.sqrt(n))))) + 1)
    make = _mixture if like == "mixture" else _milligan
    sets = [(*make(points, codes, n, generator(1, number)), f"like X {number}") for number in range(count)]
    seed = int(generator(2).integers(2**63))
    comparison = compare(sets, criteria, k=k, runs=runs, random_state=seed, n_jobs=n_jobs, progress=progress)
    comparison.method = (f"Data sets that look like the data: {LIKENESSES[like]}.", *comparison.method)
    return Recommendation(_trusted(comparison), comparison, size, points.shape[1], tuple(shares.tolist()))


def _rough(points: Floats, labels: Any, generator: TaskGenerator, n_jobs: int | None) -> tuple[Floats, Integers]:
    """Points with the codes of their rough clusters: those given, noise being one, or by k-means on a sample."""
    if labels is not None:
        rough = inputs.as_labels(labels, noise="cluster")
        inputs.check_length(len(points), rough)
        codes = rough.codes
    else:
        points = points[generator(0).permutation(len(points))[:SAMPLE]]
        most = min(ROUGH, int(np.sqrt(len(points))))
        if most < 2:
            msg = f"{len(points)} points are too few to look like anything; give at least 4."
            raise InputError(msg)
        swept = sweep(points, k=range(2, most + 1), indices=["silhouette"], random_state=generator(0), n_jobs=n_jobs)
        codes = np.asarray(swept.labels[swept.best()["silhouette"]])
    if len(np.unique(codes)) < 2:
        msg = "labels form one cluster; the truth of data like these would have nothing to tell apart."
        raise InputError(msg)
    return points, codes


def _mixture(points: Floats, codes: Integers, n: int, rng: np.random.Generator) -> tuple[Floats, Integers]:
    """Normal clusters with the shares, means and covariances of those given; each has a point at least."""
    k = int(codes.max()) + 1
    shares = np.bincount(codes) / len(codes)
    truth = rng.permutation(np.concatenate([np.arange(k), rng.choice(k, max(n - k, 0), p=shares)]))
    X = np.empty((len(truth), points.shape[1]))
    for cluster in range(k):
        own = points[codes == cluster]
        centred = own - own.mean(axis=0)
        members = np.flatnonzero(truth == cluster)
        # Random combinations of the rows of R have the covariance of the cluster, whatever its rank.
        root = np.linalg.qr(centred, mode="r") / np.sqrt(max(len(own) - 1, 1))
        X[members] = own.mean(axis=0) + rng.standard_normal((len(members), len(root))) @ root
    return X, truth


def _milligan(points: Floats, codes: Integers, n: int, rng: np.random.Generator) -> tuple[Floats, Integers]:
    shares = np.bincount(codes) / len(codes)
    even = 1 / len(shares)
    balance: Balance = "equal"
    if shares.max() > (even + 0.6) / 2:
        balance = "60%"
    elif shares.min() < (even + 0.1) / 2 and even > 0.1:
        balance = "10%"
    return milligan(n, len(shares), points.shape[1], balance, random_state=rng)


def _trusted(comparison: Comparison) -> tuple[str, ...]:
    pairwise = comparison.pairwise()
    order = [comparison.criteria.index(name) for name in pairwise.criteria]
    p = p_values(comparison.of()[:, order], comparison.cells, "wilcoxon")[0]
    return tuple(
        name
        for at, (name, mean) in enumerate(zip(pairwise.criteria, pairwise.means, strict=True))
        if at == 0 or (not np.isnan(mean) and not p[at] < LEVEL)
    )
