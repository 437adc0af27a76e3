"""The asyncio client: the event loop watches the queue's descriptor, and no thread waits."""

from __future__ import annotations

import asyncio
import inspect
import json
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from . import _features
from ._abi import State, Status
from ._core import Core, Handlers, Request, RequestHandler, call_options, milliseconds, result_of
from ._login import Login, LoginHandler
from .errors import Closed, error_for

#: How many messages are taken before other tasks of the loop have their turn.
TURN = 200

#: A function, or a coroutine function, for what comes before the outcome of a call.
Report = Callable[[dict[str, Any]], Any]


class _Awaited:
    """The sink of a call that a task awaits."""

    def __init__(self, loop: asyncio.AbstractEventLoop, progress: Report | None, on_task: Report | None, run: Any) -> None:
        self.future: asyncio.Future[tuple[int, bytes | None]] = loop.create_future()
        self._progress = progress
        self._on_task = on_task
        self._run = run

    def progress(self, body: bytes) -> None:
        self._tell(self._progress, body)

    def task(self, body: bytes) -> None:
        self._tell(self._on_task, body)

    def _tell(self, report: Report | None, body: bytes) -> None:
        if report is not None and not self.future.done():
            self._run(report, (json.loads(body),))

    def outcome(self, status: int, body: bytes | None) -> None:
        if not self.future.done():
            self.future.set_result((status, body))


def _wake(client: weakref.ref[AsyncClient]) -> None:
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


def _connect(core: Core, loop: asyncio.AbstractEventLoop, ended: asyncio.Future[None]) -> None:
    failure: BaseException | None = None
    try:
        with core.using("connect") as handle:
            handle.connect(-1)
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
        loop.call_soon_threadsafe(tell)
    except RuntimeError:
        pass  # The loop is closed, and no task waits.


class AsyncClient:
    """One logical connection to one server, for programs with an event loop. It belongs to the loop it was made in.

    As `Client`; handlers may be coroutine functions as well. They run in the loop, one task for each message that is
    handled by a coroutine. Use it in an `async with` statement, or `close` it.
    """

    def __init__(
        self,
        config: Mapping[str, Any] | str,
        *,
        on_request: Mapping[str, RequestHandler] | None = None,
        on_notification: Callable[[str, Any], Any] | None = None,
        on_state: Callable[[dict[str, Any]], Any] | None = None,
        on_log_line: Callable[[str], Any] | None = None,
        on_lost: Callable[[int], Any] | None = None,
        on_login: LoginHandler | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._core = Core(config, Handlers(on_request, on_notification, on_state, on_log_line, on_lost, on_login))
        self._tasks: set[asyncio.Future[Any]] = set()
        self._answering: set[asyncio.Future[Any]] = set()
        self._connecting: asyncio.Future[None] | None = None
        self._closing: asyncio.Task[None] | None = None
        with self._core.using("new") as handle:
            self._descriptor: int | None = handle.descriptor()
        self._loop.add_reader(self._descriptor, _wake, weakref.ref(self))
        self._backstop = weakref.finalize(self, _abandon, self._core, self._loop, self._descriptor)
        self._backstop.atexit = False

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _readable(self) -> None:
        """The descriptor is readable as long as messages wait, so what is left after a turn comes back."""
        for _ in range(TURN):
            status, message = self._core.poll(0)
            if message is not None:
                self._core.dispatch(message, self._request, self._run, self._login)
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
        task = asyncio.ensure_future(work, loop=self._loop)
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

    async def connect(self, timeout: float | None = None) -> None:
        """Starts the connection if need be and waits until it is ready. Optional: the first call starts it too."""
        # The library's function blocks a thread, so there is one at most, however many wait. It does not belong to the loop's
        # executor, which the end of the loop waits for: after Ctrl-C the attempt may go on until the client is closed.
        if self._connecting is None or self._connecting.done():
            self._connecting = self._loop.create_future()
            self._connecting.add_done_callback(_was_heard)
            work = (self._core, self._loop, self._connecting)
            threading.Thread(target=_connect, args=work, name="libmcp connect", daemon=True).start()
        done, _ = await asyncio.wait({self._connecting}, timeout=timeout)
        if not done:
            said = {"operation": "connect", "message": f"connect: not ready within {timeout} s"}
            raise error_for(Status.TIMEOUT, said)
        self._connecting.result()

    async def close(self, timeout: float | None = None) -> None:
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

    @property
    def state(self) -> State:
        """The state of the connection."""
        try:
            with self._core.using("state") as handle:
                return handle.state()
        except Closed:
            return State.CLOSED

    def info(self) -> dict[str, Any]:
        """What there is to know about the connection. It never waits."""
        with self._core.using("info") as handle:
            return handle.info()

    async def call(
        self,
        method: str,
        params: Any = None,
        *,
        timeout: float | None = None,
        max_total: float | None = None,
        progress: Callable[[dict[str, Any]], Any] | None = None,
        **options: Any,
    ) -> Any:
        """Calls a method of the server and gives its result. When the task is cancelled, so is the call.

        timeout, max_total: seconds. progress: a function, or a coroutine function, for each report.
        options: those of docs/configuration.md, such as meta={…}, retry="safe" or when_unavailable="wait".
        """
        started = call_options(timeout, max_total, progress, options)
        return await self._wait(method, progress, None, lambda sink: self._core.start(method, params, started, sink))

    async def _wait(
        self, method: str, progress: Report | None, on_task: Report | None, start: Callable[[_Awaited], int]
    ) -> Any:
        sink = _Awaited(self._loop, progress, on_task, self._run)
        number = start(sink)
        try:
            status, body = await sink.future
        except asyncio.CancelledError:
            self._core.cancel(number, "the task was cancelled")
            raise
        return result_of(method, status, body)

    async def _use(
        self,
        use: _features.Use,
        *,
        timeout: float | None = None,
        max_total: float | None = None,
        progress: Report | None = None,
        on_task: Report | None = None,
        **options: Any,
    ) -> Any:
        started = call_options(timeout, max_total, progress, options)
        return await self._wait(use.operation, progress, on_task, lambda sink: self._core.use(use, started, sink))

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification. Needs a connection that is ready, and never waits."""
        with self._core.using(method) as handle:
            handle.notify(method, params)

    async def _list(self, use: _features.Use, member: str, options: dict[str, Any]) -> AsyncIterator[dict[str, Any]]:
        for entry in (await self._use(use, **options)).get(member, []):
            yield entry

    def tools(self, **options: Any) -> AsyncIterator[dict[str, Any]]:
        """The server's tools. A list is read whole, within "limits" of the configuration, when its first entry is asked for."""
        return self._list(*_features.TOOLS, options)

    def resources(self, **options: Any) -> AsyncIterator[dict[str, Any]]:
        """The server's resources."""
        return self._list(*_features.RESOURCES, options)

    def resource_templates(self, **options: Any) -> AsyncIterator[dict[str, Any]]:
        """The server's resource templates."""
        return self._list(*_features.RESOURCE_TEMPLATES, options)

    def prompts(self, **options: Any) -> AsyncIterator[dict[str, Any]]:
        """The server's prompts."""
        return self._list(*_features.PROMPTS, options)

    async def call_tool(self, name: str, arguments: Any = None, **options: Any) -> _features.ToolResult:
        """Calls a tool. One that failed is no exception: see ToolResult.is_error and check(). A result that is not what the
        tool's outputSchema promises has the status PROTOCOL.

        With "tasks" in the configuration the call may become a task (docs/tasks.md): task=True or False says whether it is to,
        and on_task is called with each state of the task.
        """
        return _features.ToolResult(await self._use(_features.tool(name, arguments), **options))

    async def read_resource(self, uri: str, **options: Any) -> list[dict[str, Any]]:
        """The contents of a resource."""
        return (await self._use(_features.read(uri), **options)).get("contents", [])

    async def subscribe(self, uri: str, **options: Any) -> None:
        """Asks for "notifications/resources/updated" when a resource changes, on every revision. It outlives a reconnection."""
        await self._use(_features.subscribe(uri), **options)

    async def unsubscribe(self, uri: str, **options: Any) -> None:
        """Ends what subscribe began."""
        await self._use(_features.unsubscribe(uri), **options)

    def set_roots(self, roots: list[Any]) -> None:
        """Tells the server in which folders it may work from now on. The configuration must have had roots."""
        with self._core.using("roots") as handle:
            handle.set_roots(roots)

    async def get_prompt(self, name: str, arguments: dict[str, str] | None = None, **options: Any) -> dict[str, Any]:
        """A prompt with its arguments filled in."""
        return await self._use(_features.prompt(name, arguments), **options)

    async def complete(
        self, of: dict[str, str], argument: str, typed: str, settled: dict[str, str] | None = None, **options: Any
    ) -> dict[str, Any]:
        """How an argument with the value typed so far may go on. `settled` are arguments that have their value already."""
        result = await self._use(_features.completion(of, argument, typed, settled), **options)
        return result["completion"]

    async def set_log_level(self, level: str, **options: Any) -> None:
        """Tells the server which log messages to send, on every revision. It outlives a reconnection."""
        await self._use(_features.log_level(level), **options)

    async def ping(self, **options: Any) -> None:
        """Asks the server for a sign of life."""
        await self._use(_features.PING, **options)

    def tasks(self, **options: Any) -> AsyncIterator[dict[str, Any]]:
        """The server's tasks (2025-11-25 only)."""
        return self._list(*_features.TASKS, options)

    async def get_task(self, name: str, **options: Any) -> dict[str, Any]:
        """A task as it is now. `name` is its "taskId"."""
        return await self._use(_features.task("get", name), **options)

    async def task_result(self, name: str, **options: Any) -> _features.ToolResult:
        """What a task comes to, as call_tool would have given it. Giving this up leaves the task alone; cancel_task ends it."""
        return _features.ToolResult(await self._use(_features.task("result", name), **options))

    async def cancel_task(self, name: str, **options: Any) -> None:
        """Tells the server that a task is no longer wanted. A call of this client is better cancelled by its task in the loop."""
        await self._use(_features.task("cancel", name), **options)

    def skills(self, **options: Any) -> AsyncIterator[dict[str, Any]]:
        """The entries of the skills that the server lists; no file is read. docs/skills.md says what is left to the program."""
        return self._list(*_features.SKILLS, options)

    async def get_skill(self, uri: str, **options: Any) -> dict[str, Any]:
        """The entry of a skill by the URI of its SKILL.md, also of one that is not listed."""
        return (await self._use(_features.skill(uri), **options))["skill"]

    async def load_skill(self, skill: dict[str, Any], **options: Any) -> dict[str, Any]:
        """The SKILL.md of a skill, if its size, digest and front matter are as the entry says. It has "text".

        allow_dynamic=True takes a skill whose files the server makes up as it goes, which nothing vouches for.
        """
        return (await self._use(_features.skill_main(skill), **options))["contents"][0]

    async def read_skill_file(self, skill: dict[str, Any], path: str, **options: Any) -> dict[str, Any]:
        """A file of a skill, checked in the same way, by its path in the skill's folder. It has "text", or "blob" as Base64."""
        return (await self._use(_features.skill_file(skill, path), **options))["contents"][0]

    def clear_cache(self) -> None:
        """Drops every result that the client keeps ("cache" in the configuration)."""
        with self._core.using("cache") as handle:
            handle.clear_cache()
