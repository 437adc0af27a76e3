"""How things fail: one exception class for each status that a program may want to tell apart."""

from __future__ import annotations

import inspect
from typing import Any

from ._generated.abi import Status


class Error(Exception):
    """Something failed. `str()` says what was being done, what went wrong and, where there is one, the fix."""

    def __init__(self, status: int, said: dict[str, Any]) -> None:
        status = Status(status) if status in Status._value2member_map_ else status
        operation = said.get("operation", "")
        super().__init__(said.get("message") or f"{operation}: {_name(status)}")
        #: The library's status; of a later version it may be a number that `Status` does not know.
        self.status = status
        self.operation: str = operation
        #: Numbers and names for programs.
        self.details: dict[str, Any] = said.get("details") or {}
        #: Trying again may succeed; not that the first try had no effect.
        self.retryable: bool = bool(said.get("retryable"))
        #: The JSON-RPC error's, when the server answered with one.
        self.code: int | None = said.get("code")
        self.data: Any = said.get("data")
        self._said = said

    def __reduce__(self) -> tuple[Any, ...]:
        """An error of a worker reaches the process that waits for it: without this a pool of processes would break."""
        return type(self), (int(self.status), self._said)


class InvalidArgument(Error, ValueError):
    """An argument is wrong; nothing was done."""


class CallTimeout(Error, TimeoutError):
    """No answer within the time allowed."""


class Cancelled(Error):
    """The call was cancelled, or the server withdrew its request."""


class Disconnected(Error, ConnectionError):
    """Not connected, or the connection was lost under the call."""


class ServerError(Error):
    """The server answered with a JSON-RPC error: see `code` and `data`."""


class Closed(Error):
    """The client is closed."""


class ToolError(Exception):
    """A tool said that it failed; `result` is its result.

    A tool of a server raises it with a text: the model reads the text, and may try something else.
    """

    def __init__(self, said: Any) -> None:
        super().__init__(said if isinstance(said, str) else said.text)
        self.result = None if isinstance(said, str) else said
        self._said = said

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._said,)


class Refusal(Exception):
    """Raised by a handler to refuse a request of the server with a code of its choice."""

    def __init__(self, message: str, code: int = -1, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.code, self.data)


class NotFound(Exception):
    """Raised by a handler of a server: what the client asks for does not exist."""


_CLASSES: dict[int, type[Error]] = {
    Status.INVALID_ARGUMENT: InvalidArgument,
    Status.TIMEOUT: CallTimeout,
    Status.CANCELLED: Cancelled,
    Status.UNAVAILABLE: Disconnected,
    Status.TRANSPORT: Disconnected,
    Status.SERVER: ServerError,
    Status.CLOSED: Closed,
}


def error_for(status: int, said: dict[str, Any]) -> Error:
    """The exception for a status and the library's error object."""
    return _CLASSES.get(status, Error)(status, said)


def callable_given(what: str, function: Any) -> None:
    """Refuses what no one could call, when it is given and not when it would be called."""
    if function is None or callable(function):
        return
    why = "a coroutine: give the function itself, without calling it" if inspect.isawaitable(function) else f"{function!r}"
    if inspect.iscoroutine(function):
        function.close()  # It is never awaited, which this error says better.
    raise TypeError(f"{what} must be a function; it is {why}")


def text_of(error: BaseException) -> str:
    """The text of an exception, whatever its class does."""
    try:
        return str(error) or repr(error)
    except Exception:
        return type(error).__name__


def _name(status: int) -> str:
    known = Status._value2member_map_.get(status)
    return known.name.lower() if known is not None else f"status {status}"
