"""k-means: the partitions of scikit-learn from the same starts, and what estimators may be."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info, threadpool_limits

import clustval as cv
from clustval.kernels.kmeans import lloyd
from clustval.passes.kmeans import lloyd_numpy
from clustval.passes.kmeans.lloyd import Lloyd, kmeans, on_axes, partitions
from clustval.relative.estimators import clusterer, numbers_of_clusters
from clustval.seeding import generators
from conftest import iris_components, make_blobs


def same_partition(a, b) -> bool:
    pairs = set(zip(a.tolist(), b.tolist(), strict=True))
    return len(pairs) == len(set(a.tolist())) == len(set(b.tolist()))


def scikit_learn(X, starts, **options):
    with warnings.catch_warnings(), threadpool_limits(1):  # several threads add in an order of their own
        warnings.simplefilter("ignore", ConvergenceWarning)
        return KMeans(len(starts), init=starts, n_init=1, algorithm="lloyd", **options).fit(X)


def random_set(seed: int):
    """Points of one of three kinds, and starts among them."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(50, 501)), int(rng.integers(2, 25))
    k = int(rng.integers(2, min(51, n)))
    kinds = {
        0: lambda: rng.normal(size=(n, p)),
        1: lambda: rng.normal(0, 10, (6, p))[rng.integers(0, 6, n)] + rng.normal(size=(n, p)),
        2: lambda: 1000 + 100 * rng.uniform(size=(n, p)),
    }
    X = kinds[seed % 3]()
    return X, X[rng.choice(n, k, replace=False)]


@pytest.mark.parametrize("seed", range(90))
def test_equal_starts_end_in_the_partition_of_scikit_learn(seed):
    X, starts = random_set(seed)
    ours, theirs = kmeans(X, len(starts), starts=starts), scikit_learn(X, starts)
    assert np.array_equal(ours.labels, theirs.labels_)
    assert ours.centres == pytest.approx(theirs.cluster_centers_, rel=1e-9, abs=1e-9)
    assert ours.inertia == pytest.approx(theirs.inertia_, rel=1e-9)


def test_most_ties_fall_as_in_scikit_learn():
    rng = np.random.default_rng(0)
    same = 0
    for _ in range(40):
        X = rng.integers(0, 4, (int(rng.integers(50, 300)), int(rng.integers(6, 25)))).astype(float)
        starts = X[rng.choice(len(X), int(rng.integers(2, 20)), replace=False)]
        same += same_partition(kmeans(X, len(starts), starts=starts).labels, scikit_learn(X, starts).labels_)
    assert same >= 36


@pytest.mark.parametrize("seed", range(10))
def test_empty_clusters_move_as_in_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(80, 3))
    starts = np.vstack([X[:3], X[:1], X[1:2], X.max(axis=0)[None] + 50])
    ours, theirs = kmeans(X, 6, starts=starts), scikit_learn(X, starts)
    assert len(np.unique(ours.labels)) == 6
    assert same_partition(ours.labels, theirs.labels_)


@pytest.mark.parametrize("options", [{"tol": 0.02}, {"max_iter": 3}], ids=["small moves", "enough rounds"])
def test_runs_end_early_as_in_scikit_learn(options):
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(400, 2))
    stopped = 0
    for _ in range(8):
        starts = X[rng.choice(400, 7, replace=False)]
        ours = Lloyd(X, rounds=options.get("max_iter", 300), tolerance=options.get("tol", 1e-4)).run(starts)
        assert np.array_equal(ours.labels, scikit_learn(X, starts, **options).labels_)
        stopped += not np.array_equal(ours.labels, Lloyd(X, tolerance=0.0).run(starts).labels)
    assert stopped > 0


def lloyd_in_loops(X, centres, rounds=300):
    centres = [list(c) for c in centres]
    labels = [-1] * len(X)
    for _ in range(rounds):
        nearest = [min(range(len(centres)), key=lambda b: sum((x - centres[b]) ** 2)) for x in X]
        if nearest == labels:
            break
        labels = nearest
        for b in range(len(centres)):
            centres[b] = np.mean([x for x, label in zip(X, labels, strict=True) if label == b], axis=0)
    return labels


def test_the_kernel_follows_the_definition():
    X, _ = make_blobs((15, 15, 15), (0, 3, 6), seed=1)
    assert Lloyd(X, tolerance=0.0).run(X[[0, 15, 30]]).labels.tolist() == lloyd_in_loops(X, X[[0, 15, 30]])


def test_data_far_from_zero_are_clustered_alike():
    X, _ = iris_components()
    near, far = kmeans(X, 5, starts=X[:5]), kmeans(X + 1e6, 5, starts=X[:5] + 1e6)
    assert np.array_equal(near.labels, far.labels)
    assert far.inertia == pytest.approx(near.inertia, rel=1e-6)


def test_the_best_of_many_starts_is_the_optimum_of_iris():
    X, good = iris_components()
    found = kmeans(X, 3, rng=np.random.default_rng(0))
    assert found.inertia == pytest.approx(63.8738, abs=1e-4)
    assert same_partition(found.labels, good)


@pytest.mark.parametrize(("n", "p", "k"), [(1, 1, 1), (5, 3, 5), (16, 2, 4), (17, 1, 3), (47, 9, 8), (200, 64, 21)])
def test_starts_are_those_of_the_twin(n, p, k):
    rng = np.random.default_rng(n)
    X = rng.integers(0, 4, (n, p)).astype(float) if p > 1 else rng.random((n, p))
    for _ in range(5):
        draws = rng.random((k, 2 + int(np.log(k))))
        rows, expected = np.empty(k, dtype=np.int64), np.empty(k, dtype=np.int64)
        lloyd.plus_plus(X, lloyd.tiled(X), draws, rows)
        lloyd_numpy.plus_plus(X, draws, expected)
        assert rows.tolist() == expected.tolist()


@pytest.mark.parametrize("places", [40, 2])
def test_points_of_many_columns_have_the_clusters_of_their_distances(places):
    rng = np.random.default_rng(1)
    X = 1e6 + rng.normal(size=(places, 300)).repeat(40 // places, axis=0)
    plain, *others = (
        run(np.random.default_rng(2))
        for run in (
            lambda draws: Lloyd(X).best(3, draws, 20),
            lambda draws: on_axes(X)(3, draws, 20),
            lambda draws: kmeans(X, 3, rng=draws, n_init=20),
        )
    )
    used = np.unique(plain.labels)
    for run in others:
        assert run.labels.tolist() == plain.labels.tolist()
        assert run.inertia == pytest.approx(plain.inertia, rel=1e-9, abs=1e-9)
        np.testing.assert_allclose(run.centres[used], plain.centres[used], rtol=1e-12)


def test_the_best_of_more_starts_is_no_worse():
    X, _ = iris_components()
    few, many = ([kmeans(X, 7, rng=np.random.default_rng(seed), n_init=m) for seed in range(8)] for m in (1, 15))
    assert all(b.inertia <= a.inertia for a, b in zip(few, many, strict=True))
    assert any(b.inertia < a.inertia for a, b in zip(few, many, strict=True))
    for found in many:
        means = np.array([X[found.labels == c].mean(axis=0) for c in range(7)])
        assert found.inertia == pytest.approx(((X - means[found.labels]) ** 2).sum(), rel=1e-9)
    again = Lloyd(X).best(7, np.random.default_rng(0), 15, products=10_000)  # four starts, then four more ...
    assert np.array_equal(again.labels, many[0].labels)


def test_runs_do_not_depend_on_the_number_of_threads():
    X, _ = random_set(4)
    rng = np.random.default_rng(0)
    rows = [rng.choice(len(X), k, replace=False) for k in (2, 5, 5, 9) for _ in range(20)]
    one, many = partitions(X, rows, n_jobs=1), partitions(X, rows, n_jobs=4)
    assert np.array_equal(one[0], many[0])
    assert np.array_equal(one[1], many[1])
    for run in (0, 25, 79):
        alone = kmeans(X, len(rows[run]), starts=X[rows[run]])
        assert np.array_equal(one[0][run], alone.labels)
        assert one[1][run] == alone.inertia


def test_more_clusters_than_different_points_leave_some_empty():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0], [5.0, 5.0]], 4, axis=0)
    found = kmeans(X, 6, rng=np.random.default_rng(0))
    assert found.inertia == 0
    assert len(np.unique(found.labels)) == 3


# --- few points ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [lloyd, lloyd_numpy])
def test_points_on_their_centres_stay_where_they_are_though_a_cluster_is_empty(module):
    X = np.array([[0.0], [1], [1]])
    centres, labels = np.array([[0.0], [1], [5]]), np.empty(3, dtype=np.int64)
    assert module.lloyd(X, module.tiled(X), centres, labels, 9, 0.0) == (0, 2)
    assert labels.tolist() == [0, 1, 1]
    assert centres.tolist() == [[0], [1], [1]]


@pytest.mark.parametrize("module", [lloyd, lloyd_numpy])
def test_each_empty_cluster_takes_a_far_point_of_its_own(module):
    X = np.array([[0.0], [0.25], [0.5], [0.75]])  # whose squared distances are all below 1
    centres, labels = np.array([[0.0], [8], [9]]), np.empty(4, dtype=np.int64)
    module.lloyd(X, module.tiled(X), centres, labels, 1, 0.0)
    assert centres.tolist() == [[0.125], [0.75], [0.5]]


def test_a_draw_of_one_chooses_the_last_point():
    X, draws = np.array([[0.0], [1], [3]]), np.ones((2, 2))
    rows, compiled = np.empty((2, 2), dtype=np.int64)
    lloyd_numpy.plus_plus(X, draws, rows)
    lloyd.plus_plus(X, lloyd.tiled(X), draws, compiled)
    assert rows.tolist() == compiled.tolist() == [2, 2]


@pytest.mark.parametrize("module", [lloyd, lloyd_numpy])
def test_of_equally_good_runs_the_first_is_kept(module):
    X = np.array([[0.0], [1]])
    draws = np.full((2, 2, 2), 0.5)
    draws[:, 0] = [[0.1], [0.9]]  # the first run starts from the first point, the second from the second
    centres, labels = np.empty((2, 1)), np.empty(2, dtype=np.int64)
    assert module.best_run(X, module.tiled(X), draws, centres, labels, 9, 0.0) == 0
    assert labels.tolist() == [0, 1]
    assert centres.tolist() == [[0], [1]]


def test_centres_of_the_best_run_are_where_the_points_are():
    X = np.array([[10.0], [11], [20], [21]])
    clustering = kmeans(X, 2, rng=np.random.default_rng(0))
    assert sorted(clustering.centres.tolist()) == [[10.5], [20.5]]
    assert clustering.inertia == 1


@pytest.mark.parametrize("starts", [[[0, 2]], [[0, 2], [0, 1, 2], [2, 0]]])
def test_single_runs_and_runs_of_changing_numbers_of_clusters_are_all_done(starts):
    X = np.array([[0.0], [1], [4], [5]])
    expected = {(0, 2): [0, 0, 1, 1], (0, 1, 2): [0, 1, 2, 2], (2, 0): [1, 1, 0, 0]}
    labels, inertias = partitions(X, [np.array(rows) for rows in starts])
    assert labels.tolist() == [expected[tuple(rows)] for rows in starts]
    assert inertias.tolist() == [1 if len(rows) == 2 else 0.5 for rows in starts]


# --- estimators ------------------------------------------------------------------------------------------


def two_groups():
    return make_blobs((10, 10), (0, 5), 0.1)[0]


class Plain:
    """An estimator that has fit_predict and n_clusters and nothing else."""

    def __init__(self):
        self.n_clusters = 8
        self.random_state = None

    def fit_predict(self, X):
        assert self.random_state is not None
        return np.argsort(np.argsort(X[:, 0])) * self.n_clusters // len(X)


ESTIMATORS = {
    "our k-means": None,
    "k-means": KMeans(n_init=3),
    "a tree": AgglomerativeClustering(),
    "a mixture": GaussianMixture(),
    "a pipeline": make_pipeline(StandardScaler(), KMeans(n_init=3)),
    "an object": Plain(),
    "a function": lambda X, k, rng: rng.permutation(k)[np.argsort(np.argsort(X[:, 0])) * k // len(X)],
    "a function that names clusters": lambda X, _k, _rng: np.where(X[:, 0] > 2, "far", "near"),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_whatever_clusters_gives_codes(name):
    cluster = clusterer(ESTIMATORS[name])
    labels = cluster(two_groups(), 2, np.random.default_rng(0))
    assert labels.dtype == np.int64
    assert same_partition(labels, np.repeat([0, 1], 10))


def test_one_cluster_is_not_asked_of_an_estimator():
    def fails(_X, _k, _rng):
        raise AssertionError

    assert clusterer(fails)(two_groups(), 1, np.random.default_rng(0)).tolist() == [0] * 20


def test_an_estimator_is_left_as_it_was():
    given = KMeans(n_clusters=7, n_init=1)
    clusterer(given)(two_groups(), 2, np.random.default_rng(0))
    assert given.n_clusters == 7
    assert given.random_state is None
    assert not hasattr(given, "labels_")


def test_libraries_start_no_threads_on_top_of_ours():
    seen = []

    def spy(X, _k, _rng):
        seen.extend(library["num_threads"] for library in threadpool_info())
        return np.arange(len(X)) % 2

    before = [library["num_threads"] for library in threadpool_info()]
    clusterer(spy).run(lambda _item: clusterer(spy)(two_groups(), 2, np.random.default_rng(0)), 4, 2)
    assert set(seen) == {1}
    assert [library["num_threads"] for library in threadpool_info()] == before


def test_streams_are_named_by_task_and_seed():
    one, other = generators(5), generators(np.random.default_rng(5))
    assert one(1, 2).random() == generators(5)(1, 2).random() != one(2, 1).random()
    assert one(1, 2).random() != one(1, 3).random()
    assert one(1).random() != other(1).random()
    for given in (None, np.random.SeedSequence(3), np.random.RandomState(3)):
        assert 0 <= generators(given)(0).random() < 1
    assert generators(np.random.SeedSequence(3))(0).random() == generators(np.random.SeedSequence(3))(0).random()


BAD_CALLS = {
    "a class": (
        lambda: clusterer(KMeans),
        "estimator must be an object such as KMeans(), not the class KMeans itself.",
    ),
    "no number of clusters": (
        lambda: clusterer(DBSCAN()),
        "DBSCAN has no n_clusters to set; give a function (X, k, rng) -> labels instead.",
    ),
    "no fit_predict": (
        lambda: clusterer(3),
        (
            "estimator must be None, have fit_predict and n_clusters, or be a function (X, k, rng) -> labels; "
            "3 is none of these."
        ),
    ),
    "starts of an estimator": (
        lambda: clusterer(KMeans(), n_init=3),
        "n_init counts the starts of our own k-means; set those of the estimator on the estimator.",
    ),
    "too few labels": (
        lambda: clusterer(lambda _X, _k, _rng: [0, 1])(two_groups(), 2, np.random.default_rng(0)),
        "<lambda> gave 2 labels for 20 points at k = 2; it must give one for each.",
    ),
    "no start": (lambda: clusterer(n_init=0), "n_init must be a whole number from 1; it is 0."),
    "no cluster": (lambda: numbers_of_clusters(0, 10), "k must be a whole number from 1; it is 0."),
    "half a cluster": (lambda: numbers_of_clusters([2, 2.5], 10), "k must be a whole number from 1; it is 2.5."),
    "no number": (lambda: numbers_of_clusters([], 10), "k is empty; give numbers of clusters, such as range(1, 11)."),
    "too many clusters": (
        lambda: numbers_of_clusters([3, 11], 10),
        "k must be at most 10, one cluster for each point; it is 11.",
    ),
    "a seed that is text": (
        lambda: generators("a"),
        "random_state must be None, a whole number from 0, or a NumPy Generator; it is 'a'.",
    ),
    "a negative seed": (
        lambda: generators(-1),
        "random_state must be None, a whole number from 0, or a NumPy Generator; it is -1.",
    ),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_errors_say_what_to_do(case):
    call, message = BAD_CALLS[case]
    with pytest.raises(cv.InputError, match=f"^{re.escape(message)}$"):
        call()


def test_centres_that_move_by_more_than_the_tolerance_together_move_on():
    X = np.array([[0.0], [1], [10], [11]])
    for module in (lloyd, lloyd_numpy):
        for tolerance, rounds in [(0.3, 2), (0.5, 1)]:  # both by 0.5, whose squares add up to 0.5
            centres, labels = np.array([[0.0], [10]]), np.empty(4, dtype=np.int64)
            inertia, done = module.lloyd(X, module.tiled(X), centres, labels, 9, tolerance)
            assert (inertia, done) == (1, rounds)
            assert centres.tolist() == [[0.5], [10.5]]


def test_a_cluster_that_stays_empty_goes_where_the_largest_is():
    X = np.ones((20, 1))
    for module in (lloyd, lloyd_numpy):
        centres, labels = np.array([[1.0], [5]]), np.empty(20, dtype=np.int64)
        assert module.lloyd(X, module.tiled(X), centres, labels, 9, 0.0)[0] == 0
        assert centres.tolist() == [[1], [1]]
        assert not labels.any()
