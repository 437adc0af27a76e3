"""A server made with the official Python SDK for the compatibility matrix: one thing for each feature of the protocol.

`server.py` beside it is what a user would write first; this one has what is left: requests to the client, announced
changes, completion, a log level. The same file runs on both major versions of the SDK. 1.x asks the client in the
middle of a tool; 2.x asks through resolvers, which are requests of their own in the legacy era and requests for input
in the modern one.
"""

import asyncio
import json
import sys
from typing import Annotated

import tasks
from pydantic import BaseModel

try:
    from mcp.server.caching import CacheHint
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve, Sample
    from mcp_types import CreateMessageResult, ListRootsResult, SamplingMessage, TextContent

    IS_TWO = True
    HINTS = {method: CacheHint(ttl_ms=60_000) for method in ("tools/list", "resources/list")}
    server = MCPServer("python-features-server", cache_hints=HINTS, extensions=[tasks.extension()])
except ModuleNotFoundError:
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as MCPServer
    from mcp.types import SamplingMessage, TextContent

    IS_TWO = False
    server = MCPServer("python-features-server")


class Sum(BaseModel):
    sum: int


class Name(BaseModel):
    name: str


@server.tool()
def echo(text: str) -> str:
    """Returns its text."""
    return text


@server.tool()
def add(a: int, b: int) -> Sum:
    """Adds two integers; the result is structured."""
    return Sum(sum=a + b)


@server.tool()
async def steps(count: int, ctx: Context) -> str:
    """One log message and one report of progress for each step."""
    for step in range(1, count + 1):
        await ctx.info(f"step {step}")
        await ctx.report_progress(step, count, f"step {step}")
    return f"{count} steps"


@server.tool()
async def slow(seconds: float) -> str:
    """Answers late."""
    await asyncio.sleep(seconds)
    return "late"


@server.tool()
async def change(ctx: Context) -> str:
    """Announces that the lists and a resource have changed."""
    if IS_TWO:
        await ctx.notify_tools_changed()
        await ctx.notify_prompts_changed()
        await ctx.notify_resources_changed()
        await ctx.notify_resource_updated("test://greeting")
    if not IS_TWO or (ctx.protocol_version or "") < "2026":
        await ctx.session.send_tool_list_changed()
        await ctx.session.send_prompt_list_changed()
        await ctx.session.send_resource_list_changed()
    return "announced"


if IS_TWO:

    async def ask_name(ctx: Context) -> Elicit[Name]:
        return Elicit("Who are you?", Name)

    async def ask_model(ctx: Context) -> Sample:
        text = TextContent(type="text", text="Say hello")
        return Sample([SamplingMessage(role="user", content=text)], max_tokens=10)

    async def ask_roots(ctx: Context) -> ListRoots:
        return ListRoots()

    @server.tool()
    async def form(name: Annotated[Name, Resolve(ask_name)]) -> str:
        """Asks the person for a name."""
        return f"hello {name.name}"

    @server.tool()
    async def model(answer: Annotated[CreateMessageResult, Resolve(ask_model)]) -> str:
        """Asks the client's model."""
        return f"the model says {answer.content.text}"

    @server.tool()
    async def roots(listed: Annotated[ListRootsResult, Resolve(ask_roots)]) -> str:
        """Asks for the client's roots."""
        return " ".join(str(root.uri) for root in listed.roots)

else:

    @server.tool()
    async def form(ctx: Context) -> str:
        """Asks the person for a name."""
        answer = await ctx.elicit("Who are you?", Name)
        return f"hello {answer.data.name}" if answer.action == "accept" else answer.action

    @server.tool()
    async def model(ctx: Context) -> str:
        """Asks the client's model."""
        text = TextContent(type="text", text="Say hello")
        answer = await ctx.session.create_message([SamplingMessage(role="user", content=text)], max_tokens=10)
        return f"the model says {answer.content.text}"

    @server.tool()
    async def roots(ctx: Context) -> str:
        """Asks for the client's roots."""
        listed = await ctx.session.list_roots()
        return " ".join(str(root.uri) for root in listed.roots)


WORDS = ("Please log in", "https://example.com/login")

if IS_TWO:
    from mcp_types import ElicitRequest, ElicitRequestURLParams, InputRequiredResult

    @server.tool()
    async def page(ctx: Context) -> str | InputRequiredResult:
        """Has the person visit a page: asked of legacy clients, given back to modern ones."""
        if (ctx.protocol_version or "") < "2026":
            answer = await ctx.elicit_url(*WORDS, "login-1")
        elif ctx.input_responses is None:
            params = ElicitRequestURLParams(message=WORDS[0], url=WORDS[1])
            return InputRequiredResult(input_requests={"page": ElicitRequest(params=params)})
        else:
            answer = ctx.input_responses["page"]
        return f"the page: {answer.action}"

else:

    @server.tool()
    async def page(ctx: Context) -> str:
        """Has the person visit a page."""
        answer = await ctx.elicit_url(*WORDS, "login-1")
        return f"the page: {answer.action}"


@server.resource("test://greeting", name="greeting", mime_type="text/plain")
def greeting() -> str:
    """A text that never changes."""
    return "Hello from Python"


@server.resource("test://items/{number}", name="item", mime_type="text/plain")
def item(number: str) -> str:
    """One text for each number."""
    return f"item {number}"


@server.prompt()
def explain(topic: str) -> str:
    """Asks for an explanation."""
    return f"Explain {topic} in one sentence."


@server.completion()
async def complete(ref, argument, context):
    """Topics that begin as typed."""
    from mcp.types import Completion

    topics = ["music", "mathematics", "physics"]
    return Completion(values=[topic for topic in topics if topic.startswith(argument.value)])


AT_WORK = []


@server.tool(meta={"mode": "stateful"})
async def step(ctx: Context) -> str:
    """Works for a moment; says in which session, and how many calls did so at that time."""
    AT_WORK.append(ctx)
    at_once = len(AT_WORK)
    await asyncio.sleep(0.1)
    AT_WORK.remove(ctx)
    session = dict(ctx.request_context.meta or {}).get("session_id", "")
    return json.dumps({"session": session, "at_once": at_once})


if not IS_TWO:
    tasks.serve_core_tasks(server._mcp_server)

    @server._mcp_server.set_logging_level()
    async def set_level(level: str) -> None:
        """1.x declares logging only if there is this."""


def serve(transport: str, port: int) -> None:
    """Over HTTP: the versions differ in where the port goes."""
    try:
        server.run(transport, port=port)
    except TypeError:
        server.settings.port = port
        server.run(transport)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        serve(sys.argv[1], int(sys.argv[2]))
    else:
        server.run()
