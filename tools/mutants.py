"""Break the library one place at a time and see whether a test notices: ``make mutants``.

A mutant is the source with one operator, comparison, number or name changed. It is killed if a test fails or does not
end, and survives if none does. Tests are collected and run once, which loads compiled kernels and tells which lines
each test reaches and how long it takes; each mutant is then a fork of that process in which the code of one function
is replaced, and which runs the tests that reach the line, those that killed its neighbours first. Mutants are drawn in
a fixed random order, so that a short run is a sample of a long one; survivors are printed with their line, and the
score with an interval that holds the score of all in 95 of 100 samples.

Left out are compiled kernels, whose NumPy twins are tested against them, code that runs when a module is loaded, the
mutants of ``docs/mutants.md``, which change no value, each with the reason, the size below 0 that ``reshape`` works
out, and where passes cut their work: sums, products, ``max``, ``min`` and comparisons of size with a number of `CUTS`,
such as ``max(1, CELLS // k)`` rows at a time or compiled code for ``n > thresholds.PAIRS`` points; what is asked of
``worth``, whether to start threads, and of ``_compiled``; the room that ``np.empty`` and ``aligned`` make, of which
more changes nothing, and beyond which kernels write unnoticed; and the functions of `CUTTERS`, which say where to cut
and nothing else. They decide how long a pass takes and what it holds, and no value; that every way gives the same is
what the tests of blocks, threads and twins are for.
"""

# ruff: noqa: T201 - it prints

from __future__ import annotations

import argparse
import ast
import functools
import gc
import mmap
import os
import random
import re
import resource
import select
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, sqrt
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "clustval"
FILES = ("formulas/internal/*.py", "formulas/external/*.py", "rules.py", "inputs.py", "suites.py", "passes/*/*.py")
EQUIVALENT = ROOT / "docs" / "mutants.md"
OPTIONS = (
    "-q",
    "-x",
    "--hypothesis-profile=mutants",
    "-m",
    "not large and not browser",
    "-p",
    "no:xdist",
    "-p",
    "no:cacheprovider",
)
OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div, ast.Pow: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.And: ast.Or, ast.Or: ast.And, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any",
         "argmin": "argmax", "argmax": "argmin", "floor": "ceil", "ceil": "floor", "sum": "max"}  # fmt: skip
# Names in passes of how much is done or held at a time; beside these, all of `thresholds`.
CUTS = {
    "ABREAST", "AHEAD", "ALL_CELLS", "BIN", "BINS", "BLOCK", "BLOCK_BYTES", "BUCKET", "BUFFER", "BYTES",
    "CELL_BITS", "CELLS", "COLLECTED", "COLUMNS", "COPIES", "FEW", "FEW_CELLS", "FEW_COLUMNS", "FINER_BITS", "HELD",
    "ITEM", "KEPT_ITEM", "LAID_OUT", "LEAST", "LEAVES", "MANY", "OCTAVES", "PIECE", "PIECES", "POINTS",
    "PRODUCTS_AT_ONCE", "QUERIES", "QUICK", "RANGES", "ROOT", "ROWS", "RUNS_PER_ITEM", "SAMPLE", "SHARE", "SHORT",
    "SINGLES", "SMALL_RANGE", "SPARSE", "STORED_BYTES", "SWEEPS", "TABLES", "memory", "n_jobs",
}  # fmt: skip
CUTTERS = {
    "bin_edges", "bytes_needed", "largest_table", "longest_chunk", "tables_fit", "worth", "_blocks", "_chunks",
    "_compiled",
}  # fmt: skip
ROOM = {"np.empty", "aligned", "worth", "threads.worth", "_compiled"}
SURVIVOR = r"^(?:survives|not reached|did not end): (.*?)(?: \(\d+ tests\))?$"  # as `tell` prints it
NORMAL = 1.96  # standard deviations on both sides that hold 95 %
STILL = 10  # seconds in which a process that sleeps does nothing: it waits for a thread that a fork leaves behind
PATIENCE = 10  # seconds of the processor beyond three times what the tests took: a mutant that takes more does not end


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


def cuts_work(node: ast.AST) -> bool:
    """Return whether this is arithmetic with, or a comparison of size to, a number of `CUTS`; or room or threads."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ROOM:
        return True
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return cuts_work(node.operand)
    if isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("max", "min"):
        parts = node.args
    else:
        return False
    return any(
        (isinstance(part, ast.Name) and part.id in CUTS)
        or (isinstance(part, ast.Attribute) and (part.attr in CUTS or ast.unparse(part.value) == "thresholds"))
        or cuts_work(part)
        for part in parts
    )


def any_size(node: ast.AST, parent: ast.AST) -> bool:
    """Return whether this is the size that NumPy works out when it reshapes, which may be any number below 0."""
    reshapes = isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr == "reshape"
    return reshapes and isinstance(node, ast.UnaryOp)


def places_of(path: Path) -> list[tuple[ast.AST, Any, Any, str, int]]:
    """Return what can be changed in a file, as `places` yields it, each after the tree that it is part of."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [(tree, *place) for place in places(tree, cuts="passes" in path.relative_to(PACKAGE).parts)]


def places(
    node: ast.AST, function: str = "", line: int = 0, whole: ast.AST | None = None, *, cuts: bool = False
) -> Iterator[tuple[Any, Any, str, int]]:
    """Yield what can be changed in functions, with what it is part of, the function and the line of the statement.

    Types, defaults, decorators, docstrings and messages are left alone. What a number with a sign is part of is not
    the sign but what is around it (`whole`). `cuts` leaves out where the work is cut.
    """
    for child in ast.iter_child_nodes(node):
        if any_size(child, node):
            continue
        if cuts and (cuts_work(child) or (isinstance(child, ast.FunctionDef) and child.name in CUTTERS)):
            continue
        if isinstance(child, ast.FunctionDef):
            for statement in child.body:
                if kind_of(statement):
                    yield statement, statement, child.name, statement.lineno
                yield from places(statement, child.name, statement.lineno, cuts=cuts)
        else:
            line = child.lineno if isinstance(child, ast.stmt) else line
            if function and kind_of(child):
                yield child, whole if isinstance(node, ast.UnaryOp) else node, function, line
            yield from places(child, function, line, node, cuts=cuts)


@dataclass
class Mutant:
    """One place of a file, changed."""

    path: Path
    at: int
    function: str = ""
    lines: set[int] = field(default_factory=set)
    line: str = ""
    change: str = ""

    @property
    def file(self) -> str:
        """The file below the package."""
        return self.path.relative_to(PACKAGE).as_posix()

    @property
    def place(self) -> str:
        """Where it is, as it is printed, once its code is there."""
        return f"{self.file}:{max(self.lines)} {self.function}: {self.change}"

    @functools.cached_property
    def codes(self) -> dict[tuple[str, str, int], CodeType]:
        """The codes that the change touches; it writes down what became of what."""
        source = self.path.read_text(encoding="utf-8")
        tree, node, whole, self.function, statement = places_of(self.path)[self.at]
        before = codes_of(compile(tree, self.path, "exec", dont_inherit=True))  # type: ignore[call-overload]
        self.lines, self.line = {statement, node.lineno}, source.splitlines()[node.lineno - 1].strip()
        how = kind_of(node)
        alone = how == "number" or (how == "sign" and isinstance(node.operand, ast.Constant))  # which says little
        shown = whole if alone and isinstance(whole, ast.expr) else node
        old = ast.unparse(shown)
        if how == "op":
            node.op = OPERATORS[type(node.op)]()
        elif how == "comparison":
            node.ops[0] = OPERATORS[type(node.ops[0])]()
        elif how == "number":
            node.value += 1
        elif how == "name":
            node.attr = NAMES[node.attr]
        else:
            node.op = ast.UAdd()  # "+x" is x: for a truth value, one that is not turned
        self.change = " ".join(f"{old} -> {ast.unparse(shown)}".split())
        after = codes_of(compile(ast.fix_missing_locations(tree), self.path, "exec", dont_inherit=True))
        return {key: code for key, code in after.items() if code != before[key]}


def codes_of(code: CodeType) -> dict[tuple[str, str, int], CodeType]:
    """Return the codes inside a code, by file, name and line."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return {
        key_of(code): code,
        **{key: each for part in inner for key, each in codes_of(part).items()},
    }


def key_of(code: CodeType) -> tuple[str, str, int]:
    """Return the file, the name and the line of a code."""
    return str(code.co_filename), code.co_qualname, code.co_firstlineno


def equivalent() -> set[tuple[str, str, str]]:
    """Return file, line and change of the mutants that change no value."""
    if not EQUIVALENT.exists():
        return set()
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \| `(.+?)` \|", EQUIVALENT.read_text(encoding="utf-8"), re.MULTILINE)
    return {(file, line.replace(r"\|", "|"), change.replace(r"\|", "|")) for file, line, change in rows}


def outdated() -> list[str]:
    """Return the rows of mutants that change no value whose line is no longer there, or is not what they change."""
    texts = {file: (PACKAGE / file).read_text(encoding="utf-8").splitlines() for file, _, _ in equivalent()}
    rows = []
    for file, line, change in sorted(equivalent()):
        old, new, plain = (re.sub(r"""[\s()'"]""", "", each) for each in (*change.split(" -> "), line))
        if line not in map(str.strip, texts[file]) or old not in plain or old == new:
            rows.append(f"{file}: {line}: {change}")
    return rows


@dataclass
class Trial:
    """A mutant whose tests run: how many they are, in which process, which of them it is at, and where it answers."""

    mutant: Mutant
    tests: int
    pid: int
    pipe: int
    current: mmap.mmap
    ticks: int = 0  # of the processor that it had taken
    since: float = field(default_factory=time.monotonic)

    @property
    def at(self) -> int:
        """The test that it is at."""
        return int.from_bytes(self.current[:8], "little")

    def waits(self) -> bool:
        """Return whether the process has slept for long."""
        state, *fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        ticks = int(fields[10]) + int(fields[11])
        if state != "S" or ticks > self.ticks:
            self.ticks, self.since = ticks, time.monotonic()
        return time.monotonic() - self.since > STILL


class Mutants:
    """A plugin of pytest that runs each test once, and then those of each mutant in a fork."""

    def __init__(self, mutants: list[Mutant], minutes: float, budget: float, jobs: int) -> None:
        self.mutants, self.minutes, self.budget, self.jobs = mutants, minutes, budget, jobs
        self.seconds: Counter[int] = Counter()  # that each test takes
        self.kills: dict[str, Counter[int]] = defaultdict(Counter)  # of each test, by file
        self.fates: Counter[str] = Counter()
        self.failing: set[int] = set()
        self.spared = equivalent()
        self.measure = coverage.Coverage(data_file=None, source=[str(PACKAGE)], config_file=False)
        self.measure.start()  # before the library is loaded

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run what was collected, then the mutants."""
        self.session, self.items = session, session.items
        names = [getattr(item, "dtest", None) and dict(item.dtest.globs) for item in self.items]  # type: ignore[attr-defined]
        self.measure.switch_context("loaded")
        for at, (item, following) in enumerate(zip(self.items, [*self.items[1:], None], strict=True)):
            self.measure.switch_context(str(at))
            start, failed = time.process_time(), session.testsfailed
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            self.seconds[at] = time.process_time() - start
            if session.testsfailed > failed:
                self.failing.add(at)  # without any mutant: it kills none
        self.measure.stop()
        session.testsfailed = 0
        for item, globs in zip(self.items, names, strict=True):
            if globs:
                item.dtest.globs = globs  # type: ignore[attr-defined] # the run has emptied them
        self.functions: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if type(each) is FunctionType and each.__code__.co_filename.startswith(str(PACKAGE)):
                self.functions[key_of(each.__code__)].append(each)
        self.reached = {}
        data = self.measure.get_data()
        for path in {mutant.path for mutant in self.mutants}:
            self.reached[path] = data.contexts_by_lineno(str(path))
        capture = session.config.pluginmanager.getplugin("capturemanager")
        capture.suspend_global_capture(in_=True)
        print(f"\n{len(self.items)} tests take {self.seconds.total():.0f} s, {len(self.failing)} fail", flush=True)
        self.run()
        capture.resume_global_capture()
        return True

    def run(self) -> None:
        """Try mutants until the time is over, some at a time."""
        end, queue = time.monotonic() + 60 * self.minutes, iter(self.mutants)
        running: dict[int, Trial] = {}  # by the pipe on which it answers
        while True:
            while len(running) < self.jobs and time.monotonic() < end and (mutant := next(queue, None)):
                if trial := self.begin(mutant):
                    running[trial.pipe] = trial
            if not running:
                return
            ready, _, _ = select.select(list(running), [], [], 1)
            again = [trial.mutant for pipe in ready if not self.finish(trial := running.pop(pipe))]
            for pipe in [pipe for pipe, trial in running.items() if trial.waits()]:
                trial = running.pop(pipe)
                os.killpg(trial.pid, signal.SIGKILL)
                self.failing.add(trial.at)  # it cannot run in a fork: it kills none
                os.close(pipe)
                os.waitpid(trial.pid, 0)
                again.append(trial.mutant)
            for trial in filter(None, map(self.begin, again)):
                running[trial.pipe] = trial

    def begin(self, mutant: Mutant) -> Trial | None:
        """Start the tests of a mutant, if there are any."""
        codes = mutant.codes
        if (mutant.file, mutant.line, mutant.change) in self.spared:
            self.fates["equivalent"] += 1
            return None
        contexts = {at for line in mutant.lines for at in self.reached[mutant.path].get(line, ())}
        tests = self.tests_of(mutant, {int(at) for at in contexts if at.isdigit()} - self.failing)
        if not tests:
            self.tell(mutant, "only loaded" if contexts else "not reached", 0)
            return None
        seconds = PATIENCE + 3 * ceil(sum(self.seconds[at] for at in tests))
        return Trial(mutant, len(tests), *self.fork(codes, tests, seconds))

    def finish(self, trial: Trial) -> bool:
        """Read what became of a mutant; return False if it has to be tried again without the test that it was at."""
        answer = os.read(trial.pipe, 64).decode()
        os.close(trial.pipe)
        _, status = os.waitpid(trial.pid, 0)
        late = os.WTERMSIG(status) == signal.SIGXCPU
        if not answer and not late and self.crashes(trial.at):
            self.failing.add(trial.at)
            return False
        if answer.isdigit():
            self.kills[trial.mutant.file][int(answer)] += 1
            self.fates["killed"] += 1
        else:
            self.tell(trial.mutant, answer or ("did not end" if late else "crashed"), trial.tests)
        return True

    def crashes(self, at: int) -> bool:
        """Return whether a test crashes in a fork though nothing is changed, as with threads that a fork lacks."""
        seconds = PATIENCE + 3 * ceil(self.seconds[at])
        pid, pipe, _ = self.fork({}, [at], seconds)
        ready, _, _ = select.select([pipe], [], [], STILL + seconds)
        answer = os.read(pipe, 64) if ready else b""
        os.close(pipe)
        if not ready:
            os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return not answer

    def tests_of(self, mutant: Mutant, reaching: set[int]) -> list[int]:
        """Return tests that reach the line, as many as the budget allows: those that killed in this file first."""
        kills, spent, chosen = self.kills[mutant.file], 0.0, []
        for at in sorted(reaching, key=lambda at: (-kills[at], self.seconds[at])):
            spent += self.seconds[at]
            if spent > self.budget and chosen:
                break
            chosen.append(at)
        return chosen

    def fork(
        self, codes: dict[tuple[str, str, int], CodeType], tests: list[int], seconds: int
    ) -> tuple[int, int, mmap.mmap]:
        """Start a process that runs the tests with other code; return it, the end of its pipe, and where it is."""
        (answer, mouth), current = os.pipe(), mmap.mmap(-1, 8)
        pid = os.fork()
        if pid:
            os.close(mouth)
            return pid, answer, current
        os.setpgrp()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        self.session.config.pluginmanager.unregister(name="terminalreporter")
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        for key, code in codes.items():
            for function in self.functions[key]:
                function.__code__ = code
        items = [self.items[at] for at in tests]
        for at, item, following in zip(tests, items, [*items[1:], None], strict=True):
            current[:8] = at.to_bytes(8, "little")
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.testsfailed:
                os.write(mouth, str(at).encode())
                os._exit(1)
        os.write(mouth, b"survives")
        os._exit(0)

    def tell(self, mutant: Mutant, fate: str, tests: int) -> None:
        """Count what became of a mutant, and print it."""
        self.fates[fate] += 1
        print(f"{fate}: {mutant.place}" + f" ({tests} tests)" * (tests > 0), flush=True)


def interval(count: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    share, z = count / total, NORMAL**2 / total
    middle, half = share + z / 2, sqrt(z * share * (1 - share) + z * z / 4)
    return (middle - half) / (1 + z), (middle + half) / (1 + z)


def main() -> int:
    """Draw mutants until the time is over, and print the score."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--sample", type=int, help="mutants to draw; by default as many as the time allows")
    parser.add_argument("--budget", type=float, default=30, help="seconds of tests for each mutant")
    parser.add_argument("--jobs", type=int, default=1, help="mutants at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tests", nargs="*", default=["src", "tests"], help="tests to choose from; by default all")
    parser.add_argument("--again", type=Path, help="what an earlier run printed: try only those that survived it")
    parser.add_argument("files", nargs="*", help="paths below src/clustval; by default all that hold definitions")
    arguments = parser.parse_args()
    for row in outdated():
        print(f"no such place any more, as docs/mutants.md has it: {row}")
    paths = sorted(p for glob in arguments.files or FILES for p in PACKAGE.glob(glob) if p.name != "__init__.py")
    mutants = [Mutant(path, at) for path in paths for at in range(len(places_of(path)))]
    if arguments.again:
        survivors = set(re.findall(SURVIVOR, arguments.again.read_text(encoding="utf-8"), re.MULTILINE))
        files = {place.partition(":")[0] for place in survivors}
        mutants = [m for m in mutants if m.file in files and m.codes and m.place in survivors]
    random.Random(arguments.seed).shuffle(mutants)  # noqa: S311 - no secret
    plugin = Mutants(mutants[: arguments.sample], arguments.minutes, arguments.budget, arguments.jobs)
    os.chdir(ROOT)
    code = pytest.main([*OPTIONS, *arguments.tests], plugins=[plugin])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return int(code)
    fates = plugin.fates
    died = fates["killed"] + fates["did not end"] + fates["crashed"]
    tried = died + fates["survives"] + fates["not reached"]
    print(f"{fates.total()} of {len(mutants)} mutants drawn: " + ", ".join(f"{n} {fate}" for fate, n in fates.items()))
    if tried:
        low, high = interval(died, tried)
        print(f"{died} of {tried} killed: {died / tried:.1%} ({low:.1%} to {high:.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
