"""A request of a client, as the handler of a server sees it."""

from __future__ import annotations

import dataclasses
import json
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from ._elsewhere import CONTEXT, Named
from ._forms import form_of
from ._options import LONGEST_CALL, Time, milliseconds
from ._generated.protocol import LoggingLevel, Root, SamplingMessage
from ._server_native import RequestHandle
from ._values import from_json, to_json

if TYPE_CHECKING:
    from ._entries import Entry
    from ._serving import Core

T = TypeVar("T")


class Asked(BaseException):
    """Ends a run of a handler whose question is on its way to the client: the handler runs again with the answer.

    It is no Exception, so that `except Exception` in a handler lets it through.
    """


@dataclasses.dataclass(frozen=True)
class Accepted(Generic[T]):
    """A person has accepted: a form with its content, or the visit of a page."""

    content: T
    action: Literal["accept"] = "accept"


@dataclasses.dataclass(frozen=True)
class Declined:
    """A person does not want to, or has closed the question without a choice ("cancel")."""

    action: Literal["decline", "cancel"] = "decline"
    content: None = None


class Sampled(dict[str, Any]):
    """What a model said: the result of "sampling/createMessage"."""

    @property
    def text(self) -> str:
        """The text of all text blocks, joined by line feeds."""
        content = self.get("content", [])
        blocks = content if isinstance(content, list) else [content]
        return "\n".join(block.get("text", "") for block in blocks if block.get("type") == "text")


class Context(Named):
    """The request that a handler answers: who asks, and what can be said to the client meanwhile.

    A handler gets it by a parameter with this type. After the answer, or when the request is cancelled, everything that is sent
    has no effect.
    """

    _elsewhere = CONTEXT

    def __init__(self, core: Core, entry: Entry, handle: RequestHandle) -> None:
        self._core = core
        self._entry = entry
        self._handle = handle
        self._number = handle.number()
        self._params: dict[str, Any] | None = None
        self._questions = 0

    @property
    def method(self) -> str:
        """The method, such as "tools/call"."""
        return self._handle.method()

    @property
    def params(self) -> dict[str, Any]:
        """The parameters as the client sent them."""
        if self._params is None:
            self._params = self._handle.params()
        return self._params

    @property
    def meta(self) -> dict[str, Any]:
        """"_meta" of the parameters."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def server(self) -> Any:
        """The server that the handler belongs to; None if the program has dropped it."""
        return self._core.owner()

    def info(self) -> dict[str, Any]:
        """Who asks: "session", "revision", "era", "capabilities", "principal", "variables", "round", "task", "deadline_ms", …"""
        return self._handle.context()

    @property
    def cancelled(self) -> bool:
        """Whether the answer is no longer wanted. A long handler that is no coroutine looks here now and then."""
        return self._handle.is_cancelled()

    def progress(self, progress: float, total: float | None = None, message: str | None = None) -> bool:
        """Reports progress, which must rise. False when the client does not want reports."""
        return self._handle.progress(float(progress), float(total or 0), message)

    def log(self, level: LoggingLevel, data: Any, *, logger: str | None = None) -> bool:
        """Sends a log message of this request. False when the client does not want it. Needs `logging=True` of the server.

        Deprecated in 2026-07-28, as all log messages are (SEP-2577).
        """
        return self._handle.log(level, logger, to_json(data))

    # Questions ------------------------------------------------------------------------------------------------------------

    def ask(self, method: str, params: Mapping[str, Any] | None = None, *, key: str | None = None) -> dict[str, Any]:
        """Asks the client, and gives its result. Written once for every revision of the protocol.

        The first time this ends the run of the handler by an exception that the handler must let through; when the answer is
        there, the handler runs again from its beginning, and this gives the answer. What must happen once (a payment) comes
        after the last question; `state` keeps what the next run needs. `key` names the question within the request; without
        it questions are told apart by their order, which then must be the same in each run.
        """
        return self.ask_all({self._key(key): (method, params or {})})[0]

    def ask_all(self, questions: Mapping[str, tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
        """Asks several things together: a method and parameters for each key. The answers are in the same order."""
        answers = [self._handle.ask(key, method, to_json(params)) for key, (method, params) in questions.items()]
        known = [answer for answer in answers if answer is not None]
        if len(known) < len(answers):
            raise Asked
        return known

    def elicit(self, message: str, form: type[T], *, key: str | None = None) -> Accepted[T] | Declined:
        """Asks the person to fill in a form: a dataclass, a TypedDict or a model with members that are texts, numbers, truth
        values or choices."""
        params = {"mode": "form", "message": message, "requestedSchema": form_of(form)}
        answer = self.ask("elicitation/create", params, key=key)
        if answer.get("action") != "accept":
            return _declined(answer)
        return Accepted(from_json(form, answer.get("content", {}), checks=True))

    def visit(self, message: str, url: str, *, key: str | None = None) -> Accepted[None] | Declined:
        """Asks the person to visit a page. The page must find out by itself who visits it."""
        params = {"mode": "url", "message": message, "url": url}
        if self._handle.context().get("revision") == "2025-11-25":  # The only one with such ids.
            params["elicitationId"] = str(uuid.uuid4())
        answer = self.ask("elicitation/create", params, key=key)
        return Accepted(None) if answer.get("action") == "accept" else _declined(answer)

    def sample(
        self, messages: str | Sequence[SamplingMessage], *, max_tokens: int, key: str | None = None, **more: Any
    ) -> Sampled:
        """Asks the client's model. `messages` is a text of the user, or SamplingMessages; further parameters by their names on
        the wire, such as systemPrompt or temperature.

        Deprecated in 2026-07-28, as all of sampling is (SEP-2577).
        """
        said: Any = [{"role": "user", "content": {"type": "text", "text": messages}}] if isinstance(messages, str) else list(messages)
        params = {"messages": said, "maxTokens": max_tokens, **more}
        return Sampled(self.ask("sampling/createMessage", params, key=key))

    def roots(self, *, key: str | None = None) -> list[Root]:
        """Asks for the folders in which the client lets the server work.

        Deprecated in 2026-07-28, as all roots are (SEP-2577).
        """
        roots: list[Root] = self.ask("roots/list", key=key).get("roots", [])
        return roots

    def _key(self, key: str | None) -> str:
        self._questions += 1
        return key or f"question {self._questions}"

    @property
    def state(self) -> Any:
        """What an earlier run of the handler kept here, any JSON; None if it kept nothing."""
        kept = self._handle.state()
        return None if kept is None else json.loads(kept)

    @state.setter
    def state(self, value: Any) -> None:
        self._handle.set_state(json.dumps(to_json(value), ensure_ascii=False))

    # Tasks ----------------------------------------------------------------------------------------------------------------

    def start_task(
        self,
        *,
        ttl: Time | None = None,
        poll_interval: Time | None = None,
        status: str | None = None,
        attempts: int | None = None,
    ) -> bool:
        """Turns a call of a tool into a task, whose answer may take long; later calls change its status. False when the call
        cannot become one: then the client waits. Times are seconds, or a timedelta. The tool must have been added with `task`.
        With a store the call may begin `attempts` times in all, each time in another process when the one before is gone."""
        options: dict[str, Any] = {}
        for name, time in (("ttl", ttl), ("poll_interval", poll_interval)):
            if time is not None:
                options[f"{name}_ms"] = milliseconds(time, name, LONGEST_CALL, 1)
        if status is not None:
            options["status_message"] = status
        if attempts is not None:
            options["attempts"] = attempts
        return self._handle.start_task(options)

    def close_stream(self, retry: Time | None = None) -> bool:
        """Ends the event stream before the answer (HTTP, 2025-11-25): the client comes back after `retry` seconds."""
        return self._handle.close_stream(milliseconds(retry, "retry"))


def _declined(answer: dict[str, Any]) -> Declined:
    return Declined("decline" if answer.get("action") == "decline" else "cancel")


def is_asked(error: BaseException) -> bool:
    """Whether a run has ended for a question, also where a TaskGroup has wrapped that."""
    if isinstance(error, Asked):
        return True
    parts = getattr(error, "exceptions", None)
    return isinstance(parts, tuple) and len(parts) > 0 and all(isinstance(part, BaseException) and is_asked(part) for part in parts)
