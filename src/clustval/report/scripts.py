"""The scripts that draw the charts: Vega, Vega-Lite and Vega-Embed in one piece, so that no page asks the network."""

from __future__ import annotations

import contextlib
import functools
import os
from pathlib import Path

from clustval.errors import InputError, optional
from clustval.whole_files import write

ENDING = "window.vegaEmbed="  # what a whole bundle ends in


@functools.cache
def vega() -> str:
    """Return the scripts that fit the installed altair.

    Putting them together takes seconds, so the result is kept among the user's cached files.
    """
    vl_convert = optional("vl_convert", "report")
    version = ".".join(optional("altair", "report").SCHEMA_VERSION.lstrip("v").split(".")[:2])
    file = cache_folder() / f"vega-lite-{version}-{vl_convert.__version__}.js"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        script = file.read_text(encoding="utf-8")
        if ENDING in script[-1000:]:
            return script
    script = str(vl_convert.javascript_bundle(vl_version=version))
    with contextlib.suppress(OSError, InputError):  # nothing is lost but time where there is no such folder
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, script)
    return script


def cache_folder() -> Path:
    """Return where programs of this user keep what can be made again."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".cache") / "clustval"
