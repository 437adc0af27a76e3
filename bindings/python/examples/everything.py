"""Uses what a client can do, one thing after another, with the server on the command line: either the reference server
"everything", or one that has the tools of the same purpose (`--plan` names them)."""

import argparse
import asyncio
import json
import os
import signal
from typing import Any

from libmcp import AsyncClient, CallTimeout, Error, Status

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--plan", type=json.loads, default={}, metavar="JSON", help="the tool and arguments for each step")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()
PLAN: dict[str, Any] = {
    "echo": ["echo", {"message": "Hello"}],
    "structured": ["get-structured-content", {"location": "New York"}],
    "progress": ["trigger-long-running-operation", {"duration": 0.2, "steps": 4}],
    "cancel": ["trigger-long-running-operation", {"duration": 60, "steps": 600}],
    "stopped": None,  # What answers once a call of "cancel" was cancelled.
    "log": ["toggle-simulated-logging", {}],
    "sampling": ["trigger-sampling-request", {"prompt": "a rhyme", "maxTokens": 20}],
    "elicitation": ["trigger-elicitation-request", {}],
    "roots": ["get-roots-list", {}],
    **given.plan,
}


async def main() -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    async with AsyncClient(
        {"command": given.command[0], "args": given.command[1:]},
        on_sampling=lambda request: f"a model with {request['maxTokens']} tokens",
        on_elicitation=lambda form: {"name": "Ada"},
        on_roots=lambda: [{"uri": "file:///tmp", "name": "tmp"}],
        on_notification=lambda method, params: heard.put_nowait(method),
    ) as client:
        await client.connect(timeout=30)
        info = client.info()
        print("connected:", info["server"]["name"], info["revision"])
        print("list:", len([tool async for tool in client.tools()]), "tools")

        async def use(step: str, **options: Any) -> str:
            tool, arguments = PLAN[step]
            result = (await client.call_tool(tool, arguments, timeout=20, **options)).check()
            print(f"{step}:", (result.text if result.data is None else json.dumps(result.data))[:76])
            return result.text

        await use("echo")
        await use("structured")
        await use("progress", on_progress=lambda report: print("progress:", report["progress"], "of", report.get("total")))
        begun = asyncio.Event()
        call = asyncio.create_task(client.call_tool(*PLAN["cancel"], on_progress=lambda report: begun.set()))
        await asyncio.wait_for(begun.wait(), 20)
        call.cancel()
        await asyncio.wait([call], timeout=20)
        print("cancel:", "cancelled" if call.cancelled() else "not cancelled")
        if PLAN["stopped"]:
            await use("stopped")
        if PLAN["log"]:
            if info["era"] == "legacy" and "logging" in info["capabilities"]:  # In 2026-07-28 the level belongs to a call.
                await client.set_log_level("debug")
            await use("log", log_level="debug")
            print("notifications:", await asyncio.wait_for(heard.get(), 20))
        for step in ("sampling", "elicitation", "roots"):
            if PLAN[step]:
                await use(step)
        resource = await anext(client.resources())
        print("resources:", resource["uri"], len(await client.read_resource(resource["uri"])), "contents")
        prompts = [prompt async for prompt in client.prompts()]
        filled = await client.get_prompt(prompts[0]["name"], {word["name"]: "x" for word in prompts[0].get("arguments", [])})
        print("prompts:", len(prompts), "of which the first has", len(filled["messages"]), "messages")

        tool, arguments = PLAN["echo"]
        answers = await asyncio.gather(*(client.call_tool(tool, arguments) for _ in range(100)))
        print("parallel:", sum(not answer.is_error for answer in answers), "of 100")
        async with AsyncClient({"command": given.command[0], "args": given.command[1:]}) as second:
            await asyncio.gather(client.ping(), second.ping())
            print("two clients:", client.state, second.state)

        os.kill(client.info()["pid"], signal.SIGKILL)
        try:
            await client.call_tool(*PLAN["cancel"], timeout=5)
        except CallTimeout:
            raise
        except Error as error:
            print("crash:", Status(error.status))
        await use("echo", when_unavailable="wait")
        print("reconnected")


asyncio.run(main())
