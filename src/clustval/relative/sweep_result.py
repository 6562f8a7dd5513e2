"""The values of indices for many partitions of the same data, and which of them each index would choose."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.alarms import COUNTED
from clustval.arrays import Floats
from clustval.declare import Request
from clustval.errors import optional
from clustval.homes.frames import listed
from clustval.labels import plain
from clustval.relative.coverage import is_uneven, sentence
from clustval.relative.ranking import ranks_by_rule
from clustval.result import Result
from clustval.rules import Rule
from clustval.sources.space import Space
from clustval.tables import Table, html_table, number, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Figure
    from clustval.tables import PandasFrame, PolarsFrame

Name = Hashable

EXPLAINED = 4  # indices without a value of which a table says why
SHOWN = 12  # partitions up to which a table prints every value
WIDTH = 100  # characters of all their names up to which it does


class Sweep(Result):
    """Values of indices (columns) for partitions (rows) of the same data, and the partition that each chooses.

    Attributes
    ----------
    values
        One row per partition, one column per index; NaN where an index has no value.
    names
        The name of each partition: a key, a column, a position, or the k that was asked for.
    labels
        From the name of a partition to its labels.
    k
        Number of clusters of each partition, noise not counted.
    indices
        The names of the indices.
    rules
        From the name of an index to the rule by which it chooses.
    reasons
        From (partition, index) to the reason why there is no value.
    details
        From the name of an index to what is told beside its values, as the "critical" values of `duda_hart`: from the
        name of a detail to one value per partition.
    coverage
        Share of the points that each partition counts; the others are noise, left out. Where shares differ by more
        than a tenth, values of indices are values of different points, and none is chosen: ``noise="penalty"`` makes
        values worse by the share that is left out, and lets them compare.
    space
        The points, or their distances; None if they have weights, and after JSON, which keeps values only.
    """

    def __init__(
        self,
        values: Floats,
        labels: Mapping[Name, Any],
        k: NDArray[np.int64],
        choices: Iterable[Request],
        reasons: Mapping[tuple[Name, str], str],
        details: Mapping[str, Mapping[str, Floats]] | None = None,
        space: Space | None = None,
        *,
        coverage: Floats | None = None,
        penalised: bool = False,
    ) -> None:
        self.space = space
        self.coverage: Floats = np.ones(len(labels)) if coverage is None else coverage
        self.penalised = penalised
        self.choices = {choice.name: choice for choice in choices}
        self.values = values
        self.values.flags.writeable = False
        self.labels: Mapping[Name, Any] = MappingProxyType(dict(labels))
        self.names: tuple[Name, ...] = tuple(labels)
        self.k = k
        self.indices: tuple[str, ...] = tuple(self.choices)
        self.rules: Mapping[str, Rule] = MappingProxyType({name: c.best for name, c in self.choices.items()})
        self.reasons: Mapping[tuple[Name, str], str] = MappingProxyType(dict(reasons))
        self.details: Mapping[str, Mapping[str, Floats]] = MappingProxyType(dict(details or {}))

    def _parts(self) -> dict[str, Any]:
        """All that a sweep is made from, in plain dictionaries: read-only views cannot be pickled."""
        return {
            "values": self.values,
            "labels": dict(self.labels),
            "k": self.k,
            "choices": list(self.choices.values()),
            "reasons": dict(self.reasons),
            "details": dict(self.details),
            "coverage": self.coverage,
            "penalised": self.penalised,
            "space": self.space,
        }

    def _content(self) -> dict[str, Any]:
        parts = self._parts() | {"labels": {name: plain(labels, str(name)) for name, labels in self.labels.items()}}
        return {name: part for name, part in parts.items() if name != "space"}

    def __reduce__(self) -> tuple[Any, ...]:
        """Be made again from all parts."""
        return _made, (type(self), self._parts())

    def __getitem__(self, index: str) -> Floats:
        """Return the values of one index, one per partition."""
        return self.values[:, self._column(index)]

    def __contains__(self, index: object) -> bool:
        """Return whether the index was asked for."""
        try:
            return isinstance(index, str) and self._column(index) >= 0
        except KeyError:
            return False

    __iter__ = None  # over partitions or indices? `names` and `indices` say which

    def __len__(self) -> int:
        return len(self.names)

    def _column(self, index: str) -> int:
        key = index.strip().lower()
        if key in self.choices:
            return self.indices.index(key)
        for column, choice in enumerate(self.choices.values()):
            if choice.name == choice.index.name and key in choice.index.aliases:
                return column
        raise KeyError(index)

    # --- choices -----------------------------------------------------------------------------------------

    def best(self) -> dict[str, Name | None]:
        """Return the partition that each index chooses by its rule, None where it cannot choose.

        Rules that compare neighbours read the values in the order of the number of clusters, and of several
        partitions with the same number only the best. Values that are NaN are left out, and so is minus infinity
        where small values are better: it marks a cluster without extent. `best_notes` says what was left out.
        """
        return {index: choice for index, (choice, _) in self._choices.items()}

    @property
    def best_notes(self) -> dict[str, str]:
        """What `best` left out or could not decide, by index; nothing where every value counted."""
        return {index: note for index, (_, note) in self._choices.items() if note}

    @cached_property
    def _choices(self) -> dict[str, tuple[Name | None, str]]:
        """What each index chooses, and what it left out: pages ask for it hundreds of times."""
        return {index: self._choice(index) for index in self.indices}

    def _choice(self, index: str) -> tuple[Name | None, str]:
        if not self._comparable(index):
            return None, "partitions count different shares of the points"
        rule, values = self.rules[index], self[index]
        eligible = self._eligible(index)
        position = rule.choose(eligible, self.k)
        skipped = [str(name) for name, value in zip(self.names, eligible, strict=True) if math.isnan(value)]
        note = f"left out, for want of a finite value: {listed(skipped)}" if skipped else ""
        if position >= 0:
            return self.names[position], note
        if np.isnan(values).all():
            return None, "no partition has a value"
        if rule.better == "neither":
            return None, "it describes partitions and does not judge them"
        if rule.refuses:
            refused = f"no partition satisfies the rule: {rule.name}"
            return None, f"{refused}; {note}" if note else refused
        few = (
            f"the rule compares {rule.compares} neighbouring numbers of clusters, and there are not as many with values"
        )
        return None, f"{few}; {note}" if note else few

    def _comparable(self, index: str) -> bool:
        """Whether values of the partitions are values of the same points, or made worse by what was left out."""
        return not self.uneven or self.penalised or self.choices[index].index.counts_noise

    @property
    def uneven(self) -> bool:
        """Whether the shares of points that partitions count differ so much that values do not compare."""
        return is_uneven(self.coverage)

    def _eligible(self, index: str) -> Floats:
        """Values of an index, or how far they are above critical ones, with NaN for those that it must not choose."""
        rule, values = self.rules[index], self[index]
        if rule.critical:
            return values - self.details[index]["critical"]
        if not rule.infinite:
            return np.where(np.isinf(values), np.nan, values)
        return np.where(np.isneginf(values), np.nan, values) if rule.better == "lower" else values

    def votes(self) -> dict[Name, int]:
        """Return how many indices choose each partition."""
        choices = list(self.best().values())
        return {name: choices.count(name) for name in self.names}

    def ranks(self) -> dict[str, Floats]:
        """Return the rank of each partition by each index, 1 for the best; NaN where an index does not rank it."""
        return {i: ranks_by_rule(self.rules[i], self._eligible(i), self.k) for i in self.indices}

    def rank(self) -> dict[Name, float]:
        """Return the mean rank of each partition over the indices, best first; 1 is the best rank.

        An index ranks partitions by the scores of its rule, and those with the same score and number of clusters by
        value. A partition without a value comes last. One that has a value but that the rule cannot score, as a
        knee cannot the smallest and the largest number of clusters, is not ranked by this index.
        """
        ranks = [r for r in self.ranks().values() if not np.isnan(r).all()]
        if not ranks:
            return dict.fromkeys(self.names, math.nan)
        means = np.nanmean(np.vstack([*ranks, np.where(np.isnan(ranks).all(axis=0), len(self), np.nan)]), axis=0)
        return {self.names[at]: float(means[at]) for at in np.argsort(means, kind="stable")}

    @property
    def best_k(self) -> int | None:
        """The number of clusters that most indices choose, of equals the one of the better mean rank; None without any.

        `evidence` says how clear it is. Indices that measure alike vote alike, so that a majority is no proof:
        `clustval.choose` weighs the evidence.
        """
        evidence = self.evidence
        return int(evidence["k"][0]) if evidence["votes"][0] > 0 else None

    @property
    def evidence(self) -> Table:
        """How many indices choose each number of clusters, and the best mean rank of its partitions, best first."""
        votes, ranks = self.votes(), self.rank()
        numbers = list(dict.fromkeys(self.k.tolist()))
        at = {
            k: [name for name, number in zip(self.names, self.k.tolist(), strict=True) if number == k] for k in numbers
        }
        counts = {k: sum(votes[name] for name in names) for k, names in at.items()}
        means = {
            k: min((ranks[name] for name in names if not math.isnan(ranks[name])), default=math.inf)
            for k, names in at.items()
        }
        order = sorted(numbers, key=lambda k: (-counts[k], means[k], k))
        return Table(
            {
                "k": np.array(order, dtype=np.int64),
                "votes": np.array([counts[k] for k in order], dtype=np.int64),
                "mean_rank": np.array([means[k] if means[k] < math.inf else math.nan for k in order]),
            }
        )

    @property
    def _conclusion(self) -> str:
        """Which number of clusters most indices choose, in a line."""
        voters = sum(choice is not None for choice in self.best().values())
        if not voters or len(set(self.k.tolist())) == 1:
            return ""
        first, *others = self.evidence.records
        count = f"{first['votes']} of {voters} {'index' if voters == 1 else 'indices'}"
        next_best = f"; next k = {others[0]['k']}, by {others[0]['votes']}" if others and others[0]["votes"] else ""
        star = "" if self._many else "* chosen by the rule; "
        return f"{star}k = {first['k']} by {count}, mean rank {first['mean_rank']:.3g}{next_best}"

    @property
    def coverage_note(self) -> str:
        """What share of the points partitions count, in a line where some are left out as noise."""
        return sentence(self.coverage, penalised=self.penalised)

    # --- tables ------------------------------------------------------------------------------------------

    def _wide(self) -> dict[str, Any]:
        return {"partition": list(self.names), **{name: self.values[:, c] for c, name in enumerate(self.indices)}}

    def _long(self) -> dict[str, list[Any]]:
        cells = [(row, column) for row in range(len(self)) for column in range(len(self.indices))]
        names = [(self.names[row], self.indices[column]) for row, column in cells]
        return {
            "partition": [partition for partition, _ in names],
            "k": [int(self.k[row]) for row, _ in cells],
            "index": [index for _, index in names],
            "value": [float(self.values[cell]) for cell in cells],
            "reason": [self.reasons.get(name, "") for name in names],
        }

    def to_pandas(self, *, long: bool = False) -> PandasFrame:
        """Return a pandas data frame: a row per partition and a column per index; or, if long, a row per value."""
        pandas = optional("pandas", "pandas")
        return pandas.DataFrame(self._long()) if long else pandas.DataFrame(self._wide()).set_index("partition")

    def to_polars(self, *, long: bool = False) -> PolarsFrame:
        """Return a polars data frame: a row per partition and a column per index; or, if long, a row per value."""
        table: dict[str, Any] = self._long() if long else self._wide()
        if len({type(name) for name in self.names}) > 1:
            table["partition"] = [str(name) for name in table["partition"]]
        frame: PolarsFrame = optional("polars", "report").DataFrame(table)
        return frame

    def to_html(self, path: Any = None, *, progress: bool | None = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`.

        A first look at the partitions takes seconds: ``look=False`` leaves it out, `progress` shows it.
        """
        from clustval import pages, report  # noqa: PLC0415 - only reports need them

        return pages.of_sweep(self, path, about=report.About(**about), progress=progress)

    def plot(self, indices: str | Iterable[str] | None = None, **options: Any) -> Figure:
        """Draw the curve of each index, or of some, over the number of clusters, with the choice marked."""
        from clustval.plot import curves  # noqa: PLC0415 - loads matplotlib

        return curves(self, indices, **options)

    @property
    def _many(self) -> bool:
        """Whether partitions are too many for a table of every value."""
        return len(self) > SHOWN or sum(len(str(name)) for name in self.names) > WIDTH

    def _rows(self) -> list[list[str]]:
        """The table that is shown: an index per row; every value, or only a summary if there are many partitions."""
        choices = self.best()
        columns = ["lowest", "highest", "missing"] if self._many else [str(name) for name in self.names]
        rows = [["index", "best", *columns, "rule"]]
        for index, best in choices.items():
            values = self[index]
            if self._many:
                numbers = values[~np.isnan(values)]
                ends = [numbers.min(), numbers.max()] if len(numbers) else [math.nan, math.nan]
                cells = [*map(number, ends), str(len(values) - len(numbers))]
            else:
                cells = [number(v) + ("*" if n == best else "") for n, v in zip(self.names, values, strict=True)]
            rows.append([index, "—" if best is None else str(best), *cells, self.rules[index].name])
        if (self.coverage < 1).any():
            shares = [self.coverage.min(), self.coverage.max()] if self._many else self.coverage.tolist()
            rows.append(["coverage", "", *map(number, map(float, shares)), *(["0"] if self._many else []), COUNTED])
        return rows

    def __str__(self) -> str:
        rows = self._rows()
        return "\n".join([text_table(rows, right=range(1, len(rows[0]) - 1)), *self._words])

    @property
    def _words(self) -> list[str]:
        return [line for line in (self._conclusion, *self._missing, self.coverage_note) if line]

    @property
    def _missing(self) -> list[str]:
        """Why indices have no value for any partition, or for the first that lacks one: a few of them in lines."""
        lines = []
        for index in self.indices:
            without = np.flatnonzero(np.isnan(self[index]))
            name = self.names[without[0]] if len(without) else None
            why = self.reasons.get((name, index))
            if why:
                lines.append(f"— {why}" if len(without) == len(self.names) else f"— for {name}: {why}")
        rest = len(lines) - EXPLAINED
        return [*lines[:EXPLAINED], f"— and {rest} more in .reasons"] if rest > 1 else lines

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._rows()) + "".join(f"<p>{escape(line)}</p>" for line in self._words)


def _made(cls: type[Sweep], content: dict[str, Any]) -> Sweep:
    return cls(**content)
