"""What every test may use: settings, reference data and points to try things on."""

from __future__ import annotations

import csv
import functools
import io
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

os.environ.setdefault("CLUSTVAL_QUIET", "1")  # what is compiled first depends on the order of tests
USUAL = 100  # examples of a test
settings.register_profile("clustval", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
settings.register_profile("quick", settings.get_profile("clustval"), max_examples=USUAL // 10)
settings.register_profile("long", settings.get_profile("clustval"), max_examples=USUAL * 10, derandomize=False)
settings.register_profile(  # where any failure will do: the first is not made simpler
    "mutants", settings.get_profile("clustval"), max_examples=USUAL // 4, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("clustval")  # unless pytest is told --hypothesis-profile=quick or long


def examples(count: int) -> settings:
    """Let Hypothesis try so many examples, or as few of them as the profile says."""
    return settings(max_examples=max(1, count * settings().max_examples // USUAL))


# --- reference data --------------------------------------------------------------------------------------

GOLDEN = Path(__file__).parent / "golden"
PAIRS = sorted(path.stem for path in (GOLDEN / "external").glob("*.csv"))  # of labellings


@functools.cache
def golden(name: str) -> Any:
    """Return what a file of reference values holds."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


@functools.cache
def golden_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a table of reference data, by the names of its columns."""
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def golden_set(name: str) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Return the points, labels and reference values of a golden data set."""
    table = np.array([list(row.values()) for row in golden_rows(name)], dtype=float)
    return table[:, :-1], table[:, -1].astype(int), golden(f"{name}.golden")


def golden_pair(name: str) -> tuple[list[int], list[int], dict[str, Any]]:
    """Return two labellings and their reference values."""
    rows = golden_rows(f"external/{name}")
    return [int(r["p1"]) for r in rows], [int(r["p2"]) for r in rows], golden(f"external/{name}.golden")


def iris_components(clustering: str = "good") -> tuple[np.ndarray, np.ndarray]:
    """Return the first two principal components of Iris, and the good or bad clusters of Zaki and Meira."""
    rows = golden_rows("iris_uci_pc2")
    X = np.array([[row["pc1"], row["pc2"]] for row in rows], dtype=float)
    return X, np.array([row[clustering] for row in rows], dtype=int)


IRIS_SPECIES = [row["species"] for row in golden_rows("iris_uci_pc2")]


# --- limits ----------------------------------------------------------------------------------------------

# Where rows are cut into blocks, samples begin and work is refused: so that few points do what many do.
LIMITS = {
    "rows_per_block": [(f"readers.{name}", "rows_per_block") for name in ("pieces", "array_rows", "frame_files")],
    "rows_per_piece": [("readers.array_rows", "rows_per_piece")],
    "rows_per_file_piece": [("readers.file_rows", "LEAST")],
    "numbers_per_block": [("readers.pieces", "CELLS")],
    "rows_per_stripe": [("sources.stream_tiles", "STRIPE")],
    "room": [("sources.stream", "ROOM")],
    "most_clusters": [("sources.first_pass", "MOST_CLUSTERS")],
    "most_combinations": [("compare.label_streams", "MOST_CELLS")],
    "most_ends": [("stats.pairs.cluster_diameters", "MOST")],
    "read_at_once": [(f"readers.{name}", "AT_ONCE") for name in ("array_files", "cell_rows", "file_rows", "open_rows")],
    "numbers_in_one_call": [
        (place, "AT_ONCE") for place in ("stats.points.moments", "sources.read_once", "passes.points.own_centres")
    ],
    "copies": [("readers.pieces", "COPIES")],
    "least_memory": [("inputs", "LEAST_MEMORY")],
    "fewest_dropped": [("stats.centres.centre_spread", "FEWEST_DROPPED")],
    "factored_at_once": [("stats.points.scatter", "FEW")],
    "exact_pairs": [("sources.pair_limits", "EXACT_PAIRS")],
    "few_points": [("sources.pair_limits", "FEW")],
    "longest": [(f"sources.{name}", "LONGEST") for name in ("pair_limits", "memberships", "membership_pair")],
    "most_kinds": [("ensembles.co_clusters", "MOST_KINDS")],
    "shuffled_points": [("ensembles.references", "SHUFFLED")],
    "pairs_per_second": [("passes.work.pair_time", "PAIRS_PER_SECOND")],
    "exact_points": [("estimates.estimate", "EXACT_POINTS")],
    "least_pairs": [("estimates.estimate", "LEAST")],
    "pilot_points": [("estimates.estimate", "PILOT")],
    "most_sampled": [("estimates.sampled_silhouettes", "MOST")],
    "pairs_at_once": [("tendency.vat", "PAIRS_AT_ONCE")],
    "calibrated_points": [("relative.calibration", "POINTS")],
    "reported_points": [("report.report_tables", "FEW_POINTS")],
    "reported_columns": [("report.point_sections", "MANY_COLUMNS")],
    "seconds_between_reports": [("progress", "EVERY")],
}


@pytest.fixture
def set_limits(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that sets some of these limits until the test ends, as in ``set_limits(exact_points=100)``."""

    def set_some(**limits: Any) -> None:
        for name, limit in limits.items():
            for module, constant in LIMITS[name]:
                place = import_module(f"clustval.{module}")
                is_function = callable(getattr(place, constant))
                monkeypatch.setattr(place, constant, (lambda _, limit=limit: limit) if is_function else limit)

    return set_some


@contextmanager
def thresholds_at(**limits: Any) -> Iterator[None]:
    """Let compiled code and trees begin elsewhere for a while, as in ``with thresholds_at(PAIRS=0):``."""
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in limits.items():
            patch.setattr(f"clustval.passes.work.thresholds.{name}", limit)
        yield


@pytest.fixture
def set_thresholds() -> Iterator[Callable[..., None]]:
    """Give a function that does so until the test ends, as in ``set_thresholds(PAIRS=0)``."""
    with ExitStack() as until_the_end:
        yield lambda **limits: until_the_end.enter_context(thresholds_at(**limits))


@pytest.fixture
def standard_input(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Return a function that gives the program bytes to read from standard input."""
    return lambda content: monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


# --- the program -----------------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """How a run of the program ended, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def program(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    standard_input: Callable[[bytes], None],
) -> Callable[..., Outcome]:
    """The program, run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str, text: str | bytes | None = None) -> Outcome:
        if text is not None:
            content = text.encode() if isinstance(text, str) else text
            standard_input(content)
        code = import_module("clustval.cli").run(arguments)
        return Outcome(code, *capsys.readouterr())

    return run


def write(name: str, text: str) -> str:
    """Write a file into the folder of the program, and return its name."""
    Path(name).write_text(text, encoding="utf-8")
    return name


# --- points ----------------------------------------------------------------------------------------------


def make_blobs(
    sizes: Sequence[int], centres: Sequence[Any], widths: float | Sequence[float] = 1.0, *, p: int = 2, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Return normal clusters, one after the other, and their labels; a centre is a point, or a number for all axes."""
    rng = np.random.default_rng(seed)
    spreads = np.broadcast_to(widths, len(sizes))
    X = [rng.normal(c, w, (n, p)) for n, c, w in zip(sizes, centres, spreads, strict=True)]
    return np.concatenate(X), np.repeat(np.arange(len(sizes)), sizes)


@pytest.fixture(scope="session")
def blobs() -> tuple[np.ndarray, np.ndarray]:
    """Three clusters of unequal size and width in three dimensions."""
    return make_blobs((30, 18, 7), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)


@pytest.fixture(scope="session")
def large_blobs() -> tuple[np.ndarray, np.ndarray]:
    """Enough points for compiled code: four clusters in three dimensions, one point alone."""
    X, labels = make_blobs((700, 400, 150, 1), (0, 5, 10, 15), (1, 1.25, 1.5, 1.75), p=3, seed=7)
    order = np.random.default_rng(7).permutation(len(X))
    return X[order], labels[order]


@pytest.fixture(scope="session")
def large_scores(large_blobs):
    """Every internal index of the large blobs, computed together."""
    import clustval as cv

    return cv.evaluate(*large_blobs, "all", n_jobs=2)
