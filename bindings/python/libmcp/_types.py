"""What schemas and values have to know about Python's types."""

from __future__ import annotations

import collections.abc
import dataclasses
import fractions
import functools
import inspect
import math
import operator
import re
import sys
import typing
from typing import Annotated, Any, NamedTuple

#: How deep types and values may nest.
DEPTH = 64

LISTS = (list, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Collection, collections.abc.Iterator)
SETS = (set, frozenset, collections.abc.Set)
DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)

Schema = dict[str, Any]


class Mismatch(ValueError):
    """A value is not what its type says; the text names the place."""


@dataclasses.dataclass(frozen=True)
class Field:
    """Says more of a parameter or of a member: `Annotated[int, Field("How many", ge=1, le=100)]`."""

    description: str | None = None
    title: str | None = None
    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    lt: float | None = None
    multiple_of: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    examples: list[Any] | None = None

    def apply(self, schema: Schema) -> Schema:
        size = "Items" if schema.get("type") in ("array", ["array", "null"]) else "Length"
        names = {
            "description": "description", "title": "title", "ge": "minimum", "gt": "exclusiveMinimum",
            "le": "maximum", "lt": "exclusiveMaximum", "multiple_of": "multipleOf", "min_length": f"min{size}",
            "max_length": f"max{size}", "pattern": "pattern", "format": "format", "examples": "examples",
        }
        said = {theirs: getattr(self, ours) for ours, theirs in names.items()}
        return {**schema, **{name: value for name, value in said.items() if value is not None}}

    def check(self, value: Any, place: str) -> None:
        """Raises what a value of JSON is not, where the library has not checked it."""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            bounds: tuple[tuple[str, float | None, bool], ...] = (
                ("at least", self.ge, self.ge is None or value >= self.ge), ("more than", self.gt, self.gt is None or value > self.gt),
                ("at most", self.le, self.le is None or value <= self.le), ("less than", self.lt, self.lt is None or value < self.lt),
                ("a multiple of", self.multiple_of, self.multiple_of is None or _is_multiple(value, self.multiple_of)),
            )
            for words, bound, holds in bounds:
                if not holds:
                    raise Mismatch(f"{place} must be {words} {bound}, not {value}")
        if isinstance(value, (str, list)):
            unit = "characters" if isinstance(value, str) else "entries"
            if self.min_length is not None and len(value) < self.min_length:
                raise Mismatch(f"{place} must have at least {self.min_length} {unit}, not {len(value)}")
            if self.max_length is not None and len(value) > self.max_length:
                raise Mismatch(f"{place} must have at most {self.max_length} {unit}, not {len(value)}")
        if isinstance(value, str) and self.pattern is not None and re.search(self.pattern, value) is None:
            raise Mismatch(f"{place} must match {self.pattern}")


def _is_multiple(value: float, of: float) -> bool:
    """By the digits that JSON has: of binary fractions, 0.07 is not a multiple of 0.01."""
    return (isinstance(value, int) or math.isfinite(value)) and _fraction(value) % _fraction(of) == 0


def _fraction(number: float) -> fractions.Fraction:
    return fractions.Fraction(number if isinstance(number, int) else str(number))


class Member(NamedTuple):
    """A member of an object, or a parameter of a function."""

    type: Any
    needed: bool
    default: Any = inspect.Parameter.empty


def is_model(kind: Any) -> bool:
    """Whether pydantic is to make schema and value. It is not imported for that: a program that has a model has imported it."""
    pydantic = sys.modules.get("pydantic")
    if pydantic is None or not isinstance(kind, type):
        return False
    return issubclass(kind, pydantic.BaseModel) or hasattr(kind, "__pydantic_validator__")


@functools.lru_cache(maxsize=1024)
def _kept_adapter(kind: Any) -> Any:
    return sys.modules["pydantic"].TypeAdapter(kind)


def adapter(kind: Any) -> Any:
    """pydantic's reader and writer of a type."""
    try:
        return _kept_adapter(kind)
    except TypeError:  # What Annotated has need not be hashable.
        return sys.modules["pydantic"].TypeAdapter(kind)


def annotated(kind: Any, said: tuple[Any, ...]) -> Any:
    """A type with what Annotated said of it."""
    subscript: Any = operator.getitem
    return subscript(Annotated, (kind, *said))


def members(kind: Any) -> dict[str, Member] | None:
    """The members of a type that is an object in JSON, in order; None for other types."""
    if not isinstance(kind, type):
        return None
    if dataclasses.is_dataclass(kind):
        hints = _hints(kind)
        return {
            field.name: Member(
                hints[field.name], field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING,
                inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default,
            )
            for field in dataclasses.fields(kind) if field.init
        }
    if typing.is_typeddict(kind):
        needed: frozenset[str] = getattr(kind, "__required_keys__", frozenset())
        return {name: Member(hint, name in needed) for name, hint in _hints(kind).items()}
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        defaults: dict[str, Any] = getattr(kind, "_field_defaults", {})
        hints = _hints(kind)
        empty = inspect.Parameter.empty
        return {
            name: Member(hints.get(name, Any), name not in defaults, defaults.get(name, empty)) for name in getattr(kind, "_fields")
        }
    return None


def _hints(kind: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(kind, include_extras=True)
    except NameError as error:
        raise TypeError(f"{kind.__qualname__}: the type of a member is not known where the class is defined: {error}") from error


def unwrapped(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without Required and the like, and what Annotated says of it."""
    said: tuple[Any, ...] = ()
    while True:
        origin = typing.get_origin(kind)
        if origin is Annotated:
            kind, *more = typing.get_args(kind)
            said = (*more, *said)
        elif origin is not None and getattr(origin, "_name", getattr(origin, "__name__", "")) in ("Required", "NotRequired", "ReadOnly"):
            kind = typing.get_args(kind)[0]
        elif hasattr(kind, "__supertype__"):  # NewType
            kind = kind.__supertype__
        elif type(kind).__name__ == "TypeAliasType":
            kind = kind.__value__
        else:
            return kind, said


def is_foreign(said: tuple[Any, ...]) -> bool:
    """Whether Annotated has something that pydantic is to read."""
    if not said or "pydantic" not in sys.modules:
        return False
    return any(type(word).__module__.split(".")[0] in ("pydantic", "annotated_types") for word in said)
