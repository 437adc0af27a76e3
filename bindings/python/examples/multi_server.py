"""Uses every server of an "mcpServers" file at the same time, in one event loop and without a thread for any.

python multi_server.py FILE
"""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from libmcp import AsyncClient, Error, load_config


async def tools(stack: AsyncExitStack, path: str, name: str) -> str:
    try:
        client = await stack.enter_async_context(AsyncClient(load_config(path, name)))
        return ", ".join([tool["name"] async for tool in client.tools(timeout=60)])
    except Error as error:
        # If one server does not start, the program can still use the others.
        return f"not usable: {error}"


async def main(path: str) -> None:
    names = sorted(json.loads(Path(path).read_text())["mcpServers"])
    async with AsyncExitStack() as stack:
        found = await asyncio.gather(*(tools(stack, path, name) for name in names))
        for name, has in zip(names, found):
            print(f"{name}: {has}")


if len(sys.argv) != 2:
    sys.exit(__doc__)
asyncio.run(main(sys.argv[1]))
