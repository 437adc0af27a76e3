"""The library itself: checked, and its C types turned into Python's."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from ._generated.abi import Kind, State, Status
from ._cffi import ffi, lib
from ._generated.config import Config
from ._values import to_json
from .errors import Error, error_for


def check_abi(header: int, library: int) -> None:
    """Refuses a library of another ABI than the declarations that this package was made with."""
    if header != library:
        raise ImportError(
            f"the loaded libmcp has ABI version {library}, but this package was made for {header}; "
            f"install the version of the package that belongs to it"
        )


check_abi(lib.MCP_ABI_VERSION, lib.mcp_abi_version())


def version() -> str:
    """The version of the library that is loaded, such as "0.1.0"."""
    return text(lib.mcp_version()) or ""


def text(pointer: Any) -> str | None:
    return None if pointer == ffi.NULL else ffi.string(pointer).decode()


def owned(pointer: Any) -> str | None:
    """A text that is ours, which is freed."""
    copied = text(pointer)
    lib.mcp_string_free(pointer)
    return copied


#: One encoder for all: `json.dumps` makes a new one for each value that it writes in another way than by default.
#: What JSON has no type for, such as a date, a path or a dataclass, is written as a result of a tool would be.
_to_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=to_json).encode


def encode(value: Any, what: str) -> Any:
    """JSON for C; None stays NULL. Text is taken for JSON as it is."""
    if value is None:
        return ffi.NULL
    if not isinstance(value, (str, bytes)):
        try:
            value = _to_json(value)
        except (TypeError, ValueError, RecursionError) as error:
            raise invalid(what, f"cannot be written as JSON: {error}") from error
    return string(value, what)


def string(value: str | bytes, what: str) -> Any:
    """Text for C, which would end at a NUL inside, and takes UTF-8 only."""
    try:
        encoded = value.encode() if isinstance(value, str) else value
    except UnicodeEncodeError as error:
        raise invalid(what, f"is no UTF-8: {error}") from error
    if b"\0" in encoded:
        raise invalid(what, f"there is a NUL at byte {encoded.index(0)}; write it as \\u0000 in JSON")
    return encoded  # Which Python ends with a NUL, too.


def invalid(what: str, why: str) -> Error:
    return error_for(Status.INVALID_ARGUMENT, {"operation": what, "message": f"{what}: {why}"})


def check(status: int, operation: str, error: Any) -> None:
    if status != Status.OK:
        said = owned(error[0])
        raise error_for(status, json.loads(said) if said else {"operation": operation})


class Message:
    """What arrived, copied. `handle` is the library's message: it is freed unless `keep` has taken it."""

    __slots__ = ("kind", "status", "tag", "call_id", "method", "json", "handle")

    def __init__(self, read: Any) -> None:
        """`read` is a mcp_py_message_t."""
        self.handle = read.handle
        self.kind = read.kind
        self.status = read.status
        self.tag = read.tag
        self.call_id = read.call_id
        # Who waits for a reply knows the method.
        self.method = None if self.kind == Kind.REPLY else text(read.method)
        pointer = read.json
        self.json = b"{}" if pointer == ffi.NULL else ffi.unpack(pointer, read.length)

    def keep(self) -> Any:
        handle, self.handle = self.handle, None
        return handle

    def free(self) -> None:
        if self.handle is not None:
            free_message(self.keep())


def free_message(handle: Any) -> None:
    lib.mcp_message_free(handle)


class Handle:
    """A client of the library. Who uses it sees to it that it is not freed meanwhile."""

    def __init__(self, config: Any, server: Any = None) -> None:
        """`server` is the pointer of a server in this process."""
        if not isinstance(config, Mapping) and not (isinstance(config, (str, bytes)) and config.strip()[:1] in ("{", b"{")):
            given = "nothing" if config is None else repr(config)
            raise invalid("config", 'the configuration must be a dict such as {"command": "npx", "args": ["-y", "some-server"]} or '
                                    f'{{"url": "https://mcp.example/mcp"}}, or its JSON; it is {given}')
        out, error = ffi.new("mcp_client_t **"), ffi.new("char **")
        if server is None:
            status = lib.mcp_client_new(encode(config, "config"), ffi.NULL, out, error)
        else:
            status = lib.mcp_client_new_in_process(encode(config, "config"), ffi.NULL, server, out, error)
        check(status, "new", error)
        self._hold(out[0])

    @classmethod
    def adopt(cls, pointer: Any) -> Handle:
        """A client that the library has made."""
        made = cls.__new__(cls)
        made._hold(pointer)
        return made

    def _hold(self, pointer: Any) -> None:
        self._client = pointer
        #: Where a message is put by `poll`, which one driver calls.
        self._polled = ffi.new("mcp_py_message_t *")

    def connect(self, timeout_ms: int) -> None:
        error = ffi.new("char **")
        check(lib.mcp_client_connect(self._client, timeout_ms, error), "connect", error)

    def state(self) -> State:
        return State(lib.mcp_client_state(self._client))

    def info(self) -> dict[str, Any]:
        out, error = ffi.new("char **"), ffi.new("char **")
        check(lib.mcp_client_info(self._client, out, error), "info", error)
        said: dict[str, Any] = json.loads(owned(out[0]) or "{}")
        return said

    def start(self, method: str, params: Any, options: Any, tag: int, number: Any = None) -> int:
        """Starts a call, whose number is written to `number`, if that is given, before anything can interrupt this."""
        number, error = number or ffi.new("uint64_t *"), ffi.new("char **")
        status = lib.mcp_call_start(
            self._client,
            string(method, "method"),
            encode(params, method),
            encode(options, "options"),
            tag,
            number,
            error,
        )
        check(status, method, error)
        return int(number[0])

    def call(self, method: str, params: Any, options: Any) -> tuple[int, bytes | None]:
        """Calls, waits in the library, and gives the status and the JSON of the reply."""
        return self._replied(lib.mcp_call, (string(method, "method"), encode(params, method)), options)

    def call_use(self, function: str, operation: str, values: tuple[Any, ...], options: Any) -> tuple[int, bytes | None]:
        """The same for what one of the library's functions for single features does."""
        return self._replied(getattr(lib, f"mcp_{function}"), values, options)

    def _replied(self, call: Any, values: tuple[Any, ...], options: Any) -> tuple[int, bytes | None]:
        reply, length = ffi.new("mcp_message_t **"), ffi.new("size_t *")
        status = call(self._client, *values, encode(options, "options"), reply)
        try:
            text = lib.mcp_message_json(reply[0], length)
            return status, None if text == ffi.NULL else ffi.unpack(text, length[0])
        finally:
            free_message(reply[0])

    def use(
        self, function: str, operation: str, values: tuple[Any, ...], options: Any, tag: int, number: Any = None
    ) -> int:
        """Starts what one of the library's functions for single features does; `values` are texts for C."""
        number, error = number or ffi.new("uint64_t *"), ffi.new("char **")
        start = getattr(lib, f"mcp_{function}_start")
        check(start(self._client, *values, encode(options, "options"), tag, number, error), operation, error)
        return int(number[0])

    def set_roots(self, roots: Any) -> None:
        error = ffi.new("char **")
        check(lib.mcp_client_set_roots(self._client, encode(roots, "roots"), error), "roots", error)

    def cancel(self, call: int, reason: str) -> None:
        lib.mcp_call_cancel(self._client, call, string(reason, "reason"))

    def notify(self, method: str, params: Any) -> None:
        error = ffi.new("char **")
        status = lib.mcp_client_notify(self._client, string(method, "method"), encode(params, method), error)
        check(status, method, error)

    def respond(self, request: Any, result: Any) -> None:
        error = ffi.new("char **")
        status = lib.mcp_request_respond(request, encode(result, "respond"), error)
        check(status, "respond", error)

    def refuse(self, request: Any, code: int, text: str, data: Any) -> None:
        error = ffi.new("char **")
        status = lib.mcp_request_respond_error(request, code, string(text, "respond"), encode(data, "respond"), error)
        check(status, "respond", error)

    def accept(self, request: Any, content: Any) -> None:
        error = ffi.new("char **")
        status = lib.mcp_request_respond_elicitation(request, b"accept", encode(content, "elicitation"), error)
        check(status, "elicitation", error)

    def decline(self, request: Any) -> None:
        error = ffi.new("char **")
        check(lib.mcp_request_respond_elicitation(request, b"decline", ffi.NULL, error), "elicitation", error)

    def dismiss(self, request: Any) -> None:
        error = ffi.new("char **")
        check(lib.mcp_request_respond_elicitation(request, b"cancel", ffi.NULL, error), "elicitation", error)

    def auth_complete(self, callback_url: str) -> None:
        error = ffi.new("char **")
        status = lib.mcp_client_complete_login(self._client, string(callback_url, "auth_complete"), error)
        check(status, "auth_complete", error)

    def auth_give(self, credential: str, lasts_ms: int) -> None:
        error = ffi.new("char **")
        lasts_ms = min(lasts_ms, 2**31 - 1)
        status = lib.mcp_client_supply_credential(self._client, string(credential, "auth_give"), lasts_ms, error)
        check(status, "auth_give", error)

    def auth_give_up(self, reason: str) -> None:
        error = ffi.new("char **")
        check(lib.mcp_client_abort_login(self._client, string(reason, "auth_give_up"), error), "auth_give_up", error)

    def auth_answer(self, message: Any, answer: str | None, failure: str | None) -> None:
        error = ffi.new("char **")
        texts = (ffi.NULL if said is None else string(said, "auth_answer") for said in (answer, failure))
        check(lib.mcp_client_answer_auth(self._client, message, *texts, error), "auth_answer", error)

    def logout(self, timeout_ms: int) -> None:
        error = ffi.new("char **")
        check(lib.mcp_client_logout(self._client, timeout_ms, error), "logout", error)

    def clear_cache(self) -> None:
        check(lib.mcp_client_clear_cache(self._client), "cache", ffi.new("char **"))

    def poll(self, timeout_ms: int) -> tuple[int, Message | None]:
        """How the wait ended, and the message if there was one. The interpreter is free meanwhile."""
        status = lib.mcp_py_poll(self._client, timeout_ms, self._polled)
        return status, Message(self._polled) if status == Status.OK else None

    def inbox(self) -> Any:
        """What threads in calls share with a driver that takes this client's messages. It is to be ended before `free`."""
        made = lib.mcp_py_inbox_new(self._client)
        if made == ffi.NULL:
            raise MemoryError("new: there is no memory for what threads in calls share")
        return ffi.gc(made, lib.mcp_py_inbox_free)

    def descriptor(self) -> int:
        number: int = lib.mcp_client_fd(self._client)
        if number < 0:
            raise error_for(number, {"operation": "fd"})
        return number

    def close(self, timeout_ms: int) -> int:
        status: int = lib.mcp_client_close(self._client, timeout_ms)
        return status

    def free(self) -> None:
        lib.mcp_client_free(self._client)


def load_config(path: str | os.PathLike[str], server: str | None = None) -> Config:
    """One server of a file with "mcpServers", as configuration of a client; None takes the only one."""
    out, error = ffi.new("char **"), ffi.new("char **")
    name = ffi.NULL if server is None else string(server, "config")
    status = lib.mcp_config_load(string(os.fspath(path), "config"), name, out, error)
    check(status, "config", error)
    config: Config = json.loads(owned(out[0]) or "{}")
    return config


@ffi.def_extern()  # type: ignore[untyped-decorator]
def mcp_py_opened(user: Any, name: Any, client: Any, status: int, error: Any) -> None:
    found: list[tuple[str, Any, int, str | None]] = ffi.from_handle(user)
    found.append((text(name) or "", None if client == ffi.NULL else client, status, text(error)))


def open_config(path: str | os.PathLike[str], defaults: Any) -> tuple[dict[str, Handle], dict[str, Error]]:
    """A client for each enabled server of a file with "mcpServers", by name, and why there is none for the others."""
    found: list[tuple[str, Any, int, str | None]] = []
    user, error = ffi.new_handle(found), ffi.new("char **")
    options = {"defaults": defaults} if defaults else None
    status = lib.mcp_config_open(
        string(os.fspath(path), "config"), ffi.NULL, encode(options, "config"), lib.mcp_py_opened, user, error
    )
    if status != Status.EMPTY:
        check(status, "config", error)
    made = {name: Handle.adopt(client) for name, client, _, _ in found if client is not None}
    failed = {
        name: error_for(code, json.loads(said) if said else {"operation": "config"})
        for name, client, code, said in found if client is None
    }
    return made, failed


def expand_template(template: str, variables: Any = None) -> str:
    """The URI of a resource of a template (RFC 6570), with a dict of values for its variables."""
    out, error = ffi.new("char **"), ffi.new("char **")
    values = encode({} if variables is None else variables, "template")
    check(lib.mcp_uri_template_expand(string(template, "template"), values, out, error), "template", error)
    return owned(out[0]) or ""


def name_of(value: Status | Kind | State) -> str:
    """The library's name of a number, such as "invalid_argument"."""
    names = {Status: lib.mcp_status_name, Kind: lib.mcp_kind_name, State: lib.mcp_client_state_name}
    return text(names[type(value)](value)) or ""
