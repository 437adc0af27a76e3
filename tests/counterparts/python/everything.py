"""bindings/python/examples/everything.py on the official SDK."""

import argparse
import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

from mcp import Client, MCPError, StdioServerParameters, types

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--plan", type=json.loads, default={}, metavar="JSON", help="the tool and arguments for each step")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()
PLAN: dict[str, Any] = {
    "echo": ["echo", {"message": "Hello"}],
    "structured": ["get-structured-content", {"location": "New York"}],
    "progress": ["trigger-long-running-operation", {"duration": 0.2, "steps": 4}],
    "cancel": ["trigger-long-running-operation", {"duration": 60, "steps": 60}],
    "log": ["toggle-simulated-logging", {}],
    "sampling": ["trigger-sampling-request", {"prompt": "a rhyme", "maxTokens": 20}],
    "elicitation": ["trigger-elicitation-request", {}],
    "roots": ["get-roots-list", {}],
    **given.plan,
}


async def sample(context: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
    text = f"a model with {params.max_tokens} tokens"
    return types.CreateMessageResult(role="assistant", model="unknown", content=types.TextContent(text=text))


async def elicit(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
    properties = params.requested_schema["properties"] if isinstance(params, types.ElicitRequestFormParams) else {}
    defaults = {name: form["default"] for name, form in properties.items() if "default" in form}
    return types.ElicitResult(action="accept", content=defaults | {"name": "Ada"})


async def list_roots(context: Any) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[types.Root(uri="file:///tmp", name="tmp")])


def children() -> set[int]:
    """The SDK does not tell the process of a server."""
    return {int(pid) for tasks in Path("/proc/self/task").glob("*/children") for pid in tasks.read_text().split()}


async def main() -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message: Any) -> None:
        if not isinstance(message, Exception):
            heard.put_nowait(message.method)

    async def report(progress: float, total: float | None, message: str | None) -> None:
        print("progress:", int(progress), "of", total and int(total))

    server = StdioServerParameters(command=given.command[0], args=given.command[1:])

    def connect() -> Client:
        return Client(
            server,
            sampling_callback=sample,
            elicitation_callback=elicit,
            list_roots_callback=list_roots,
            message_handler=hear,
            log_level="debug",
        )

    async def use(client: Client, step: str, **options: Any) -> None:
        tool, arguments = PLAN[step]
        result = await client.call_tool(tool, arguments, read_timeout_seconds=60, **options)
        text = "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
        if result.is_error:
            raise RuntimeError(text)
        print(f"{step}:", (text if result.structured_content is None else json.dumps(result.structured_content))[:76])

    async with connect() as client:
        [pid] = children()
        print("connected:", client.server_info.name if client.server_info else "", client.protocol_version)
        tools = await client.list_tools()
        listed = tools.tools
        while tools.next_cursor is not None:
            tools = await client.list_tools(cursor=tools.next_cursor)
            listed += tools.tools
        print("list:", len(listed), "tools")
        await use(client, "echo")
        await use(client, "structured")
        await use(client, "progress", progress_callback=report)
        call = asyncio.create_task(client.call_tool(*PLAN["cancel"]))
        await asyncio.sleep(0.05)
        call.cancel()
        await asyncio.wait([call])
        print("cancel:", "cancelled" if call.cancelled() else "not cancelled")
        if PLAN["log"]:
            if client.protocol_version < "2026" and client.server_capabilities.logging:
                await client.set_logging_level("debug")
            await use(client, "log")
            print("notifications:", await asyncio.wait_for(heard.get(), 20))
        for step in ("sampling", "elicitation", "roots"):
            if PLAN[step]:
                await use(client, step)
        resource = (await client.list_resources()).resources[0]
        print("resources:", resource.uri, len((await client.read_resource(resource.uri)).contents), "contents")
        prompts = (await client.list_prompts()).prompts
        filled = await client.get_prompt(prompts[0].name, {word.name: "x" for word in prompts[0].arguments or []})
        print("prompts:", len(prompts), "of which the first has", len(filled.messages), "messages")

        answers = await asyncio.gather(*(client.call_tool(*PLAN["echo"]) for _ in range(100)))
        print("parallel:", sum(not answer.is_error for answer in answers), "of 100")
        async with Client(server) as second:
            await asyncio.gather(client.list_tools(), second.list_tools())
            print("two clients:", "ready", "ready")

        os.kill(pid, signal.SIGKILL)
        try:
            await client.call_tool(*PLAN["cancel"], read_timeout_seconds=5)
        except MCPError as error:
            if error.code != types.CONNECTION_CLOSED:
                raise
            print("crash:", "transport")
    # The SDK does not connect again.
    async with connect() as client:
        await use(client, "echo")
        print("reconnected")


asyncio.run(main())
