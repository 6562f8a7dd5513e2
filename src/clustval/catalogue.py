"""Every index that there is: loaded from its file, found by name, chosen by suite, listed as a table."""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from clustval import formulas, inputs
from clustval.declare import KINDS, Index, Kind, Request
from clustval.errors import InputError, optional, suggestion
from clustval.homes.series import is_warping
from clustval.result import Result
from clustval.sources.sweep_curves import SweepIndex
from clustval.sources.takes import takes_of
from clustval.suites import DEFAULT, LEFT_OUT, OWN, SUITES, WITHOUT_MEANS, Entry
from clustval.tables import Tabular, html_table, text_table

if TYPE_CHECKING:
    from clustval.tables import PolarsFrame

# --- what there is ---------------------------------------------------------------------------------------


@functools.cache  # looking for the files takes longer than finding an index
def load(kind: str | None = None) -> None:
    """Import every file of formulas, or those of one kind, so that their indices are known."""
    for folder in pkgutil.iter_modules(formulas.__path__):
        if kind is None or folder.name == kind:
            package = importlib.import_module(f"{formulas.__name__}.{folder.name}")
            for file in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{package.__name__}.{file.name}")


def kinds(kind: str | None = None) -> list[Kind]:
    """Return every kind of index, or the one of this name."""
    load(kind)
    if kind is None:
        return sorted(KINDS.values(), key=lambda each: (each.order, each.name))
    if kind not in KINDS:
        msg = f"kind must be {_listed((each.name for each in kinds()), 'or')}; it is {kind!r}."
        raise InputError(msg)
    return [KINDS[kind]]


def every_index(kind: str | None = None) -> list[Index]:
    """Return the record of every index but those that need several partitions, or of those of one kind."""
    return [index for each in kinds(kind) for index in each.indices.values()]


# --- by name ---------------------------------------------------------------------------------------------


def find(name: str, kind: str | None = None) -> Index:
    """Return the index called `name`: in any case, by an alias, or by an unambiguous beginning.

    Beginnings are tried on the names of the clusterCrit suite first, whose users abbreviate, then on all. Without a
    `kind` all are searched; a name that several have means the first of `cv.indices()`.
    """
    searched = kinds(kind)
    key = name.strip().lower().replace("-", "_").replace(" ", "_")
    for each in searched:
        if key in each.functions:
            return each.indices[each.functions[key].__name__]
        for index in each.records.values():
            if key == index.name or key in index.aliases:
                return index
    names = {
        n: index for each in reversed(searched) for index in each.records.values() for n in (index.name, *index.aliases)
    }
    common = {n for each in searched for n in SUITES["clustercrit"].get(each.name, {}) if n in names}
    for candidates in (common, set(names)):
        matches = sorted(n for n in candidates if n.startswith(key)) if key else []
        indices = {(names[n].kind, names[n].name): names[n] for n in matches}
        if len(indices) == 1:
            return next(iter(indices.values()))
        if indices:
            msg = f"{name!r} may be any of {_listed(matches)}. Write more of the name."
            raise InputError(msg)
    suites = difflib.get_close_matches(key, [*OWN, *SUITES], n=1, cutoff=0.8)
    near = [*suites, *difflib.get_close_matches(key, names, n=3, cutoff=0.6)]
    where = f"clustval.indices({kind!r})" if kind else "clustval indices"
    hint = f"Did you mean {_listed(near, 'or')}?" if near else f"{where} lists them all."
    msg = f"No {kind + ' ' if kind else ''}index is called {name!r}. {hint}"
    raise InputError(msg)


def _listed(names: Iterable[str], word: str = "and") -> str:
    quoted = [repr(n) for n in names]
    if len(quoted) > 8:
        quoted = [*quoted[:7], f"{len(quoted) - 7} more"]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"


# --- by suite --------------------------------------------------------------------------------------------


def select(
    indices: str | Iterable[str] | Mapping[str, Mapping[str, Any]],
    kind: str,
    *,
    swept: bool = False,
    metric: Any = None,
    called: str = "indices",
) -> list[Request]:
    """Return the indices that were asked for: by a suite's name, by names of indices, or by names with options.

    Of a suite, indices that need several partitions are among them only if partitions are `swept`. Our own suites
    leave out indices of means under a metric of sets or categories, which have none, and the suite "default" those that
    need coordinates where there are only distances. Errors speak of indices by the name of the parameter.
    """
    if not isinstance(indices, Iterable):
        msg = f"{called} must be a name, a list of names, or a suite such as 'default'; it is {indices!r}."
        raise InputError(msg)
    names = [indices] if isinstance(indices, str) else list(indices)
    if not names:
        msg = f"{called} is empty; give a name, a list of names, or a suite such as 'default'."
        raise InputError(msg)
    choices: dict[str, Request] = {}
    for name in names:
        if not isinstance(name, str):
            msg = f"{called} must be names; one is {name!r}."
            raise InputError(msg)
        options = indices[name] if isinstance(indices, Mapping) else {}
        if not isinstance(options, Mapping):
            msg = f"{called} must give the options of {name} by name, as in {{'{name}': {{}}}}; they are {options!r}."
            raise InputError(msg)
        found = _with_options(name, kind, options, swept=swept)
        suite, measure = name.strip().lower(), str(metric).lower()
        gives_distances = measure == "precomputed" or is_warping(measure)
        if (suite in OWN and measure in inputs.WITHOUT_MEANS) or (suite == "default" and gives_distances):
            found = _without_means(found, kind)
        for choice in found:
            choices[choice.name] = choice
    return list(choices.values())


def _without_means(choices: Sequence[Request], kind: str) -> list[Request]:
    """Return indices that need no means, with those of medoids in place of some that do."""
    found: dict[str, Request] = {}
    for choice in choices:
        index = choice.index
        if takes_of(index).coordinates or takes_of(index).centres:
            if index.name not in WITHOUT_MEANS:
                continue
            index = find(WITHOUT_MEANS[index.name], kind)
        found.setdefault(index.name, Request(index.name, index, {}, index.best))
    return list(found.values())


def _with_options(name: str, kind: str, options: Mapping[str, Any], *, swept: bool) -> Sequence[Request]:
    (only,) = kinds(kind)
    choices = _choices(name, kind, swept, (*only.indices, *only.of_sweeps))
    if not options:
        return choices
    return [Request(c.name, c.index, {**c.options, **c.index.checked(options)}, c.best) for c in choices]


@functools.lru_cache(maxsize=256)  # a search by name takes as long as an index of few points
def _choices(name: str, kind: str, swept: bool, _records: tuple[str, ...]) -> Sequence[Request]:
    """Return the indices that a name stands for among the indices of these names."""
    key = name.strip().lower()
    suite, colon, member = key.partition(":")
    if key in OWN:
        (only,) = kinds(kind)
        table = only.records if key == "all" and swept else only.indices
        index_names = DEFAULT.get(kind, tuple(table)) if key == "default" else tuple(table)
        members = [n for n in index_names if key != "fast" or table[n].cost == "linear"]
        choices = [Request(n, table[n], {}, table[n].best) for n in members]
    elif suite in SUITES:
        entries = SUITES[suite].get(kind, {})
        if not entries:
            msg = f"The suite {suite!r} has no {kind} indices."
            raise InputError(msg)
        if colon and member not in entries:
            reason = LEFT_OUT.get(suite, {}).get(kind, {}).get(member)
            rest = f"{member!r}: {reason}" if reason else f"{member!r}; it has {', '.join(entries)}"
            msg = f"The suite {suite!r} has no {kind} index {rest}."
            raise InputError(msg)
        choices = [_choice(n, entries[n], kind) for n in ([member] if colon else entries)]
        if not colon and not swept:
            choices = [choice for choice in choices if not isinstance(choice.index, SweepIndex)]
    elif colon:
        msg = f"No suite is called {suite!r}; there are {', '.join(SUITES)}."
        raise InputError(msg)
    else:
        index = find(name, kind)
        choices = [Request(index.name, index, {}, index.best)]
    return choices


def _choice(name: str, entry: Entry, kind: str) -> Request:
    index = find(entry.index, kind)
    return Request(name, index, entry.options, entry.rule or index.best)


# --- as a table ------------------------------------------------------------------------------------------


COLUMNS = ("name", "kind", "direction", "cost", "summary")  # that are shown


class Catalogue(Tabular, list[dict[str, Any]], Result):
    """A list of records, one per index, that prints as a table and turns into a data frame."""

    def _content(self) -> dict[str, Any]:
        return {"records": list(self)}

    @classmethod
    def _of_content(cls, content: dict[str, Any]) -> Self:
        return cls(content["records"])

    def _records(self) -> list[dict[str, Any]]:
        return list(self)

    def to_polars(self) -> PolarsFrame:
        """Return a polars data frame, one row per index."""
        frame: PolarsFrame = optional("polars", "report").DataFrame(list(self), infer_schema_length=None)
        return frame

    def _cells(self) -> list[Sequence[str]]:
        return [COLUMNS, *([str(record.get(column, "")) for column in COLUMNS] for record in self)]

    def __str__(self) -> str:
        return text_table(self._cells())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._cells())


def indices(kind: str | None = None) -> Catalogue:
    """Return every index with its direction, bounds, cost, reference, aliases and suites.

    Those with `sweep` need several partitions: `clustval.sweep` has them, `clustval.evaluate` has not.

    >>> next(r["bounds"] for r in indices("internal") if r["name"] == "silhouette")
    (-1.0, 1.0)
    """
    return Catalogue(
        {
            "name": index.name,
            "kind": index.kind,
            "direction": index.best.better,
            "rule": index.best.name,
            "bounds": tuple(map(float, index.bounds)),
            "cost": index.cost,
            "reference": index.reference,
            "aliases": index.aliases,
            "suites": [s for s, suite in SUITES.items() if index.name in _members(suite.get(index.kind, {}))],
            "sweep": isinstance(index, SweepIndex),
            "summary": index.summary,
        }
        for each in kinds(kind)
        for index in each.records.values()
    )


def _members(entries: Mapping[str, Entry]) -> set[str]:
    return {entry.index for entry in entries.values()}


# --- as a module -----------------------------------------------------------------------------------------


def module_hooks(kind: str, *beside: Callable[..., Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return what a module of indices of one kind needs: how to get one by name, in any case, and which there are.

    `beside` are functions that the module has besides its indices and `evaluate`.
    """
    (only,) = kinds(kind)

    def names() -> list[str]:
        return sorted([*only.functions, "evaluate", *(function.__name__ for function in beside)])

    def get(name: str) -> Any:
        if name == "__all__":
            return names()
        function = only.functions.get(name.lower())
        if function is not None:
            return function
        for index in only.of_sweeps.values():
            if isinstance(index, SweepIndex) and name.lower() in (index.name, *index.aliases):
                raise AttributeError(index.alone, name=name)
        hint = suggestion(name, only.functions) or f"dir(clustval.{kind}) lists them."
        msg = f"No {kind} index is called {name!r}. {hint}"
        raise AttributeError(msg, name=name)  # with a name and no object, Python adds no hint of its own

    return get, names
