"""A server inside an HTTP server of the program: an ASGI application on the library's exchanges. Nothing is copied through threads."""

from __future__ import annotations

import asyncio
import fcntl
import itertools
import os
import struct
import weakref
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from ._abi import Status
from ._cffi import ffi, lib
from ._config import Endpoint
from ._native import check, string
from ._serving import Core
from .errors import Error, error_for

if TYPE_CHECKING:
    from ._server import Server

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: What is read of an answer at once.
PART = 65536
#: The body of a request, unless the server has "limits.frame_bytes".
BODY = 16 * 1024 * 1024
#: How large the pipe is wished that tells which answers go on; each takes 8 bytes of it, once.
PIPE = 1024 * 1024


class Hub:
    """Wakes the tasks whose answers go on. The library writes the number of an exchange into a pipe, at most once for each wait."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        try:
            fcntl.fcntl(self._write, 1031, PIPE)  # F_SETPIPE_SZ, which fcntl of Python 3.10 does not name
        except OSError:
            pass
        #: So many exchanges never fill the pipe.
        self.room = fcntl.fcntl(self._write, 1032) // 8  # F_GETPIPE_SZ
        self.waiting: dict[int, asyncio.Future[None]] = {}
        self.open = 0
        self.numbers = itertools.count(1)
        loop.add_reader(self._read, _drain, weakref.ref(self), self._read)
        self._backstop = weakref.finalize(self, _close_pipe, loop, self._read, self._write)

    @property
    def descriptor(self) -> int:
        return self._write

    def wake(self, data: bytes) -> None:
        for (number,) in struct.iter_unpack("=Q", data):
            waiter = self.waiting.pop(number, None)
            if waiter is not None and not waiter.done():
                waiter.set_result(None)


def _drain(hub: weakref.ref[Any], descriptor: int) -> None:
    try:
        data = os.read(descriptor, PART)
    except BlockingIOError:
        return
    found = hub()
    if found is not None:
        found.wake(data)


def _close_pipe(loop: asyncio.AbstractEventLoop, read: int, write: int) -> None:
    def close() -> None:
        os.close(read)
        os.close(write)

    def unwatch() -> None:
        loop.remove_reader(read)
        close()

    try:
        loop.call_soon_threadsafe(unwatch)
    except RuntimeError:  # The loop is closed.
        close()


class Application:
    """ASGI 3. It starts the server in the loop that it is called in, and closes it when the host's lifespan ends."""

    def __init__(self, server: Server, core: Core, endpoint: Endpoint) -> None:
        self._server = server
        self._core = core
        self._endpoint = endpoint
        self._hub: Hub | None = None
        self._is_served = False
        self._body_limit = BODY if core.frame_bytes is None else core.frame_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            self._begin()
        except Error as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self._server.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    def _begin(self) -> Hub:
        if not self._server.is_started:
            self._server.start_async()
        if not self._is_served:
            self._server.serve(self._endpoint)
            self._is_served = True
        loop = asyncio.get_running_loop()
        if self._hub is None or self._hub.loop is not loop:
            self._hub = Hub(loop)
        return self._hub

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self._read_body(receive)
        if body is None:
            return
        if len(body) > self._body_limit:
            await _plain(send, 413, "the body is too large")
            return
        try:
            hub = self._begin()
            if hub.open >= hub.room:
                await _plain(send, 503, "too many requests are under way")
                return
            with self._core.held.using("http") as handle:
                exchange = Exchange(hub, handle.pointer, scope, body)
        except Error as error:
            closed = error.status == Status.CLOSED
            await _plain(send, 503 if closed else 400, "the server is closed" if closed else "the request is malformed")
            return
        try:
            await exchange.answer(receive, send)
        finally:
            exchange.free()

    async def _read_body(self, receive: Receive) -> bytes | None:
        """The body, or somewhat more than is allowed of a larger one; None if the client has gone."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            part = message.get("body", b"")
            size += len(part)
            parts.append(part)
            if not message.get("more_body", False) or size > self._body_limit:
                return parts[0] if len(parts) == 1 else b"".join(parts)


class Exchange:
    """One request, and its answer."""

    def __init__(self, hub: Hub, server: Any, scope: Scope, body: bytes) -> None:
        self._hub = hub
        self._number = next(hub.numbers)
        self._watch: asyncio.Future[Any] | None = None
        target = scope.get("raw_path") or scope["path"].encode()
        query = scope.get("query_string", b"")
        words = [string(word, "header") for pair in scope["headers"] for word in pair]
        texts = [ffi.from_buffer("char[]", word + b"\0") for word in words]
        headers = ffi.new("char *[]", [*texts, ffi.NULL])
        out, error = ffi.new("mcp_exchange_t **"), ffi.new("char **")
        status = lib.mcp_py_http(
            server, scope["method"].encode(), string(target + b"?" + query if query else target, "target"), headers, body, len(body),
            hub.descriptor, self._number, out, error,
        )
        check(status, "http", error)
        hub.open += 1
        self._exchange = out[0]

    async def answer(self, receive: Receive, send: Send) -> None:
        number, length = ffi.new("int32_t *"), ffi.new("int64_t *")
        while True:
            status = lib.mcp_exchange_head(self._exchange, 0, number, length)
            if status != Status.EMPTY:
                break
            if not await self._wait(receive):
                return
        _must(status)
        await send({"type": "http.response.start", "status": number[0], "headers": self._headers(length[0])})
        room, size = ffi.new("char[]", PART), ffi.new("size_t *")
        left = length[0]
        while True:
            status = lib.mcp_exchange_read(self._exchange, 0, room, PART, size)
            if status == Status.EMPTY:
                if not await self._wait(receive):
                    return
                continue
            _must(status)
            part = bytes(ffi.buffer(room, size[0]))
            left -= len(part)
            more = left > 0 if length[0] >= 0 else bool(part)
            await send({"type": "http.response.body", "body": part, "more_body": more and bool(part)})
            if not more or not part:
                return

    def _headers(self, length: int) -> list[tuple[bytes, bytes]]:
        made: list[tuple[bytes, bytes]] = []
        value = ffi.new("char **")
        while True:
            name = lib.mcp_exchange_header(self._exchange, len(made), value)
            if name == ffi.NULL:
                break
            made.append((ffi.string(name), ffi.string(value[0])))
        if length >= 0:
            made.append((b"content-length", str(length).encode()))
        return made

    async def _wait(self, receive: Receive) -> bool:
        """Until the answer goes on; False when the client has gone."""
        waiter = self._hub.loop.create_future()
        self._hub.waiting[self._number] = waiter
        if self._watch is None:
            self._watch = asyncio.ensure_future(_gone(receive))
            self._watch.add_done_callback(self._left)
        if not self._watch.done():
            await waiter
        return not self._watch.done()

    def _left(self, _: object) -> None:
        waiter = self._hub.waiting.pop(self._number, None)
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    def free(self) -> None:
        self._hub.open -= 1
        self._hub.waiting.pop(self._number, None)
        if self._watch is not None:
            self._watch.cancel()
        lib.mcp_exchange_free(self._exchange)


async def _gone(receive: Receive) -> None:
    """Until the client has gone."""
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    except Exception:
        pass  # Then it cannot be heard of any more.


def _must(status: int) -> None:
    """An answer that was cut off: the host must cut the connection, so that the client sees it."""
    if status != Status.OK:
        raise error_for(status, {"operation": "http", "message": "http: the client reads too slowly, and the answer was cut off"})


async def _plain(send: Send, status: int, text: str) -> None:
    body = text.encode()
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
