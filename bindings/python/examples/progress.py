"""Calls a tool that takes its time, shows how far it is, and can be stopped with Ctrl-C or after a while."""

import argparse
import asyncio
import json
from typing import Any

from libmcp import AsyncClient

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--call", default="slow", metavar="TOOL", help="the tool to call")
parser.add_argument("--arguments", type=json.loads, default={"ms": 500, "steps": 5}, metavar="JSON", help="its arguments")
parser.add_argument("--stop-after", type=float, metavar="SECONDS", help="cancel the call after this time")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()


def show(report: Any) -> None:
    print(f"{report['progress']:g} of {report.get('total', 0):g} {report.get('message', '')}")


async def main() -> None:
    async with AsyncClient({"command": given.command[0], "args": given.command[1:]}) as client:
        # Ten seconds without a sign of life are too many; with progress it may take a minute.
        call = client.call_tool(
            given.call, given.arguments, on_progress=show, timeout=10, max_total=60, reset_on_progress=True
        )
        try:
            print((await asyncio.wait_for(call, given.stop_after)).text)
        except (asyncio.TimeoutError, asyncio.CancelledError):
            print("stopped, and the server was told")


asyncio.run(main())
