"""A server with the names of FastMCP, for programs that were written for it: alone (`fastmcp`) or in the official SDK
(`mcp.server.fastmcp`). Another line at the top is the change:

    from libmcp.compat.fastmcp import Context, FastMCP

    mcp = FastMCP("calculator")

    @mcp.tool()
    async def add(a: int, b: int, ctx: Context) -> int:
        await ctx.info("adding")
        return a + b

    mcp.run()

Everything of `libmcp.Server` is there as well. A function that asks (`elicit`, `sample`) runs again from its beginning with the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from .. import _context
from .._media import Audio, File, Image
from .._server import Server
from ..errors import ToolError

if TYPE_CHECKING:
    from .._asgi import Application
    from .._generated.protocol import LoggingLevel, Root

__all__ = ["AssistantMessage", "Audio", "Context", "Elicited", "FastMCP", "File", "Image", "Message", "ToolError", "UserMessage"]

F = TypeVar("F", bound=Callable[..., Any])
Transport = Literal["stdio", "http", "streamable-http"]
#: The URL of a server that is run over HTTP, unless something else is said.
HOST, PORT, PATH = "127.0.0.1", 8000, "/mcp"


class Elicited(NamedTuple):
    """What a person has said: `data` is an object of the form's type, None where they declined or closed the form."""

    action: Literal["accept", "decline", "cancel"]
    data: Any


class Context(_context.Context):
    """The request, with FastMCP's names: most of them are coroutines."""

    @property
    def request_id(self) -> str:
        """A number of this process, that no other request has."""
        return str(self._number)

    @property
    def fastmcp(self) -> Any:
        """The server."""
        return self.server

    async def report_progress(self, progress: float, total: float | None = None, message: str | None = None) -> None:
        self.progress(progress, total, message)

    async def log(self, level: LoggingLevel, message: Any, *, logger_name: str | None = None) -> None:  # type: ignore[override]
        super().log(level, message, logger=logger_name)

    async def debug(self, message: Any) -> None:
        await self.log("debug", message)

    async def info(self, message: Any) -> None:  # type: ignore[override]
        await self.log("info", message)

    async def warning(self, message: Any) -> None:
        await self.log("warning", message)

    async def error(self, message: Any) -> None:
        await self.log("error", message)

    async def elicit(self, message: str, schema: Any = None, *, response_type: Any = None) -> Elicited:  # type: ignore[override]
        """Asks the person to fill in a form, whose type is `schema` in the official SDK and `response_type` in FastMCP."""
        form = schema if response_type is None else response_type
        if form is None:
            raise TypeError("elicit needs the type of the form: schema=, or response_type=")
        answer = super().elicit(message, form)
        return Elicited(answer.action, answer.content)

    async def sample(  # type: ignore[override]
        self, messages: Any, system_prompt: str | None = None, temperature: float | None = None, max_tokens: int = 512
    ) -> _context.Sampled:
        """Asks the client's model; the result has `text`."""
        more: dict[str, Any] = {"systemPrompt": system_prompt, "temperature": temperature}
        said: Any = [Message(one) if isinstance(one, str) else one for one in messages] if isinstance(messages, (list, tuple)) else messages
        return super().sample(said, max_tokens=max_tokens, **{name: value for name, value in more.items() if value is not None})

    async def list_roots(self) -> list[Root]:
        return self.roots()


def Message(content: Any, role: Literal["user", "assistant"] = "user") -> dict[str, Any]:
    """A message of a prompt, from a text or a content block."""
    return {"role": role, "content": {"type": "text", "text": content} if isinstance(content, str) else content}


def UserMessage(content: Any) -> dict[str, Any]:
    return Message(content)


def AssistantMessage(content: Any) -> dict[str, Any]:
    return Message(content, "assistant")


class FastMCP(Server):
    """A `Server` with the constructor, the decorators and `run` of FastMCP. Arguments of tools are converted as FastMCP does
    (`coerce`), log messages are announced. `more` are keys of docs/reference/server-configuration.md, and what `Server` takes."""

    def __init__(
        self, name: str = "FastMCP", instructions: str | None = None, *, host: str = HOST, port: int = PORT,
        streamable_http_path: str = PATH, **more: Any,
    ) -> None:
        said = {"coerce": True, "logging": True, "instructions": instructions, **{key: _plain(value) for key, value in more.items()}}
        super().__init__(name, **said)
        self._place = host, port, streamable_http_path

    def tool(self, name: Any = None, /, *, structured_output: bool | None = None, output_schema: Any = None, **more: Any) -> Any:
        """`@mcp.tool`, `@mcp.tool()`, `@mcp.tool("name")`, with the keywords that libmcp has, too."""
        if output_schema is not None:
            raise TypeError("output_schema: the schema is that of the function's result; output= takes a type for it")
        if structured_output is not None:
            more["structured"] = structured_output
        return super().tool(*_given(name), **_keywords(more))

    def resource(self, uri: str, **more: Any) -> Callable[[F], F]:
        return super().resource(uri, **_keywords(more))

    def prompt(self, name: Any = None, /, **more: Any) -> Any:
        if isinstance(name, str):
            more["name"], name = name, None
        return super().prompt(*_given(name), **_keywords(more))

    def add_tool(self, function: Callable[..., Any], **more: Any) -> None:
        self.tool(**more)(function)

    def run(  # type: ignore[override]
        self, transport: Transport = "stdio", *, host: str | None = None, port: int | None = None, path: str | None = None
    ) -> None:
        """Serves until Ctrl-C, over the standard streams or at a URL."""
        super().run(self._endpoint(transport, host, port, path))

    async def run_async(  # type: ignore[override]
        self, transport: Transport = "stdio", *, host: str | None = None, port: int | None = None, path: str | None = None
    ) -> None:
        """As `run`, in the running event loop."""
        await super().run_async(self._endpoint(transport, host, port, path))

    def http_app(self, path: str | None = None) -> Application:
        """An ASGI application at `path`, for clients of this machine; `asgi` takes a public URL."""
        return self.asgi(self._url(None, None, path))

    streamable_http_app = http_app

    def _url(self, host: str | None, port: int | None, path: str | None) -> str:
        usual = self._place
        where = usual[0] if host is None else host
        return f"http://{f'[{where}]' if ':' in where else where}:{usual[1] if port is None else port}{usual[2] if path is None else path}"

    def _endpoint(self, transport: str, host: str | None, port: int | None, path: str | None) -> str:
        if transport == "stdio":
            return "stdio"
        if transport in ("http", "streamable-http"):
            return self._url(host, port, path)
        raise ValueError(f"transport: there is no {transport!r}; it is \"stdio\", \"http\" or \"streamable-http\"")


def _given(name: Any) -> tuple[Any, ...]:
    return () if name is None else (name,)


def _plain(value: Any) -> Any:
    """An object of pydantic, such as ToolAnnotations of the official SDK, as a dict."""
    dump = getattr(value, "model_dump", None)
    if dump is not None:
        return dump(mode="json", by_alias=True, exclude_none=True)
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _keywords(more: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords of FastMCP that have a meaning for clients; others are an error that names those that there are."""
    tags: Sequence[str] | None = more.get("tags")
    said = {key: _plain(value) for key, value in more.items() if key != "tags"}
    if tags:
        said["meta"] = {**(said.get("meta") or {}), "fastmcp": {"tags": sorted(tags)}}
    return said
