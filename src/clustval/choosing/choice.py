"""The answer: which clustering, why, how sure, what else, and whether there is anything to cluster."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.alarms import percent
from clustval.arrays import Integers, numbered
from clustval.choosing.judges import CONSENSUS, DIFFERENT, alone
from clustval.choosing.structure import CONTINUUM, GAPS, Structure
from clustval.errors import InputError, optional
from clustval.homes.frames import listed
from clustval.labels import as_text, objects
from clustval.passes.labels.many_labellings import rand_matrix
from clustval.result import Result
from clustval.tables import html_table, number, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tables import PandasFrame, PolarsFrame

NO_STRUCTURE = "no structure"
SHOWN = 10
VIEWS = ("connected", "uncut", "agreement")  # that the judge multiplies
WORTH = 0.5  # of the best value: what is judged worse is no alternative
# Confidence by the value of the best clearly different candidate, as a share of that of the chosen one, and by how
# well paths connect clusters (up to four columns) or how compact they are.
BY_PATHS, BY_COMPACTNESS = 0.8, 0.7  # the most that a rival has where confidence is high
MEDIUM = 0.9  # the most that it has where confidence is medium
CONNECTED, COMPACT = 0.3, 0.4
TORN = 1.5  # times the compactness of the chosen clustering: shapes that are not compact give their rivals more
UNASKED = "Whether there are clusters at all was not asked."
MEANING = {
    "high": "on 9 of 10 test sets with values like these, the choice was within 0.1 (adjusted Rand index) of the best",
    "medium": "a clearly different clustering is judged nearly as good",
    "low": "clearly different clusterings are judged as good, or nearly",
}


@dataclass(frozen=True, repr=False, eq=False)
class Choice(Result):
    """The chosen clustering, and all that were tried.

    Attributes
    ----------
    labels
        The cluster of each row of X, counted from 0; -1 is noise. All 0 where there is nothing.
    best_labels
        The labels of the best candidate, also where there is nothing.
    k, name
        Number of clusters, and the candidate that was chosen; 1 and "no structure" where there is nothing.
    k_range
        The numbers of clusters of all candidates that are nearly as good as the best.
    judge
        What judged: "consensus", or the name of an index.
    by_paths
        Whether the consensus judged by dense paths, as up to four columns, and not by compactness beside them.
    ranking
        From the name of each candidate to what is known of it, first of the one that is chosen, then by the judge:
        ``algorithm``, ``k``, ``noise`` (share of the points), ``judge``, ``connected`` (S), ``uncut`` (Q),
        ``silhouette``, ``agreement`` with the candidates most like it (from five columns on: with those of other
        algorithms), and, of the first ten that can be made again,
        ``stability``: the mean agreement with what the same algorithm makes of half of the points.
    candidates
        From the name of each candidate to its labels, of the rows in `sample`.
    structure
        Whether there are gaps between groups, groups of a continuum, or nothing; None if that was not asked for.
    coarser
        The candidate with the best value, if the one that is chosen cuts its clusters where they fall into clusters
        themselves; None if it was chosen.
    rival
        The value of the best candidate that differs clearly from the chosen one, as a share of its value.
    compact_rival
        The same by the silhouette in place of paths. A little above 1, two answers are about as good, and where paths
        judge, confidence is not high.
    alternatives
        The best candidates that differ clearly from the one that is chosen and from each other.
    doubtful
        Rows of X that are noise or have most of their nearest neighbours in other clusters, most doubtful first.
    dominant
        The column with nearly all of the variance, which then decides alone; None if there is none, or where units do
        not matter.
    left_out
        From what was not tried to the reason.
    sample
        The rows that were clustered and judged, if not all; of labels that were not there already, the others have
        that of the nearest of these.
    X
        The points or their distances, as they came; None after JSON, which keeps values only.
    metric
        The distance that they were compared by; None after JSON.
    """

    labels: Integers
    best_labels: Integers
    k: int
    k_range: tuple[int, ...]
    name: Hashable
    judge: str
    by_paths: bool
    ranking: Mapping[Hashable, Mapping[str, Any]]
    candidates: Mapping[Hashable, Integers]
    structure: Structure | None
    coarser: Hashable | None
    rival: float
    compact_rival: float
    alternatives: tuple[Hashable, ...]
    doubtful: Integers
    dominant: str | None
    left_out: Mapping[str, str]
    sample: Integers | None
    X: Any
    metric: Any

    _sources = ("X", "metric")

    @property
    def best(self) -> Hashable:
        """The best candidate, also where there is no structure."""
        first: Hashable = next(iter(self.ranking))
        return first

    @property
    def has_clusters(self) -> bool:
        """Whether the points are in clusters at all, as far as that was asked."""
        return self.name != NO_STRUCTURE

    @property
    def title(self) -> str:
        """The answer in a few words."""
        if not self.has_clusters:
            return f"No structure, one cluster: k = 1 (if there must be groups, {in_words(self.k_range)})"
        if self.structure is not None and self.structure.evidence == CONTINUUM:
            seen = "Gaps cannot be tested" if GAPS in self.structure.reasons else "No gaps"
            return f"{seen}; if you must group, {in_words(self.k_range)}: {self.name}"
        if self.confidence is None:
            return f"{self.k} clusters are best by {self.judge}: {self.name}"
        if self.confidence == "high":
            return f"{self.k} clusters (confidence high): {self.name}"
        others = [k for k in self.k_range if k != self.k]
        possible = f"; {in_words(others)} {'is' if len(others) == 1 else 'are'} possible" if others else ""
        return f"{self.k} clusters are best supported ({self.confidence}){possible}: {self.name}"

    @property
    def verdict(self) -> str:
        """The answer in a sentence."""
        if not self.has_clusters:
            return f"There are no clusters here: k = 1 (if there must be groups, {in_words(self.k_range)})."
        return f"There are {self.title}." if self.confidence == "high" and self.is_asked else f"{self.title}."

    @property
    def is_asked(self) -> bool:
        """Whether it was asked, and could be told, if there are clusters at all."""
        return self.structure is not None and self.structure.evidence is not None

    @property
    def stability(self) -> float:
        """Mean agreement of the best candidate with what the same algorithm makes of half of the points."""
        return float(self.ranking[self.best]["stability"])

    @property
    def confidence(self) -> str | None:
        """How far the answer can be trusted: "high", "medium" or "low"; None for a judge that was not calibrated."""
        if self.judge != CONSENSUS:
            return None
        best = self.ranking[self.best]
        if self.by_paths:
            clear = self.rival <= BY_PATHS and best["connected"] >= CONNECTED and not is_torn(self.compact_rival)
        else:
            clear = self.rival <= BY_COMPACTNESS and best["silhouette"] >= COMPACT
        if clear and self.is_asked and self.structure is not None and self.structure.exists:
            return "high"
        return "medium" if clear or self.rival <= MEDIUM else "low"

    @property
    def _doubt(self) -> str:
        """What the confidence means, or what keeps it from being high."""
        assert self.confidence is not None
        if self.confidence != "medium" or self.rival > MEDIUM:
            return MEANING[self.confidence]
        if not self.is_asked:
            return "whether there are clusters at all is not known"
        if self.structure is None or self.structure.exists:
            return MEANING["medium"]
        return "gaps cannot be tested" if GAPS in self.structure.reasons else "there are no gaps"

    def is_poor(self, name: Hashable) -> bool:
        """Whether a candidate is another clustering than the best and worth less than half; not where that is low."""
        best, other = self.ranking[self.best], self.ranking[name]
        if self.confidence in {None, "low"} or other["judge"] >= WORTH * best["judge"]:
            return False
        codes = alone([self.candidates[self.best], self.candidates[name]])
        return bool(rand_matrix(codes, n_jobs=1)[0, 1] < DIFFERENT)

    @property
    def misleading(self) -> Hashable | None:
        """The candidate of the highest silhouette, if it is poor: then the silhouette misjudges these shapes."""
        if not self.by_paths:
            return None
        silhouettes = {name: values["silhouette"] for name, values in self.ranking.items()}
        preferred = max(silhouettes, key=lambda name: np.nan_to_num(silhouettes[name], nan=-1.0))
        return preferred if self.is_poor(preferred) else None

    @property
    def reasons(self) -> tuple[str, ...]:
        """The answer in sentences: what was chosen, on which evidence, and what speaks against it."""
        sentences = []
        sentences.append(UNASKED if self.structure is None else self.structure.answer)
        if self.name == NO_STRUCTURE:
            sentences.append(f"The best of {len(self.ranking)} candidates would be {self._with_k(self.best)}.")
            return (*sentences, *self._units())
        sentences.append(
            f"{self.best} is the best of {len(self.ranking)} candidates."
            if self.coarser is None
            else f"{self.best} is chosen of {len(self.ranking)} candidates: clusters of "
            f"{self.coarser} fall into clusters themselves, as {self.best} has them."
        )
        if self.confidence is not None:
            sentences.append(f"Confidence is {self.confidence}: {self._doubt}.")
        if len(self.k_range) > 1:
            sentences.append(f"Nearly as good by the judge: k = {in_words(self.k_range)}.")
        if self.misleading is not None:
            sentences.append(self.warning)
        return (*sentences, *self._remarks())

    @property
    def how_we_know(self) -> tuple[str, ...]:
        """What the answer rests on: p-values of the structure, and what the judge sees in the candidate."""
        best = self.ranking[self.best]
        sentences = [] if self.structure is None else [self.structure.how_we_know]
        views = ", ".join(f"{view} {number(best[view], 3)}" for view in VIEWS)
        value = number(best["judge"], 3)
        sentences.append(f"The judge ({self.judge}) gives {self.best} the value {value}: {views}.")
        if self.coarser is not None:
            value = number(self.ranking[self.coarser]["judge"], 3)
            sentences.append(f"It gives {self.coarser} a higher value: {value}.")
        return tuple(sentence for sentence in sentences if sentence)

    def _remarks(self) -> list[str]:
        """Say what else is worth knowing: units, alternatives, doubtful points, the sample, what was left out."""
        sentences = self._units()
        if self.alternatives:
            others = ", ".join(map(self._with_k, self.alternatives))
            sentences.append(f"Clearly different and next best: {others}.")
        if len(self.doubtful):
            share = percent(len(self.doubtful) / len(self.labels))
            points = "1 point is" if len(self.doubtful) == 1 else f"{len(self.doubtful):,} points are"
            sentences.append(f"{points} doubtful ({share}).")
        if self.sample is not None:
            sentences.append(
                f"{len(self.sample):,} of {len(self.labels):,} points were clustered and judged; each other point has "
                "the label of the nearest of these, unless your own labels were judged."
            )
        by_reason: dict[str, list[str]] = {}
        for what, why in self.left_out.items():
            by_reason.setdefault(why, []).append(what)
        sentences += [f"Left out: {listed(what)} ({why})." for why, what in by_reason.items()]
        return sentences

    def _with_k(self, name: Hashable) -> str:
        """Return the name of a candidate with its number of clusters, once."""
        k = self.ranking[name]["k"]
        return str(name) if str(name).endswith(f"k={k}") else f"{name} (k = {k})"

    def _units(self) -> list[str]:
        """Say which column decides alone, if one does."""
        if self.dominant is None:
            return []
        return [f"Nearly all of the variance is that of {self.dominant}: standardise columns whose units differ."]

    @property
    def warning(self) -> str:
        """What to think of the silhouette where it misjudges the shapes of clusters."""
        best, other = (number(self.ranking[name]["silhouette"], 3) for name in (self.best, self.misleading))
        return (
            f"The silhouette misjudges these shapes: it prefers {self.misleading} ({other}; {self.best} has {best}), "
            "whose clusters are joined by dense paths; use indices of density here."
        )

    def _records(self) -> list[dict[str, Any]]:
        return [{"candidate": name, **values} for name, values in self.ranking.items()]

    def to_pandas(self) -> PandasFrame:
        """Return the ranking as a pandas data frame, best first."""
        frame: PandasFrame = optional("pandas", "pandas").DataFrame(self._records()).set_index("candidate")
        return frame

    def to_polars(self) -> PolarsFrame:
        """Return the ranking as a polars data frame, best first, names of candidates as text."""
        records = [record | {"candidate": str(record["candidate"])} for record in self._records()]
        frame: PolarsFrame = optional("polars", "report").DataFrame(records)
        return frame

    def _of_points(self) -> dict[str, Any]:
        labels = np.asarray(self.labels)
        return {"labels": objects(as_text(labels)), "doubtful": np.isin(np.arange(len(labels)), self.doubtful)}

    def _parameters(self) -> dict[str, Any]:
        return {"best": str(self.best), "k": self.k, "judge": self.judge, "title": self.title}

    @property
    def different(self) -> list[dict[str, Any]]:
        """The best of the candidates with the same clusters, for each that differs, and how often it was found."""
        rows: dict[bytes, dict[str, Any]] = {}
        for name, values in self.ranking.items():
            clusters = numbered(self.candidates[name]).tobytes()
            row = rows.setdefault(clusters, {"candidate": str(name), "found": 0, **values})
            row["found"] += 1
        return list(rows.values())

    def _rows(self) -> list[list[str]]:
        best = self.different[:SHOWN]
        noise = ["noise"] if any(row["noise"] for row in best) else []
        columns = ["k", "found", *noise, "judge", "connected", "uncut", "silhouette", "agreement", "stability"]
        return [["candidate", *columns], *([row["candidate"], *(number(row[c], 3) for c in columns)] for row in best)]

    def __str__(self) -> str:
        table = text_table(self._rows(), right=range(1, 10))
        return "\n".join([self.title, *self.reasons, "", table, "", f"How we know: {' '.join(self.how_we_know)}"])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from html import escape  # noqa: PLC0415 - only notebooks need it

        sentences = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.reasons)
        how = f"<details><summary>How we know</summary>{escape(' '.join(self.how_we_know))}</details>"
        return f"<p><b>{escape(self.title)}</b></p>{sentences}{how}{html_table(self._rows())}"

    def plot(self, **options: Any) -> Axes:
        """Draw the clustering in the plane of the first two principal components; needs matplotlib."""
        from clustval.plot.principal_components import scatter  # noqa: PLC0415 - a convenience

        return scatter(self._points(), self.labels, **options)

    def _points(self) -> Any:
        if self.metric == "precomputed":
            msg = "Only coordinates can be drawn: this choice was made from distances."
            raise InputError(msg)
        return self._behind(self.X)

    def to_html(self, path: str | Path | None = None, **about: Any) -> str:
        """Return the page of the choice: the answer first, then the evidence; write it if a path is given.

        `about` has the fields of `report.About`.
        """
        from clustval import pages, report  # noqa: PLC0415 - a convenience

        return pages.of_choice(self, self._behind(self.X), path, about=report.About(**about))


def is_torn(compact_rival: float) -> bool:
    """Return whether compactness takes another clustering than the chosen one, though it is hardly better."""
    return 1 < compact_rival <= TORN


def in_words(numbers: Sequence[int]) -> str:
    """Return numbers in words, runs of three and more by their ends.

    >>> in_words([3, 4]), in_words([2, 5, 6, 7])
    ('3 or 4', '2 or 5 to 7')
    """
    runs: list[list[int]] = []
    for number_ in numbers:
        if runs and number_ == runs[-1][-1] + 1:
            runs[-1].append(number_)
        else:
            runs.append([number_])
    words = [word for run in runs for word in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))]
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
