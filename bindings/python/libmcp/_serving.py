"""The core of a server: the library's handle, what it offers, and the requests under way. It outlives the object of the program."""

from __future__ import annotations

import asyncio
import atexit
import inspect
import itertools
import json
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Protocol

from . import _server_native
from ._generated.abi import Kind, Status
from ._context import Context, is_asked
from ._entries import INVALID_PARAMS, Entry, listed
from ._native import Message
from ._options import hooks
from ._server_native import RequestHandle, ServerHandle
from ._types import Mismatch
from .errors import Cancelled, Closed, Disconnected, Error, NotFound, Refusal, ToolError, error_for, text_of

log = logging.getLogger("libmcp.server")

#: What the other side reads when a handler has failed: nothing of the failure, which may have secrets.
NEUTRAL = "internal error: the handler failed"

ErrorHook = Callable[[BaseException, "Context | None"], Any]

_numbers = itertools.count(1)


_alive: set[Held] = set()


class Held:
    """The library's server, freed when it is closed and no thread uses it any more. It knows nothing of the program."""

    def __init__(self, config: Any) -> None:
        self.handle = ServerHandle(config)
        self._lock = threading.Lock()
        self._users = 0
        self._closing = False
        self._freed = threading.Event()
        _alive.add(self)

    @property
    def is_closing(self) -> bool:
        return self._closing

    @contextmanager
    def using(self, operation: str) -> Iterator[ServerHandle]:
        """The handle, which is not freed meanwhile."""
        self.enter(operation)
        try:
            yield self.handle
        finally:
            self.leave()

    def enter(self, operation: str) -> None:
        with self._lock:
            if self._closing:
                raise error_for(Status.CLOSED, {"operation": operation, "message": f"{operation}: the server is closed"})
            self._users += 1

    def leave(self) -> None:
        with self._lock:
            self._users -= 1
            last = self._closing and self._users == 0
        if last:
            self.handle.free()
            _alive.discard(self)
            self._freed.set()

    def close(self, timeout_ms: int) -> int:
        """Refuses what is under way and ends every session."""
        with self._lock:
            if self._closing:
                return Status.OK
            self._closing = True
            self._users += 1
        try:
            return self.handle.close(timeout_ms)
        finally:
            self.leave()

    def wait_freed(self, timeout: float) -> bool:
        return self._freed.wait(timeout)


class WrongArguments(Exception):
    """What a client gave is not what the types of the function say."""


class Driver(Protocol):
    """Polls the server, and runs handlers."""

    def submit(self, context: Context) -> None: ...

    def finish(self, context: Context, given: Awaitable[Any]) -> None: ...

    def stop(self) -> None: ...


class Core:
    def __init__(self, config: Any, on_error: ErrorHook | None) -> None:
        self.number = next(_numbers)
        self.driver: Driver | None = None
        #: Whether an endpoint was given.
        self.serves = False
        self.owner: Callable[[], Any] = lambda: None
        self.held = Held(config)
        self._on_error = on_error
        self._entries: dict[int, Entry] = {}
        self._entry_numbers = itertools.count(1)
        self._tags = itertools.count(1)
        self._calls: dict[int, Callable[[int, Any], None]] = {}
        self._cancels: dict[int, Callable[[], None]] = {}
        self._listeners: dict[str, list[Callable[..., Any]]] = {}
        _server_native.cores[self.number] = self

    # What it offers -------------------------------------------------------------------------------------------------------

    def offer(self, entry: Entry, add: Callable[[ServerHandle, int, int], None]) -> None:
        with self.held.using("add") as handle:
            number = next(self._entry_numbers)
            self._entries[number] = entry
            try:
                add(handle, self.number, number)
            except BaseException:
                self._entries.pop(number, None)
                raise

    def forget(self, number: int) -> None:
        """The library will not call that handler any more."""
        self._entries.pop(number, None)

    def listen(self, method: str, function: Callable[..., Any]) -> None:
        self._listeners.setdefault(method, []).append(function)

    # Requests -------------------------------------------------------------------------------------------------------------

    def take(self, number: int, pointer: Any) -> bool:
        """Called by the library, on a thread that polls. It must not raise. False when the request is not taken."""
        entry, driver = self._entries.get(number), self.driver
        if entry is None or driver is None:
            return False
        handle = RequestHandle(pointer)
        try:
            driver.submit(entry.signature.context_type(self, entry, handle))
        except BaseException as error:
            handle.free()
            self.tell(error, None)
        return True

    def run(self, context: Context) -> None:
        """Runs a handler that is no coroutine, and answers."""
        if context.cancelled:  # It waited for a thread too long.
            context._handle.free()
            return
        try:
            with self._around(context):
                value = listed(context._entry.function(**self._arguments(context)))
        except BaseException as error:
            self.failed(context, error)
            return
        driver = self.driver
        if not inspect.isawaitable(value):
            self.answer(context, value)
        elif driver is None or self.held.is_closing:
            # No loop is left that would await it, and no client waits for it.
            if inspect.iscoroutine(value):
                value.close()
            context._handle.free()
        else:
            # As a lambda, a partial function or a decorator gives one for a coroutine function.
            try:
                driver.finish(context, value)
            except RuntimeError as error:  # The loop has been closed.
                self.failed(context, error)

    async def run_async(self, context: Context, given: Awaitable[Any] | None = None) -> None:
        """Runs a coroutine, which is cancelled when its answer is no longer wanted: that of the handler, or what a function gave."""
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()

        def cancel() -> None:
            if task is not None:
                loop.call_soon_threadsafe(task.cancel)

        self._cancels[context._number] = cancel
        try:
            if context.cancelled:  # It may have been cancelled before this was known here.
                context._handle.free()
                return
            with self._around(context):
                value = listed(await (context._entry.function(**self._arguments(context)) if given is None else given))
        except BaseException as error:
            self._cancels.pop(context._number, None)
            self.failed(context, error)
        else:
            self._cancels.pop(context._number, None)
            self.answer(context, value)

    @staticmethod
    def _around(context: Context) -> AbstractContextManager[None]:
        return nullcontext() if hooks.around is None else hooks.around(context)

    @staticmethod
    def _arguments(context: Context) -> dict[str, Any]:
        try:
            return context._entry.arguments(context)
        except Mismatch as wrong:
            raise WrongArguments(str(wrong)) from wrong

    def answer(self, context: Context, value: Any) -> None:
        try:
            context._entry.answer(context._handle, context, value)
        except BaseException as error:
            if context.cancelled and isinstance(error, (Cancelled, Closed, Disconnected)):
                pass  # No client waits for the answer any more.
            else:
                self.tell(error, context)
                self._refuse(context)
        finally:
            context._handle.free()

    def failed(self, context: Context, error: BaseException) -> None:
        """Answers for a handler that has raised. Only what was raised for the client's eyes is told to the client."""
        try:
            if is_asked(error):
                return
            if isinstance(error, WrongArguments):
                self._explain(context, error)
            elif isinstance(error, ToolError):
                context._entry.refuse(context._handle, text_of(error))
            elif isinstance(error, NotFound):
                context._handle.respond_not_found()
            elif isinstance(error, Refusal):
                context._handle.respond_error(error.code, text_of(error).replace("\0", ""), error.data)
            elif isinstance(error, asyncio.CancelledError) and (context.cancelled or self.held.is_closing):
                pass
            else:
                self.tell(error, context)
                self._refuse(context)
        except BaseException as second:
            if not isinstance(second, (Cancelled, Closed, Disconnected)):
                self.tell(second, context)
                self._refuse(context)
        finally:
            context._handle.free()

    def _explain(self, context: Context, wrong: WrongArguments) -> None:
        """A wrong argument that the schema does not exclude: the model, or the client, is told what is wrong."""
        if context.method == "tools/call":
            context._entry.refuse(context._handle, str(wrong))
        else:
            context._handle.respond_error(INVALID_PARAMS, str(wrong).replace("\0", ""), None)

    def _refuse(self, context: Context) -> None:
        try:
            context._entry.refuse(context._handle, NEUTRAL)
        except Error:
            pass  # It was answered, or is no longer wanted; freeing it answers it else.

    def tell(self, error: BaseException, context: Context | None) -> None:
        """Gives a failure to the program, which never ends for it."""
        try:
            if self._on_error is not None:
                self._on_error(error, context)
                return
        except BaseException as second:
            log.error("the error hook failed", exc_info=second)
        name = "" if context is None else context._entry.name
        log.error("a handler of the server failed: %s", name, exc_info=error)

    # Other messages -------------------------------------------------------------------------------------------------------

    def dispatch(self, message: Message) -> None:
        try:
            if message.kind == Kind.REPLY:
                reply = self._calls.pop(message.tag, None)
                if reply is not None:
                    reply(message.status, json.loads(message.json))
            elif message.kind == Kind.AUTH:
                self._decide(message)
            elif message.method == "notifications/cancelled":
                cancel = self._cancels.pop(message.call_id, None)
                if cancel is not None:
                    cancel()
            else:
                for function in self._listeners.get(message.method or "", ()):
                    function(json.loads(message.json))
        except BaseException as error:
            self.tell(error, None)
        finally:
            message.free()

    def _decide(self, message: Message) -> None:
        """A token to judge ("auth" with "application": true)."""
        request = RequestHandle(message.keep())
        try:
            judges = self._listeners.get("token", [])
            principal = judges[-1](request.params()) if judges else None
            if principal is None:
                request.respond_error(-1, "the token is not good", None)
            else:
                request.respond(principal)
        except BaseException as error:
            self.tell(error, None)
        finally:
            request.free()

    def call(self, session: int, method: str, params: Any, options: Any, reply: Callable[[int, Any], None]) -> None:
        """Calls a client of the legacy era outside of any request."""
        with self.held.using("call") as handle:
            tag = next(self._tags)
            self._calls[tag] = reply
            try:
                handle.call(session, method, params, options, tag)
            except BaseException:
                self._calls.pop(tag, None)
                raise

    def ended(self) -> None:
        """After the close: ends what still runs, and what waits for a client."""
        for number in list(self._cancels):
            cancel = self._cancels.pop(number, None)
            if cancel is not None:
                cancel()
        for reply in list(self._calls.values()):
            reply(Status.CLOSED, {"operation": "call", "message": "call: the server was closed"})
        self._calls.clear()


# What the parent has is not the child's to close, and its locks may be held for ever there.
os.register_at_fork(after_in_child=_alive.clear)


@atexit.register
def _close_all() -> None:
    for held in list(_alive):
        if not held.is_closing:
            try:
                held.close(-1)
            except BaseException:
                log.debug("a server was not closed at the end of the program", exc_info=True)
