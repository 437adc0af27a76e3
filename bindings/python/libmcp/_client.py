"""The blocking client: a thread waits for what arrives, and any number of threads call."""

from __future__ import annotations

import asyncio
import inspect
import json
import queue
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _features
from ._generated.abi import State, Status
from ._cffi import ffi
from ._generated.config import Config
from ._core import Core, Request, call_options, result_of
from ._elsewhere import CLIENT, Named
from ._handlers import ElicitationHandler, Handlers, RequestHandler, RootsHandler, SamplingHandler, Typed, VisitHandler
from ._inbox import Inbox
from ._login import Login, LoginHandler
from ._native import Handle
from ._options import Options, Time, milliseconds
from ._generated.protocol import (
    Completion,
    GetPromptResult,
    GetTaskResult,
    LoggingLevel,
    Prompt,
    Reference,
    Resource,
    ResourceContents,
    ResourceTemplate,
    Root,
    Task,
    Tool,
)
from ._store import Asked, LoginStore, Signer
from .errors import Closed, callable_given, error_for

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._server import Server

#: Gets what handlers raised.
ErrorHook = Callable[[BaseException], Any]

#: How many messages wait for the handlers of one client; then the oldest is dropped.
BACKLOG = 1024
#: How long closing waits for the driver once the library has given up on a server.
PATIENCE = 1.0


class _Waiting:
    """The sink of a call that a thread waits for."""

    def __init__(self) -> None:
        self.arrived: queue.SimpleQueue[tuple[str, int, bytes | None]] = queue.SimpleQueue()
        #: The number of the call. The library writes it: whatever a signal handler raises, it is known.
        self.number: Any = ffi.new("uint64_t *")

    def progress(self, body: bytes) -> None:
        self.arrived.put(("progress", 0, body))

    def task(self, body: bytes) -> None:
        self.arrived.put(("task", 0, body))

    def outcome(self, status: int, body: bytes | None) -> None:
        self.arrived.put(("outcome", status, body))


class _Ended:
    """The end of a call that waits by way of the client's inbox. A signal handler of the program may raise in the middle of it: what it
    interrupted ends with the object (`_Begun`)."""

    __slots__ = ("_core", "_inbox", "_tag")

    def __init__(self, core: Core, inbox: Inbox, tag: int) -> None:
        self._core, self._inbox, self._tag = core, inbox, tag
        self.__class__ = _Begun  # pyright: ignore[reportAttributeAccessIssue]

    def end(self) -> None:
        self._inbox.follow(self._tag)
        self._core.forget(self._tag)
        self.__class__ = _Ended  # pyright: ignore[reportAttributeAccessIssue]


class _Begun(_Ended):
    """One that has not ended yet; in `__del__` a signal handler would raise in vain."""

    __slots__ = ()

    def __del__(self) -> None:
        self.end()


class _HandlerQueue:
    """Runs the application's functions for notifications, states and log lines, one after another, on a thread of their own."""

    def __init__(self, handlers: Handlers, hook: ErrorHook) -> None:
        self._handlers = handlers
        self._hook = hook
        self._deliveries: deque[tuple[Callable[..., Any], tuple[Any, ...]]] = deque()
        self._dropped = 0
        self._closed = False
        self._changed = threading.Condition()
        threading.Thread(target=self._run, name="libmcp handlers", daemon=True).start()

    def push(self, function: Callable[..., Any], values: tuple[Any, ...]) -> None:
        with self._changed:
            if len(self._deliveries) >= BACKLOG:
                self._deliveries.popleft()
                self._dropped += 1
            self._deliveries.append((function, values))
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._deliveries or self._closed)
                if not self._deliveries:
                    return
                function, values = self._deliveries.popleft()
                dropped, self._dropped = self._dropped, 0
            if dropped and self._handlers.lost is not None:
                _guarded(self._hook, self._handlers.lost, dropped)
            _guarded(self._hook, function, *values)


def _finished(value: Any) -> Any:
    """What a handler gave; of a coroutine function what it gives in the end, which this thread waits for."""
    if not inspect.isawaitable(value):
        return value

    async def wait() -> Any:
        return await value

    return asyncio.run(wait())


def _guarded(hook: ErrorHook, function: Callable[..., Any], *values: Any) -> None:
    """A handler that raises ends neither the others nor the thread; it is told as that of a thread would be."""
    try:
        _finished(function(*values))
    except Exception as error:
        _safely(hook, error)


def _safely(hook: ErrorHook, error: BaseException) -> None:
    try:
        hook(error)
    except Exception as second:
        _tell(second)


def _tell(error: BaseException) -> None:
    threading.excepthook(threading.ExceptHookArgs((type(error), error, error.__traceback__, threading.current_thread())))


def _answer(hook: ErrorHook, handler: RequestHandler, request: Request) -> None:
    result, failure = None, None
    try:
        result = _finished(handler(request))
    except BaseException as error:  # Whatever it is, the server waits for an answer.
        failure = error
    for failed in request.settle(result, failure):
        _safely(hook, failed)


def _log_in(hook: ErrorHook, handler: LoginHandler, login: Login) -> None:
    try:
        _finished(handler(login))
    except BaseException as error:  # Whatever it is, calls wait for the login.
        login.abandon(error)
        _safely(hook, error)


def _work(core: Core, operation: str, work: Callable[[Handle], None], outcome: queue.SimpleQueue[BaseException | None]) -> None:
    try:
        with core.using(operation) as handle:
            work(handle)
    except BaseException as error:
        outcome.put(error)
    else:
        outcome.put(None)


class _Driver:
    """The thread that waits. It knows the core, but not the client, so that a forgotten client can be found."""

    def __init__(self, core: Core, hook: ErrorHook) -> None:
        self._core = core
        self._hook = hook
        self.inbox = core.inbox()
        self._handler_queue = _HandlerQueue(core.handlers, hook)
        # Of a kind that a signal handler may take, too, which closes while its thread does.
        self._closing = threading.RLock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="libmcp", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        status = int(Status.EMPTY)
        while status >= 0:
            self.inbox.wait()
            status, messages = self.inbox.take()
            for message in messages:
                try:
                    self._core.dispatch(message, self._request, self._handler_queue.push, self._login, self._ask)
                except Exception as error:  # The next message is for others.
                    self._handler_queue.push(self._hook, (error,))
        if status != Status.CLOSED:
            self._core.abort(status)

    def _request(self, handler: RequestHandler, request: Request) -> None:
        self._spawn("request", _answer, (self._hook, handler, request), lambda error: request.settle(None, error))

    def _login(self, handler: LoginHandler, login: Login) -> None:
        self._spawn("login", _log_in, (self._hook, handler, login), login.abandon)

    def _ask(self, asked: Asked) -> None:
        work = (lambda error: _safely(self._hook, error),)
        self._spawn(asked.kind, asked.serve_now, work, lambda _: asked.drop())

    def _spawn(
        self, name: str, work: Callable[..., Any], values: tuple[Any, ...], give_up: Callable[[BaseException], Any]
    ) -> None:
        try:
            threading.Thread(target=work, args=values, name=f"libmcp {name}", daemon=True).start()
        except RuntimeError as error:  # No more threads can be started. The driver goes on, which other calls need.
            give_up(error)
            self._handler_queue.push(self._hook, (error,))

    def close(self, timeout_ms: int) -> None:
        with self._closing:
            if self._is_closed:
                return
            status = self._core.begin_close(timeout_ms)
            if status == Status.FORKED:
                self._is_closed = True
                return  # It is the parent's. What its threads had locked stays so here.
            self._thread.join(None if status == Status.OK else PATIENCE)
            self._handler_queue.close()
            if self._thread.is_alive():
                self._is_closed = True
                said = {"operation": "close", "message": "close: the server has not ended, though it was killed"}
                raise error_for(status, said)
            self.inbox.end()
            self._core.end_close()
            # Not before: what a signal handler's exception interrupts is done by the next close, or when the client is forgotten.
            self._is_closed = True
            for asked in self._core.left():
                self._ask(asked)


def _abandon(driver: _Driver) -> None:
    """The backstop for a client that was forgotten. The collector must not wait for a server."""
    threading.Thread(target=driver.close, args=(-1,), daemon=True).start()


class Client(Named):
    """One logical connection to one server, for programs with threads.

    `config` is a dict with the keys of docs/reference/configuration.md, or its JSON as text. Nothing is started yet: `connect` or the
    first call does. Use it in a `with` statement, or `close` it.
    """

    _elsewhere = CLIENT

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
        login_store: LoginStore | None = None,
        on_sign: Signer | None = None,
        on_error: Callable[[BaseException], Any] | None = None,
        _handle: Handle | None = None,
    ) -> None:
        callable_given("on_error", on_error)
        typed = Typed(on_sampling, on_elicitation, on_visit, on_roots)
        handlers = Handlers(on_request, on_notification, on_state, on_log_line, on_lost, on_login, login_store, on_sign, typed)
        if server is not None and not server.is_started:
            server.start()
        #: It lives as long as its client.
        self._server = server
        self._not_in_its_loop("new")
        self._core = Core(handlers, _handle or handlers.new_for(config, server))
        try:
            self._driver = _Driver(self._core, on_error or _tell)
        except BaseException:
            # Without descriptors, memory or threads.
            self._core.begin_close(0)
            self._core.end_close()
            raise
        self._backstop = weakref.finalize(self, _abandon, self._driver)
        self._backstop.atexit = False

    def __repr__(self) -> str:
        return f"<libmcp.Client, {self.state.name.lower()}>"

    def _not_in_its_loop(self, operation: str) -> None:
        """A wait in the thread of the event loop that runs the server would never end."""
        if self._server is not None and self._server.runs_here:
            message = f"{operation}: the server runs in this thread's event loop, which a Client blocks; use an AsyncClient"
            raise error_for(Status.INVALID_ARGUMENT, {"operation": operation, "message": message})

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self, timeout: Time | None = None) -> None:
        """Starts the connection if need be and waits until it is ready. Optional: the first call starts it too."""
        self._block("connect", lambda handle: handle.connect(milliseconds(timeout)))

    def logout(self, timeout: Time | None = None) -> None:
        """Deletes the stored logins for the server, in every store, and has its authorization servers revoke their tokens. The next
        request that needs a login starts a new one. After `timeout` seconds, and when an exception such as KeyboardInterrupt ends
        the wait, the logout continues in the background."""
        self._block("logout", lambda handle: handle.logout(milliseconds(timeout)))

    def _block(self, operation: str, work: Callable[[Handle], None]) -> None:
        self._not_in_its_loop(operation)
        # A signal interrupts a wait of Python's, but none inside the library. The thread goes on with the attempt then, and ends
        # with it or with the client.
        outcome: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        given = (self._core, operation, work, outcome)
        threading.Thread(target=_work, args=given, name=f"libmcp {operation}", daemon=True).start()
        failure = outcome.get()
        if failure is not None:
            raise failure

    def close(self, timeout: Time | None = None) -> None:
        """Ends calls under way and the server, which gets `timeout` seconds to end by itself. Any number of times."""
        self._driver.close(milliseconds(timeout))
        self._backstop.detach()

    @property
    def state(self) -> State:
        """The state of the connection."""
        try:
            with self._core.using("state") as handle:
                return handle.state()
        except Closed:
            return State.CLOSED

    def info(self) -> dict[str, Any]:
        """What there is to know about the connection."""
        with self._core.using("info") as handle:
            return handle.info()

    def call(self, method: str, params: Any = None, **options: Unpack[Options]) -> Any:
        """Calls a method of the server and gives its result.

        timeout, max_total: seconds, or a timedelta. on_progress: called on this thread with each report, before the call returns.
        options: those of docs/reference/configuration.md, such as meta={…}, retry="safe" or when_unavailable="wait".
        An exception that interrupts the wait, such as KeyboardInterrupt, cancels the call.
        """
        started = call_options("call", options)
        return self._wait(
            method,
            options,
            lambda handle, tag, number: handle.start(method, params, started, tag, number),
            lambda handle: handle.call(method, params, started),
        )

    def _wait(
        self,
        method: str,
        options: Options,
        start: Callable[[Handle, int, Any], int],
        call: Callable[[Handle], tuple[int, bytes | None]],
    ) -> Any:
        self._not_in_its_loop(method)
        told = {"progress": options.get("on_progress"), "task": options.get("on_task")}
        # What is told before the reply comes by way of the driver.
        is_told = told["progress"] is not None or told["task"] is not None
        if not is_told and threading.current_thread() is not threading.main_thread():
            with self._core.using(method) as handle:
                return result_of(method, *call(handle))
        core, inbox = self._core, self._driver.inbox
        sink, tag = _Waiting(), core.next_tag()
        begun = _Ended(core, inbox, tag)
        reply = None
        try:
            leads = not is_told and inbox.lead(tag)
            if not leads:
                inbox.expect(tag)
            core.begin(method, sink, lambda handle, tag: start(handle, tag, sink.number), tag)
            if leads:
                reply = inbox.reply(tag)
            while reply is None:
                what, status, body = sink.arrived.get()
                report = told.get(what)
                if what == "outcome":
                    reply = status, body
                elif report is not None and body is not None:
                    _finished(report(json.loads(body)))
        except BaseException as error:
            if sink.number[0] != 0:
                core.cancel(sink.number[0], f"the caller was interrupted: {type(error).__name__}")
            raise
        finally:
            begun.end()
        return result_of(method, *reply)

    def _use(self, use: _features.Use, options: Options) -> Any:
        started = call_options("feature_call", options)
        return self._wait(
            use.operation,
            options,
            lambda handle, tag, number: handle.use(*use, started, tag, number),
            lambda handle: handle.call_use(*use, started),
        )

    def notify(self, method: str, params: Any = None) -> None:
        """Sends a notification. Needs a connection that is ready."""
        with self._core.using(method) as handle:
            handle.notify(method, params)

    def page(self, of: _features.Listed, **options: Unpack[Options]) -> _features.Page:
        """One page of a list: the first, or the one at `cursor`."""
        use, member = _features.LISTS[of]
        if options.get("cursor") is None:
            options = {**options, "one_page": True}
        return _features.page_of(self._use(use, options), member)

    def _list(self, use: _features.Use, member: str, options: Options) -> Iterator[Any]:
        yield from self._use(use, options).get(member, [])

    def tools(self, **options: Unpack[Options]) -> Iterator[Tool]:
        """The server's tools. A list is read whole, within "limits" of the configuration, when its first entry is asked for."""
        return self._list(*_features.TOOLS, options)

    def resources(self, **options: Unpack[Options]) -> Iterator[Resource]:
        """The server's resources."""
        return self._list(*_features.RESOURCES, options)

    def resource_templates(self, **options: Unpack[Options]) -> Iterator[ResourceTemplate]:
        """The server's resource templates."""
        return self._list(*_features.RESOURCE_TEMPLATES, options)

    def prompts(self, **options: Unpack[Options]) -> Iterator[Prompt]:
        """The server's prompts."""
        return self._list(*_features.PROMPTS, options)

    def call_tool(self, name: str, arguments: Any = None, **options: Unpack[Options]) -> _features.ToolResult:
        """Calls a tool. One that failed is no exception: see ToolResult.is_error and check(). A result that is not what the
        tool's outputSchema promises has the status PROTOCOL.

        With "tasks" in the configuration the call may become a task (docs/guide/tasks.md): task=True or False says whether it is to,
        and on_task is called on this thread with each state of the task.
        """
        return _features.ToolResult(self._use(_features.tool(name, arguments), options))

    def read_resource(self, uri: str, **options: Unpack[Options]) -> list[ResourceContents]:
        """The contents of a resource."""
        found: list[ResourceContents] = self._use(_features.read(uri), options).get("contents", [])
        return found

    def subscribe(self, uri: str, **options: Unpack[Options]) -> None:
        """Asks for "notifications/resources/updated" when a resource changes, on every revision. It outlives a reconnection."""
        self._use(_features.subscribe(uri), options)

    def unsubscribe(self, uri: str, **options: Unpack[Options]) -> None:
        """Ends what subscribe began."""
        self._use(_features.unsubscribe(uri), options)

    def set_roots(self, roots: Sequence[str | Root]) -> None:
        """Tells the server in which folders it may work from now on. The configuration must have had roots.

        Deprecated in 2026-07-28, as all roots are (SEP-2577).
        """
        with self._core.using("roots") as handle:
            handle.set_roots(roots)

    def get_prompt(self, name: str, arguments: dict[str, str] | None = None, **options: Unpack[Options]) -> GetPromptResult:
        """A prompt with its arguments filled in."""
        found: GetPromptResult = self._use(_features.prompt(name, arguments), options)
        return found

    def complete(
        self, of: Reference, argument: str, typed: str, settled: dict[str, str] | None = None, **options: Unpack[Options]
    ) -> Completion:
        """How an argument with the value typed so far may go on. `settled` are arguments that have their value already."""
        found: Completion = self._use(_features.completion(of, argument, typed, settled), options)["completion"]
        return found

    def set_log_level(self, level: LoggingLevel, **options: Unpack[Options]) -> None:
        """Tells the server which log messages to send, on every revision. It outlives a reconnection.

        Deprecated in 2026-07-28, as all log messages are (SEP-2577).
        """
        self._use(_features.log_level(level), options)

    def ping(self, **options: Unpack[Options]) -> None:
        """Asks the server for a sign of life."""
        self._use(_features.PING, options)

    def tasks(self, **options: Unpack[Options]) -> Iterator[Task]:
        """The server's tasks (2025-11-25 only)."""
        return self._list(*_features.TASKS, options)

    def get_task(self, name: str, **options: Unpack[Options]) -> GetTaskResult:
        """A task as it is now. `name` is its "taskId"."""
        found: GetTaskResult = self._use(_features.task("get", name), options)
        return found

    def task_result(self, name: str, **options: Unpack[Options]) -> _features.ToolResult:
        """What a task comes to, as call_tool would have given it. Giving this up leaves the task alone; cancel_task ends it."""
        return _features.ToolResult(self._use(_features.task("result", name), options))

    def cancel_task(self, name: str, **options: Unpack[Options]) -> None:
        """Tells the server that a task is no longer wanted."""
        self._use(_features.task("cancel", name), options)

    def skills(self, **options: Unpack[Options]) -> Iterator[dict[str, Any]]:
        """The entries of the skills that the server lists; no file is read. docs/guide/skills.md says what is left to the program."""
        return self._list(*_features.SKILLS, options)

    def get_skill(self, uri: str, **options: Unpack[Options]) -> dict[str, Any]:
        """The entry of a skill by the URI of its SKILL.md, also of one that is not listed."""
        found: dict[str, Any] = self._use(_features.skill(uri), options)["skill"]
        return found

    def load_skill(self, skill: dict[str, Any], **options: Unpack[Options]) -> dict[str, Any]:
        """The SKILL.md of a skill, if its size, digest and front matter are as the entry says. It has "text".

        allow_dynamic=True takes a skill whose files the server makes up as it goes, which nothing vouches for.
        """
        found: dict[str, Any] = self._use(_features.skill_main(skill), options)["contents"][0]
        return found

    def read_skill_file(self, skill: dict[str, Any], path: str, **options: Unpack[Options]) -> dict[str, Any]:
        """A file of a skill, checked in the same way, by its path in the skill's folder. It has "text", or "blob" as Base64."""
        found: dict[str, Any] = self._use(_features.skill_file(skill, path), options)["contents"][0]
        return found

    def clear_cache(self) -> None:
        """Drops every result that the client keeps ("cache" in the configuration)."""
        with self._core.using("cache") as handle:
            handle.clear_cache()
