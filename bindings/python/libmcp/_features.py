"""Parameters and results of single features, the same for the blocking and the asyncio client."""

from __future__ import annotations

import json
from typing import Any

from ._abi import Status
from .errors import Error, ToolError, error_for

#: A server whose list never ends must not hold us for ever.
MOST_PAGES = 1000
MOST_ENTRIES = 1_000_000


class ToolResult(dict[str, Any]):
    """What a tool gave: the result's JSON as a dict, with what is wanted most as properties."""

    @property
    def text(self) -> str:
        """The text of all text blocks, joined by line feeds."""
        return "\n".join(block.get("text", "") for block in self.get("content", []) if block.get("type") == "text")

    @property
    def data(self) -> Any:
        """The structured content, if there is some."""
        return self.get("structuredContent")

    @property
    def is_error(self) -> bool:
        """Whether the tool says that it failed, which is no error of the call."""
        return bool(self.get("isError"))

    def check(self) -> ToolResult:
        """Itself, or a ToolError if the tool failed."""
        if self.is_error:
            raise ToolError(self)
        return self


def tool(name: str, arguments: Any) -> dict[str, Any]:
    return {"name": name} if arguments is None else {"name": name, "arguments": arguments}


def prompt(name: str, arguments: dict[str, str] | None) -> dict[str, Any]:
    return {"name": name} if arguments is None else {"name": name, "arguments": arguments}


def completion(of: dict[str, str], argument: str, typed: str) -> dict[str, Any]:
    return {"ref": of, "argument": {"name": argument, "value": typed}}


#: The lists that servers have: the method, and the member of its result.
LISTS = {
    "tools": ("tools/list", "tools"),
    "resources": ("resources/list", "resources"),
    "resource_templates": ("resources/templates/list", "resourceTemplates"),
    "prompts": ("prompts/list", "prompts"),
}


class Pages:
    """Walks the pages of a list: what to ask for next, and what to make of the answer."""

    def __init__(self, what: str) -> None:
        self.method, self._member = LISTS[what]
        self.params: dict[str, Any] | None = None
        self.is_over = False
        self._seen: set[str] = set()
        self._entries = 0

    def take(self, result: Any) -> list[dict[str, Any]]:
        """The entries of a page."""
        entries = result.get(self._member) if isinstance(result, dict) else None
        if not isinstance(entries, list):
            raise self._wrong(f"the result has no list {self._member!r}")
        cursor = result.get("nextCursor")
        self._entries += len(entries)
        if cursor is None:
            self.is_over = True
        elif (mark := json.dumps(cursor)) in self._seen:
            raise self._wrong(f"the server's list does not end: it has the cursor {mark:.100} twice")
        elif len(self._seen) + 1 >= MOST_PAGES or self._entries > MOST_ENTRIES:
            raise self._wrong(f"the server's list does not end: it has over {MOST_PAGES} pages or {MOST_ENTRIES} entries")
        else:
            self._seen.add(mark)
            self.params = {"cursor": cursor}
        return entries

    def _wrong(self, why: str) -> Error:
        return error_for(Status.PROTOCOL, {"operation": self.method, "message": f"{self.method}: {why}"})
