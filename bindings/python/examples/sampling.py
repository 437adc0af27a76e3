"""Calls a tool that needs a model: the server asks the client to sample from one, and the client does.

The model here is a parrot. A real program shows the request to its user before it spends money on it, and passes the messages
to the model of its choice.
"""

import argparse
import asyncio
import json
from typing import Any

from libmcp import AsyncClient, Config, Refusal, Request

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--call", required=True, metavar="TOOL", help="the tool to call")
parser.add_argument("--arguments", type=json.loads, default={}, metavar="JSON", help="its arguments")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()


async def parrot(request: Request) -> dict[str, Any]:
    if not request.params.get("messages"):
        raise Refusal("there is no message to answer", code=-32602)
    last = request.params["messages"][-1]["content"]["text"]
    print(f"the server asks a model, for at most {request.params['maxTokens']} tokens: {last}")
    return {
        "role": "assistant",
        "model": "parrot",
        "content": {"type": "text", "text": f"You said: {last}"},
        "stopReason": "endTurn",
    }


async def main() -> None:
    config: Config = {"command": given.command[0], "args": given.command[1:], "capabilities": {"sampling": {}}}
    async with AsyncClient(config, on_request={"sampling/createMessage": parrot}) as client:
        result = (await client.call_tool(given.call, given.arguments, timeout=30)).check()
        print(f"{given.call} says: {result.text or json.dumps(result.data)}")


asyncio.run(main())
