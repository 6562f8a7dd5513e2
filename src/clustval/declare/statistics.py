"""What a statistic is, and the ways in which sources have it.

A statistic is a value; `+` joins those of two sets of rows. How a source has it is a `Way`: data, found by the
statistic and the type of source. The methods `part`, `derived` and `of` of a class are the short form of declaring one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Literal, NamedTuple, Self, TypeVar, get_args, get_type_hints

from clustval.lazy import cached_property

Cost = Literal["linear", "quadratic", "rank"]
COSTS: tuple[Cost, ...] = ("linear", "quadratic", "rank")
F = TypeVar("F", bound=Callable[..., Any])


class Need(NamedTuple):
    """A statistic, with the options that it is to be computed with."""

    statistic: type[Statistic]
    options: tuple[tuple[str, Any], ...] = ()

    @property
    def neighbours(self) -> int:
        """How many nearest neighbours of each point it asks for."""
        return dict(self.options).get("neighbours", 0)  # type: ignore[no-any-return]


# --- ways ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Way:
    """How one type of source has a statistic: by which function, after which other statistics, when, at what price."""

    statistic: type[Statistic]
    run: Callable[..., Any]  # of the source, the statistics in `after`, and options; without the source if `derived`
    of: type | None = None  # the type of source; None for that of the first parameter of `run`
    after: tuple[type[Statistic], ...] = ()
    when: Callable[[Any], bool] | None = None  # a question to the source, asked before any pass; None for always
    takes: Any = None  # the price, in the words of that source
    part: bool = False  # whether blocks of rows have parts of the statistic, which add up
    derived: bool = False  # whether it is made from the statistics in `after` alone, whatever the source

    @cached_property
    def sources(self) -> tuple[type, ...]:
        """The types of source that have the statistic in this way; `object` stands for any."""
        if self.of is not None or self.derived:
            return (self.of or object,)
        function = inspect.unwrap(getattr(self.run, "__func__", self.run))
        first = next(iter(inspect.signature(self.run).parameters), None)
        hint = get_type_hints(function).get(first or "", object)
        return tuple(kind for kind in get_args(hint) or (hint,) if isinstance(kind, type)) or (object,)

    @property
    def name(self) -> str:
        """What the way is called where it is explained: the statistic and the function."""
        return f"{self.statistic.__name__}.{getattr(self.run, '__name__', 'part')}"

    @property
    def cost(self) -> Cost:
        """How the work grows with the number of points, statistics that come before it aside."""
        return "linear" if self.takes is None else self.takes.cost


@dataclass(frozen=True)
class _Mark:
    """What `way` notes on a method until its class is made."""

    of: type | None
    after: tuple[type[Statistic], ...]
    when: Callable[[Any], bool] | None
    takes: Any
    part: bool


_MARK = "__way__"
_WAYS: dict[type, list[Way]] = {}  # by statistic, in the order of declaration
_FITTING: dict[tuple[type, type], tuple[Way, ...]] = {}  # by statistic and type of source


def way(
    statistic: type[Statistic] | None = None,
    *,
    of: type | None = None,
    after: tuple[type[Statistic], ...] = (),
    when: Callable[[Any], bool] | None = None,
    takes: Any = None,
    part: bool = False,
) -> Callable[[F], F]:
    """Declare how a type of source has a statistic, by decorating the function that computes it.

    Without `statistic` it decorates a class method of the statistic itself, inside of ``@classmethod``. Ways of the
    type of source itself come before those of its base classes; of those, ways with a condition before the one without.
    """

    def declare(function: F) -> F:
        if statistic is None:
            setattr(function, _MARK, _Mark(of, after, when, takes, part))
        else:
            _enter(Way(statistic, function, of, after, when, takes, part))
        return function

    return declare


def _enter(new: Way) -> None:
    _WAYS.setdefault(new.statistic, []).append(new)
    _FITTING.clear()


def ways_of(statistic: type[Statistic], source: type) -> tuple[Way, ...]:
    """Return the ways in which a type of source has a statistic, those to be tried first in front."""
    ways = _FITTING.get((statistic, source))
    if ways is None:
        lineage = source.__mro__
        declared = _WAYS.get(statistic, ())
        fitting = [(lineage.index(of), w) for w in declared for of in w.sources if of in lineage]
        ways = tuple(w for _, w in sorted(fitting, key=lambda pair: (pair[0], pair[1].when is None)))
        _FITTING[statistic, source] = ways
    return ways


def declared_ways() -> dict[type[Statistic], list[Way]]:
    """Return every way that was declared, by statistic."""
    return {statistic: list(ways) for statistic, ways in _WAYS.items()}


def together(*prices: Any) -> Any:
    """Return what several ways take in all; None if none of them takes anything."""
    some = [price for price in prices if price is not None]
    return reduce(or_, some) if some else None


# --- statistics ------------------------------------------------------------------------------------------


class Statistic:
    """What one pass over the data leaves behind; formulas read it, nobody changes it.

    The short form of declaring a way is one of three class methods:

    - ``part(block, *known, **options)``, what one block of rows leaves behind, beside ``+``: the statistic of the
      whole is the sum of its parts. `known` are the statistics of the whole that are named in `after`.
    - ``derived(*known, **options)``, from the statistics in `after` alone, without a pass of its own.
    - ``of(source, **options)``, where neither will do.

    The type of the first parameter is the type of source, `takes` is the price. Other ways are declared by `way`.
    Keyword-only parameters are options that a formula hands down. Arrays may carry one more axis in front, for many
    partitions at once: properties and formulas work on the last axes only.

    Parts of rows that are read before all clusters are known, or about different origins, add up only if the class
    says how they are relabelled and moved; the others are computed when the clusters are known.
    """

    after: ClassVar[tuple[type[Statistic], ...]] = ()
    takes: ClassVar[Any] = None
    price: ClassVar[Any] = None  # of the short form, with the prices of all that it is derived from
    options: ClassVar[tuple[str, ...]] = ()
    is_mergeable: ClassVar[bool] = False  # whether two of them add up
    merges_by_name: ClassVar[bool] = False  # whether they add up where clusters and origins differ as well
    counts_noise: ClassVar[bool] = False  # whether points that are left out as noise change its values

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        short = [name for name in ("part", "derived", "of") if name in vars(cls)]
        if len(short) > 1:
            msg = f"{cls.__name__} must define one of part, derived and of; it defines {short}."
            raise TypeError(msg)
        cls.is_mergeable = hasattr(cls, "__add__")
        own = [name for name in ("relabelled", "moved") if getattr(cls, name) is not getattr(Statistic, name)]
        if len(own) == 1:
            (missing,) = {"relabelled", "moved"}.difference(own)
            msg = f"{cls.__name__} defines {own[0]}, so it must define {missing}, or sums of batches would be wrong."
            raise TypeError(msg)
        cls.merges_by_name = bool(own)
        if short == ["part"] and not cls.is_mergeable:
            msg = f"{cls.__name__} has parts, so it must define +."
            raise TypeError(msg)
        for name, member in vars(cls).items():
            mark = getattr(getattr(member, "__func__", None), _MARK, None)
            if mark is not None:
                _enter(Way(cls, getattr(cls, name), mark.of, mark.after, mark.when, mark.takes, mark.part))
        for name in short:
            method = getattr(cls, name)
            parameters = inspect.signature(method).parameters.values()
            cls.options = tuple(p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY)
            form = {"part": name == "part", "derived": name == "derived"}
            cls.price = together(cls.takes, *(s.price for s in cls.after)) if form["derived"] else cls.takes
            _enter(Way(cls, method, None, cls.after, None, cls.takes, **form))

    def relabelled(self, places: Any, k: int) -> Self:
        """Return the same with its clusters at these places among k, the others being empty."""
        raise NotImplementedError

    def moved(self, shift: Any) -> Self:
        """Return the same about another origin: coordinates grow by `shift`."""
        raise NotImplementedError

    def without_points(self) -> Self:
        """Return the same without values of single points, where they are too many to be kept."""
        return self
