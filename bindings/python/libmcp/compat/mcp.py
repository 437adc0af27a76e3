"""The official SDK's shapes on libmcp, for packages that take them: LangChain's adapters, the OpenAI Agents SDK, Pydantic AI, the Claude
Agent SDK and others.

    from libmcp.compat.mcp import ClientSession

    async with ClientSession({"command": "some-server"}) as session:
        await session.initialize()
        tools = await load_mcp_tools(session)

`ClientSession` is the session of the package `mcp`, 1.x or 2.x; the connection, its revision, logins and reconnection are libmcp's.
`streams` is the transport below it alone. `Server` is a server of libmcp as `mcp.server.Server` of 1.x.
"""

from __future__ import annotations

import asyncio
import logging
import math
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import anyio.abc
import mcp
import mcp.types
from mcp.server.lowlevel import Server as _OfficialServer
from mcp.shared.message import SessionMessage

from .._aio import AsyncClient
from .._generated.config import Config
from .._core import Request
from .._handlers import CAPABILITIES
from ..anyio import AnyioClient
from ..errors import Error, Refusal

if TYPE_CHECKING:
    from .._server import Server as _Server

#: JSON-RPC's codes, and that of this bridge for a failure that is not the server's error.
METHOD_NOT_FOUND, INVALID_REQUEST, FAILED = -32601, -32600, -32000
#: How many messages wait for a side that is slow. Over these, notifications are lost.
ROOM = 1024

log = logging.getLogger("libmcp.client")


@asynccontextmanager
async def streams(config: Config | None = None, *, server: _Server | None = None, **options: Any) -> AsyncIterator[tuple[Any, Any]]:
    """The two streams of a transport, as `mcp.ClientSession` takes them. The parameters are those of `libmcp.anyio.AnyioClient`; the
    capabilities are those of the session."""
    wire = _Wire()
    async with wire.carried(config, server, options):
        yield wire.read, wire.write


class _Wire:
    """The streams between a session and its client. They are there before the session is entered."""

    def __init__(self) -> None:
        self._to_session, self.read = anyio.create_memory_object_stream[Any](ROOM)
        self.write, self._from_session = anyio.create_memory_object_stream[Any](ROOM)

    @asynccontextmanager
    async def carried(self, config: Config | None, server: _Server | None, options: dict[str, Any]) -> AsyncIterator[None]:
        try:
            async with anyio.create_task_group() as group:
                bridge = _Bridge(group, self._to_session, config or {}, server, options)
                group.start_soon(bridge.run, self._from_session)
                try:
                    yield
                finally:
                    group.cancel_scope.cancel()
        finally:
            self.close()

    def close(self) -> None:
        for stream in (self._to_session, self.read, self.write, self._from_session):
            stream.close()


def transport(config: Config | None = None, *, server: _Server | None = None, **options: Any) -> Any:
    """The same as a transport of the package `fastmcp`, for its `Client` and for Pydantic AI: `MCPToolset(transport({…}))`."""
    from fastmcp.client.transports import ClientTransport

    class Transport(ClientTransport):
        @asynccontextmanager
        async def connect_session(self, **callbacks: Any) -> AsyncIterator[mcp.ClientSession]:
            async with streams(config, server=server, **options) as (read, write):
                async with mcp.ClientSession(read, write, **callbacks) as session:
                    yield session

    return Transport()


class ClientSession(mcp.ClientSession):
    """A session of the official SDK that has its connection itself: `config`, `server` and `options` are those of
    `libmcp.anyio.AnyioClient`, all else is `mcp.ClientSession`'s."""

    def __init__(
        self, config: Config | None = None, *, server: _Server | None = None, options: dict[str, Any] | None = None, **callbacks: Any
    ) -> None:
        self._wire = _Wire()
        self._to = config, server, options or {}
        super().__init__(self._wire.read, self._wire.write, **callbacks)
        # One that is never entered has nothing else that closes its streams.
        weakref.finalize(self, self._wire.close)

    async def __aenter__(self) -> Any:
        self._carried = self._wire.carried(*self._to)
        await self._carried.__aenter__()
        try:
            return await super().__aenter__()
        except BaseException as error:
            await self._carried.__aexit__(type(error), error, error.__traceback__)
            raise

    async def __aexit__(self, *raised: Any) -> Any:
        try:
            return await super().__aexit__(*raised)
        finally:
            await self._carried.__aexit__(None, None, None)


#: The requests of 1.x that are the same on every wire, by what a server must offer for them, and what answers them.
_ANSWERS = {
    "ListToolsRequest": ("tools", "ListToolsResult"), "CallToolRequest": ("tools", "CallToolResult"),
    "ListResourcesRequest": ("resources", "ListResourcesResult"), "ReadResourceRequest": ("resources", "ReadResourceResult"),
    "ListResourceTemplatesRequest": ("resources", "ListResourceTemplatesResult"),
    "ListPromptsRequest": ("prompts", "ListPromptsResult"), "GetPromptRequest": ("prompts", "GetPromptResult"),
    "CompleteRequest": ("completions", "CompleteResult"),
}


class Server(_OfficialServer):
    """A server of libmcp as `mcp.server.Server`, for programs that serve or call one in their process, such as the Claude Agent SDK:
    `{"type": "sdk", "name": "shop", "instance": Server(shop)}`. It belongs to asyncio. What the server offers is that of the
    moment when this is made. Its functions can report progress, and ask the client nothing."""

    def __init__(self, server: _Server) -> None:
        if not hasattr(_OfficialServer, "list_tools"):
            raise TypeError("libmcp.compat.mcp.Server needs mcp 1.x (pip install 'mcp<2'); from 2.x on a program reaches a server over `streams`")
        super().__init__(server.name, version=server.version, instructions=server.instructions)
        self._served = server
        self._clients: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, AsyncClient] = weakref.WeakKeyDictionary()
        for request, (kind, result) in _ANSWERS.items():
            if kind in server.kinds:
                self.request_handlers[getattr(mcp.types, request)] = self._answering(getattr(mcp.types, result))

    def _answering(self, kind: Any) -> Callable[..., Awaitable[mcp.types.ServerResult]]:
        async def answer(request: Any) -> mcp.types.ServerResult:
            params = request.params.model_dump(mode="json", by_alias=True, exclude_none=True) if request.params is not None else {}
            params.pop("_meta", None)
            options: dict[str, Any] = {"timeout": math.inf, "max_total": math.inf}
            reports = self._reports()
            if reports is not None:
                options["on_progress"] = reports
            try:
                result = await self._client().call(request.method, params or None, **options)
            except Error as error:
                data = mcp.types.ErrorData(code=FAILED if error.code is None else error.code, message=str(error), data=error.data)
                raise mcp.McpError(data) from error
            return mcp.types.ServerResult(kind.model_validate(result))

        return answer

    def _client(self) -> AsyncClient:
        """That of the running loop. The collector closes it with its loop, or with this."""
        loop = asyncio.get_running_loop()
        client = self._clients.get(loop)
        if client is None:
            client = self._clients[loop] = AsyncClient({"capabilities": {}}, server=self._served)
        return client

    def _reports(self) -> Callable[[Any], Awaitable[None]] | None:
        """What passes progress on to the session that the request came from, if it came from one that wants it."""
        try:
            context = self.request_context
        except LookupError:
            return None
        token = None if context.meta is None else context.meta.progressToken
        if token is None:
            return None

        async def report(progress: Any) -> None:
            await context.session.send_progress_notification(
                token, progress["progress"], progress.get("total"), progress.get("message"), related_request_id=str(context.request_id)
            )

        return report


class _Bridge:
    """Answers a session's requests with a client, which is made when the session says what it can."""

    def __init__(self, group: anyio.abc.TaskGroup, out: Any, config: Config, server: _Server | None, options: dict[str, Any]) -> None:
        self._group = group
        self._out = out
        self._config = config
        self._server = server
        self._options = options
        self._client: AnyioClient | None = None
        self._running: dict[Any, anyio.CancelScope] = {}
        #: Questions of the server that the session answers.
        self._asked: dict[int, tuple[anyio.Event, list[dict[str, Any]]]] = {}
        self._last = 0

    async def run(self, stream: Any) -> None:
        # The client is left where it was entered: its tasks belong to this one.
        async with stream, AsyncExitStack() as self._stack:
            async for item in stream:
                message = item.message.model_dump(mode="json", by_alias=True, exclude_unset=True)
                if "method" not in message:
                    self._settle(message)
                elif message.get("id") is None:
                    self._note(message["method"], message.get("params"))
                elif message["method"] == "initialize":
                    await self._answer(message, await self._outcome(message))
                else:
                    self._group.start_soon(self._request, message)

    async def _request(self, message: dict[str, Any]) -> None:
        with anyio.CancelScope() as scope:
            self._running[message["id"]] = scope
            try:
                await self._answer(message, await self._outcome(message))
            finally:
                del self._running[message["id"]]

    async def _outcome(self, message: dict[str, Any]) -> dict[str, Any]:
        """The members of a response besides its id."""
        try:
            return {"result": await self._result(message["method"], message.get("params") or {})}
        except Refusal as refusal:
            return {"error": {"code": refusal.code, "message": str(refusal)}}
        except Error as error:
            said: dict[str, Any] = {"code": FAILED if error.code is None else error.code, "message": str(error)}
            return {"error": said if error.data is None else {**said, "data": error.data}}
        except Exception as fault:
            # A program's function, or what the session sent, has failed: the other requests of the session go on.
            log.exception("the session's request failed: %s", message["method"])
            return {"error": {"code": FAILED, "message": f"{message['method']}: {type(fault).__name__}: {fault}"}}

    async def _result(self, method: str, params: dict[str, Any]) -> Any:
        if method == "initialize":
            return await self._initialize(params)
        client = self._client
        if client is None:
            raise Refusal(f"{method}: the session has not been initialized", METHOD_NOT_FOUND)
        # These have another form on the wire in 2026-07-28, or none.
        if method == "ping":
            await client.ping(timeout=math.inf, max_total=math.inf)
            return {}
        if method == "resources/subscribe":
            await client.subscribe(params["uri"])
            return {}
        if method == "resources/unsubscribe":
            await client.unsubscribe(params["uri"])
            return {}
        if method == "logging/setLevel":
            await client.set_log_level(params["level"])
            return {}
        # How long it waits is the session's to decide, which cancels.
        options: dict[str, Any] = {"timeout": math.inf, "max_total": math.inf}
        meta = dict(params.get("_meta") or {})
        token = meta.pop("progressToken", None)
        if token is not None:
            params = {**params, "_meta": meta}

            def report(progress: Any) -> None:
                self._tell("notifications/progress", {**progress, "progressToken": token})

            options["on_progress"] = report
        return await client.call(method, {key: value for key, value in params.items() if key != "_meta" or value} or None, **options)

    async def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        if self._client is not None:
            raise Refusal("initialize: the session was initialized before", INVALID_REQUEST)
        known = {method for method, capability in CAPABILITIES.items() if params["capabilities"].get(capability) is not None}
        capabilities = {name: value for name, value in params["capabilities"].items() if value is not None}
        config: Any = {**self._config, "capabilities": capabilities}
        questions = {method: self._ask for method in known}
        client = AnyioClient(config, server=self._server, on_request=questions, on_notification=self._notified, **self._options)
        self._client = await self._stack.enter_async_context(client)
        await client.connect()
        said = client.info()
        about = said.get("server") or {}
        answer = {
            "protocolVersion": params["protocolVersion"],
            "capabilities": said.get("capabilities") or {},
            "serverInfo": {"name": about.get("name", ""), "version": about.get("version", "")},
            "instructions": said.get("instructions"),
        }
        return {name: value for name, value in answer.items() if value is not None}

    async def _ask(self, request: Request) -> Any:
        """A request of the server, which the session answers."""
        self._last += 1
        number = self._last
        event, answers = anyio.Event(), list[dict[str, Any]]()
        self._asked[number] = event, answers
        try:
            await self._send({"jsonrpc": "2.0", "id": number, "method": request.method, "params": request.params})
            await event.wait()
        finally:
            del self._asked[number]
        error = answers[0].get("error")
        if error is not None:
            raise Refusal(error.get("message", ""), error.get("code", FAILED), error.get("data"))
        return answers[0].get("result")

    def _settle(self, message: dict[str, Any]) -> None:
        asked = self._asked.get(message.get("id") or 0)
        if asked is not None and not asked[1]:
            asked[1].append(message)
            asked[0].set()

    def _note(self, method: str, params: Any) -> None:
        """A notification of the session."""
        if method == "notifications/cancelled":
            scope = self._running.get((params or {}).get("requestId"))
            if scope is not None:
                scope.cancel()
        elif method != "notifications/initialized" and self._client is not None:
            try:
                self._client.notify(method, params)
            except Error as error:  # It has no answer that could say so, and the session goes on.
                log.warning("the session's %s is lost: %s", method, error)

    def _notified(self, method: str, params: Any) -> None:
        if method != "notifications/progress":
            self._tell(method, params)

    def _tell(self, method: str, params: Any) -> None:
        """Without waiting, so that what comes keeps its order."""
        message = SessionMessage(_read({"jsonrpc": "2.0", "method": method, "params": params}))
        try:
            self._out.send_nowait(message)
        except anyio.WouldBlock:
            log.warning("the session is too slow: %s is lost", method)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass

    async def _answer(self, message: dict[str, Any], outcome: dict[str, Any]) -> None:
        await self._send({"jsonrpc": "2.0", "id": message["id"], **outcome})

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self._out.send(SessionMessage(_read(message)))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # The session has ended, and wants nothing more.


def _read(message: dict[str, Any]) -> Any:
    """A message as the SDK has it: a model that stands for each kind in 1.x, one of several in 2.x."""
    adapter: Any = getattr(mcp.types, "jsonrpc_message_adapter", None)
    if adapter is not None:
        return adapter.validate_python(message)
    return mcp.types.JSONRPCMessage.model_validate(message)
