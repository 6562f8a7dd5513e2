"""Options of formulas: keyword-only parameters whose type says what is allowed, checked here and nowhere else.

>>> from typing import Annotated
>>> def formula(table, *, base: Annotated[float, Above(1)] = 2.0): ...
>>> checked("entropy", options_of(formula), {"base": 0})
Traceback (most recent call last):
clustval.errors.InputError: base must be a number above 1; it is 0.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from clustval.errors import InputError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Above:
    """Numbers above a limit."""

    limit: float

    def __contains__(self, value: float) -> bool:
        return value > self.limit

    def __str__(self) -> str:
        return f"above {self.limit:g}"


@dataclass(frozen=True)
class AboveOr(Above):
    """Numbers above a limit, or a word that stands for a number."""

    word: str

    def __contains__(self, value: float | str) -> bool:
        return value == self.word if isinstance(value, str) else value > self.limit

    def __str__(self) -> str:
        return f"above {self.limit:g}, or {self.word!r}"


@dataclass(frozen=True)
class Between(Above):
    """Numbers above a limit and below another."""

    high: float

    def __contains__(self, value: float) -> bool:
        return self.limit < value < self.high

    def __str__(self) -> str:
        return f"above {self.limit:g} and below {self.high:g}"


@dataclass(frozen=True)
class AtLeast:
    """Numbers from a limit on."""

    limit: float

    def __contains__(self, value: float) -> bool:
        return value >= self.limit

    def __str__(self) -> str:
        return f"from {self.limit:g}"


class OneOf(tuple[str, ...]):
    """One of a few words."""

    __slots__ = ()

    def __new__(cls, *words: str) -> Self:
        return super().__new__(cls, words)

    def __str__(self) -> str:
        return ", ".join(map(repr, self))


Base = Annotated[float, Above(1)]  # of logarithms


@dataclass(frozen=True)
class Option:
    """The record of one option."""

    name: str
    type: type
    allowed: Above | AtLeast | OneOf | None
    default: Any

    @property
    def parameter(self) -> inspect.Parameter:
        """The option as signatures show it."""
        annotation = inspect.formatannotation(self.type)
        if isinstance(self.allowed, OneOf):
            annotation = f"Literal[{self.allowed}]"
        if isinstance(self.allowed, AboveOr):
            annotation += f" | Literal[{self.allowed.word!r}]"
        return inspect.Parameter(self.name, inspect.Parameter.KEYWORD_ONLY, default=self.default, annotation=annotation)

    @property
    def rule(self) -> str:
        """What is allowed, in words."""
        if isinstance(self.allowed, OneOf):
            return f"one of {self.allowed}"
        kind = {int: "a whole number", float: "a number", bool: "True or False"}.get(self.type, "text")
        return f"{kind} {self.allowed}" if self.allowed is not None else kind

    def check(self, value: Any) -> Any:
        """Return the value as a plain Python object, or raise an error that says what is allowed."""
        if isinstance(value, np.generic):
            value = value.item()
        whole = isinstance(value, int) and not isinstance(value, bool)
        if (self.type is float and whole) or (isinstance(self.allowed, AboveOr) and isinstance(value, str)):
            fits = True
        else:
            fits = isinstance(value, self.type) and (self.type is bool or not isinstance(value, bool))
        if self.type is float and whole and abs(value) > sys.float_info.max:
            msg = f"{self.name} must be {self.rule}; it is a whole number that no float64 is near to."
            raise InputError(msg)
        if fits and isinstance(value, float):
            fits = math.isfinite(value)
        if fits and self.allowed is not None:
            fits = value in self.allowed
        if not fits:
            msg = f"{self.name} must be {self.rule}; it is {value!r}."
            raise InputError(msg)
        return value


def options_of(function: Callable[..., Any]) -> dict[str, Option]:
    """Return the options of a formula, by name: its keyword-only parameters."""
    parameters = inspect.signature(function).parameters
    own = {name: p for name, p in parameters.items() if p.kind is inspect.Parameter.KEYWORD_ONLY}
    hints = get_type_hints(function, include_extras=True) if own else {}  # slow, and most formulas have no options
    options = {}
    for name, parameter in own.items():
        hint = hints[name]
        plain, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        plain, *_ = get_args(plain) or (plain,)  # of a number or a word, the number
        allowed = next((note for note in notes if isinstance(note, (Above, AtLeast, OneOf))), None)
        options[name] = Option(name, plain, allowed, parameter.default)
    return options


def renamed(named: Mapping[str, Any], synonyms: Mapping[str, str]) -> dict[str, Any]:
    """Return arguments under our own names for them, or raise an error if one comes under two names.

    >>> renamed({"labels_true": [0, 1]}, {"labels_true": "truth"})
    {'truth': [0, 1]}
    """
    own: dict[str, Any] = {}
    for name, value in named.items():
        meant = synonyms.get(name, name)
        if meant in own:
            both = " and ".join(each for each in named if synonyms.get(each, each) == meant)
            msg = f"{both} mean the same; give one of them."
            raise InputError(msg)
        own[meant] = value
    return own


def with_synonyms(**synonyms: str) -> Callable[[F], F]:
    """Let a function take arguments by names that other libraries have for them as well."""

    def decorate(function: F) -> F:
        @functools.wraps(function)
        def taking(*positional: Any, **named: Any) -> Any:
            return function(*positional, **renamed(named, synonyms))

        return cast("F", taking)

    return decorate


def seeded(function: F) -> F:
    """Let a function take the seed or generator as `rng` as well as `random_state`; its signature names both.

    >>> @seeded
    ... def draw(*, random_state=0, rng=None):
    ...     return random_state
    >>> draw(rng=5), draw(random_state=5), draw(rng=None)
    (5, 5, 0)
    >>> draw(rng=5, random_state=5)
    Traceback (most recent call last):
    clustval.errors.InputError: rng and random_state mean the same; give one of them.
    """

    @functools.wraps(function)
    def seeded_function(*positional: Any, rng: Any = None, **named: Any) -> Any:
        own = named if rng is None else renamed({"rng": rng, **named}, {"rng": "random_state"})
        return function(*positional, **own)

    return cast("F", seeded_function)


def checked(owner: str, options: Mapping[str, Option], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options, or raise an error: `owner` has no such option, or it allows no such value."""
    for name in values:
        if name not in options:
            has = f"its options are {', '.join(options)}" if options else "it has no options"
            msg = f"{owner} has no option {name!r}; {has}."
            raise InputError(msg)
    return {name: options[name].check(value) for name, value in values.items()}
