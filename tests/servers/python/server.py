"""A small server made with the official Python SDK, as its users make theirs.

The interop tests talk to it over stdio, or over HTTP with the name of a
transport and a port on the command line. The same file runs on both major
versions of the SDK: 1.x calls the class FastMCP and knows the legacy era only,
2.x calls it MCPServer and serves both eras. What it offers is fixed, because
the tests compare what a client prints with it.
"""

import asyncio
import sys

from pydantic import BaseModel

try:
    from mcp.server.mcpserver import Context, MCPServer
    from mcp.server.mcpserver.exceptions import ToolError
    from mcp_types import SamplingMessage, TextContent
except ModuleNotFoundError:
    from mcp.server.fastmcp import Context
    from mcp.server.fastmcp import FastMCP as MCPServer
    from mcp.server.fastmcp.exceptions import ToolError
    from mcp.types import SamplingMessage, TextContent

server = MCPServer("python-test-server", instructions="A server for tests: it computes nothing of use.")


class Sum(BaseModel):
    """What `add` returns as structured content."""

    sum: int


@server.tool()
def echo(text: str) -> str:
    """Returns the text it was given."""
    return text


@server.tool()
def add(a: int, b: int) -> Sum:
    """Adds two integers; the result is structured."""
    return Sum(sum=a + b)


@server.tool()
async def notify(steps: int, ctx: Context) -> str:
    """Sends one log message and one progress report for each step."""
    for step in range(1, steps + 1):
        await ctx.info(f"step {step} of {steps}")
        await ctx.report_progress(step, steps, f"step {step}")
    return f"sent {steps} of each"


# Set once a call of `slow` was cancelled.
STOPPED = asyncio.Event()


@server.tool()
async def slow(seconds: float, ctx: Context) -> str:
    """Reports that it has begun and answers after the given time, so that a caller can time out or cancel."""
    await ctx.report_progress(0, seconds)
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        STOPPED.set()
        raise
    return f"slept {seconds} s"


@server.tool()
async def stopped() -> str:
    """Answers once the server was told to stop a call of `slow`, so that a caller can check that it was."""
    await STOPPED.wait()
    return "slow was stopped"


class Name(BaseModel):
    """What `ask` wants to know."""

    name: str


@server.tool()
async def ask_name(ctx: Context) -> str:
    """Asks the client for a name."""
    answer = await ctx.elicit("Who are you?", Name)
    return f"hello {answer.data.name}" if answer.action == "accept" else answer.action


@server.tool()
async def ask_model(prompt: str, ctx: Context) -> str:
    """Asks the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    answer = await ctx.session.create_message([message], max_tokens=20)
    return f"the model says {answer.content.text}"


@server.tool()
async def ask_roots(ctx: Context) -> str:
    """Asks the client for its roots."""
    listed = await ctx.session.list_roots()
    return " ".join(str(root.uri) for root in listed.roots)


@server.tool()
def fail(reason: str) -> str:
    """Always fails, with the reason it was given."""
    raise ToolError(reason)


@server.resource("test://greeting", name="greeting", mime_type="text/plain")
def greeting() -> str:
    """A text that never changes."""
    return "Hello from Python"


@server.resource("test://items/{number}", name="item", mime_type="text/plain")
def item(number: str) -> str:
    """One text for each number."""
    return f"item {number}"


@server.prompt()
def ask(topic: str) -> str:
    """Asks for an explanation of a topic."""
    return f"Explain {topic} in one sentence."


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
