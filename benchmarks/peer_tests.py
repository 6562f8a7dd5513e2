"""scikit-learn's own tests of its indices, run against ours: ``python -m benchmarks.peer_tests``.

The tests are those of the installed scikit-learn; only the functions that they call are replaced. Each test that fails
must be listed below with the rule behind it, which docs/parity.md explains; any other is a fault.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import clustval as cv

MODULES = ("sklearn.metrics.cluster.tests.test_unsupervised", "sklearn.metrics.cluster.tests.test_supervised")

# Tests that ours do not pass, and why. Names are those of functions; parameters do not matter.
WORDS = "the error is the same, its words are not"
DIFFERENT = {
    "test_correct_labelsize": "as many clusters as points have a silhouette: 0, that of a single point",
    "test_silhouette_nonzero_diag": "the tolerance of a diagonal is 1e-10 of the largest distance, for all types",
    "test_calinski_harabasz_score": WORDS,
    "test_davies_bouldin_score": WORDS,
    "test_silhouette_score_integer_precomputed": WORDS,
    "test_adjusted_mutual_info_score": "mutual_info takes labels, not a contingency table",
    "test_fowlkes_mallows_score": "no pair in one cluster on either side is 0/0: no value in place of 0",
}


def _labels(function: Callable[..., float], **named: Any) -> Callable[..., float]:
    def of_labels(labels_true: Any, labels_pred: Any, **options: Any) -> float:
        return function(labels_true, labels_pred, **named, **options)

    return of_labels


def _nmi(function: Callable[..., float]) -> Callable[..., float]:
    def of_labels(labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic") -> float:
        return function(labels_true, labels_pred, average=average_method)

    return of_labels


def _silhouette(X: Any, labels: Any, *, metric: Any = "euclidean", sample_size: int | None = None,
                random_state: Any = None, **_metric_parameters: Any) -> float:  # fmt: skip
    if sample_size is not None:
        from sklearn.utils import check_random_state  # noqa: PLC0415

        chosen = check_random_state(random_state).permutation(len(labels))[:sample_size]
        X, labels = (X[chosen].T[chosen].T if metric == "precomputed" else X[chosen]), np.asarray(labels)[chosen]
    return cv.internal.silhouette(X, labels, metric=metric, noise="cluster")


def _silhouettes(X: Any, labels: Any, *, metric: Any = "euclidean", **_metric_parameters: Any) -> Any:
    return cv.evaluate(X, labels, ["silhouette"], metric=metric, noise="cluster").per_point("silhouette")


def _of_points(name: str) -> Callable[..., float]:
    function = getattr(cv.internal, name)

    def of_points(X: Any, labels: Any) -> float:
        return function(X, labels, noise="cluster")  # type: ignore[no-any-return]

    return of_points


OURS: dict[str, Callable[..., Any]] = {
    "silhouette_score": _silhouette,
    "silhouette_samples": _silhouettes,
    "calinski_harabasz_score": _of_points("calinski_harabasz"),
    "davies_bouldin_score": _of_points("davies_bouldin"),
    "adjusted_rand_score": _labels(cv.external.adjusted_rand),
    "rand_score": _labels(cv.external.rand),
    "fowlkes_mallows_score": _labels(cv.external.fowlkes_mallows),
    "mutual_info_score": _labels(cv.external.mutual_information),
    "adjusted_mutual_info_score": _nmi(cv.external.adjusted_mutual_information),
    "normalized_mutual_info_score": _nmi(cv.external.normalized_mutual_information),
    "homogeneity_score": _labels(cv.external.homogeneity),
    "completeness_score": _labels(cv.external.completeness),
    "v_measure_score": _labels(cv.external.v_measure),
}


class Replace:
    """Puts our functions in place of theirs, and keeps what each test gave."""

    def __init__(self) -> None:
        self.results: dict[str, str] = {}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Replace the functions in every module of tests."""
        for item in items:
            module = getattr(item, "module", None)
            for name, function in OURS.items():
                if hasattr(module, name):
                    setattr(module, name, function)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the result of the test itself."""
        if report.when == "call" or (report.when == "setup" and report.outcome != "passed"):
            name = report.nodeid.rpartition("::")[2]
            line = str(report.longrepr).strip().splitlines()[-1] if report.failed else ""
            self.results[name] = f"{report.outcome} {line}".strip()


def main() -> int:
    """Run the tests and say which ours do not pass."""
    replace = Replace()
    pytest.main(
        [
            "-q",
            "--no-header",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-c",
            os.devnull,
            "--pyargs",
            *MODULES,
        ],
        plugins=[replace],
    )
    failed = {name: line for name, line in replace.results.items() if line.startswith("failed")}
    new = {name: line for name, line in failed.items() if name.partition("[")[0] not in DIFFERENT}
    passed = sum(line.startswith("passed") for line in replace.results.values())
    print(f"\n{passed} tests of scikit-learn pass, {len(failed) - len(new)} differ by a rule, {len(new)} by none.")
    for name, line in failed.items():
        print(f"  {name}: {DIFFERENT.get(name.partition('[')[0], line)}")
    return min(len(new), 1)


if __name__ == "__main__":
    sys.exit(main())
