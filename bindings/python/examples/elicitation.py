"""Calls a tool that asks the user something in the middle, and fills in the form that the server sends.

It works the same in both eras of the protocol: with a request of the server, and with a result that asks for input.
"""

import argparse
import json
from typing import Any

from libmcp import Client, Config, Request

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--call", default="ask", metavar="TOOL", help="the tool to call")
parser.add_argument("--arguments", type=json.loads, default={"question": "What is your favourite colour?"}, metavar="JSON")
parser.add_argument("--answer", default="blue", help="what to write into text fields")
parser.add_argument("--decline", action="store_true", help="refuse to answer")
parser.add_argument("command", nargs=argparse.REMAINDER)
given = parser.parse_args()


def fill(request: Request) -> None:
    print("the server asks:", request.params["message"])
    if given.decline:
        request.decline()
        return
    schema = request.params["requestedSchema"]
    content: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        # The library fills in the defaults, and the rest may stay empty.
        if name in schema.get("required", []) and "default" not in field:
            content[name] = {"string": given.answer, "boolean": True}.get(field["type"], 1)
    # What does not fit the form raises here, and that refuses the request.
    request.accept(content)


config: Config = {"command": given.command[0], "args": given.command[1:], "capabilities": {"elicitation": {}}}
with Client(config, on_request={"elicitation/create": fill}) as client:
    print(f"{given.call} says: {client.call_tool(given.call, given.arguments, timeout=30).check().text}")
