"""A client for trio, and for every event loop that anyio knows: `pip install libmcp[anyio]`.

    import trio
    from libmcp.anyio import AnyioClient

    async def main():
        async with AnyioClient({"command": "some-server"}) as client:
            print((await client.call_tool("echo", {"text": "Hello"})).text)

    trio.run(main)
"""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio
import anyio.abc
import anyio.to_thread

from ._generated.abi import Status
from ._async_features import AsyncFeatures
from ._generated.config import Config
from ._core import Core, Request, Sink, result_of
from ._handlers import ElicitationHandler, Handlers, RequestHandler, RootsHandler, SamplingHandler, Typed, VisitHandler
from ._login import Login, LoginHandler
from ._options import Options, Time, milliseconds
from ._store import Asked, AsyncLoginStore, AsyncSigner
from .errors import Closed, error_for

if TYPE_CHECKING:
    from ._server import Server

log = logging.getLogger("libmcp.client")

#: How many messages are taken before other tasks have their turn.
TURN = 200
#: How long closing waits for the program's store to save a login and to release a lock, in seconds.
PATIENCE = 5.0


def _patiently() -> anyio.CancelScope:
    return anyio.move_on_after(PATIENCE, shield=True)


class _Awaited:
    """The sink of a call that a task awaits."""

    def __init__(self, options: Options, run: Callable[..., None]) -> None:
        self.ended = anyio.Event()
        self.result: tuple[int, bytes | None] = (Status.INTERNAL, None)
        self._progress = options.get("on_progress")
        self._on_task = options.get("on_task")
        self._run = run

    def progress(self, body: bytes) -> None:
        if self._progress is not None and not self.ended.is_set():
            self._run(self._progress, (json.loads(body),))

    def task(self, body: bytes) -> None:
        if self._on_task is not None and not self.ended.is_set():
            self._run(self._on_task, (json.loads(body),))

    def outcome(self, status: int, body: bytes | None) -> None:
        self.result = status, body
        self.ended.set()


class AnyioClient(AsyncFeatures):
    """One logical connection to one server. Its tasks belong to the `async with` statement that it is used in.

    The parameters are those of AsyncClient. A handler that raises is told to `on_error`, or to the logger "libmcp.client".
    """

    def __init__(
        self,
        config: Config | str | None = None,
        *,
        server: Server | None = None,
        on_request: Mapping[str, RequestHandler] | None = None,
        on_sampling: SamplingHandler | None = None,
        on_elicitation: ElicitationHandler | None = None,
        on_visit: VisitHandler | None = None,
        on_roots: RootsHandler | None = None,
        on_notification: Callable[[str, Any], Any] | None = None,
        on_state: Callable[[dict[str, Any]], Any] | None = None,
        on_log_line: Callable[[str], Any] | None = None,
        on_lost: Callable[[int], Any] | None = None,
        on_login: LoginHandler | None = None,
        login_store: AsyncLoginStore | None = None,
        on_sign: AsyncSigner | None = None,
        on_error: Callable[[BaseException], Any] | None = None,
    ) -> None:
        typed = Typed(on_sampling, on_elicitation, on_visit, on_roots)
        handlers = Handlers(on_request, on_notification, on_state, on_log_line, on_lost, on_login, login_store, on_sign, typed)
        if server is not None and not server.is_started:
            server.start()
        #: It lives as long as its client.
        self._server = server
        self._core = Core(handlers, handlers.new_for(config, server))
        self._on_error = on_error
        self._group: anyio.abc.TaskGroup | None = None
        self._drained: anyio.Event | None = None
        self._storing: set[anyio.Event] = set()

    async def __aenter__(self) -> AnyioClient:
        if self._group is not None or self._core.is_closing:
            raise error_for(Status.CLOSED, {"operation": "open", "message": "open: the client was opened before"})
        with self._core.using("open") as handle:
            descriptor = handle.descriptor()
        self._drained = anyio.Event()
        self._group = anyio.create_task_group()
        await self._group.__aenter__()
        self._group.start_soon(self._watch, descriptor)
        return self

    async def __aexit__(self, *_: object) -> None:
        group = self._group
        try:
            await self.close()
        finally:
            if group is not None:
                group.cancel_scope.cancel()
                await group.__aexit__(None, None, None)

    async def close(self, timeout: Time | None = None) -> None:
        """Ends calls under way and the server, which gets `timeout` seconds to end by itself. Any number of times."""
        if self._core.is_closing:
            return
        with anyio.CancelScope(shield=True):
            status = await anyio.to_thread.run_sync(self._core.begin_close, milliseconds(timeout))
            if self._drained is not None and status == Status.OK:
                await self._drained.wait()
            with _patiently():
                for stored in list(self._storing):
                    await stored.wait()
            if self._group is not None:
                self._group.cancel_scope.cancel()
            if status != Status.OK:
                said = {"operation": "close", "message": "close: the server has not ended, though it was killed"}
                raise error_for(status, said)
            await anyio.to_thread.run_sync(self._core.end_close)
            for asked in self._core.left():
                await asked.serve(self._complain, shield=_patiently)

    async def _watch(self, descriptor: int) -> None:
        try:
            while self._turn():
                await anyio.wait_readable(descriptor)
        finally:
            if self._drained is not None:
                self._drained.set()

    def _turn(self) -> bool:
        """False at the end. What is left after a turn keeps the descriptor readable."""
        for _ in range(TURN):
            status, message = self._core.poll(0)
            if message is not None:
                self._core.dispatch(message, self._request, self._run, self._login, self._ask)
            elif status < 0:
                if status != Status.CLOSED:
                    self._core.abort(status)
                return False
            else:
                break
        return True

    def _start(self, work: Callable[..., Any], *values: Any) -> None:
        if self._group is not None:
            self._group.start_soon(work, *values)

    def _complain(self, error: BaseException) -> None:
        try:
            if self._on_error is not None:
                self._on_error(error)
                return
        except Exception as second:
            error = second
        log.error("a handler of the client failed", exc_info=error)

    def _run(self, function: Callable[..., Any], values: tuple[Any, ...]) -> None:
        async def wait(result: Any) -> None:
            try:
                await result
            except Exception as error:
                self._complain(error)

        try:
            result = function(*values)
            if inspect.isawaitable(result):
                self._start(wait, result)
        except Exception as error:
            self._complain(error)

    def _request(self, handler: RequestHandler, request: Request) -> None:
        self._start(self._answer, handler, request)

    async def _answer(self, handler: RequestHandler, request: Request) -> None:
        result, failure = None, None
        try:
            result = handler(request)
            if inspect.isawaitable(result):
                result = await result
        except Exception as error:
            failure = error
        except BaseException:
            request.drop()
            raise
        for failed in request.settle(result, failure):
            self._complain(failed)

    def _login(self, handler: LoginHandler, login: Login) -> None:
        self._start(self._log_in, handler, login)

    async def _log_in(self, handler: LoginHandler, login: Login) -> None:
        try:
            result = handler(login)
            if inspect.isawaitable(result):
                await result
        except Exception as error:
            login.abandon(error)
            self._complain(error)

    def _ask(self, asked: Asked) -> None:
        stored = anyio.Event()
        if not asked.ends_with_the_client:
            self._storing.add(stored)
        self._start(self._serve, asked, stored)

    async def _serve(self, asked: Asked, stored: anyio.Event) -> None:
        try:
            await asked.serve(self._complain, shield=_patiently)
        finally:
            stored.set()
            self._storing.discard(stored)

    async def connect(self, timeout: Time | None = None) -> None:
        """Starts the connection if need be and waits until it is ready. Optional: the first call starts it too."""

        def connect() -> None:
            try:
                with self._core.using("connect") as handle:
                    handle.connect(milliseconds(timeout))
            except Closed:
                if not self._core.is_closing:
                    raise

        await anyio.to_thread.run_sync(connect, abandon_on_cancel=True)

    async def logout(self, timeout: Time | None = None) -> None:
        """Deletes the stored logins for the server, in every store, and has its authorization servers revoke their tokens. The next
        request that needs a login starts a new one. After `timeout` seconds, and when the scope is cancelled, the logout continues
        in the background."""

        def logout() -> None:
            with self._core.using("logout") as handle:
                handle.logout(milliseconds(timeout))

        await anyio.to_thread.run_sync(logout, abandon_on_cancel=True)

    async def _wait(self, method: str, options: Options, start: Callable[[Sink], int]) -> Any:
        sink = _Awaited(options, self._run)
        number = start(sink)
        try:
            await sink.ended.wait()
        except anyio.get_cancelled_exc_class():
            self._core.cancel(number, "the task was cancelled")
            raise
        return result_of(method, *sink.result)
