"""Write what editors and type checkers read of clustval: one stub for the package and one for each kind of index.

Names come from the table in ``clustval/__init__.py``, signatures from the declarations. ``make stubs`` runs this.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import clustval
from clustval import catalogue, choices
from clustval.choosing.judges import CONSENSUS, direction
from clustval.declare import Kind
from clustval.inputs import METRIC_ALIASES, METRICS, NOISE_POLICIES
from clustval.suites import OWN, SUITES

PACKAGE = Path(clustval.__file__).parent
NOTICE = "# Written by `make stubs`; what is changed here by hand is lost.\n"
Names = dict[str, set[str]]  # by the module that they are imported from


def stubs() -> dict[Path, str]:
    """Return the text of each stub, by its path."""
    texts = {PACKAGE / "__init__.pyi": package_stub()}
    texts |= {PACKAGE / "choices.pyi": choices_stub()}
    texts |= {PACKAGE / f"{kind.name}.pyi": kind_stub(kind) for kind in catalogue.kinds()}
    return {path: formatted(text, path) for path, text in texts.items()}


def package_stub() -> str:
    """Return the stub of the package: every public name, imported from where it is defined."""
    names: Names = {f"clustval.{module}": set(names) for module, names in clustval._NAMES.items()}
    names |= {"clustval": set(clustval._MODULES), "clustval.version": {"__version__ as __version__"}}
    return f"{head(clustval, names)}\n"


def choices_stub() -> str:
    """Return the stub of the words that options take: editors offer them, and other text is accepted as before."""
    internal = catalogue.kinds("internal")[0].indices.values()
    words = {
        "MetricName": (METRICS | {*METRIC_ALIASES, "dtw", "precomputed"}, "str | Callable[..., Any]"),
        "NoisePolicy": (NOISE_POLICIES, "str"),
        "JudgeName": ([CONSENSUS, *(index.name for index in internal if direction(index.best) != 0)], "str"),
        "SuiteName": ({*OWN, *SUITES}, "str"),
    }
    names: Names = {"collections.abc": {"Callable"}, "typing": {"Any", "Literal", "TypeAlias"}}
    lines = (f"{name}: TypeAlias = Literal{sorted(some)!r} | {other}\n" for name, (some, other) in words.items())
    return f"{docstring(choices)}\n\n{NOTICE}\n{imports(names)}\n{''.join(lines)}"


def kind_stub(kind: Kind) -> str:
    """Return the stub of the module of one kind: each index and alias is a function, and so is what stands beside."""
    module = importlib.import_module(f"clustval.{kind.name}")
    functions = {name: getattr(module, name) for name in dir(module)}
    homes = {"Literal": "typing"}
    for each in sorted({kind.source.__module__, *(function.__module__ for function in functions.values())}):
        homes |= homes_in(sys.modules[each])
    names: Names = defaultdict(set)
    for word in sorted({word for function in functions.values() for word in words(function)}):
        names[homes[word]].add(word)
    definitions = "".join(definition(name, function) for name, function in functions.items())
    return f"{head(module, names)}\n{definitions}"


def head(module: ModuleType, names: Names) -> str:
    """Return how a stub begins: what it is, what it imports and which names are public."""
    return f"{docstring(module)}\n\n{NOTICE}\n{imports(names)}\n__all__ = {module.__all__!r}\n"


def docstring(thing: object) -> str:
    """Return the first line of a docstring, as source."""
    line = (inspect.getdoc(thing) or "").partition("\n")[0]
    return f'{"r" if chr(92) in line else ""}"""{line}"""'


def imports(names: Names) -> str:
    """Return the statements that import these names, our own last."""
    lines = [f"from {module} import {', '.join(sorted(names[module]))}\n" for module in sorted(names)]
    ours = [line for line in lines if line.startswith("from clustval")]
    others = [line for line in lines if line not in ours]
    return "".join([*others, "\n", *ours])


def words(function: Callable[..., Any]) -> Iterable[str]:
    """Yield the names that the annotations of a function use, but those of Python itself."""
    signature = inspect.signature(function)
    for annotation in (signature.return_annotation, *(p.annotation for p in signature.parameters.values())):
        for node in ast.walk(ast.parse(annotation)):
            if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
                yield node.id


def homes_in(module: ModuleType) -> dict[str, str]:
    """Return where the names that a module may use are imported from: from itself if it defines them."""
    homes = dict.fromkeys(vars(module), module.__name__)
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            homes |= {alias.asname or alias.name: node.module for alias in node.names}
    return homes


class Bare(str):
    """An annotation that a signature shows without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


def definition(name: str, function: Callable[..., Any]) -> str:
    """Return a function as a stub defines it: its signature and the first line of its docstring."""
    signature = inspect.signature(function)
    parameters = [p.replace(annotation=Bare(p.annotation)) for p in signature.parameters.values()]
    bare = signature.replace(parameters=parameters, return_annotation=Bare(signature.return_annotation))
    return f"def {name}{bare}:\n    {docstring(function)}\n\n"


def formatted(text: str, path: Path) -> str:
    """Return the text in the layout that `make lint` asks for."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(path), "-"]
    return subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=True).stdout


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
