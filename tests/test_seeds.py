"""The seed of what is drawn: `random_state` as in scikit-learn or `rng` as in NumPy and SciPy, and never both."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import clustval as cv
from conftest import make_blobs

X, LABELS = make_blobs((12, 10, 8), (0, 6, 12), seed=3)
SCIKIT = {"ClusterSelector"}  # its parameters are attributes, which scikit-learn reads and sets by name


def public_calls() -> dict[str, object]:
    """Return all that users call: functions, classes, methods of results, and functions of public modules."""
    modules = {name: getattr(cv, name) for name in dir(cv) if inspect.ismodule(getattr(cv, name))}
    calls = {name: getattr(cv, name) for name in dir(cv) if name not in modules}
    calls |= {f"{module}.{name}": getattr(modules[module], name) for module in modules for name in dir(modules[module])}
    calls |= {
        f"{name}.{method}": function
        for name, kind in list(calls.items())
        if inspect.isclass(kind)
        for method, function in inspect.getmembers(kind, inspect.isfunction)
        if not method.startswith("_") and function.__module__.startswith("clustval.")
    }
    own = {name: call for name, call in calls.items() if callable(call) and name not in SCIKIT}
    return {name: call for name, call in own.items() if "random_state" in parameters_of(call)}


def parameters_of(call: object) -> list[str]:
    try:
        return list(inspect.signature(call).parameters)
    except ValueError:  # what is built in has no signature
        return []


SEEDED = public_calls()


def test_every_function_that_draws_is_looked_at():
    assert len(SEEDED) >= 25, sorted(SEEDED)
    assert {"evaluate", "choose", "Evaluator", "agreement", "Prayatul.bootstrap", "graph.community_test"} <= set(SEEDED)


@pytest.mark.parametrize("name", sorted(SEEDED))
def test_rng_stands_beside_random_state(name):
    names = parameters_of(SEEDED[name])
    assert names[names.index("random_state") + 1] == "rng"


@pytest.mark.parametrize("name", sorted(SEEDED))
def test_two_seeds_are_refused_before_anything_is_looked_at(name):
    with pytest.raises(cv.InputError, match=r"^rng and random_state mean the same; give one of them\.$"):
        SEEDED[name](rng=1, random_state=1)


def test_a_seed_draws_the_same_under_both_names():
    by_name = [cv.stability(X, [2, 3], n_samples=4, **{name: 5}) for name in ("random_state", "rng")]
    assert by_name[0] == by_name[1]
    assert by_name[0] != cv.stability(X, [2, 3], n_samples=4, rng=6)


def test_a_generator_is_a_seed_and_none_is_as_if_it_were_not_there():
    first, second = (cv.hopkins(X, rng=np.random.default_rng(5)) for _ in range(2))
    assert first == second == cv.hopkins(X, random_state=np.random.default_rng(5), rng=None)
    assert cv.evaluate(X, LABELS, ["dunn"], rng=None) == cv.evaluate(X, LABELS, ["dunn"])
