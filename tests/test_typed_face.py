"""What an editor, a type checker and `help` see of the package: every name, with its true signature."""

from __future__ import annotations

import ast
import inspect
import json
import pydoc
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typed_program

import clustval as cv
from clustval import catalogue, inputs
from clustval.choosing.judges import judge_of
from clustval.suites import OWN, SUITES

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "clustval"
KINDS = [kind.name for kind in catalogue.kinds()]
NAMES = [(kind, name) for kind in KINDS for name in dir(getattr(cv, kind))]
EMPTY = inspect.Parameter.empty


def face(kind: str):
    return getattr(cv, kind)


# --- at run time -----------------------------------------------------------------------------------------


def test_every_kind_of_index_has_a_module_of_its_name():
    assert set(KINDS) <= set(dir(cv))
    assert all(inspect.ismodule(face(kind)) for kind in KINDS)


@pytest.mark.parametrize("kind", catalogue.kinds(), ids=lambda kind: kind.name)
def test_tab_completion_shows_every_index_and_alias(kind):
    assert {*kind.functions, "evaluate"} <= set(dir(face(kind.name)))
    assert dir(face(kind.name)) == sorted(dir(face(kind.name))) == face(kind.name).__all__
    assert all(index.name in dir(face(kind.name)) for index in kind.indices.values())


def test_tab_completion_shows_every_public_name_and_the_version():
    assert set(dir(cv)) == {*cv.__all__, "__version__"}


def test_no_file_hides_a_public_name():
    """Importing clustval/x.py makes `clustval.x` the module, whatever else the name was to mean."""
    files = {path.stem for path in PACKAGE.iterdir()}
    assert {name for name in cv.__all__ if not inspect.ismodule(getattr(cv, name))}.isdisjoint(files)


@pytest.mark.parametrize("kind", catalogue.kinds(), ids=lambda kind: kind.name)
def test_names_of_indices_are_found_in_any_case(kind):
    for name, function in kind.functions.items():
        assert getattr(face(kind.name), name.upper()) is function, name


@pytest.mark.parametrize("kind", KINDS)
def test_help_on_a_kind_describes_every_index(kind):
    page = pydoc.plain(pydoc.render_doc(face(kind)))
    for name in dir(face(kind)):
        assert re.search(rf"^    {name}(\(| = )", page, re.MULTILINE), name


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("evalute", "module 'clustval' has no attribute 'evalute'. Did you mean 'evaluate'?"),
        ("internal.dun", "No internal index is called 'dun'. Did you mean 'dunn'?"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest_once(path, message):
    """Python prints a hint of its own behind the error, unless it is raised with care."""
    command = [sys.executable, "-c", f"import clustval; clustval.{path}"]
    end = subprocess.run(command, capture_output=True, text=True, check=False)
    assert end.stderr.splitlines()[-1] == f"AttributeError: {message}"


def test_an_unknown_name_near_to_none_is_answered_with_where_to_look():
    where = "dir(clustval) lists its functions, and clustval.indices() all indices."
    with pytest.raises(AttributeError) as error:
        cv.qqqq  # noqa: B018
    assert str(error.value) == f"module 'clustval' has no attribute 'qqqq'. {where}"
    with pytest.raises(AttributeError) as error:
        cv.external.xyz  # noqa: B018
    assert str(error.value) == "No external index is called 'xyz'. dir(clustval.external) lists them."


def test_a_name_in_the_wrong_case_is_recognized():
    with pytest.raises(AttributeError, match=r"Did you mean 'Scores'\?$"):
        cv.scores  # noqa: B018
    with pytest.raises(AttributeError, match=r"Did you mean 'dunn'\?$"):
        cv.internal.DUN  # noqa: B018


# --- in stubs --------------------------------------------------------------------------------------------


def test_stubs_are_what_the_command_writes():
    stubs = runpy.run_path(str(ROOT / "tools" / "write_stubs.py"))["stubs"]()
    assert set(stubs) == set(PACKAGE.rglob("*.pyi")), "run make stubs; remove the stub of a kind that is no more"
    for path, text in stubs.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: run make stubs"


@pytest.fixture(scope="module")
def definitions() -> dict[tuple[str, str], ast.FunctionDef]:
    """Every function in the stubs of the kinds."""
    trees = {kind: ast.parse((PACKAGE / f"{kind}.pyi").read_text(encoding="utf-8")) for kind in KINDS}
    return {
        (k, node.name): node for k, tree in trees.items() for node in tree.body if isinstance(node, ast.FunctionDef)
    }


def test_stubs_define_every_index_and_alias_and_nothing_else(definitions):
    assert set(definitions) == set(NAMES)


def parameters_in(stub: ast.FunctionDef) -> list[tuple[object, ...]]:
    """Return name, kind, type and default of each parameter, as the stub has them."""
    unset = [None] * (len(stub.args.args) - len(stub.args.defaults))
    positional = zip(stub.args.args, [*unset, *stub.args.defaults], strict=True)
    named = zip(stub.args.kwonlyargs, stub.args.kw_defaults, strict=True)
    return [
        (arg.arg, kind, ast.unparse(arg.annotation), EMPTY if default is None else ast.literal_eval(default))
        for kind, pairs in (("POSITIONAL_OR_KEYWORD", positional), ("KEYWORD_ONLY", named))
        for arg, default in pairs
    ]


def test_signatures_at_run_time_are_those_of_the_stubs(definitions):
    for (kind, name), stub in definitions.items():
        function = getattr(face(kind), name)
        signature = inspect.signature(function)
        parameters = [(p.name, p.kind.name, p.annotation, p.default) for p in signature.parameters.values()]
        assert parameters_in(stub) == parameters, name
        assert ast.unparse(stub.returns) == signature.return_annotation, name
        assert ast.get_docstring(stub) == inspect.getdoc(function).partition("\n")[0], name


def test_help_shows_options_with_their_types():
    page = pydoc.plain(pydoc.render_doc(cv.external.normalized_vi))
    assert """by: "Literal['joint', 'log_n']" = 'joint'""" in page
    assert "base: 'float' = 10" in pydoc.plain(pydoc.render_doc(cv.internal.log_ss_ratio_pairwise))


@pytest.fixture(scope="module")
def words() -> dict[str, list[str]]:
    """The words that editors offer, by the name of their type."""
    tree = ast.parse((PACKAGE / "choices.pyi").read_text(encoding="utf-8"))
    aliases = {node.target.id: node.value for node in tree.body if isinstance(node, ast.AnnAssign)}
    return {name: [c.value for c in ast.walk(value) if isinstance(c, ast.Constant) and isinstance(c.value, str)]
            for name, value in aliases.items()}  # fmt: skip


def test_every_word_that_editors_offer_is_taken(words):
    assert {"euclidean", "manhattan", "dtw", "precomputed"} <= set(words["MetricName"])
    assert {"consensus", "dcm", "silhouette"} <= set(words["JudgeName"])
    assert {"fast", "clustercrit"} <= set(words["SuiteName"])
    assert all(map(inputs.as_metric, words["MetricName"]))
    assert all(judge_of(word).name == word for word in words["JudgeName"] if word != "consensus")
    assert all(
        any(word in OWN or kind.name in SUITES[word] for kind in catalogue.kinds()) for word in words["SuiteName"]
    )
    assert all(inputs.read_as(word) for word in words["NoisePolicy"])


def test_options_of_many_words_are_typed_by_them():
    for function in (cv.evaluate, cv.sweep, cv.choose, cv.diagnose, cv.internal.dunn, cv.calibrate):
        types = {p.name: p.annotation for p in inspect.signature(function).parameters.values()}
        assert types["metric"] == "MetricName", function
        assert types.get("noise", "NoisePolicy") == "NoisePolicy", function
    assert inspect.signature(cv.choose).parameters["judge"].annotation == "JudgeName"


# --- by type checkers ------------------------------------------------------------------------------------

# A line of a program, and the code of the one error that mypy must find in it: none if it is right.
LINES = {
    "cv.internal.dunn(X, labels)": "",
    "cv.internal.dun(X, labels)": "attr-defined",
    "cv.external.dunn(X, labels)": "attr-defined",
    "cv.internal.dunn(X)": "call-arg",
    "cv.internal.dunn(X, labels, metrik='euclidean')": "call-arg",
    "cv.internal.dunn(X, labels, 'euclidean')": "call-arg",
    "cv.internal.dunn(X, labels, n_jobs='all')": "arg-type",
    "cv.internal.log_ss_ratio(X, labels, base=2)": "",
    "cv.internal.log_ss_ratio(X, labels, base='e')": "arg-type",
    "cv.internal.dunn(X, labels, base=2)": "call-arg",
    "cv.external.nmi(labels, labels, average='max')": "",
    "cv.external.nmi(labels, labels, average='mean')": "arg-type",
    "text: str = cv.internal.dunn(X, labels)": "assignment",
    "cv.evaluate(X, labels, index='dunn')": "call-arg",
    "cv.evaluate(X, labels)['dunn'].upper()": "attr-defined",
    "cv.internal.evaluate(X, labels, indices=5)": "arg-type",
    "cv.evalute(X, labels)": "attr-defined",
    "cv.sweep(X, [labels]).worst()": "attr-defined",
    "cv.Scores": "",
    "cv.internal.dunn(X, labels, metric='minkowski(3)', noise='cluster')": "",
    "cv.internal.dunn(X, labels, metric=print)": "",
    "cv.internal.dunn(X, labels, metric=5)": "arg-type",
    "cv.internal.dunn(X, labels, noise=1)": "arg-type",
    "cv.choose(X, judge='dcm', rng=1)": "",
    "cv.choose(X, judge=3)": "arg-type",
    "cv.choose(X, rgn=3)": "call-arg",
    "cv.evaluate(X, labels).plot().get_title()": "",
    "cv.evaluate(X, labels).plot().upper()": "attr-defined",
    "cv.evaluate(X, labels).to_polars().upper()": "attr-defined",
}
WRONG = [line for line, code in LINES.items() if code]
PREFACE = "import clustval as cv\nX, labels = [[0.0], [1.0], [3.0]], [0, 0, 1]\n"


@pytest.fixture
def programs(tmp_path) -> Path:
    """A folder outside the project, as users have it: one program that is right and one full of mistakes."""
    shutil.copy(typed_program.__file__, tmp_path / "right.py")
    (tmp_path / "wrong.py").write_text(PREFACE + "\n".join(LINES) + "\n")
    return tmp_path


def errors(command: list[str], folder: Path, pattern: str) -> tuple[set[tuple[str, ...]], str]:
    """Return what a type checker complains of in `wrong.py`, and all that it prints about `right.py`."""
    lines = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout.splitlines()
    texts = (PREFACE + "\n".join(LINES)).splitlines()
    matches = [match for line in lines if (match := re.search(rf"wrong\.py{pattern}", line))]
    return {(texts[int(m[1]) - 1], *m.groups()[1:]) for m in matches}, "\n".join(x for x in lines if "right.py" in x)


def test_a_program_of_a_user_runs():
    assert any(line.startswith("dunn chooses ") for line in typed_program.main())


@pytest.mark.large
def test_mypy_accepts_a_program_of_a_user_and_finds_each_mistake_where_it_is(programs, pytestconfig):
    cache = pytestconfig.cache.mkdir("typed_face")  # reading NumPy's types takes ten seconds; they seldom change
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        f"--cache-dir={cache}",
        "right.py",
        "wrong.py",
    ]
    mistakes, complaints = errors(command, programs, r":(\d+): error: .*\[([\w-]+)\]$")
    assert not complaints
    assert mistakes == {(line, code) for line, code in LINES.items() if code}


@pytest.mark.large
def test_pyright_accepts_a_program_of_a_user_and_finds_each_mistake_where_it_is(programs):
    (programs / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}))
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
    mistakes, complaints = errors(command, programs, r":(\d+):\d+ - error: ")
    assert not complaints
    assert mistakes == {(line,) for line in WRONG}
