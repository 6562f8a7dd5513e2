"""Which clusters come back where only distances tell points apart: mixed tables, series, distances that are given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import AgglomerativeClustering, KMeans

import clustval as cv
from clustval.errors import InputError
from clustval.relative.clusterwise import clusterwise_stability
from clustval.relative.stability import stability

GROUPS = np.arange(45) % 3
TABLE = pd.DataFrame({"age": 30.0 * GROUPS + np.arange(45) % 4, "plan": np.array(["a", "b", "c"])[GROUPS]})
TABLE.loc[::9, "age"] = np.nan
SERIES = [np.full(5 + at % 3, 9.0 * kind) + 0.1 * at for at, kind in enumerate(GROUPS)]
LENGTHS = cv.gower(TABLE)


@pytest.mark.parametrize(
    ("X", "metric"), [(TABLE, "gower"), (SERIES, "dtw"), (LENGTHS, "precomputed")], ids=["gower", "dtw", "precomputed"]
)
def test_clusters_of_distances_come_back(X, metric):
    assert stability(X, range(3, 6), metric=metric, n_samples=9, random_state=0).best == 3
    found = clusterwise_stability(X, GROUPS, metric=metric, n_samples=9, n_references=3, random_state=0)
    np.testing.assert_array_equal(found.table["mean"], 1.0)
    assert found.algorithm == "average linkage"
    drawn = metric == "gower"
    assert (len(found.reference) > 0) == drawn
    assert ("distances alone cannot be drawn again" in str(found)) != drawn
    made = clusterwise_stability(X, 3, metric=metric, n_samples=9, n_references=0, random_state=0)
    assert cv.external.adjusted_rand(made.labels, GROUPS) == 1


def test_samples_of_distances_are_those_of_the_rows():
    seen = []

    def first(D, k, _rng):
        seen.append(D)
        return np.arange(len(D)) % k

    stability(TABLE, 2, metric="gower", estimator=first, n_samples=2, random_state=0, n_jobs=1)
    for D in seen:
        assert D.shape == (45, 45)
        assert (D == D.T).all()
        assert set(np.unique(D)) <= set(np.unique(LENGTHS))


def test_an_estimator_of_distances_clusters_tables_of_them():
    complete = AgglomerativeClustering(metric="precomputed", linkage="complete")
    found = clusterwise_stability(TABLE, GROUPS, metric="gower", estimator=complete, n_samples=5, n_references=0)
    np.testing.assert_array_equal(found.table["mean"], 1.0)


OF_DISTANCES = {
    "an estimator of coordinates": (
        lambda: stability(TABLE, 3, metric="gower", estimator=KMeans(3)),
        "KMeans clusters coordinates, and metric='gower' gives distances.",
    ),
    "an estimator that is not told": (
        lambda: clusterwise_stability(TABLE, 3, metric="gower", estimator=AgglomerativeClustering()),
        (
            "AgglomerativeClustering clusters coordinates, and metric='gower' gives distances; metric='precomputed' "
            "makes it take distances."
        ),
    ),
    "an estimator of a sweep": (
        lambda: cv.sweep(TABLE, k=[2, 3], metric="gower", estimator=KMeans()),
        "KMeans clusters coordinates, and metric='gower' gives distances.",
    ),
    "starts of k-means": (
        lambda: stability(TABLE, 3, metric="gower", n_init=3),
        "k-means needs coordinates; with metric='gower' give an estimator of distances.",
    ),
    "a null of coordinates": (
        lambda: clusterwise_stability(TABLE, 3, metric="gower", null="uniform"),
        "null='uniform' draws coordinates, and metric='gower' gives distances; leave null= out.",
    ),
}


@pytest.mark.parametrize("name", OF_DISTANCES)
def test_what_does_not_go_with_distances_is_said(name):
    call, message = OF_DISTANCES[name]
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message
