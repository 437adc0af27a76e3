"""The library's servers, and the requests that their clients send, as Python's values."""

from __future__ import annotations

import json
import weakref
from typing import TYPE_CHECKING, Any

from ._generated.abi import Status
from ._cffi import ffi, lib
from ._native import Message, check, encode, owned, string
from .errors import error_for

if TYPE_CHECKING:
    from ._serving import Core

#: The cores that requests may come for, by number. What C keeps for a handler is that number and the handler's.
cores: weakref.WeakValueDictionary[int, Core] = weakref.WeakValueDictionary()

_HANDLERS = 1 << 24


@ffi.def_extern()  # type: ignore[untyped-decorator]
def mcp_py_request(user: Any, request: Any) -> None:
    """A request for a handler, on the thread that polls. It is freed, and thereby answered with an error, if no core takes it."""
    number = int(ffi.cast("uintptr_t", user))
    core = cores.get(number // _HANDLERS)
    if core is None or not core.take(number % _HANDLERS, request):
        lib.mcp_message_free(request)


@ffi.def_extern()  # type: ignore[untyped-decorator]
def mcp_py_request_end(user: Any) -> None:
    number = int(ffi.cast("uintptr_t", user))
    core = cores.get(number // _HANDLERS)
    if core is not None:
        core.forget(number % _HANDLERS)


class ServerHandle:
    """A server of the library. Who uses it sees to it that it is not freed meanwhile."""

    def __init__(self, config: Any) -> None:
        out, error = ffi.new("mcp_server_t **"), ffi.new("char **")
        check(lib.mcp_server_new(encode(config, "config"), ffi.NULL, out, error), "new", error)
        self.pointer = out[0]

    def serve(self, endpoint: Any) -> dict[str, Any]:
        out, error = ffi.new("char **"), ffi.new("char **")
        check(lib.mcp_server_serve(self.pointer, encode(endpoint, "serve"), out, error), "serve", error)
        bound: dict[str, Any] = json.loads(owned(out[0]) or "{}")
        return bound

    def add(self, kind: str, definition: Any, core: int, handler: int) -> None:
        """`kind` is tool, resource, resource_template or prompt."""
        error = ffi.new("char **")
        function = getattr(lib, f"mcp_server_add_{kind}")
        user = ffi.cast("void *", core * _HANDLERS + handler)
        status = function(
            self.pointer, encode(definition, kind), lib.mcp_py_request, user, lib.mcp_py_request_end, error
        )
        check(status, kind, error)

    def add_completion(self, reference: str, argument: str, values: Any, core: int, handler: int) -> None:
        """`values` is a list, or None for a handler."""
        error = ffi.new("char **")
        user = ffi.cast("void *", core * _HANDLERS + handler)
        ours = (lib.mcp_py_request, user, lib.mcp_py_request_end) if values is None else (ffi.NULL, ffi.NULL, ffi.NULL)
        status = lib.mcp_server_add_completion(
            self.pointer, string(reference, "completion"), string(argument, "completion"),
            encode(values, "completion"), *ours, error,
        )
        check(status, "completion", error)

    def add_method(self, method: str, capability: str | None, settings: Any, core: int, handler: int) -> None:
        error = ffi.new("char **")
        user = ffi.cast("void *", core * _HANDLERS + handler)
        status = lib.mcp_server_add_method(
            self.pointer, string(method, "method"), ffi.NULL if capability is None else string(capability, "method"),
            encode(settings, "method"), lib.mcp_py_request, user, lib.mcp_py_request_end, error,
        )
        check(status, "method", error)

    def add_text(self, definition: Any, text: str) -> None:
        error = ffi.new("char **")
        check(lib.mcp_server_add_text(self.pointer, encode(definition, "text"), string(text, "text"), error), "text", error)

    def add_blob(self, definition: Any, data: bytes) -> None:
        error = ffi.new("char **")
        status = lib.mcp_server_add_blob(self.pointer, encode(definition, "blob"), ffi.from_buffer(data), len(data), error)
        check(status, "blob", error)

    def add_folder(self, template: Any, folder: str) -> None:
        error = ffi.new("char **")
        status = lib.mcp_server_add_folder(self.pointer, encode(template, "folder"), string(folder, "folder"), error)
        check(status, "folder", error)

    def add_skills(self, folder: str, options: Any) -> None:
        error = ffi.new("char **")
        status = lib.mcp_server_add_skills(self.pointer, string(folder, "skills"), encode(options, "skills"), error)
        check(status, "skills", error)

    def remove(self, kind: str, name: str) -> bool:
        error = ffi.new("char **")
        status = lib.mcp_server_remove(self.pointer, string(kind, "remove"), string(name, "remove"), error)
        if status == Status.EMPTY:
            return False
        check(status, "remove", error)
        return True

    def resource_updated(self, uri: str) -> None:
        error = ffi.new("char **")
        check(lib.mcp_server_resource_updated(self.pointer, string(uri, "uri"), error), "resource_updated", error)

    def log(self, level: str, logger: str | None, data: Any) -> None:
        error = ffi.new("char **")
        name = ffi.NULL if logger is None else string(logger, "log")
        status = lib.mcp_server_log(self.pointer, string(level, "log"), name, _any_json(data, "log"), error)
        check(status, "log", error)

    def notify(self, session: int, method: str, params: Any) -> None:
        error = ffi.new("char **")
        status = lib.mcp_server_notify(self.pointer, session, string(method, "method"), encode(params, method), error)
        check(status, method, error)

    def call(self, session: int, method: str, params: Any, options: Any, tag: int) -> None:
        error = ffi.new("char **")
        status = lib.mcp_server_call_start(
            self.pointer, session, string(method, "method"), encode(params, method), encode(options, method), tag,
            ffi.NULL, error,
        )
        check(status, method, error)

    def info(self) -> dict[str, Any]:
        out, error = ffi.new("char **"), ffi.new("char **")
        check(lib.mcp_server_info(self.pointer, out, error), "info", error)
        said: dict[str, Any] = json.loads(owned(out[0]) or "{}")
        return said

    def poll(self, timeout_ms: int) -> tuple[int, Message | None]:
        """Runs the callbacks of requests, too. The interpreter is free while it waits."""
        out = ffi.new("mcp_py_message_t *")
        status = lib.mcp_py_server_poll(self.pointer, timeout_ms, out)
        return status, Message(out) if status == Status.OK else None

    def descriptor(self) -> int:
        number: int = lib.mcp_server_fd(self.pointer)
        if number < 0:
            raise error_for(number, {"operation": "fd"})
        return number

    def close(self, timeout_ms: int) -> int:
        status: int = lib.mcp_server_close(self.pointer, timeout_ms)
        return status

    def free(self) -> None:
        lib.mcp_server_free(self.pointer)


class RequestHandle:
    """A request of a client. The library refuses every use after `free`, which answers what was not answered with an error."""

    __slots__ = ("pointer", "is_freed")

    def __init__(self, pointer: Any) -> None:
        self.pointer = pointer
        self.is_freed = False

    def method(self) -> str:
        return ffi.string(lib.mcp_message_method(self.pointer)).decode()  # type: ignore[no-any-return]

    def number(self) -> int:
        return lib.mcp_message_call_id(self.pointer)  # type: ignore[no-any-return]

    def params(self) -> dict[str, Any]:
        length = ffi.new("size_t *")
        pointer = lib.mcp_message_json(self.pointer, length)
        value = {} if pointer == ffi.NULL else json.loads(ffi.unpack(pointer, length[0]))
        return value if isinstance(value, dict) else {}

    def respond(self, result: Any) -> None:
        error = ffi.new("char **")
        check(lib.mcp_request_respond(self.pointer, encode(result, "respond"), error), "respond", error)

    def respond_text(self, text: str, is_error: bool) -> None:
        error = ffi.new("char **")
        if "\0" in text:  # Which JSON can have, and a text of C not.
            self.respond({"content": [{"type": "text", "text": text}], "isError": is_error})
            return
        check(lib.mcp_request_respond_text(self.pointer, string(text, "respond"), is_error, error), "respond", error)

    def respond_error(self, code: int, text: str, data: Any) -> None:
        error = ffi.new("char **")
        told = ffi.NULL if data is None else _any_json(data, "respond")
        check(lib.mcp_request_respond_error(self.pointer, code, string(text, "respond"), told, error), "respond", error)

    def respond_not_found(self) -> None:
        error = ffi.new("char **")
        status = lib.mcp_request_respond_error(self.pointer, lib.MCP_CODE_NOT_FOUND, ffi.NULL, ffi.NULL, error)
        check(status, "respond", error)

    def progress(self, progress: float, total: float, message: str | None) -> bool:
        if self.is_freed:
            return False
        status = lib.mcp_request_progress(
            self.pointer, progress, total, ffi.NULL if message is None else string(message, "progress")
        )
        return _sent(status, "progress")

    def log(self, level: str, logger: str | None, data: Any) -> bool:
        if self.is_freed:
            return False
        name = ffi.NULL if logger is None else string(logger, "log")
        status = lib.mcp_request_log(self.pointer, string(level, "log"), name, _any_json(data, "log"))
        return _sent(status, "log")

    def is_cancelled(self) -> bool:
        return bool(lib.mcp_request_cancelled(self.pointer))

    def ask(self, key: str, method: str, params: Any) -> dict[str, Any] | None:
        """The answer; None when it is not there yet."""
        out, error = ffi.new("char **"), ffi.new("char **")
        status = lib.mcp_request_ask(
            self.pointer, string(key, "ask"), string(method, "ask"), encode(params, method), out, error
        )
        if status == Status.EMPTY:
            return None
        check(status, method, error)
        answer: dict[str, Any] = json.loads(owned(out[0]) or "{}")
        return answer

    def state(self) -> str | None:
        out, error = ffi.new("char **"), ffi.new("char **")
        status = lib.mcp_request_state(self.pointer, out, error)
        if status == Status.EMPTY:
            return None
        check(status, "state", error)
        return owned(out[0])

    def set_state(self, state: str) -> None:
        error = ffi.new("char **")
        check(lib.mcp_request_set_state(self.pointer, string(state, "state"), error), "state", error)

    def start_task(self, options: Any) -> bool:
        error = ffi.new("char **")
        status = lib.mcp_request_start_task(self.pointer, encode(options, "start_task"), error)
        if status == Status.UNSUPPORTED:
            owned(error[0])
            return False
        check(status, "start_task", error)
        return True

    def close_stream(self, retry_ms: int) -> bool:
        error = ffi.new("char **")
        status = lib.mcp_request_close_stream(self.pointer, retry_ms, error)
        if status == Status.EMPTY:
            return False
        check(status, "close_stream", error)
        return True

    def context(self) -> dict[str, Any]:
        out, error = ffi.new("char **"), ffi.new("char **")
        check(lib.mcp_request_context(self.pointer, out, error), "context", error)
        said: dict[str, Any] = json.loads(owned(out[0]) or "{}")
        return said

    def free(self) -> None:
        if not self.is_freed:
            self.is_freed = True
            lib.mcp_message_free(self.pointer)

    def __del__(self) -> None:
        self.free()


def _any_json(value: Any, what: str) -> Any:
    """JSON of any value: a text is a text here, and no JSON, and None is null."""
    return string(json.dumps(value), what) if value is None or isinstance(value, str) else encode(value, what)


def _sent(status: int, operation: str) -> bool:
    """Whether a report was sent; a client that does not want it, or is gone, is no failure."""
    if status in (Status.EMPTY, Status.CLOSED):
        return False
    if status != Status.OK:
        raise error_for(status, {"operation": operation})
    return True
