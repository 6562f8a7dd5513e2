"""House rules: each born of a fault seen in other packages."""

from __future__ import annotations

import ast
import inspect
import re
import unicodedata
from pathlib import Path

import clustval as cv
from clustval import bibliography, catalogue
from clustval.declare import KINDS
from clustval.kernels.work import rounding

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "src" / "clustval").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
COMPARISONS = {"approx", "isclose", "allclose", "array_equal", "assert_allclose"} - {"assert_allclose"}

catalogue.load()
ALL = catalogue.every_index()


def called(node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def test_no_comparison_stands_without_an_assertion():
    lost = [
        f"{path.name}:{node.lineno}"
        for path in TESTS
        if re.search(rf"^\s*(?:\w+\.)*(?:{'|'.join(COMPARISONS)})\(", text := path.read_text(), re.MULTILINE)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and called(node.value) in COMPARISONS
    ]
    assert not lost, f"{', '.join(lost)} compare and assert nothing"


def test_only_figures_load_matplotlib_and_only_kernels_the_compiler():
    for path in SOURCES:
        packages = set(re.findall(r"^\s*(?:import|from) (\w+)", path.read_text(), re.MULTILINE))
        assert "numba" not in packages or "kernels" in path.parts, path
        assert "matplotlib" not in packages or path.parent.name == "plot", path


def test_no_kernel_is_compiled_for_numbas_own_threads():
    assert not [path for path in SOURCES if re.search(r"parallel\s*=\s*True|prange", path.read_text())]


TOLERANCE = re.compile(r"\b[1-9]e-(?:9|1\d)\b|finfo\(.*\)\.eps")


def test_tolerances_for_rounding_stand_in_one_table():
    judging = {"choosing", "diagnosis", "report"}  # their rules are fitted to data, with what keeps them from 0/0
    computing = [path for path in SOURCES if judging.isdisjoint(path.relative_to(ROOT).parts)]
    assert [path.name for path in computing if TOLERANCE.search(path.read_text())] == ["rounding.py"]
    names = {name for name in vars(rounding) if name.isupper()}
    assert names == set(re.findall(r"^[A-Z_]{4,}", rounding.__doc__, flags=re.MULTILINE))


def test_every_reference_is_in_the_bibliography():
    for index in ALL:
        keys = re.findall(bibliography.KEY, index.reference)
        assert keys, index.name
        assert set(keys) <= set(bibliography.works()), index.name


def test_every_entry_of_the_bibliography_is_whole():
    for work in bibliography.works().values():
        surname = unicodedata.normalize("NFD", work.authors[0].partition(",")[0].lower())
        assert "".join(letter for letter in surname if "a" <= letter <= "z").endswith(work.key[:-4]), work.key
        assert work.key.endswith(work.year)
        assert work.title, work.key
        assert not re.search(r"[{}\\]|,\s*,|\.\.", str(work)), work.key


def test_no_entry_of_the_bibliography_is_lost_or_doubled():
    keys = re.findall(r"^@\w+\{(\w+),", bibliography.FILE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(bibliography.works()) == sorted(keys)


def test_every_index_is_described_and_worked_by_hand():
    for index in ALL:
        text = inspect.getdoc(index.formula)
        assert re.match(r"[A-Z].*[.:]\n", text + "\n"), index.name
        assert ">>>" in text, index.name


def test_names_and_aliases_are_unique_words():
    for kind in KINDS.values():
        names = [n for index in kind.indices.values() for n in (index.name, *index.aliases)]
        assert len(names) == len(set(names)) == len(kind.functions)
        assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name in names)


def test_public_names_are_sorted_and_documented():
    assert sorted(cv.__all__) == cv.__all__
    for name in cv.__all__:
        assert inspect.getdoc(getattr(cv, name)), name


def test_every_public_name_is_in_the_reference():
    text = (ROOT / "docs" / "api.md").read_text()
    documented = set(re.findall(r"^\.\. auto\w+:: clustval\.(\w+)", text, re.MULTILINE))
    assert set(cv.__all__) <= documented | set(KINDS)  # which have a page for each index


def test_what_public_functions_return_is_public_too():
    for name in cv.__all__:
        if inspect.isfunction(getattr(cv, name)):
            returned = inspect.signature(getattr(cv, name)).return_annotation
            plain = {"int", "list[dict[str, Any]]", "NDArray[Any]", "Callable[..., float]"}
            assert set(returned.split(" | ")) <= {*cv.__all__, *plain}, name


def test_the_version_is_the_same_wherever_it_is_written():
    assert f'version = "{cv.__version__}"' in (ROOT / "pyproject.toml").read_text()
    assert f"\nversion: {cv.__version__}\n" in (ROOT / "CITATION.cff").read_text()
