"""What the blocking and the asyncio client share: one handle, its calls, and who gets what arrives.

A driver (a thread, or an event loop that watches the descriptor) gives each message to `dispatch`. The core never waits for
the application, and never runs its code.
"""

from __future__ import annotations

import atexit
import itertools
import json
import os
import threading
from collections.abc import Callable
from typing import Any, Protocol

from . import _native
from ._generated.abi import Kind, Status
from ._features import Object, Use
from ._handlers import Handlers, RequestHandler
from ._inbox import Inbox
from ._login import Login, LoginHandler
from ._options import LONGEST_CALL, Options, hooks, milliseconds, plain
from ._store import ASKED, Asked
from .errors import Cancelled, Closed, Disconnected, InvalidArgument, Refusal, callable_given, error_for, text_of

#: JSON-RPC's code of an internal error.
INTERNAL = -32603

#: What the server reads when a handler has failed.
NEUTRAL = "internal error: the handler failed"


class Sink(Protocol):
    """Where the messages of one call go: progress and states of its task any number of times, and then the outcome once."""

    def progress(self, body: bytes) -> None: ...

    def task(self, body: bytes) -> None: ...

    def outcome(self, status: int, body: bytes | None) -> None: ...


class Request:
    """A request of the server. It is answered once: by what its handler returns or raises, or before that by a method."""

    def __init__(self, core: Core, message: _native.Message) -> None:
        self.method: str = message.method or ""
        self.params: dict[str, Any] = json.loads(message.json)
        self._core = core
        self._lock = threading.Lock()
        self._handle = message.keep()

    def answer(self, result: Any) -> None:
        """Answers with a result, an object that can be written as JSON."""
        self._give(lambda handle, request: handle.respond(request, {} if result is None else result))

    def refuse(self, refusal: Refusal) -> None:
        """Answers with an error."""
        self._give(lambda handle, request: handle.refuse(request, refusal.code, str(refusal), refusal.data))

    def accept(self, content: Any = None) -> None:
        """Answers "elicitation/create" with what the person entered; None for the form's defaults alone, and for a page that the
        person agreed to visit. What is left out is filled in with its defaults. Content that the form does not allow is an
        InvalidArgument, and the request still waits then."""
        self._give(lambda handle, request: handle.accept(request, content))

    def decline(self) -> None:
        """Answers "elicitation/create": the person does not want to."""
        self._give(lambda handle, request: handle.decline(request))

    def dismiss(self) -> None:
        """Answers "elicitation/create": the person closed it without a choice."""
        self._give(lambda handle, request: handle.dismiss(request))

    def settle(self, result: Any, error: BaseException | None) -> list[BaseException]:
        """Answers as a handler ended, whatever it gave or raised. Gives what the program is to be told of.

        That the server no longer waits for the answer is no fault of the handler's, and a Refusal is raised on purpose.
        """
        failures: list[BaseException] = []
        try:
            if error is not None:
                if not isinstance(error, Refusal):
                    failures.append(error)
                self._refuse_somehow(error, failures)
            elif self._handle is not None:  # Else the handler has answered already.
                try:
                    self.answer(result)
                except (InvalidArgument, RecursionError) as wrong:
                    failures.append(wrong)
                    self._refuse_somehow(wrong, failures)
        except (Cancelled, Closed, Disconnected):
            pass
        except Exception as unexpected:
            failures.append(unexpected)
        finally:
            self.drop()  # Which refuses it if nothing else has.
        return failures

    def _refuse_somehow(self, error: BaseException, failures: list[BaseException]) -> None:
        """Refuses with what of an error can be sent: C takes UTF-8 without NULs, JSON not every value."""
        if self._handle is None:
            return
        # What was raised by mistake may have secrets: the program is told of it, the server is not.
        refusal = error if isinstance(error, Refusal) else Refusal(NEUTRAL, INTERNAL)
        text = text_of(refusal).replace("\0", "").encode(errors="replace").decode()
        attempts = (refusal, Refusal(text, refusal.code), Refusal(text, INTERNAL))
        for attempt in attempts:
            try:
                self.refuse(attempt)
                return
            except (InvalidArgument, RecursionError, OverflowError, TypeError) as wrong:
                failures.append(wrong)

    def drop(self) -> None:
        """Frees the message, which refuses a request that was not answered."""
        with self._lock:
            handle, self._handle = self._handle, None
        if handle is not None:
            _native.free_message(handle)

    def __del__(self) -> None:
        self.drop()

    def _give(self, send: Callable[[_native.Handle, Any], None]) -> None:
        with self._lock:
            if self._handle is None:
                said = {"operation": "respond", "message": "respond: the request was answered before"}
                raise error_for(Status.INVALID_ARGUMENT, said)
            with self._core.using("respond") as handle:
                send(handle, self._handle)
            _native.free_message(self._handle)
            self._handle = None


class _Use:
    """One use of the handle, which is not freed meanwhile. A class, because a generator takes longer.

    A signal handler of the program may raise in the middle of it, also in these methods. So nothing is called between the note that
    there is a use and the return, a use whose end was interrupted ends with the object (`_Used`), and no thread waits for it.
    """

    __slots__ = ("_core", "_operation")

    def __init__(self, core: Core, operation: str) -> None:
        self._core = core
        self._operation = operation

    def __enter__(self) -> _native.Handle:
        core, number = self._core, id(self)
        self.__class__ = _Used  # pyright: ignore[reportAttributeAccessIssue]
        core._users[number] = None
        if core._closing:
            core.leave(number)
            raise error_for(Status.CLOSED, {"operation": self._operation, "message": f"{self._operation}: the client is closed"})
        return core._handle

    def __exit__(self, *_: object) -> None:
        self._core.leave(id(self))
        self.__class__ = _Use  # pyright: ignore[reportAttributeAccessIssue]


class _Used(_Use):
    """One that has not ended yet. Python does not hand on what is raised in `__del__`: one that has ended has none, in which a signal
    handler would raise in vain."""

    __slots__ = ()

    def __del__(self) -> None:
        self._core.leave(id(self))


class Core:
    """One client of the library, with everything that must outlive the object that the application holds."""

    def __init__(self, handlers: Handlers, handle: _native.Handle) -> None:
        self.handlers = handlers
        self._handle = handle
        self._tags = itertools.count(1)
        self._calls: dict[int, Sink] = {}
        #: The keys that the program's store has locked for this client.
        self.locks: set[str] = set()
        self._lock = threading.RLock()
        #: The uses of the handle, by the number of their object.
        self._users: dict[int, None] = {}
        self._closing = self._has_ended = self._is_freed = False
        _alive.add(self)

    def using(self, operation: str) -> _Use:
        """The handle, which is not freed meanwhile."""
        return _Use(self, operation)

    def leave(self, number: int) -> None:
        """A use has ended; it may be told more than once."""
        self._users.pop(number, None)
        if self._has_ended:
            self._free_unused()

    def _free_unused(self) -> None:
        """Frees the handle when no thread uses it any more."""
        with self._lock:
            if self._users or self._is_freed:
                return
            self._is_freed = True
        self._handle.free()

    @property
    def is_closing(self) -> bool:
        return self._closing

    def next_tag(self) -> int:
        """The number of a call that is going to be started."""
        return next(self._tags)

    def start(self, method: str, params: Any, options: dict[str, Any] | None, sink: Sink) -> int:
        """Starts a call; its sink gets exactly one outcome, unless this raises."""
        return self.begin(method, sink, lambda handle, tag: handle.start(method, params, options, tag))

    def use(self, use: Use, options: dict[str, Any] | None, sink: Sink) -> int:
        """The same for one of the library's features."""
        return self.begin(use.operation, sink, lambda handle, tag: handle.use(*use, options, tag))

    def begin(
        self, operation: str, sink: Sink, start: Callable[[_native.Handle, int], int], tag: int | None = None
    ) -> int:
        """`tag` is that of `next_tag`, if the caller has to know it before."""
        if tag is None:
            tag = self.next_tag()
        self._calls[tag] = sink  # The reply may come before start has returned.
        try:
            with self.using(operation) as handle:
                return start(handle, tag)
        except BaseException:
            self._calls.pop(tag, None)
            raise

    def cancel(self, call: int, reason: str) -> None:
        try:
            with self.using("cancel") as handle:
                handle.cancel(call, reason)
        except Closed:
            pass  # Then it ends by itself.

    def forget(self, tag: int) -> None:
        """Nothing more is told of a call."""
        self._calls.pop(tag, None)

    def inbox(self) -> Inbox:
        """What threads in calls share with a driver."""
        return Inbox(self._handle)

    def poll(self, timeout_ms: int) -> tuple[int, _native.Message | None]:
        """For the one driver, which knows when it has to stop."""
        return self._handle.poll(timeout_ms)

    def dispatch(self, message: _native.Message, request: Callable[[RequestHandler, Request], None],
                 deliver: Callable[[Callable[..., Any], tuple[Any, ...]], None],
                 login: Callable[[LoginHandler, Login], None], ask: Callable[[Asked], None]) -> None:
        """Hands a message on. `request`, `deliver`, `login` and `ask` run the application's functions, and must not wait for them."""
        try:
            if message.kind == Kind.REPLY:
                sink = self._calls.pop(message.tag, None)
                if sink is not None:
                    sink.outcome(message.status, message.json)
            elif message.kind == Kind.PROGRESS:
                sink = self._calls.get(message.tag)
                if sink is not None:
                    sink.progress(message.json)
            elif message.kind == Kind.REQUEST:
                handler = self.handlers.request(message.method)
                if handler is not None:
                    request(handler, Request(self, message))
            elif message.kind == Kind.AUTH:
                wanted = Login(self, message.json)
                if wanted.kind in ASKED:
                    ask(Asked(self, wanted.raw, message))
                elif self.handlers.login is not None:
                    login(self.handlers.login, wanted)
                else:
                    # It would be waited for as long as a person may take.
                    wanted.abandon("the program has no handler for logins: give the client 'on_login'")
            else:
                if message.kind == Kind.NOTIFICATION and message.tag:
                    # The state of a task has the tag of its call.
                    sink = self._calls.get(message.tag)
                    if sink is not None:
                        sink.task(message.json)
                delivery = self.handlers.delivery(message)
                if delivery is not None:
                    deliver(*delivery)
        finally:
            message.free()

    def take_lock(self, key: str) -> bool:
        """Whether the program's store has locked the key for this client. It is told so once."""
        try:
            self.locks.remove(key)
        except KeyError:
            return False
        return True

    def left(self) -> list[Asked]:
        """The locks that are left when the client is closed, and the library asks for nothing more."""
        return [Asked(self, {"kind": "unlock", "key": key}) for key in list(self.locks)]

    def abort(self, status: int) -> None:
        """Ends every call when the queue itself has failed, so that no thread or task waits for ever."""
        while self._calls:
            _, sink = self._calls.popitem()
            sink.outcome(status, None)

    def begin_close(self, timeout_ms: int) -> int:
        """Ends the server. Calls under way end as closed, and the driver gets what is left on the queue."""
        use = object()
        # A close in a signal handler may come between, and must not free what this one uses.
        self._users[id(use)] = None
        try:
            self._closing = True
            return int(Status.OK) if self._is_freed else self._handle.close(timeout_ms)
        finally:
            self.leave(id(use))

    def end_close(self) -> None:
        """Has the handle freed: now, or by the last thread that uses it. The driver must have stopped."""
        self._has_ended = True
        self._free_unused()
        _alive.discard(self)

    def close_at_exit(self) -> None:
        """Without its driver, whose loop or thread may be gone."""
        if not self._closing:
            self.begin_close(-1)


_alive: set[Core] = set()


# What the parent has is not the child's to close, and its locks may be held for ever there.
os.register_at_fork(after_in_child=_alive.clear)


@atexit.register
def _close_all() -> None:
    for core in list(_alive):
        core.close_at_exit()


def call_options(kind: str, given: Options) -> dict[str, Any] | None:
    """The library's options of a call. Of unknown ones it says which are meant."""
    if given:
        _check_options(given)
    elif hooks.parent is None:
        return None
    options: dict[str, Any] = {key: value for key, value in given.items() if value is not None and key not in _OURS}
    for name, time in (("timeout", given.get("timeout")), ("max_total", given.get("max_total"))):
        if time is not None:
            options[f"{name}_ms"] = milliseconds(time, name, LONGEST_CALL, 1)
    if given.get("on_progress") is not None:
        options["progress"] = True
    if hooks.parent is not None:
        hooks.parent(options)
    return plain(kind, options) or None


def _check_options(given: Options) -> None:
    known = Options.__annotations__
    unknown = next((name for name in given if name not in known), None)
    if unknown is not None:
        import difflib  # Which only a mistake needs.

        near = difflib.get_close_matches(unknown, [name for name in known if not name.endswith("_ms")], 1)
        hint = f"; did you mean {near[0]!r}?" if near else "; arguments of a tool or a prompt stand in a dict: call_tool(name, {…})"
        message = f"options: there is no option {unknown!r}{hint}"
        raise error_for(Status.INVALID_ARGUMENT, {"operation": "options", "message": message})
    callable_given("on_progress", given.get("on_progress"))
    callable_given("on_task", given.get("on_task"))


#: The options that are the binding's.
_OURS = frozenset({"timeout", "max_total", "on_progress", "on_task"})


#: The library's text is UTF-8: `json.loads` would look for other encodings first.
_from_json = json.JSONDecoder(object_hook=Object).decode


def result_of(method: str, status: int, body: bytes | None) -> Any:
    """The result of a reply, or the exception of one that failed."""
    said = _from_json(body.decode()) if body else {"operation": method}
    if status == Status.OK:
        return said
    if status == Status.TIMEOUT and "message" in said:
        said["message"] = said["message"].replace("raise timeout_ms", "raise timeout").replace("raise max_total_ms", "raise max_total")
    raise error_for(status, said)

