"""Views: the pages of tools (MCP Apps), for programs that show them."""

from __future__ import annotations

import json
import threading
import weakref
from collections.abc import Iterator, Mapping
from typing import Any

from ._generated.abi import Status
from ._cffi import ffi, lib
from ._native import check, encode, owned, string


class View:
    """The host's side of a page of a tool (docs/guide/apps.md). It shows nothing: the program has a web view, gives the messages of
    the page to `receive`, and does the actions that come out.

        with View({"hostInfo": {"name": "desk", "version": "1"}, "tool": tool}) as view:
            view.tell("result", result=client.call_tool(tool["name"], {}))
            view.receive(message)
            for action in view:
                ...

    `settings` and the actions are those of `mcp_app_new` and `mcp_app_poll` in mcp.h: with the setting "appTools" there are also
    "app-tools", the tools of the page, and "called", how a call of one ended. Any thread may use it; nothing waits.
    """

    def __init__(self, settings: Mapping[str, Any]) -> None:
        out, error = ffi.new("mcp_app_t **"), ffi.new("char **")
        check(lib.mcp_app_new(encode(dict(settings), "view"), out, error), "view", error)
        self._lock = threading.Lock()
        self._held = [out[0]]
        self._backstop = weakref.finalize(self, _free, self._held)

    def receive(self, message: str | Mapping[str, Any]) -> None:
        """Takes a message of the page's own frame, as it came. A malformed or forbidden one is answered or dropped."""
        text = string(message, "receive") if isinstance(message, str) else encode(dict(message), "receive")
        error = ffi.new("char **")
        with self._lock:
            check(lib.mcp_app_receive(self._app(), text, error), "receive", error)

    def tell(self, type: str, **members: Any) -> None:
        """Tells the page what happened: `tell("input", arguments={…})`, `tell("result", result=…)`,
        `tell("answer", id=action["id"], result=…)`, `tell("call", call=1, name=…, arguments={…})` and "call-cancelled" for a tool of the
        page, `tell("teardown", reason="closed")` and the others of `mcp_app_tell`."""
        error = ffi.new("char **")
        with self._lock:
            check(lib.mcp_app_tell(self._app(), encode({"type": type, **members}, "tell"), error), "tell", error)

    def poll(self) -> dict[str, Any] | None:
        """The next action; None when there is nothing to do until something is received or told."""
        out = ffi.new("char **")
        with self._lock:
            status = lib.mcp_app_poll(self._app(), out)
        if status == Status.EMPTY:
            return None
        check(status, "poll", ffi.new("char **"))
        action: dict[str, Any] = json.loads(owned(out[0]) or "{}")
        return action

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The actions that are there, and those that come while they are done."""
        while (action := self.poll()) is not None:
            yield action

    def close(self) -> None:
        """Frees it. Any number of times."""
        with self._lock:
            self._backstop()

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _app(self) -> Any:
        # NULL after the end, which the library refuses.
        return self._held[0] if self._held else ffi.NULL


def _free(held: list[Any]) -> None:
    for app in held:
        lib.mcp_app_free(app)
    held.clear()


def view_policy(ui: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The policy for the frame of a document, from "_meta.ui" of its item of `read_resource`: "csp", "allow" (the attribute of the frame)
    and "refused" (domains that were left out). "head" is HTML to write before the document in "srcdoc": the policy as an element, and
    a script that takes away WebRTC from the document: a hurdle, the bound is a setting of the engine."""
    out, error = ffi.new("char **"), ffi.new("char **")
    check(lib.mcp_app_policy(encode(None if ui is None else dict(ui), "policy"), out, error), "policy", error)
    policy: dict[str, Any] = json.loads(owned(out[0]) or "{}")
    return policy
