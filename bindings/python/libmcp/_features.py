"""Parameters and results of single features, the same for the blocking and the asyncio client."""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, TypeVar

from ._generated import protocol as _protocol
from ._native import encode, string
from ._generated.protocol import Reference
from ._values import from_json
from .errors import ToolError

T = TypeVar("T")


class Object(dict[str, Any]):
    """An object that a server has sent: a dict whose members are attributes, too, by their names or as Python writes these
    (`inputSchema`, `input_schema`). What the protocol knows and the server has left out is None. Members that are named as methods
    of a dict, as "values", are there by `["values"]` only. To type checkers it is the dictionary of `libmcp.types`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        head, *words = name.split("_")
        for member in (name, head + "".join(map(str.capitalize, words))):
            if member in self:
                return self[member]
            if member in _members():
                return None
        raise AttributeError(f"there is no member {name!r}; there are: {', '.join(self) or 'none'}")


@functools.cache
def _members() -> frozenset[str]:
    """The names of all members of the types of the protocol."""
    kinds = [kind for kind in vars(_protocol).values() if typing.is_typeddict(kind)]
    return frozenset(name for kind in kinds for name in kind.__annotations__)


class ToolResult(Object):
    """What a tool gave: the result's JSON as a dict, with what is wanted most as properties."""

    @property
    def text(self) -> str:
        """The text of all text blocks, joined by line feeds."""
        return "\n".join(block.get("text", "") for block in self.get("content", []) if block.get("type") == "text")

    @property
    def data(self) -> Any:
        """The structured content, if there is some."""
        return self.get("structuredContent")

    def into(self, kind: type[T]) -> T:
        """The structured content as a value of a type: a dataclass, a TypedDict, a model. A tool that failed is a ToolError,
        and content of another shape a ValueError."""
        self.check()
        data = self.data
        made: T = from_json(kind, data)
        return made

    @property
    def is_error(self) -> bool:
        """Whether the tool says that it failed, which is no error of the call."""
        return bool(self.get("isError"))

    def check(self) -> ToolResult:
        """Itself, or a ToolError if the tool failed."""
        if self.is_error:
            raise ToolError(self)
        return self


class Use(NamedTuple):
    """One use of a feature: the library's function for it, what it is called on the wire, and its values as texts for C.

    Most are calls of a method: the function is `call`, and the values are the method and its parameters.
    """

    function: str
    operation: str
    values: tuple[Any, ...] = ()


def checked(value: str, what: str) -> str:
    """The text, which must be one that C can have."""
    string(value, what)
    return value


def method(name: str, **params: Any) -> Use:
    return Use("call", name, (string(name, "method"), encode(params or None, name)))


def tool(name: str, arguments: Any) -> Use:
    return Use("client_call_tool", "tools/call", (string(name, "name"), encode(arguments, "arguments")))


def read(uri: str) -> Use:
    return Use("client_read_resource", "resources/read", (string(uri, "uri"),))


def subscribe(uri: str) -> Use:
    return method("resources/subscribe", uri=checked(uri, "uri"))


def unsubscribe(uri: str) -> Use:
    return method("resources/unsubscribe", uri=checked(uri, "uri"))


def prompt(name: str, arguments: dict[str, str] | None) -> Use:
    return Use("client_get_prompt", "prompts/get", (string(name, "name"), encode(arguments, "arguments")))


def completion(of: Reference, argument: str, typed: str, settled: dict[str, str] | None) -> Use:
    params: dict[str, Any] = {
        "ref": of,
        "argument": {"name": checked(argument, "argument"), "value": checked(typed, "value")},
    }
    if settled is not None:
        params["context"] = {"arguments": settled}
    return method("completion/complete", **params)


def log_level(level: str) -> Use:
    return method("logging/setLevel", level=checked(level, "level"))


def task(function: str, name: str) -> Use:
    """`function` is get, result or cancel."""
    return method(f"tasks/{function}", taskId=checked(name, "task"))


def skill(uri: str) -> Use:
    return method("skills/get", uri=checked(uri, "uri"))


def skill_main(entry: Any) -> Use:
    return Use("client_load_skill", "skills/load", (encode(entry, "skill"),))


def skill_file(entry: Any, path: str) -> Use:
    return Use("client_read_skill_file", "skills/read", (encode(entry, "skill"), string(path, "path")))


PING = method("ping")

#: The lists that servers have, and the member of each one's result.
TOOLS = (method("tools/list"), "tools")
RESOURCES = (method("resources/list"), "resources")
RESOURCE_TEMPLATES = (method("resources/templates/list"), "resourceTemplates")
PROMPTS = (method("prompts/list"), "prompts")
TASKS = (method("tasks/list"), "tasks")
SKILLS = (method("skills/list"), "skills")

Listed = Literal["tools", "resources", "resource_templates", "prompts", "tasks", "skills"]

LISTS: dict[Listed, tuple[Use, str]] = {
    "tools": TOOLS,
    "resources": RESOURCES,
    "resource_templates": RESOURCE_TEMPLATES,
    "prompts": PROMPTS,
    "tasks": TASKS,
    "skills": SKILLS,
}


class Page(NamedTuple):
    """One page of a list."""

    entries: list[dict[str, Any]]
    #: Where the next page begins; None at the end.
    next_cursor: str | None


def page_of(result: Mapping[str, Any], member: str) -> Page:
    return Page(result.get(member, []), result.get("nextCursor"))
