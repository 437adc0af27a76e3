"""JSON schemas of Python's types.

Dataclasses, TypedDict, NamedTuple, Enum, Literal, Annotated, Optional and unions, lists, sets, tuples, dicts, dates and UUIDs; a
model of pydantic where the program has pydantic, which then makes the schema.
"""

from __future__ import annotations

import collections.abc
import datetime
import decimal
import enum
import inspect
import pathlib
import types
import typing
import uuid
from typing import Any, Literal, Union

from ._types import DEPTH, DICTS, LISTS, SETS, Field, Member, Mismatch, Schema, adapter, annotated, is_foreign, is_model, members, unwrapped
from ._values import to_json

_PLAIN: dict[Any, Schema] = {
    Any: {},
    object: {},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    decimal.Decimal: {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"},
    datetime.datetime: {"type": "string", "format": "date-time"},
    datetime.date: {"type": "string", "format": "date"},
    datetime.time: {"type": "string", "format": "time"},
    # The format "duration" has neither a sign nor fractions of a second, which durations of Python have.
    datetime.timedelta: {"type": "string"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    pathlib.Path: {"type": "string"},
    dict: {"type": "object"},
    list: {"type": "array"},
    tuple: {"type": "array"},
    set: {"type": "array", "uniqueItems": True},
    frozenset: {"type": "array", "uniqueItems": True},
}


class Writer:
    """Writes schemas. Types that contain themselves, and those used twice, become definitions."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self._names: dict[Any, str] = {}

    def of(self, kind: Any, depth: int = 0) -> Schema:
        if depth > DEPTH:
            raise TypeError(f"{kind!r} nests deeper than {DEPTH} types")
        kind, said = unwrapped(kind)
        schema = self._of(kind, said, depth + 1)
        for word in said:
            if isinstance(word, str):
                schema = {**schema, "description": word}
            elif isinstance(word, Field):
                schema = word.apply(schema)
            elif type(word).__module__.startswith("pydantic") and getattr(word, "description", None):
                schema = {**schema, "description": word.description}
        return schema

    def _of(self, kind: Any, said: tuple[Any, ...], depth: int) -> Schema:
        if is_foreign(said):
            return self._foreign(annotated(kind, said))
        if isinstance(kind, collections.abc.Hashable) and kind in _PLAIN:
            return dict(_PLAIN[kind])
        if is_model(kind):
            return self._foreign(kind)
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if origin is Literal:
            return _choice(list(arguments))
        if origin is Union or origin is types.UnionType:
            return self._union(arguments, depth)
        if origin in LISTS:
            return {"type": "array", "items": self.of(arguments[0], depth)}
        if origin in SETS:
            return {"type": "array", "items": self.of(arguments[0], depth), "uniqueItems": True}
        if origin is tuple:
            return self._tuple(arguments, depth)
        if origin in DICTS:
            if arguments[0] is not str:
                raise TypeError(f"{kind!r}: the keys of an object in JSON are texts")
            values = self.of(arguments[1], depth)
            return {"type": "object", **({"additionalProperties": values} if values else {})}
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return _choice([member.value for member in kind])
        if members(kind) is not None:
            return self._named(kind, depth)
        raise TypeError(f"{kind!r} has no JSON schema: use a dataclass, a TypedDict, a pydantic model, or a type of the standard library")

    def _union(self, arguments: tuple[Any, ...], depth: int) -> Schema:
        parts = [self.of(part, depth) for part in arguments]
        if len(parts) == 2 and {"type": "null"} in parts:
            other = next((part for part in parts if part != {"type": "null"}), {})
            if isinstance(other.get("type"), str) and "enum" not in other and "const" not in other:
                return {**other, "type": [other["type"], "null"]}
        return {"anyOf": parts}

    def _tuple(self, arguments: tuple[Any, ...], depth: int) -> Schema:
        if len(arguments) == 2 and arguments[1] is Ellipsis:
            return {"type": "array", "items": self.of(arguments[0], depth)}
        parts = [self.of(part, depth) for part in arguments]
        return {"type": "array", "prefixItems": parts, "minItems": len(parts), "maxItems": len(parts)}

    def _named(self, kind: Any, depth: int) -> Schema:
        name = self._names.get(kind)
        if name is None:
            name = kind.__name__
            while name in self.definitions:
                name += "_"
            self._names[kind] = name
            self.definitions[name] = {}
            self.definitions[name] = self.object(members(kind) or {}, depth, own_docstring(kind))
        return {"$ref": f"#/$defs/{name}"}

    def object(self, parts: dict[str, Member], depth: int = 0, description: str = "") -> Schema:
        schema: Schema = {"type": "object"}
        if description:
            schema["description"] = description
        schema["properties"] = {name: self._member(name, part, depth) for name, part in parts.items()}
        needed = [name for name, part in parts.items() if part.needed]
        if needed:
            schema["required"] = needed
        return schema

    def _member(self, name: str, part: Member, depth: int) -> Schema:
        try:
            schema = self.of(part.type, depth)
        except TypeError as why:
            # Of a member of a class it is said at each level, from the outside in.
            raise TypeError(f"'{name}': {why}") from None
        if part.default is not inspect.Parameter.empty:
            try:
                schema = {**schema, "default": to_json(part.default)}
            except Mismatch:
                pass  # A default that JSON does not have is used, but not told.
        return schema

    def _foreign(self, kind: Any) -> Schema:
        schema: Schema = adapter(kind).json_schema(ref_template="#/$defs/{model}")
        self.definitions.update(schema.pop("$defs", {}))
        return schema

    def whole(self, schema: Schema) -> Schema:
        """A schema with its definitions. One that is nothing but a reference becomes what it refers to: clients want an object."""
        name = schema.get("$ref", "").removeprefix("#/$defs/")
        if set(schema) == {"$ref"} and name in self.definitions:
            schema = self.definitions[name]
            if not _refers(self.definitions, f"#/$defs/{name}"):
                del self.definitions[name]
        return {**schema, "$defs": self.definitions} if self.definitions else schema


def _refers(schema: Any, reference: str) -> bool:
    """Whether a schema has a reference in it."""
    if isinstance(schema, dict):
        return schema.get("$ref") == reference or any(_refers(part, reference) for part in schema.values())
    return isinstance(schema, list) and any(_refers(part, reference) for part in schema)


def schema_of(kind: Any) -> Schema:
    """The JSON schema of a type."""
    writer = Writer()
    return writer.whole(writer.of(kind))


def own_docstring(kind: Any) -> str:
    """What the author wrote about a class, not what dataclass or NamedTuple make up."""
    text = inspect.cleandoc(kind.__doc__ or "") if isinstance(getattr(kind, "__doc__", None), str) else ""
    return "" if text.startswith(f"{kind.__name__}(") else text


def _choice(values: list[Any]) -> Schema:
    kinds = {str: "string", int: "integer", bool: "boolean", float: "number"}
    names = {kinds.get(type(value), "") for value in values}
    return {"type": names.pop(), "enum": values} if len(names) == 1 and "" not in names else {"enum": values}
