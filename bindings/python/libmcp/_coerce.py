"""Arguments as models write them, for servers with `coerce=True`: "1" where a whole number belongs, an object as a text of JSON."""

from __future__ import annotations

import json
import math
import re
import types
import typing
from typing import Any, Union

from ._types import DEPTH, DICTS, LISTS, SETS, Mismatch, is_foreign, is_model, members, unwrapped
from ._values import from_json

#: The texts and numbers that pydantic takes for a truth value, too.
_TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
#: A longer one is not a number that a function counts with, and reading it takes long.
_DIGITS = 4000


def coerced(kind: Any, value: Any, place: str, depth: int = 0) -> Any:
    """What `from_json` takes for a type. What cannot become it stays as it is, for `from_json` to refuse, which checks limits too."""
    if depth > DEPTH:
        raise Mismatch(f"{place} nests deeper than {DEPTH} levels")
    kind, said = unwrapped(kind)
    if is_foreign(said):
        return value  # pydantic converts and checks it.
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is Union or origin is types.UnionType:
        return _of_union(arguments, value, place, depth)
    if isinstance(value, str) and kind in (bool, int, float):
        return _number(kind, value)
    if kind is bool and isinstance(value, (int, float)) and value in (0, 1):
        return bool(value)
    is_list = origin in (*LISTS, *SETS, tuple) or kind in (list, set, frozenset, tuple)
    parts = members(kind)
    is_object = origin in DICTS or kind is dict or parts is not None or is_model(kind)
    if isinstance(value, str) and (is_list or is_object):
        value = _read(value, list if is_list else dict)
    if is_list and isinstance(value, list) and arguments:
        each = origin is not tuple or arguments[-1] is Ellipsis
        kinds = [arguments[0]] * len(value) if each else [*arguments, *[Any] * (len(value) - len(arguments))]
        return [coerced(one, item, f"{place}[{index}]", depth + 1) for index, (one, item) in enumerate(zip(kinds, value))]
    if is_object and isinstance(value, dict) and not is_model(kind):
        if parts is None:
            part = arguments[1] if arguments else Any
            return {key: coerced(part, item, f"{place}.{key}", depth + 1) for key, item in value.items()}
        return {
            key: coerced(parts[key].type, item, f"{place}.{key}", depth + 1) if key in parts else item for key, item in value.items()
        }
    return value


def _of_union(kinds: tuple[Any, ...], value: Any, place: str, depth: int) -> Any:
    """The first type that takes the value as it is, and else the first that takes it converted. Where no type does, the first
    conversion, so that the refusal names the limit and not the text."""
    best = value
    for converts in (False, True):
        for kind in kinds:
            made = value
            try:
                made = coerced(kind, value, place, depth + 1) if converts else value
                from_json(kind, made, place, depth + 1, checks=True)
                return made
            except Mismatch:
                best = made if best is value else best
    return best


def _number(kind: Any, text: str) -> Any:
    said = text.strip()
    if kind is bool:
        return _TRUTH.get(said.lower(), text)
    try:
        if kind is float or not re.fullmatch(r"[+-]?[0-9]+", said):
            made = float(said) if re.fullmatch(r"[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?", said) else math.inf
            return made if math.isfinite(made) else text
        return int(said) if len(said) <= _DIGITS else text
    except ValueError:
        return text


def _finite(text: str) -> float:
    """A number of JSON: NaN and Infinity are invalid, and 1e400 is more than a number of Python holds."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a number that functions count with")
    return number


def _read(text: str, wanted: type) -> Any:
    try:
        made = json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return text
    return made if isinstance(made, wanted) else text
