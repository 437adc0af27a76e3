"""What a server offers, made from functions: the definition that the library gets, and how a request becomes a call and its answer."""

from __future__ import annotations

import collections.abc
import inspect
import json
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ._coerce import coerced
from ._context import Context
from ._docstrings import described
from ._features import ToolResult
from ._media import Media
from ._schema import Writer, schema_of
from ._server_native import RequestHandle
from .errors import callable_given
from ._types import Field, Member, Mismatch, Schema, unwrapped
from ._values import from_json, to_json

Function = Callable[..., Any]

#: JSON-RPC's code of wrong parameters.
INVALID_PARAMS = -32602

_EMPTY = inspect.Parameter.empty
#: What a list of content may be, and the members by which a block is told from other objects with a "type".
_LISTS = (list, tuple, collections.abc.Sequence, collections.abc.Iterable, collections.abc.Iterator)
_MEMBERS = {
    "text": ("text",), "image": ("data", "mimeType"), "audio": ("data", "mimeType"), "resource": ("resource",),
    "resource_link": ("uri", "name"), "tool_use": ("id", "name", "input"), "tool_result": ("toolUseId", "content"),
}
_CONTENT = frozenset({"text", "image", "audio", "resource", "resource_link", "tool_use", "tool_result"})


class Signature(NamedTuple):
    """What a function takes from a request."""

    members: dict[str, Member]
    #: The parameter that gets the Context, and the class of it.
    context: str | None
    context_type: type[Context]
    returns: Any

    def coerced(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments that the library has not checked, converted as far as they can be."""
        missing = [name for name, part in self.members.items() if part.needed and name not in given]
        if missing:
            raise Mismatch(f"{missing[0]!r} is missing; the arguments are {', '.join(map(repr, self.members))}")
        return {name: coerced(part.type, given[name], name) for name, part in self.members.items() if name in given}

    def values(self, given: Mapping[str, Any], context: Context, checks: bool = True) -> dict[str, Any]:
        """`checks` is whether limits are checked here: not where the library has held the arguments against the schema."""
        made = {
            name: from_json(part.type, given[name], name, checks=checks) for name, part in self.members.items() if name in given
        }
        if self.context is not None:
            made[self.context] = context
        return made

    def texts(self, given: Mapping[str, Any], context: Context) -> dict[str, Any]:
        """The same where the wire has texts only: arguments of prompts, and variables of templates."""
        made = {name: _from_text(self.members[name].type, text) for name, text in given.items() if name in self.members}
        return self.values(made, context)


def signature_of(function: Function, known: Mapping[str, Any]) -> Signature:
    """`known` are the names where the function is defined, for types that are written as text."""
    callable_given("what is offered", function)
    hints = _hints(function, known)
    members: dict[str, Member] = {}
    context, context_type = None, Context
    descriptions = described(function)[1]
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise TypeError(f"{function!r}: clients give arguments by their names, so '{parameter}' cannot be one")
        hint = hints.get(name, Any)
        bare = unwrapped(hint)[0]
        if isinstance(bare, type) and issubclass(bare, Context):
            context, context_type = name, bare
            continue
        if name in descriptions:
            hint = typing.Annotated[hint, Field(descriptions[name])]
        members[name] = Member(hint, parameter.default is _EMPTY, parameter.default)
    return Signature(members, context, context_type, hints.get("return", _EMPTY))


def _hints(function: Function, known: Mapping[str, Any]) -> dict[str, Any]:
    target = inspect.unwrap(function)
    if not inspect.isfunction(target) and not inspect.ismethod(target) and not inspect.isclass(target):
        target = getattr(target, "func", None) or target.__call__
    try:
        return typing.get_type_hints(target, localns=dict(known), include_extras=True)
    except NameError as error:
        raise TypeError(f"{function!r}: a type is not known where the function is defined: {error}") from error


class Entry:
    """One thing that a server offers."""

    def __init__(self, function: Function, signature: Signature) -> None:
        self.function = function
        self.signature = signature
        call = function if inspect.isroutine(function) or inspect.isclass(function) else getattr(function, "__call__", function)
        self.is_async = inspect.iscoroutinefunction(inspect.unwrap(call))
        self.name = getattr(function, "__qualname__", repr(function))

    def arguments(self, context: Context) -> dict[str, Any]:
        """What the function is called with."""
        raise NotImplementedError

    def answer(self, handle: RequestHandle, context: Context, value: Any) -> None:
        """Answers with what the function gave."""
        raise NotImplementedError

    def refuse(self, handle: RequestHandle, text: str) -> None:
        """Answers that it failed, for the other side to read."""
        handle.respond_error(-32603, text, None)


class Tool(Entry):
    def __init__(self, function: Function, signature: Signature, output: Schema | None, wrapped: bool, coerces: bool = False) -> None:
        super().__init__(function, signature)
        self._output = output
        self._wrapped = wrapped
        self._coerces = coerces

    def arguments(self, context: Context) -> dict[str, Any]:
        said = context.params.get("arguments")
        given = said if isinstance(said, dict) else {}
        return self.signature.values(self.signature.coerced(given) if self._coerces else given, context, self._coerces)

    def answer(self, handle: RequestHandle, context: Context, value: Any) -> None:
        if isinstance(value, str) and self._output is None:
            handle.respond_text(value, False)
        else:
            handle.respond(self._result(value))

    def _result(self, value: Any) -> dict[str, Any]:
        if isinstance(value, ToolResult):
            return {"content": [], **value}
        value = _written(value)
        if self._output is not None:
            structured = to_json(value)
            blocks = _blocks_in(value)
            if blocks is not None:
                return {"content": blocks, "structuredContent": {"result": structured} if self._wrapped else structured}
            if self._wrapped:
                text = structured if isinstance(structured, str) else json.dumps(structured, ensure_ascii=False)
                return {"content": [{"type": "text", "text": text}], "structuredContent": {"result": structured}}
            return {"content": [], "structuredContent": structured}
        if value is None:
            return {"content": []}
        if is_content(value):
            return {"content": [_block(value)]}
        if isinstance(value, (list, tuple)) and all(isinstance(part, str) or is_content(part) for part in value):
            return {"content": [_block(part) for part in value]}
        structured = to_json(value)
        return {"content": [], "structuredContent": structured if isinstance(structured, dict) else {"result": structured}}

    def refuse(self, handle: RequestHandle, text: str) -> None:
        handle.respond_text(text, True)


class Resource(Entry):
    def __init__(self, function: Function, signature: Signature, mime_type: str | None) -> None:
        super().__init__(function, signature)
        self._mime_type = mime_type

    def arguments(self, context: Context) -> dict[str, Any]:
        if not self.signature.members:
            return self.signature.values({}, context)
        return self.signature.texts(context._handle.context().get("variables") or {}, context)

    def answer(self, handle: RequestHandle, context: Context, value: Any) -> None:
        uri = context.params.get("uri", "")
        if isinstance(value, list) and value and all(isinstance(part, dict) and "uri" in part for part in value):
            handle.respond({"contents": value})
            return
        mime_type = {"mimeType": self._mime_type} if self._mime_type else {}
        if isinstance(value, str):
            handle.respond({"contents": [{"uri": uri, **mime_type, "text": value}]})
        elif isinstance(value, (bytes, bytearray)):
            handle.respond({"contents": [{"uri": uri, **mime_type, "blob": to_json(value)}]})
        else:
            mime_type = mime_type or {"mimeType": "application/json"}
            handle.respond({"contents": [{"uri": uri, **mime_type, "text": as_text(value)}]})


class Prompt(Entry):
    def arguments(self, context: Context) -> dict[str, Any]:
        given = context.params.get("arguments")
        return self.signature.texts(given if isinstance(given, dict) else {}, context)

    def answer(self, handle: RequestHandle, context: Context, value: Any) -> None:
        if isinstance(value, Mapping) and "messages" in value:
            handle.respond(to_json(value))
            return
        parts = list(value) if isinstance(value, (list, tuple)) else [value]
        handle.respond({"messages": [_message(part) for part in parts]})


class Completion(Entry):
    def arguments(self, context: Context) -> dict[str, Any]:
        argument = context.params.get("argument") or {}
        more = context.params.get("context") or {}
        given = {"value": argument.get("value", ""), "argument": argument.get("name", ""), "settled": more.get("arguments") or {}}
        return self.signature.values(given, context)

    def answer(self, handle: RequestHandle, context: Context, value: Any) -> None:
        whole = dict(value) if isinstance(value, Mapping) else {"values": [str(to_json(one)) for one in value]}
        if len(whole["values"]) > 100:  # What the specification allows.
            whole = {"total": len(whole["values"]), "hasMore": True, **whole, "values": whole["values"][:100]}
        handle.respond({"completion": whole})


class Method(Entry):
    def arguments(self, context: Context) -> dict[str, Any]:
        return self.signature.values(context.params, context)

    def answer(self, handle: RequestHandle, context: Context, value: Any) -> None:
        handle.respond({} if value is None else to_json(value))


def input_schema(signature: Signature) -> Schema:
    writer = Writer()
    schema = writer.object(signature.members)
    return {**schema, "$defs": writer.definitions} if writer.definitions else schema


def output_schema(returns: Any) -> tuple[Schema | None, bool]:
    """The schema of what a tool gives, and whether that is put into an object; None for content, which has no schema."""
    bare = unwrapped(returns)[0]
    if bare in (_EMPTY, Any, None, type(None), str, object) or (isinstance(bare, type) and issubclass(bare, ToolResult)):
        return None, False
    if _is_content_type(bare) or _may_have_content(bare):
        return None, False
    schema = schema_of(returns)
    if schema.get("type") == "object":
        return schema, False
    definitions = {"$defs": schema.pop("$defs")} if "$defs" in schema else {}
    return {"type": "object", "properties": {"result": schema}, "required": ["result"], **definitions}, True


def _is_content_type(kind: Any) -> bool:
    """Whether a type is a content block of the protocol, or a list or a union of these."""
    arguments = typing.get_args(kind)
    if arguments:
        return all(_is_content_type(unwrapped(part)[0]) for part in arguments if part is not type(None))
    return (typing.is_typeddict(kind) and kind.__module__.startswith("libmcp")) or (isinstance(kind, type) and issubclass(kind, Media))


def _may_have_content(kind: Any) -> bool:
    """Whether a type is a list of which nothing is said, or one of content blocks and texts."""
    if kind in (list, tuple):
        return True
    if typing.get_origin(kind) not in _LISTS:
        return False
    parts = [unwrapped(part)[0] for part in typing.get_args(kind) if part is not Ellipsis]
    while any(_is_union(part) for part in parts):
        parts = [unwrapped(one)[0] for part in parts for one in (typing.get_args(part) if _is_union(part) else (part,))]
    known = [part for part in parts if part not in (str, Any, object)]
    return all(_is_content_type(part) for part in known) and (bool(known) or str not in parts)


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)


def _blocks_in(value: Any) -> list[Any] | None:
    """The content blocks of what a tool gives whose type says something else; None if there are none."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    if any(map(_is_whole, parts)) and all(isinstance(part, str) or _is_whole(part) for part in parts):
        return [_block(part) for part in parts]
    return None


def _is_whole(value: Any) -> bool:
    return is_content(value) and all(member in value for member in _MEMBERS.get(value["type"], ("type",)))


def _block(part: Any) -> Any:
    return {"type": "text", "text": part} if isinstance(part, str) else to_json(part)


def listed(value: Any) -> Any:
    """A list in place of an iterator: the body of a generator is a part of its handler, and what it raises is raised there."""
    return list(value) if isinstance(value, collections.abc.Iterator) else value


def _written(value: Any) -> Any:
    """What a function gave with the blocks of an Image and the like."""
    if isinstance(value, Media):
        return value.block()
    if isinstance(value, (list, tuple)) and any(isinstance(part, Media) for part in value):
        return [part.block() if isinstance(part, Media) else part for part in value]
    return value


def is_content(value: Any) -> bool:
    kind = value.get("type") if isinstance(value, dict) else None
    return isinstance(kind, str) and kind in _CONTENT


def _message(part: Any) -> Any:
    part = _written(part)
    if isinstance(part, str):
        part = {"type": "text", "text": part}
    if is_content(part):
        return {"role": "user", "content": to_json(part)}
    return to_json(part)


def as_text(value: Any) -> str:
    return json.dumps(to_json(value), ensure_ascii=False, indent=2)


def choices(kind: Any) -> list[str] | None:
    """What a parameter may be, if that is a list of texts: it then is completed without a handler."""
    schema = schema_of(kind)
    values = schema.get("enum")
    return values if isinstance(values, list) and all(isinstance(value, str) for value in values) else None


def _from_text(kind: Any, text: Any) -> Any:
    """What `json.loads` would have given for a text of the wire, if its parameter is no text."""
    bare = unwrapped(kind)[0]
    options = [unwrapped(part)[0] for part in typing.get_args(bare)] if typing.get_origin(bare) is not typing.Literal else []
    wanted = [bare, *options]
    if not isinstance(text, str) or str in wanted or Any in wanted:
        return text
    try:
        if bool in wanted and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if int in wanted and re.fullmatch(r"-?[0-9]{1,4000}", text):
            return int(text)
        if float in wanted:
            return float(text)
    except ValueError as wrong:
        raise Mismatch(f"{text!r} is no number") from wrong
    return text
