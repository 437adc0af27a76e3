"""Values of Python's types from JSON, and back."""

from __future__ import annotations

import base64
import collections.abc
import datetime
import decimal
import enum
import inspect
import pathlib
import re
import types
import typing
import uuid
from typing import Any, Literal, Union

from ._types import DEPTH, DICTS, LISTS, SETS, Field, Mismatch, adapter, annotated, is_foreign, is_model, members, unwrapped


#: What JSON has itself.
_ATOMS = frozenset({str, int, float, bool})


def from_json(kind: Any, value: Any, place: str = "", depth: int = 0, checks: bool = False) -> Any:
    """A value of a type from what `json.loads` gives. The first thing that does not fit is a Mismatch. `checks` is whether what a
    Field forbids does not fit either, at any depth and in each type of a union: where the library has not checked a schema."""
    if type(value) is kind and kind in _ATOMS:
        return value
    if depth > DEPTH:
        raise Mismatch(f"{place or 'the value'} nests deeper than {DEPTH} levels")
    kind, said = unwrapped(kind)
    foreign = is_foreign(said)
    made = _from_foreign(annotated(kind, said), value, place) if foreign else _from_json(kind, value, place, depth, checks)
    for word in said if checks else ():
        if isinstance(word, Field):
            word.check(made if foreign else value, place.lstrip(".") or "the value")
    return made


def _from_json(kind: Any, value: Any, place: str, depth: int, checks: bool) -> Any:
    if kind in (Any, object, inspect.Parameter.empty):
        return value
    if is_model(kind):
        return _from_foreign(kind, value, place)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Literal:
        return _one_of(value, arguments, place)
    if origin is Union or origin is types.UnionType:
        return _any_of(arguments, value, place, depth, checks)
    if origin in (*LISTS, *SETS, tuple) or kind in (list, set, frozenset, tuple):
        return _sequence(origin or kind, arguments, value, place, depth, checks)
    if origin in DICTS or kind is dict:
        _expect(isinstance(value, dict), place, "an object", value)
        part = arguments[1] if arguments else Any
        return {key: from_json(part, item, f"{place}.{key}", depth + 1, checks) for key, item in value.items()}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return kind(_one_of(value, tuple(member.value for member in kind), place))
    parts = members(kind)
    if parts is None:
        return _plain(kind, value, place)
    _expect(isinstance(value, dict), place, "an object", value)
    missing = [name for name, part in parts.items() if part.needed and name not in value]
    if missing:
        raise Mismatch(f"{place or 'the value'} lacks {missing[0]!r}")
    made = {
        name: from_json(part.type, value[name], f"{place}.{name}", depth + 1, checks) for name, part in parts.items() if name in value
    }
    return {**value, **made} if typing.is_typeddict(kind) else kind(**made)


def _expect(holds: bool, place: str, wanted: str, value: Any) -> None:
    if not holds:
        raise Mismatch(f"{place.lstrip('.') or 'the value'} must be {wanted}, not {type(value).__name__}")


def _one_of(value: Any, allowed: tuple[Any, ...], place: str) -> Any:
    for one in allowed:
        if type(one) is type(value) and one == value:
            return one
    raise Mismatch(f"{place.lstrip('.') or 'the value'} must be one of {', '.join(map(repr, allowed))}")


def _any_of(kinds: tuple[Any, ...], value: Any, place: str, depth: int, checks: bool) -> Any:
    failures = []
    for kind in kinds:
        try:
            return from_json(kind, value, place, depth + 1, checks)
        except Mismatch as wrong:
            failures.append(str(wrong))
    raise Mismatch("; or ".join(failures))


def _sequence(origin: Any, arguments: tuple[Any, ...], value: Any, place: str, depth: int, checks: bool) -> Any:
    _expect(isinstance(value, list), place, "a list", value)
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        if len(arguments) != len(value):
            raise Mismatch(f"{place.lstrip('.') or 'the value'} must have {len(arguments)} entries, not {len(value)}")
        kinds = list(arguments)
    else:
        kinds = [arguments[0] if arguments else Any] * len(value)
    made = [from_json(kind, item, f"{place}[{index}]", depth + 1, checks) for index, (kind, item) in enumerate(zip(kinds, value))]
    if origin is tuple:
        return tuple(made)
    if origin in SETS:
        return frozenset(made) if origin is frozenset else set(made)
    return made


#: A duration of ISO 8601, weeks or all else without years and months, whose lengths differ.
_DURATION = re.compile(r"(-?)P(?:(\d{1,9})W|(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?)")


def _duration(text: str) -> datetime.timedelta:
    found = _DURATION.fullmatch(text)
    if found is None or text.endswith(("P", "T")):
        raise ValueError(f"{text!r} is not a duration as P1DT2H30M5S")
    sign, seconds = found[1], float(found[6] or 0)
    weeks, days, hours, minutes = (int(number or 0) for number in found.groups()[1:5])
    length = datetime.timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -length if sign else length


def _plain_number(length: datetime.timedelta) -> str:
    """The seconds beside the days."""
    return f"{length.seconds}.{length.microseconds:06}".rstrip("0").rstrip(".") if length.microseconds else str(length.seconds)


def _plain(kind: Any, value: Any, place: str) -> Any:
    try:
        if kind is None or kind is type(None):
            _expect(value is None, place, "null", value)
            return None
        if kind is bool:
            _expect(isinstance(value, bool), place, "true or false", value)
        elif kind is int:
            whole = isinstance(value, float) and value.is_integer()
            _expect(whole or (isinstance(value, int) and not isinstance(value, bool)), place, "a whole number", value)
            return int(value)
        elif kind is float:
            _expect(isinstance(value, (int, float)) and not isinstance(value, bool), place, "a number", value)
            return float(value)
        elif kind is str:
            _expect(isinstance(value, str), place, "a text", value)
        else:
            _expect(isinstance(value, str), place, "a text", value)
            if kind is bytes:
                return base64.b64decode(value, validate=True)
            if kind in (datetime.datetime, datetime.date, datetime.time):
                return kind.fromisoformat(value.replace("Z", "+00:00") if kind is not datetime.date else value)
            if kind is datetime.timedelta:
                return _duration(value)
            if kind in (uuid.UUID, decimal.Decimal, pathlib.Path):
                made = kind(value)
                _expect(not isinstance(made, decimal.Decimal) or made.is_finite(), place, "a number", value)
                return made
            raise TypeError(f"{kind!r} cannot be made from JSON")
        return value
    except (ValueError, ArithmeticError) as wrong:
        if isinstance(wrong, Mismatch):
            raise
        raise Mismatch(f"{place.lstrip('.') or 'the value'}: {wrong}") from wrong


def _from_foreign(kind: Any, value: Any, place: str) -> Any:
    try:
        return adapter(kind).validate_python(value)
    except ValueError as wrong:
        problems = getattr(wrong, "errors", None)
        first = problems(include_url=False, include_context=False, include_input=False)[0] if problems else {"msg": str(wrong)}
        where = ".".join(str(part) for part in (place.lstrip("."), *first.get("loc", ())) if part != "")
        raise Mismatch(f"{where or 'the value'}: {first['msg']}") from wrong


def to_json(value: Any, depth: int = 0) -> Any:
    """What `json.dumps` takes, from a value of one of the types."""
    if depth > DEPTH:
        raise Mismatch(f"the value nests deeper than {DEPTH} levels")
    if isinstance(value, enum.Enum):
        return to_json(value.value, depth + 1)
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, collections.abc.Mapping):
        return {str(key): to_json(item, depth + 1) for key, item in value.items()}
    if is_model(type(value)):
        return adapter(type(value)).dump_python(value, mode="json", by_alias=True)
    parts = members(type(value))
    if parts is not None:
        return {name: to_json(getattr(value, name), depth + 1) for name in parts}
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        return f"{'-' if value < datetime.timedelta() else ''}P{abs(value).days}DT{_plain_number(abs(value))}S"
    if isinstance(value, (uuid.UUID, decimal.Decimal, pathlib.PurePath)):
        return str(value)
    if isinstance(value, (list, tuple, set, frozenset, collections.abc.Sequence)):
        return [to_json(item, depth + 1) for item in value]
    raise Mismatch(f"a {type(value).__name__} cannot be written as JSON")
