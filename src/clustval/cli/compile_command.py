"""``clustval compile``: kernels compiled beforehand, for an image or an installation."""

from typing import Annotated

import typer


def compile(  # noqa: A001 - the name of the command
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--for",
            help="What you will call: default, all, metrics, agreement, sweep, choose, diagnose, consensus; "
            "repeat for several. Without it, everything.",
        ),
    ] = None,
) -> None:
    """Compile now what the first call would compile, for this processor.

    clustval compile --for default --for choose
    """
    import time  # noqa: PLC0415

    from clustval import compilation  # noqa: PLC0415 - the engine loads when a command runs

    begin = time.monotonic()
    kernels = compilation.compile(tasks or compilation.EVERYTHING, progress=True)
    seconds = time.monotonic() - begin
    where = compilation.folder()
    kept = f"kept below {where}" if where else "not kept: no folder can be written, set CLUSTVAL_CACHE to one that can"
    print(f"{kernels} kernels compiled in {seconds:.0f} s, {kept}.")  # noqa: T201
