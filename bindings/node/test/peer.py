# A server on the Python SDK, with the tools of server-everything that the example everything.mjs uses.
import asyncio

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel

server = FastMCP("peer")


class Weather(BaseModel):
    temperature: int
    conditions: str


class Person(BaseModel):
    name: str


@server.tool(name="echo")
def echo(message: str) -> str:
    return f"Echo: {message}"


@server.tool(name="get-sum")
def get_sum(a: int, b: int) -> str:
    return f"The sum of {a} and {b} is {a + b}."


@server.tool(name="get-structured-content")
def get_structured_content(location: str) -> Weather:
    return Weather(temperature=36, conditions=f"Light rain in {location}")


@server.tool(name="trigger-long-running-operation")
async def long_running(duration: float, steps: int, ctx: Context) -> str:
    for step in range(steps):
        await asyncio.sleep(duration / steps)
        await ctx.report_progress(step + 1, steps)
    return "done"


@server.tool(name="toggle-simulated-logging")
async def logging(ctx: Context) -> str:
    await ctx.info("logged")
    return "logging"


@server.tool(name="trigger-sampling-request")
async def sampling(prompt: str, maxTokens: int, ctx: Context) -> str:
    message = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    result = await ctx.session.create_message(messages=[message], max_tokens=maxTokens)
    return result.content.text


@server.tool(name="trigger-elicitation-request")
async def elicitation(ctx: Context) -> str:
    result = await ctx.elicit("Who are you?", Person)
    return f"{result.action} {result.data.name}"


@server.tool(name="get-roots-list")
async def roots(ctx: Context) -> str:
    return " ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)


@server.resource("peer://about")
def about() -> str:
    return "A peer."


@server.prompt(name="args-prompt")
def args_prompt(city: str) -> str:
    return f"What's weather in {city}?"


@server._mcp_server.set_logging_level()
async def level(level: str) -> None:
    pass


server.run()
