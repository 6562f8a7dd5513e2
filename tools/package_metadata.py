"""What the package says of itself on a package index: addresses, and a README whose links lead somewhere.

A package index shows the README alone, so that its links need the address of the repository: that of the site which
builds the package (GITHUB_REPOSITORY), or REPOSITORY_URL. Where none is known, links become plain words and pictures
are left out.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)]*)\)")


def address() -> str:
    """Return where the repository is, "" if nobody says."""
    name = os.environ.get("GITHUB_REPOSITORY", "")
    own = f"{os.environ.get('GITHUB_SERVER_URL', 'https://github.com')}/{name}" if name else ""
    return os.environ.get("REPOSITORY_URL", own).rstrip("/")


def readme(text: str, address: str) -> str:
    """Return the README with links that lead to the repository, or without any."""

    def whole(link: re.Match[str]) -> str:
        picture, words, path = link.groups()
        if not address:
            return "" if picture else words
        return f"{picture}[{words}]({address}/{'raw' if picture else 'blob'}/HEAD/{path})"

    return LINK.sub(whole, text)


class PackageMetadata(MetadataHookInterface):
    """What hatchling asks when it builds the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README and, where the repository is known, its addresses."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        site = address()
        metadata["readme"] = {"content-type": "text/markdown", "text": readme(text, site)}
        if site:
            metadata["urls"] = {
                "Source": site,
                "Documentation": f"{site}/blob/HEAD/docs/index.md",
                "Changelog": f"{site}/blob/HEAD/CHANGELOG.md",
                "Issues": f"{site}/issues",
            }
