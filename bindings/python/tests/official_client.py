"""The official Python SDK as a client of examples/server.py: official_client.py COMMAND... or official_client.py URL.

Runs in an environment with mcp 1.x or 2.x. Writes a line for each thing that works.
"""

import asyncio
import contextlib
import sys
import warnings

import mcp
from mcp import types

warnings.simplefilter("ignore")
command, *args = sys.argv[1:]
progress = []


async def elicit(context, params):
    assert "size" in params.message
    return types.ElicitResult(action="accept", content={"size": "large", "cups": 2})


async def on_progress(done, total, message):
    progress.append((done, total, message))


def member(thing, snake, camel):
    return getattr(thing, snake) if hasattr(thing, snake) else getattr(thing, camel)


async def connect(stack):
    if hasattr(mcp, "Client"):
        server = command if command.startswith("http") else mcp.StdioServerParameters(command=command, args=args)
        return await stack.enter_async_context(mcp.Client(server, elicitation_callback=elicit))
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamable_http_client

    over = (
        streamable_http_client(command)
        if command.startswith("http")
        else stdio_client(mcp.StdioServerParameters(command=command, args=args))
    )
    streams = (await stack.enter_async_context(over))[:2]
    session = await stack.enter_async_context(mcp.ClientSession(*streams, elicitation_callback=elicit))
    await session.initialize()
    return session


async def main():
    async with contextlib.AsyncExitStack() as stack:
        client = await connect(stack)
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["price", "brew", "order"], tools
        assert "kind of tea" in str(member(tools[0], "input_schema", "inputSchema"))
        print("tools", getattr(client, "protocol_version", ""))
        result = await client.call_tool("price", {"tea": "green"})
        assert member(result, "structured_content", "structuredContent") == {"result": 2.5}, result
        assert result.content[0].text == "2.5"
        print("structured")
        result = await client.call_tool("price", {"tea": "white"})
        assert member(result, "is_error", "isError") and "white" in result.content[0].text, result
        print("wrong arguments")
        result = await client.call_tool("brew", {"minutes": 0.001}, progress_callback=on_progress)
        assert result.content[0].text == "The tea is ready."
        assert progress and progress[-1][0] == 4, progress
        print("progress")
        result = await client.call_tool("order", {"tea": "black"})
        assert member(result, "structured_content", "structuredContent") == {"tea": "black", "cups": 2, "total": 4.0}, result
        print("elicitation")
        [resource] = (await client.list_resources()).resources
        read = (await client.read_resource(resource.uri)).contents[0]
        assert '"green": 2.5' in read.text, read
        print("resource")
        [prompt] = (await client.list_prompts()).prompts
        got = await client.get_prompt(prompt.name, {"mood": "cheerful"})
        assert "cheerful" in got.messages[0].content.text
        print("prompt")


asyncio.run(asyncio.wait_for(main(), 40))
