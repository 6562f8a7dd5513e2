"""What clusters the data: our own k-means, an object with ``fit_predict`` and ``n_clusters``, or a function.

Whatever is given becomes a function of points, a number of clusters and a generator of random numbers.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import importlib.util
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.errors import InputError
from clustval.inputs import at_least
from clustval.labels import encode
from clustval.passes.work import threads

Function = Callable[[Floats, int, np.random.Generator], Any]
OfPoints = Callable[[int, np.random.Generator], Any]
LARGEST_SEED = 2**31 - 1  # what legacy generators take
# Optima of small sets are hard to hit and runs on them quick; on large ones it is the other way round.
FEWEST_STARTS, MOST_STARTS, STARTED_NUMBERS = 10, 100, 200_000


@dataclass(frozen=True)
class Clusterer:
    """A way to cluster points into k clusters, and its name."""

    name: str
    function: Function
    built_in: bool = False
    ready: Callable[[Floats, Sequence[int]], OfPoints] | None = None  # makes points ready once, if that saves work
    noise: str = "cluster"  # what points called noise become: "drop" for -1

    @property
    def without_noise(self) -> Clusterer:
        """The same way, by which points called noise are in no cluster: -1."""
        return replace(self, noise="drop")

    def of(self, X: Floats, numbers: Sequence[int]) -> OfPoints:
        """Return the function that clusters these points into any of these numbers of clusters."""
        return self.ready(X, numbers) if self.ready else partial(self.function, X)

    def __call__(self, X: Floats, k: int, rng: np.random.Generator) -> Integers:
        """Return a code 0, 1, ... for each point; points called noise form a cluster, or have -1."""
        if k == 1:
            return np.zeros(len(X), dtype=np.int64)
        labels: Integers = self.function(X, k, rng)
        if self.built_in:
            return labels
        codes = inputs.as_labels(labels, f"the result of {self.name}", noise=self.noise).codes
        labelling: Integers = as_labelling(codes, len(X), self.name, k)
        return labelling

    def run(
        self, work: Callable[[int], object], count: int, n_jobs: int, done: Callable[[int], object] | None = None
    ) -> None:
        """Call ``work(i)``, which clusters, for every i below `count`, on up to `n_jobs` threads."""
        (threads.run if self.built_in else run_alone)(work, count, n_jobs, done)


def run_alone(
    work: Callable[[int], object], count: int, n_jobs: int, done: Callable[[int], object] | None = None
) -> None:
    """Call ``work(i)`` for every i below `count`, on up to `n_jobs` threads, with none of other libraries on top.

    Those of BLAS are kept from starting for the whole process, those of OpenMP in each of our threads, since that is
    how each of them counts.
    """
    if n_jobs == 1:
        threads.run(work, count, n_jobs, done)
        return

    limit = thread_limits()

    def alone(item: int) -> None:
        with limit("openmp"):
            work(item)

    with limit("blas"):
        threads.run(alone, count, n_jobs, done)


def as_labelling(labels: Any, n: int, name: str, k: int | None = None) -> Any:
    """Return labels if there is one for each of n points, or raise an error that says who gave them."""
    try:
        count = len(labels)
    except TypeError:  # None and numbers have no length, and `encode` says so
        count = len(encode(labels, f"the result of {name}")[0])
    if count != n:
        where = "" if k is None else f" at k = {k}"
        msg = f"{name} gave {count} labels for {n} points{where}; it must give one for each."
        raise InputError(msg)
    return labels


def thread_limits() -> Callable[[str], contextlib.AbstractContextManager[Any]]:
    """Return a function whose result, while it is entered, allows one thread to an interface: "blas" or "openmp"."""
    if importlib.util.find_spec("threadpoolctl") is None:  # it comes with scikit-learn
        return lambda _interface: contextlib.nullcontext()
    controller = importlib.import_module("threadpoolctl").ThreadpoolController()
    return lambda interface: controller.limit(limits=1, user_api=interface)


def clusterer(estimator: Any = None, *, n_init: int | None = None, counted: bool = True) -> Clusterer:
    """Return the function that clusters, or raise an error that says what `estimator` may be.

    Parameters
    ----------
    estimator
        None for our own k-means; an object with ``fit_predict`` and ``n_clusters`` (or ``n_components``), such as
        those of scikit-learn, which is copied before it is used and seeded where its ``random_state`` is None; or a
        function ``(X, k, rng) -> labels``. The last two are called from several threads unless n_jobs is 1.
    n_init
        Starts of our own k-means, of which the best result counts: 100 for up to 2,000 numbers in X, then fewer, 10
        from 20,000 on.
    counted
        Whether an estimator is told the number of clusters; if not, it goes by its own parameters.

    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> labels = clusterer()(X, 2, np.random.default_rng(0))
    >>> bool(labels[0] == labels[1] != labels[2] == labels[3])
    True
    """
    if isinstance(estimator, str):
        _check_kmeans(estimator)
        estimator = None
    if estimator is None:
        from clustval.passes.kmeans.lloyd import ready  # noqa: PLC0415 - loads the compiler

        count = None if n_init is None else at_least(n_init, 1, "n_init")

        def kmeans_of(X: Floats, numbers: Sequence[int]) -> OfPoints:
            starts = count or min(MOST_STARTS, max(FEWEST_STARTS, STARTED_NUMBERS // X.size))
            best = ready(X, starts * sum(numbers))
            return lambda k, rng: best(k, rng, starts).labels

        return Clusterer("k-means", lambda X, k, rng: kmeans_of(X, [k])(k, rng), built_in=True, ready=kmeans_of)
    if n_init is not None:
        msg = "n_init counts the starts of our own k-means; set those of the estimator on the estimator."
        raise InputError(msg)
    if isinstance(estimator, type):
        msg = f"estimator must be an object such as {estimator.__name__}(), not the class {estimator.__name__} itself."
        raise InputError(msg)
    name = type(estimator).__name__
    if hasattr(estimator, "fit_predict"):
        parameter = number_parameter(estimator) if counted else None
        if parameter is None and counted:
            msg = f"{name} has no n_clusters to set; give a function (X, k, rng) -> labels instead."
            raise InputError(msg)
        return Clusterer(name, lambda X, k, rng: _fitted(estimator, parameter, X, k, rng))
    if callable(estimator):
        return Clusterer(getattr(estimator, "__name__", name), estimator)
    msg = (
        f"estimator must be None, have fit_predict and n_clusters, or be a function (X, k, rng) -> labels; "
        f"{estimator!r} is none of these."
    )
    raise InputError(msg)


def _check_kmeans(name: str) -> None:
    """Raise an error if a name is not that of our own k-means, the only algorithm that goes by its name here."""
    if name.lower().replace("-", "").replace("_", "") != "kmeans":
        msg = (
            f"No estimator is called {name!r}; 'k-means' is. Trees are cut by linkage={name!r} in clustval.sweep if it "
            "is one of SciPy's; others are objects, such as those of scikit-learn."
        )
        raise InputError(msg)


def check_takes_distances(estimator: Any, metric: Any) -> None:
    """Raise an error where an estimator would take a table of distances for coordinates."""
    if not hasattr(estimator, "fit_predict"):
        if estimator is None or isinstance(estimator, str):
            msg = f"k-means needs coordinates; with metric={metric!r} give an estimator of distances."
            raise InputError(msg)
        return
    parameters = parameters_of(estimator)
    taken = [parameters[name] for name in ("metric", "affinity") if name in parameters]
    may_take = not taken and not type(estimator).__module__.startswith("sklearn")  # whose take them by these alone
    if "precomputed" not in taken and not may_take:
        name, how = type(estimator).__name__, "; metric='precomputed' makes it take distances" if taken else ""
        msg = f"{name} clusters coordinates, and metric={metric!r} gives distances{how}."
        raise InputError(msg)


def parameters_of(estimator: Any) -> dict[str, Any]:
    """Return the parameters of an estimator, those of the steps of a pipeline included, by name."""
    if hasattr(estimator, "get_params"):
        return dict(estimator.get_params())
    return vars(estimator) if hasattr(estimator, "__dict__") else {}


def number_parameter(estimator: Any) -> str | None:
    """Return the parameter that is the number of clusters, of the estimator or of one step of a pipeline, if any is."""
    parameters = parameters_of(estimator)
    for name in ("n_clusters", "n_components"):
        if name in parameters:
            return name
        nested = [key for key in parameters if key.endswith(f"__{name}")]
        if len(nested) == 1:
            return nested[0]
    return None


def _fitted(estimator: Any, parameter: str | None, X: Floats, k: int, rng: np.random.Generator) -> Any:
    fresh = copy.deepcopy(estimator)
    values: dict[str, Any] = {} if parameter is None else {parameter: k}
    for key, value in parameters_of(estimator).items():
        if value is None and (key == "random_state" or key.endswith("__random_state")):
            values[key] = int(rng.integers(LARGEST_SEED))
    if hasattr(fresh, "set_params"):
        fresh.set_params(**values)
    else:
        vars(fresh).update(values)
    return fresh.fit_predict(X)


def numbers_of_clusters(k: int | Iterable[int], n: int, *, fewest: int = 1) -> list[int]:
    """Return the numbers of clusters, ascending, each once; at most one for each of n points.

    >>> numbers_of_clusters(range(4, 1, -1), 10)
    [2, 3, 4]
    """
    if isinstance(k, str):
        msg = f"k must be whole numbers, such as range({fewest}, 11) or [2, 4, 8]; it is the text {k!r}."
        raise InputError(msg)
    numbers = list(k) if isinstance(k, Iterable) else [k]
    if not numbers:
        msg = f"k is empty; give numbers of clusters, such as range({fewest}, 11)."
        raise InputError(msg)
    for number in numbers:
        if at_least(number, fewest, "k") > n:
            msg = f"k must be at most {n}, one cluster for each point; it is {number}."
            raise InputError(msg)
    return sorted({int(number) for number in numbers})


def numbers_for_points(k: int | Iterable[int], points: Floats, *, fewest: int = 1) -> list[int]:
    """Return the numbers of clusters like `numbers_of_clusters`; at most one for each place where points lie.

    Clusters beyond that are empty, or cut between equal points, and nothing that is said of them is true.
    """
    numbers = numbers_of_clusters(k, len(points), fewest=fewest)
    places: set[bytes] = set()
    for point in points:
        places.add((point + 0.0).tobytes())  # -0.0 is 0.0
        if len(places) >= numbers[-1]:
            return numbers
    msg = f"k must be at most {len(places)}, the number of different points; it is {numbers[-1]}."
    raise InputError(msg)
