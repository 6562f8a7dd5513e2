"""The choice among clusterings as an estimator of scikit-learn, for pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from clustval.arrays import Integers
from clustval.choices import JudgeName, MetricName
from clustval.choosing.choose import choose
from clustval.choosing.judges import CONSENSUS
from clustval.choosing.structure import FEWEST
from clustval.errors import optional
from clustval.homes.series import is_warping
from clustval.readers.rows_in_memory import points_in_memory
from clustval.tracking.assign import assign

if TYPE_CHECKING:
    from clustval.choosing.choice import Choice

base = optional("sklearn.base", "sklearn")


class ClusterSelector(base.ClusterMixin, base.BaseEstimator):  # type: ignore[misc, name-defined]
    """An estimator whose labels are those of the clustering that `clustval.choose` chooses.

    Parameters are those of `clustval.choose`. After ``fit`` it has ``labels_``, ``n_clusters_`` and ``choice_``, and
    ``predict`` says which cluster new rows belong to, as `clustval.assign` does: -1 for rows that are like none.

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> import clustval as cv
    >>> selector = cv.ClusterSelector(["ward", "k-means"], null=False, random_state=0)
    >>> make_pipeline(StandardScaler(), selector).fit(cv.data.load("wine").X)[-1].n_clusters_
    3
    """

    def __init__(
        self,
        candidates: Any = None,
        *,
        k: int | Iterable[int] | None = None,
        judge: JudgeName = CONSENSUS,
        null: bool | Sequence[str] = True,
        n_references: int = 99,
        metric: MetricName = "euclidean",
        time: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.candidates = candidates
        self.k = k
        self.judge = judge
        self.null = null
        self.n_references = n_references
        self.metric = metric
        self.time = time
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002 - pipelines give it
        """Cluster the rows of X in many ways and keep the best."""
        X = self._checked(X, ensure_min_samples=FEWEST)
        options = {name: value for name, value in self.get_params(deep=False).items() if name != "candidates"}
        self.choice_: Choice = choose(X, self.candidates, stability=False, **options)
        self.labels_: Integers = self.choice_.labels
        self.n_clusters_ = self.choice_.k
        self._X = X
        return self

    def _checked(self, X: Any, **checks: Any) -> Any:
        """Return the rows of X, wherever they live, as scikit-learn checks them; as they are where it could not."""
        X = points_in_memory(X, metric=self.metric)
        if self.metric == "gower" or is_warping(self.metric):  # categories and series are no array of numbers
            return X
        return optional("sklearn.utils.validation", "sklearn").validate_data(self, X, dtype="float64", **checks)

    def predict(self, X: Any) -> Integers:
        """Return the cluster of each row of X, -1 for rows that are like none of the clusters."""
        validation = optional("sklearn.utils.validation", "sklearn")
        validation.check_is_fitted(self)
        X = self._checked(X, reset=False)
        return assign(X, like=(self._X, self.labels_), metric=self.metric, n_jobs=self.n_jobs).accepted
