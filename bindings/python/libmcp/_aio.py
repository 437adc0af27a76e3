"""The asyncio client: the event loop watches the queue's descriptor, and no thread waits."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ._generated.abi import Status
from ._async_features import AsyncFeatures
from ._generated.config import Config
from ._core import Core, Request, Sink, result_of
from ._handlers import ElicitationHandler, Handlers, RequestHandler, RootsHandler, SamplingHandler, Typed, VisitHandler
from ._login import Login, LoginHandler
from ._native import Handle
from ._options import Options, Time, milliseconds
from ._store import Asked, AsyncLoginStore, AsyncSigner
from .errors import callable_given, error_for

if TYPE_CHECKING:
    from ._server import Server

#: How many messages are taken before other tasks of the loop have their turn.
TURN = 200


class _Awaited:
    """The sink of a call that a task awaits."""

    def __init__(self, loop: asyncio.AbstractEventLoop, options: Options, run: Any) -> None:
        self.future: asyncio.Future[tuple[int, bytes | None]] = loop.create_future()
        self._progress = options.get("on_progress")
        self._on_task = options.get("on_task")
        self._run = run

    def progress(self, body: bytes) -> None:
        self._tell(self._progress, body)

    def task(self, body: bytes) -> None:
        self._tell(self._on_task, body)

    def _tell(self, report: Callable[[Any], Any] | None, body: bytes) -> None:
        if report is not None and not self.future.done():
            self._run(report, (json.loads(body),))

    def outcome(self, status: int, body: bytes | None) -> None:
        if not self.future.done():
            self.future.set_result((status, body))


def _wake(client: weakref.ref[Any]) -> None:
    """What the loop knows, so that a forgotten client can be found."""
    found = client()
    if found is not None:
        found._readable()


def _abandon(core: Core, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
    """The backstop for a client that was forgotten, perhaps together with its loop."""

    def close() -> None:
        core.begin_close(-1)
        core.end_close()

    def unwatch() -> None:
        loop.remove_reader(descriptor)
        threading.Thread(target=close, daemon=True).start()

    try:
        loop.call_soon_threadsafe(unwatch)
    except RuntimeError:  # The loop is closed, and watches nothing.
        threading.Thread(target=close, daemon=True).start()


def _was_heard(task: asyncio.Future[Any]) -> None:
    """Reads how a task ended, because perhaps no coroutine waits for it any more; otherwise the loop would complain."""
    if not task.cancelled():
        task.exception()


def _work(core: Core, operation: str, work: Callable[[Handle], None], ended: asyncio.Future[None]) -> None:
    failure: BaseException | None = None
    try:
        with core.using(operation) as handle:
            work(handle)
    except BaseException as error:
        failure = error

    def tell() -> None:
        if ended.done():
            return
        if failure is None:
            ended.set_result(None)
        else:
            ended.set_exception(failure)

    try:
        ended.get_loop().call_soon_threadsafe(tell)
    except RuntimeError:
        pass  # The loop is closed, and no task waits.


class AsyncClient(AsyncFeatures):
    """One logical connection to one server, for programs with an event loop. It belongs to the loop it was made in.

    As `Client`; handlers may be coroutine functions as well. They run in the loop, one task for each message that is
    handled by a coroutine. Use it in an `async with` statement, or `close` it.
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
        _handle: Handle | None = None,
    ) -> None:
        try:
            self._loop = asyncio.get_running_loop()
        except RuntimeError as none:
            raise RuntimeError("an AsyncClient belongs to a running event loop: make it in a coroutine, or use Client") from none
        callable_given("on_error", on_error)
        self._on_error = on_error
        typed = Typed(on_sampling, on_elicitation, on_visit, on_roots)
        handlers = Handlers(on_request, on_notification, on_state, on_log_line, on_lost, on_login, login_store, on_sign, typed)
        if server is not None and not server.is_started:
            server.start_async()
        #: It lives as long as its client.
        self._server = server
        self._core = Core(handlers, _handle or handlers.new_for(config, server))
        self._tasks: set[asyncio.Future[Any]] = set()
        self._answering: set[asyncio.Future[Any]] = set()
        self._connecting: asyncio.Future[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        with self._core.using("new") as handle:
            self._descriptor: int | None = handle.descriptor()
        self._loop.add_reader(self._descriptor, _wake, weakref.ref(self))
        self._backstop = weakref.finalize(self, _abandon, self._core, self._loop, self._descriptor)
        self._backstop.atexit = False

    def __repr__(self) -> str:
        return f"<libmcp.AsyncClient, {self.state.name.lower()}>"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _readable(self) -> None:
        """The descriptor is readable as long as messages wait, so what is left after a turn comes back."""
        for _ in range(TURN):
            status, message = self._core.poll(0)
            if message is not None:
                self._core.dispatch(message, self._request, self._run, self._login, self._ask)
                continue
            if status < 0:
                self._unwatch()
                if status != Status.CLOSED:
                    self._core.abort(status)
            return

    def _unwatch(self) -> None:
        if self._descriptor is not None:
            self._loop.remove_reader(self._descriptor)
            self._descriptor = None

    def _spawn(self, work: Any, done: Callable[[asyncio.Future[Any]], Any]) -> asyncio.Future[Any]:
        """A task that the client keeps from the collector until it is done."""
        task: asyncio.Future[Any] = asyncio.ensure_future(work, loop=self._loop)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(done)
        return task

    def _run(self, function: Callable[..., Any], values: tuple[Any, ...]) -> None:
        """Runs a handler. One that raises is told as a callback of the loop would be."""

        def complain(error: BaseException) -> None:
            self._complain(f"a handler of libmcp raised: {function!r}", error)

        def done(task: asyncio.Future[Any]) -> None:
            error = None if task.cancelled() else task.exception()
            if error is not None:
                complain(error)

        try:
            result = function(*values)
            if inspect.isawaitable(result):
                self._spawn(result, done)
        except Exception as error:
            complain(error)

    def _complain(self, message: str, error: BaseException) -> None:
        if self._on_error is not None:
            try:
                self._on_error(error)
                return
            except Exception as second:
                error = second
        self._loop.call_exception_handler({"message": message, "exception": error})

    def _request(self, handler: RequestHandler, request: Request) -> None:
        task = self._spawn(self._answer(handler, request), _was_heard)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, handler: RequestHandler, request: Request) -> None:
        result, failure = None, None
        try:
            result = handler(request)
            if inspect.isawaitable(result):
                result = await result
        except Exception as error:
            failure = error
        except BaseException:  # The task was cancelled, or the program is ending.
            request.drop()
            raise
        for failed in request.settle(result, failure):
            self._complain(f"the handler of {request.method} failed: {handler!r}", failed)

    def _login(self, handler: LoginHandler, login: Login) -> None:
        task = self._spawn(self._log_in(handler, login), _was_heard)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _log_in(self, handler: LoginHandler, login: Login) -> None:
        try:
            result = handler(login)
            if inspect.isawaitable(result):
                await result
        except Exception as error:
            login.abandon(error)
            self._complain(f"the handler of logins failed: {handler!r}", error)

    def _ask(self, asked: Asked) -> None:
        def complain(error: BaseException) -> None:
            self._complain(f"the program's function failed that was asked to {asked.kind}", error)

        task = self._spawn(asked.serve(complain), _was_heard)
        if asked.ends_with_the_client:
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def connect(self, timeout: Time | None = None) -> None:
        """Starts the connection if need be and waits until it is ready. Optional: the first call starts it too."""
        limit = milliseconds(timeout)
        # There is one thread at most, however many wait.
        if self._connecting is None or self._connecting.done():
            self._connecting = self._start("connect", lambda handle: handle.connect(-1))
        done, _ = await asyncio.wait({self._connecting}, timeout=None if limit < 0 else limit / 1000)
        if not done:
            said = {"operation": "connect", "message": f"connect: not ready within {limit / 1000} s"}
            raise error_for(Status.TIMEOUT, said)
        self._connecting.result()

    async def logout(self, timeout: Time | None = None) -> None:
        """Deletes the stored logins for the server, in every store, and has its authorization servers revoke their tokens. The next
        request that needs a login starts a new one. After `timeout` seconds, and when the task is cancelled, the logout continues
        in the background."""
        await self._start("logout", lambda handle: handle.logout(milliseconds(timeout)))

    def _start(self, operation: str, work: Callable[[Handle], None]) -> asyncio.Future[None]:
        # The library's function blocks a thread. It does not belong to the loop's executor, which the end of the loop waits for:
        # after Ctrl-C the work may go on until the client is closed.
        ended: asyncio.Future[None] = self._loop.create_future()
        ended.add_done_callback(_was_heard)
        given = (self._core, operation, work, ended)
        threading.Thread(target=_work, args=given, name=f"libmcp {operation}", daemon=True).start()
        return ended

    async def close(self, timeout: Time | None = None) -> None:
        """Ends calls under way and the server, which gets `timeout` seconds to end by itself. Any number of times."""
        if self._closing is None:
            self._closing = self._loop.create_task(self._close(milliseconds(timeout)))
        await asyncio.shield(self._closing)

    async def _close(self, timeout_ms: int) -> None:
        self._backstop.detach()
        status = await asyncio.to_thread(self._core.begin_close, timeout_ms)
        while self._descriptor is not None and status == Status.OK:
            self._readable()
            await asyncio.sleep(0)
        self._unwatch()
        for task in list(self._answering):
            task.cancel()  # After the close the server waits for no answer.
        if status != Status.OK:
            said = {"operation": "close", "message": "close: the server has not ended, though it was killed"}
            raise error_for(status, said)
        await asyncio.to_thread(self._core.end_close)
        for asked in self._core.left():
            self._ask(asked)

    async def _wait(self, method: str, options: Options, start: Callable[[Sink], int]) -> Any:
        sink = _Awaited(self._loop, options, self._run)
        number = start(sink)
        try:
            status, body = await sink.future
        except asyncio.CancelledError:
            self._core.cancel(number, "the task was cancelled")
            raise
        return result_of(method, status, body)
