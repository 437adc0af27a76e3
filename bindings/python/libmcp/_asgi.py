"""A server inside an HTTP server of the program: an ASGI application on the library's exchanges. Nothing is copied through threads."""

from __future__ import annotations

import asyncio
import fcntl
import functools
import inspect
import itertools
import os
import signal
import struct
import weakref
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from ._generated.abi import Status
from ._cffi import ffi, lib
from ._generated.config import Endpoint
from ._native import check, string
from ._serving import Core
from .errors import Error, error_for

if TYPE_CHECKING:
    from ._server import Server

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

#: The URL of an application that answers at each path.
ANYWHERE = "http://127.0.0.1/"
#: What is read of an answer at once.
PART = 65536
#: So much of a body that is not wanted is thrown away, so that its sender reads why and can ask again on its connection.
MOST_THROWN_AWAY = 1024 * 1024
#: How large the pipe is wished that tells which exchanges go on; each takes 8 bytes of it, at most twice.
PIPE = 1024 * 1024
#: How often it is looked at whether the host ends, while an event stream is open, in seconds.
LOOK = 0.25
#: How many functions around the host's are looked at for it.
MOST_WRAPPERS = 100
#: What requests under way have then, before the server is closed.
GRACE = 3.0


class Hub:
    """Wakes the tasks whose exchanges go on. The library writes the number of an exchange into a pipe, at most once for each wait
    and once when its body is not wanted any more."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        try:
            fcntl.fcntl(self._write, 1031, PIPE)  # F_SETPIPE_SZ, which fcntl of Python 3.10 does not name
        except OSError:
            pass
        #: So many exchanges never fill the pipe.
        self.room = fcntl.fcntl(self._write, 1032) // 16  # F_GETPIPE_SZ
        self.waiting: dict[int, asyncio.Future[None]] = {}
        self.open = 0
        #: Those of them that are streams which only a client or the end of the server ends.
        self.held = 0
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

    def __init__(self, server: Server, core: Core, endpoint: Endpoint, is_anywhere: bool = False) -> None:
        self._server = server
        self._core = core
        self._endpoint = endpoint
        self._hub: Hub | None = None
        self._is_served = False
        self._path = urlsplit(endpoint.get("url", "")).path or "/"
        self._is_anywhere = is_anywhere
        self._watch: asyncio.Task[None] | None = None

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
        try:
            hub = self._begin()
            if hub.open >= hub.room:
                await _plain(send, 503, "too many requests are under way")
                return
            with self._core.held.using("http") as handle:
                exchange = Exchange(hub, handle.pointer, scope, b"/" if self._is_anywhere else _target(scope, self._path))
        except Error as error:
            closed = error.status == Status.CLOSED
            await _plain(send, 503 if closed else 400, "the server is closed" if closed else "the request is malformed")
            return
        try:
            if await exchange.take_body(receive):
                await exchange.answer(receive, send, lambda: self._watch_host(hub, send))
        finally:
            exchange.free()

    def _watch_host(self, hub: Hub, send: Send) -> None:
        """A host that ends waits for its responses first, and tells the application afterwards. An event stream would keep it for ever."""
        if self._watch is None or self._watch.done() or self._watch.get_loop() is not hub.loop:
            self._watch = hub.loop.create_task(self._end_with_host(hub, send))

    async def _end_with_host(self, hub: Hub, send: Send) -> None:
        while not _host_ends(send):
            if hub.open == 0:
                return
            await asyncio.sleep(LOOK)
        end = hub.loop.time() + GRACE
        while hub.open > hub.held and hub.loop.time() < end:
            await asyncio.sleep(LOOK)
        await self._server.aclose()


def _host_ends(send: Send) -> bool:
    """Whether the host has been told to end: uvicorn, whose server handles the signals, or hypercorn, whose stream sends."""
    for number in (signal.SIGTERM, signal.SIGINT):
        if getattr(getattr(signal.getsignal(number), "__self__", None), "should_exit", False) is True:
            return True
    for owner in _owners(send):
        terminated = getattr(getattr(owner, "context", None), "terminated", None)
        is_set = getattr(terminated, "is_set", None)
        if callable(is_set):
            return is_set() is True
    return False


def _owners(send: Any) -> Iterator[Any]:
    """The objects whose method a function is, or whose it calls: frameworks and middleware wrap what the host has given them."""
    known: set[int] = set()
    waiting: list[Any] = [send]
    while waiting and len(known) < MOST_WRAPPERS:
        function = waiting.pop(0)
        if id(function) in known or not callable(function):
            continue
        known.add(id(function))
        if isinstance(function, functools.partial):
            waiting += [function.func, *function.args]
        owner = getattr(function, "__self__", None)
        if owner is not None:
            yield owner
            waiting += [value for value in getattr(owner, "__dict__", {}).values() if inspect.isroutine(value)]
        for cell in getattr(getattr(function, "__func__", function), "__closure__", None) or ():
            try:
                content = cell.cell_contents
            except ValueError:  # It is empty yet.
                continue
            if inspect.isroutine(content) or isinstance(content, functools.partial):
                waiting.append(content)


def _target(scope: Scope, endpoint: str) -> bytes:
    """What a request is for. Of a mounted application the endpoint's path may be that with the `root_path`, which is in the path by
    ASGI's specification but not with each host, or that without; and hosts add a slash to the path at which they mount."""
    path, root = scope["path"], scope.get("root_path", "").rstrip("/")
    paths = [path]
    if root:
        rest = path[len(root):] if path == root or path.startswith(root + "/") else None
        paths += [root + path] if rest is None else [rest or "/"]
        paths += [known.rstrip("/") for known in paths if known.endswith("/")]
    # A path that was sent with escapes is for the library to read.
    raw: bytes = scope.get("raw_path") or path.encode()
    if path != unquote(endpoint) and any(known == unquote(endpoint) for known in paths):
        return endpoint.encode()
    return raw


class Exchange:
    """One request, whose head the library judges before a byte of its body is received, and its answer."""

    def __init__(self, hub: Hub, server: Any, scope: Scope, target: bytes) -> None:
        self._hub = hub
        self._is_http_1 = scope.get("http_version", "1.1").startswith("1")
        lengths = [value for name, value in scope["headers"] if name == b"content-length" and value.isdigit()]
        #: What is left of a body comes before the next request. The host throws it away, but that should not be much.
        self._ends = any(int(length) > MOST_THROWN_AWAY for length in lengths)
        self._number = next(hub.numbers)
        self._watch: asyncio.Future[Any] | None = None
        self._is_held = False
        self._may_be_held = scope["method"] == "GET"
        query = scope.get("query_string", b"")
        words = [string(word, "header") for pair in scope["headers"] for word in pair]
        texts = [ffi.from_buffer("char[]", word + b"\0") for word in words]
        headers = ffi.new("char *[]", [*texts, ffi.NULL])
        peer = (scope.get("client") or ("",))[0]
        out, error = ffi.new("mcp_exchange_t **"), ffi.new("char **")
        status = lib.mcp_py_http_begin(
            server, scope["method"].encode(), string(target + b"?" + query if query else target, "target"), headers,
            string(peer, "client"), hub.descriptor, self._number, out, error,
        )
        check(status, "http", error)
        hub.open += 1
        self._exchange = out[0]

    async def take_body(self, receive: Receive) -> bool:
        """Receives the body as far as the library asks for it; False when the client has gone."""
        most = ffi.new("size_t *")
        is_received = is_begun = False
        while True:
            status = lib.mcp_exchange_permit(self._exchange, 0, most)
            if status == Status.EMPTY:
                # Whether the client is there only tells what would give its body, too.
                await self._rung()
                continue
            _must(status)
            if most[0] == 0:
                self._ends = not is_received and (is_begun or self._ends)
                return True
            is_begun = True
            message = await self._unless_rung(receive)
            if message is None:
                continue
            if message["type"] == "http.disconnect":
                return False
            part = message.get("body", b"")
            is_received = not message.get("more_body", False)
            _must(lib.mcp_exchange_write(self._exchange, ffi.from_buffer(part), len(part), is_received))

    def _rung(self) -> asyncio.Future[None]:
        """What is done when the library asks to look at the exchange again."""
        waiter: asyncio.Future[None] = self._hub.loop.create_future()
        self._hub.waiting[self._number] = waiter
        return waiter

    async def _unless_rung(self, receive: Receive) -> MutableMapping[str, Any] | None:
        """What the client sends; None if the library does not want it any more before it comes."""
        waiter = self._rung()
        coming = asyncio.ensure_future(receive())
        try:
            await asyncio.wait((waiter, coming), return_when=asyncio.FIRST_COMPLETED)
            return coming.result() if coming.done() else None
        finally:
            self._hub.waiting.pop(self._number, None)
            if not coming.done():
                coming.cancel()

    async def answer(self, receive: Receive, send: Send, streams: Callable[[], None]) -> None:
        """Sends the answer as it comes. `streams` is called when it is an event stream that waits."""
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
                if length[0] < 0:
                    self._hold()
                    streams()
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

    def _hold(self) -> None:
        if self._may_be_held and not self._is_held:
            self._is_held = True
            self._hub.held += 1

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
        if self._ends and self._is_http_1:
            made.append((b"connection", b"close"))
        return made

    async def _wait(self, receive: Receive) -> bool:
        """Until the answer goes on; False when the client has gone."""
        waiter = self._rung()
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
        self._hub.held -= self._is_held
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
