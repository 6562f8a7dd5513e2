"""Break the library one place at a time and see whether a test notices: ``make mutants``.

A mutant is a copy of the source with one operator, comparison, number or name changed. It is killed if a test of the
file fails, and survives if none does. Mutants are drawn in a fixed random order, so that a short run is a sample of a
long one; survivors are printed with their line. Compiled kernels are left out: their NumPy twins are tested against
them.
"""

# ruff: noqa: T201 - it prints

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "src/clustval"
FILES = ("formulas/internal/*.py", "formulas/external/*.py", "rules.py", "inputs.py", "suites.py", "passes/*.py")
TESTS = {  # by the beginning of the path; the doctests of the file itself come first
    "formulas/internal": ["tests/test_golden.py", "tests/test_internal_naive.py", "tests/test_other_indices.py"],
    "formulas/external": ["tests/test_external_golden.py", "tests/test_external_naive.py"],
    "rules": ["tests/test_rules.py"],
    "inputs": ["tests/test_inputs.py", "tests/test_errors.py", "tests/test_labels.py"],
    "suites": ["tests/test_golden.py", "tests/test_errors.py"],
    "passes": [
        "tests/test_statistics.py",
        "tests/test_pair_kernels.py",
        "tests/test_memory.py",
        "tests/test_density.py",
    ],
}
OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Pow: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
         "argmin": "argmax", "argmax": "argmin", "floor": "ceil", "ceil": "floor", "sum": "max"}  # fmt: skip
SECONDS = 600  # a mutant that takes longer may have lost its way, or the machine is slow: it does not count


def kind_of(node: ast.AST) -> str:
    """Return what can be changed of a node; nothing of most."""
    if isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in OPERATORS:
        return "op"
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS:
        return "comparison"
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return "number"
    if isinstance(node, ast.Attribute) and node.attr in NAMES:
        return "name"
    return "sign" if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)) else ""


def places(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield what can be changed, and how; types, docstrings and messages are left alone."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for statement in function.body:
                if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                    yield from ((node, kind_of(node)) for node in ast.walk(statement) if kind_of(node))


def changed(source: str, at: int) -> tuple[str, int, str]:
    """Return the source with its place number `at` changed, the line, and what it became."""
    tree = ast.parse(source)
    node, how = list(places(tree))[at]
    line = node.lineno  # type: ignore[attr-defined]
    before = ast.unparse(node)
    if how == "op":
        node.op = OPERATORS[type(node.op)]()  # type: ignore[attr-defined]
    elif how == "comparison":
        node.ops[0] = OPERATORS[type(node.ops[0])]()  # type: ignore[attr-defined]
    elif how == "number":
        node.value += 1  # type: ignore[attr-defined]
    elif how == "name":
        node.attr = NAMES[node.attr]  # type: ignore[attr-defined]
    else:
        node.op = ast.UAdd()  # type: ignore[attr-defined]  # "+x" is x: for a truth value, one that is not turned
    return ast.unparse(tree), line, f"{before}  ->  {ast.unparse(node)}"


def tests_of(path: str) -> list[str]:
    """Return the tests of a file of the package."""
    name = path.removeprefix(f"{PACKAGE}/")
    return [path, *next(tests for beginning, tests in TESTS.items() if name.startswith(beginning))]


def killed(copy: Path, path: str) -> bool | None:
    """Return whether a test fails in the copy; None where that takes too long to know."""
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "OMP_NUM_THREADS": "1"}
    options = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m", "not large and not browser"]
    command = [sys.executable, "-m", "pytest", *options, "--hypothesis-profile=quick", *tests_of(path)]
    try:
        run = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None
    return run.returncode != 0


def main() -> int:
    """Draw mutants until the time is over, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("files", nargs="*", help="paths below src/clustval; by default all that hold definitions")
    arguments = parser.parse_args()
    paths = sorted(
        p for glob in arguments.files or FILES for p in (ROOT / PACKAGE).glob(glob) if p.name != "__init__.py"
    )
    todo = [(p, at) for p in paths for at in range(len(list(places(ast.parse(p.read_text())))))]
    random.Random(arguments.seed).shuffle(todo)  # noqa: S311 - no secret
    end, count, survivors, slow = time.monotonic() + 60 * arguments.minutes, 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".venv", ".git", "docs", "__pycache__", ".hypothesis")
        )
        for path, at in todo:
            if time.monotonic() > end:
                break
            name = path.relative_to(ROOT).as_posix()
            source = path.read_text()
            mutant, line, what = changed(source, at)
            (copy / name).write_text(mutant)
            count += 1
            fate = killed(copy, name)
            slow += fate is None
            if fate is False:
                survivors += 1
                print(f"survives: {name}:{line}: {what}", flush=True)
            (copy / name).write_text(source)
    died = count - survivors - slow
    share = died / max(count - slow, 1)
    print(f"{count} of {len(todo)} mutants tried, {died} killed, {slow} too slow to know: {share:.1%} killed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
