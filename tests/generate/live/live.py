"""Calls tools of two servers through generated functions: live EXAMPLE EVERYTHING…; without arguments those of the broker at MCP_SOCKET."""

import asyncio
import os
import sys

from chosen.parsed import parsed
from everything.echo import echo as other
from example.add import add, add_async
from example.echo import echo
from example.fail import fail
from libmcp import AsyncClient, Client, Error, ToolError

behind_broker = len(sys.argv) == 1
first = {"socket": os.environ["MCP_SOCKET"]} if behind_broker else {"command": sys.argv[1]}
with Client(first) as client:
    print("add", add(client, a=1.5, b=2)["sum"])
    print("echo", echo(client, text="Hello").text)
    print("parsed", parsed(client, text='{"n":7}')["n"])
    try:
        fail(client)
    except (Error, ToolError) as error:
        print("fail", error)


async def main() -> None:
    async with AsyncClient(first) as client:
        assert (await add_async(client, a=1, b=2))["sum"] == 3


asyncio.run(main())
if not behind_broker:
    with Client({"command": sys.argv[2], "args": sys.argv[3:]}) as client:
        print("everything", other(client, message="Hello").text)
