"""What every result can do: be compared by value, copied and pickled, written as JSON and read back.

JSON has text, numbers, lists and objects. What it lacks is written as an object of one member whose name begins with
a dollar: ``{"$float": "nan"}``, ``{"$tuple": [3, "dunn"]}``, ``{"$Rule": "highest"}``, ``{"$Table": {...}}``. Rules
and indices go by name, so that nothing but data is ever read.
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from clustval.annotation import annotate
from clustval.declare import KINDS, Index, Request, recalled, without_lazy
from clustval.errors import InputError
from clustval.rules import RULES, Rule
from clustval.version import __version__
from clustval.whole_files import write

V = TypeVar("V")

OWN_FORMULAS = "clustval.formulas."  # modules that reading JSON may import
TAG = "$"
LARGEST = 2**63  # whole numbers from here on are beyond what most readers of JSON keep exactly, and Python limits
SHOWN = 200  # characters of a text that an error repeats


class UniqueName:
    """A name that equals no other. In the same place of two results, two of them count as equal."""

    def __init_subclass__(cls) -> None:
        CLASSES[cls.__name__] = cls


class Result:
    """What a public function returns: a value that can be compared, copied, pickled and written as JSON."""

    _sources: ClassVar[tuple[str, ...]] = ()  # what lies behind the value: pickled, but not compared or written

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        CLASSES.setdefault(cls.__name__, cls)

    def _content(self) -> dict[str, Any]:
        """Return what JSON keeps, by the parameters of the constructor that it is given to again."""
        result: Any = self  # a dataclass, as every subclass without `_content` of its own is
        names = (field.name for field in fields(result) if field.name not in self._sources)
        return {name: getattr(self, name) for name in names}

    def _compared(self) -> dict[str, Any]:
        """Return what must be the same in two results that are equal."""
        return self._content()

    @classmethod
    def _of_content(cls, content: dict[str, Any]) -> Self:
        """Return the result that has this content."""
        return cls(**content, **dict.fromkeys(cls._sources))

    def _behind(self, source: V | None) -> V:
        """Return what lies behind the value, or raise an error if that is no more."""
        if source is None:
            msg = (
                f"This {type(self).__name__} was read from JSON, which keeps values only; "
                "evaluate again for what lies behind them, or pickle results instead."
            )
            raise InputError(msg)
        return source

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return same(self._compared(), other._compared())

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is computed again on first use."""
        return without_lazy(self)

    def _of_points(self) -> dict[str, Any]:
        """Return values of all points of the input, by name, which `write` puts beside them."""
        return {}

    def _tables(self) -> dict[str, Any]:
        """Return frames of pandas by name, which `write` keeps."""
        frame = getattr(self, "to_pandas", None)
        return {} if frame is None else {"table": frame()}

    def _parameters(self) -> dict[str, Any]:
        """Return what `write` keeps beside them: how the result was made."""
        return {}

    def write(self, data: Any, *, key_added: str | None = None) -> None:
        """Write the result into annotated cells, AnnData or MuData, whose cells are the points.

        Values of points become columns of ``obs``, such as ``clustval_silhouette``; tables and parameters go to
        ``uns["clustval"]["result"]``. With `key_added` it is named where "clustval" and "result" are. What was there
        under these names is replaced. Files of cells can store it all.
        """
        parameters = {"class": type(self).__name__, "version": __version__} | self._parameters()
        annotate(data, key_added, self._of_points(), self._tables(), parameters)

    def plot(self, *_positional: Any, **_options: Any) -> Any:
        """Raise an error that says that there is no figure: results with a figure of their own draw it."""
        msg = f"{type(self).__name__} has no figure: its numbers say it all, in to_pandas() and to_polars()."
        raise InputError(msg)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the result as JSON, written to `path` if given; `from_json` reads it back."""
        writer = _Writer(type(self).__name__)
        content = {name: writer(value) for name, value in self._content().items()}
        text = json.dumps({"clustval": __version__, "class": type(self).__name__, "value": content}, allow_nan=False)
        if path is not None:
            write(path, text)
        return text

    @classmethod
    def from_json(cls, text_or_path: str | os.PathLike[str]) -> Self:
        """Return the result that `to_json` wrote, from the text itself or from a file."""
        text, where = _text_of(text_or_path)
        try:
            document = json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            msg = f"{where} is not JSON: {error}."
            raise InputError(msg) from None
        kind = document.get("class") if isinstance(document, dict) else None
        if not isinstance(kind, str) or "value" not in document:
            msg = f"{where} holds no result of clustval; to_json writes such."
            raise InputError(msg)
        if kind != cls.__name__:
            msg = f"{where} holds a {kind}, not a {cls.__name__}; read it with {kind}.from_json."
            raise InputError(msg)
        try:
            return cls._of_content(_Reader().content(document["value"]))
        except InputError:
            raise
        except BROKEN as error:
            msg = (
                f"{where} is no whole {kind}, or not of this version: clustval {document.get('clustval')} wrote it, "
                f"and clustval {__version__} cannot read it ({type(error).__name__}: {error})."
            )
            raise InputError(msg) from error


CLASSES: dict[str, Any] = {}  # what JSON may name: results and the nameless
BROKEN = (ArithmeticError, AttributeError, ImportError, LookupError, RecursionError, TypeError, ValueError)


# --- compared --------------------------------------------------------------------------------------------


def same(a: Any, b: Any) -> bool:
    """Return whether two values are equal, NaN to NaN, arrays, sequences, mappings and records part by part.

    >>> same({"k": np.array([1.0, np.nan])}, {"k": np.array([1.0, np.nan])})
    True
    """
    if a is b:
        return True
    for kinds, alike in COMPARISONS:
        if isinstance(a, kinds) or isinstance(b, kinds):
            return isinstance(a, kinds) and isinstance(b, kinds) and alike(a, b)
    if is_dataclass(a) and not isinstance(a, type):
        return type(a) is type(b) and all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    try:
        return bool(a == b) or bool(a != a and b != b)  # noqa: PLR0124 - NaN
    except (TypeError, ValueError):  # missing values and foreign arrays say neither yes nor no
        return False


def _same_arrays(a: NDArray[Any], b: NDArray[Any]) -> bool:
    if a.shape != b.shape:
        return False
    if a.dtype.kind == "O" or b.dtype.kind == "O":
        return all(map(same, a.ravel().tolist(), b.ravel().tolist()))
    return np.array_equal(a, b, equal_nan=a.dtype.kind == b.dtype.kind == "f")


def _same_mappings(a: Mapping[Any, Any], b: Mapping[Any, Any]) -> bool:
    if a.keys() == b.keys():
        return all(same(value, b[key]) for key, value in a.items())
    return _same_sequences(list(a.items()), list(b.items()))  # keys may be nameless: then by their order


def _same_sequences(a: Any, b: Any) -> bool:
    return len(a) == len(b) and all(map(same, a, b))


COMPARISONS: tuple[tuple[Any, Callable[[Any, Any], bool]], ...] = (
    (Result, lambda a, b: bool(a == b)),
    (UniqueName, lambda a, b: type(a) is type(b)),
    (np.ndarray, _same_arrays),
    (Mapping, _same_mappings),
    ((list, tuple), _same_sequences),
)


# --- written ---------------------------------------------------------------------------------------------


class _Writer:
    """Turns the content of a result into what JSON has."""

    def __init__(self, holder: str) -> None:
        self.holder = holder
        self.nameless: dict[UniqueName, int] = {}

    def __call__(self, value: Any) -> Any:
        for kinds, write_kind in WRITERS:
            if isinstance(value, kinds):
                return write_kind(value, self)
        return self.refuse(value)

    def refuse(self, value: Any) -> Any:
        """Raise an error that names what JSON cannot keep."""
        msg = (
            f"JSON cannot keep {_short(value)}, a {type(value).__name__}, which this {self.holder} holds: only text, "
            "numbers, None, arrays and tuples of them, and the indices and rules of clustval. Pickle it instead."
        )
        raise InputError(msg)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def _tagged(name: str, value: Any) -> dict[str, Any]:
    return {TAG + name: value}


def _integer(value: int, _writer: _Writer) -> Any:
    return int(value) if -LARGEST < value < LARGEST else _tagged("int", hex(value))


def _number(value: float, _writer: _Writer) -> Any:
    return float(value) if math.isfinite(value) else _tagged("float", repr(float(value)))


def _elements(values: NDArray[Any], writer: _Writer) -> dict[str, Any]:
    dtype = values.dtype
    if dtype.kind not in ELEMENTS or (dtype.kind == "f" and dtype.itemsize > 8):
        writer.refuse(values)
    data = values.ravel().tolist()
    if dtype.kind == "O" or (dtype.kind == "f" and not np.isfinite(values).all()):
        data = [writer(value) for value in data]
    return {"dtype": dtype.str, "shape": list(values.shape), "data": data}


def _mapping(values: Mapping[Any, Any], writer: _Writer) -> dict[str, Any]:
    by_text = all(type(key) is str for key in values)
    if by_text and not (len(values) == 1 and next(iter(values)).startswith(TAG)):
        return {key: writer(value) for key, value in values.items()}
    return _tagged("mapping", [[writer(key), writer(value)] for key, value in values.items()])


def _rule(rule: Rule, writer: _Writer) -> dict[str, str]:
    return _tagged("Rule", rule.name) if RULES.get(rule.name) == rule else writer.refuse(rule)


def _index(index: Index, writer: _Writer) -> dict[str, Any]:
    if index.kind not in KINDS or KINDS[index.kind].records.get(index.name) is not index:
        writer.refuse(index)
    return _tagged("Index", {"kind": index.kind, "name": index.name, "module": index.formula.__module__})


def _choice(choice: Request, writer: _Writer) -> dict[str, Any]:
    return _tagged("Choice", {field.name: writer(getattr(choice, field.name)) for field in fields(choice)})


def _result(result: Result, writer: _Writer) -> dict[str, Any]:
    content = result._content()  # noqa: SLF001 - its own kind
    return _tagged(type(result).__name__, {name: writer(value) for name, value in content.items()})


def _nameless(value: UniqueName, writer: _Writer) -> dict[str, Any]:
    number = writer.nameless.setdefault(value, len(writer.nameless))
    return _tagged("nameless", [type(value).__name__, number])


WRITERS: tuple[tuple[Any, Callable[[Any, _Writer], Any]], ...] = (  # the first that fits
    (Result, _result),
    (np.generic, lambda value, writer: _tagged("scalar", _elements(np.asarray(value), writer))),
    ((NoneType, bool), lambda value, _writer: value),
    (str, lambda value, _writer: str.__str__(value)),
    (int, _integer),
    (float, _number),
    (np.ndarray, lambda value, writer: _tagged("array", _elements(value, writer))),
    (tuple, lambda value, writer: _tagged("tuple", [writer(each) for each in value])),
    (list, lambda value, writer: [writer(each) for each in value]),
    (Mapping, _mapping),
    (Rule, _rule),
    (Index, _index),
    (Request, _choice),
    (UniqueName, _nameless),
)


# --- read ------------------------------------------------------------------------------------------------


def _text_of(text_or_path: Any) -> tuple[str, str]:
    """Return the text, and what errors call it."""
    if not isinstance(text_or_path, (str, os.PathLike)):
        msg = f"from_json takes JSON or the name of a file; it was given a {type(text_or_path).__name__}."
        raise InputError(msg)
    if isinstance(text_or_path, str) and text_or_path.lstrip().startswith("{"):
        return text_or_path, "This text"
    try:
        return Path(text_or_path).read_text(encoding="utf-8-sig"), str(text_or_path)
    except OSError as error:
        reason = f"no file that can be read: {error.strerror}"
    except ValueError:  # also bytes that are no text
        reason = "no file of text in UTF-8"
    msg = f"{_short(os.fspath(text_or_path))} is no JSON of a result, and {reason}."
    raise InputError(msg)


def _refuse(constant: str) -> Any:
    msg = f"{constant} is no number of JSON"
    raise ValueError(msg)


class _Reader:
    """Turns what JSON has into the content of a result."""

    def __init__(self) -> None:
        self.nameless: dict[int, Any] = {}

    def __call__(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self(each) for each in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, inner),) = value.items()
            if name.startswith(TAG):
                return self.tagged(name.removeprefix(TAG), inner)
        return {name: self(each) for name, each in value.items()}

    def tagged(self, name: str, value: Any) -> Any:
        """Return what JSON itself has not."""
        if name in READERS:
            return READERS[name](value, self)
        return CLASSES[name]._of_content(self.content(value))  # noqa: SLF001 - they are results

    def content(self, value: Any) -> dict[str, Any]:
        """Return the content of a result."""
        return {name: self(each) for name, each in value.items()}


def _read_elements(value: Mapping[str, Any], reader: _Reader) -> NDArray[Any]:
    dtype, data = value["dtype"], value["data"]
    if not re.fullmatch(DTYPES, dtype):
        msg = f"no array is of type {dtype!r}"
        raise ValueError(msg)
    kind = dtype[1]
    elements = [reader(each) if isinstance(each, dict) or kind == "O" else each for each in data]
    if kind == "O":
        return np.fromiter(elements, dtype=object, count=len(elements)).reshape(value["shape"])
    bounds = np.iinfo(dtype) if kind in "iu" else None  # NumPy 1 lets numbers beyond them start again from the other
    if not set(map(type, elements)) <= ELEMENTS[kind] or (
        bounds and not all(bounds.min <= each <= bounds.max for each in elements)
    ):
        msg = f"an array of type {dtype!r} holds something else"
        raise ValueError(msg)
    return np.array(elements, dtype=dtype).reshape(value["shape"])


def _read_index(value: Mapping[str, Any], _reader: _Reader) -> Index:
    """Return the index of this name; an index of the user's own must have been declared before."""
    kind, name, module = value["kind"], value["name"], value["module"]
    if module.startswith(OWN_FORMULAS):
        return recalled(module, kind, name)
    if kind in KINDS and name in KINDS[kind].records:
        return KINDS[kind].records[name]
    msg = f"The {kind} index {name!r} is not known; import the module {module} that declares it, then read again."
    raise InputError(msg)


def _read_nameless(value: Any, reader: _Reader) -> Any:
    name, number = value
    if number not in reader.nameless:
        reader.nameless[number] = CLASSES[name]()
    return reader.nameless[number]


FLOATS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
ELEMENTS: dict[str, set[type]] = {  # by the kind of an array: what JSON has for its elements
    "b": {bool},
    "i": {int},
    "u": {int},
    "f": {int, float},  # other programs write 1.0 as 1
    "U": {str},
    "O": {object},
}
DTYPES = rf"[<>|][{''.join(ELEMENTS)}]\d*"
READERS: dict[str, Callable[[Any, _Reader], Any]] = {
    "float": lambda value, _reader: FLOATS[value],
    "int": lambda value, _reader: int(value, 16),
    "tuple": lambda value, reader: tuple(map(reader, value)),
    "mapping": lambda value, reader: {reader(key): reader(each) for key, each in value},
    "array": _read_elements,
    "scalar": lambda value, reader: _read_elements(value, reader)[()],
    "Rule": lambda value, _reader: RULES[value],
    "Choice": lambda value, reader: Request(**reader.content(value)),
    "Index": _read_index,
    "nameless": _read_nameless,
}
