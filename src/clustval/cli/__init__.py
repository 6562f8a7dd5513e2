"""The command line: read, evaluate, print.

A command is a function in a module of `COMMANDS`, under the same name; whatever takes long to import, it imports when
it runs, so that ``clustval --help`` is quick. Bad input ends in one line on standard error and exit code 2.
"""

from __future__ import annotations

import functools
import importlib
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from typing import Any

from clustval.errors import ClustvalError, optional
from clustval.version import __version__

COMMANDS = {
    "choose": "clustval.cli.choose_command",
    "evaluate": "clustval.cli.evaluate_command",
    "diagnose": "clustval.cli.diagnose_command",
    "track": "clustval.cli.track_command",
    "explain": "clustval.cli.explain_command",
    "agree": "clustval.cli.agree_command",
    "graph": "clustval.cli.graph_command",
    "sweep": "clustval.cli.sweep_command",
    "gap": "clustval.cli.gap_command",
    "stability": "clustval.cli.stability_command",
    "tendency": "clustval.cli.tendency_command",
    "recommend": "clustval.cli.recommend_command",
    "plot": "clustval.cli.plot_command",
    "study": "clustval.cli.study_command",
    "indices": "clustval.cli.indices_command",
    "demo": "clustval.cli.demo_command",
    "compile": "clustval.cli.compile_command",
}
BAD_INPUT, INTERRUPTED = 2, 130
LONGEST = 600  # letters of a reason

arguments_given: ContextVar[Sequence[str]] = ContextVar("arguments_given", default=())


def application() -> Any:
    """Return the program with all its commands."""
    typer = optional("typer", "cli")
    app = typer.Typer(
        help="Every question about the quality of a clustering, answered with numbers that are right.",
        epilog="Tables: CSV, TSV, JSON lines, Parquet, Arrow, Feather, NPY, NPZ, Excel, safetensors; cells: "
        ".h5ad, .h5mu, .zarr; - is standard input; iris and "
        f"wine are bundled. Version {__version__}.",
        add_completion=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    def about(*, version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
        """Carry what holds for the whole program; commands do the work."""
        if version:
            print(f"clustval {__version__}")  # noqa: T201

    app.callback(invoke_without_command=True)(about)
    for name, module in COMMANDS.items():
        app.command(name)(stoppable(getattr(importlib.import_module(module), name)))
    return app


def stoppable(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that says what an interruption stopped; the parser would end the program without a word."""

    @functools.wraps(command)
    def says_what_it_stopped(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except KeyboardInterrupt as stop:
            return stopped(stop)

    return says_what_it_stopped


def stopped(stop: KeyboardInterrupt) -> int:
    """Say what an interruption stopped and what is left of the work, and return the exit code."""
    work = "".join(f" at {note}" for note in getattr(stop, "__notes__", [])[:1])
    print(f"clustval: stopped{work}; what was written and printed before is whole.", file=sys.stderr)  # noqa: T201
    return INTERRUPTED


def command_line() -> str:
    """Return the command that is running, as it can be typed again."""
    return shlex.join(["clustval", *arguments_given.get()])


def run(arguments: Sequence[str]) -> int:
    """Run the program and return its exit code."""
    arguments_given.set(tuple(arguments))
    try:
        code = _obey(list(arguments))
        sys.stdout.flush()  # a broken pipe is better met here than at exit
        return code  # noqa: TRY300
    except BrokenPipeError:
        return reader_left()
    except (ClustvalError, MemoryError, OSError) as error:
        return refuse(_reason(error))
    except KeyboardInterrupt as stop:
        return stopped(stop)
    except SystemExit as ending:  # how the parser ends when a pipe breaks under it
        return reader_left() if isinstance(ending.__context__, BrokenPipeError) else int(ending.code or 0)
    except Exception as error:
        if not hasattr(error, "format_message"):  # what the parser's own errors have, in every version of it
            raise
        return refuse(error.format_message())


def _obey(arguments: list[str]) -> int:
    outcome = application()(arguments or ["--help"], prog_name="clustval", standalone_mode=False)
    return outcome if isinstance(outcome, int) else 0


def _reason(error: Exception) -> str:
    """Return what went wrong, in words."""
    if isinstance(error, OSError) and not isinstance(error, ClustvalError):  # a full disk, mostly
        reader_left()
        return f"{error.filename or 'The output'} cannot be written: {error.strerror or error}."
    return str(error) or "The memory does not suffice."


def reader_left() -> int:
    """Keep Python from complaining at exit that nobody reads; the reader has seen enough, and all is well."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 0


def refuse(reason: str) -> int:
    """Print the reason in one line on standard error and return the exit code for bad input."""
    line = "".join(c if c.isprintable() else " " for c in reason).strip()
    line = line if len(line) <= LONGEST else f"{line[:LONGEST]} ..."  # names and cells can have any length
    print(f"clustval: {line}", file=sys.stderr)  # noqa: T201
    return BAD_INPUT


def ready_streams() -> None:
    """Make both outputs such that whatever is printed has a place: closed ones, and encodings without some letters."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - until the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def main() -> None:
    """Run the program on the arguments of the process."""
    ready_streams()
    sys.exit(run(sys.argv[1:]))
