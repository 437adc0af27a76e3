"""Servers: what a program offers to clients of every revision of the protocol."""

from __future__ import annotations

import asyncio
import functools
import os
import sys
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Union, overload

from . import _entries
from ._generated.abi import Status
from ._generated.config import Endpoint, ServerConfig
from ._drivers import Loop, Threads, abandon
from ._elsewhere import SERVER, Named
from ._entries import Completion, Entry, Method, Prompt, Resource, Tool, choices, input_schema, output_schema, signature_of
from ._docstrings import described
from ._options import LONGEST_CALL, Time, milliseconds, plain
from ._generated.protocol import Annotations, Icon, LoggingLevel, ToolAnnotations
from ._serving import Core, ErrorHook
from .errors import Error, callable_given, error_for

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._asgi import Application

F = TypeVar("F", bound=Callable[..., Any])

#: Threads that run handlers, if the program does not say how many: those that wait for requests, and the most that a loop starts as
#: they are needed, which is what anyio has.
THREADS, LOOP_THREADS = 8, 40

Where = Union[str, Endpoint]


class Server(Named):
    """What this program offers to clients.

        server = Server("weather", version="1.0")

        @server.tool
        def temperature(city: str) -> float:
            \"\"\"The temperature in a city, in degrees Celsius.\"\"\"
            return 21.5

        server.run()

    `config` are the keys of docs/reference/server-configuration.md, such as version, title, instructions, limits and timeouts. `on_error`
    gets each exception of a handler and the Context of its request, or None; without it they go to the logger "libmcp.server".
    `threads` run the handlers that are not coroutines. With `coerce` arguments of tools become what their types say where they can:
    "1" a number, "true" a truth value, a text of JSON an object or a list.
    """

    _elsewhere = SERVER

    def __init__(
        self, name: str, /, *, logging: bool = False, threads: int | None = None, coerce: bool = False,
        on_error: ErrorHook | None = None, **config: Unpack[ServerConfig],
    ) -> None:
        if threads is not None and threads < 1:
            raise ValueError("threads must be 1 or more")
        said: dict[str, Any] = {**config, "name": name}
        if logging:
            said["announce"] = {**said.get("announce", {}), "logging": True}
        self.name = name
        self.version: str = said.get("version", "0")
        self.instructions: str | None = said.get("instructions")
        #: What was offered: "tools", "resources", "prompts", "completions".
        self.kinds: set[str] = set()
        #: Whether arguments of tools are converted to the types of their functions; the binding checks them then.
        self._coerces = coerce
        if coerce:
            said["checks"] = {**said.get("checks", {}), "arguments": False}
        callable_given("on_error", on_error)
        self._core = Core(plain("server", said), on_error)
        self._core.owner = weakref.ref(self)
        self._threads = threads
        self._closing: asyncio.Task[None] | None = None
        self._drivers: list[Threads | Loop] = []
        self._backstop = weakref.finalize(self, abandon, self._core.held, self._drivers)
        self._backstop.atexit = False

    def __repr__(self) -> str:
        return f"<libmcp.Server {self.name!r}{', closed' if self._core.held.is_closing else ''}>"

    # What it offers -------------------------------------------------------------------------------------------------------

    @overload
    def tool(self, function: F, /) -> F: ...

    @overload
    def tool(
        self, /, *, name: str | None = None, title: str | None = None, description: str | None = None,
        annotations: ToolAnnotations | None = None, icons: Sequence[Icon] | None = None,
        task: Literal["optional", "required"] | bool | None = None, structured: bool = True, output: Any = None, meta: Mapping[str, Any] | None = None,
    ) -> Callable[[F], F]: ...

    @overload
    def tool(self, name: str, /, **more: Any) -> Callable[[F], F]: ...

    def tool(self, function: Any = None, /, **more: Any) -> Any:
        """Offers a function as a tool. Its name, description, input schema and output schema are those of the function, unless
        they are given: from its type hints, its docstring, and what it returns. A name may stand first, as `tool("add")`.

        A parameter with the type Context gets the request. `task` is "optional" or "required" for a tool that may run as a
        task. `structured=False` leaves the output schema out; `output` is another type for it.
        """
        known = _names_there()
        if isinstance(function, str):
            more["name"], function = function, None
        name, task, meta = more.pop("name", None), more.pop("task", None), more.pop("meta", None)
        structured, output = more.pop("structured", True), more.pop("output", None)
        _only(more, "title", "description", "annotations", "icons")

        def add(function: F) -> F:
            signature = signature_of(function, known)
            schema, wrapped = output_schema(signature.returns if output is None else output) if structured else (None, False)
            definition = _definition(function, name, more, meta)
            definition["inputSchema"] = input_schema(signature)
            if schema is not None:
                definition["outputSchema"] = schema
            if task:
                definition["execution"] = {"taskSupport": "optional" if task is True else task}
            self._offer(Tool(function, signature, schema, wrapped, self._coerces), "tool", definition)
            return function

        return add if function is None else add(function)

    def resource(
        self, uri: str, *, name: str | None = None, title: str | None = None, description: str | None = None,
        mime_type: str | None = None, annotations: Annotations | None = None,
        icons: Sequence[Icon] | None = None, size: int | None = None, meta: Mapping[str, Any] | None = None,
    ) -> Callable[[F], F]:
        """Offers a function as a resource, or as a template of resources if the URI has variables ("users://{name}"), which
        are the function's parameters. It gives text, bytes, or anything else that then is JSON."""
        _text_given("resource", "a URI", 'resource("config://app")', uri)
        known = _names_there()
        more = {"title": title, "description": description, "mimeType": mime_type, "annotations": annotations,
                "icons": icons, "size": size}

        def add(function: F) -> F:
            signature = signature_of(function, known)
            is_template = "{" in uri
            if signature.members and not is_template:
                raise TypeError(f"{function!r} has parameters, but {uri!r} has no variables for them")
            unknown = [part for part in signature.members if is_template and part not in _variables(uri)]
            if unknown:
                raise TypeError(f"{function!r} has the parameter {unknown[0]!r}, which is no variable of {uri!r}")
            definition = _definition(function, name, more, meta)
            definition["uriTemplate" if is_template else "uri"] = uri
            self._offer(Resource(function, signature, mime_type), "resource_template" if is_template else "resource", definition)
            self._complete_choices(uri, signature)
            return function

        return add

    @overload
    def prompt(self, function: F, /) -> F: ...

    @overload
    def prompt(
        self, /, *, name: str | None = None, title: str | None = None, description: str | None = None,
        icons: Sequence[Icon] | None = None, meta: Mapping[str, Any] | None = None,
    ) -> Callable[[F], F]: ...

    def prompt(self, function: Any = None, /, **more: Any) -> Any:
        """Offers a function as a prompt: its parameters are the arguments. It gives a text, a list of texts and messages, or
        a whole result. A parameter with the type Literal or of an Enum of texts is completed without a handler."""
        known = _names_there()
        name, meta = more.pop("name", None), more.pop("meta", None)
        _only(more, "title", "description", "icons")

        def add(function: F) -> F:
            signature = signature_of(function, known)
            definition = _definition(function, name, more, meta)
            said = described(function)[1]
            definition["arguments"] = [
                {"name": part, "required": member.needed, **({"description": said[part]} if part in said else {})}
                for part, member in signature.members.items()
            ]
            self._offer(Prompt(function, signature), "prompt", definition)
            self._complete_choices(definition["name"], signature)
            return function

        return add if function is None else add(function)

    def completion(self, of: str, argument: str) -> Callable[[F], F]:
        """Completes an argument of a prompt (by its name), or of a resource template (by its URI template). The function may
        take `value` (what was typed), `settled` (the arguments that have a value) and `argument` (its name), and gives texts."""
        _text_given("completion", "the name of a prompt or a template", 'completion("recommend", "mood")', of)
        known = _names_there()

        def add(function: F) -> F:
            entry = Completion(function, signature_of(function, known))
            self._core.offer(entry, lambda handle, core, number: handle.add_completion(of, argument, None, core, number))
            self.kinds.add("completions")
            return function

        return add

    def method(
        self, method: str, *, capability: str | None = None, settings: Mapping[str, Any] | None = None
    ) -> Callable[[F], F]:
        """Offers a method of an extension. `capability` is the extension that the server announces with it, with `settings`.
        The function's parameters are those of the method; what it gives is the result."""
        _text_given("method", "the name of a method", 'method("com.example/render")', method)
        known = _names_there()

        def add(function: F) -> F:
            entry = Method(function, signature_of(function, known))
            self._core.offer(
                entry, lambda handle, core, number: handle.add_method(method, capability, settings, core, number)
            )
            return function

        return add

    def on(self, method: str) -> Callable[[F], F]:
        """Tells a function of what clients notify: "notifications/roots/list_changed". With "token" it judges the tokens of
        `auth={"application": True, …}`: it gets {"token", "audiences"}, and gives {"principal", "scopes", …} or None."""
        _text_given("on", "what to be told of", 'on("notifications/roots/list_changed")', method)

        def add(function: F) -> F:
            callable_given(f"the function of {method!r}", function)
            self._core.listen(method, function)
            return function

        return add

    def add_text(self, uri: str, text: str, *, name: str | None = None, **more: Any) -> None:
        """Offers a text that is always the same. `more` are members of a Resource, such as mimeType."""
        with self._core.held.using("add") as handle:
            handle.add_text({"uri": uri, "name": name or uri, **more}, text)
        self.kinds.add("resources")

    def add_blob(self, uri: str, data: bytes, *, name: str | None = None, **more: Any) -> None:
        """Offers bytes that are always the same."""
        with self._core.held.using("add") as handle:
            handle.add_blob({"uri": uri, "name": name or uri, **more}, data)
        self.kinds.add("resources")

    def add_folder(self, template: str, folder: str | os.PathLike[str], *, name: str | None = None, **more: Any) -> None:
        """Offers the files below a folder as resources: `template` has the variable path, as "docs:///{+path}"."""
        with self._core.held.using("add") as handle:
            handle.add_folder({"uriTemplate": template, "name": name or template, **more}, os.fspath(folder))
        self.kinds.add("resources")

    def add_skills(self, folder: str | os.PathLike[str], *, uri_prefix: str | None = None) -> None:
        """Offers the skills below a folder (docs/guide/skills.md). Call it again when files have changed."""
        with self._core.held.using("add") as handle:
            handle.add_skills(os.fspath(folder), None if uri_prefix is None else {"uri_prefix": uri_prefix})
        self.kinds.add("resources")

    def remove(self, kind: str, name: str) -> bool:
        """Takes back a "tool", "resource", "template", "prompt" or "skills". False if there is none of that name."""
        with self._core.held.using("remove") as handle:
            return handle.remove(kind, name)

    def _offer(self, entry: Entry, kind: str, definition: dict[str, Any]) -> None:
        self._core.offer(entry, lambda handle, core, number: handle.add(kind, definition, core, number))
        self.kinds.add("resources" if kind == "resource_template" else f"{kind}s")

    def _complete_choices(self, of: str, signature: _entries.Signature) -> None:
        for argument, member in signature.members.items():
            values = choices(member.type)
            if values:
                with self._core.held.using("add") as handle:
                    handle.add_completion(of, argument, values, 0, 0)
                self.kinds.add("completions")

    # Serving --------------------------------------------------------------------------------------------------------------

    def serve(self, endpoint: Where) -> dict[str, Any]:
        """Begins to serve, beside what is served already: "stdio", "http://127.0.0.1:0/mcp", "unix:PATH", "tcp:HOST:PORT", or an
        endpoint of docs/guide/serving.md. Gives where, with the port that the system chose. `start` or `run` runs the handlers."""
        with self._core.held.using("serve") as handle:
            bound = handle.serve(endpoint_of(endpoint))
        self._core.serves = True
        return bound

    def run(self, *endpoints: Where) -> None:
        """Serves until all that is served has ended, or Ctrl-C: the standard streams, unless endpoints are given or `serve`
        was called."""
        driver = self.start()
        try:
            for endpoint in endpoints or (() if self._core.serves else ("stdio",)):
                self.serve(endpoint)
            driver.wait()
        finally:
            self.close()

    async def run_async(self, *endpoints: Where) -> None:
        """As `run`, in the running event loop, where handlers that are coroutines run. Cancelling it closes the server."""
        driver = self.start_async()
        try:
            for endpoint in endpoints or (() if self._core.serves else ("stdio",)):
                self.serve(endpoint)
            await driver.ended.wait()
        finally:
            await self.aclose()

    def start(self) -> Threads:
        """Has threads run the handlers, until `close`. Once."""
        for driver in self._drivers:
            if isinstance(driver, Threads):
                return driver
            raise _mistake("start", "the server runs in an event loop already")
        made = Threads(self._core, self._threads or THREADS)
        self._drivers.append(made)
        self._core.driver = made
        return made

    def start_async(self) -> Loop:
        """Has the running event loop run the handlers, until `aclose`. Once."""
        for driver in self._drivers:
            if isinstance(driver, Loop) and driver.loop is asyncio.get_running_loop():
                return driver
            raise _mistake("start", "the server runs on threads, or in another event loop, already")
        made = Loop(self._core, self._threads or LOOP_THREADS)
        self._drivers.append(made)
        self._core.driver = made
        return made

    @property
    def is_started(self) -> bool:
        """Whether something runs its handlers."""
        return bool(self._drivers)

    @property
    def runs_here(self) -> bool:
        """Whether its handlers run in the event loop of this thread."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False
        return any(isinstance(driver, Loop) and driver.loop is loop for driver in self._drivers)

    def close(self, timeout: Time | None = None) -> None:
        """Refuses what is under way, ends every session, and waits `timeout` seconds for clients to take what was sent. Any
        number of times."""
        self._backstop.detach()
        self._core.held.close(milliseconds(timeout))
        self._core.ended()
        for driver in self._drivers:
            if not isinstance(driver, Loop):
                driver.stop()
                continue
            try:
                driver.loop.call_soon_threadsafe(driver.stop)
            except RuntimeError:  # The loop is closed, and watches nothing.
                driver.lose_loop()

    async def aclose(self, timeout: Time | None = None) -> None:
        """As `close`, without blocking the loop."""
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(self._close(timeout))
        await asyncio.shield(self._closing)

    async def _close(self, timeout: Time | None) -> None:
        self._backstop.detach()
        await asyncio.to_thread(self._core.held.close, milliseconds(timeout))
        self._core.ended()
        for driver in self._drivers:
            if isinstance(driver, Loop):
                driver.stop()
            else:
                await asyncio.to_thread(driver.stop)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Server:
        self.start_async()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    # Telling --------------------------------------------------------------------------------------------------------------

    def resource_updated(self, uri: str) -> None:
        """Tells the clients that subscribed to a resource that it has changed."""
        with self._core.held.using("resource_updated") as handle:
            handle.resource_updated(uri)

    def log(self, level: LoggingLevel, data: Any, *, logger: str | None = None) -> None:
        """Sends a log message that belongs to no request, to clients of the legacy era. Needs `logging=True`.

        Deprecated in 2026-07-28, as all log messages are (SEP-2577).
        """
        with self._core.held.using("log") as handle:
            handle.log(level, logger, data)

    def notify(self, method: str, params: Any = None, *, session: int = 0) -> None:
        """Sends a notification of an extension to clients of the legacy era; 0 for all sessions."""
        with self._core.held.using(method) as handle:
            handle.notify(session, method, params)

    def call(
        self, session: int, method: str, params: Any = None, *, timeout: Time | None = None
    ) -> Future[dict[str, Any]]:
        """Calls a client of the legacy era outside of any request: "ping", "roots/list", "sampling/createMessage" or
        "elicitation/create". `session` is that of `Context.info()`. A coroutine awaits `asyncio.wrap_future` of the future."""
        future: Future[dict[str, Any]] = Future()

        def reply(status: int, body: Any) -> None:
            if status == Status.OK:
                future.set_result(body)
            else:
                future.set_exception(error_for(status, body))

        options = None if timeout is None else {"timeout_ms": milliseconds(timeout, most=LONGEST_CALL, least=1)}
        self._core.call(session, method, params, options, reply)
        return future

    def info(self) -> dict[str, Any]:
        """What there is to know about the server: sessions, requests, counters, times."""
        with self._core.held.using("info") as handle:
            return handle.info()

    def asgi(self, url: str | None = None, *, hosts: Sequence[str] = (), origins: Sequence[str] = ()) -> Application:
        """An ASGI application for an HTTP server of the program. `url` is where clients reach it, with its path; `hosts`
        and `origins` are those of docs/guide/serving.md. Without a URL it answers at each path that the program gives it, to clients of
        this machine: its names are what Host may be then, and `hosts`. Handlers run in the loop of the application."""
        from ._asgi import ANYWHERE, Application

        endpoint: Endpoint = {"url": url or ANYWHERE, "listen": False, "hosts": list(hosts), "origins": list(origins)}
        return Application(self, self._core, endpoint, url is None)


def endpoint_of(endpoint: Where) -> Mapping[str, Any]:
    """An endpoint in the library's form."""
    if not isinstance(endpoint, str):
        return endpoint
    if endpoint == "stdio":
        return {"stdio": True}
    if endpoint.startswith(("http://", "https://")):
        return {"url": endpoint}
    if not endpoint.startswith(("unix:", "tcp:")):
        raise _mistake("serve", f'a place is "stdio", "http://127.0.0.1:8080/mcp", "unix:PATH" or "tcp:HOST:PORT", not {endpoint!r}')
    return {"socket": endpoint}


def _text_given(decorator: str, what: str, example: str, given: Any) -> None:
    """A decorator that was written without its argument would take the function for that, and offer nothing."""
    if not isinstance(given, str):
        raise TypeError(f"{decorator} takes {what}, as @server.{example}; not {given!r}")


def _name_of(function: Any) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    name: str = getattr(function, "__name__", type(function).__name__)
    if name == "<lambda>":
        raise TypeError(f"{function!r} has no name: give it one, name=…")
    return name


def _definition(function: Any, name: str | None, more: Mapping[str, Any], meta: Mapping[str, Any] | None) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name or _name_of(function)}
    description = more.get("description") or described(function)[0]
    if description:
        made["description"] = description
    made.update({key: value for key, value in more.items() if value is not None and key != "description"})
    if meta is not None:
        made["_meta"] = dict(meta)
    return made


def _variables(template: str) -> set[str]:
    parts = [part.split("}")[0] for part in template.split("{")[1:]]
    return {name.rstrip("*").split(":")[0] for part in parts for name in part.lstrip("+#./;?&").split(",")}


def _only(given: Mapping[str, Any], *known: str) -> None:
    for name in given:
        if name not in known:
            raise TypeError(f"there is no argument {name!r}; further ones are {', '.join(known)}")


def _names_there() -> dict[str, Any]:
    """The local names where a decorator is used: types that are written as text may be among them."""
    frame = sys._getframe(2)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(f"{__package__}."):
        frame = frame.f_back  # A decorator of this package that is made of another one.
    return dict(frame.f_locals)


def _mistake(operation: str, why: str) -> Error:
    return error_for(Status.INVALID_ARGUMENT, {"operation": operation, "message": f"{operation}: {why}"})
