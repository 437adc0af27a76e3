"""The schema of a form (elicitation): flat, with members that are texts, numbers, truth values or choices."""

from __future__ import annotations

from typing import Any

from ._schema import schema_of
from ._types import Schema

#: What a member of a form may say (2025-11-25, ElicitRequestFormParams).
_KEYS = {
    "type", "title", "description", "minLength", "maxLength", "pattern", "format", "minimum", "maximum", "enum", "enumNames", "default",
    "items", "minItems", "maxItems", "oneOf",
}


def form_of(kind: Any) -> Schema:
    """The schema of a form from a type; a TypeError if the type does not make one."""
    schema = schema_of(kind)
    definitions = schema.get("$defs", {})
    if schema.get("type") != "object":
        raise TypeError(f"{kind!r} is no form: use a dataclass, a TypedDict or a model")
    made: Schema = {"type": "object", "properties": {}}
    for name, part in schema.get("properties", {}).items():
        made["properties"][name] = _member(kind, name, part, definitions)
    if schema.get("required"):
        made["required"] = schema["required"]
    return made


def _member(kind: Any, name: str, part: Schema, definitions: dict[str, Schema]) -> Schema:
    if "$ref" in part:
        part = {**definitions.get(part["$ref"].removeprefix("#/$defs/"), {}), **part}
    options = [one for one in part.get("anyOf", ()) if one != {"type": "null"}]
    if len(options) == 1:  # An optional member is one that may be left out.
        part = {**options[0], **part}
    types = part.get("type")
    if isinstance(types, list):
        part = {**part, "type": next((one for one in types if one != "null"), "string")}
    if part.get("type") not in ("string", "number", "integer", "boolean") and not (
        part.get("type") == "array" and "enum" in part.get("items", {})
    ):
        raise TypeError(f"{kind!r}: the member {name!r} of a form must be a text, a number, a truth value or a choice")
    return {key: value for key, value in part.items() if key in _KEYS and not (key == "default" and value is None)}
