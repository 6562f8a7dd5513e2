"""The works that indices and methods come from: one file, which the report, the program and the documentation read."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

FILE = Path(__file__).parent / "references.bib"
KEY = r"[a-z]+\d{4}"
PLACES = ("journal", "booktitle", "publisher", "organization", "institution", "howpublished")


@dataclass(frozen=True)
class Work:
    """A paper, book or document."""

    key: str
    authors: tuple[str, ...]  # "Dunn, J. C."
    year: str
    title: str
    place: str  # where it appeared, with volume and pages

    @property
    def short(self) -> str:
        """Surnames and year.

        >>> works()["calinski1974"].short, works()["vendramin2010"].short
        ('Caliński and Harabasz (1974)', 'Vendramin et al. (2010)')
        """
        surnames = [author.partition(",")[0] for author in self.authors]
        who = f"{surnames[0]} et al." if len(surnames) > 2 else " and ".join(surnames)
        return f"{who} ({self.year})"

    def __str__(self) -> str:
        """Return the whole entry.

        >>> print(works()["dunn1974"])
        Dunn, J. C. (1974). Well-separated clusters and optimal fuzzy partitions. Journal of Cybernetics 4, 95–104.
        """
        *first, last = self.authors
        who = f"{', '.join(first)} and {last}" if first else last
        return " ".join(part for part in (f"{who} ({self.year}).", f"{self.title}.", f"{self.place}.") if part != ".")


@functools.cache
def works() -> Mapping[str, Work]:
    """Return every work of the bibliography by its key."""
    entries = re.findall(r"^@\w+\{(\w+),(.*?)^\}", FILE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return MappingProxyType({key: _work(key, body) for key, body in entries})


def _work(key: str, body: str) -> Work:
    # A value may hold braces, which keep capitals, but none within these.
    fields = {
        name: re.sub(r"\s+", " ", re.sub(r"[{}]", "", value)).replace("--", "–")
        for name, value in re.findall(r"(\w+)\s*=\s*\{((?:[^{}]|\{[^{}]*\})*)\}", body)
    }
    where = next((fields[name] for name in PLACES if name in fields), "")
    if "volume" in fields:
        where += f" {fields['volume']}"
    place = ", ".join(part for part in (where, fields.get("pages")) if part)
    place = ". ".join(part for part in (place, fields.get("note")) if part)
    return Work(key, tuple(fields["author"].split(" and ")), fields["year"], fields["title"], place)


def pieces(reference: str) -> list[tuple[str, str]]:
    """Return the text of a reference in pieces, each with the key of the work that it names, if any.

    >>> pieces("xie1991, eq. 5")
    [('Xie and Beni (1991)', 'xie1991'), (', eq. 5', '')]
    """
    parts = (part for part in re.split(rf"\b({KEY})\b", reference) if part)
    return [(works()[part].short, part) if part in works() else (part, "") for part in parts]


def readable(reference: str) -> str:
    """Return a reference with names and years in place of keys.

    >>> readable("hruschka2004, eq. 20 of vendramin2010")
    'Hruschka et al. (2004), eq. 20 of Vendramin et al. (2010)'
    """
    return "".join(text for text, _ in pieces(reference))


def cited(*references: str) -> list[Work]:
    """Return the works that references name, each once, by author and year."""
    keys = {key for reference in references for _, key in pieces(reference) if key}
    return sorted((works()[key] for key in keys), key=lambda work: str(work).casefold())
