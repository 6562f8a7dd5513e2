"""The order of layers: a file imports from its own layer or from those below it, inside functions too."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "clustval"

# Top layer first. A name is a file or a folder beside `__init__.py`; kinds of indices have a face of their own.
LAYERS = (
    ("cli", "__main__"),
    ("",),
    ("pages",),
    ("report", "plot"),
    ("compilation",),
    ("ensembles",),
    ("study", "choosing", "diagnosis"),
    ("relative", "tendency", "compare", "tracking"),
    ("evaluation", "evaluator", "explanation"),
    ("estimates",),
    ("results",),
    ("catalogue",),
    ("suites",),
    ("formulas",),
    ("stats",),
    ("sources",),
    ("readers",),
    ("inputs", "labels", "categories", "mixed_table", "files", "data", "homes"),
    ("text_files",),
    ("file_faults",),
    ("passes",),
    ("kernels",),
    (
        "result",
        "annotation",
        "tables",
        "alarms",
        "whole_files",
        "whole_numbers",
        "number_words",
        "declare",
        "options",
        "rules",
        "bibliography",
        "terms",
        "seeding",
        "progress",
        "layered",
        "outlines",
        "discs",
        "drawn",
        "choices",
    ),
    ("errors", "arrays", "lazy", "version"),
)
LEVELS = {name: level for level, names in enumerate(reversed(LAYERS)) for name in names}
FACE = LEVELS[""]  # the package itself, and the face of each kind

# Conveniences of results: what draws or writes them is loaded when it is asked for.
CONVENIENCES = {
    ("compare.side_by_side", "plot"),
    ("compare.side_by_side", "pages"),
    ("compare.side_by_side", "report"),
    ("drawn", "plot"),
    ("data", "plot"),
    ("tendency.divergence", "plot"),
    ("compare.prayatul_table", "plot"),
    ("results", "plot"),
    ("results", "pages"),
    ("results", "report"),
    ("relative.gap", "report"),
    ("relative.stability", "report"),
    ("relative.sweep_result", "pages"),
    ("relative.sweep_result", "report"),
    ("relative.sweep_result", "plot"),
    ("relative.seeded_sweep", "plot"),
    ("choosing.choice", "pages"),
    ("ensembles.consensus", "plot"),
    ("choosing.choice", "report"),
    ("choosing.choice", "plot"),
    ("diagnosis.diagnosis", "report"),
    ("diagnosis.diagnosis", "plot"),
    ("tracking.track", "report"),
    ("tracking.track", "plot"),
    ("study.comparison", "report"),
    ("study.comparison", "plot"),
    ("study.recommend", "report"),
}


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__").replace("__init__", "")


@cache
def graph() -> dict[str, set[str]]:
    """Return what each module imports of the package, wherever the import stands; types alone do not count."""
    modules = {module_of(path): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}
    edges: dict[str, set[str]] = {}
    for module, tree in modules.items():
        skipped = {id(inner) for node in ast.walk(tree) if _for_types(node) for inner in ast.walk(node)}
        imports = set()
        for node in ast.walk(tree):
            if id(node) in skipped:
                continue
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "clustval":
                base = node.module.partition(".")[2]
                for alias in node.names:
                    inner = f"{base}.{alias.name}".lstrip(".")
                    imports.add(inner if inner in modules else base)
            elif isinstance(node, ast.Import):
                imports |= {a.name.partition(".")[2] for a in node.names if a.name.split(".")[0] == "clustval"}
        edges[module] = imports - {module}
    return edges


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


def level(module: str) -> int:
    return LEVELS.get(module.partition(".")[0], FACE)


def is_convenience(module: str, other: str) -> bool:
    return (module, other.partition(".")[0]) in CONVENIENCES


def test_no_file_imports_from_a_layer_above_it():
    upward = [
        f"{module} imports {other}"
        for module, others in graph().items()
        for other in sorted(others)
        if level(other) > level(module) and not is_convenience(module, other)
    ]
    assert not upward


def test_no_two_files_import_each_other_even_by_detours():
    edges = {module: {o for o in others if not is_convenience(module, o)} for module, others in graph().items()}
    done: set[str] = set()
    while len(done) < len(edges):
        free = {module for module, others in edges.items() if module not in done and others & edges.keys() <= done}
        assert free, f"a circle among {sorted(edges.keys() - done)}"
        done |= free


def test_every_convenience_is_still_one():
    taken = {(module, other.partition(".")[0]) for module, others in graph().items() for other in others}
    assert taken >= CONVENIENCES


SHOWING = ("report", "plot")
COMPUTING = (
    "choosing", "diagnosis", "study", "relative", "tendency", "compare", "tracking", "evaluation", "evaluator",
    "estimates", "passes", "kernels",
)  # fmt: skip


@pytest.mark.parametrize("folder", SHOWING)
def test_what_shows_results_is_given_them_and_computes_none(folder):
    for module, others in graph().items():
        if module.partition(".")[0] == folder:
            computing = {other for other in others if other.partition(".")[0] in COMPUTING}
            functions = {name for other in computing for name in imported(module, other) if name[0].islower()}
            assert not functions, f"{module} imports {functions}: pages.py computes what a page shows beside its result"


def imported(module: str, other: str) -> set[str]:
    """Return the names that a module imports from another; the other itself where it is imported whole."""
    file = ROOT / f"{module.replace('.', '/')}.py"
    tree = ast.parse((file if file.exists() else ROOT / module.replace(".", "/") / "__init__.py").read_text())
    whole, names = f"clustval.{other}", set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == whole:
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == whole.rpartition(".")[0]:
            names |= {alias.name for alias in node.names if f"{node.module}.{alias.name}" == whole}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names if alias.name == whole}
    return names


def test_a_page_of_an_evaluation_is_laid_out_without_loading_what_chooses():
    program = (
        "import sys, clustval as cv\n"
        "scores = cv.evaluate([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])\n"
        "scores.to_html(look=False)\n"
        "print([name for name in sys.modules if name.startswith('clustval.choosing.')])\n"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


FLOORS = ("kernels", "passes", "stats")
MOST_FILES = 12


def homes() -> dict[str, list[tuple[str, ...]]]:
    """Return the folders in which each file name stands."""
    places: dict[str, list[tuple[str, ...]]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        if not path.name.startswith("__"):
            places.setdefault(path.stem, []).append(path.relative_to(ROOT).parts[:-1])
    return places


def test_one_name_on_two_floors_means_one_thing():
    for name, folders in homes().items():
        floors = [folder for folder in folders if folder[:1] and folder[0] in FLOORS]
        topics = {folder[1:] for folder in floors}
        assert len(topics) <= 1, f"{name} stands under several topics: {topics}"
        assert len(floors) == len({folder[0] for folder in floors}), f"{name} stands twice on one floor"
        elsewhere = [folder for folder in folders if folder not in floors]
        assert len(elsewhere) <= 1, f"{name} means several files: {elsewhere}"
        assert not (floors and elsewhere) or elsewhere[0][:1] == ("formulas",), f"{name} means a pass and {elsewhere}"


def test_no_topic_has_more_files_than_one_looks_over_at_a_glance():
    for floor in FLOORS:
        for topic in (folder for folder in (ROOT / floor).iterdir() if folder.is_dir()):
            files = [path for path in topic.glob("*.py") if path.name != "__init__.py"]
            assert len(files) <= MOST_FILES, topic


def test_the_door_of_passes_names_every_topic():
    door = ast.get_docstring(ast.parse((ROOT / "passes" / "__init__.py").read_text()))
    topics = {folder.name for floor in FLOORS for folder in (ROOT / floor).iterdir() if folder.is_dir()}
    assert {topic for topic in topics - {"__pycache__"} if f"``{topic}``" not in door} == set()


@pytest.mark.parametrize("floor", FLOORS)
def test_topics_of_a_floor_form_an_order(floor):
    edges: dict[str, set[str]] = {}
    for module, others in graph().items():
        topic = module.split(".")[1:-1]
        if module.startswith(f"{floor}.") and topic:
            below = {other.split(".")[1] for other in others if other.startswith(f"{floor}.") and other.count(".") == 2}
            edges.setdefault(topic[0], set()).update(below - {topic[0]})
    done: set[str] = set()
    while len(done) < len(edges):
        free = {topic for topic, others in edges.items() if topic not in done and others <= done}
        assert free, f"a circle among the topics {sorted(edges.keys() - done)} of {floor}"
        done |= free


def test_only_kernels_are_compiled_and_kernels_know_nothing_else():
    for module, others in graph().items():
        text = (ROOT / f"{module.replace('.', '/')}.py") if module else ROOT / "__init__.py"
        if module.startswith("kernels."):
            assert all(other.startswith("kernels") for other in others), module
        elif text.exists():
            assert "import numba" not in text.read_text(), module
