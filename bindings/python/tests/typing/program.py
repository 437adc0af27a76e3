"""A program as users write it, for mypy --strict and pyright: it is checked, not run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Literal, TypedDict

from typing_extensions import assert_type

from libmcp import (
    AsyncClient,
    Client,
    Config,
    Context,
    Declined,
    Field,
    LoginStore,
    Server,
    SignRequest,
    ToolResult,
    load_config,
    open_config,
)
from libmcp.anyio import AnyioClient
from libmcp.types import (
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestFormParams,
    GetPromptResult,
    ResourceContents,
    Root,
    Tool,
)

config: Config = {
    "command": "some-server",
    "args": ["--quiet"],
    "protocol": "auto",
    "timeouts": {"call_ms": timedelta(seconds=30)},
    "capabilities": {"sampling": {}},
}


def sample(request: CreateMessageRequestParams) -> CreateMessageResult:
    tokens: int | float = request["maxTokens"]
    return {"role": "assistant", "model": "mine", "content": {"type": "text", "text": f"{tokens}"}}


async def sample_later(request: CreateMessageRequestParams) -> str:
    return str(request["messages"])


def elicit(form: ElicitRequestFormParams) -> dict[str, Any] | Declined:
    return {"name": "Ada"} if form["message"] else Declined()


def roots() -> list[Root]:
    return [{"uri": "file:///home"}]


class Rows:
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def load(self, key: str, lock: bool) -> str | None:
        return self.texts.get(key)

    def save(self, key: str, text: str) -> None:
        self.texts[key] = text

    def unlock(self, key: str) -> None:
        pass


class LaterRows:
    async def load(self, key: str, lock: bool) -> str | None:
        return None

    async def save(self, name: str, value: str) -> None:
        pass

    async def unlock(self, key: str) -> None:
        pass


def sign(request: SignRequest) -> bytes:
    return request.input.encode()


async def sign_later(request: SignRequest) -> str:
    return request.audience


rows: LoginStore = Rows()


@dataclass
class Weather:
    city: str
    degrees: float


class Point(TypedDict):
    x: int


def blocking() -> None:
    with Client(config, on_sampling=sample, on_elicitation=elicit, on_roots=roots) as client:
        assert_type(client.tools(), Iterator[Tool])
        for tool in client.tools(timeout=timedelta(seconds=3), cache="refresh"):
            assert_type(tool["name"], str)
            schema: dict[str, Any] = dict(tool["inputSchema"])
            print(schema, tool.get("description"))
        result = client.call_tool("weather", {"city": "Rome"}, timeout=2.5, on_progress=lambda report: print(report["progress"]))
        assert_type(result, ToolResult)
        assert_type(result.into(Weather), Weather)
        assert_type(result.text, str)
        assert_type(client.read_resource("a://b"), list[ResourceContents])
        assert_type(client.get_prompt("p"), GetPromptResult)
        for message in client.get_prompt("p")["messages"]:
            if message["content"]["type"] == "text":
                print(message["content"]["text"])
        page = client.page("tools", cursor="x")
        assert_type(page.next_cursor, str | None)
        client.set_log_level("warning")
    clients, failures = open_config("mcp.json", on_sampling=sample)
    assert_type(clients, dict[str, Client])
    print(failures, load_config("mcp.json").get("command"))


    with Client(config, login_store=rows, on_sign=sign) as owner:
        owner.logout(timeout=10)


async def waiting() -> None:
    async with AsyncClient(config, on_sampling=sample_later, login_store=LaterRows(), on_sign=sign_later) as client:
        await client.logout()
        names = [tool["name"] async for tool in client.tools()]
        assert_type(names, list[str])
        assert_type((await client.call_tool("weather")).into(Point), Point)
    async with AnyioClient({"url": "http://127.0.0.1:8080/mcp"}, login_store=Rows(), on_sign=sign) as other:
        await other.logout(timeout=10)
        assert_type(await other.call_tool("x"), ToolResult)


server = Server("weather", version="1.0", limits={"sessions": 10}, timeouts={"request_ms": timedelta(minutes=1)})


@server.tool
def add(a: int, b: Annotated[int, Field("The second", ge=0)] = 1) -> int:
    return a + b


@server.tool(title="Weather", annotations={"readOnlyHint": True}, task="optional")
async def weather(request: Context, city: Literal["Rome", "Oslo"]) -> Weather:
    wish = request.elicit("Where?", Point)
    if wish.action == "accept":
        assert_type(wish.content, Point)
    page = request.visit("Log in", "https://example.com/login")
    assert_type(page.action, Literal["accept", "decline", "cancel"])
    request.progress(1, 2, "half")
    request.log("info", {"city": city})
    assert_type(request.sample("hello", max_tokens=3).text, str)
    assert_type(request.roots(), list[Root])
    return Weather(city, 20.0)


@server.resource("users://{name}")
def user(name: str) -> dict[str, str]:
    return {"name": name}


@server.prompt
def review(code: str) -> str:
    return code


@server.completion("review", "code")
def complete(value: str) -> list[str]:
    return [value]


assert_type(add(1, b=2), int)
raw: CallToolResult = {"content": [{"type": "text", "text": "x"}]}
app = server.asgi("https://example.com/mcp", origins=["https://example.com"])

if __name__ == "__main__":
    blocking()
    asyncio.run(waiting())
    server.run("http://127.0.0.1:0/mcp")
