"""The functions of a client's program: who gets what arrives, and which capabilities that enables."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union, cast

from . import _native
from ._generated.abi import Kind, Status
from ._login import LoginHandler
from ._options import plain
from ._generated.protocol import CreateMessageRequestParams, CreateMessageResult, ElicitRequestFormParams, ElicitRequestURLParams, Root
from ._store import AsyncLoginStore, AsyncSigner
from ._values import to_json
from .errors import Refusal, callable_given, error_for

if TYPE_CHECKING:
    from ._core import Request
    from ._server import Server

#: Stands for every method that has no handler of its own.
ANY = "*"

#: The capability that lets a server send each request.
CAPABILITIES = {
    "elicitation/create": "elicitation",
    "roots/list": "roots",
    "sampling/createMessage": "sampling",
}

RequestHandler = Callable[["Request"], Any]

#: Gets the parameters of "sampling/createMessage", and gives its result, or only the text that the model said. Deprecated in 2026-07-28, as all
#: of sampling is (SEP-2577).
SamplingHandler = Callable[
    [CreateMessageRequestParams], Union[CreateMessageResult, str, Awaitable[CreateMessageResult], Awaitable[str]]
]
#: Gets the parameters of "elicitation/create". Gives what the person entered, None if the person does not want to, or Accepted or Declined.
ElicitationHandler = Callable[[ElicitRequestFormParams], Any]
#: The same for a page to visit: True, or None if the person does not want to.
VisitHandler = Callable[[ElicitRequestURLParams], Any]
#: Gives the roots when the server asks: URIs, or Root objects. Deprecated in 2026-07-28, as all roots are (SEP-2577).
RootsHandler = Callable[[], Union[Sequence[Union[str, Root]], Awaitable[Sequence[Union[str, Root]]]]]


class Typed(NamedTuple):
    """Handlers of single kinds of requests. Each enables its capability."""

    sampling: SamplingHandler | None
    elicitation: ElicitationHandler | None
    visit: VisitHandler | None
    roots: RootsHandler | None

    def enable(self, config: Any) -> Any:
        """The configuration with the capabilities of the handlers. What is no configuration the library says itself."""
        wanted: dict[str, Any] = {}
        if self.sampling is not None:
            wanted["sampling"] = {}
        if self.roots is not None:
            wanted["roots"] = {"listChanged": True}
        if self.elicitation is not None or self.visit is not None:
            form: dict[str, Any] = {"form": {}} if self.elicitation is not None else {}
            wanted["elicitation"] = {**form, **({"url": {}} if self.visit is not None else {})}
        if not wanted:
            return config
        if isinstance(config, (str, bytes)):
            try:
                config = json.loads(config)
            except ValueError:
                return config
        if not isinstance(config, Mapping):
            return config
        given = config.get("capabilities")
        return {**config, "capabilities": {**wanted, **given} if isinstance(given, Mapping) else wanted}

    def requests(self, others: Mapping[str, RequestHandler]) -> dict[str, RequestHandler]:
        made: dict[str, RequestHandler] = {}
        if self.sampling is not None:
            made["sampling/createMessage"] = _sampling(self.sampling)
        if self.elicitation is not None or self.visit is not None:
            made["elicitation/create"] = _elicitation(self.elicitation, self.visit)
        if self.roots is not None:
            made["roots/list"] = _roots(self.roots)
        twice = sorted(made.keys() & others.keys())
        if twice:
            raise _mistake(f"{twice[0]} has two handlers: one in on_request, and one of its own")
        return made


def _then(value: Any, finish: Callable[[Any], Any]) -> Any:
    """What a handler gave, finished; with a coroutine function later."""
    if not inspect.isawaitable(value):
        return finish(value)

    async def wait() -> Any:
        return finish(await value)

    return wait()


def _sampling(handler: SamplingHandler) -> RequestHandler:
    def finish(said: Any, has_tools: bool) -> Any:
        if isinstance(said, str):
            return {"role": "assistant", "model": "unknown", "content": {"type": "text", "text": said}}
        result = to_json(said)
        content = result.get("content") if isinstance(result, dict) else None
        # A server that gave no tools, such as one of a revision before 2025-11-25, expects one block and no list.
        if not has_tools and isinstance(content, list) and len(content) == 1:
            return {**result, "content": content[0]}
        return result

    return lambda request: _then(
        handler(cast(CreateMessageRequestParams, request.params)), lambda said: finish(said, "tools" in request.params)
    )


def _elicitation(form: ElicitationHandler | None, visit: VisitHandler | None) -> RequestHandler:
    def answer(request: Request) -> Any:
        handler: Callable[[Any], Any] | None = visit if request.params.get("mode") == "url" else form
        if handler is None:
            raise Refusal("the client cannot show this", -32602)

        def finish(said: Any) -> None:
            action, content = getattr(said, "action", None), getattr(said, "content", None)
            if action == "cancel":
                request.dismiss()
            elif said is None or said is False or action == "decline":
                request.decline()
            elif said is True or handler is visit:
                request.accept()
            else:
                request.accept(to_json(said if action is None else content))

        return _then(handler(request.params), finish)

    return answer


def _roots(handler: RootsHandler) -> RequestHandler:
    def finish(roots: Any) -> Any:
        return {"roots": [{"uri": root} if isinstance(root, str) else to_json(root) for root in roots]}

    return lambda request: _then(handler(), finish)


class Handlers:
    """The application's functions, by what they are for."""

    def __init__(
        self,
        on_request: Mapping[str, RequestHandler] | None,
        on_notification: Callable[[str, Any], Any] | None,
        on_state: Callable[[dict[str, Any]], Any] | None,
        on_log_line: Callable[[str], Any] | None,
        on_lost: Callable[[int], Any] | None,
        on_login: LoginHandler | None,
        login_store: AsyncLoginStore | None,
        on_sign: AsyncSigner | None,
        typed: Typed,
    ) -> None:
        named = {"on_notification": on_notification, "on_state": on_state, "on_log_line": on_log_line, "on_lost": on_lost,
                 "on_login": on_login, "on_sign": on_sign, **{f"on_{kind}": given for kind, given in typed._asdict().items()},
                 **{f"on_request[{method!r}]": given for method, given in (on_request or {}).items()}}
        for name, given in named.items():
            callable_given(name, given)
        self.login = on_login
        self.store = login_store
        self.sign = on_sign
        self.typed = typed
        self.requests = {**(on_request or {}), **typed.requests(on_request or {})}
        self.notification = on_notification
        self.state = on_state
        self.log_line = on_log_line
        self.lost = on_lost

    def new(self, config: Any, server: Any = None) -> _native.Handle:
        """A client of the library with the capabilities of the handlers. `server` is the pointer of a server in this process."""
        enabled = plain("client", with_lines(with_store(self.typed.enable(config), self.store), self.log_line))
        handle = _native.Handle(enabled, server)
        try:
            self.check(enabled)
        except BaseException:
            handle.free()
            raise
        return handle

    def new_for(self, config: Any, server: Server | None) -> _native.Handle:
        """The same for the server itself; without a configuration for its defaults."""
        if server is None:
            return self.new(config)
        with server._core.held.using("new") as served:
            return self.new({} if config is None else config, served.pointer)

    def check(self, config: Any) -> None:
        """Refuses a handler that would never be called, and a capability whose requests would all be refused."""
        declared, settings = _declared(config)
        for method, capability in CAPABILITIES.items():
            if method in self.requests and capability not in declared:
                raise _mistake(
                    f"on_request has {method}, which servers may send only with the capability '{capability}': "
                    f"add \"{capability}\": {{}} to \"capabilities\" in the configuration"
                )
            # The library itself answers with the roots of the configuration.
            if capability in settings.get("capabilities", ()) and self.request(method) is None and capability not in settings:
                raise _mistake(
                    f"the configuration has the capability '{capability}', but {method} has no handler: "
                    f"give it one with on_request, or leave the capability out"
                )

        self._check_auth(settings.get("auth"))

    def _check_auth(self, auth: Any) -> None:
        """The same for a store and a signer."""
        if auth is None:
            if self.store is not None:
                raise _mistake("login_store is never asked, because the configuration has no \"auth\": add \"auth\": {}")
            if self.sign is not None:
                raise _mistake("on_sign is never called, because the configuration has no \"auth\": add \"auth\": {}")
        elif isinstance(auth, Mapping):
            stored, asks = auth.get("store"), auth.get("signer") == "application" or auth.get("dpop_key") is not None
            if self.store is None and stored == "application":
                raise _mistake("auth.store: the program has no store for logins: give the client 'login_store'")
            if self.store is not None and stored != "application":
                raise _mistake("login_store is never asked, because auth has another store: leave out store and store_directory")
            if self.sign is None and asks:
                raise _mistake("auth.signer, auth.dpop_key: the program has no function that signs: give the client 'on_sign'")
            if self.sign is not None and not asks:
                raise _mistake("on_sign is never called: set auth.signer to \"application\" (assertions) or auth.dpop_key (proofs)")

    def request(self, method: str | None) -> RequestHandler | None:
        return self.requests.get(method or "", self.requests.get(ANY))

    def delivery(self, message: _native.Message) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
        """The application's function for a message, and the values to call it with; None if no function wants the message."""
        wanted = {
            Kind.NOTIFICATION: self.notification,
            Kind.STATE: self.state,
            Kind.STDERR: self.log_line,
            Kind.LOST: self.lost,
        }.get(message.kind)
        if wanted is None:
            return None
        body = json.loads(message.json)
        values: dict[int, tuple[Any, ...]] = {
            Kind.NOTIFICATION: (message.method, body),
            Kind.STDERR: (body.get("line", ""),),
            Kind.LOST: (body.get("count", 0),),
        }
        return wanted, values.get(message.kind, (body,))


def _mistake(why: str) -> Exception:
    return error_for(Status.INVALID_ARGUMENT, {"operation": "new", "message": f"new: {why}"})


def _set(members: Mapping[str, Any]) -> dict[str, Any]:
    """The members that are there: null counts as absent."""
    return {name: value for name, value in members.items() if value is not None}


def _settings(config: Any) -> dict[str, Any] | None:
    """The keys of a configuration; None for an invalid one, which the library says itself."""
    if isinstance(config, (str, bytes)):
        try:
            config = json.loads(config)
        except ValueError:
            return None
    return _set(config) if isinstance(config, Mapping) else None


def with_store(config: Any, store: object) -> Any:
    """The configuration with the program's store, unless it has another one."""
    settings = _settings(config) or {}
    auth = settings.get("auth")
    if store is None or not isinstance(auth, Mapping) or {"store", "store_directory"} & _set(auth).keys():
        return config
    return {**settings, "auth": {**auth, "store": "application"}}


def with_lines(config: Any, log_line: object) -> Any:
    """The configuration with the lines of stderr as messages, where a function takes them: else it would never run."""
    settings = _settings(config)
    if log_line is None or settings is None or "stderr" in settings:
        return config
    return {**settings, "stderr": "message"}


def _declared(config: Any) -> tuple[set[str], Mapping[str, Any]]:
    """The capabilities that a configuration declares, and its settings."""
    settings = _settings(config) or {}
    given = settings.get("capabilities")
    if not isinstance(given, Mapping):
        settings.pop("capabilities", None)
        given = {}
    return {*given, *({"roots"} & settings.keys())}, settings
