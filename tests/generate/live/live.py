"""Calls tools of two servers through generated functions: live EXAMPLE [EVERYTHING…]."""

import asyncio
import sys

from everything.echo import echo as other
from example.add import add, add_async
from example.echo import echo
from example.fail import fail
from libmcp import AsyncClient, Client, ToolError

with Client({"command": sys.argv[1]}) as client:
    print("add", add(client, {"a": 1.5, "b": 2})["sum"])
    print("echo", echo(client, {"text": "Hello"}).text)
    try:
        fail(client)
    except ToolError as error:
        print("fail", error)


async def main() -> None:
    async with AsyncClient({"command": sys.argv[1]}) as client:
        assert (await add_async(client, {"a": 1, "b": 2}))["sum"] == 3


asyncio.run(main())
with Client({"command": sys.argv[2], "args": sys.argv[3:]}) as client:
    print("everything", other(client, {"message": "Hello"}).text)
